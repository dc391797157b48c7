import type { DownloadLimits, Outbound } from '../ports/index.ts'

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
