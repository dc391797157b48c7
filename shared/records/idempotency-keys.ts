import { AppError } from '../errors/app-error.ts'
import type { Sql, SqlValue, Statement } from '../ports/sql.ts'

/** Names one call that has a key. */
export interface KeyRef {
  readonly account: string
  readonly key: string // SHA-256 of the operation and the caller's key, hex
}

export interface KeyHold extends KeyRef {
  readonly holder: string // random id of the call that runs
}

/** A call that has ended, as others with its key find it. */
export interface KeptAnswer {
  readonly fingerprint: string
  readonly answer: string // JSON
  readonly blob: string // key of the encrypted body; ''
  readonly size: number // bytes of the body; 0
  readonly secret: string // hex; ''
}

/** An answer that a running call keeps, without a file. */
export interface KeyedAnswer {
  readonly hold: KeyHold
  readonly answer: Pick<KeptAnswer, 'fingerprint' | 'answer'>
}

export interface KeyRow extends KeptAnswer {
  readonly holder: string // of the call that runs, or that has given the answer
  readonly heldUntil: number // seconds; after it another call may take the key, unless there is an answer
  readonly expiresAt: number // seconds
}

/**
 * Takes the key for a call that runs until `until`, unless another call with it runs or has an answer. Returns whether it did, in
 * one statement that returns the row which it wrote, so that of parallel calls exactly one runs. A hold only saves double
 * work: clocks differ and answers of a database are late, so what a call makes is fenced by `batchHolding`.
 */
export async function takeKey(
  sql: Sql,
  { account, key, holder }: KeyHold,
  { now, until, expiresAt }: { readonly now: number; readonly until: number; readonly expiresAt: number },
): Promise<boolean> {
  const [taken] = await sql.query<{ holder: string }>({
    text: `INSERT INTO idempotency_keys (account, key, holder, held_until, fingerprint, answer, blob, size, secret, expires_at)
      VALUES (?1, ?2, ?3, ?5, '', '', '', 0, '', ?6)
      ON CONFLICT (account, key) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until,
        expires_at = excluded.expires_at
      WHERE idempotency_keys.answer = '' AND idempotency_keys.held_until <= ?4
      RETURNING holder`,
    values: [account, key, holder, now, until, expiresAt],
  })
  return taken?.holder === holder
}

/** Holds the key longer. Returns false when another call has taken it. */
export async function renewKey(sql: Sql, { account, key, holder }: KeyHold, until: number): Promise<boolean> {
  const [changed] = await sql.batch([
    {
      text: 'UPDATE idempotency_keys SET held_until = ?4 WHERE account = ?1 AND key = ?2 AND holder = ?3',
      values: [account, key, holder, until],
    },
  ])
  return changed === 1
}

/** Keeps the answer of a call that has ended. Returns false when another call has taken the key. */
export async function keepAnswer(
  sql: Sql,
  { account, key, holder }: KeyHold,
  { fingerprint, answer, blob, size, secret }: KeptAnswer,
): Promise<boolean> {
  const [changed] = await sql.batch([
    {
      text: `UPDATE idempotency_keys SET fingerprint = ?4, answer = ?5, blob = ?6, secret = ?7, size = ?8
        WHERE account = ?1 AND key = ?2 AND holder = ?3`,
      values: [account, key, holder, fingerprint, answer, blob, secret, size],
    },
  ])
  return changed === 1
}

/**
 * Runs statements of a call with a key in one transaction, in which the call keeps its answer, where `when` holds. They take
 * effect only if the call still holds its key, so that of two calls that both take themselves for the holder one makes
 * something. Others with the key then get the answer, also when the process dies; `keepAnswer` may replace it. Returns the
 * number of rows that each of `statements` changed. Throws 'api.key.running' when another call has taken the key.
 */
export async function batchHolding(
  sql: Sql,
  keyed: KeyedAnswer | undefined,
  statements: readonly Statement[],
  when?: (bind: (value: SqlValue) => string) => string,
): Promise<readonly number[]> {
  if (keyed === undefined) return sql.batch(statements)
  try {
    const changed = await sql.batch([mustHold(keyed.hold), ...statements, textAnswer(keyed, when)])
    return changed.slice(1, -1)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'storage.conflict') throw error
    throw new AppError('api.key.running', {}, { cause: error })
  }
}

/**
 * A statement that fails, and with it its transaction, unless the call holds its key. SQLite and PostgreSQL have no common
 * statement that only fails, so this one inserts two equal rows: a violation of the primary key.
 */
function mustHold({ account, key, holder }: KeyHold): Statement {
  return {
    text: `INSERT INTO idempotency_keys (account, key, holder, held_until, fingerprint, answer, blob, size, secret, expires_at)
      SELECT CAST(?1 AS TEXT), CAST(?2 AS TEXT), '', 0, '', '', '', 0, '', 0 FROM (VALUES (1), (2)) AS twice
      WHERE NOT EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.account = ?1 AND k.key = ?2 AND k.holder = ?3)`,
    values: [account, key, holder],
  }
}

function textAnswer(
  { hold, answer }: KeyedAnswer,
  when: ((bind: (value: SqlValue) => string) => string) | undefined,
): Statement {
  const values: SqlValue[] = [hold.account, hold.key, hold.holder, answer.fingerprint, answer.answer]
  const condition = when === undefined ? '' : ` AND ${when((value) => `?${values.push(value)}`)}`
  return {
    text: `UPDATE idempotency_keys SET fingerprint = ?4, answer = ?5
      WHERE account = ?1 AND key = ?2 AND holder = ?3${condition}`,
    values,
  }
}

/**
 * A statement that takes the key away from a call, with its answer. What this call wrote before must be removed in the same
 * transaction; what it still writes with `batchHolding` has no effect.
 */
export function dropHold({ account, key, holder }: KeyHold): Statement {
  return {
    text: 'DELETE FROM idempotency_keys WHERE account = ?1 AND key = ?2 AND holder = ?3',
    values: [account, key, holder],
  }
}

/** Frees the key of a call that made nothing. */
export async function freeKey(sql: Sql, { account, key, holder }: KeyHold): Promise<void> {
  await sql.batch([
    {
      text: `DELETE FROM idempotency_keys WHERE account = ?1 AND key = ?2 AND holder = ?3 AND answer = ''`,
      values: [account, key, holder],
    },
  ])
}

export async function findKey(sql: Sql, { account, key }: KeyRef): Promise<KeyRow | undefined> {
  const [row] = await sql.query<KeyRow & { held_until: number; expires_at: number }>({
    text: `SELECT holder, held_until, fingerprint, answer, blob, size, secret, expires_at FROM idempotency_keys
      WHERE account = ?1 AND key = ?2`,
    values: [account, key],
  })
  if (row === undefined) return undefined
  const { held_until: heldUntil, expires_at: expiresAt, ...rest } = row
  return {
    ...rest,
    size: Number(rest.size),
    heldUntil: Number(heldUntil),
    expiresAt: Number(expiresAt),
  }
}

/** The bytes of all files that are kept for an account. */
export async function keptBytes(sql: Sql, account: string): Promise<number> {
  const [row] = await sql.query<{ total: number | string | null }>({
    text: 'SELECT SUM(size) AS total FROM idempotency_keys WHERE account = ?1 AND size > 0',
    values: [account],
  })
  return Number(row?.total ?? 0)
}

/** Removes a key that has expired, so that the next call runs. Returns the keys of files to delete. */
export async function removeExpiredKey(
  sql: Sql,
  { account, key }: KeyRef,
  now: number,
): Promise<readonly string[]> {
  const rows = await sql.query<{ blob: string }>({
    text: `DELETE FROM idempotency_keys WHERE account = ?1 AND key = ?2 AND expires_at <= ?3 AND answer <> ''
      RETURNING blob`,
    values: [account, key, now],
  })
  return rows.map(({ blob }) => blob)
}

/** Removes up to `limit` expired keys of all accounts. Returns for each the key of its file, or ''. */
export async function removeExpiredKeys(sql: Sql, now: number, limit: number): Promise<readonly string[]> {
  const rows = await sql.query<{ blob: string }>({
    text: `DELETE FROM idempotency_keys WHERE (account, key) IN
      (SELECT account, key FROM idempotency_keys WHERE expires_at <= ?1 ORDER BY expires_at LIMIT CAST(?2 AS BIGINT))
      RETURNING blob`,
    values: [now, limit],
  })
  return rows.map(({ blob }) => blob)
}
