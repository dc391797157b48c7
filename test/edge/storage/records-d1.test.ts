import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { migrations } from '../../../edge/migrations.ts'
import { openD1 } from '../../../edge/storage/records-d1.ts'
import { migrate } from '../../../shared/records/migrate.ts'
import { nameSearchContract } from '../../contract/name-search.ts'
import { recordsContract } from '../../contract/records.ts'

recordsContract('D1', async () => {
  await reset()
  return openD1(env.RECORDS)
})
nameSearchContract('D1', async () => {
  await reset()
  const sql = openD1(env.RECORDS)
  await migrate(sql, migrations)
  return sql
})

/** The real database, behind a network that fails the first calls with these words. */
function failing(times: number, message: string) {
  let calls = 0
  const fail = () => {
    calls++
    if (calls <= times) throw new Error(message)
  }
  const database = {
    prepare: (text: string) => {
      const statement = env.RECORDS.prepare(text)
      return {
        bind: (...values: unknown[]) => {
          const bound = statement.bind(...values)
          const all = async () => {
            fail()
            return bound.all()
          }
          return { all }
        },
      }
    },
    batch: async () => {
      fail()
      return env.RECORDS.batch([env.RECORDS.prepare('SELECT 1')])
    },
  }
  return { sql: openD1(database as unknown as D1Database), calls: () => calls }
}

const [read, write] = [
  { text: 'SELECT 1 AS one', values: [] },
  { text: 'CREATE TABLE IF NOT EXISTS t (a)', values: [] },
]

// The words of D1: https://developers.cloudflare.com/d1/observability/debug-d1/
const notRun = [
  'D1_ERROR: database is locked: SQLITE_BUSY',
  'D1_ERROR: D1 DB is overloaded. Too many requests queued.',
  'D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.',
  'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
]
const unknown = [
  'D1_ERROR: Network connection lost.',
  'D1_ERROR: Internal error in D1 DB storage caused object to be reset.',
  'D1_ERROR: D1 DB reset because its code was updated.',
  'D1_ERROR: Failed to get session commit token: internal error; reference = j6b1hqm1q4n92n27efcdn39r',
]

it.each(notRun)('%s: nothing has run, so everything is repeated', async (message) => {
  const [reads, writes] = [failing(2, message), failing(2, message)]
  expect(await reads.sql.query(read)).toEqual([{ one: 1 }])
  await writes.sql.batch([write])
  expect([reads.calls(), writes.calls()]).toEqual([3, 3])
})

it.each(unknown)('%s: reads are repeated, writes may have happened', async (message) => {
  const [reads, writes, returning] = [failing(2, message), failing(1, message), failing(1, message)]
  expect(await reads.sql.query(read)).toEqual([{ one: 1 }])
  await expect(writes.sql.batch([write])).rejects.toMatchObject({ code: 'storage.unanswered' })
  const updating = { text: 'UPDATE t SET a = 1 RETURNING a', values: [] }
  await expect(returning.sql.query(updating)).rejects.toMatchObject({ code: 'storage.unanswered' })
  expect([reads.calls(), writes.calls(), returning.calls()]).toEqual([3, 1, 1])
})

it('what stays busy ends as a failure of the database, other failures at once', async () => {
  const busy = failing(99, notRun[0]!)
  await expect(busy.sql.query(read)).rejects.toMatchObject({ code: 'storage.unavailable' })
  expect(busy.calls()).toBe(7)
  const wrong = failing(99, 'D1_ERROR: no such table: t')
  await expect(wrong.sql.query(read)).rejects.toMatchObject({ code: 'storage.records' })
  expect(wrong.calls()).toBe(1)
})
