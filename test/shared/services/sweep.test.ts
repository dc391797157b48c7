import { describe, expect, it } from 'vitest'
import { openFsBlobs } from '../../../origin/storage/blobs-fs.ts'
import { readMigrations } from '../../../origin/storage/migrations.ts'
import { openSqlite } from '../../../origin/storage/records-sqlite.ts'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import { migrate } from '../../../shared/records/migrate.ts'
import { saveRender } from '../../../shared/records/renders.ts'
import { findVersionEvenExpired, saveTemplate, type TemplateRow } from '../../../shared/records/templates.ts'
import type { Services } from '../../../shared/services/services.ts'
import { sweep, sweepOrphans } from '../../../shared/services/sweep.ts'
import { createTemplateCache } from '../../../shared/services/template-cache.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const retention = 86_400
const hour = 3600

describe('the sweep', () => {
  const temporary = useTemporary()

  /** Storage for real, with a clock that can be set. Only what the sweep asks for is there. */
  async function storage() {
    const time = { seconds: Math.floor(Date.now() / 1000) }
    const sql = openSqlite(':memory:')
    await migrate(sql, await readMigrations())
    const blobs = await openFsBlobs(temporary())
    const services = {
      sql,
      blobs,
      clock: { now: () => time.seconds * 1000 },
      templates: createTemplateCache({ maxBytes: 1000 }),
      settings: { stateless: false, templateRetentionSeconds: retention },
    } as unknown as Services
    const keys = async () => {
      const found: string[] = []
      for await (const { key } of blobs.list('')) found.push(key)
      return found.sort()
    }
    const put = (key: string) => blobs.put(key, fromBytes(new Uint8Array([1])))
    return { time, services, keys, put }
  }

  function template(name: string, expireAt: number): TemplateRow {
    return {
      account: 'self',
      versionId: name,
      templateId: null,
      contentHash: name,
      blob: `self/templates/${name}`,
      sampleBlob: `self/samples/${name}`,
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
      await saveTemplate(services.sql, template(name, expireAt))
    }
    expect(await sweep(services)).toEqual({ renders: 0, templates: 0 })
    time.seconds += retention - 1
    expect(await sweep(services)).toEqual({ renders: 0, templates: 0 })
    time.seconds += 1
    expect(await sweep(services)).toEqual({ renders: 0, templates: 1 })
    expect(await keys()).toEqual([
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

  it('removes files that no row names, once they are old enough', async () => {
    const { time, services, keys, put } = await storage()
    await saveTemplate(services.sql, template('kept', 0))
    for (const key of ['templates/kept', 'samples/kept', 'other/lost']) await put(`self/${key}`)
    for (let at = 0; at < 200; at++) await put(`self/templates/lost${at}`)
    await put('self/renders/lost')
    await put('tenant/samples/lost')
    expect(await sweepOrphans(services)).toBe(0)
    time.seconds += 3 * hour
    expect(await sweepOrphans(services)).toBe(202)
    expect(await keys()).toEqual(['self/other/lost', 'self/samples/kept', 'self/templates/kept'])
  })

  it('leaves templates alone where files are the only record', async () => {
    const { time, services, keys, put } = await storage()
    await put('self/templates/hash')
    await put('self/renders/lost')
    time.seconds += 3 * hour
    const stateless = { ...services, settings: { ...services.settings, stateless: true } }
    expect(await sweepOrphans(stateless)).toBe(1)
    expect(await keys()).toEqual(['self/templates/hash'])
  })
})
