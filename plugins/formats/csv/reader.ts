/** Reads separated values as one sheet, formatted as office programs do: default column widths and no formatting. */
import type { Cell, CellFormat, SheetRow, Workbook } from '../../../shared/document/sheet.ts'
import { maxColumns, maxRows } from '../../../shared/office/sheet/reference.ts'
import type { Outcome, Warning } from '../../../shared/plugin/values.ts'
import { decodeText } from '../../../shared/text-encoding.ts'
import { separatorOf } from './separator.ts'

/** The maximum number of cells that are read. */
const maxCells = 1_000_000
const maxLetters = 32_767
const defaultFormat: CellFormat = {
  font: { family: 'Liberation Sans', size: 10 },
  number: 'General',
  borders: {},
  align: { across: 'general', down: 'bottom', wrap: false, shrink: false, indent: 0, rotation: 0 },
}

/** The space between headers and cells, in pt. */
const spacing = 7.1
/** The cell formats: general, dates without and with a time, and percentages. */
const formats: readonly CellFormat[] = ['General', 'yyyy-mm-dd', 'yyyy-mm-dd hh:mm:ss', '0.00%'].map(
  (number) => ({ ...defaultFormat, number }),
)

/**
 * Reads a CSV file as a workbook. Numbers in English notation, ISO 8601 dates and truth values become typed values;
 * everything else is text.
 */
export function readCsv(bytes: Uint8Array): Outcome<Workbook> {
  const text = decodeText(bytes)
  const rows: SheetRow[] = []
  let left = maxCells
  parse(text, separatorOf(text), (row, fields) => {
    if (row >= maxRows || (left -= fields.length) < 0) return false
    const cells: Cell[] = []
    for (const [column, field] of fields.entries())
      if (field !== '' && column < maxColumns) cells.push({ column, ...fieldValue(field) })
    if (cells.length > 0) rows.push({ row, hidden: false, cells })
    return true
  })
  const warnings: Warning[] =
    left < 0
      ? [{ code: 'read.sheet-cells', message: `Cells beyond the first ${maxCells} are not drawn.` }]
      : []
  const font = defaultFormat.font
  const workbook: Workbook = {
    sheets: [
      {
        // The file name is not known.
        name: '',
        hidden: false,
        rightToLeft: false,
        rows,
        columns: [],
        defaultWidth: { points: 64 },
        fitsColumns: true,
        defaultHeight: 12.8,
        merges: [],
        page: {
          areas: [],
          width: 612,
          height: 792,
          margins: { left: 56.7, right: 56.7, top: 77.95, bottom: 77.95, header: 56.7, footer: 56.7 },
          scale: { factor: 1 },
          order: 'down',
          rowBreaks: [],
          columnBreaks: [],
          centerAcross: false,
          centerDown: false,
          gridLines: false,
          headings: false,
          header: { spacing, all: { left: [], center: [[{ font, text: { kind: 'sheet' } }]], right: [] } },
          footer: {
            spacing,
            all: {
              left: [],
              center: [
                [
                  { font, text: { kind: 'text', text: 'Page ' } },
                  { font, text: { kind: 'page', add: 0 } },
                ],
              ],
              right: [],
            },
          },
        },
      },
    ],
    formats,
    defaultFont: font,
    date1904: false,
    information: {},
  }
  return { value: workbook, warnings }
}

/** Calls `visit` for each record (RFC 4180) until it returns false. Quotes inside unquoted fields are text. */
function parse(text: string, separator: string, visit: (row: number, fields: string[]) => boolean): void {
  let row = 0
  let fields: string[] = []
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  while (at < text.length) {
    let field: string
    if (text[at] === '"') {
      const end = closingQuote(text, at)
      field = text.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
      // Text after the closing quote belongs to the field.
      const rest = fieldEnd(text, at, separator)
      field += text.slice(at, rest)
      at = rest
    } else {
      const end = fieldEnd(text, at, separator)
      field = text.slice(at, end)
      at = end
    }
    if (fields.length <= maxColumns) fields.push(field.slice(0, maxLetters))
    const next = text[at]
    if (next === separator) {
      at++
      if (at < text.length) continue
      fields.push('')
    }
    if (next === '\r' && text[at + 1] === '\n') at++
    at++
    if (!visit(row++, fields)) return
    fields = []
  }
}

function closingQuote(text: string, open: number): number {
  let end = text.indexOf('"', open + 1)
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  return end < 0 ? text.length : end
}
function fieldEnd(text: string, from: number, separator: string): number {
  let at = from
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++
  return at
}

/** The value of a field with the index of its format. Formulas remain text. */
function fieldValue(field: string): Pick<Cell, 'format' | 'value'> {
  const text = field.trim()
  if (/^(?:true|false)$/i.test(text)) return { format: 0, value: text.toLowerCase() === 'true' }
  const date = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text)
  if (date !== null) {
    const [, year, month, day, hours, minutes = 0, seconds = 0] = date
    const days = Date.UTC(Number(year), Number(month) - 1, Number(day)) / 86_400_000
    const isReal = new Date(days * 86_400_000).toISOString().startsWith(text.slice(0, 10))
    const time = (Number(hours ?? 0) * 3_600 + Number(minutes) * 60 + Number(seconds)) / 86_400
    return isReal
      ? { format: hours === undefined ? 1 : 2, value: days + epoch + time }
      : { format: 0, value: field }
  }
  const isNumber =
    /^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?(?:[eE][+-]?\d{1,3})?%?$/.test(text) && /\d/.test(text)
  const number = isNumber ? Number(text.replaceAll(/[,%]/g, '')) : Number.NaN
  if (!Number.isFinite(number)) return { format: 0, value: field }
  return text.endsWith('%') ? { format: 3, value: number / 100 } : { format: 0, value: number }
}
/** The serial number of 1 January 1970. */
const epoch = 25_569
