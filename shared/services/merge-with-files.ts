/**
 * A merge with the files that its data names. Merging is pure and reaches no network, so it runs once to learn what it
 * needs; only when it needs something are files fetched and the merge run again. Source: template language 22.1, 22.11
 * and 27; api-decisions 5.
 */
import { AppError } from '../errors/app-error.ts'
import type { Outcome } from '../plugin/contract.ts'
import type { Merged, MergeJob, Merger, Outbound } from '../ports/index.ts'
import type { FetchedFile } from '../ports/merger.ts'

/** Limits of one render: 20 files are asked for at most, see `filesAtMost` of the merge. */
const fileTimeoutMs = 6_000
const filesAtOnce = 15
const totalBytes = 10_485_760

export interface FileAccess {
  readonly merger: Merger
  readonly outbound: Outbound
  /** Sent as `authorization` with each file: the caller's `service-egress-header-authorization`. */
  readonly authorization?: string | undefined
}

export async function mergeWithFiles(
  access: FileAccess,
  job: MergeJob,
  signal: AbortSignal,
): Promise<Outcome<Merged>> {
  const first = await access.merger.merge(job, signal)
  const { needs } = first.value
  if (needs === undefined || needs.length === 0) return first
  const files = await fetchFiles(access, needs, signal)
  return access.merger.merge({ ...job, options: { ...job.options, files } }, signal)
}

/**
 * Fetches what it can; what fails is told by a reason without addresses. Each file may be as large as what is left for
 * all of them, so that together they never hold more than twice the limit in memory. Throws only the signal's reason.
 */
export async function fetchFiles(
  { outbound, authorization }: Pick<FileAccess, 'outbound' | 'authorization'>,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FetchedFile>> {
  const files = new Map<string, FetchedFile>()
  const waiting = [...urls]
  let left = totalBytes
  const headers: Readonly<Record<string, string>> = authorization === undefined ? {} : { authorization }
  const one = async (url: string): Promise<FetchedFile> => {
    if (left <= 0) return tooLarge
    try {
      const { status, body } = await outbound.fetch({
        url,
        headers,
        timeoutMs: fileTimeoutMs,
        maxBytes: left,
        signal,
      })
      if (status < 200 || status > 299) return { failed: `the server answered with status ${status}` }
      if (body.length > left) return tooLarge
      left -= body.length
      return { bytes: body }
    } catch (error) {
      signal.throwIfAborted()
      return { failed: because(error) }
    }
  }
  const line = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) files.set(url, await one(url))
  }
  await Promise.all(Array.from({ length: Math.min(filesAtOnce, urls.length) }, line))
  return files
}

const tooLarge: FetchedFile = { failed: `the files of a render together are larger than ${totalBytes} bytes` }

const reasons: Readonly<Record<string, string>> = {
  'net.refused': 'its address may not be called from here',
  'net.timeout': `it took longer than ${fileTimeoutMs} ms`,
  'net.too-large': 'it is too large',
  'net.redirects': 'it redirects too often',
}
const because = (error: unknown): string =>
  (error instanceof AppError ? reasons[error.code] : undefined) ?? 'the server cannot be reached'
