import type { Sql, SqlValue } from '../ports/sql.ts'

/** The stages of an asynchronous render, in their order; one of the last two is its end. */
export const jobStates = [
  'queued',
  'merging',
  'converting',
  'storing',
  'notifying',
  'done',
  'failed',
] as const
export type JobState = (typeof jobStates)[number]

/** The rows of `jobs`: asynchronous renders, for a day. */
export interface JobRow {
  readonly account: string
  readonly id: string
  readonly blob: string // the encrypted request; '' once the job has ended
  readonly key: string // that opens it, hex; '' once the job has ended
  readonly notice: string | null // JSON for the webhook; null while the render has not ended
  readonly state: JobState
  readonly createdAt: number // seconds
  readonly endedAt: number | null // seconds
}

export async function saveJob(sql: Sql, row: JobRow): Promise<void> {
  await sql.batch([
    {
      text: `INSERT INTO jobs (account, id, blob, key, notice, state, created_at, ended_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
      values: [row.account, row.id, row.blob, row.key, row.notice, row.state, row.createdAt, row.endedAt],
    },
  ])
}

export async function findJob(sql: Sql, account: string, id: string): Promise<JobRow | undefined> {
  const [row] = await sql.query({
    text: 'SELECT blob, key, notice, state, created_at, ended_at FROM jobs WHERE account = ?1 AND id = ?2',
    values: [account, id],
  })
  return row === undefined ? undefined : readRow(account, id, row)
}

function readRow(account: string, id: string, row: Record<string, SqlValue>): JobRow {
  return {
    account,
    id,
    blob: String(row['blob']),
    key: String(row['key']),
    notice: row['notice'] === null ? null : String(row['notice']),
    state: jobStates.find((state) => state === row['state']) ?? 'queued',
    createdAt: Number(row['created_at']),
    endedAt: row['ended_at'] === null ? null : Number(row['ended_at']),
  }
}

/** Says how far the render is. Nothing happens when it has ended or was cancelled. */
export async function markJob(sql: Sql, account: string, id: string, state: JobState): Promise<void> {
  await sql.batch([
    {
      text: 'UPDATE jobs SET state = ?3 WHERE account = ?1 AND id = ?2 AND notice IS NULL',
      values: [account, id, state],
    },
  ])
}

/** From here on only the notification is left to do. False when another has ended the render before. */
export async function endJob(sql: Sql, account: string, id: string, notice: string): Promise<boolean> {
  const [changed] = await sql.batch([
    {
      text: `UPDATE jobs SET notice = ?3, state = 'notifying' WHERE account = ?1 AND id = ?2 AND notice IS NULL`,
      values: [account, id, notice],
    },
  ])
  return changed === 1
}

/** Nothing is left to do. With the key goes what could open the request. */
export async function closeJob(
  sql: Sql,
  account: string,
  id: string,
  end: { readonly state: 'done' | 'failed'; readonly at: number },
): Promise<void> {
  await sql.batch([
    {
      text: `UPDATE jobs SET state = ?3, ended_at = ?4, blob = '', key = '' WHERE account = ?1 AND id = ?2`,
      values: [account, id, end.state, end.at],
    },
  ])
}

export async function removeJob(sql: Sql, account: string, id: string): Promise<void> {
  await sql.batch([{ text: 'DELETE FROM jobs WHERE account = ?1 AND id = ?2', values: [account, id] }])
}

/** Jobs of the past, and those that no worker brought to an end: their files are found by the orphan sweep. */
export async function removeJobsBefore(sql: Sql, cutoff: number): Promise<number> {
  const [changed] = await sql.batch([{ text: 'DELETE FROM jobs WHERE created_at < ?1', values: [cutoff] }])
  return changed ?? 0
}
