/**
 * Fetches the files that a web page refers to, under the egress policy and the download limits of one page.
 */
import { AppError } from '../errors/app-error.ts'
import { tooManyPixels } from '../images/large.ts'
import type { DownloadLimits, Outbound } from '../ports/index.ts'
import { downloadLimits } from './downloads.ts'

export interface PageFilesScope {
  readonly outbound: Outbound | undefined // undefined: no files can be fetched
  readonly authorization: string | undefined // sent with every request
  readonly signal: AbortSignal
}

/**
 * A fetched file with the media type that the server declared, or the reason why it could not be fetched,
 * without its address.
 */
export type PageFile = { readonly failed: string } | { readonly type: string; readonly bytes: Uint8Array }

/** Fetches the files of one page and counts them and their bytes. */
export class PageFiles {
  readonly #scope: PageFilesScope
  #count = 0 // files requested so far, failed ones included
  #bytes = 0 // of all files received so far

  constructor(scope: PageFilesScope) {
    this.#scope = scope
  }

  /** Fetches one file. Never throws: a failure is part of the result. */
  async load(url: string): Promise<PageFile> {
    const { outbound, authorization, signal } = this.#scope
    if (outbound === undefined) return { failed: 'nothing may be called from here' }
    // The limits are the same as for the files that a render fetches.
    const limits = downloadLimits(outbound)
    const { files, totalBytes, timeoutMs } = limits
    if (this.#count >= files) return { failed: `a page may name at most ${files} files` }
    this.#count++
    try {
      const { status, headers, body } = await outbound.fetch({
        url,
        headers: authorization === undefined ? {} : { authorization },
        timeoutMs,
        maxBytes: Math.max(totalBytes - this.#bytes, 1),
        signal,
      })
      if (status < 200 || status > 299) return { failed: `a server answered with status ${status}` }
      this.#bytes += body.length
      if (this.#bytes > totalBytes)
        return { failed: `the files of a page are larger than ${totalBytes} bytes` }
      const large = tooManyPixels(body)
      if (large !== undefined) return { failed: large }
      return { type: headers['content-type'] ?? '', bytes: body }
    } catch (error) {
      return { failed: reasonOf(error, limits) }
    }
  }
}

const reasons: Readonly<Record<string, string>> = {
  'net.refused': 'its address may not be called from here',
  'net.redirects': 'it redirects too often',
}

function reasonOf(error: unknown, { timeoutMs, totalBytes }: DownloadLimits): string {
  const code = error instanceof AppError ? error.code : ''
  if (code === 'net.timeout') return `it took longer than ${timeoutMs} ms`
  if (code === 'net.too-large') return `the files of a page are larger than ${totalBytes} bytes`
  return reasons[code] ?? 'the server cannot be reached'
}
