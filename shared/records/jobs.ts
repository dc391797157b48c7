import type { Sql, SqlValue } from '../ports/sql.ts'

/** The rows of `jobs`: asynchronous renders that have not been notified yet. */
export interface JobRow {
  readonly account: string
  readonly id: string
  readonly blob: string // the encrypted request
  readonly key: string // that opens it, hex
  readonly notice: string | null // JSON for the webhook; null while the render has not ended
  readonly createdAt: number // seconds
}

export async function saveJob(sql: Sql, row: JobRow): Promise<void> {
  await sql.batch([
    {
      text: 'INSERT INTO jobs (account, id, blob, key, notice, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)',
      values: [row.account, row.id, row.blob, row.key, row.notice, row.createdAt],
    },
  ])
}

export async function findJob(sql: Sql, account: string, id: string): Promise<JobRow | undefined> {
  const [row] = await sql.query({
    text: 'SELECT blob, key, notice, created_at FROM jobs WHERE account = ?1 AND id = ?2',
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
    createdAt: Number(row['created_at']),
  }
}

/** From here on only the notification is left to do. */
export async function endJob(sql: Sql, account: string, id: string, notice: string): Promise<void> {
  await sql.batch([
    { text: 'UPDATE jobs SET notice = ?3 WHERE account = ?1 AND id = ?2', values: [account, id, notice] },
  ])
}

export async function removeJob(sql: Sql, account: string, id: string): Promise<void> {
  await sql.batch([{ text: 'DELETE FROM jobs WHERE account = ?1 AND id = ?2', values: [account, id] }])
}

/** Jobs that no worker brought to an end. Their files are found by the orphan sweep. */
export async function removeJobsBefore(sql: Sql, cutoff: number): Promise<number> {
  const [changed] = await sql.batch([{ text: 'DELETE FROM jobs WHERE created_at < ?1', values: [cutoff] }])
  return changed ?? 0
}
