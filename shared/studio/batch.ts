import type { JobState } from './model/client.ts'
import { outputName } from './model/options.ts'
import type { Session } from './session.ts'

/** The actions of a session on a batch: many documents of the open template, made as a job of the service. */

export interface BatchRequest {
  readonly data: unknown
  readonly splitBy: string
  readonly reportName: string // '' for numbers
  /** One PDF of all documents instead of a zip. */
  readonly joined: boolean
  /** Makes the other documents where one fails, and lists the failures in the zip. */
  readonly continues: boolean
}

/** Starts a batch, and follows its progress until it has ended. */
export async function startBatch(session: Session, request: BatchRequest): Promise<void> {
  const template = session.openFile64()
  const options = session.currentRequest()
  if (template === undefined || options === undefined || session.state.batch.kind === 'running') return
  const { generation } = session
  const stop = new AbortController()
  const show = (report: JobState | undefined, jobId: string | undefined) => {
    const { total = 0, done = 0, failed = 0 } = report?.progress ?? {}
    session.change({ batch: { kind: 'running', jobId, total, done, failed, stop } })
  }
  show(undefined, undefined)
  try {
    const jobId = await session.client.startJob(bodyOf(template, options, request), stop.signal)
    const report = await session.client.jobEnd(jobId, (now) => show(now, jobId), stop.signal)
    if (report.renderId === undefined) throw new Error(report.error ?? 'The batch was not made.')
    const file = await session.client.rendered(report.renderId, stop.signal)
    const { done = 0, failed = 0 } = report.progress ?? {}
    if (generation === session.generation) session.change({ batch: { kind: 'done', file, done, failed } })
  } catch (error) {
    if (generation !== session.generation) return
    const message = stop.signal.aborted ? 'The batch was cancelled.' : session.failed(error).message
    session.change({ batch: { kind: 'failed', message } })
  }
}

/** Cancels the batch that runs; what it made so far is discarded. */
export async function cancelBatch(session: Session): Promise<void> {
  const { batch } = session.state
  if (batch.kind !== 'running') return
  batch.stop.abort()
  // A job that ended in the meantime cannot be cancelled.
  if (batch.jobId !== undefined) await session.client.cancelJob(batch.jobId).catch(() => undefined)
}

/** Whether the documents can be joined: they become PDFs. */
export const canJoin = (session: Session): boolean => outputName(session.state.options) === 'pdf'

function bodyOf(
  template: string,
  options: Readonly<Record<string, unknown>>,
  { data, splitBy, reportName, joined, continues }: BatchRequest,
): Readonly<Record<string, unknown>> {
  return {
    ...options,
    data,
    template,
    batchSplitBy: splitBy,
    ...(joined ? { batchOutput: 'pdf' } : { batchOutput: 'zip' }),
    ...(reportName !== '' && !joined && { batchReportName: reportName }),
    ...(continues && { batchOnError: 'report' }),
  }
}
