import type { SentJob } from '../shared/ports/index.ts'

/**
 * The bindings of wrangler.toml. Only `services.ts` reads them, and `worker.ts` the setting of the CORS
 * header.
 */
export interface Env {
  readonly RECORDS: D1Database
  readonly BLOBS: R2Bucket
  readonly RENDERS: Queue<SentJob>
  /**
   * The static assets: fonts and hyphenation patterns of the instant engine, and the pages of the
   * documentation.
   */
  readonly FONTS: Fetcher
  /** Settings, which are strings. `config.ts` reads them. */
  readonly [setting: `SERVICE_${string}`]: string | undefined
}
