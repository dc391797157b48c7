import { enclosing, lineFeed } from '../../../shared/office/line-breaks.ts'
import { openPackage } from '../../../shared/office/package.ts'
import type { OpenContext } from '../../../shared/plugin/contract.ts'
import type { TemplatePackage } from '../../../shared/template/package.ts'
import type { FormatRules } from '../../../shared/template/rules.ts'

const contentBreak = '</Content><Br/><Content>'

const rules: FormatRules = {
  lineBreak: contentBreak,
  lineBreakAt: (tokens, parent, at) =>
    enclosing(tokens, parent, at, ['Content']) < 0 ? lineFeed : [contentBreak],
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

export async function openIdml(bytes: Uint8Array, context: OpenContext): Promise<TemplatePackage> {
  return openPackage(bytes, context, {
    format: 'idml',
    rules,
    main: 'designmap.xml',
    isPart: (name) => /^(?:Stories|Spreads|MasterSpreads)\/[^/]*\.xml$/.test(name),
  })
}
