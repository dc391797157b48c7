/** WordprocessingML for the template compiler. Source: ECMA-376-1, clauses 17 and 20. */

import { drawingBreak, enclosing, lineFeed } from '../../../../shared/office/line-breaks.ts'
import { inOneTag } from '../../../../shared/template/media/tokens.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import { attributeOf } from '../../../../shared/xml/elements.ts'
import { bindCheckBoxes } from './forms.ts'
import { isTransient } from './transient.ts'

const textBreak = '</w:t><w:br/><w:t xml:space="preserve">'

/** The rules of WordprocessingML. */
export const docxRules: FormatRules = {
  lineBreak: textBreak,
  lineBreakAt: (tokens, parent, at) =>
    enclosing(tokens, parent, at, ['w:t']) < 0 ? (drawingBreak(tokens, parent, at) ?? lineFeed) : [textBreak],
  elements: {
    row: ['w:tr'],
    col: ['w:tc'],
    p: ['w:p'],
    h: ['w:p'],
    item: ['w:p'],
    table: ['w:tbl'],
    img: ['w:drawing', 'w:pict'],
    chart: ['w:drawing'],
    shape: ['mc:AlternateContent', 'w:drawing', 'w:pict'],
  },
  paragraphs: ['w:p'],
  characters: { 'w:noBreakHyphen': '-' },
  deleted: ['w:delText', 'w:delInstrText', 'w:moveFrom'],
  noise: ['w:proofErr', 'w:lastRenderedPageBreak', 'w:softHyphen', 'w:noBreakHyphen'],
  runs: { 'w:r': { text: ['w:t', 'w:tab', 'w:br'], properties: ['w:rPr'] } },
  unique: [
    {
      elements: ['wp:docPr', 'pic:cNvPr', 'wps:cNvPr'],
      attribute: 'id',
      space: 'drawing',
      takes: 'new',
      kind: 'number',
    },
    { elements: ['w:bookmarkStart'], attribute: 'w:id', space: 'bookmark', takes: 'new', kind: 'number' },
    {
      elements: ['w:bookmarkStart'],
      attribute: 'w:name',
      space: 'bookmark name',
      takes: 'new',
      kind: 'name',
    },
    { elements: ['w:id'], attribute: 'w:val', space: 'control', takes: 'new', kind: 'number' },
    { elements: ['w:bookmarkEnd'], attribute: 'w:id', space: 'bookmark', takes: 'same', kind: 'number' },
    { elements: ['v:shape', 'v:rect', 'v:line'], attribute: 'id', space: 'vml', takes: 'new', kind: 'name' },
  ],
  transient: isTransient,
  grid: {
    row: 'w:tr',
    cell: 'w:tc',
    holder: 'w:tblGrid',
    column: 'w:gridCol',
    span: { attribute: 'w:val', inside: ['w:tcPr', 'w:gridSpan'] },
    before: { attribute: 'w:val', inside: ['w:trPr', 'w:gridBefore'] },
    merge: {
      element: 'w:vMerge',
      holders: ['w:tcPr'],
      begins: (tag) => attributeOf(tag, 'w:val') === 'restart',
      continuation: '<w:vMerge/>',
    },
  },
  emptyParagraph: { in: ['w:tc', 'w:txbxContent', 'w:hdr', 'w:ftr'], markup: '<w:p/>' },
  filled: {
    'w:tbl': { skip: ['w:tblPr', 'w:tblGrid', 'w:bookmarkStart', 'w:bookmarkEnd'] },
    'w:tr': { skip: ['w:tblPrEx', 'w:trPr', 'w:bookmarkStart', 'w:bookmarkEnd'] },
    'w:tc': { skip: ['w:tcPr'], instead: '<w:p/>' },
    'w:txbxContent': { skip: [], instead: '<w:p/>' },
    'w:hdr': { skip: [], instead: '<w:p/>' },
    'w:ftr': { skip: [], instead: '<w:p/>' },
    'w:footnote': { skip: [], instead: '<w:p/>' },
    'w:comment': { skip: [], instead: '<w:p/>' },
  },
  keepInParagraph: { element: 'w:sectPr', before: '<w:p><w:pPr>', after: '</w:pPr></w:p>' },
  addresses: /^(?:Target|\w+:(?:id|link|pict))$/,
  prepare: (_part, tokens) => bindCheckBoxes(inOneTag(tokens, ['w:vMerge'])),
  keepBlanks: { 'w:t': 'xml:space="preserve"' },
}
