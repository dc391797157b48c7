/**
 * A merge with the files that its data names. Merging is pure and reaches no network, so it runs once to learn what it
 * needs; only when it needs something are files fetched, pictures drawn and the merge run again. Source: template
 * language 22.1, 22.11 and 27; api-decisions 5.
 */
import { AppError } from '../../errors/app-error.ts'
import { downloadLimits } from '../../net/downloads.ts'
import type { Outcome, Warning } from '../../plugin/contract.ts'
import type { Merged, MergeJob, Merger, Outbound } from '../../ports/index.ts'
import type { FetchedFile } from '../../ports/merger.ts'
import { drawTwins, type TwinAccess } from './fallback-images.ts'

export interface FileAccess {
  readonly merger: Merger
  readonly outbound: Outbound
  /** Sent as `authorization` with each file: the caller's `service-egress-header-authorization`. */
  readonly authorization?: string | undefined
  /** Where pictures of other types get a PNG: the document itself is what the caller gets. */
  readonly twins?: TwinAccess | undefined
}

export async function mergeWithFiles(
  access: FileAccess,
  job: MergeJob,
  signal: AbortSignal,
): Promise<Outcome<Merged>> {
  const { twins: drawing } = access
  const warnings: Warning[] = []
  let options = drawing === undefined ? job.options : { ...job.options, twins: noTwins }
  let outcome = await access.merger.merge({ ...job, options }, signal)
  const { needs } = outcome.value
  if (needs !== undefined && needs.length > 0) {
    options = { ...options, files: await fetchFiles(access, needs, signal) }
    outcome = await access.merger.merge({ ...job, options }, signal)
  }
  const { twins: wanted } = outcome.value
  if (drawing !== undefined && wanted !== undefined && wanted.length > 0) {
    const drawn = await drawTwins(drawing, wanted, signal)
    warnings.push(...drawn.warnings)
    const isAny = [...drawn.twins.values()].some((png) => png !== undefined)
    if (isAny)
      outcome = await access.merger.merge({ ...job, options: { ...options, twins: drawn.twins } }, signal)
  }
  return warnings.length === 0 ? outcome : { ...outcome, warnings: [...outcome.warnings, ...warnings] }
}

const noTwins: ReadonlyMap<string, Uint8Array | undefined> = new Map()

/**
 * Fetches what it can; what fails is told by a reason without addresses. Each file may be as large as what is left for
 * all of them, so that together they never hold more than twice the limit in memory. Throws only the signal's reason.
 */
export async function fetchFiles(
  { outbound, authorization }: Pick<FileAccess, 'outbound' | 'authorization'>,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FetchedFile>> {
  const { totalBytes, timeoutMs, atOnce } = downloadLimits(outbound)
  const tooLarge = { failed: `the files of a render together are larger than ${totalBytes} bytes` }
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
        timeoutMs,
        maxBytes: left,
        signal,
      })
      if (status < 200 || status > 299) return { failed: `the server answered with status ${status}` }
      if (body.length > left) return tooLarge
      left -= body.length
      return { bytes: body }
    } catch (error) {
      signal.throwIfAborted()
      return { failed: because(error, timeoutMs) }
    }
  }
  const line = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) files.set(url, await one(url))
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, urls.length) }, line))
  return files
}

const reasons: Readonly<Record<string, string>> = {
  'net.refused': 'its address may not be called from here',
  'net.too-large': 'it is too large',
  'net.redirects': 'it redirects too often',
}
function because(error: unknown, timeoutMs: number): string {
  const code = error instanceof AppError ? error.code : ''
  if (code === 'net.timeout') return `it took longer than ${timeoutMs} ms`
  return reasons[code] ?? 'the server cannot be reached'
}
