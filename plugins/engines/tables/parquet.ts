import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import { columnsOf, type Sheet, type SheetCell, type SheetColumn, textOf } from './sheet.ts'

const msPerDay = 86_400_000

type ParquetValue = string | number | bigint | boolean | null

/**
 * How a column is written: its physical type, its logical type, and the value of a cell. Source: Parquet
 * Logical Types.
 */
interface ParquetType {
  readonly element: Readonly<Record<string, unknown>>
  value(cell: SheetCell): ParquetValue
}

const kinds: Readonly<Record<SheetColumn['kind'], ParquetType>> = {
  boolean: { element: { type: 'BOOLEAN' }, value: (cell) => cell.value as boolean },
  integer: { element: { type: 'INT64' }, value: (cell) => BigInt(cell.value as number) },
  number: { element: { type: 'DOUBLE' }, value: (cell) => cell.value as number },
  date: {
    element: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
    value: (cell) => Math.round(Date.parse(`${cell.value}T00:00:00Z`) / msPerDay),
  },
  moment: {
    element: {
      type: 'INT64',
      // Cells have no time zone, so the time is a local one.
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' },
    },
    value: (cell) => BigInt(Date.parse(`${cell.kind === 'date' ? `${cell.value}T00:00:00` : cell.value}Z`)),
  },
  text: {
    element: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
    value: textOf,
  },
}

/**
 * Writes a sheet as a Parquet file. A column is typed when all its cells are of one kind; empty cells are
 * null.
 */
export function writeParquet(sheet: Sheet): Uint8Array {
  const columns = columnsOf(sheet)
  const columnData: ColumnSource[] = columns.map(({ name, kind, cells }) => ({
    name,
    data: cells.map((cell) => (cell === undefined ? null : kinds[kind].value(cell))),
  }))
  const schema = [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, kind }) => ({ name, repetition_type: 'OPTIONAL', ...kinds[kind].element })),
  ]
  const options = { columnData, schema, createdBy: 'platen' } as unknown as Parameters<
    typeof parquetWriteBuffer
  >[0]
  return new Uint8Array(parquetWriteBuffer(options))
}
