import { expect, it } from 'vitest'
import { createApp } from '../../origin/app.ts'
import { createServices } from '../../origin/services.ts'
import { sweep } from '../../shared/services/sweep.ts'
import { createTemplateUses } from '../../shared/services/template-uses.ts'
import { createClient } from '../contract/http/client.ts'
import { testConfig } from '../helpers/origin-config.ts'

const hour = 3600

/** Specification 3.1, 3.3 and 8 in their own times: an hour for renders, a day for the files of expired templates. */
it('expired templates and renders cannot be fetched, and their files are removed after the retention', async () => {
  const { config, remove } = await testConfig({ mergeWorkers: 1 })
  const own = await createServices(config)
  let later = 0 // seconds
  const services = { ...own, clock: { now: () => Date.now() + later * 1000 } }
  const app = createApp(services)
  const client = createClient(await app.listen({ port: 0, host: '127.0.0.1' }))
  const files = async (kind: string) => {
    const found: string[] = []
    for await (const { key } of services.blobs.list(`self/${kind}/`)) found.push(key)
    return found.length
  }

  const kept = await client.version('kept {d.a}')
  const deleted = await client.version('deleted {d.a}', { sample: '[{"data":{}}]' })
  const soon = Math.floor(Date.now() / 1000) + 2 * hour
  const expires = await client.version('expires {d.a}', { expireAt: String(soon) })
  const render = async () => (await client.post(`/render/${kept.id}`, { data: { a: 1 } })).body.data.renderId
  const [fetched, late] = [await render(), await render()]

  expect((await client.delete(`/template/${deleted.id}`)).status).toBe(200)
  expect((await client.get(`/template/${deleted.id}`)).status).toBe(404)
  expect(await sweep(services)).toEqual({ renders: 0, templates: 0 })
  expect([await files('templates'), await files('samples'), await files('renders')]).toEqual([3, 1, 2])

  later = hour - 60
  expect((await client.get(`/render/${fetched}`)).text).toBe('kept 1')
  expect((await client.get(`/template/${expires.id}`)).status).toBe(200)
  later = hour + 1
  expect((await client.get(`/render/${late}`)).status).toBe(404)
  expect((await sweep(services)).templates).toBe(0)
  expect(await files('renders')).toBe(0)

  later = 2 * hour + 1
  for (const ref of [expires.id, expires.versionId]) {
    expect((await client.get(`/template/${ref}`)).status).toBe(404)
    const refused = await client.post(`/render/${ref}`, { data: {} })
    expect([refused.status, refused.body.error]).toEqual([404, 'Template not found'])
  }
  later = 24 * hour - 60
  expect((await sweep(services)).templates).toBe(0)
  later = 24 * hour + 60
  expect((await sweep(services)).templates).toBe(1)
  expect([await files('templates'), await files('samples')]).toEqual([2, 0])
  later = 26 * hour + 60
  expect((await sweep(services)).templates).toBe(1)
  expect(await files('templates')).toBe(1)
  expect((await client.get(`/template/${kept.id}`)).text).toBe('kept {d.a}')

  app.server.closeAllConnections()
  await app.close()
  await services.stop()
  await remove()
})

const day = 24 * hour

/** Specification 3.1: a download, a render and a new upload each keep a template; versions stay whatever happens. */
it('an unversioned template is removed after so many days without use', async () => {
  const { config, remove } = await testConfig({ mergeWorkers: 1, templatePathRetention: 10 })
  const own = await createServices(config)
  let later = 0 // seconds
  const clock = { now: () => Math.ceil(Date.now() / 1000 / day) * day * 1000 + later * 1000 }
  const { sql, blobs, log } = own
  const uses = createTemplateUses({ sql, blobs, log, clock, stateless: false })
  const services = { ...own, clock, uses }
  const app = createApp(services)
  const client = createClient(await app.listen({ port: 0, host: '127.0.0.1' }))
  const names = ['rendered', 'fetched', 'sent', 'unused'] as const
  const ids = new Map<string, string>()
  for (const name of names) ids.set(name, await client.hashed(`${name} {d.a}`))
  const version = await client.version('version {d.a}')

  later = 9 * day
  expect((await client.post(`/render/${ids.get('rendered')}?download=true`, { data: { a: 1 } })).status).toBe(
    200,
  )
  expect((await client.get(`/template/${ids.get('fetched')}`)).status).toBe(200)
  expect(await client.hashed('sent {d.a}')).toBe(ids.get('sent'))
  await uses.settled()
  later = 11 * day
  expect((await sweep(services)).templates).toBe(1)
  expect((await client.post(`/render/${ids.get('unused')}`, { data: {} })).status).toBe(404)
  later = 20 * day - 1
  expect((await sweep(services)).templates).toBe(0)
  later = 20 * day
  expect((await sweep(services)).templates).toBe(3)
  for (const id of ids.values()) expect((await client.get(`/template/${id}`)).status).toBe(404)
  expect((await client.get(`/template/${version.id}`)).text).toBe('version {d.a}')
  const files: string[] = []
  for await (const { key } of services.blobs.list('self/templates/')) files.push(key)
  expect(files).toHaveLength(1)

  app.server.closeAllConnections()
  await app.close()
  await services.stop()
  await remove()
})
