import { setEntry } from '../../shared/entry-of.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Sql, SqlValue, Statement } from '../../shared/ports/sql.ts'

/** Messages of D1 that mean that a call did not run at all, so that it can be repeated. */
const notRun = /SQLITE_BUSY|database is locked|overloaded|while starting up|Cannot resolve D1 DB/i
/**
 * Messages after which it is unknown whether the call ran, so that only reads are repeated. A busy local D1
 * has them too.
 */
const unknown =
  /Network connection lost|caused object to be reset|reset because its code was updated|internal error; reference/i
/**
 * The maximum pauses before each further attempt, in ms. Their sum, about three seconds, is far below all
 * timeouts of the service.
 */
const maxPauses = [50, 100, 200, 400, 800, 1600]

/**
 * Stores records in D1, where a batch is one transaction. D1 returns BLOB columns as arrays of numbers, which
 * are converted to bytes here. It rounds integers above 2^53, so IDs of that size are stored as text. Calls
 * that D1 could not execute for a moment are repeated (docs/decisions/storage-edge.md).
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
  for (const [name, value] of Object.entries(row)) {
    if (Array.isArray(value)) setEntry(row, name, Uint8Array.from(value as number[]))
    else if (value instanceof ArrayBuffer) setEntry(row, name, new Uint8Array(value))
  }
  return row
}

async function guarded<T>(reads: boolean, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (cause) {
      // D1 reports the message and the extended code of SQLite only as part of the text of its error.
      const text = String(cause)
      const maxPause = maxPauses[attempt]
      if (maxPause === undefined || !(notRun.test(text) || (reads && unknown.test(text)))) {
        if (!reads && unknown.test(text)) throw new AppError('storage.unanswered', {}, { cause })
        if (notRun.test(text) || unknown.test(text)) throw new AppError('storage.unavailable', {}, { cause })
        const conflict = /UNIQUE constraint failed|SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE|ROWID)/.test(text)
        throw new AppError(conflict ? 'storage.conflict' : 'storage.records', {}, { cause })
      }
      // The pause is random, so that calls that failed at the same time are not repeated at the same time.
      await new Promise((resolve) => setTimeout(resolve, maxPause * (0.5 + Math.random() / 2)))
    }
  }
}
