export type SqlValue = string | number | null | Uint8Array

export interface Statement {
  readonly text: string // placeholders ?1, ?2, ... in order; the dialect that SQLite and PostgreSQL share
  readonly values: readonly SqlValue[]
}

/**
 * A database of the shared dialect. Drivers: node:sqlite, D1, PostgreSQL. Integers above 2^53 travel as strings.
 * Every failure is AppError 'storage.records' with the cause inside, except a broken unique rule, 'storage.conflict', and
 * a database that cannot be reached or does not answer in time, 'storage.unavailable': then nobody knows whether it ran.
 */
export interface Sql {
  query<Row = Record<string, SqlValue>>(statement: Statement): Promise<readonly Row[]>
  /** All or nothing, in order. Returns the rows changed by each. */
  batch(statements: readonly Statement[]): Promise<readonly number[]>
  close?(): Promise<void>
}
