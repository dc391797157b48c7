import type { Sql, SqlValue } from '../ports/sql.ts'

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
  const rows = await sql.query({
    text: `SELECT blob AS name FROM templates WHERE account = ?1 AND blob IN (${placeholders})
      UNION ALL SELECT sample_blob AS name FROM templates WHERE account = ?1 AND sample_blob IN (${placeholders})
      UNION ALL SELECT checks_blob AS name FROM templates WHERE account = ?1 AND checks_blob IN (${placeholders})
      UNION ALL SELECT blob AS name FROM renders WHERE account = ?1 AND blob IN (${placeholders})
      UNION ALL SELECT blob AS name FROM jobs WHERE account = ?1 AND blob IN (${placeholders})
      UNION ALL SELECT blob AS name FROM idempotency_keys WHERE account = ?1 AND blob IN (${placeholders})`,
    values,
  })
  return new Set(rows.map((row) => String(row['name'])))
}
