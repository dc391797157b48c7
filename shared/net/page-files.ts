/**
 * Fetches the files that a web page refers to, under the egress policy and the download limits of one page.
 */
import { entryOf } from '../entry-of.ts'
import { AppError } from '../errors/app-error.ts'
import { tooManyPixels } from '../images/large.ts'
import { measureImage } from '../images/measure.ts'
import type { Warning } from '../plugin/values.ts'
import type { DownloadLimits, Outbound } from '../ports/index.ts'
import { Downloads, downloadLimits } from './downloads.ts'

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

/** A picture that a document names could not be loaded: what `failOn: ["IMAGE_URL_ERROR"]` makes an error. */
export const pictureNotLoaded = 'picture.not-loaded'

/** The files of one page that could not be loaded, counted by reason and without their addresses. */
export class MissingFiles {
  readonly #counts = new Map<
    string,
    { readonly isPicture: boolean; readonly because: string; count: number }
  >()

  add(isPicture: boolean, because: string): void {
    const key = `${isPicture} ${because}`
    const entry = this.#counts.get(key) ?? { isPicture, because, count: 0 }
    entry.count++
    this.#counts.set(key, entry)
  }

  warnings(): readonly Warning[] {
    return [...this.#counts.values()].map(({ isPicture, because, count }) => {
      const kind = isPicture ? 'picture' : 'file'
      const subject = count === 1 ? `One ${kind}` : `${count} ${kind}s`
      const message = `${subject} that the page refers to could not be loaded: ${because}.`
      return { code: isPicture ? pictureNotLoaded : 'web.not-loaded', message }
    })
  }
}

/** Fetches the files of one page and counts them and their bytes. */
export class PageFiles {
  readonly #scope: PageFilesScope
  #count = 0 // files requested so far, failed ones included
  readonly #downloads: Downloads | undefined

  constructor(scope: PageFilesScope) {
    this.#scope = scope
    this.#downloads = scope.outbound && new Downloads(scope.outbound)
  }

  /** Fetches one picture. Never throws: a failure, also a response that is not a picture, is part of the result. */
  async loadPicture(url: string): Promise<PageFile> {
    const file = await this.load(url)
    return 'failed' in file || mayBePicture(file) ? file : { failed: 'the server sent no picture' }
  }

  /** Fetches one file. Never throws: a failure is part of the result. */
  async load(url: string): Promise<PageFile> {
    const { outbound, authorization, signal } = this.#scope
    const downloads = this.#downloads
    if (outbound === undefined || downloads === undefined)
      return { failed: 'nothing may be called from here' }
    // The limits are the same as for the files that a render fetches.
    const limits = downloadLimits(outbound)
    const { files, timeoutMs } = limits
    if (this.#count >= files) return { failed: `a page may name at most ${files} files` }
    this.#count++
    try {
      const { status, headers, body } = await downloads.fetch({
        url,
        headers: authorization === undefined ? {} : { authorization },
        timeoutMs,
        signal,
      })
      if (status < 200 || status > 299) return { failed: `a server answered with status ${status}` }
      const large = tooManyPixels(body)
      if (large !== undefined) return { failed: large }
      return { type: headers['content-type'] ?? '', bytes: body }
    } catch (error) {
      return { failed: reasonOf(error, limits) }
    }
  }
}

/** Servers declare no type, or the type of any bytes, for pictures that they do not know. */
function mayBePicture({ type, bytes }: { readonly type: string; readonly bytes: Uint8Array }): boolean {
  return (
    /^\s*(?:$|image\/|(?:application|binary)\/octet-stream)/i.test(type) || measureImage(bytes) !== undefined
  )
}

const reasons: Readonly<Record<string, string>> = {
  'net.refused': 'calls to its address are not allowed',
  'net.redirects': 'it redirects too often',
}

function reasonOf(error: unknown, { timeoutMs, totalBytes }: DownloadLimits): string {
  const code = error instanceof AppError ? error.code : ''
  if (code === 'net.timeout') return `it took longer than ${timeoutMs} ms`
  if (code === 'net.too-large') return `the files of a page are larger than ${totalBytes} bytes`
  return entryOf(reasons, code) ?? 'the server cannot be reached'
}
