import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../contract/http/client.ts'
import { freePort } from '../helpers/free-port.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const server = new URL('../../origin/server.ts', import.meta.url).pathname

/** A process of its own, as `npm start` runs it, in a folder that outlives it. */
async function start(folder: string, more: Readonly<Record<string, string>> = {}) {
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, [server], {
    env: {
      ...process.env,
      SERVICE_WORKDIR: folder,
      SERVICE_PORT: String(port),
      SERVICE_PREWARM: 'false',
      SERVICE_MERGE_WORKERS: '1',
      SERVICE_EGRESS_ALLOW_PRIVATE: 'true',
      SERVICE_LOG_LEVEL: 'error',
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout!.on('data', (chunk) => (said += chunk))
  child.stderr!.on('data', (chunk) => (said += chunk))
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  await expect.poll(() => (child.exitCode === null ? said : 'ended')).toContain('platen listens on')
  return {
    client: createClient(url),
    said: () => said,
    async end(signal: 'SIGKILL' | 'SIGTERM') {
      child.kill(signal)
      await ended
    },
  }
}

describe('a process that is killed', () => {
  let folder = ''
  const notices: { readonly path: string; readonly body: string }[] = []
  const hooks = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    notices.push({ path: request.url ?? '', body })
    response.end()
  })
  beforeAll(async () => {
    folder = temporaryFolder('platen-durable')
    await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    hooks.close()
    await rm(folder, { recursive: true, force: true })
  })
  const hook = (path: string) => `http://127.0.0.1:${(hooks.address() as AddressInfo).port}${path}`

  it('kill -9 loses no waiting or running render: the next process delivers each, once', async () => {
    const first = await start(folder)
    // In one thread, and much slower than they are sent: most still wait when the process dies.
    const id = await first.client.hashed('{d.n} {d.list[i].a:arrayJoin()}{d.list[i+1].a:arrayJoin()}')
    const slow = { list: Array.from({ length: 30_000 }, (_, at) => ({ a: [at, 'x'] })) }
    const jobs = 12
    for (let n = 0; n < jobs; n++) {
      const answer = await first.client.post(
        `/render/${id}`,
        { data: { n: `number ${n};`, ...slow } },
        { 'service-webhook-url': hook(`/job/${n}`) },
      )
      expect(answer.status).toBe(200)
    }
    const stored = await first.client.post(`/render/${id}`, { data: { n: 'kept', list: [] } })
    await first.end('SIGKILL')
    const before = notices.length
    expect(before).toBeLessThan(jobs)

    const second = await start(folder)
    await expect.poll(() => new Set(notices.map(({ path }) => path)).size).toBe(jobs)
    const renders = new Map<string, string>()
    for (const { path, body } of notices) {
      const { success, data } = JSON.parse(body) as { success: boolean; data: { renderId: string } }
      expect([path, success]).toEqual([path, true])
      // Told twice, if it was killed between telling and writing down that it did, it is the same render.
      expect(renders.get(path) ?? data.renderId).toBe(data.renderId)
      renders.set(path, data.renderId)
    }
    for (const [path, renderId] of renders) {
      const file = await second.client.get(`/render/${renderId}`)
      expect([path, file.status, file.text.startsWith(`number ${path.slice(5)};`)]).toEqual([path, 200, true])
      expect((await second.client.get(`/render/${renderId}`)).status).toBe(404)
    }
    // What was stored before is there too, templates and renders.
    expect((await second.client.get(`/render/${stored.body.data.renderId}`)).text).toBe('kept ')
    expect((await second.client.get(`/template/${id}`)).status).toBe(200)
    await second.end('SIGTERM')
  })

  it('an upload whose process is killed leaves nothing visible', async () => {
    const first = await start(folder)
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(
          new TextEncoder().encode('--B\r\nContent-Disposition: form-data; name="template"\r\n\r\nhalf'),
        )
        await new Promise(() => {})
      },
    })
    const sending = fetch(`${first.client.url}/template`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=B' },
      body,
      duplex: 'half',
    } as RequestInit).catch(() => undefined)
    const known = (await first.client.get('/templates')).body.data.length
    await first.end('SIGKILL')
    await sending
    const second = await start(folder)
    expect((await second.client.get('/templates')).body.data).toHaveLength(known)
    await second.end('SIGTERM')
  })
})

describe('the data of renders', () => {
  it('is neither logged nor stored, even at the level debug, however the render ends', async () => {
    const folder = temporaryFolder('platen-secret')
    const service = await start(folder, { SERVICE_LOG_LEVEL: 'debug' })
    const secret = 'Top-Secret-Word'
    const { client } = service
    const id = await client.hashed('{d.a}')
    const body = { data: { a: secret }, complement: { b: secret }, reportName: '{d.a}' }
    expect((await client.post(`/render/${id}?download=true`, body)).text).toBe(secret)
    const stored = await client.post(`/render/${id}`, body)
    expect((await client.get(`/render/${stored.body.data.renderId}`)).text).toBe(secret)
    for (const wrong of [
      { convertTo: 'nonsense' },
      { convertTo: 'parquet' },
      { lang: 7 },
      { batchSplitBy: 'd' },
    ])
      expect((await client.post(`/render/${id}`, { ...body, ...wrong })).status).toBeGreaterThanOrEqual(400)
    await client.post(`/render/${id}`, `{"data":{"a":"${secret}"`)
    const broken = await client.hashed('{d.a:nonsense(}')
    await client.post(`/render/${broken}`, body)
    const job = await client.post(`/render/${id}`, body, { 'service-webhook-url': 'http://127.0.0.1:9/' })
    const path = `/jobs/${job.headers.get('service-job-id')}`
    await expect.poll(async () => (await client.get(path)).body.data.state).toBe('done')
    expect((await client.get(`/render/${(await client.get(path)).body.data.renderId}`)).text).toBe(secret)
    await service.end('SIGTERM')
    expect(service.said()).toContain('request.refused')
    expect(service.said()).not.toContain('Secret-Word')
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const bytes = await readFile(join(entry.parentPath, entry.name))
      expect([entry.name, bytes.includes('Secret-Word')]).toEqual([entry.name, false])
    }
    await rm(folder, { recursive: true, force: true })
  })
})

describe('a process that cannot start', () => {
  const reported = async (more: Readonly<Record<string, string>>, args: readonly string[] = []) => {
    const folder = temporaryFolder('platen-start')
    const child = spawn(process.execPath, [server, '--workdir', folder, '--prewarm', 'false', ...args], {
      env: { ...process.env, SERVICE_LOG_LEVEL: 'silent', ...more },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (chunk) => (said += chunk))
    const [code] = await once(child, 'close')
    await rm(folder, { recursive: true, force: true })
    return [code, said.trim()]
  }

  it('prints the reason in a sentence, without a stack', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const port = String((taken.address() as AddressInfo).port)
    const rows: readonly [Readonly<Record<string, string>>, RegExp][] = [
      [
        { SERVICE_PORT: port },
        /^platen did not start\. Port \d+ of 127\.0\.0\.1 is taken by another program\..*--port/,
      ],
      [{ SERVICE_PORT: '0', SERVICE_BIND: '192.0.2.1' }, /192\.0\.2\.1 is not an address of this machine/],
      [{ SERVICE_PORT: '0', SERVICE_DATA_DIR: '/dev/null/x' }, /is not a folder\. Set --dataDir/],
      [{ SERVICE_PORT: '0', SERVICE_AUTHENTICATION: 'treu' }, /SERVICE_AUTHENTICATION is not a usable value/],
      [
        { SERVICE_PORT: '0', SERVICE_AUTHENTICATION: 'true', SERVICE_AUTHENTICATION_PUBLIC_KEY: 'x' },
        /there is no PEM block/,
      ],
      [{ SERVICE_PORT: '0', SERVICE_WEBHOOK_SECRET: 'short' }, /A webhook secret is whsec_/],
      [{ SERVICE_PORT: '0', SERVICE_PLUGINS: './none.ts' }, /none\.ts/],
    ]
    for (const [more, message] of rows) {
      const [code, said] = await reported(more)
      expect([JSON.stringify(more), code, said]).toEqual([
        JSON.stringify(more),
        1,
        expect.stringMatching(message),
      ])
      expect(said).not.toMatch(/\n\s+at /)
    }
    taken.close()
  })
})
