import { afterAll, beforeAll, expect, it } from 'vitest'
import { warnOfClockSkew } from '../../origin/clock-skew.ts'
import { openPostgres } from '../../origin/storage/records-postgres.ts'
import type { Sql } from '../../shared/ports/sql.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
let server: PostgresServer
let sql: Sql & { close?(): Promise<void> }
beforeAll(async () => {
  server = await startPostgres()
  sql = openPostgres(await server.database(), { log: quiet })
})
afterAll(async () => {
  await sql.close?.()
  await server.stop()
})

it.each([
  { difference: 0, warnings: [] },
  { difference: 60_000, warnings: [['clock.skewed', { secondsAhead: 60 }]] },
  { difference: -60_000, warnings: [['clock.skewed', { secondsAhead: -60 }]] },
])('a clock that differs by $difference ms from that of the database', async ({ difference, warnings }) => {
  const logged: unknown[] = []
  const log = { ...quiet, warn: (...args: unknown[]) => void logged.push(args) }
  await warnOfClockSkew({ sql, clock: { now: () => Date.now() + difference }, log })
  expect(logged).toEqual(warnings)
})
