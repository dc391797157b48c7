import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { createAlternative, samples } from './alternative.ts'

const secret = 'a secret of thirty-two characters'
const pdf = '%PDF-1.7\nmade elsewhere\n%%EOF\n'

/** A document server that speaks the public protocol: it fetches, "converts", hands out. */
interface Docs {
  readonly url: string
  readonly fetched: Uint8Array[]
  behaviour: {
    readonly path?: string
    readonly answer?: (round: number) => Record<string, unknown>
    readonly file?: (response: ServerResponse) => void
    readonly silent?: true
  }
  rounds: number
}
let docs: Docs
let server: Server
beforeAll(async () => {
  const fetched: Uint8Array[] = []
  server = createServer(
    (request, response) => void serve(request, response).catch(() => response.writeHead(500).end()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  docs = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`,
    fetched,
    behaviour: {},
    rounds: 0,
  }
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { behaviour } = docs
  if (behaviour.silent) return
  if (request.url === '/docs/healthcheck') return void response.end('true')
  if (request.url?.startsWith('/docs/cache/')) {
    if (behaviour.file !== undefined) return behaviour.file(response)
    return void response.end(pdf)
  }
  if (request.url !== `/docs/${behaviour.path ?? 'converter'}`)
    return void response.writeHead(404).end('no such place')
  let text = ''
  for await (const chunk of request) text += chunk
  const { token, ...body } = JSON.parse(text) as Record<string, unknown> & { token: string }
  const key = new TextEncoder().encode(secret)
  const inBody = await jwtVerify(token, key).catch(() => undefined)
  const bearer = String(request.headers.authorization).replace(/^Bearer /, '')
  const inHeader = await jwtVerify(bearer, key).catch(() => undefined)
  const answer = (value: unknown) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  if (inBody === undefined || inHeader === undefined) return answer({ error: -8 })
  expect(inBody.payload).toMatchObject(body)
  expect(inHeader.payload['payload']).toEqual(body)
  expect(body).toMatchObject({
    async: false,
    outputtype: 'pdf',
    filetype: expect.stringMatching(/^(docx|xlsx|pptx)$/),
  })
  const given = behaviour.answer?.(++docs.rounds)
  if (given !== undefined) return answer(given)
  const source = await fetch(String(body['url']))
  if (!source.ok) return answer({ error: -4 })
  docs.fetched.push(new Uint8Array(await source.arrayBuffer()))
  // The address is the one that the server has for itself.
  answer({
    endConvert: true,
    fileType: 'pdf',
    percent: 100,
    fileUrl: 'http://docs.internal:8000/docs/cache/file.pdf?a=1',
  })
}

async function convert(
  behaviour: Docs['behaviour'] = {},
  settings: Record<string, unknown> = {},
  deadlineMs = 200_000,
) {
  docs.behaviour = behaviour
  docs.rounds = 0
  const alternative = createAlternative({ url: docs.url, secret, ...settings })
  try {
    return Buffer.from(await alternative.convert(samples.docx, 'docx', { deadlineMs })).toString()
  } catch (error) {
    return error instanceof AppError ? `${error.code}: ${error.message}` : String(error)
  } finally {
    await alternative.engine.stop?.()
  }
}

describe('ONLYOFFICE Docs', () => {
  it('fetches the document from us and gives the PDF', async () => {
    expect(await convert()).toBe(pdf)
    expect(docs.fetched.at(-1)).toEqual(samples.docx)
  })
  it('is called at the older address where the newer one does not exist', async () => {
    expect(await convert({ path: 'ConvertService.ashx' })).toBe(pdf)
  })
  it('is polled while it works', async () => {
    const done = { endConvert: true, percent: 100, fileUrl: `${docs.url}/cache/x.pdf` }
    expect(
      await convert({ answer: (round) => (round < 3 ? { endConvert: false, percent: 30 * round } : done) }),
    ).toBe(pdf)
    expect(docs.rounds).toBe(3)
  })
  it('is named in health', async () => {
    docs.behaviour = {}
    expect(await createAlternative({ url: docs.url }).engine.health?.()).toEqual({
      ok: true,
      using: 'ONLYOFFICE Docs',
    })
    expect(await createAlternative({ url: 'http://127.0.0.1:1' }).engine.health?.()).toMatchObject({
      ok: false,
    })
  })
  it('stops giving the document out when the conversion is over', async () => {
    let seen = ''
    docs.behaviour = {}
    const alternative = createAlternative({ url: docs.url, secret })
    const original = globalThis.fetch
    globalThis.fetch = (input, init) => {
      const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as { url?: string }) : {}
      seen = body.url ?? seen
      return original(input, init)
    }
    try {
      await alternative.convert(samples.docx, 'docx')
    } finally {
      globalThis.fetch = original
    }
    expect((await fetch(seen)).status).toBe(404)
    await alternative.engine.stop?.()
  })

  it.each<[string, Docs['behaviour'], Record<string, unknown>, string]>([
    ['a password', { answer: () => ({ error: -5 }) }, {}, 'convert.password'],
    ['a damaged document', { answer: () => ({ error: -3 }) }, {}, 'convert.document'],
    ['its own timeout', { answer: () => ({ error: -2 }) }, {}, 'convert.timeout'],
    ['an unknown error', { answer: () => ({ error: -1 }) }, {}, 'convert.failed'],
    [
      'a document it cannot fetch',
      { answer: () => ({ error: -4 }) },
      {},
      'convert.engine-off: .*SERVICE_OFFICE_ALT_CALLBACK',
    ],
    ['another secret', {}, { secret: 'another' }, 'convert.engine-off: .*SERVICE_OFFICE_ALT_SECRET'],
    [
      'a result that is gone',
      { file: (response) => void response.writeHead(404).end() },
      {},
      'convert.failed',
    ],
    ['a result that is none', { file: (response) => void response.end('oops') }, {}, 'convert.failed'],
    [
      'a result that is cut off',
      {
        file: (response) =>
          void response.writeHead(200, { 'content-length': 900 }).write('%PDF', () => response.destroy()),
      },
      {},
      'convert.engine-off',
    ],
    [
      'a result elsewhere',
      { file: (response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end() },
      {},
      'convert.engine-off',
    ],
    ['no server', {}, { url: 'http://127.0.0.1:1' }, 'convert.engine-off'],
    ['no such place', { path: 'elsewhere' }, {}, 'convert.engine-off'],
  ])('reports %s', async (_, behaviour, settings, expected) => {
    expect(await convert(behaviour, settings)).toMatch(new RegExp(`^${expected}`))
  })
  it('ends at the deadline when the server does not answer', async () => {
    expect(await convert({ silent: true }, {}, 700)).toMatch(/^convert.timeout/)
  })
})
