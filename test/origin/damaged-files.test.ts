import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../origin/app.ts'
import type { OriginConfig } from '../../origin/config.ts'
import { createServices, type OriginServices } from '../../origin/services.ts'
import { type Client, createClient } from '../contract/http/client.ts'
import { testConfig } from '../helpers/origin-config.ts'

const damages: readonly [string, (bytes: Buffer) => Buffer][] = [
  ['emptied', () => Buffer.alloc(0)],
  ['cut', (bytes) => bytes.subarray(0, bytes.length - 1)],
  ['changed in one bit', (bytes) => Buffer.from(bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte)))],
]

describe('a stored file that is not what was written', () => {
  let config: OriginConfig
  let client: Client
  let services: OriginServices
  let close: () => Promise<void>
  beforeAll(async () => {
    const made = await testConfig({ mergeWorkers: 1, templateCacheSize: 0 })
    config = made.config
    services = await createServices(config)
    const app = createApp(services)
    client = createClient(await app.listen({ port: 0, host: '127.0.0.1' }))
    close = async () => {
      app.server.closeAllConnections()
      await app.close()
      await services.stop()
      await made.remove()
    }
  })
  afterAll(() => close())

  async function damage(kind: string, how: (bytes: Buffer) => Buffer) {
    const folder = join(config.dataDir, 'blobs', 'self', kind)
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      await writeFile(path, how(await readFile(path)))
    }
  }
  const reported = { success: false, code: 'w211', error: expect.stringContaining('damaged') }

  it.each(damages)('%s, is never returned as a template or filled', async (name, how) => {
    const id = await client.hashed(`Hello {d.a} of a file that is ${name}`)
    await damage('templates', how)
    for (const answer of [
      await client.get(`/template/${id}`),
      await client.post(`/render/${id}`, { data: { a: 1 } }),
    ])
      expect([answer.status, answer.body]).toEqual([500, reported])
    await services.sql.batch([{ text: 'DELETE FROM templates', values: [] }])
    for await (const { key } of services.blobs.list('self/templates/')) await services.blobs.delete(key)
  })

  it('a template whose file is missing cannot be retrieved', async () => {
    const id = await client.hashed('Hello {d.a} of a file that will be missing')
    for await (const { key } of services.blobs.list('self/templates/')) await services.blobs.delete(key)
    for (const answer of [
      await client.get(`/template/${id}`),
      await client.post(`/render/${id}`, { data: { a: 1 } }),
    ])
      expect([answer.status, answer.body]).toEqual([
        400,
        expect.objectContaining({ success: false, error: 'Cannot retrieve template', code: 'w216' }),
      ])
  })

  it.each(damages)('%s, is never returned as a document', async (_name, how) => {
    const made = await client.post('/render/template', { data: { a: 1 }, template: btoa('Hello {d.a}') })
    await damage('renders', how)
    const answer = await client.get(`/render/${made.body.data.renderId}`)
    expect([answer.status, answer.body]).toEqual([500, reported])
    for await (const { key } of services.blobs.list('self/renders/')) await services.blobs.delete(key)
  })
})

describe('GET /status?ready=1', () => {
  it('is 503 while engines start, and 200 once they have', async () => {
    const { config, remove } = await testConfig({ mergeWorkers: 1, prewarm: true })
    const services = await createServices(config)
    const app = createApp(services)
    const client = createClient(await app.listen({ port: 0, host: '127.0.0.1' }))
    const statuses = async () =>
      Promise.all(['/status', '/status?ready=1'].map(async (path) => (await client.get(path)).status))
    expect(await statuses()).toEqual([200, 503])
    await services.warm()
    expect(await statuses()).toEqual([200, 200])
    await app.close()
    services.beginStop()
    await services.stop()
    await remove()
  })
})
