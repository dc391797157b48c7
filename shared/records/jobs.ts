import type { Sql, SqlValue, Statement } from '../ports/sql.ts'
import { affordable, takeAffordable } from './accounts.ts'
import { batchHolding, type KeyedAnswer } from './idempotency-keys.ts'

/** The states of an asynchronous render in their order. It ends in one of the last two. */
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

/** A row of `jobs`. The rules for its states are in `shared/jobs/job-states.ts`. */
export interface JobRow {
  readonly account: string
  readonly id: string
  readonly blob: string // key of the encrypted request; '' once the job has ended
  readonly key: string // decrypts the request, hex; '' once the job has ended
  readonly webhook: string // JSON of a `WebhookTarget`, 'null' for none; '' in rows that ended before it was kept
  readonly notice: string | null // JSON for the webhook; null while the render has not ended
  readonly state: JobState
  readonly starts: number // counted attempts, the running one included
  readonly worker: string // random id of the worker that holds the job; '': none
  readonly dueAt: number // seconds; until then the job is held or waits on purpose, later it is overdue
  readonly credits: number // charged; refunded if the job fails
  readonly creditsMonth: string // in which they were charged, such as 2026-11; '': none were
  readonly createdAt: number // seconds
  readonly endedAt: number | null // seconds
  readonly lastCall: WebhookCall | undefined // of the webhook; undefined: not called
  readonly progress: JobProgress | undefined // of a batch of which something has been made
}

/** How far a batch is, in documents. */
export interface JobProgress {
  readonly total: number
  readonly done: number
  readonly failed: number
}

/** A call of a webhook. */
export interface WebhookCall {
  readonly delivered: boolean
  readonly status: string // '204', or the code of the error that prevented an answer
  readonly calledAt: number // seconds
}

const columns =
  'account, id, blob, key, webhook, notice, state, starts, worker, due_at, credits, credits_month, created_at, ended_at, ' +
  'webhook_delivered, webhook_status, webhook_called_at, items_total, items_done, items_failed'

export type NewJob = Pick<
  JobRow,
  'account' | 'id' | 'blob' | 'key' | 'webhook' | 'credits' | 'creditsMonth' | 'createdAt'
>

/**
 * Accepts a job: inserts its row, charges its credits and keeps the answer of a call with an idempotency key, all or
 * nothing. Returns false when the account cannot pay. Throws 'api.key.running' when another call has taken the key.
 */
export async function saveJob(sql: Sql, job: NewJob, keyed?: KeyedAnswer): Promise<boolean> {
  const { account, id, blob, key, webhook, credits, creditsMonth, createdAt } = job
  const isPaid = credits > 0
  const insertion: Statement = {
    text: `INSERT INTO jobs (account, id, blob, key, webhook, state, due_at, created_at, credits, credits_month)
      SELECT CAST(?1 AS TEXT), CAST(?4 AS TEXT), CAST(?5 AS TEXT), CAST(?6 AS TEXT), CAST(?7 AS TEXT), 'queued',
        CAST(?8 AS BIGINT), CAST(?8 AS BIGINT), CAST(?3 AS BIGINT), CAST(?2 AS TEXT)
      ${isPaid ? `FROM accounts a WHERE a.name = ?1 AND ${affordable}` : ''}`,
    values: [account, creditsMonth, credits, id, blob, key, webhook, createdAt],
  }
  const payment: Statement = {
    text: takeAffordable('AND EXISTS (SELECT 1 FROM jobs j WHERE j.account = ?1 AND j.id = ?4)'),
    values: [account, creditsMonth, credits, id],
  }
  const [saved] = await batchHolding(
    sql,
    keyed,
    isPaid ? [insertion, payment] : [insertion],
    (bind) => `EXISTS (SELECT 1 FROM jobs j WHERE j.account = ?1 AND j.id = ${bind(id)})`,
  )
  return saved === 1
}

/**
 * Charges a job whose price is known only after the render. Returns false when the account cannot pay, the
 * job has been charged already, or the render has ended. The first statement writes the price as a negative
 * number. This links the statements of the transaction: the second charges only if the first has changed the
 * row, the third makes it positive.
 */
export async function chargeJob(
  sql: Sql,
  { account, id }: Pick<JobRow, 'account' | 'id'>,
  { credits, month }: { readonly credits: number; readonly month: string },
): Promise<boolean> {
  const [charged] = await sql.batch([
    {
      text: `UPDATE jobs SET credits = 0 - CAST(?3 AS BIGINT), credits_month = CAST(?2 AS TEXT)
        WHERE account = ?1 AND id = ?4 AND credits = 0 AND notice IS NULL
          AND EXISTS (SELECT 1 FROM accounts a WHERE a.name = ?1 AND ${affordable})`,
      values: [account, month, credits, id],
    },
    {
      text: takeAffordable(
        'AND EXISTS (SELECT 1 FROM jobs j WHERE j.account = ?1 AND j.id = ?4 AND j.credits < 0)',
      ),
      values: [account, month, credits, id],
    },
    {
      text: 'UPDATE jobs SET credits = 0 - credits WHERE account = ?1 AND id = ?2 AND credits < 0',
      values: [account, id],
    },
  ])
  return charged === 1
}

export async function findJob(sql: Sql, account: string, id: string): Promise<JobRow | undefined> {
  const [row] = await sql.query({
    text: `SELECT ${columns} FROM jobs WHERE account = ?1 AND id = ?2`,
    values: [account, id],
  })
  return row === undefined ? undefined : readRow(row)
}

function readRow(row: Record<string, SqlValue>): JobRow {
  return {
    account: String(row['account']),
    id: String(row['id']),
    blob: String(row['blob']),
    key: String(row['key']),
    webhook: String(row['webhook']),
    notice: row['notice'] === null ? null : String(row['notice']),
    state: jobStates.find((state) => state === row['state']) ?? 'queued',
    starts: Number(row['starts']),
    worker: String(row['worker']),
    dueAt: Number(row['due_at']),
    credits: Number(row['credits']),
    creditsMonth: String(row['credits_month']),
    createdAt: Number(row['created_at']),
    endedAt: row['ended_at'] === null ? null : Number(row['ended_at']),
    lastCall:
      row['webhook_delivered'] === null
        ? undefined
        : {
            delivered: Number(row['webhook_delivered']) === 1,
            status: String(row['webhook_status']),
            calledAt: Number(row['webhook_called_at']),
          },
    progress:
      row['items_total'] === null
        ? undefined
        : {
            total: Number(row['items_total']),
            done: Number(row['items_done']),
            failed: Number(row['items_failed']),
          },
  }
}

/** SQL: the number of jobs of account ?1 that are being rendered at the time ?4. */
const running = `SELECT COUNT(*) FROM jobs r
  WHERE r.account = ?1 AND r.due_at > ?4 AND r.worker <> '' AND r.notice IS NULL AND r.ended_at IS NULL`

/** A job together with the worker that holds it or tries to. */
export interface Hold {
  readonly account: string
  readonly id: string
  readonly worker: string
}

/**
 * Begins an attempt for a worker and returns the number of counted attempts. The worker holds the job until
 * `until`. Returns undefined when the render has ended, when another worker holds the job, when `maxStarts`
 * attempts have been counted, or when `maxRunning` jobs of the account run, on whatever host. Times are in
 * seconds.
 */
export async function beginJob(
  sql: Sql,
  { account, id, worker }: Hold,
  {
    now,
    until,
    maxStarts,
    maxRunning,
  }: {
    readonly now: number
    readonly until: number
    readonly maxStarts: number
    readonly maxRunning?: number | undefined
  },
): Promise<number | undefined> {
  const [row] = await sql.query({
    text: `UPDATE jobs SET worker = ?3, due_at = ?5, starts = starts + 1, state = 'merging'
      WHERE account = ?1 AND id = ?2 AND notice IS NULL AND starts < ?6 AND (worker = '' OR due_at <= ?4)
        ${maxRunning === undefined ? '' : `AND (${running}) < ?7`}
      RETURNING starts`,
    values: [account, id, worker, now, until, maxStarts, ...(maxRunning === undefined ? [] : [maxRunning])],
  })
  return row === undefined ? undefined : Number(row['starts'])
}

/**
 * Takes hold of a job whose render has ended, to call its webhook. Returns false when the job has ended or
 * another worker holds it. Times are in seconds.
 */
export async function takeNotice(
  sql: Sql,
  { account, id, worker }: Hold,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<boolean> {
  const [changed] = await sql.batch([
    {
      text: `UPDATE jobs SET worker = ?3, due_at = ?5 WHERE account = ?1 AND id = ?2 AND notice IS NOT NULL
        AND ended_at IS NULL AND (worker = '' OR worker = ?3 OR due_at <= ?4)`,
      values: [account, id, worker, now, until],
    },
  ])
  return changed === 1
}

/**
 * Renews the hold of a worker until a time in seconds. Returns false when the worker no longer holds the job.
 */
export async function renewJob(sql: Sql, { account, id, worker }: Hold, until: number): Promise<boolean> {
  const [changed] = await sql.batch([
    {
      text: `UPDATE jobs SET due_at = ?4 WHERE account = ?1 AND id = ?2 AND worker = ?3 AND ended_at IS NULL`,
      values: [account, id, worker, until],
    },
  ])
  return changed === 1
}

/**
 * Releases a job that will be tried again at `dueAt`, in seconds. `counts` is whether the attempt stays
 * counted. A second call changes nothing, so the call can be repeated when its answer was lost.
 */
export async function releaseJob(
  sql: Sql,
  { account, id, worker }: Hold,
  { dueAt, counts }: { readonly dueAt: number; readonly counts: boolean },
): Promise<void> {
  await sql.batch([
    {
      text: `UPDATE jobs SET worker = '', due_at = ?4, starts = starts - ?5, state = 'queued'
        WHERE account = ?1 AND id = ?2 AND worker = ?3 AND notice IS NULL`,
      values: [account, id, worker, dueAt, counts ? 0 : 1],
    },
  ])
}

/**
 * Records the stage of a render. Nothing happens when the render has ended or another worker holds the job.
 */
export async function markJob(sql: Sql, hold: Hold, state: JobState): Promise<void> {
  await sql.batch([
    {
      text: `UPDATE jobs SET state = ?4 WHERE account = ?1 AND id = ?2 AND worker = ?3 AND notice IS NULL`,
      values: [hold.account, hold.id, hold.worker, state],
    },
  ])
}

/** Records how far the batch of a job is, as `markJob` records its stage. */
export async function saveProgress(
  sql: Sql,
  { account, id, worker }: Hold,
  { total, done, failed }: JobProgress,
): Promise<void> {
  await sql.batch([
    {
      text: `UPDATE jobs SET items_total = ?4, items_done = ?5, items_failed = ?6
        WHERE account = ?1 AND id = ?2 AND worker = ?3 AND notice IS NULL`,
      values: [account, id, worker, total, done, failed],
    },
  ])
}

/**
 * Records the outcome of a render; only its webhook remains to be called. A failure refunds the credits in
 * the same transaction. Returns false when the render has ended already.
 */
export async function endJob(
  sql: Sql,
  { account, id }: Pick<JobRow, 'account' | 'id'>,
  { notice, success }: { readonly notice: string; readonly success: boolean },
): Promise<boolean> {
  const end: Statement = {
    text: `UPDATE jobs SET notice = ?3, state = 'notifying' WHERE account = ?1 AND id = ?2 AND notice IS NULL`,
    values: [account, id, notice],
  }
  if (success) return (await sql.batch([end]))[0] === 1
  return (await sql.batch([refundStatement({ account, id }), end]))[1] === 1
}

/** Refunds the credits of a job, unless its outcome is recorded. */
function refundStatement({ account, id }: Pick<JobRow, 'account' | 'id'>): Statement {
  const job = '(SELECT j.credits FROM jobs j WHERE j.account = ?1 AND j.id = ?2)'
  const chargedMonth = `SELECT j.credits_month FROM jobs j
    WHERE j.account = ?1 AND j.id = ?2 AND j.notice IS NULL AND j.credits > 0`
  return {
    text: `UPDATE account_credits SET used = CASE WHEN used > ${job} THEN used - ${job} ELSE 0 END
      WHERE account = ?1 AND month IN (${chargedMonth})`,
    values: [account, id],
  }
}

/**
 * Ends a job of which it is not known whether its row was written, or still will be: with the notice of a failure, without a
 * call of its webhook. Credits are refunded if the row exists. If it does not, an ended row takes its id, so that a
 * delayed insertion violates the primary key and has no effect. Returns false when the render has ended already.
 */
export async function withdrawJob(
  sql: Sql,
  { account, id }: Pick<JobRow, 'account' | 'id'>,
  { notice, at }: { readonly notice: string; readonly at: number },
): Promise<boolean> {
  const [, ended, inserted] = await sql.batch([
    refundStatement({ account, id }),
    {
      text: `UPDATE jobs SET notice = ?3, state = 'failed', ended_at = ?4, blob = '', key = '', worker = ''
        WHERE account = ?1 AND id = ?2 AND notice IS NULL`,
      values: [account, id, notice, at],
    },
    {
      text: `INSERT INTO jobs (account, id, blob, key, webhook, notice, state, due_at, created_at, ended_at)
        VALUES (?1, ?2, '', '', 'null', ?3, 'failed', ?4, ?4, ?4) ON CONFLICT (account, id) DO NOTHING`,
      values: [account, id, notice, at],
    },
  ])
  return ended === 1 || inserted === 1
}

/**
 * Closes a job whose webhook has been called, with that call. Its key is erased, so that the request can no longer be
 * decrypted. The webhook stays for calls that are repeated.
 */
export async function closeJob(
  sql: Sql,
  { account, id }: Pick<JobRow, 'account' | 'id'>,
  end: { readonly state: 'done' | 'failed'; readonly at: number; readonly call?: WebhookCall | undefined },
): Promise<void> {
  await sql.batch([
    {
      text: `UPDATE jobs SET state = ?3, ended_at = ?4, blob = '', key = '', worker = ''
        WHERE account = ?1 AND id = ?2`,
      values: [account, id, end.state, end.at],
    },
    ...(end.call === undefined ? [] : [callStatement({ account, id }, end.call)]),
  ])
}

/** Records the last call of a job's webhook. */
export async function saveWebhookCall(
  sql: Sql,
  job: Pick<JobRow, 'account' | 'id'>,
  call: WebhookCall,
): Promise<void> {
  await sql.batch([callStatement(job, call)])
}

function callStatement(
  { account, id }: Pick<JobRow, 'account' | 'id'>,
  { delivered, status, calledAt }: WebhookCall,
): Statement {
  return {
    text: `UPDATE jobs SET webhook_delivered = ?3, webhook_status = ?4, webhook_called_at = ?5
      WHERE account = ?1 AND id = ?2`,
    values: [account, id, delivered ? 1 : 0, status, calledAt],
  }
}

export interface JobFilter {
  readonly limit: number
  /** Restricts the list to jobs whose last call was delivered, or was not. */
  readonly delivered?: boolean | undefined
  /** The last job of the page before. */
  readonly after?: Pick<JobRow, 'createdAt' | 'id'> | undefined
}

/** The jobs of an account, the newest first. */
export async function listJobs(sql: Sql, account: string, filter: JobFilter): Promise<readonly JobRow[]> {
  const { limit, delivered, after } = filter
  const values: SqlValue[] = [account]
  const bind = (value: SqlValue) => `?${values.push(value)}`
  const conditions = ['account = ?1']
  if (delivered !== undefined) conditions.push(`webhook_delivered = ${bind(delivered ? 1 : 0)}`)
  if (after !== undefined) {
    const createdAt = bind(after.createdAt)
    conditions.push(`created_at <= ${createdAt}`, `(created_at < ${createdAt} OR id > ${bind(after.id)})`)
  }
  const rows = await sql.query({
    text: `SELECT ${columns} FROM jobs WHERE ${conditions.join(' AND ')}
      ORDER BY created_at DESC, id LIMIT ${bind(limit)}`,
    values,
  })
  return rows.map(readRow)
}

/** Finds jobs that have not ended and were due before a time in seconds, the longest overdue first. */
export async function findOverdueJobs(sql: Sql, before: number, limit: number): Promise<readonly JobRow[]> {
  const rows = await sql.query({
    text: `SELECT ${columns} FROM jobs WHERE ended_at IS NULL AND due_at < ?1 ORDER BY due_at LIMIT ?2`,
    values: [before, limit],
  })
  return rows.map(readRow)
}

/** The number of jobs that have not ended, and when the oldest of them was accepted, in seconds. */
export async function openJobs(
  sql: Sql,
): Promise<{ readonly count: number; readonly oldest: number | undefined }> {
  const [row] = await sql.query<{ jobs: number; oldest: number | null }>({
    text: 'SELECT COUNT(*) AS jobs, MIN(created_at) AS oldest FROM jobs WHERE ended_at IS NULL',
    values: [],
  })
  const oldest = row?.oldest ?? undefined
  return { count: Number(row?.jobs ?? 0), oldest: oldest === undefined ? undefined : Number(oldest) }
}

/** Makes a job due now. Of several processes that found the same overdue job, one gets true. */
export async function takeOverdueJob(
  sql: Sql,
  { account, id, dueAt }: Pick<JobRow, 'account' | 'id' | 'dueAt'>,
  now: number,
): Promise<boolean> {
  const [changed] = await sql.batch([
    {
      text: `UPDATE jobs SET due_at = ?4 WHERE account = ?1 AND id = ?2 AND due_at = ?3 AND ended_at IS NULL`,
      values: [account, id, dueAt, now],
    },
  ])
  return changed === 1
}

/** Removes jobs that ended before `cutoff`, in seconds. Returns their number. */
export async function removeJobsBefore(sql: Sql, cutoff: number): Promise<number> {
  const [changed] = await sql.batch([
    { text: 'DELETE FROM jobs WHERE created_at < ?1 AND ended_at < ?1', values: [cutoff] },
  ])
  return changed ?? 0
}
