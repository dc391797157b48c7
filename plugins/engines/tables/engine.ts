import { entryOf } from '../../../shared/entry-of.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import type { Engine, Host } from '../../../shared/plugin/contract.ts'
import { type IgnoredOptions, ignoredWarnings } from '../../../shared/plugin/ignored-options.ts'
import type { FormatId, Warning } from '../../../shared/plugin/values.ts'
import { type TableFormat, title } from './conversions.ts'
import { writeDbf } from './dbf.ts'
import { writeNumbers } from './numbers.ts'
import { writeParquet } from './parquet.ts'
import { readSheets } from './read-sheets.ts'
import type { Sheet } from './sheet.ts'
import { writeSpreadsheetXml } from './spreadsheet-xml.ts'

interface TableFormatWriter {
  write(sheets: readonly [Sheet, ...Sheet[]]): Uint8Array | Promise<Uint8Array>
  readonly oneSheet?: true
  /**
   * The maximum number of cells that it writes in reasonable time and memory. Absent: as many as a document may have.
   */
  readonly maxCells?: number
}

const writers: Readonly<Record<TableFormat, TableFormatWriter>> = {
  parquet: { write: ([sheet]) => writeParquet(sheet), oneSheet: true },
  dbf: { write: ([sheet]) => writeDbf(sheet), oneSheet: true },
  numbers: { write: writeNumbers, maxCells: 200_000 },
  ooxml: { write: writeSpreadsheetXml },
}

export function createEngine(_settings: object, { codec }: Host): Engine<IgnoredOptions> {
  return {
    async convert({ source, from, to, options }, signal) {
      const writer =
        from === 'ods' ? entryOf(writers as Partial<Record<FormatId, TableFormatWriter>>, to) : undefined
      if (writer === undefined) throw new AppError('convert.pair', { engine: title, from, to })
      const sheets = readSheets(await bytesOf(source), codec)
      signal.throwIfAborted()
      const [first, ...more] = sheets
      if (first === undefined)
        throw new AppError('convert.document', { engine: title, from, because: 'it has no sheet' })
      const { maxCells = Number.POSITIVE_INFINITY } = writer
      if (sheets.reduce((count, sheet) => count + cellsOf(sheet), 0) > maxCells)
        throw new AppError('convert.document', {
          engine: title,
          from,
          because: `it has more than ${maxCells} cells, the most for ${to}`,
        })
      const warnings: Warning[] = [...ignoredWarnings(options, to)]
      if (writer.oneSheet && more.length > 0)
        warnings.push({
          code: 'convert.first-page-only',
          message: `The document has ${sheets.length} pages or sheets; ${to} shows only the first.`,
        })
      return { value: fromBytes(await writer.write([first, ...more])), warnings }
    },
  }
}

const cellsOf = ({ rows }: Sheet): number => rows.reduce((count, row) => count + row.length, 0)
