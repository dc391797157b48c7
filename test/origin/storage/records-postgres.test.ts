import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMigrations } from '../../../origin/storage/migrations.ts'
import { openPostgres } from '../../../origin/storage/records-postgres.ts'
import type { Log } from '../../../shared/plugin/values.ts'
import { migrate } from '../../../shared/records/migrate.ts'
import { nameSearchContract } from '../../contract/name-search.ts'
import { recordsContract } from '../../contract/records.ts'
import { type PostgresServer, startPostgres } from '../../helpers/postgres.ts'
import { useClosing } from '../../helpers/temporary.ts'

const log: Log = { debug() {}, info() {}, warn() {}, error() {} }
let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())
const closing = useClosing() // before the server stops: hooks run last to first
const open = async (url?: string) => closing(openPostgres(url ?? (await server.database()), { log }))

recordsContract('PostgreSQL', () => open())
nameSearchContract('PostgreSQL', async () => {
  const sql = openPostgres(await server.database(), { log })
  await migrate(sql, await readMigrations())
  return sql
})

describe('PostgreSQL', () => {
  it('two processes may start on an empty database at once', async () => {
    const url = await server.database()
    const [a, b] = [await open(url), await open(url)]
    const migrations = await readMigrations()
    const done = await Promise.all([migrate(a, migrations), migrate(b, migrations)])
    expect(done.flat().sort()).toEqual(migrations.map(({ name }) => name).sort())
  })

  it('texts compare by code point whatever the language of the database', async () => {
    const sql = await open()
    await sql.batch([{ text: 'CREATE TABLE words (word TEXT NOT NULL)', values: [] }])
    for (const word of ['a', 'B', 'é', '_', 'Z'])
      await sql.batch([{ text: 'INSERT INTO words VALUES (?1)', values: [word] }])
    const rows = await sql.query<{ word: string }>({
      text: 'SELECT word FROM words WHERE word > ?1 ORDER BY word',
      values: ['A'],
    })
    expect(rows.map(({ word }) => word)).toEqual(['B', 'Z', '_', 'a', 'é'])
  })

  it.each(['a\0b', '\0', '\u{F0000}', '\u{F0000}\u{F0001}\0\u{F0002}'])('keeps %j', async (text) => {
    const sql = await open()
    await sql.batch([{ text: 'CREATE TABLE words (word TEXT NOT NULL)', values: [] }])
    await sql.batch([{ text: 'INSERT INTO words VALUES (?1)', values: [text] }])
    expect(await sql.query({ text: 'SELECT word FROM words', values: [] })).toEqual([{ word: text }])
  })

  it('what a batch read is still true when it commits: of many that would break a rule one gets through', async () => {
    const sql = await open()
    await sql.batch([{ text: 'CREATE TABLE deployed (id TEXT NOT NULL, at BIGINT NOT NULL)', values: [] }])
    const insert = (id: string) => ({
      text: `INSERT INTO deployed (id, at) SELECT ?1, ?2
        WHERE NOT EXISTS (SELECT 1 FROM deployed WHERE at = ?2)`,
      values: [id, 7],
    })
    const alone = await Promise.all(Array.from({ length: 12 }, (_, n) => sql.batch([insert(`a${n}`)])))
    expect(alone.flat().filter((changed) => changed === 1)).toHaveLength(1)
    await sql.batch([{ text: 'DELETE FROM deployed', values: [] }])
    const pairs = Array.from({ length: 12 }, (_, n) => sql.batch([insert(`b${n}`), insert(`c${n}`)]))
    const changed = (await Promise.all(pairs)).flat()
    expect(changed.filter((count) => count === 1)).toHaveLength(1)
  })

  it('refuses an integer that a number cannot hold, instead of rounding it', async () => {
    const sql = await open()
    const query = sql.query({ text: 'SELECT 9007199254740993 AS n', values: [] })
    await expect(query).rejects.toMatchObject({ code: 'storage.records' })
  })

  it('says so when there is no server', async () => {
    const sql = closing(openPostgres('postgres://nobody@127.0.0.1:1/none', { log }))
    await expect(sql.query({ text: 'SELECT 1', values: [] })).rejects.toMatchObject({
      code: 'storage.unavailable',
    })
  })
})
