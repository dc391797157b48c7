/**
 * An asynchronous render from its acceptance to its end: the rules. The row in the records decides; a queue entry only
 * says that somebody should look at the row, and may be lost or doubled.
 *
 * | state of the row                | who moves it on                       | what is durable             |
 * |---------------------------------|---------------------------------------|-----------------------------|
 * | (none)                          | `queueRender`: file, then row         | nothing: not accepted yet   |
 * | queued                          | a worker begins (`beginJob`)          | request, webhook, credits   |
 * | merging, converting, storing    | its worker ends or releases it        | as above, `starts` counted  |
 * | notifying                       | a worker tells the webhook            | notice, refund of a failure |
 * | done, failed                    | the sweep removes the row a day later | how it ended                |
 *
 * | a crash between                 | leaves                                | and is mended by            |
 * |---------------------------------|---------------------------------------|-----------------------------|
 * | file and row                    | a file                                | the sweep of orphans        |
 * | row (with credits) and entry    | a row that nobody was told of         | the reconciler              |
 * | begin and end                   | `starts` one higher, `due_at` passes  | the next hand-out           |
 * | stored document and notice      | a document nobody knows of            | the next attempt: same id   |
 * | notice (with refund) and webhook| a row in `notifying`                  | the next hand-out           |
 * | webhook and closing             | a row in `notifying`                  | the same, with the same id  |
 * | closing and the entry's removal | an entry                              | the next hand-out: no work  |
 *
 * An attempt begins with the work, not when a queue hands the job out. It counts unless its worker lives to say that it
 * was not the document's fault: an outage of our stores, of all origins or engines, or too much to do. Then the job is
 * released and waits, for longer each time (`pauseBefore`), until its life is over. A job whose attempts ended
 * `maxStarts` times in the death of their worker, or in an error that nobody foresaw, is set aside with a failure notice.
 * A worker says every `renewSeconds` that it lives; nobody else begins before `holdSeconds` without that.
 */
import { AppError } from '../errors/app-error.ts'
import type { ErrorCode } from '../errors/catalogue.ts'

/** A render that could not be made for so long, in seconds, is told as failed. */
export const jobLifeSeconds = 86_400
/** Attempts that may end without an answer. */
export const maxStarts = 2
export const holdSeconds = 15
export const renewSeconds = 5
/** How long a job waits, in seconds after it was accepted, for an engine that does not start: it may be missing. */
const engineOutageSeconds = 600

/** Failures of the service, not of the render: they pass. */
const outages: readonly ErrorCode[] = [
  'api.stopping',
  'api.too-many',
  'convert.busy',
  'convert.disk',
  'origin.down',
  'storage.blobs',
  'storage.queue',
  'storage.records',
  'storage.unavailable',
]

/** Whether an attempt ended for something that passes, whatever words it was put in on the way. */
export function isOutage(error: unknown, ageSeconds = Number.POSITIVE_INFINITY): boolean {
  const found = causesOf(error).some(({ code }) => outages.includes(code))
  if (found || ageSeconds > engineOutageSeconds) return found
  return causesOf(error).some(({ code }) => code === 'convert.engine-off')
}

/** Whether nobody has said what went wrong. */
export function isUnforeseen(error: unknown): boolean {
  return causesOf(error).every(({ code }) => code === 'api.internal' || code === 'storage.conflict')
}

function causesOf(error: unknown): readonly AppError[] {
  const found: AppError[] = []
  for (let next = error; next instanceof Error && found.length < 20; next = next.cause)
    if (next instanceof AppError) found.push(next)
  return found
}
