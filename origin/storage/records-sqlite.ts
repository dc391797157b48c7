import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Sql, SqlValue, Statement } from '../../shared/ports/sql.ts'

/**
 * The number of prepared statements that are cached. It exceeds the number of distinct texts in the service,
 * some of which are built from the filters of lists.
 */
const maxPrepared = 200
/** How long a statement waits for another process of this machine that is writing. Transactions are short. */
const busyTimeoutMs = 5000
/** SQLite would wait on the thread, which serves everybody. While the service runs, it only reports a busy file. */
const [firstPauseMs, maxPauseMs] = [2, 50]
/** SQLITE_CONSTRAINT_PRIMARYKEY, _UNIQUE and _ROWID: https://sqlite.org/rescode.html */
const uniqueViolations: readonly unknown[] = [1555, 2067, 2579]
/** SQLITE_BUSY, _LOCKED and _FULL: conditions that may pass. They are the lower byte of extended codes. */
const busy = 5
const temporary: readonly unknown[] = [busy, 6, 13]

/**
 * Opens records in one SQLite file, which is created with its folder if it does not exist. Several processes
 * may have it open.
 *
 * A commit is on disk before it is reported (`synchronous` FULL), so what was answered with 200 survives a
 * power failure. Statements run on the calling thread; they are short, and the file is in the page cache.
 */
export function openSqlite(path: string): Sql {
  const database = guarded(() => open(path))
  const prepared = new Map<string, StatementSync>()

  /**
   * Prepares or reuses a statement. The Map is in order of last use, so that its first entry is evicted when
   * it is full.
   */
  function prepare(text: string): StatementSync {
    const cached = prepared.get(text)
    if (cached !== undefined) prepared.delete(text)
    const statement = cached ?? database.prepare(text)
    prepared.set(text, statement)
    if (prepared.size > maxPrepared) {
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
    // IMMEDIATE takes the write lock at the start. A transaction that first reads and then writes could not
    // wait for another writer and would fail.
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
    query: <Row = Record<string, SqlValue>>(statement: Statement) =>
      whenFree(() => prepare(statement.text).all(...statement.values) as Row[]),
    batch: (statements) => whenFree(() => batch(statements)),
    close: async () => {
      prepared.clear()
      if (database.isOpen) guarded(() => database.close())
    },
  }
}

function open(path: string): DatabaseSync {
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // SQLite gives its log and its shared memory the permissions of the database file.
    closeSync(openSync(path, 'a', 0o600))
    chmodSync(path, 0o600)
  }
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs })
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('PRAGMA synchronous = FULL')
  database.exec('PRAGMA foreign_keys = ON')
  // Overwrites deleted content with zeros, because rows hold keys of queued renders and names built from
  // callers' data.
  database.exec('PRAGMA secure_delete = ON')
  database.exec('PRAGMA busy_timeout = 0') // see `whenFree`
  return database
}

/**
 * Runs a statement or transaction, again and again while another process holds the file: one that is busy has had no
 * effect. Other work goes on meanwhile. Throws as `guarded`.
 */
async function whenFree<T>(work: () => T): Promise<T> {
  const end = performance.now() + busyTimeoutMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      return work()
    } catch (error) {
      if (codeOf(error) !== busy || performance.now() > end) throw toAppError(error)
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

function guarded<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toAppError(error)
  }
}

function toAppError(cause: unknown): AppError {
  if (temporary.includes(codeOf(cause))) return new AppError('storage.unavailable', {}, { cause })
  const { errcode } = cause as { errcode?: unknown }
  const code = uniqueViolations.includes(errcode) ? 'storage.conflict' : 'storage.records'
  return new AppError(code, {}, { cause })
}

/** The primary result code of an error of SQLite. */
function codeOf(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: unknown }
  return typeof errcode === 'number' ? errcode & 0xff : undefined
}
