import pg from 'pg'
import { setEntry } from '../../shared/entry-of.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Log } from '../../shared/plugin/values.ts'
import type { Sql, SqlValue, Statement } from '../../shared/ports/sql.ts'

export interface PostgresOptions {
  readonly log: Log
  /** The maximum number of connections for reading, and the same number again for writing. */
  readonly connections?: number
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const uniqueViolation = '23505'
/**
 * SQLSTATE of transactions that collided with another one: serialization failure, deadlock, and two processes
 * that create the same table. The transaction is repeated.
 */
const collisions: readonly unknown[] = ['40001', '40P01', '42P07', '42710']
/**
 * How often a colliding batch is tried. Under heavy contention a lower number would surface as
 * 'storage.records'.
 */
const attempts = 25
const connectTimeoutMs = 5_000
/**
 * Timeouts in the server, for a statement, for its wait for a lock, and for an idle transaction.
 * `answerTimeoutMs` is the timeout of the driver for a server that hangs or is disconnected; it is longer, so
 * that the server's own error comes first.
 */
const [statementTimeoutMs, lockTimeoutMs, idleTransactionMs] = [5_000, 4_000, 15_000]
const answerTimeoutMs = 6_000
/** Migrations may take long. They run when the service starts, before there are requests. */
const migrationTimeoutMs = 3_600_000

/**
 * Opens records in PostgreSQL, which any number of processes may share.
 *
 * What a batch writes may depend on what it reads, so batches are serializable and are repeated when they
 * collide. SQLite gives the same guarantee by allowing one writer at a time. Queries read what is committed.
 * There are two pools because the isolation level is set for a connection, which saves a round trip.
 */
export function openPostgres(url: string, { log, connections = 10 }: PostgresOptions): Sql {
  const openPool = (session = '') => {
    const pool = new pg.Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: answerTimeoutMs,
      keepAlive: true,
      application_name: 'platen',
      // These are statements and not startup parameters, because connection poolers support few of the
      // latter.
      onConnect: async (client) => {
        await client.query(`SET statement_timeout = ${statementTimeoutMs}; SET lock_timeout = ${lockTimeoutMs};
          SET idle_in_transaction_session_timeout = ${idleTransactionMs}; ${session}`)
      },
      types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
    })
    // A broken idle connection is replaced at the next use of the pool, so this is only logged.
    pool.on('error', (error) => log.warn('records.connection-lost', { error }))
    // A connection in use that breaks emits an error beside failing its query. Without a listener, that ends the process.
    pool.on('connect', (client) => client.on('error', () => {}))
    return pool
  }
  const reading = openPool()
  const writing = openPool('SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE')
  let closed: Promise<void> | undefined

  return {
    query: async <Row = Record<string, SqlValue>>(statement: Statement) =>
      guarded(async () => {
        const query = toQuery(statement)
        const { rows } = onlyReads.test(statement.text)
          ? await reading.query<Record<string, SqlValue>>(query)
          : await inTransaction(reading, (client) => client.query<Record<string, SqlValue>>(query))
        return rows.map(unescaped) as Row[]
      }),
    batch: (statements) => guarded(() => retried(() => writeAll(writing, statements))),
    close: () => {
      closed ??= Promise.all([reading.end(), writing.end()]).then(() => undefined)
      return closed
    },
  }
}

/**
 * Runs statements in one transaction and returns the number of changed rows for each. A transaction that
 * changes tables is a migration and has no timeouts in the server.
 */
async function writeAll(pool: pg.Pool, statements: readonly Statement[]): Promise<readonly number[]> {
  if (statements.length === 0) return []
  const isMigration = statements.some(({ text }) => changesTables.test(text))
  return inTransaction(pool, async (client) => {
    if (isMigration) await client.query('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0')
    const changed: number[] = []
    for (const statement of statements) {
      const query = isMigration
        ? { ...toQuery(statement), query_timeout: migrationTimeoutMs }
        : toQuery(statement)
      changed.push((await client.query(query)).rowCount ?? 0)
    }
    return changed
  })
}

/** The COMMIT of a transaction was sent, and its answer did not come. */
class UnansweredCommit extends Error {}

/**
 * Runs `work` in a transaction, a single statement too. A server that hangs executes what it was sent when it goes on,
 * after the caller got an error. A transaction without its COMMIT then has no effect. Throws
 * `UnansweredCommit` when the effect of the COMMIT itself is unknown.
 */
async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let isBroken = false
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT').catch((error: unknown) => {
      const isRefused = error instanceof pg.DatabaseError && !isUnavailable(error)
      throw isRefused ? error : new UnansweredCommit('', { cause: error })
    })
    return result
  } catch (error) {
    // Over a connection that does not respond, ROLLBACK would not be answered either. It is closed instead.
    isBroken = error instanceof UnansweredCommit || isUnavailable(error)
    if (!isBroken)
      await client.query('ROLLBACK').catch(() => {
        isBroken = true
      })
    throw error
  } finally {
    client.release(isBroken)
  }
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attempts || !collisions.includes(codeOf(error))) throw error
      // A random pause from a growing range keeps the same transactions from colliding again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4 * attempt))
    }
  }
}

/** A statement in the form that the driver takes. */
const toQuery = ({ text, values }: Statement) => ({
  text: translate(text),
  values: values.map((value) =>
    value instanceof Uint8Array
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      : typeof value === 'string'
        ? escapeNul(value)
        : value,
  ),
})

const onlyReads = /^\s*SELECT\b/i
const changesTables = /^\s*(?:CREATE|ALTER|DROP)\b/i
/**
 * Translated statements by their original text. Cleared when full.
 */
const translations = new Map<string, string>()
const maxTranslations = 1_000

/**
 * Translates a statement from SQLite to PostgreSQL. `?1` becomes `$1`. In table definitions BLOB becomes
 * BYTEA, TEXT gets the collation "C", which compares by code point as SQLite does, and WITHOUT ROWID is left out. Quoted
 * text stays unchanged.
 */
function translate(text: string): string {
  const cached = translations.get(text)
  if (cached !== undefined) return cached
  let translated = text.replace(
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?(\d+)/g,
    (match, number: string | undefined) => (number === undefined ? match : `$${number}`),
  )
  if (/^\s*(?:CREATE|ALTER)\s+TABLE\b/i.test(text)) {
    translated = translated.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\b(?:TEXT|BLOB)\b/g, (match) =>
      match === 'TEXT' ? 'TEXT COLLATE "C"' : match === 'BLOB' ? 'BYTEA' : match,
    )
    translated = translated.replace(/\)\s*WITHOUT ROWID\s*$/i, ')')
  }
  if (translations.size >= maxTranslations) translations.clear()
  translations.set(text, translated)
  return translated
}

/**
 * Texts of PostgreSQL cannot contain U+0000. It is stored as an escape sequence of two private-use
 * characters, and so is the character that starts these sequences.
 */
const escapeCharacter = '\u{F0000}'
const escapedNul = `${escapeCharacter}\u{F0001}`
const escapedEscape = `${escapeCharacter}\u{F0002}`

function escapeNul(text: string): string {
  if (!text.includes('\0') && !text.includes(escapeCharacter)) return text
  return text.replaceAll(escapeCharacter, escapedEscape).replaceAll('\0', escapedNul)
}

/** Undoes `escapeNul` in all texts of a row, in place. */
function unescaped(row: Record<string, SqlValue>): Record<string, SqlValue> {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'string' && value.includes(escapeCharacter))
      setEntry(row, name, value.replaceAll(escapedNul, '\0').replaceAll(escapedEscape, escapeCharacter))
  }
  return row
}

/** Parses numeric types to numbers and BYTEA to Uint8Array. All other types stay text. */
function parserOf(type: number): (text: string) => unknown {
  if (type === pg.types.builtins.BYTEA) return bytes
  const { INT2, INT4, INT8, NUMERIC, FLOAT4, FLOAT8 } = pg.types.builtins
  const isNumber = ([INT2, INT4, INT8, NUMERIC, FLOAT4, FLOAT8] as readonly number[]).includes(type)
  return isNumber ? exactNumber : (text) => text
}

function exactNumber(text: string): number {
  const number = Number(text)
  if (/^-?\d+$/.test(text) && !Number.isSafeInteger(number))
    throw new RangeError('An integer of the database is larger than a number can hold.')
  return number
}

function bytes(text: string): Uint8Array {
  const buffer = Buffer.from(text.slice(2), 'hex') // '\x0aff'
  return new Uint8Array(buffer)
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code

/**
 * Error codes of the operating system, and SQLSTATE classes: 08 connection, 53 insufficient resources, 57
 * operator intervention, 58 system error. 55P03 is a lock that was not available in time.
 */
const unavailableCodes =
  /^(E(CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|08...|53...|57...|58...|55P03)$/
/** Errors of the driver, which have no code. */
const unavailableMessages =
  /^(Query read timeout|Connection terminated|timeout (exceeded|expired)|timeout exceeded when trying|Client has encountered a connection error)/

/** Whether the server cannot be reached or is overloaded, so that the same statement may succeed later. */
function isUnavailable(error: unknown): boolean {
  const { code, message = '' } = error as { code?: unknown; message?: string }
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  return typeof code === 'string' ? unavailableCodes.test(code) : unavailableMessages.test(message)
}

/** Runs `work` and throws its errors as those of `Sql`. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof UnansweredCommit)
      throw new AppError('storage.unanswered', {}, { cause: cause.cause })
    if (isUnavailable(cause)) throw new AppError('storage.unavailable', {}, { cause })
    const code = codeOf(cause) === uniqueViolation ? 'storage.conflict' : 'storage.records'
    throw new AppError(code, {}, { cause })
  }
}
