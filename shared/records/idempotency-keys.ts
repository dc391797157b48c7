import type { Sql, Statement } from '../ports/sql.ts'

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
  readonly holder: string // '': the call has ended
  readonly expiresAt: number // seconds
}

/**
 * Takes the key for a call that runs until `until`, unless a call with it runs, has an answer, or has ended and not yet expired. Returns
 * whether it did, in one statement, so that of parallel calls exactly one runs.
 */
export async function takeKey(
  sql: Sql,
  { account, key, holder }: KeyHold,
  { now, until, expiresAt }: { readonly now: number; readonly until: number; readonly expiresAt: number },
): Promise<boolean> {
  const [changed] = await sql.batch([
    {
      text: `INSERT INTO idempotency_keys (account, key, holder, held_until, fingerprint, answer, blob, size, secret, expires_at)
        VALUES (?1, ?2, ?3, ?5, '', '', '', 0, '', ?6)
        ON CONFLICT (account, key) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until,
          expires_at = excluded.expires_at
        WHERE idempotency_keys.holder <> '' AND idempotency_keys.answer = '' AND idempotency_keys.held_until <= ?4`,
      values: [account, key, holder, now, until, expiresAt],
    },
  ])
  return changed === 1
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
      text: `UPDATE idempotency_keys SET holder = '', fingerprint = ?4, answer = ?5, blob = ?6, secret = ?7, size = ?8
        WHERE account = ?1 AND key = ?2 AND holder = ?3`,
      values: [account, key, holder, fingerprint, answer, blob, secret, size],
    },
  ])
  return changed === 1
}

/**
 * Gives a key the answer of a call that still runs, if that has inserted the job with this id in the same transaction. Others with
 * the key then get the answer, also when the process dies. `keepAnswer` may replace it.
 */
export function keepAcceptance({ hold, answer }: KeyedAnswer, jobId: string): Statement {
  return {
    text: `UPDATE idempotency_keys SET fingerprint = ?4, answer = ?5 WHERE account = ?1 AND key = ?2 AND holder = ?3
      AND EXISTS (SELECT 1 FROM jobs j WHERE j.account = ?1 AND j.id = ?6)`,
    values: [hold.account, hold.key, hold.holder, answer.fingerprint, answer.answer, jobId],
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
  const [row] = await sql.query<KeyRow & { expires_at: number }>({
    text: `SELECT holder, fingerprint, answer, blob, size, secret, expires_at FROM idempotency_keys
      WHERE account = ?1 AND key = ?2`,
    values: [account, key],
  })
  if (row === undefined) return undefined
  const { expires_at: expiresAt, ...rest } = row
  return { ...rest, size: Number(rest.size), expiresAt: Number(expiresAt) }
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
    text: `DELETE FROM idempotency_keys WHERE account = ?1 AND key = ?2 AND expires_at <= ?3
        AND (holder = '' OR answer <> '')
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
