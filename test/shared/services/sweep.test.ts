import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openFsBlobs } from '../../../origin/storage/blobs-fs.ts'
import { readMigrations } from '../../../origin/storage/migrations.ts'
import { openSqlite } from '../../../origin/storage/records-sqlite.ts'
import { createByteCache } from '../../../shared/byte-cache.ts'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import { migrate } from '../../../shared/records/migrate.ts'
import { saveRender } from '../../../shared/records/renders.ts'
import { findVersionEvenExpired, saveTemplate, type TemplateRow } from '../../../shared/records/templates.ts'
import { createIds } from '../../../shared/services/ids.ts'
import type { Services } from '../../../shared/services/services.ts'
import { sweep, sweepAsLeader, sweepOrphans } from '../../../shared/services/sweep.ts'
import { createTemplateUses } from '../../../shared/services/template-uses.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const retention = 86_400
const hour = 3600
const day = 86_400

describe('the sweep', () => {
  const temporary = useTemporary()

  /** Storage for real, with a clock that can be set. Only what the sweep asks for is there. */
  async function storage() {
    const time = { seconds: Math.floor(Date.now() / 1000) }
    const sql = openSqlite(':memory:')
    await migrate(sql, await readMigrations())
    const folder = temporary()
    const blobs = await openFsBlobs(folder)
    const services = {
      folder,
      sql,
      blobs,
      clock: { now: () => time.seconds * 1000 },
      ids: createIds({ clock: { now: () => time.seconds * 1000 }, node: 1 }),
      templates: createByteCache({ maxBytes: 1000 }),
      settings: { stateless: false, templateRetentionSeconds: retention },
    } as unknown as Services & { readonly folder: string }
    const keys = async () => {
      const found: string[] = []
      for await (const { key } of blobs.list('')) found.push(key)
      return found.sort()
    }
    const put = (key: string) => blobs.put(key, fromBytes(new Uint8Array([1])))
    return { time, services, keys, put }
  }

  /** The same with a retention of 30 days, at the beginning of a day. `used` is one that requests use. */
  async function retaining(templateUnusedDays: number, stateless = false) {
    const own = await storage()
    own.time.seconds = Math.ceil(own.time.seconds / day) * day
    const { sql, blobs, clock } = own.services
    const warned: unknown[] = []
    const log = { debug() {}, info() {}, error() {}, warn: (...all: unknown[]) => void warned.push(all) }
    const uses = createTemplateUses({ sql, blobs, clock, log, stateless })
    const settings = { ...own.services.settings, stateless, templateUnusedDays }
    const use = async (name: string, changes: Partial<TemplateRow> = {}) => {
      uses.note({ ...template(name, 0), ...changes })
      await uses.settled()
    }
    return { ...own, services: { ...own.services, settings }, use, warned }
  }

  function template(name: string, expireAt: number): TemplateRow {
    return {
      account: 'self',
      versionId: name,
      templateId: null,
      contentHash: name,
      blob: `self/templates/${name}`,
      sampleBlob: `self/samples/${name}`,
      checksBlob: `self/checks/${name}`,
      format: 'txt',
      size: 1,
      name: '',
      comment: '',
      category: '',
      tags: ['a'],
      origin: 0,
      createdAt: 0,
      deployedAt: 1,
      deployOrder: 1,
      expireAt,
    }
  }

  it('removes the files and rows of templates only after their retention', async () => {
    const { time, services, keys, put } = await storage()
    for (const [name, expireAt] of [
      ['forever', 0],
      ['expired', time.seconds],
      ['later', time.seconds + hour],
    ] as const) {
      await put(`self/templates/${name}`)
      await put(`self/samples/${name}`)
      await put(`self/checks/${name}`)
      await saveTemplate(services.sql, template(name, expireAt))
    }
    expect(await sweep(services)).toEqual({ renders: 0, templates: 0 })
    time.seconds += retention - 1
    expect(await sweep(services)).toEqual({ renders: 0, templates: 0 })
    time.seconds += 1
    expect(await sweep(services)).toEqual({ renders: 0, templates: 1 })
    expect(await keys()).toEqual([
      'self/checks/forever',
      'self/checks/later',
      'self/samples/forever',
      'self/samples/later',
      'self/templates/forever',
      'self/templates/later',
    ])
    expect(await findVersionEvenExpired(services.sql, 'self', 'expired')).toBeUndefined()
    const tags = await services.sql.query({ text: 'SELECT version_id FROM template_tags', values: [] })
    expect(tags).toHaveLength(2)
  })

  it('removes renders past their hour, more than one page of them', async () => {
    const { time, services, keys, put } = await storage()
    for (let at = 0; at < 450; at++) {
      await put(`self/renders/${at}`)
      await saveRender(services.sql, {
        digest: '',
        account: 'self',
        id: `render-${at}`,
        blob: `self/renders/${at}`,
        format: 'txt',
        name: 'x',
        size: 1,
        createdAt: time.seconds,
        expireAt: time.seconds + (at === 0 ? 2 * hour : hour),
      })
    }
    time.seconds += hour - 1
    expect(await sweep(services)).toEqual({ renders: 0, templates: 0 })
    time.seconds += 1
    expect(await sweep(services)).toEqual({ renders: 449, templates: 0 })
    expect(await keys()).toEqual(['self/renders/0'])
  })

  it('is bounded in a run, and needs few calls of the stores', async () => {
    const { time, services } = await storage()
    const expired = Array.from({ length: 5000 }, (_, at) => ({
      text: `INSERT INTO renders (account, id, blob, format, name, size, created_at, expire_at)
        VALUES ('self', ?1, ?2, 'txt', 'x', 1, 0, 1)`,
      values: [`render-${at}`, `self/renders/${at}`],
    }))
    await services.sql.batch(expired)
    let calls = 0
    const counted: Services = {
      ...services,
      sql: {
        query: (statement) => {
          calls++
          return services.sql.query(statement)
        },
        batch: (statements) => {
          calls++
          return services.sql.batch(statements)
        },
      },
      blobs: { ...services.blobs, deleteMany: async () => void ++calls },
    }
    expect(await sweep(counted)).toEqual({ renders: 4000, templates: 0 })
    expect(calls).toBeLessThan(60)
    time.seconds += 1
    expect(await sweep(counted)).toEqual({ renders: 1000, templates: 0 })
  })

  it('runs in one process at a time; another takes over from one that died', async () => {
    const { time, services, put } = await storage()
    await put('self/renders/lost')
    time.seconds += 3 * hour
    const runs = await Promise.all([1, 2, 3, 4].map(() => sweepAsLeader(services)))
    expect(runs.filter((run) => run !== undefined)).toEqual([{ renders: 0, templates: 0, orphans: 1 }])
    const dies = { ...services, blobs: { ...services.blobs, list: hangs } }
    time.seconds += 2 * day
    void sweepAsLeader(dies)
    await expect.poll(() => sweepAsLeader(services)).toBeUndefined()
    time.seconds += 901
    expect(await sweepAsLeader(services)).toBeDefined()
  })

  it('examines all files once a day, some in each run, and resumes where it stopped', async () => {
    const { time, services } = await storage()
    const listed: string[] = []
    const blobs: Services['blobs'] = {
      ...services.blobs,
      async *list(_prefix, after = '') {
        for (let at = 0; at < 12_000; at++) {
          const key = `self/renders/${String(at).padStart(6, '0')}`
          if (key <= after) continue
          listed.push(key)
          yield { key, size: 1, writtenAt: 0 }
        }
      },
      deleteMany: async () => {},
    }
    const orphans: (number | undefined)[] = []
    for (let run = 0; run < 5; run++) {
      orphans.push((await sweepAsLeader({ ...services, blobs }))?.orphans)
      time.seconds += 600
    }
    expect(orphans).toEqual([5000, 5000, 2000, 0, 0])
    expect(new Set(listed).size).toBe(12_000)
    time.seconds += day
    expect((await sweepAsLeader({ ...services, blobs }))?.orphans).toBe(5000)
  })

  it('removes files that no row names, once they are old enough', async () => {
    const { time, services, keys, put } = await storage()
    await saveTemplate(services.sql, template('kept', 0))
    for (const key of ['templates/kept', 'samples/kept', 'other/lost']) await put(`self/${key}`)
    for (let at = 0; at < 200; at++) await put(`self/templates/lost${at}`)
    await put('self/renders/lost')
    await put('tenant/samples/lost')
    expect(await sweepOrphans(services)).toEqual({ removed: 0, after: '' })
    time.seconds += 3 * hour
    expect(await sweepOrphans(services)).toEqual({ removed: 202, after: '' })
    expect(await keys()).toEqual(['self/other/lost', 'self/samples/kept', 'self/templates/kept'])
  })

  it('removes pictures of pages after a day, with and without a database', async () => {
    for (const isStateless of [false, true]) {
      const { time, services, keys, put } = await storage()
      const settings = { ...services.settings, stateless: isStateless }
      await put('self/previews/one.png')
      time.seconds += day - 60
      expect(await sweepOrphans({ ...services, settings })).toEqual({ removed: 0, after: '' })
      time.seconds += 120
      expect(await sweepOrphans({ ...services, settings })).toEqual({ removed: 1, after: '' })
      expect(await keys()).toEqual([])
    }
  })

  it('leaves templates alone where files are the only record', async () => {
    const { time, services, keys, put } = await storage()
    await put('self/templates/hash')
    await put('self/renders/lost')
    time.seconds += 3 * hour
    const stateless = { ...services, settings: { ...services.settings, stateless: true } }
    expect(await sweepOrphans(stateless)).toEqual({ removed: 1, after: '' })
    expect(await keys()).toEqual(['self/templates/hash'])
  })

  it('removes unversioned templates after days without use, and none with versions', async () => {
    const { time, services, keys, put, use } = await retaining(30)
    for (const name of ['used', 'unused', 'versioned']) {
      await put(`self/templates/${name}`)
      await put(`self/samples/${name}`)
      const templateId = name === 'versioned' ? '123' : null
      await saveTemplate(services.sql, { ...template(name, 0), templateId })
    }
    // Nobody knows when they were used before: they count from this sweep on.
    time.seconds += 400 * day
    expect((await sweep(services)).templates).toBe(0)
    time.seconds += 20 * day
    await use('used')
    await use('versioned', { templateId: '123' })
    time.seconds += 11 * day - 1
    expect((await sweep(services)).templates).toBe(0)
    time.seconds += 1
    expect((await sweep(services)).templates).toBe(1)
    expect(await keys()).toEqual([
      'self/samples/used',
      'self/samples/versioned',
      'self/templates/used',
      'self/templates/versioned',
    ])
    expect(await services.sql.query({ text: 'SELECT tag FROM template_tags', values: [] })).toHaveLength(2)
    time.seconds += 20 * day
    expect((await sweep(services)).templates).toBe(1)
    expect(await keys()).toEqual(['self/samples/versioned', 'self/templates/versioned'])
  })

  it('keeps a file that another row names', async () => {
    const { time, services, keys, put, use } = await retaining(1)
    await put('self/templates/shared')
    for (const name of ['a', 'b'])
      await saveTemplate(services.sql, {
        ...template(name, 0),
        blob: 'self/templates/shared',
        sampleBlob: null,
        checksBlob: null,
      })
    await sweep(services)
    time.seconds += 2 * day
    await use('b')
    expect((await sweep(services)).templates).toBe(1)
    expect(await keys()).toEqual(['self/templates/shared'])
  })

  it('records no uses without a retention, so a new retention does not count old days', async () => {
    const { time, services, put, use } = await retaining(30)
    const forEver = { ...services, settings: { ...services.settings, templateUnusedDays: 0 } }
    await put('self/templates/a')
    await saveTemplate(services.sql, template('a', 0))
    await use('a')
    await sweep(forEver)
    time.seconds += 90 * day
    expect((await sweep(services)).templates).toBe(0)
    time.seconds += 31 * day
    expect((await sweep(services)).templates).toBe(1)
  })

  it('records a use once a day for each template, and reports a failure', async () => {
    const { time, services, use, warned } = await retaining(30)
    let writes = 0
    const { batch } = services.sql
    services.sql.batch = (statements) => {
      writes++
      return writes === 4 ? Promise.reject(new Error('no')) : batch(statements)
    }
    for (const name of ['a', 'b', 'a', 'b']) await use(name)
    expect(writes).toBe(2)
    time.seconds += day
    for (const name of ['a', 'b']) await use(name)
    expect([writes, warned.length]).toEqual([4, 1])
    await use('b')
    expect(writes).toBe(5)
  })

  it('goes by the time of files where they are the only record', async () => {
    const { time, services, keys, put, use } = await retaining(30, true)
    for (const name of ['used', 'unused']) await put(`self/templates/${name}`)
    await put('self/renders/kept')
    time.seconds += 29 * day
    expect((await sweep(services)).templates).toBe(0)
    const path = (name: string) => `self/templates/${name}`
    const old = new Date(Date.now() - 32 * day * 1000)
    for (const name of ['used', 'unused']) await utimes(join(services.folder, path(name)), old, old)
    time.seconds -= 29 * day
    await use('used')
    expect((await sweep(services)).templates).toBe(1)
    expect(await keys()).toEqual(['self/renders/kept', path('used')])
  })
})

/** A listing that never comes to its first file, as in a process that has died. */
async function* hangs(): AsyncGenerator<never> {
  await new Promise(() => {})
}
