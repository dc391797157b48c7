import { AppError } from '../../../shared/errors/app-error.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import { openZip } from '../../../shared/office/zip.ts'
import type { Codec } from '../../../shared/plugin/values.ts'
import { type Vocabulary, XmlCursor, XmlFault, xmlText } from '../../../shared/xml/cursor.ts'
import type { Sheet, SheetCell } from './sheet.ts'

const space = 'urn:oasis:names:tc:opendocument:xmlns:'
const vocabulary: Vocabulary = {
  prefixes: new Map([
    [`${space}office:1.0`, 'office'],
    [`${space}table:1.0`, 'table'],
    [`${space}text:1.0`, 'text'],
  ]),
  understood: new Set(),
}

/** Maximum number of cells with content in all sheets; repeated ones count as often as they are repeated. */
const maxCells = 5_000_000
/** A repetition over this many rows or columns is only formatting. */
const maxRows = 1_048_576

type SheetRow = (SheetCell | undefined)[]

/**
 * Reads the cells of an ODS with their types. Formats, formulas, notes and the content of covered cells are
 * not read.
 *
 * Throws 'convert.document', and what `openZip` throws. Source: ODF 1.3 part 3, 9.1 and 19.385
 * (office:value-type).
 */
export function readSheets(bytes: Uint8Array, codec: Codec): readonly Sheet[] {
  const zip = openZip(bytes, { codec, limits: defaultLimits, format: 'ods' })
  const entry = zip.entries.find(({ name }) => name === 'content.xml')
  if (entry === undefined) throw unreadable('it has no content')
  const cursor = new XmlCursor(xmlText(zip.read(entry)), vocabulary)
  const reader = new SheetReader(cursor)
  try {
    if (cursor.root()) reader.find()
  } catch (error) {
    if (error instanceof XmlFault) throw unreadable('its content is not XML')
    throw error
  }
  return reader.sheets
}

class SheetReader {
  readonly sheets: Sheet[] = []
  readonly #cursor: XmlCursor
  #cells = 0

  constructor(cursor: XmlCursor) {
    this.#cursor = cursor
  }

  /** Tables are inside office:body/office:spreadsheet. */
  find(): void {
    this.#cursor.each((name) => {
      if (name === 'office:body' || name === 'office:spreadsheet') this.find()
      else if (name === 'table:table') this.sheets.push(this.#sheet())
    })
  }

  #sheet(): Sheet {
    const name = this.#cursor.attribute('table:name') ?? `Sheet${this.sheets.length + 1}`
    const rows: SheetRow[] = []
    this.#rows(rows)
    return { name, rows }
  }

  /** Rows may be inside groups and headers. */
  #rows(rows: SheetRow[]): void {
    let empty = 0
    const collect = (): void =>
      this.#cursor.each((name) => {
        if (
          name === 'table:table-row-group' ||
          name === 'table:table-header-rows' ||
          name === 'table:table-rows'
        )
          return collect()
        if (name !== 'table:table-row') return
        const count = this.#times('table:number-rows-repeated')
        const row = this.#row()
        if (row.length === 0) {
          empty += count
          return
        }
        this.#count((count - 1) * row.filter((cell) => cell !== undefined).length)
        if (rows.length + empty + count > maxRows) throw unreadable('it has more rows than a sheet can have')
        for (; empty > 0; empty--) rows.push([])
        for (let copy = 0; copy < count; copy++) rows.push(row)
      })
    collect()
  }

  #row(): SheetRow {
    const row: SheetRow = []
    let empty = 0
    this.#cursor.each((name) => {
      if (name !== 'table:table-cell' && name !== 'table:covered-table-cell') return
      const count = this.#times('table:number-columns-repeated')
      const cell = name === 'table:table-cell' ? this.#cell() : undefined
      if (cell === undefined) {
        empty += count
        return
      }
      this.#count(count)
      if (row.length + empty + count > 16_384) throw unreadable('it has more columns than a sheet can have')
      for (; empty > 0; empty--) row.push(undefined)
      for (let copy = 0; copy < count; copy++) row.push(cell)
    })
    return row
  }

  #cell(): SheetCell | undefined {
    const attribute = (name: string) => this.#cursor.attribute(`office:${name}`)
    const kind = attribute('value-type')
    switch (kind) {
      case 'float':
      case 'percentage':
      case 'currency': {
        const value = Number(attribute('value'))
        return Number.isFinite(value) ? { kind: 'number', value } : undefined
      }
      case 'boolean':
        return { kind: 'boolean', value: attribute('boolean-value') === 'true' }
      case 'date': {
        const value = attribute('date-value') ?? ''
        return { kind: value.includes('T') ? 'moment' : 'date', value }
      }
      case undefined:
        return undefined
      default: {
        const stringValue = attribute('string-value')
        const value = stringValue ?? this.#text()
        return value === '' ? undefined : { kind: 'text', value }
      }
    }
  }

  /** Paragraphs become lines; notes and pictures are omitted. */
  #text(): string {
    const lines: string[] = []
    this.#cursor.each((name) => {
      if (name === 'text:p' || name === 'text:h') lines.push(this.#inline())
    })
    return lines.join('\n')
  }

  #inline(): string {
    let text = ''
    this.#cursor.each(
      (name) => {
        if (name === 'text:s')
          text += ' '.repeat(Math.min(Number(this.#cursor.attribute('text:c') ?? 1) || 1, 1000))
        else if (name === 'text:tab') text += '\t'
        else if (name === 'text:line-break') text += '\n'
        else if (name.startsWith('text:')) text += this.#inline()
      },
      (characters) => {
        text += characters
      },
    )
    return text
  }

  #times(name: string): number {
    const count = Number(this.#cursor.attribute(name) ?? 1)
    return Number.isSafeInteger(count) && count > 0 ? count : 1
  }

  #count(cells: number): void {
    this.#cells += cells
    if (this.#cells > maxCells) throw unreadable(`it has more than ${maxCells} cells`)
  }
}

function unreadable(because: string): AppError {
  return new AppError('convert.document', { engine: 'Tables', from: 'ods', because })
}
