import { AppError } from '../../shared/errors/app-error.ts'
import type { Sql, SqlValue, Statement } from '../../shared/ports/sql.ts'

/**
 * Records in D1. A batch is one transaction there. D1 gives BLOB columns back as arrays of numbers; they leave here as
 * bytes. Integers above 2^53 would be rounded by D1 itself: ids of that size are text.
 */
export function openD1(database: D1Database): Sql {
  const bind = ({ text, values }: Statement) => database.prepare(text).bind(...values)
  return {
    query: <Row = Record<string, SqlValue>>(statement: Statement) =>
      guarded(async () => {
        const { results } = await bind(statement).all<Record<string, unknown>>()
        return results.map(withBytes) as Row[]
      }),
    batch: (statements) =>
      guarded(async () => {
        if (statements.length === 0) return []
        const results = await database.batch(statements.map(bind))
        return results.map(({ meta }) => meta.changes)
      }),
  }
}

function withBytes(row: Record<string, unknown>): Record<string, unknown> {
  for (const name in row) {
    const value = row[name]
    if (Array.isArray(value)) row[name] = Uint8Array.from(value as number[])
    else if (value instanceof ArrayBuffer) row[name] = new Uint8Array(value)
  }
  return row
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    // D1 tells SQLite's message and extended code in its text only.
    const conflict = /UNIQUE constraint failed|SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE|ROWID)/.test(
      String(cause),
    )
    throw new AppError(conflict ? 'storage.conflict' : 'storage.records', {}, { cause })
  }
}
