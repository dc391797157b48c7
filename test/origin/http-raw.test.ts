import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { OriginConfig } from '../../origin/config.ts'
import { type RunningServer, startServer } from '../../origin/server.ts'
import { type Client, createClient, unique } from '../contract/http/client.ts'
import { testConfig } from '../helpers/origin-config.ts'
import { openRaw, readRaw } from '../helpers/raw-http.ts'

/** What only a socket can say: cut bodies, aborted transfers, requests that are no HTTP. */
describe('the origin on the wire', () => {
  let server: RunningServer
  let client: Client
  let config: OriginConfig
  let remove: () => Promise<void>
  beforeAll(async () => {
    const made = await testConfig({ maxDataSize: 1_000_000, mergeWorkers: 1 })
    config = made.config
    remove = made.remove
    server = await startServer(config)
    client = createClient(server.url)
  })
  afterAll(async () => {
    await server.stop()
    await remove()
  })
  const files = async (kind: string) =>
    (await readdir(join(config.dataDir, 'blobs', 'self', kind)).catch(() => [])).length
  const until = async (condition: () => Promise<boolean>) => {
    for (let time = 0; time < 100 && !(await condition()); time++)
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await condition()).toBe(true)
  }

  it('an upload cut by its sender leaves nothing behind', async () => {
    const before = await files('templates')
    const raw = await openRaw(server.url)
    raw.write(
      `POST /template HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=B\r\ncontent-length: 9000\r\n\r\n--B\r\nContent-Disposition: form-data; name="template"\r\n\r\n${'x'.repeat(2000)}`,
    )
    await until(async () => (await readdir(join(config.dataDir, 'blobs', '.incoming'))).length > 0)
    raw.destroy()
    await until(async () => (await readdir(join(config.dataDir, 'blobs', '.incoming'))).length === 0)
    expect(await files('templates')).toBe(before)
    expect((await client.get('/status')).status).toBe(200)
  })

  it('a download that is cut leaves the file available', async () => {
    const id = await client.hashed(`${unique('large')}${'0123456789abcdef'.repeat(1_200_000)}`)
    const { renderId } = (await client.post(`/render/${id}`, {})).body.data
    const raw = await openRaw(server.url)
    raw.socket.pause()
    raw.write(`GET /render/${renderId} HTTP/1.1\r\nhost: x\r\n\r\n`)
    await until(async () => (await client.send('HEAD', `/render/${renderId}`)).status === 404)
    raw.destroy()
    await until(async () => (await client.send('HEAD', `/render/${renderId}`)).status === 200)
    const file = await client.get(`/render/${renderId}`)
    expect([file.status, file.text.length > 19_000_000]).toEqual([200, true])
    expect((await client.get(`/render/${renderId}`)).status).toBe(404)
  })

  it('a caller who disconnects during or at the end of a file is not counted as a failure', async () => {
    const { config: loud, remove: removeLoud } = await testConfig({ logLevel: 'warn', mergeWorkers: 1 })
    const reported = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const other = await startServer(loud)
    try {
      const caller = createClient(other.url)
      const id = await caller.hashed('0123456789abcdef'.repeat(1_200_000))
      for (const wanted of [1, 100_000]) {
        const raw = await openRaw(other.url)
        raw.write(`GET /template/${id} HTTP/1.1\r\nhost: x\r\n\r\n`)
        await raw.received((text) => text.length >= wanted)
        raw.destroy()
      }
      // The answer to a body that is not all there yet ends only when the rest was read away.
      const early = await openRaw(other.url)
      early.write(
        `POST /render/${id} HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 9000\r\n\r\nx`,
      )
      await early.received((text) => text.includes('application/json\\"'))
      early.destroy()
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect((await caller.get('/status')).status).toBe(200)
    } finally {
      await other.stop()
      await removeLoud()
    }
    const lines = reported.mock.calls.map(([line]) => String(line))
    reported.mockRestore()
    expect(lines).toEqual([])
  })

  it('a fetched render is removed from the disk', async () => {
    const before = await files('renders')
    const id = await client.hashed('short-lived')
    const { renderId } = (await client.post(`/render/${id}`, { data: {} })).body.data
    expect(await files('renders')).toBe(before + 1)
    await client.get(`/render/${renderId}`)
    await until(async () => (await files('renders')) === before)
  })

  it('a body over the limit is refused before it was sent, in JSON', async () => {
    const raw = await openRaw(server.url)
    raw.write(
      'POST /render/template HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99999999\r\n\r\n{"data"',
    )
    const { status, body } = readRaw(await raw.received((text) => text.includes('}')))
    expect([status, body]).toEqual([
      413,
      {
        success: false,
        error: 'Content too large, the JSON size limit is 1000000 Bytes',
        code: 'api.json.too-large',
      },
    ])
    raw.destroy()
  })

  it('a chunked body over the limit is refused while it is sent', async () => {
    const raw = await openRaw(server.url)
    raw.write(
      'POST /render/template HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    )
    const piece = `${(100_000).toString(16)}\r\n${'x'.repeat(100_000)}\r\n`
    for (let time = 0; time < 12; time++) raw.write(piece)
    const { status } = readRaw(await raw.received((text) => text.includes('}')))
    expect(status).toBe(413)
    raw.destroy()
  })

  it('a sender that is too slow gets an error and is disconnected; nothing of it is stored', async () => {
    const slow = await testConfig({ mergeWorkers: 1, requestTimeout: 1000 })
    const other = await startServer(slow.config)
    const before = createClient(other.url)
    const heads = [
      'POST /render/template HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"data"',
      'POST /template HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=B\r\ncontent-length: 5000\r\n\r\n--B\r\nContent-Disposition: form-data; name="template"\r\n\r\nhalf',
      'GET /status HTTP/1.1\r\nhost: x\r\nx-never: ',
    ]
    for (const head of heads) {
      const raw = await openRaw(other.url)
      raw.write(head)
      const { status, body } = readRaw(await raw.received())
      expect([head.slice(0, 15), status, body]).toEqual([
        head.slice(0, 15),
        408,
        { success: false, error: 'The request body did not arrive in time.', code: 'api.body.slow' },
      ])
    }
    expect((await before.get('/templates')).body.data).toEqual([])
    await other.stop()
    await slow.remove()
  })

  describe('callers who hold connections open', () => {
    const requestTimeout = 500 // ms
    let slow: Awaited<ReturnType<typeof testConfig>>
    let other: RunningServer
    beforeAll(async () => {
      slow = await testConfig({ mergeWorkers: 1, requestTimeout })
      other = await startServer(slow.config)
    })
    afterAll(async () => {
      await other.stop()
      await slow.remove()
    })
    const paths = [
      '/render/template',
      '/render/template/stream',
      '/render/template?download=true',
      '/template',
    ]
    const types = [
      'application/json',
      'application/x-ndjson',
      'multipart/form-data; boundary=B',
      'text/plain',
    ]
    const bodies = paths.flatMap((path) => types.map((type) => [path, type] as const))

    it.each([
      ...bodies,
      ['/nowhere', 'application/x-ndjson'] as const,
      ['/internal/render', 'application/octet-stream'] as const,
    ])('a body of POST %s as %s that goes on byte by byte is refused', async (path, type) => {
      const raw = await openRaw(other.url)
      const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`
      raw.write(head)
      const dribbling = setInterval(() => raw.write('1\r\n{\r\n'), requestTimeout / 10)
      // After its answer the rest is read for a while, so that the sender sees the answer, before the connection is cut.
      const { status } = readRaw(await raw.received((text) => text.endsWith('}')))
      clearInterval(dribbling)
      raw.destroy()
      expect(status).toBeGreaterThanOrEqual(400)
    })

    it.each([
      ['says nothing', ''],
      ['stops after a line of headers', 'GET /status HTTP/1.1\r\nhost: x\r\n'],
      ['sends headers without end', 'GET /status HTTP/1.1\r\nhost: x\r\nx-a: '],
    ])('a connection that %s is closed', async (_, text) => {
      const raw = await openRaw(other.url)
      if (text !== '') raw.write(text)
      const dribbling = text === '' ? undefined : setInterval(() => raw.write('a'), requestTimeout / 10)
      await raw.received()
      clearInterval(dribbling)
    })
  })

  it('more simultaneous renders of one client than allowed are 429, with retry-after', async () => {
    const limited = await testConfig({ mergeWorkers: 1, maxClientRenders: 2 })
    const other = await startServer(limited.config)
    const open = async () => {
      const raw = await openRaw(other.url)
      raw.write(
        'POST /render/template HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{',
      )
      return raw
    }
    const held = [await open(), await open()]
    const one = createClient(other.url)
    await expect.poll(async () => (await one.post('/render/template', { data: {} })).status).toBe(429)
    const refused = await one.post('/render/template', { data: {} })
    expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
      429,
      { success: false, error: 'Too Many Requests', code: 'api.too-many' },
      '1',
    ])
    expect((await one.get('/templates')).status).toBe(200)
    for (const raw of held) raw.destroy()
    await expect.poll(async () => (await one.post('/render/template', { data: {} })).status).toBe(422)
    await other.stop()
    await limited.remove()
  })

  it('Expect: 100-continue is honoured', async () => {
    const raw = await openRaw(server.url)
    raw.write(
      'POST /render/template HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n',
    )
    expect(await raw.received((text) => text.includes('\r\n\r\n'))).toMatch(/^HTTP\/1\.1 100 Continue/)
    raw.write('{}')
    expect(await raw.received((text) => text.includes('}'))).toContain('422')
    raw.destroy()
  })

  it('malformed HTTP and endless headers are answered with JSON', async () => {
    const rows: readonly [string, number][] = [
      ['NONSENSE\r\n\r\n', 400],
      [`GET /status HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`, 431],
      ['GET /status HTTP/1.1\r\nhost: x\r\ncontent-length: abc\r\n\r\n', 400],
      [
        'POST /a HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
        400,
      ],
      ['POST /a HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ncontent-length: 5\r\n\r\n', 400],
    ]
    for (const [text, expected] of rows) {
      const raw = await openRaw(server.url)
      raw.write(text)
      const { status, body } = readRaw(await raw.received())
      expect([status, (body as { success: boolean }).success]).toEqual([expected, false])
    }
  })

  it('answers unknown expectations, absolute URLs and requests without a host', async () => {
    const rows: readonly (readonly [string, RegExp])[] = [
      ['GET /status HTTP/1.1\r\nhost: x\r\nexpect: 202-something', /^HTTP\/1\.1 200 .*"OK"/s],
      ['GET http://other.example/status HTTP/1.1\r\nhost: x', /^HTTP\/1\.1 200 .*"OK"/s],
      ['GET http://other.example HTTP/1.1\r\nhost: x', /^HTTP\/1\.1 200 .*"OK"/s],
      ['GET http://other.example?a HTTP/1.1\r\nhost: x', /^HTTP\/1\.1 200 .*"OK"/s],
      ['GET /status HTTP/1.0', /^HTTP\/1\.1 200 .*"OK"/s],
      ['GET /status HTTP/1.1', /^HTTP\/1\.1 400 .*application\/json.*"Invalid HTTP request\."/s],
      [
        'GET /status HTTP/1.1\r\nhost: x\r\nHost: y',
        /^HTTP\/1\.1 400 .*application\/json.*"Invalid HTTP request\."/s,
      ],
      [
        'GET /openapi.json HTTP/1.1\r\nhost: "><script>',
        /^HTTP\/1\.1 400 .*application\/json.*"Invalid HTTP request\."/s,
      ],
      ['GET /status HTTP/1.1\r\nhost: [::1]:4000', /^HTTP\/1\.1 200 .*"OK"/s],
      ['POST /nowhere HTTP/1.1', /^HTTP\/1\.1 400 .*application\/json.*"Invalid HTTP request\."/s],
      ['OPTIONS * HTTP/1.1\r\nhost: x', /^HTTP\/1\.1 204 /],
    ]
    for (const [head, says] of rows) {
      const raw = await openRaw(server.url)
      raw.write(`${head}\r\nconnection: close\r\n\r\n`)
      expect([head, await raw.received((text) => says.test(text))]).toEqual([
        head,
        expect.stringMatching(says),
      ])
      raw.destroy()
    }
  })

  it('paths with dots are refused as IDs', async () => {
    for (const path of ['/render/../../etc/passwd', '/template/..', '/template/%2e%2e/x', '/render/a/b/c']) {
      const raw = await openRaw(server.url)
      raw.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
      const { status, body } = readRaw(await raw.received())
      expect([path, status, (body as { code: string }).code]).toEqual([path, 400, 'w115'])
    }
  })

  it('a malformed content type at an unknown address is still a 404', async () => {
    const answer = await client.post('/nowhere', 'x', { 'content-type': '(none)' })
    expect([answer.status, answer.body]).toEqual([
      404,
      { success: false, error: 'Not found', code: 'api.not-found' },
    ])
  })

  it('requests that are sent ahead are answered in their order', async () => {
    const raw = await openRaw(server.url)
    const asked = ['/status', '/openapi.json', '/nowhere', '/conversions', '/status', '/templates', '/status']
    raw.write(asked.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''))
    const text = await raw.received(
      (text) => text.split('HTTP/1.1 ').length > asked.length && text.endsWith('}'),
    )
    const starts = text
      .split('HTTP/1.1 ')
      .slice(1)
      .map((answer) => answer.split('\r\n\r\n')[1]?.slice(0, 30))
    expect(starts).toEqual([
      expect.stringContaining('"code":200'),
      expect.stringContaining('"openapi"'),
      expect.stringContaining('"success":false'),
      expect.stringContaining('"data":['),
      expect.stringContaining('"code":200'),
      expect.stringContaining('"data":['),
      expect.stringContaining('"code":200'),
    ])
    raw.destroy()
  })

  it('connections are reused for the next request', async () => {
    const raw = await openRaw(server.url)
    for (let time = 1; time <= 3; time++) {
      raw.write('GET /status HTTP/1.1\r\nhost: x\r\n\r\n')
      await raw.received((text) => text.split('"OK"').length === time + 1)
    }
    raw.destroy()
  })

  it('GET /metrics has the Prometheus format, and counts what was done', async () => {
    const id = await client.hashed(`${unique('m')} {d.a}`)
    const value = async (line: string) => {
      const { text } = await client.get('/metrics')
      const found = text.split('\n').find((each) => each.startsWith(`${line} `))
      return Number(found?.slice(line.length + 1) ?? 0)
    }
    const lines = [
      'merges_total{outcome="done"}',
      'merge_plans_reused_total',
      'merge_duration_seconds_count',
      'http_requests_total{operation="render",status="200"}',
      'http_requests_total{operation="getTemplate",status="404"}',
      'http_request_duration_seconds_count{operation="render"}',
      'conversions_total{engine="default",outcome="failed-caller"}',
    ]
    const before = await Promise.all(lines.map(value))
    for (let time = 0; time < 3; time++) await client.post(`/render/${id}?download=true`, { data: { a: 1 } })
    await client.get(`/template/${'e'.repeat(64)}`)
    await client.post(`/render/${id}`, { data: {}, convertTo: 'pdf', converter: 'Z' })
    // A request is counted when its answer has been sent, which the client may see first.
    await expect
      .poll(async () => (await Promise.all(lines.map(value))).map((one, at) => one - before[at]!))
      .toEqual([4, 3, 4, 3, 1, 4, 1])
    const answer = await client.get('/metrics')
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(answer.text).toMatch(/^# HELP queued .*\n# TYPE queued gauge\nqueued \d+\n/)
    for (const name of [
      'jobs',
      'merge_workers',
      'template_cache_bytes',
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
    ])
      expect([name, await value(name)]).toEqual([name, expect.any(Number)])
    for (const line of answer.text.trim().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) [a-z_0-9]+ .+|[a-z_0-9]+(\{([a-z]+="[^"]*",?)+\})? [\d.e+-]+)$/)
  })
})

describe('the limits of time', () => {
  it('a render that takes longer is the documented 500, and the next one succeeds', async () => {
    const { config, remove } = await testConfig({ mergeWorkers: 1, renderTimeout: 300 })
    const server = await startServer(config)
    const client = createClient(server.url)
    const endless = await client.hashed(`{d.list:arrayJoin(', '):len}`.repeat(50_000))
    const list = Array.from({ length: 50_000 }, (_, at) => `text ${at}`)
    const late = await client.post(`/render/${endless}`, { data: { list } })
    expect([late.status, late.body]).toEqual([
      500,
      {
        success: false,
        error: 'Unable to generate the document. Timeout after 300 ms.',
        code: 'w101',
        data: { renderId: '' },
      },
    ])
    const id = await client.hashed('fine {d.a}')
    await expect
      .poll(async () => (await client.post(`/render/${id}?download=true`, { data: { a: 1 } })).text)
      .toBe('fine 1')
    await server.stop()
    await remove()
  })
})

describe('stopping the origin', () => {
  it('lets running renders finish, refuses new ones, then frees the port', async () => {
    const { config, remove } = await testConfig({ mergeWorkers: 1, stopDelay: 300 })
    const server = await startServer(config)
    const client = createClient(server.url)
    const id = await client.hashed('{d.list[i].a} {d.list[i+1].a}')
    // The body is on its way when the stop begins, and complete only after it.
    const raw = await openRaw(server.url)
    const body = JSON.stringify({ data: { list: [{ a: 'first' }, { a: 'last' }] } })
    raw.write(
      `POST /render/${id}?download=true HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    )
    await client.get('/status')
    const stopped = server.stop()
    const status = await client.get('/status')
    expect([status.status, status.body]).toEqual([
      503,
      { success: false, code: 503, message: 'Stopping', version: expect.any(String) },
    ])
    const refused = await client.post(`/render/${id}`, { data: {} })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    raw.write(body.slice(10))
    expect(await raw.received()).toContain('first last')
    await stopped
    await expect(client.get('/status')).rejects.toThrow()
    await remove()
  })

  it('does not wait for idle connections, which browsers open ahead', async () => {
    const { config, remove } = await testConfig({ mergeWorkers: 1 })
    const server = await startServer(config)
    const silent = await openRaw(server.url)
    await createClient(server.url).get('/status')
    const late = new Promise((resolve) => setTimeout(resolve, 20_000, 'late').unref())
    expect(await Promise.race([server.stop(), late])).toBeUndefined()
    expect(await silent.received()).toBe('')
    await remove()
  })
})

describe('stateless mode', () => {
  it('keeps templates by hash over restarts, answers 501 where a database is needed', async () => {
    const { config, remove } = await testConfig({ stateless: true, mergeWorkers: 1 })
    let server = await startServer(config)
    let client = createClient(server.url)
    const answer = await client.form({ versioning: 'true', name: 'x' }, { bytes: 'Hi {d.a}' })
    const { templateId } = answer.body.data
    expect(Object.keys(answer.body.data)).toEqual(['templateId', 'templateExtension'])
    for (const [method, path] of [
      ['GET', '/templates'],
      ['GET', '/templates/tags'],
      ['GET', '/templates/categories'],
      ['PATCH', `/template/${templateId}`],
    ] as const) {
      const { status, body } = await client.send(method, path)
      expect([status, body]).toEqual([
        501,
        {
          success: false,
          error:
            'The service is running in stateless mode (no database), this endpoint is not available in this mode',
          code: 'w130',
        },
      ])
    }
    await server.stop()
    server = await startServer(config)
    client = createClient(server.url)
    const { renderId } = (await client.post(`/render/${templateId}`, { data: { a: 1 } })).body.data
    expect((await client.get(`/render/${renderId}`)).text).toBe('Hi 1')
    expect((await client.get(`/render/${renderId}`)).status).toBe(404)
    expect((await client.get(`/template/${templateId}`)).text).toBe('Hi {d.a}')
    expect((await client.delete(`/template/${templateId}`)).status).toBe(200)
    expect((await client.post(`/render/${templateId}`, { data: {} })).status).toBe(404)
    expect((await client.get('/template/123456')).status).toBe(404)
    await server.stop()
    await remove()
  })
})
