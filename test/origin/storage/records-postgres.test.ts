import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMigrations } from '../../../origin/storage/migrations.ts'
import { openPostgres } from '../../../origin/storage/records-postgres.ts'
import type { Log } from '../../../shared/plugin/values.ts'
import type { Sql } from '../../../shared/ports/sql.ts'
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

  it('a batch commits only when what it read is still true: of many that would break a rule one succeeds', async () => {
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

  const insert = { text: 'INSERT INTO words VALUES (?1)', values: ['a'] }
  const returning = { text: 'INSERT INTO words VALUES (?1) RETURNING word', values: ['a'] }
  /** Writes with one statement, with several, and with one that returns rows. */
  const writes: readonly ((sql: Sql) => Promise<unknown>)[] = [
    (sql) => sql.batch([insert]),
    (sql) => sql.batch([insert, insert]),
    (sql) => sql.query(returning),
  ]
  const failureOf = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (error: unknown) => error,
    )
    return (error as { code?: unknown } | undefined)?.code
  }
  const words = { text: 'SELECT word FROM words', values: [] }
  const createWords = { text: 'CREATE TABLE words (word TEXT NOT NULL)', values: [] }

  it('statements that were sent to a frozen server have no effect when it resumes', async () => {
    const sql = await open()
    await sql.batch([createWords])
    await sql.query({ text: 'DELETE FROM words RETURNING word', values: [] }) // both pools have a connection
    await server.freeze()
    const failures = await Promise.all(writes.map((write) => failureOf(write(sql))))
    await server.thaw()
    expect(failures).toEqual(writes.map(() => 'storage.unavailable'))
    // The server has noticed that the connections are closed, and has executed what they had brought.
    const connections = {
      text: 'SELECT pid FROM pg_stat_activity WHERE datname = current_database()',
      values: [],
    }
    const settled = async () => (await sql.query(connections).catch(() => [1, 2])).length
    await expect.poll(settled, { timeout: 20_000 }).toBe(1)
    expect(await sql.query(words)).toEqual([])
  })

  it('a write whose commit is not answered may have taken effect', async () => {
    const outcomes = await Promise.all(
      writes.map(async (write) => {
        const url = await server.database()
        const direct = await open(url)
        await direct.batch([createWords])
        const { port, close } = await silentAfterCommit(Number(new URL(url).port))
        const through = new URL(url)
        through.port = String(port)
        const failure = await failureOf(write(await open(through.href)))
        close()
        return [failure, (await direct.query(words)).length > 0]
      }),
    )
    expect(outcomes).toEqual(writes.map(() => ['storage.unanswered', true]))
  })

  it('a write whose connection is reset fails, and the process goes on', async () => {
    const failures = await Promise.all(
      writes.map(async (write) => {
        const url = await server.database()
        await (await open(url)).batch([createWords])
        const { port, close } = await silentAfterCommit(Number(new URL(url).port), (client) =>
          client.resetAndDestroy(),
        )
        const through = new URL(url)
        through.port = String(port)
        const failure = await failureOf(write(await open(through.href)))
        close()
        return failure
      }),
    )
    expect(failures).toEqual(writes.map(() => 'storage.unanswered'))
  })

  it('reports a missing server', async () => {
    const sql = closing(openPostgres('postgres://nobody@127.0.0.1:1/none', { log }))
    await expect(sql.query({ text: 'SELECT 1', values: [] })).rejects.toMatchObject({
      code: 'storage.unavailable',
    })
  })
})

/** A port that passes everything on to another one, but for the answers to COMMIT, at which it calls `atCommit`. */
async function silentAfterCommit(
  target: number,
  atCommit: (client: Socket) => void = () => {},
): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>()
  const listener = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}))
    let isSilent = false
    client.on('data', (bytes) => {
      isSilent ||= bytes.includes('COMMIT')
      upstream.write(bytes)
      if (isSilent) atCommit(client)
    })
    upstream.on('data', (bytes) => isSilent || client.write(bytes))
    client.on('close', () => upstream.end())
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    port: (listener.address() as AddressInfo).port,
    close: () => {
      listener.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
