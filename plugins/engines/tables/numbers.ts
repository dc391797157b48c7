import { AppError } from '../../../shared/errors/app-error.ts'
import type { Cell, Sheet } from './sheet.ts'

/** What the writer takes: it makes tables of this size at most. */
const mostRows = 1_000_000
const mostColumns = 1_000

/** Sheets as a document of Numbers: values, no formats and no formulas. The writer is loaded at its first use. */
export async function writeNumbers(sheets: readonly Sheet[]): Promise<Uint8Array> {
  const [{ utils, write }, { default: payload }] = await Promise.all([
    import('@e965/xlsx'),
    import('@e965/xlsx/dist/xlsx.zahl.mjs'),
  ])
  const book = utils.book_new()
  for (const { name, rows } of sheets) {
    if (rows.length > mostRows || rows.some((row) => row.length > mostColumns)) {
      const because = `tables have at most ${mostRows} rows and ${mostColumns} columns`
      throw new AppError('convert.failed', { engine: 'Tables', from: 'ods', to: 'numbers', because })
    }
    const given = rows.map((row) => Array.from(row, (cell) => (cell === undefined ? null : plain(cell))))
    // The writer has no table without a cell; workbooks have sheets that nobody used.
    const cells = given.some((row) => row.some((cell) => cell !== null)) ? given : [['']]
    utils.book_append_sheet(book, utils.aoa_to_sheet(cells, { cellDates: true, UTC: true }), name, true)
  }
  // The typings take the module for what it exports, and do not know that times are to stay as they are.
  const options = { numbers: payload as unknown as string, UTC: true }
  return new Uint8Array(write(book, { bookType: 'numbers', type: 'array', ...options }))
}

function plain(cell: Cell): string | number | boolean | Date {
  if (cell.kind === 'date') return new Date(`${cell.value}T00:00:00Z`)
  if (cell.kind === 'moment') return new Date(`${cell.value}Z`)
  return cell.value
}
