import { createHmac } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../origin/app.ts'
import type { OriginConfig } from '../../origin/config.ts'
import { type RunningServer, startServer } from '../../origin/server.ts'
import { createServices } from '../../origin/services.ts'
import { type Client, createClient } from '../contract/http/client.ts'
import { webhookContract } from '../contract/http/webhooks.ts'
import { testConfig } from '../helpers/origin-config.ts'
import { originTarget } from '../helpers/origin-target.ts'

interface Notice {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly at: number
}

/** A receiver of webhooks. Paths that start with /503 refuse their first call. */
async function receiver(): Promise<{
  url: string
  next(path: string): Promise<Notice>
  all: Notice[]
  /** Answers those at /never, who wait till then. */
  relent(): void
  close(): void
}> {
  const all: Notice[] = []
  const held: ServerResponse[] = []
  let silent = true
  const taken = new Set<Notice>()
  const waiting = new Set<() => void>()
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = request.url ?? ''
    if (path.startsWith('/never') && silent) return void held.push(response)
    const first = all.every((notice) => notice.path !== path)
    all.push({
      path,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      at: performance.now(),
    })
    if (first && path.startsWith('/503')) response.writeHead(503, { 'retry-after': '0' })
    else if (path.startsWith('/400')) response.writeHead(400)
    response.end()
    for (const look of [...waiting]) look()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    all,
    relent: () => {
      silent = false
      for (const response of held) response.end()
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
    next: (path) =>
      new Promise((resolve) => {
        const look = () => {
          const found = all.find((notice) => notice.path === path && !taken.has(notice))
          if (found === undefined) return
          taken.add(found)
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
  }
}

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** Specification 6. */
describe('asynchronous renders', () => {
  let hooks: Awaited<ReturnType<typeof receiver>>
  let server: RunningServer
  let client: Client
  let config: OriginConfig
  let remove: () => Promise<void>
  beforeAll(async () => {
    hooks = await receiver()
    const made = await testConfig({ mergeWorkers: 1, egressAllowPrivate: true, webhookSecret: [secret] })
    config = made.config
    remove = made.remove
    server = await startServer(config)
    client = createClient(server.url)
  })
  afterAll(async () => {
    hooks.close()
    await server.stop()
    await remove()
  })
  const hook = (path: string, more: Record<string, string> = {}) => ({
    'service-webhook-url': hooks.url + path,
    ...more,
  })
  const empty = async (kind: string) =>
    expect
      .poll(async () => (await readdir(join(config.dataDir, 'blobs', 'self', kind)).catch(() => [])).length)
      .toBe(0)

  it('webhooks that never answer do not hold up the renders of others', async () => {
    const id = await client.hashed('Hi {d.a}')
    for (let count = 0; count < 4; count++) await client.post(`/render/${id}`, { data: {} }, hook('/never'))
    const started = performance.now()
    await client.post(`/render/${id}`, { data: {} }, hook('/ok-beside-never'))
    await hooks.next('/ok-beside-never')
    // One that never answers is waited for twice, 16 s each time.
    expect(performance.now() - started).toBeLessThan(15_000)
    hooks.relent()
    await empty('jobs')
  })

  it('the call returns at once, the webhook receives the render ID, and the file can be fetched with it', async () => {
    const id = await client.hashed('Hi {d.a}')
    const answer = await client.post(
      `/render/${id}`,
      { data: { a: 'Ann' }, reportName: '{d.a}' },
      hook('/ok'),
    )
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        message: 'A render ID will be sent to your callback URL when the document is generated',
        data: { renderId: '' },
      },
    ])
    const notice = await hooks.next('/ok')
    const body = JSON.parse(notice.body)
    expect(body).toEqual({ success: true, data: { renderId: expect.stringMatching(/^[\w-]{28}\.txt$/) } })
    expect(notice.headers['content-type']).toBe('application/json')
    expect(notice.headers['user-agent']).toMatch(/^platen\//)
    const file = await client.get(`/render/${body.data.renderId}`)
    expect([file.text, file.headers.get('content-disposition')]).toEqual([
      'Hi Ann',
      'inline; filename="Ann.txt"',
    ])
    await empty('jobs')
  })

  it('a webhook takes precedence over download=true, also with an inline template', async () => {
    const answer = await client.post(
      '/render/template?download=true',
      { data: { a: 1 }, template: btoa('inline {d.a}') },
      hook('/inline'),
    )
    expect(answer.body.success).toBe(true)
    const { renderId } = JSON.parse((await hooks.next('/inline')).body).data
    expect((await client.get(`/render/${renderId}`)).text).toBe('inline 1')
  })

  it('headers for the webhook are added; its own authorization takes precedence over the egress one', async () => {
    const id = await client.hashed('x')
    const egress = { 'service-egress-header-authorization': 'Bearer egress' }
    await client.post(
      `/render/${id}`,
      { data: {} },
      hook('/h1', { ...egress, 'service-webhook-header-X-Mine': 'yes' }),
    )
    expect((await hooks.next('/h1')).headers).toMatchObject({
      authorization: 'Bearer egress',
      'x-mine': 'yes',
    })
    const own = { 'service-webhook-header-authorization': 'Basic own', 'service-webhook-header-host': 'evil' }
    await client.post(`/render/${id}`, { data: {} }, hook('/h2', { ...egress, ...own }))
    const { headers } = await hooks.next('/h2')
    expect([headers.authorization, headers.host]).toEqual(['Basic own', new URL(hooks.url).host])
  })

  it('a render that fails is reported to the webhook', async () => {
    const id = await client.hashed('Hi {d.a}')
    await client.post(`/render/${id}`, { data: {}, convertTo: 'nonsense' }, hook('/failed'))
    expect(JSON.parse((await hooks.next('/failed')).body)).toEqual({
      success: false,
      error: expect.stringMatching(/^Unable to generate the document\. /),
      code: 'w101',
      data: { renderId: '' },
    })
    await empty('jobs')
  })

  it('notices are signed as Standard Webhooks defines, and repeated with the same body', async () => {
    const id = await client.hashed('x')
    const sent = hook('/503signed', { 'service-webhook-header-webhook-signature': 'v1,mine' })
    await client.post(`/render/${id}`, { data: {} }, sent)
    const { headers, body } = await hooks.next('/503signed')
    const key = Buffer.from(secret.slice(6), 'base64')
    const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const own = createHmac('sha256', key).update('webhook secret of self').digest()
    const signatures = [key, own].map(
      (each) => `v1,${createHmac('sha256', each).update(text).digest('base64')}`,
    )
    expect(headers['webhook-signature']).toBe(signatures.join(' '))
    expect(headers['webhook-id']).toMatch(/^msg_[0-9a-f]{32}$/)
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60)
    const again = (await hooks.next('/503signed')).headers
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      expect(again[name]).toBe(headers[name])
  })

  const job = async (template: string, body: object, path: string) => {
    const id = await client.hashed(template)
    const answer = await client.post(`/render/${id}`, body, hook(path))
    return answer.headers.get('service-job-id') ?? ''
  }
  const state = async (id: string) => (await client.get(`/jobs/${id}`)).body.data.state

  it('GET /jobs/{id} returns the state of the render and how it ended', async () => {
    const id = await job('Hi {d.a}', { data: { a: 1 } }, '/job')
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect((await client.get(`/jobs/${id}`)).body).toMatchObject({ success: true, data: { jobId: id } })
    const { renderId } = JSON.parse((await hooks.next('/job')).body).data
    await expect.poll(() => state(id)).toBe('done')
    const { status, body } = await client.get(`/jobs/${id}`)
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        data: {
          jobId: id,
          state: 'done',
          webhook: { delivered: true, status: '200', calledAt: expect.any(Number) },
          renderId,
          createdAt: expect.any(Number),
          endedAt: expect.any(Number),
        },
      },
    ])
  })

  it('a failed job has its error', async () => {
    const id = await job('x', { data: {}, convertTo: 'nonsense' }, '/job-failed')
    await expect.poll(() => state(id)).toBe('failed')
    expect((await client.get(`/jobs/${id}`)).body.data).toMatchObject({
      error: expect.stringMatching(/^Unable to generate the document\. /),
      code: 'w101',
    })
  })

  it('unknown jobs are 404 when fetched or cancelled', async () => {
    for (const id of ['0'.repeat(32), 'x', 'a/../b', '\u0000', "'"])
      for (const method of ['GET', 'DELETE']) {
        const answer = await client.send(method, `/jobs/${encodeURIComponent(id)}`)
        expect([id, answer.status, answer.body.success]).toEqual([id, 404, false])
      }
  })

  it('DELETE /jobs/{id} cancels a running render and waiting ones, and notifies the webhook', async () => {
    const list = JSON.stringify(Array.from({ length: 50_000 }, (_, at) => `text ${at}`))
    const endless = `{d.list:arrayJoin(', '):len}`.repeat(50_000)
    const short = await client.hashed('Hi {d.a}') // before: an upload is looked into by the worker that will be busy
    const id = await client.hashed(endless)
    const answer = await client.post(`/render/${id}`, `{"data":{"list":${list}}}`, hook('/cancel-running'))
    const running = answer.headers.get('service-job-id') ?? ''
    const second = await client.post(`/render/${short}`, { data: { a: 1 } }, hook('/cancel-waiting'))
    const waiting = second.headers.get('service-job-id') ?? ''
    await expect.poll(() => state(running)).toBe('merging')
    expect(await state(waiting)).toBe('queued')
    for (const one of [waiting, running]) {
      const cancelled = await client.delete(`/jobs/${one}`)
      expect([cancelled.status, cancelled.body.data.state]).toEqual([200, 'notifying'])
      expect([(await client.delete(`/jobs/${one}`)).status]).toEqual([409])
    }
    for (const path of ['/cancel-running', '/cancel-waiting'])
      expect(JSON.parse((await hooks.next(path)).body)).toEqual({
        success: false,
        error: 'The render was cancelled',
        code: 'api.job.cancelled',
        data: { renderId: '' },
      })
    for (const one of [running, waiting]) await expect.poll(() => state(one)).toBe('failed')
    await empty('jobs')
  })

  it('an asynchronous batch gives the same result as a synchronous one', async () => {
    const body = { data: [{ a: 1 }, { a: 2 }], batchSplitBy: 'd', batchReportName: '{d.a}' }
    await job('Hi {d.a}', body, '/batch')
    const { renderId } = JSON.parse((await hooks.next('/batch')).body).data
    expect(renderId).toMatch(/\.zip$/)
    const response = await fetch(`${server.url}/render/${renderId}`)
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
    expect(Object.keys(files)).toEqual(['1.txt', '2.txt'])
    await expect.poll(() => readdir(join(config.dataDir, 'blobs', 'spool', 'renders'))).toEqual([])
  })

  it('mistakes of a batch are answered at once', async () => {
    const id = await client.hashed('x')
    const answer = await client.post(`/render/${id}`, { data: [], batchSplitBy: 'd' }, hook('/never'))
    expect([answer.status, answer.headers.get('service-job-id')]).toEqual([400, null])
  })

  it('mistakes of the request are answered at once', async () => {
    const id = await client.hashed('x')
    expect((await client.post(`/render/${'0'.repeat(64)}`, {}, hook('/never'))).status).toBe(404)
    expect((await client.post(`/render/${id}`, '{', hook('/never'))).status).toBe(400)
    expect((await client.post(`/render/${id}`, { lang: 1 }, hook('/never'))).status).toBe(400)
    expect((await client.post(`/render/${id}`, {}, hook('/never', { 'service-version': '4' }))).status).toBe(
      422,
    )
    expect(hooks.all.filter((notice) => notice.path === '/never')).toEqual([])
  })

  it('one retry after 503 with the same body and headers, none after 400', async () => {
    const id = await client.hashed('x')
    await client.post(`/render/${id}`, { data: {} }, hook('/503', { 'service-webhook-header-x-a': '1' }))
    const first = await hooks.next('/503')
    const second = await hooks.next('/503')
    expect([second.body, second.headers['x-a']]).toEqual([first.body, '1'])
    await client.post(`/render/${id}`, { data: {} }, hook('/400'))
    await hooks.next('/400')
    await empty('jobs')
    expect(hooks.all.filter((notice) => notice.path === '/400')).toHaveLength(1)
  })

  it('waiting requests are encrypted, survive the process and are delivered by the next one', async () => {
    const other = await testConfig({ mergeWorkers: 1, egressAllowPrivate: true })
    const services = await createServices(other.config)
    const app = createApp(services) // takes requests, works off nothing
    const front = createClient(await app.listen({ port: 0, host: '127.0.0.1' }))
    const id = await front.hashed('Hi {d.a}')
    for (let at = 0; at < 5; at++)
      await front.post(`/render/${id}`, { data: { a: 'very-secret' } }, hook(`/later${at}`))
    const folder = join(other.config.dataDir, 'blobs', 'self', 'jobs')
    const waiting = await readdir(folder)
    expect(waiting).toHaveLength(5)
    for (const name of waiting) expect((await readFile(join(folder, name))).includes('secret')).toBe(false)
    expect(await services.queue?.size?.()).toBe(5)
    await app.close()
    await services.stop()

    const next = await startServer(other.config)
    const found = new Set<string>()
    for (let at = 0; at < 5; at++) {
      const { renderId } = JSON.parse((await hooks.next(`/later${at}`)).body).data
      found.add(renderId)
      expect((await createClient(next.url).get(`/render/${renderId}`)).text).toBe('Hi very-secret')
    }
    expect(found.size).toBe(5)
    await next.stop()
    await other.remove()
  })
})

describe('asynchronous renders that take too long', () => {
  it('are reported as failures at their time limit, and leave nothing behind', async () => {
    const hooks = await receiver()
    const changes = { mergeWorkers: 1, egressAllowPrivate: true, asyncTimeout: 300 }
    const { config, remove } = await testConfig(changes)
    const server = await startServer(config)
    const client = createClient(server.url)
    const id = await client.hashed(`{d.list:arrayJoin(', '):len}`.repeat(50_000))
    const list = Array.from({ length: 50_000 }, (_, at) => `text ${at}`)
    const headers = { 'service-webhook-url': `${hooks.url}/late` }
    expect((await client.post(`/render/${id}`, { data: { list } }, headers)).status).toBe(200)
    expect(JSON.parse((await hooks.next('/late')).body)).toEqual({
      success: false,
      error: 'Unable to generate the document. Timeout after 300 ms.',
      code: 'w101',
      data: { renderId: '' },
    })
    await expect.poll(() => readdir(join(config.dataDir, 'blobs', 'self', 'jobs'))).toEqual([])
    await server.stop()
    await remove()
    hooks.close()
  })
})

describe('webhooks to private addresses', () => {
  it('are not called unless the operator allows it', async () => {
    const hooks = await receiver()
    const { config, remove } = await testConfig({ mergeWorkers: 1 })
    const server = await startServer(config)
    const client = createClient(server.url)
    const id = await client.hashed('x')
    const port = new URL(hooks.url).port
    for (const address of [
      `http://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      'http://user:word@example.com/',
    ]) {
      const asked = { 'service-webhook-url': address }
      const answer = await client.post(`/render/${id}`, { data: {} }, asked)
      expect([address, answer.status, answer.body]).toEqual([
        address,
        500,
        { success: false, error: 'Error while setting up the webhook', code: 'api.render.webhook' },
      ])
    }
    expect(hooks.all).toEqual([])
    await server.stop()
    await remove()
    hooks.close()
  })
})

webhookContract('origin, embedded', () => originTarget({ egressAllowPrivate: true, mergeWorkers: 1 }))
