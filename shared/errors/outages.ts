import { AppError } from './app-error.ts'
import type { ErrorCode } from './catalogue.ts'

/** Errors of the service that have nothing to do with the document and may pass. */
const outages: readonly ErrorCode[] = [
  'api.stopping',
  'api.too-many',
  'convert.busy',
  'convert.waited',
  'convert.disk',
  'origin.down',
  'storage.blobs',
  'storage.queue',
  'storage.records',
  'storage.unanswered',
  'storage.unavailable',
]

/**
 * Whether an error is an outage that may pass. All its causes are looked at, because an outage may have been wrapped in another
 * error.
 */
export function isOutage(error: unknown): boolean {
  return causesOf(error).some(({ code }) => outages.includes(code))
}

/** The errors of the catalogue among an error and its causes. */
export function causesOf(error: unknown): readonly AppError[] {
  const causes: AppError[] = []
  for (let cause = error; cause instanceof Error && causes.length < 20; cause = cause.cause)
    if (cause instanceof AppError) causes.push(cause)
  return causes
}
