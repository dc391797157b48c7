import { AppError } from '../errors/app-error.ts'
import type { Sql, SqlValue } from '../ports/sql.ts'
import { batchHolding, dropHold, type KeyedAnswer, type KeyHold } from './idempotency-keys.ts'

/** The form of a render ID in a path (specification 2.5). */
const renderIdForm = /^[A-Za-z0-9_-]{16,512}(\.[A-Za-z0-9]{1,8})?$/

/** Returns a render ID unchanged. Throws 'api.id.invalid' when it is malformed. */
export function parseRenderId(text: string): string {
  if (!renderIdForm.test(text)) throw new AppError('api.id.invalid')
  return text
}

/**
 * A row of `renders`. A render id has 144 random bits and is itself the permission to download the file
 * without a token. Rows are therefore found by the id alone, and the account is read from the row.
 */
export interface RenderRow {
  readonly account: string
  readonly id: string
  readonly blob: string // key of the file
  readonly format: string // format id
  readonly name: string // without extension
  readonly size: number // bytes
  readonly digest: string // SHA-256 of the file, lower-case hex; '': unknown
  readonly createdAt: number // seconds
  readonly expireAt: number // seconds
}

const columns = 'account, id, blob, format, name, size, digest, created_at, expire_at'

function readRow(row: Record<string, SqlValue>): RenderRow {
  return {
    account: String(row['account']),
    id: String(row['id']),
    blob: String(row['blob']),
    format: String(row['format']),
    name: String(row['name']),
    size: Number(row['size']),
    digest: String(row['digest']),
    createdAt: Number(row['created_at']),
    expireAt: Number(row['expire_at']),
  }
}

/**
 * Inserts a row. A row of the same id is replaced, because a repeated attempt of a job stores under the same
 * id. The answer of a call with an idempotency key is kept in the same transaction. Throws 'api.key.running' when another call
 * has taken the key.
 */
export async function saveRender(sql: Sql, row: RenderRow, keyed?: KeyedAnswer): Promise<void> {
  await batchHolding(sql, keyed, [
    {
      text: `INSERT INTO renders (${columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT (id) DO UPDATE SET blob = excluded.blob, format = excluded.format, name = excluded.name,
          size = excluded.size, digest = excluded.digest, created_at = excluded.created_at, expire_at = excluded.expire_at`,
      values: [
        row.account,
        row.id,
        row.blob,
        row.format,
        row.name,
        row.size,
        row.digest,
        row.createdAt,
        row.expireAt,
      ],
    },
  ])
}

/** Finds a render that can be downloaded: it has neither expired nor been claimed. `now` is in seconds. */
export async function findRender(sql: Sql, id: string, now: number): Promise<RenderRow | undefined> {
  const [row] = await sql.query({
    text: `SELECT ${columns} FROM renders WHERE id = ?1 AND claimed_at IS NULL AND expire_at > ?2`,
    values: [id, now],
  })
  return row === undefined ? undefined : readRow(row)
}

/** Whether a row of that id exists, even if it is claimed or expired. */
export async function hasRender(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql.query({ text: 'SELECT 1 AS one FROM renders WHERE id = ?1', values: [id] })
  return rows.length > 0
}

/** Claims a render for its only download. Of several concurrent calls exactly one returns true. */
export async function claimRender(sql: Sql, id: string, now: number): Promise<boolean> {
  const [changed] = await sql.batch([
    {
      text: 'UPDATE renders SET claimed_at = ?2 WHERE id = ?1 AND claimed_at IS NULL AND expire_at > ?2',
      values: [id, now],
    },
  ])
  return changed === 1
}

/** Releases a claim after an interrupted transfer, so that the render can be downloaded again. */
export async function releaseRender(sql: Sql, id: string): Promise<void> {
  await sql.batch([{ text: 'UPDATE renders SET claimed_at = NULL WHERE id = ?1', values: [id] }])
}

/** Removes a row, and with `hold` the answer that a call with an idempotency key kept with it. */
export async function removeRender(sql: Sql, id: string, hold?: KeyHold): Promise<void> {
  const removal = { text: 'DELETE FROM renders WHERE id = ?1', values: [id] }
  await sql.batch(hold === undefined ? [removal] : [removal, dropHold(hold)])
}

/** The number of expired renders that wait for the sweep, counted up to `limit`. `now` is in seconds. */
export async function expiredRenders(sql: Sql, now: number, limit: number): Promise<number> {
  const [row] = await sql.query<{ expired: number }>({
    text: 'SELECT COUNT(*) AS expired FROM (SELECT 1 AS one FROM renders WHERE expire_at <= ?1 LIMIT ?2) AS some',
    values: [now, limit],
  })
  return Number(row?.expired ?? 0)
}

/**
 * Removes up to `limit` renders of all accounts that have expired, and returns the keys of their files. `now` is in
 * seconds.
 */
export async function removeExpiredRenders(sql: Sql, now: number, limit: number): Promise<readonly string[]> {
  const rows = await sql.query<{ blob: string }>({
    text: `DELETE FROM renders WHERE id IN (SELECT e.id FROM renders e WHERE e.expire_at <= ?1 LIMIT ?2)
      AND expire_at <= ?1 RETURNING blob`,
    values: [now, limit],
  })
  return rows.map(({ blob }) => blob)
}
