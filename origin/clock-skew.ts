import type { Log } from '../shared/plugin/values.ts'
import type { Clock, Sql } from '../shared/ports/index.ts'

/** Half of what an origin and the database may differ by until two origins differ by too much (docs/cluster.md). */
const maxSkewMs = 2_500

/**
 * Warns when the clock of this origin differs from that of PostgreSQL. Origins compare times that others wrote with their
 * clocks, so one that is ahead takes over jobs that others hold.
 */
export async function warnOfClockSkew({
  sql,
  clock,
  log,
}: {
  readonly sql: Sql
  readonly clock: Clock
  readonly log: Log
}): Promise<void> {
  const asked = clock.now()
  const [row] = await sql.query<{ now: number }>({
    text: 'SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now',
    values: [],
  })
  if (row === undefined) return
  const answered = clock.now()
  // The database read its clock at any moment in between.
  const ahead = Math.max(0, asked - row.now) - Math.max(0, row.now - answered)
  if (Math.abs(ahead) > maxSkewMs) log.warn('clock.skewed', { secondsAhead: Math.round(ahead / 1000) })
}
