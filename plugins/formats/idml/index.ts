/** InDesign documents: stories and spreads are XML parts. Source: template language 24.7. */
import { around, lineFeed } from '../../../shared/office/line-breaks.ts'
import { openPackage } from '../../../shared/office/package.ts'
import { zipMimetype } from '../../../shared/office/sniff.ts'
import { defineFormat } from '../../../shared/plugin/contract.ts'
import type { FormatRules } from '../../../shared/template/rules.ts'

const mimetype = 'application/vnd.adobe.indesign-idml-package'

const contentBreak = '</Content><Br/><Content>'

const rules: FormatRules = {
  lineBreak: contentBreak,
  lineBreakAt: (tokens, parent, at) =>
    around(tokens, parent, at, ['Content']) < 0 ? lineFeed : [contentBreak],
  elements: { row: ['Row'], p: ['ParagraphStyleRange'], table: ['Table'] },
  paragraphs: ['ParagraphStyleRange'],
  noise: [],
  runs: { CharacterStyleRange: { text: ['Content'], properties: ['Properties'] } },
  unique: [
    {
      elements: ['Table', 'Cell', 'Row', 'Column'],
      attribute: 'Self',
      space: 'self',
      takes: 'new',
      kind: 'name',
    },
  ],
}

export default defineFormat({
  kind: 'format',
  id: 'idml',
  family: 'document',
  extensions: ['idml'],
  mime: [mimetype],
  sniff: async (source) => ((await zipMimetype(source)) === mimetype ? 'sure' : 'no'),
  template: {
    open: async (bytes, context) =>
      openPackage(bytes, context, {
        format: 'idml',
        rules,
        isPart: (name) => /^(?:Stories|Spreads|MasterSpreads)\/[^/]*\.xml$/.test(name),
      }),
  },
})
