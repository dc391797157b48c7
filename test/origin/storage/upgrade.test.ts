import { expect, it } from 'vitest'
import { readMigrations } from '../../../origin/storage/migrations.ts'
import { openSqlite } from '../../../origin/storage/records-sqlite.ts'
import { migrate } from '../../../shared/records/migrate.ts'
import { findVersion, listTags, listTemplates } from '../../../shared/records/templates.ts'

const now = 1_800_000_000

/** A template and a waiting job as the statements of that time wrote them: only columns of the first migrations. */
const early = [
  `INSERT INTO templates (account, version_id, template_id, content_hash, blob, format, size, name, name_folded, tags,
    created_at, deployed_at, deploy_order) VALUES ('a', 'v1', '7', 'h', 'a/templates/1', 'docx', 1, 'Old', 'old', '["t"]', 1, 5, 1)`,
  `INSERT INTO template_tags (account, version_id, tag) VALUES ('a', 'v1', 't')`,
  `INSERT INTO renders (account, id, blob, format, name, size, created_at, expire_at)
    VALUES ('a', 'r1', 'a/renders/1', 'pdf', 'x', 1, 1, 2000000000)`,
  `INSERT INTO queue_jobs (id, account, kind, attempt, available_at, sent_at) VALUES ('j1', 'a', 'render', 0, 1, 1)`,
]

it('a database of every earlier version is brought up to date with what it holds', async () => {
  const migrations = await readMigrations()
  // The first release has the tables of templates, renders and the queue.
  for (let count = 3; count <= migrations.length; count++) {
    const sql = openSqlite(':memory:')
    await migrate(sql, migrations.slice(0, count))
    await sql.batch(early.map((text) => ({ text, values: [] })))
    expect(await migrate(sql, migrations)).toHaveLength(migrations.length - count)
    expect((await findVersion(sql, 'a', 'v1', now))?.name).toBe('Old')
    const jobs = await sql.query({ text: 'SELECT id, turn, weight FROM queue_jobs', values: [] })
    expect(jobs).toEqual([{ id: 'j1', turn: 0, weight: 1 }])
    // Later ones keep at write what lists read, so that only a database from before them is filled by the migration.
    const isOlder = !migrations.slice(0, count).some(({ name }) => name.includes('template_lists'))
    const listed = await listTemplates(sql, 'a', { includeVersions: !isOlder, limit: 10 }, now)
    expect(listed.map(({ name }) => name)).toEqual(['Old'])
    if (isOlder) expect(await listTags(sql, 'a', now)).toEqual(['t'])
    await sql.close?.()
  }
})
