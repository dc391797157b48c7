import pg from 'pg'
import { readMigrations } from '../../origin/storage/migrations.ts'
import { openPostgres } from '../../origin/storage/records-postgres.ts'
import { openSqlite } from '../../origin/storage/records-sqlite.ts'
import type { Sql } from '../../shared/ports/sql.ts'
import { migrate } from '../../shared/records/migrate.ts'
import { listCategories, listTags, listTemplates } from '../../shared/records/templates.ts'
import { allLists, saveMany } from '../helpers/many-templates.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { markdownTable, short } from './statistics.ts'

const rounds = 15
const limitMs = 50
const now = 1_800_000_000

/**
 * Every kind of list at 100,000 versions, one, 40 and 80,000 of each template, in milliseconds of the clock: the quickest of
 * several rounds, which other programs of the machine disturbed least. D1 is SQLite with the same statements and plans.
 */
export async function listsSuite(): Promise<object> {
  const server = await startPostgres()
  const figures: Record<string, Record<string, number>> = {}
  try {
    for (const versions of [1, 40, 80_000]) {
      const database = await server.database()
      const stores: Readonly<Record<string, Sql>> = {
        SQLite: openSqlite(':memory:'),
        PostgreSQL: openPostgres(database, { log: silent }),
      }
      for (const [name, sql] of Object.entries(stores)) {
        await migrate(sql, await readMigrations())
        await saveMany(sql, { versions, now, isIndexed: true })
        if (name === 'PostgreSQL') await vacuum(database)
        for (const [list, work] of Object.entries(worksOf(sql))) {
          const row = (figures[list] ??= {})
          row[`${name}, ${versions}`] = await timed(work)
        }
        await sql.close?.()
      }
    }
  } finally {
    await server.stop()
  }
  const columns = Object.keys(Object.values(figures)[0] ?? {})
  const rows = Object.entries(figures).map(([list, row]) => [
    list,
    ...columns.map((name) => short(row[name] ?? 0)),
  ])
  console.log(markdownTable(['list, ms', ...columns], rows))
  const slow = Object.entries(figures).filter(([, row]) => Object.values(row).some((ms) => ms > limitMs))
  if (slow.length > 0) console.log(`Above ${limitMs} ms: ${slow.map(([list]) => list).join(', ')}.`)
  return figures
}

/** What the server does by itself some time after so many rows were written. It cannot run in a transaction. */
async function vacuum(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

function worksOf(sql: Sql): Readonly<Record<string, () => Promise<unknown>>> {
  const lists = Object.entries(allLists(now)).map(
    ([name, filter]) => [name, () => listTemplates(sql, 'a', filter, now)] as const,
  )
  return {
    ...Object.fromEntries(lists),
    categories: () => listCategories(sql, 'a', now),
    tags: () => listTags(sql, 'a', now),
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return Math.min(...times)
}
