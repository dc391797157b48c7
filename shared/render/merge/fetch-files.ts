import { entryOf } from '../../entry-of.ts'
import { AppError } from '../../errors/app-error.ts'
import { Downloads, downloadLimits } from '../../net/downloads.ts'
import type { Outbound } from '../../ports/index.ts'
import type { FetchedFile } from '../../ports/merger.ts'

export interface FetchAccess {
  readonly outbound: Outbound
  /** Sent as `authorization` with each file: the caller's `service-egress-header-authorization`. */
  readonly authorization?: string | undefined
}

/**
 * Fetches the files of a render under the egress policy, up to `atOnce` at a time. A file that cannot be fetched is
 * reported by a reason that contains no address. Throws only the signal's reason.
 */
export async function fetchFiles(
  { outbound, authorization }: FetchAccess,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FetchedFile>> {
  const { totalBytes, timeoutMs, atOnce } = downloadLimits(outbound)
  const tooLarge = { failed: `the files of a render together are larger than ${totalBytes} bytes` }
  const files = new Map<string, FetchedFile>()
  const pendingUrls = [...urls]
  const downloads = new Downloads(outbound)
  const headers: Readonly<Record<string, string>> = authorization === undefined ? {} : { authorization }
  const fetchOne = async (url: string): Promise<FetchedFile> => {
    if (downloads.isFull) return tooLarge
    try {
      const { status, body } = await downloads.fetch({ url, headers, timeoutMs, signal })
      if (status < 200 || status > 299) return { failed: `the server answered with status ${status}` }
      return { bytes: body }
    } catch (error) {
      signal.throwIfAborted()
      return { failed: reasonOf(error, timeoutMs) }
    }
  }
  const fetchPending = async () => {
    for (let url = pendingUrls.shift(); url !== undefined; url = pendingUrls.shift())
      files.set(url, await fetchOne(url))
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, urls.length) }, fetchPending))
  return files
}

const reasons: Readonly<Record<string, string>> = {
  'net.refused': 'calls to its address are not allowed',
  'net.too-large': 'it is too large',
  'net.redirects': 'it redirects too often',
}

/** Why a file cannot be fetched, without its address. */
export function reasonOf(error: unknown, timeoutMs: number): string {
  const code = error instanceof AppError ? error.code : ''
  if (code === 'net.timeout') return `it took longer than ${timeoutMs} ms`
  return entryOf(reasons, code) ?? 'the server cannot be reached'
}
