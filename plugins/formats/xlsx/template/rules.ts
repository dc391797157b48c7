/** SpreadsheetML for the template compiler. Source: ECMA-376-1, clause 18. */
import { drawingBreak, lineFeed } from '../../../../shared/office/line-breaks.ts'
import { labelOf } from '../../../../shared/template/positions.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'

/**
 * Elements that float over the cells. A picture is removed together with its anchor, since Excel repairs an anchor
 * without content.
 */
const anchors = ['xdr:oneCellAnchor', 'xdr:twoCellAnchor', 'xdr:absoluteAnchor']

/** The rules of SpreadsheetML. `workbook.ts` adds what depends on the file. */
export const xlsxRules: FormatRules = {
  // A line break in a cell is a line feed in its text, so no markup is written for it.
  lineBreak: '\n',
  lineBreakAt: (tokens, parent, at) => drawingBreak(tokens, parent, at) ?? lineFeed,
  elements: { row: ['row'], col: ['c'], sheet: ['sheet'], img: anchors, chart: anchors, shape: anchors },
  listedKinds: ['sheet'],
  paragraphs: ['c', 'a:p', 'comment'],
  position: labelOf,
  noise: ['rPh', 'phoneticPr'],
  runs: {
    r: { text: ['t'], properties: ['rPr'] },
    'a:r': { text: ['a:t'], properties: ['a:rPr'] },
  },
  // No list of columns repeats with the cells: their widths are assigned by position.
  grid: { row: 'row', cell: 'c', holder: 'cols', column: '' },
  addresses: /^Target$/,
  keepBlanks: { t: 'xml:space="preserve"' },
}
