import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { nodeCodec } from '../../origin/codec.ts'
import type { FontBook } from '../../plugins/engines/instant/fonts/font-book.ts'
import { paintWorkbook, sheetFontRequests } from '../../plugins/engines/instant/workbook-pipeline.ts'
import { readCsv } from '../../plugins/formats/csv/reader.ts'
import { readFods, readOds } from '../../plugins/formats/ods/reader/open.ts'
import { readXlsx } from '../../plugins/formats/xlsx/reader/open.ts'
import type { Workbook } from '../../shared/document/sheet.ts'
import { defaultLimits } from '../../shared/limits.ts'
import type { OpenContext } from '../../shared/plugin/contract.ts'
import type { Outcome } from '../../shared/plugin/values.ts'
import type { Converted } from './engine.ts'

/** Readers of workbooks by extension. */
export const workbookReaders: Readonly<
  Record<string, (bytes: Uint8Array, context: OpenContext) => Outcome<Workbook>>
> = {
  '.xlsx': readXlsx,
  '.xlsm': readXlsx,
  '.ods': readOds,
  '.fods': readFods,
  '.csv': readCsv,
}

/** Converts a workbook in this process. */
export async function convertWorkbook(file: string, book: FontBook, now: () => number): Promise<Converted> {
  const bytes = new Uint8Array(readFileSync(file))
  const started = performance.now()
  const read = workbookReaders[extname(file).toLowerCase()]!(bytes, {
    codec: nodeCodec,
    limits: defaultLimits,
  })
  const fonts = book.forDocument()
  const workbook = named(read.value)
  await fonts.prepare(sheetFontRequests(workbook))
  const result = paintWorkbook({
    workbook,
    fonts,
    codec: nodeCodec,
    deadline: now() + 200_000,
    now,
  })
  return {
    ...result,
    pdf: result.files[0]!,
    all: [...read.warnings, ...result.warnings],
    ms: performance.now() - started,
  }
}

/** The name that engine L gives its input, which headers of the reference show. */
const nameInReference = '~'

/** The workbook with that name. The sheet of a CSV file has the name of its file. */
function named(workbook: Workbook): Workbook {
  const sheets = workbook.sheets.map((sheet) =>
    sheet.name === '' ? { ...sheet, name: nameInReference } : sheet,
  )
  return { ...workbook, fileName: nameInReference, sheets }
}
