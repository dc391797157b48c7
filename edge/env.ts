import type { SentJob } from './storage/queue-cloudflare.ts'

/** What wrangler.toml binds. Only `services.ts` reads it. */
export interface Env {
  readonly RECORDS: D1Database
  readonly BLOBS: R2Bucket
  readonly RENDERS: Queue<SentJob>
  /** The fonts that ship with the instant engine. */
  readonly FONTS: Fetcher
  /** Everything else is text: see the configuration table. */
  readonly [setting: `SERVICE_${string}`]: string | undefined
}
