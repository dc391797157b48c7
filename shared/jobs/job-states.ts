/**
 * The rules by which an asynchronous render goes from its acceptance to its end. The row in the database
 * decides. A queue entry only causes a worker to read the row, so an entry may be lost or delivered twice.
 *
 * | state of the row                | what moves it on                        | what is durable             |
 * |---------------------------------|-----------------------------------------|-----------------------------|
 * | (none)                          | `queueRender` writes file, then row     | nothing: not accepted yet   |
 * | queued                          | a worker begins (`beginJob`)            | request, webhook, credits   |
 * | merging, converting, storing    | its worker ends or releases it          | as above, `starts` counted  |
 * | notifying                       | a worker calls the webhook              | notice, refund of a failure |
 * | done, failed                    | the cleanup removes the row a day later | the outcome                 |
 *
 * | a crash between                 | leaves                                  | which is repaired by        |
 * |---------------------------------|-----------------------------------------|-----------------------------|
 * | file and row                    | a file                                  | the cleanup of orphans      |
 * | row and the answer to it        | a refused caller, perhaps with a row    | `withdrawAcceptance`        |
 * | row (with credits) and entry    | a row without a queue entry             | `reconcileJobs`             |
 * | begin and end                   | `starts` one higher, `due_at` passes    | the next delivery           |
 * | stored document and notice      | a document whose id was never reported  | the next attempt: same id   |
 * | notice (with refund) and webhook| a row in `notifying`                    | the next delivery           |
 * | webhook and closing             | a row in `notifying`                    | a second call with same id  |
 * | closing and the entry's removal | an entry                                | the next delivery: no work  |
 *
 * A file store that is away when a file should go is asked again until it answers (`discardFile`); a crash before that leaves
 * the file to the cleanup of orphans.
 *
 * An attempt begins when a worker starts to render, not when a queue delivers the job. Every attempt counts,
 * except one whose worker survives and finds that the document was not the cause: an outage of the stores, of
 * all origins or engines, or an overload. The job is then released and waits, longer each time
 * (`pauseBefore`), until it is `jobLifeSeconds` old. A job is given up with a failure notice once `maxStarts`
 * of its attempts have ended in the death of their worker or in an unforeseen error. A worker renews its hold
 * on the job every `renewSeconds`. Another worker may begin only after `holdSeconds` without a renewal.
 */
import { causesOf, isOutage } from '../errors/outages.ts'

/** A job that has not been rendered after this many seconds is reported as failed. */
export const jobLifeSeconds = 86_400
/**
 * Counted attempts that a job may have: a crash may be bad luck once, a second one points to the document.
 */
export const maxStarts = 2
/**
 * Seconds after its last renewal for which a worker holds a job. They leave time for two missed renewals.
 * More of them delay the retry after a crash; fewer let a slow database start the same job twice.
 */
export const holdSeconds = 15
/** Seconds between two renewals of a hold. */
export const renewSeconds = 5
/**
 * Seconds after its acceptance for which a job waits for an engine that does not start. After them the engine
 * is taken as missing and the job fails.
 */
const engineOutageSeconds = 600

/** As `isOutage`, for a job of this age: until it is ten minutes old, an engine that does not start is an outage, too. */
export function isJobOutage(error: unknown, ageSeconds: number): boolean {
  if (isOutage(error) || ageSeconds > engineOutageSeconds) return isOutage(error)
  return causesOf(error).some(({ code }) => code === 'convert.engine-off')
}

/**
 * Whether neither an error nor any of its causes says what went wrong: the only errors of the catalogue among them are those of
 * `unforeseen`. A second attempt may then help.
 */
export function isUnforeseen(error: unknown): boolean {
  return causesOf(error).every(({ code }) => unforeseen.includes(code))
}
const unforeseen: readonly string[] = ['api.internal', 'engine.failed', 'storage.conflict']
