import type { Log } from '../plugin/values.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/index.ts'
import type { Sql } from '../ports/sql.ts'
import { noteUse } from '../records/template-uses.ts'
import type { TemplateRow } from '../records/templates.ts'

/** Complete days since 1970-01-01, in UTC. `ms` is in milliseconds since the epoch. */
export function dayOf(ms: number): number {
  return Math.floor(ms / 86_400_000)
}

/**
 * Records the day on which templates without versioning were last used. The cleanup removes those unused for
 * long.
 */
export interface TemplateUses {
  /** Returns at once. The write happens in the background, at most once a day for each template. */
  note(row: TemplateRow): void
  /** Resolves when all background writes have ended. */
  settled(): Promise<void>
}

/**
 * Templates that are remembered as written today. Each takes some 100 bytes of memory. If more are used on
 * one day, some are written more than once, which is harmless.
 */
const maxRemembered = 50_000

export function createTemplateUses(parts: {
  readonly sql: Sql
  readonly blobs: Blobs
  readonly clock: Clock
  readonly log: Log
  readonly stateless: boolean
  /**
   * Keeps the host alive until the promise has settled. A Worker needs this, because it may end with its
   * request.
   */
  readonly later?: (work: Promise<void>) => void
}): TemplateUses {
  const { sql, blobs, clock, log, stateless, later } = parts
  const noted = new Set<string>() // `account/versionId` of the templates written on the day `today`
  const writing = new Set<Promise<void>>() // writes that have not ended
  let today = 0 // days since 1970

  return {
    note(row) {
      if (row.templateId !== null) return
      const day = dayOf(clock.now())
      if (day !== today || noted.size >= maxRemembered) noted.clear()
      today = day
      const key = `${row.account}/${row.versionId}`
      if (noted.has(key)) return
      noted.add(key)
      const work = write(row, day)
        .catch((error: unknown) => {
          noted.delete(key)
          log.warn('templates.use', { error })
        })
        .finally(() => writing.delete(work))
      writing.add(work)
      later?.(work)
    },
    settled: async () => {
      await Promise.all(writing)
    },
  }

  /** In stateless mode the modification time of the file is the record. */
  async function write(row: TemplateRow, day: number): Promise<void> {
    if (stateless) await blobs.touch?.(row.blob)
    else await noteUse(sql, row, day)
  }
}
