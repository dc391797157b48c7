import type { Log } from '../plugin/contract.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/index.ts'
import type { Sql } from '../ports/sql.ts'
import { noteUse } from '../records/template-uses.ts'
import type { TemplateRow } from '../records/templates.ts'

/** Days since 1970, UTC. */
export function dayOf(ms: number): number {
  return Math.floor(ms / 86_400_000)
}

/** Remembers that templates without versioning are in use. */
export interface TemplateUses {
  /** Returns at once: it is written behind the request, for each template once a day. */
  note(row: TemplateRow): void
  /** Settles when all is written. */
  settled(): Promise<void>
}

/** A template takes some 100 bytes here; with more than these in use on one day, some are written twice. */
const mostRemembered = 50_000

export function createTemplateUses(parts: {
  readonly sql: Sql
  readonly blobs: Blobs
  readonly clock: Clock
  readonly log: Log
  readonly stateless: boolean
  /** Keeps a host alive until the promise has settled, where hosts end with their requests. */
  readonly later?: (work: Promise<void>) => void
}): TemplateUses {
  const { sql, blobs, clock, log, stateless, later } = parts
  const noted = new Set<string>()
  const writing = new Set<Promise<void>>()
  let today = 0

  return {
    note(row) {
      if (row.templateId !== null) return
      const day = dayOf(clock.now())
      if (day !== today || noted.size >= mostRemembered) noted.clear()
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

  /** Without a database the time of the file is the record. */
  async function write(row: TemplateRow, day: number): Promise<void> {
    if (stateless) await blobs.touch?.(row.blob)
    else await noteUse(sql, row, day)
  }
}
