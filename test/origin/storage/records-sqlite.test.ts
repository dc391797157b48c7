import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { readMigrations } from '../../../origin/storage/migrations.ts'
import { openSqlite } from '../../../origin/storage/records-sqlite.ts'
import { migrate } from '../../../shared/records/migrate.ts'
import { nameSearchContract } from '../../contract/name-search.ts'
import { recordsContract } from '../../contract/records.ts'
import { useClosing, useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()
const closing = useClosing()
const fresh = () => temporary('deep/records.sqlite')
const open = (path: string) => closing(openSqlite(path))

recordsContract('node:sqlite', async () => open(fresh()))
nameSearchContract('node:sqlite', async () => {
  const sql = openSqlite(':memory:')
  await migrate(sql, await readMigrations())
  return sql
})

describe('node:sqlite', () => {
  it('two connections, as two processes have, see and exclude each other', async () => {
    const path = fresh()
    const [a, b] = [open(path), open(path)]
    const migrations = await readMigrations()
    const done = await Promise.all([migrate(a, migrations), migrate(b, migrations)])
    expect(done.flat().sort()).toEqual(migrations.map(({ name }) => name).sort())
    await a.batch([{ text: 'CREATE TABLE once (id TEXT PRIMARY KEY)', values: [] }])
    await b.batch([{ text: "INSERT INTO once VALUES ('x')", values: [] }])
    expect(await a.query({ text: 'SELECT id FROM once', values: [] })).toEqual([{ id: 'x' }])
  })

  it('waits for another process that writes, and leaves its thread free meanwhile', async () => {
    const path = fresh()
    const sql = open(path)
    await sql.batch([{ text: 'CREATE TABLE once (id TEXT PRIMARY KEY)', values: [] }])
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')
    const insert = (id: string) => ({ text: 'INSERT INTO once VALUES (?1) RETURNING id', values: [id] })
    const written = Promise.all([sql.batch([insert('a'), insert('b')]), sql.query(insert('c'))])
    await new Promise((resolve) => setTimeout(resolve, 20))
    // Only this thread can end what it waits for.
    other.exec('ROLLBACK')
    other.close()
    expect(await written).toEqual([[1, 1], [{ id: 'c' }]])
  })

  it('keeps what it had when it is opened again', async () => {
    const path = fresh()
    const first = open(path)
    await first.batch([{ text: 'CREATE TABLE kept (id BIGINT)', values: [] }])
    await first.batch([{ text: 'INSERT INTO kept VALUES (?1)', values: [7] }])
    await first.close?.()
    await first.close?.()
    expect(await open(path).query({ text: 'SELECT id FROM kept', values: [] })).toEqual([{ id: 7 }])
    await expect(first.query({ text: 'SELECT 1', values: [] })).rejects.toMatchObject({
      code: 'storage.records',
    })
  })

  it('refuses an integer that a number cannot hold, instead of rounding it', async () => {
    const sql = open(fresh())
    const query = sql.query({ text: 'SELECT 9007199254740993 AS n', values: [] })
    await expect(query).rejects.toMatchObject({ code: 'storage.records' })
  })

  it('reports a file that cannot be opened', () => {
    expect(() => openSqlite('/dev/null/records.sqlite')).toThrow(
      expect.objectContaining({ code: 'storage.records' }),
    )
  })
})
