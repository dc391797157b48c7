import { AppError } from '../errors/app-error.ts'
import type { DownloadLimits, Outbound, OutboundRequest, OutboundResponse } from '../ports/index.ts'

/** The limits of one render or web page where the operator sets none (specification 8). */
const defaultDownloads: DownloadLimits = {
  files: 20,
  totalBytes: 10_485_760,
  timeoutMs: 6_000,
  atOnce: 15,
}

/** The limits that the operator has set, or the defaults. */
export function downloadLimits({ limits }: Pick<Outbound, 'limits'>): DownloadLimits {
  return limits ?? defaultDownloads
}

/** A call that is under way. */
interface Download {
  readonly cut: AbortController
  bytes: number // received so far
}

/**
 * The downloads of one render or web page, which together hold at most `totalBytes`, also while they run. Where they
 * would hold more, the largest one that still runs is cut, so a file that is too large costs no small one its place.
 */
export class Downloads {
  readonly #outbound: Outbound
  readonly #totalBytes: number
  readonly #running = new Set<Download>()
  #kept = 0 // bytes of the downloads that have ended well

  constructor(outbound: Outbound) {
    this.#outbound = outbound
    this.#totalBytes = downloadLimits(outbound).totalBytes
  }

  /** Whether there is space for another byte. */
  get isFull(): boolean {
    return this.#kept >= this.#totalBytes
  }

  /**
   * Sends one request. The body of an answer with a status of 200 to 299 counts from then on. Throws what
   * `Outbound.fetch` does, with 'net.too-large' for a download that was cut.
   */
  async fetch(request: Omit<OutboundRequest, 'maxBytes' | 'onBytes'>): Promise<OutboundResponse> {
    const download: Download = { cut: new AbortController(), bytes: 0 }
    this.#running.add(download)
    const signals = [download.cut.signal, ...(request.signal === undefined ? [] : [request.signal])]
    try {
      const answer = await this.#outbound.fetch({
        ...request,
        maxBytes: Math.max(this.#totalBytes - this.#kept, 1),
        signal: AbortSignal.any(signals),
        onBytes: (bytes) => this.#received(download, bytes),
      })
      // It may have been cut after its last byte.
      download.cut.signal.throwIfAborted()
      if (answer.status >= 200 && answer.status <= 299) this.#kept += answer.body.length
      return answer
    } finally {
      this.#running.delete(download)
    }
  }

  /** Counts a chunk of a body, and cancels downloads until the others have enough memory. */
  #received(download: Download, bytes: number): void {
    if (!this.#running.has(download)) return
    download.bytes += bytes
    let total = this.#kept
    for (const download of this.#running) total += download.bytes
    while (total > this.#totalBytes) {
      const largest = [...this.#running].reduce((best, download) =>
        download.bytes > best.bytes ? download : best,
      )
      total -= largest.bytes
      this.#running.delete(largest)
      largest.cut.abort(new AppError('net.too-large', { limit: this.#totalBytes }))
    }
  }
}
