import { AppError } from '../../../shared/errors/app-error.ts'
import type { Sheet, SheetCell } from './sheet.ts'

/** The maximum size of a table that the writer accepts. */
const maxRows = 1_000_000
const maxColumns = 1_000

/**
 * Writes sheets as a Numbers document: values without formats and formulas. The writer is loaded when it is
 * first used.
 */
export async function writeNumbers(sheets: readonly Sheet[]): Promise<Uint8Array> {
  const [{ utils, write }, { default: payload }] = await Promise.all([
    import('@e965/xlsx'),
    import('@e965/xlsx/dist/xlsx.zahl.mjs'),
  ])
  const book = utils.book_new()
  for (const { name, rows } of sheets) {
    if (rows.length > maxRows || rows.some((row) => row.length > maxColumns)) {
      const because = `tables have at most ${maxRows} rows and ${maxColumns} columns`
      throw new AppError('convert.failed', { engine: 'Tables', from: 'ods', to: 'numbers', because })
    }
    const values = rows.map((row) =>
      Array.from(row, (cell) => (cell === undefined ? null : writtenValue(cell))),
    )
    // The writer needs at least one cell in each table, but workbooks have empty sheets.
    const cells = values.some((row) => row.some((cell) => cell !== null)) ? values : [['']]
    utils.book_append_sheet(book, utils.aoa_to_sheet(cells, { cellDates: true, UTC: true }), name, true)
  }
  // The type declarations describe the module incorrectly, and lack the option that keeps times unchanged.
  const options = { numbers: payload as unknown as string, UTC: true }
  return new Uint8Array(write(book, { bookType: 'numbers', type: 'array', ...options }))
}

function writtenValue(cell: SheetCell): string | number | boolean | Date {
  if (cell.kind === 'date') return new Date(`${cell.value}T00:00:00Z`)
  if (cell.kind === 'moment') return new Date(`${cell.value}Z`)
  return cell.value
}
