import pg from 'pg'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Log } from '../../shared/plugin/contract.ts'
import type { Sql, SqlValue, Statement } from '../../shared/ports/sql.ts'

export interface PostgresOptions {
  readonly log: Log
  /** Connections for reading, and as many again for writing. */
  readonly connections?: number
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const uniqueViolation = '23505'
/** Two transactions got in each other's way, also while creating one table: one of them is to begin again. */
const tryAgain: readonly unknown[] = ['40001', '40P01', '42P07', '42710']
const attempts = 25
const connectTimeoutMs = 5_000
/**
 * Times after which the server itself gives up a statement, its wait for a lock, and a transaction nobody goes on with;
 * `answerTimeoutMs` is ours, for a server that is frozen or cut off and says nothing at all.
 */
const [statementTimeoutMs, lockTimeoutMs, idleTransactionMs] = [5_000, 4_000, 15_000]
const answerTimeoutMs = 6_000
/** Tables are changed at a start, when nobody waits for an answer yet. */
const migrationTimeoutMs = 3_600_000

/**
 * Records in PostgreSQL, shared by any number of processes.
 *
 * What a batch reads decides what it writes, so batches are serializable and begin again when they collide: the same
 * promise that SQLite keeps by letting one writer in at a time. Queries stand for themselves and take what is
 * committed. Two pools, because the level is a property of the connection: a batch of one statement is one round trip.
 */
export function openPostgres(url: string, { log, connections = 10 }: PostgresOptions): Sql {
  const open = (session = '') => {
    const pool = new pg.Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: answerTimeoutMs,
      keepAlive: true,
      application_name: 'platen',
      // As statements, not as start-up parameters: poolers between us and the server know few of those.
      onConnect: async (client) => {
        await client.query(`SET statement_timeout = ${statementTimeoutMs}; SET lock_timeout = ${lockTimeoutMs};
          SET idle_in_transaction_session_timeout = ${idleTransactionMs}; ${session}`)
      },
      types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
    })
    // An idle connection that breaks is replaced at its next use.
    pool.on('error', (error) => log.warn('records.connection-lost', { error }))
    return pool
  }
  const reading = open()
  const writing = open('SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE')
  let closed: Promise<void> | undefined

  return {
    query: async <Row = Record<string, SqlValue>>(statement: Statement) =>
      guarded(async () => {
        const { rows } = await reading.query<Record<string, SqlValue>>(asked(statement))
        return rows.map(restored) as Row[]
      }),
    batch: (statements) => guarded(() => retried(() => writeAll(writing, statements))),
    close: () => {
      closed ??= Promise.all([reading.end(), writing.end()]).then(() => undefined)
      return closed
    },
  }
}

async function writeAll(pool: pg.Pool, statements: readonly Statement[]): Promise<readonly number[]> {
  const [only] = statements
  if (only === undefined) return []
  const isMigration = statements.some(({ text }) => changesTables.test(text))
  if (statements.length === 1 && !isMigration) return [(await pool.query(asked(only))).rowCount ?? 0]
  const client = await pool.connect()
  let broken = false
  try {
    await client.query('BEGIN')
    if (isMigration) await client.query('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0')
    const changed: number[] = []
    for (const statement of statements) {
      const query = isMigration
        ? { ...asked(statement), query_timeout: migrationTimeoutMs }
        : asked(statement)
      changed.push((await client.query(query)).rowCount ?? 0)
    }
    await client.query('COMMIT')
    return changed
  } catch (error) {
    // A connection that says nothing would not say more to this.
    broken = isAway(error)
    if (!broken)
      await client.query('ROLLBACK').catch(() => {
        broken = true
      })
    throw error
  } finally {
    client.release(broken)
  }
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attempts || !tryAgain.includes(codeOf(error))) throw error
      // Spread over a growing span: those that collided do not collide again in step.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4 * attempt))
    }
  }
}

const asked = ({ text, values }: Statement) => ({
  text: dialect(text),
  values: values.map((value) =>
    value instanceof Uint8Array
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      : typeof value === 'string'
        ? withoutNul(value)
        : value,
  ),
})

const changesTables = /^\s*(?:CREATE|ALTER|DROP)\b/i
const dialects = new Map<string, string>()
const dialectsAtMost = 1_000

/** `?1` is `$1` here; in tables bytes have another name and texts compare by code point, as they do in SQLite. */
function dialect(text: string): string {
  const known = dialects.get(text)
  if (known !== undefined) return known
  let made = text.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?(\d+)/g, (piece, number: string | undefined) =>
    number === undefined ? piece : `$${number}`,
  )
  if (/^\s*(?:CREATE|ALTER)\s+TABLE\b/i.test(text)) {
    made = made.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\b(?:TEXT|BLOB)\b/g, (piece) =>
      piece === 'TEXT' ? 'TEXT COLLATE "C"' : piece === 'BLOB' ? 'BYTEA' : piece,
    )
  }
  if (dialects.size >= dialectsAtMost) dialects.clear()
  dialects.set(text, made)
  return made
}

/** Texts here cannot hold U+0000: it travels as a pair of private characters, and so does their first. */
const mark = '\u{F0000}'
const nul = `${mark}\u{F0001}`
const itself = `${mark}\u{F0002}`

function withoutNul(text: string): string {
  if (!text.includes('\0') && !text.includes(mark)) return text
  return text.replaceAll(mark, itself).replaceAll('\0', nul)
}

function restored(row: Record<string, SqlValue>): Record<string, SqlValue> {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'string' && value.includes(mark))
      row[name] = value.replaceAll(nul, '\0').replaceAll(itself, mark)
  }
  return row
}

/** Numbers as numbers, bytes as plain arrays; whatever else there is, as text. */
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

/** Of the system, and classes of SQLSTATE: connection, resources, intervention of an operator, the server's system. */
const awayCodes =
  /^(E(CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|08...|53...|57...|58...|55P03)$/
/** The driver's own, which have no code. */
const awayMessages =
  /^(Query read timeout|Connection terminated|timeout (exceeded|expired)|timeout exceeded when trying|Client has encountered a connection error)/

/** Whether the server cannot be reached or has no room for us now, so that the same may succeed later. */
function isAway(error: unknown): boolean {
  const { code, message = '' } = error as { code?: unknown; message?: string }
  if (error instanceof AggregateError) return error.errors.some(isAway)
  return typeof code === 'string' ? awayCodes.test(code) : awayMessages.test(message)
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (isAway(cause)) throw new AppError('storage.unavailable', {}, { cause })
    const code = codeOf(cause) === uniqueViolation ? 'storage.conflict' : 'storage.records'
    throw new AppError(code, {}, { cause })
  }
}
