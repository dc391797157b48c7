export type SqlValue = string | number | null | Uint8Array

/** An SQL statement with its bound values. */
export interface Statement {
  readonly text: string // with placeholders ?1, ?2, ..., in the dialect that SQLite and PostgreSQL share
  readonly values: readonly SqlValue[]
}

/**
 * A database. Drivers: node:sqlite, D1, PostgreSQL. Integers above 2^53 are passed as strings. Every failure
 * is AppError 'storage.records' with the cause inside, with three exceptions. A violated unique constraint is
 * 'storage.conflict'. A database that cannot be reached or does not answer in time is 'storage.unavailable', and the
 * statements have had no effect. Only where that is unknown, because the answer to a commit is missing, the error is
 * 'storage.unanswered'.
 */
export interface Sql {
  query<Row = Record<string, SqlValue>>(statement: Statement): Promise<readonly Row[]>
  /** Runs the statements in order in one transaction. Returns the number of rows that each changed. */
  batch(statements: readonly Statement[]): Promise<readonly number[]>
  close?(): Promise<void>
}
