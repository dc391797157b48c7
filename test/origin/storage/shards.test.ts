import { describe, expect, it } from 'vitest'
import { readMigrations } from '../../../origin/storage/migrations.ts'
import { openSqlite } from '../../../origin/storage/records-sqlite.ts'
import type { Sql } from '../../../shared/ports/sql.ts'
import { saveAccount } from '../../../shared/records/accounts.ts'
import { findJob, saveJob } from '../../../shared/records/jobs.ts'
import { migrate } from '../../../shared/records/migrate.ts'
import { claimRender, findRender, removeExpiredRenders, saveRender } from '../../../shared/records/renders.ts'
import { accountsContract } from '../../contract/accounts.ts'
import { openSharded } from '../../helpers/sharded-sql.ts'
import { useClosing } from '../../helpers/temporary.ts'

/** Accounts spread over two databases, in the dialect of D1, behind the port that all use cases call (docs/scale.md). */

const closing = useClosing()
const shardOf = (account: string) => account.charCodeAt(account.length - 1) % 2
async function shard(): Promise<Sql> {
  const sql = closing(openSqlite(':memory:'))
  await migrate(sql, await readMigrations())
  return sql
}

accountsContract('two shards', async () => openSharded([await shard(), await shard()], shardOf))

describe('two shards', () => {
  it('hold the rows of their own accounts only, and a download finds its row in either', async () => {
    const shards = [await shard(), await shard()]
    const sql = openSharded(shards, shardOf)
    for (const name of ['a0', 'a1']) {
      await saveAccount(sql, { name, monthlyCredits: 5, createdAt: 1, closedAt: null })
      await saveJob(sql, {
        account: name,
        id: `job-${name}`,
        blob: 'b',
        key: 'k',
        webhook: '',
        createdAt: 1,
        credits: 1,
        creditsMonth: '2026-11',
      })
      await saveRender(sql, {
        account: name,
        id: `${name}-render`,
        blob: `blob-${name}`,
        format: 'pdf',
        name: 'report',
        size: 1,
        digest: '',
        createdAt: 1,
        expireAt: 100,
      })
    }
    for (const [at, own] of shards.entries())
      for (const table of ['accounts', 'jobs', 'renders']) {
        const column = table === 'accounts' ? 'name' : 'account'
        const rows = await own.query({ text: `SELECT ${column} AS account FROM ${table}`, values: [] })
        expect([table, rows]).toEqual([table, [{ account: `a${at}` }]])
      }
    expect(await findJob(sql, 'a1', 'job-a1')).toMatchObject({ account: 'a1' })
    expect(await findJob(sql, 'a0', 'job-a1')).toBeUndefined()
    for (const name of ['a0', 'a1'])
      expect(await findRender(sql, `${name}-render`, 50)).toMatchObject({ account: name })
    expect(await Promise.all([1, 2, 3].map(() => claimRender(sql, 'a1-render', 50)))).toEqual([
      true,
      false,
      false,
    ])
    expect([...(await removeExpiredRenders(sql, 200, 10))].sort()).toEqual(['blob-a0', 'blob-a1'])
  })
})
