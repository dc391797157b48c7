/**
 * Tables as data: an ODS from another engine comes in, since it says of each cell what it holds (`read-sheets.ts`);
 * Parquet, dBase, Numbers and the XML of Excel 2003 go out.
 */
import { AppError } from '../../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import {
  type Conversion,
  defineEngine,
  type FormatId,
  type Warning,
} from '../../../shared/plugin/contract.ts'
import {
  type IgnoredOptions,
  ignoredOptions,
  ignoredWarnings,
} from '../../../shared/plugin/ignored-options.ts'
import { writeDbf } from './dbf.ts'
import { writeNumbers } from './numbers.ts'
import { writeParquet } from './parquet.ts'
import { readSheets } from './read-sheets.ts'
import type { Sheet } from './sheet.ts'
import { writeSpreadsheetXml } from './spreadsheet-xml.ts'

const title = 'Tables'

interface Writer {
  write(sheets: readonly [Sheet, ...Sheet[]]): Uint8Array | Promise<Uint8Array>
  readonly oneSheet?: true
  readonly fidelity: Conversion['fidelity']
  readonly last?: true
}

const writers: Readonly<Record<FormatId, Writer>> = {
  parquet: { write: ([sheet]) => writeParquet(sheet), oneSheet: true, fidelity: 'high' },
  dbf: { write: ([sheet]) => writeDbf(sheet), oneSheet: true, fidelity: 'basic' },
  numbers: { write: writeNumbers, fidelity: 'basic' },
  // The office has an export for it that stops with an error on nearly every real sheet. A source of that name is Word's.
  ooxml: { write: writeSpreadsheetXml, fidelity: 'high', last: true },
}

const conversions: readonly Conversion[] = Object.entries(writers).map(([to, { fidelity, last }]) => ({
  from: 'ods',
  to,
  fidelity,
  cost: 20,
  ...(last && { last }),
}))

export default defineEngine<object, IgnoredOptions>({
  kind: 'engine',
  contract: 1,
  id: 'tables',
  title,
  sides: ['origin'],
  conversions,
  settings: { json: { type: 'object' }, parse: () => ({ ok: true, value: {} }) },
  options: ignoredOptions,
  create: (_, { codec }) => ({
    async convert({ source, from, to, options }, signal) {
      const writer = from === 'ods' ? writers[to] : undefined
      if (writer === undefined) throw new AppError('convert.pair', { engine: title, from, to })
      const sheets = readSheets(await bytesOf(source), codec)
      signal.throwIfAborted()
      const [first, ...more] = sheets
      if (first === undefined)
        throw new AppError('convert.document', { engine: title, from, because: 'it has no sheet' })
      const warnings: Warning[] = [...ignoredWarnings(options, to)]
      if (writer.oneSheet && more.length > 0)
        warnings.push({
          code: 'convert.first-page-only',
          message: `The document has ${sheets.length} pages or sheets; ${to} shows the first.`,
        })
      return { value: fromBytes(await writer.write([first, ...more])), warnings }
    },
  }),
})
