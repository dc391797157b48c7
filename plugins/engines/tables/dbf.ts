import { AppError } from '../../../shared/errors/app-error.ts'
import { maxOf } from '../../../shared/extremes.ts'
import { normalForm } from '../../../shared/normal-form.ts'
import { columnsOf, type Sheet, type SheetColumn, textOf } from './sheet.ts'

const maxColumns = 255
const maxTextBytes = 254
const maxDigits = 20
const endOfHead = 0x0d
const endOfFile = 0x1a

interface DbfField {
  readonly name: string
  readonly type: 'C' | 'N' | 'L' | 'D'
  readonly width: number
  readonly decimals: number
  readonly cells: readonly Uint8Array[] // of this width
}

/**
 * Writes a sheet as a dBase III file in UTF-8: dates, logical values, numbers and text of up to 254 bytes.
 * Values that do not fit are refused, not truncated. Source: dBASE III PLUS file structure.
 */
export function writeDbf(sheet: Sheet): Uint8Array {
  const columns = columnsOf(sheet)
  if (columns.length === 0) refuse('its first sheet is empty')
  if (columns.length > maxColumns) refuse(`it has more than ${maxColumns} columns`)
  const names = fieldNames(columns)
  const fields = columns.map((column, at) => fieldOf(column, names[at] ?? ''))
  const rows = columns[0]?.cells.length ?? 0
  const recordBytes = 1 + fields.reduce((sum, { width }) => sum + width, 0)
  if (recordBytes > 0xffff) refuse('its rows are longer than 65,535 bytes')
  const headBytes = 32 + fields.length * 32 + 1
  const file = new Uint8Array(headBytes + recordBytes * rows + 1)
  const view = new DataView(file.buffer)
  // The date of the last change is the earliest possible one, so that the same sheet gives the same bytes.
  file.set([0x03, 80, 1, 1])
  view.setUint32(4, rows, true)
  view.setUint16(8, headBytes, true)
  view.setUint16(10, recordBytes, true)
  for (const [at, { name, type, width, decimals }] of fields.entries()) {
    const start = 32 + at * 32
    file.set(new TextEncoder().encode(name), start)
    file[start + 11] = type.charCodeAt(0)
    file[start + 16] = width
    file[start + 17] = decimals
  }
  file[headBytes - 1] = endOfHead
  file.fill(0x20, headBytes)
  for (let row = 0; row < rows; row++) {
    let at = headBytes + row * recordBytes + 1
    for (const { cells, width } of fields) {
      file.set(cells[row] ?? new Uint8Array(0), at)
      at += width
    }
  }
  file[file.length - 1] = endOfFile
  return file
}

function fieldOf(column: SheetColumn, name: string): DbfField {
  switch (column.kind) {
    case 'boolean':
      return field(name, 'L', column, ({ value }) => (value === true ? 'T' : 'F'), 1)
    case 'date':
      return field(name, 'D', column, ({ value }) => String(value).replaceAll('-', ''), 8)
    case 'integer':
    case 'number': {
      const decimals = decimalsOf(column)
      const written = column.cells.map((cell) =>
        cell === undefined ? '' : (cell.value as number).toFixed(decimals),
      )
      const width = Math.max(1, maxOf(written.map((text) => text.length)))
      // Numbers that do not fit are written as text, which keeps them exact.
      if (width > maxDigits || written.some((text) => text.includes('e'))) return textField(name, column)
      const cells = written.map((text) => new TextEncoder().encode(text.padStart(width)))
      return { name, type: 'N', width, decimals, cells }
    }
    case 'moment':
    case 'text':
      return textField(name, column)
    default:
      return column.kind satisfies never
  }
}

function textField(name: string, column: SheetColumn): DbfField {
  const cells = column.cells.map((cell) => new TextEncoder().encode(textOf(cell)))
  const width = cells.reduce((max, { length }) => Math.max(max, length), 1)
  if (width > maxTextBytes) {
    const row = cells.findIndex(({ length }) => length > maxTextBytes)
    refuse(
      `a text in row ${row + 1} of column ${column.name.slice(0, 40)} has more than ${maxTextBytes} bytes`,
    )
  }
  return { name, type: 'C', width, decimals: 0, cells }
}

function field(
  name: string,
  type: DbfField['type'],
  { cells }: SheetColumn,
  write: (cell: NonNullable<SheetColumn['cells'][number]>) => string,
  width: number,
): DbfField {
  const written = cells.map((cell) => new TextEncoder().encode(cell === undefined ? '' : write(cell)))
  return { name, type, width, decimals: 0, cells: written }
}

/** The number of decimals that a column needs, as far as its numbers are written without an exponent. */
function decimalsOf({ cells }: SheetColumn): number {
  return cells.reduce((max, cell) => {
    const [, fraction = ''] = (cell === undefined ? '' : String(cell.value)).split('.')
    return Math.max(max, Math.min(fraction.replace(/e.*$/, '').length, 15))
  }, 0)
}

/** Makes unique column names of ten letters, digits or underscores. */
function fieldNames(columns: readonly SheetColumn[]): readonly string[] {
  const used = new Set<string>()
  return columns.map(({ name }, at) => {
    const ascii = normalForm(name, 'NFD')
      .replace(/\p{M}/gu, '')
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
    const base = ascii === '' ? `FIELD${at + 1}` : ascii.slice(0, 10)
    let candidate = base
    for (let count = 2; used.has(candidate); count++)
      candidate = `${base.slice(0, 9 - String(count).length)}_${count}`
    used.add(candidate)
    return candidate
  })
}

function refuse(because: string): never {
  throw new AppError('convert.failed', { engine: 'Tables', from: 'ods', to: 'dbf', because })
}
