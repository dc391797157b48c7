import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Sql, SqlValue, Statement } from '../../shared/ports/sql.ts'

/** As many as the service has texts, and room to spare: lists build theirs from filters. */
const mostPrepared = 200
/** Another process of this machine may be writing; its transactions are short. */
const busyTimeoutMs = 5000
/** SQLITE_CONSTRAINT_PRIMARYKEY, _UNIQUE and _ROWID: https://sqlite.org/rescode.html */
const brokenUnique: readonly unknown[] = [1555, 2067, 2579]
/** SQLITE_BUSY, _LOCKED and _FULL, in the lower byte of each extended code. */
const passing: readonly unknown[] = [5, 6, 13]

/**
 * Records in one SQLite file, made with its folder when it is not there. Several processes may have it open.
 *
 * A commit is on the disk before it is reported (`synchronous` FULL): what was answered with 200 survives a power
 * cut. Statements run on the calling thread; they are short, and the file is in the page cache.
 */
export function openSqlite(path: string): Sql {
  const database = guarded(() => open(path))
  const prepared = new Map<string, StatementSync>()

  /** Least recently used texts leave first: a Map keeps the order of insertion. */
  function prepare(text: string): StatementSync {
    const known = prepared.get(text)
    if (known !== undefined) prepared.delete(text)
    const statement = known ?? database.prepare(text)
    prepared.set(text, statement)
    if (prepared.size > mostPrepared) {
      for (const oldest of prepared.keys()) {
        prepared.delete(oldest)
        break
      }
    }
    return statement
  }

  function run(statement: Statement): number {
    return Number(prepare(statement.text).run(...statement.values).changes)
  }

  function batch(statements: readonly Statement[]): readonly number[] {
    // IMMEDIATE takes the write lock at once: a read that turns into a write could not wait for another writer.
    database.exec('BEGIN IMMEDIATE')
    try {
      const changes = statements.map(run)
      database.exec('COMMIT')
      return changes
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  return {
    query: async <Row = Record<string, SqlValue>>(statement: Statement) =>
      guarded(() => prepare(statement.text).all(...statement.values) as Row[]),
    batch: async (statements) => guarded(() => batch(statements)),
    close: async () => {
      prepared.clear()
      if (database.isOpen) guarded(() => database.close())
    },
  }
}

function open(path: string): DatabaseSync {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs })
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('PRAGMA synchronous = FULL')
  database.exec('PRAGMA foreign_keys = ON')
  // What is deleted is overwritten: keys of queued renders, names made of callers' data.
  database.exec('PRAGMA secure_delete = ON')
  return database
}

function guarded<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const code = (cause as { errcode?: unknown }).errcode
    if (typeof code === 'number' && passing.includes(code & 0xff))
      throw new AppError('storage.unavailable', {}, { cause })
    throw new AppError(brokenUnique.includes(code) ? 'storage.conflict' : 'storage.records', {}, { cause })
  }
}
