import { AppError } from '../../shared/errors/app-error.ts'
import type { Sql, SqlValue, Statement } from '../../shared/ports/sql.ts'

/** What D1 says when nothing of a call has run: it may be sent again, whatever it does. */
const notRun = /SQLITE_BUSY|database is locked|overloaded|while starting up|Cannot resolve D1 DB/i
/** What it says when nobody knows whether it has: only what reads may be sent again. A local D1 says so when it is busy. */
const unknown =
  /Network connection lost|caused object to be reset|reset because its code was updated|internal error; reference/i
/** Longest pauses before another try, in ms; three seconds in all, far below any time-out of ours. */
const pauses = [50, 100, 200, 400, 800, 1600]

/**
 * Records in D1. A batch is one transaction there. D1 gives BLOB columns back as arrays of numbers; they leave here as
 * bytes. Integers above 2^53 would be rounded by D1 itself: ids of that size are text. What D1 could not do for a moment
 * is asked again (docs/decisions/storage-edge.md).
 */
export function openD1(database: D1Database): Sql {
  const bind = ({ text, values }: Statement) => database.prepare(text).bind(...values)
  return {
    query: <Row = Record<string, SqlValue>>(statement: Statement) =>
      guarded(/^\s*SELECT\b/i.test(statement.text), async () => {
        const { results } = await bind(statement).all<Record<string, unknown>>()
        return results.map(withBytes) as Row[]
      }),
    batch: (statements) =>
      guarded(false, async () => {
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

async function guarded<T>(reads: boolean, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (cause) {
      // D1 tells SQLite's message and extended code in its text only.
      const said = String(cause)
      const longest = pauses[attempt]
      if (longest === undefined || !(notRun.test(said) || (reads && unknown.test(said)))) {
        if (notRun.test(said) || unknown.test(said)) throw new AppError('storage.unavailable', {}, { cause })
        const conflict = /UNIQUE constraint failed|SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE|ROWID)/.test(said)
        throw new AppError(conflict ? 'storage.conflict' : 'storage.records', {}, { cause })
      }
      // Of many that were turned away at once, not all come back at once.
      await new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)))
    }
  }
}
