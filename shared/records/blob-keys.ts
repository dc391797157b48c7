import type { Sql, SqlValue } from '../ports/sql.ts'

/** The columns that hold keys of blobs. D1 allows five parts in a compound select, so they are read in several statements. */
const keyColumns = [
  [
    ['templates', 'blob'],
    ['templates', 'sample_blob'],
    ['templates', 'checks_blob'],
  ],
  [
    ['renders', 'blob'],
    ['jobs', 'blob'],
    ['idempotency_keys', 'blob'],
  ],
] as const

/**
 * Returns those of the given blob keys of one account that a row still refers to. Accepts at most 90 keys,
 * because D1 allows 100 bound values in a statement.
 */
export async function findUsedKeys(
  sql: Sql,
  account: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const values: SqlValue[] = [account, ...keys]
  const placeholders = keys.map((_, keyIndex) => `?${keyIndex + 2}`).join(', ')
  const rows = await Promise.all(
    keyColumns.map((columns) => {
      const parts = columns.map(
        ([table, column]) =>
          `SELECT ${column} AS name FROM ${table} WHERE account = ?1 AND ${column} IN (${placeholders})`,
      )
      return sql.query({ text: parts.join(' UNION ALL '), values })
    }),
  )
  return new Set(rows.flat().map((row) => String(row['name'])))
}
