import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../origin/app.ts'
import { keyFiles } from '../../origin/auth/key-files.ts'
import { signToken } from '../../origin/auth/sign-token.ts'
import { createServices, type OriginServices } from '../../origin/services.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import { type Client, createClient } from '../contract/http/client.ts'
import { failingStoresContract } from '../contract/http/failing-stores.ts'
import { testConfig } from '../helpers/origin-config.ts'

failingStoresContract('origin', async (change) => {
  const { config, remove } = await testConfig({ mergeWorkers: 1 })
  const services = await createServices(config)
  const app = createApp({ ...services, ...change(services) })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    fetch: (path, init) => fetch(`${url}${path}`, init),
    async close() {
      app.server.closeAllConnections()
      await app.close()
      await services.stop()
      await remove()
    },
  }
})

const failed = {
  success: false,
  code: 'w215',
  error: expect.stringMatching(/^The storage of the service failed\./),
}

describe('with a database that fails', () => {
  let services: OriginServices
  let client: Client
  let id: string
  let close: () => Promise<void>
  beforeAll(async () => {
    const { config, remove } = await testConfig({ mergeWorkers: 1 })
    services = await createServices(config)
    const app = createApp(services)
    client = createClient(await app.listen({ port: 0, host: '127.0.0.1' }))
    id = await client.hashed('x')
    await services.sql.close?.()
    close = async () => {
      app.server.closeAllConnections()
      await app.close()
      await services.stop()
      await remove()
    }
  })
  afterAll(() => close())

  it('each endpoint answers 503 or the error of its contract', async () => {
    for (const [name, ask] of [
      ['upload', () => client.form({ versioning: 'true' }, { bytes: 'y' })],
      ['get', () => client.get(`/template/${id}`)],
      ['delete', () => client.delete(`/template/${id}`)],
      ['patch', () => client.patch(`/template/${id}`, { name: 'x' })],
      ['list', () => client.get('/templates')],
      ['categories', () => client.get('/templates/categories')],
      ['tags', () => client.get('/templates/tags')],
      ['render', () => client.post(`/render/${id}`, { data: {} })],
      ['download', () => client.get(`/render/${'A'.repeat(28)}.txt`)],
    ] as const) {
      const answer = await ask()
      expect([name, answer.status, answer.body]).toEqual([name, 503, failed])
    }
  })

  it('GET /status is 503', async () => {
    const answer = await client.get('/status')
    expect([answer.status, answer.body]).toEqual([
      503,
      { success: false, code: 503, message: 'Database not available', version: expect.any(String) },
    ])
  })

  it('no file of a failed upload is left', async () => {
    const found: string[] = []
    for await (const { key } of services.blobs.list('self/templates/')) found.push(key)
    expect(found).toHaveLength(1)
  })
})

describe('with a file store that fails', () => {
  it('each endpoint answers 503 or the error of its contract', async () => {
    const { config, remove } = await testConfig({ mergeWorkers: 1, stateless: true })
    const services = await createServices(config)
    const fails = async () => {
      throw new AppError('storage.blobs')
    }
    const app = createApp({
      ...services,
      blobs: { ...services.blobs, put: fails, get: fails, delete: fails },
    })
    const client = createClient(await app.listen({ port: 0, host: '127.0.0.1' }))
    const id = 'a'.repeat(64)
    const inline = { template: btoa('x'), data: {} }
    const batch = { template: btoa('x'), data: [{}], batchSplitBy: 'd' }
    for (const ask of [
      () => client.form({}, { bytes: 'y' }),
      () => client.get(`/template/${id}`),
      () => client.delete(`/template/${id}`),
      () => client.post(`/render/${id}`, { data: {} }),
      () => client.post('/render/template', inline),
      () => client.post('/render/template?download=true', batch),
      () => client.post('/render/template', inline, { 'service-webhook-url': 'http://nobody.example/' }),
    ]) {
      const answer = await ask()
      expect([answer.status, answer.body]).toEqual([503, failed])
    }
    app.server.closeAllConnections()
    await app.close()
    await services.stop()
    await remove()
  })
})

describe('with an unexpected failure', () => {
  it('each endpoint has the error of its contract, without details', async () => {
    const { config, remove } = await testConfig({ mergeWorkers: 1 })
    const services = await createServices(config)
    const breaks = () => {
      throw new TypeError('secret is not a function')
    }
    const app = createApp({
      ...services,
      clock: { now: breaks },
      merger: { ...services.merger, merge: breaks },
    })
    const client = createClient(await app.listen({ port: 0, host: '127.0.0.1' }))
    for (const [ask, error] of [
      [
        () => client.post('/render/template', { data: {}, template: btoa('{d.a}') }),
        'Error while rendering template',
      ],
      [() => client.get('/templates'), 'Server Error.'],
      [() => client.form({}, { bytes: 'y' }), 'Server Error.'],
      [() => client.delete(`/template/${'a'.repeat(64)}`), 'Server Error.'],
      [() => client.patch(`/template/${'a'.repeat(64)}`, { name: 'x' }), 'Server Error.'],
    ] as const) {
      const answer = await ask()
      const code = error === 'Server Error.' ? 'api.internal' : 'api.render.error'
      expect([answer.status, answer.body]).toEqual([500, { success: false, error, code }])
    }
    app.server.closeAllConnections()
    await app.close()
    await services.stop()
    await remove()
  })
})

describe('with a database that fails, and authentication', () => {
  it('GET /status answers everybody, and every token is refused', async () => {
    const { config, remove } = await testConfig({ mergeWorkers: 1, authentication: true })
    const services = await createServices(config)
    const app = createApp(services)
    const expiresAt = Math.floor(Date.now() / 1000) + 60
    const claims = { issuer: 'test', audience: 'service', expiresAt }
    const token = await signToken(keyFiles(config.workdir).privateKey, claims)
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const client = createClient(url, { authorization: `Bearer ${token}` })
    await services.sql.close?.()
    const answer = await client.get('/status?full=1')
    expect([answer.status, answer.body]).toEqual([
      503,
      { success: false, code: 503, message: 'Database not available', version: expect.any(String) },
    ])
    for (const path of ['/', '/metrics', '/conversions'])
      expect((await client.get(path)).body).toEqual(failed)
    app.server.closeAllConnections()
    await app.close()
    await services.stop()
    await remove()
  })
})
