import { describe, expect, it } from 'vitest'
import type { Sql, SqlValue } from '../../shared/ports/sql.ts'
import { type Migration, migrate } from '../../shared/records/migrate.ts'

const say = (sql: Sql, text: string, ...values: SqlValue[]) => sql.query({ text, values })

async function withTable(open: () => Promise<Sql>): Promise<Sql> {
  const sql = await open()
  await sql.batch([
    { text: 'CREATE TABLE things (id TEXT PRIMARY KEY NOT NULL, number BIGINT, bytes BLOB)', values: [] },
    {
      text: 'CREATE TABLE parts (thing TEXT NOT NULL REFERENCES things (id), name TEXT NOT NULL)',
      values: [],
    },
    { text: 'CREATE UNIQUE INDEX parts_name ON parts (thing, name)', values: [] },
  ])
  return sql
}

const insert = (id: string, number: number | null = null) => ({
  text: 'INSERT INTO things (id, number) VALUES (?1, ?2)',
  values: [id, number],
})

/** What every database driver does alike. `open` gives an empty database, and is called once per test. */
export function recordsContract(name: string, open: () => Promise<Sql>): void {
  describe(`records: ${name}`, () => {
    it('returns each kind of value', async () => {
      const sql = await withTable(open)
      const values: readonly (readonly [string, number | null, Uint8Array | null])[] = [
        ['empty', null, null],
        ['zero', 0, new Uint8Array(0)],
        ['large', Number.MAX_SAFE_INTEGER, new Uint8Array([0, 127, 128, 255])],
        ['Žluťoučký 🐎', -1, new Uint8Array(70_000).fill(7)],
        ["o'clock; --", 1_900_000_000_000, new Uint8Array([1])],
      ]
      for (const value of values) await say(sql, 'INSERT INTO things VALUES (?1, ?2, ?3)', ...value)
      for (const [id, number, bytes] of values) {
        const [row] = await say(sql, 'SELECT id, number, bytes FROM things WHERE id = ?1', id)
        expect(row).toEqual({ id, number, bytes })
      }
    })

    it('accepts numbered placeholders, used twice and out of order', async () => {
      const sql = await withTable(open)
      await say(sql, 'INSERT INTO things (number, id) VALUES (?2, ?1)', 'a', 5)
      const rows = await say(
        sql,
        'SELECT id, ?2 AS tag FROM things WHERE number = ?1 AND number >= ?1',
        5,
        'x',
      )
      expect(rows).toEqual([{ id: 'a', tag: 'x' }])
    })

    it('returns the rows of a writing statement with RETURNING, and of no other', async () => {
      const sql = await withTable(open)
      await sql.batch([insert('a', 1), insert('b', 2)])
      const text = 'UPDATE things SET number = number + ?1 WHERE id = ?2 RETURNING id, number'
      expect(await say(sql, text, 10, 'b')).toEqual([{ id: 'b', number: 12 }])
      expect(await say(sql, text, 10, 'none')).toEqual([])
      expect(await say(sql, 'DELETE FROM things WHERE id = ?1', 'a')).toEqual([])
    })

    it('counts the rows that each statement of a batch changed', async () => {
      const sql = await withTable(open)
      const counts = await sql.batch([
        insert('a', 1),
        insert('b', 1),
        { text: 'UPDATE things SET number = ?1', values: [2] },
        { text: 'DELETE FROM things WHERE number = ?1', values: [1] },
        { text: 'DELETE FROM things WHERE id = ?1', values: ['a'] },
      ])
      expect(counts).toEqual([1, 1, 2, 0, 1])
      expect(await sql.batch([])).toEqual([])
    })

    it('keeps nothing of a batch that fails', async () => {
      const sql = await withTable(open)
      await expect(sql.batch([insert('a'), insert('b'), insert('a')])).rejects.toMatchObject({
        code: 'storage.conflict',
      })
      await expect(
        sql.batch([insert('c'), { text: 'UPDATE nowhere SET x = 1', values: [] }]),
      ).rejects.toMatchObject({
        code: 'storage.records',
      })
      expect(await say(sql, 'SELECT id FROM things')).toEqual([])
      await sql.batch([insert('after')])
      expect(await say(sql, 'SELECT id FROM things')).toEqual([{ id: 'after' }])
    })

    const failures: readonly [string, string, string][] = [
      ['a broken primary key', 'storage.conflict', "INSERT INTO things (id) VALUES ('a')"],
      ['a broken unique index', 'storage.conflict', "INSERT INTO parts VALUES ('a', 'p')"],
      ['a missing value', 'storage.records', 'INSERT INTO things (id) VALUES (NULL)'],
      ['a broken reference', 'storage.records', "INSERT INTO parts VALUES ('none', 'p')"],
      ['a syntax error', 'storage.records', 'SELEKT 1'],
    ]
    it.each(failures)('reports %s as %s', async (_name, code, text) => {
      const sql = await withTable(open)
      await sql.batch([insert('a'), { text: "INSERT INTO parts VALUES ('a', 'p')", values: [] }])
      await expect(say(sql, text)).rejects.toMatchObject({ code })
    })

    it('lets exactly one of many claims win', async () => {
      const sql = await withTable(open)
      await sql.batch([insert('a', 0)])
      const text = "UPDATE things SET number = 1 WHERE id = 'a' AND number = 0 RETURNING id"
      const claims = await Promise.all(Array.from({ length: 20 }, () => say(sql, text)))
      expect(claims.filter((rows) => rows.length === 1)).toHaveLength(1)
    })

    it('accepts more statements than it keeps prepared', async () => {
      const sql = await withTable(open)
      await sql.batch([insert('a', 3)])
      for (let n = 0; n < 300; n++) {
        expect(await say(sql, `SELECT number + ${n} AS sum FROM things WHERE id = ?1`, 'a')).toEqual([
          { sum: 3 + n },
        ])
      }
    })

    describe('migrations', () => {
      const first: Migration = {
        name: '0001_first.sql',
        sql: `-- first; with a semicolon in a comment
          CREATE TABLE one (id TEXT PRIMARY KEY NOT NULL, "odd;name" TEXT); /* another; comment */
          INSERT INTO one VALUES ('it''s; here', '--not a comment');`,
      }
      const second: Migration = { name: '0002_second.sql', sql: 'ALTER TABLE one ADD COLUMN two BIGINT' }

      it('are applied once, in order, and resume where they stopped', async () => {
        const sql = await open()
        expect(await migrate(sql, [first])).toEqual(['0001_first.sql'])
        expect(await migrate(sql, [second, first])).toEqual(['0002_second.sql'])
        expect(await migrate(sql, [first, second])).toEqual([])
        expect(await say(sql, 'SELECT * FROM one')).toEqual([
          { id: "it's; here", 'odd;name': '--not a comment', two: null },
        ])
        expect(await say(sql, 'SELECT id, name FROM schema_migrations ORDER BY id')).toEqual([
          { id: 1, name: '0001_first.sql' },
          { id: 2, name: '0002_second.sql' },
        ])
      })

      it('roll back the one that fails', async () => {
        const sql = await open()
        const broken = {
          name: '0002_broken.sql',
          sql: 'CREATE TABLE half (id TEXT); INSERT INTO nowhere VALUES (1);',
        }
        await expect(migrate(sql, [first, broken])).rejects.toMatchObject({ code: 'storage.records' })
        expect(await say(sql, 'SELECT name FROM schema_migrations')).toEqual([{ name: '0001_first.sql' }])
        await expect(say(sql, 'SELECT * FROM half')).rejects.toMatchObject({ code: 'storage.records' })
        expect(await migrate(sql, [first, second])).toEqual(['0002_second.sql'])
      })

      it('may be started by many at once', async () => {
        const sql = await open()
        const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(sql, [first, second])))
        expect(runs.flat().sort()).toEqual(['0001_first.sql', '0002_second.sql'])
      })

      it.each([[[{ name: 'first.sql', sql: '' }]], [[first, { name: '0001_again.sql', sql: '' }]]])(
        'refuse a list without a single order',
        async (list) => {
          await expect(migrate(await open(), list)).rejects.toMatchObject({ code: 'storage.records' })
        },
      )
    })
  })
}
