/** SpreadsheetML for the template compiler. Source: ECMA-376-1, clause 18. */
import { drawingBreak, lineFeed } from '../../../../shared/office/line-breaks.ts'
import { labelOf } from '../../../../shared/template/positions.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'

/** What floats over the cells: the whole anchor goes, an empty one would be repaired. */
const anchors = ['xdr:oneCellAnchor', 'xdr:twoCellAnchor', 'xdr:absoluteAnchor']

export const xlsxRules: FormatRules = {
  // A line break in a cell is a line feed in its text: nothing to write for it.
  lineBreak: '\n',
  lineBreakAt: (tokens, parent, at) => drawingBreak(tokens, parent, at) ?? lineFeed,
  elements: { row: ['row'], col: ['c'], sheet: ['sheet'], img: anchors, chart: anchors, shape: anchors },
  around: ['sheet'],
  paragraphs: ['c', 'a:p', 'comment'],
  position: labelOf,
  noise: ['rPh', 'phoneticPr'],
  runs: {
    r: { text: ['t'], properties: ['rPr'] },
    'a:r': { text: ['a:t'], properties: ['a:rPr'] },
  },
  // Columns have no list that repeats with the cells: their widths follow by position.
  grid: { row: 'row', cell: 'c', holder: 'cols', column: '' },
  addresses: /^Target$/,
  keepBlanks: { t: 'xml:space="preserve"' },
}
