/** PresentationML and DrawingML for the template compiler. Source: ECMA-376-1, clauses 19 and 21. */
import { drawingBreak, lineFeed } from '../../../../shared/office/line-breaks.ts'
import { labelOf } from '../../../../shared/template/positions.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'

/** The rules of PresentationML. */
export const pptxRules: FormatRules = {
  lineBreak: '</a:t></a:r><a:br/><a:r><a:t>',
  lineBreakAt: (tokens, parent, at) => drawingBreak(tokens, parent, at) ?? lineFeed,
  elements: {
    row: ['a:tr'],
    col: ['a:tc'],
    p: ['a:p'],
    table: ['p:graphicFrame'],
    img: ['p:pic'],
    chart: ['p:graphicFrame'],
    shape: ['p:sp', 'p:pic', 'p:cxnSp', 'p:grpSp', 'p:graphicFrame'],
    item: ['a:p'],
    slide: ['p:sldId'],
  },
  listedKinds: ['slide'],
  paragraphs: ['a:p'],
  position: labelOf,
  noise: [],
  runs: { 'a:r': { text: ['a:t'], properties: ['a:rPr'] } },
  unique: [
    { elements: ['p:cNvPr'], attribute: 'id', space: 'shape', takes: 'new', kind: 'number' },
    { elements: ['a16:rowId'], attribute: 'val', space: 'row', takes: 'new', kind: 'number' },
    { elements: ['a16:colId'], attribute: 'val', space: 'column', takes: 'new', kind: 'number' },
  ],
  grid: {
    row: 'a:tr',
    cell: 'a:tc',
    holder: 'a:tblGrid',
    column: 'a:gridCol',
    span: { attribute: 'gridSpan', listed: true },
  },
  spans: { table: 'a:tbl', row: 'a:tr', cells: ['a:tc'], attribute: 'rowSpan' },
  emptyParagraph: { in: ['a:txBody', 'p:txBody'], markup: '<a:p/>' },
  // A table without rows is removed together with its frame. A text body always has a paragraph.
  filled: {
    'a:tr': { skip: ['a:extLst'] },
    'a:tbl': { skip: ['a:tblPr', 'a:tblGrid'] },
    'a:graphicData': { skip: [] },
    'a:graphic': { skip: [] },
    'p:graphicFrame': { skip: ['p:nvGraphicFramePr', 'p:xfrm', 'p:extLst'] },
    'a:txBody': { skip: ['a:bodyPr', 'a:lstStyle'], instead: '<a:p/>' },
    'p:txBody': { skip: ['a:bodyPr', 'a:lstStyle'], instead: '<a:p/>' },
  },
  addresses: /^(?:Target|\w+:(?:id|link|pict))$/,
}
