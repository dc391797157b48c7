import type { DownloadLimits, Outbound } from '../ports/index.ts'

/** What one render, and one web page, may fetch where the operator says nothing else (specification 8). */
const usualDownloads: DownloadLimits = {
  files: 20,
  totalBytes: 10_485_760,
  timeoutMs: 6_000,
  atOnce: 15,
}

export function downloadLimits({ limits }: Pick<Outbound, 'limits'>): DownloadLimits {
  return limits ?? usualDownloads
}
