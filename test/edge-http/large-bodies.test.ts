import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  base64,
  type Client,
  createClient,
  nobody,
  sha256,
  type Target,
  unique,
} from '../contract/http/client.ts'
import { edgeTarget } from '../helpers/edge-target.ts'
import { originTarget } from '../helpers/origin-target.ts'

const secret = 'a secret that both sides know, for tests alone'

/** Bodies that an isolate does not buffer are streamed to one of two origins; a third address does not answer. */
describe('bodies above what the edge holds', () => {
  const origins: Target[] = []
  let edge: Target
  let client: Client
  beforeAll(async () => {
    for (let count = 0; count < 2; count++)
      origins.push(await originTarget({ originSecret: secret, mergeWorkers: 1, egressAllowPrivate: true }))
    edge = await edgeTarget({
      SERVICE_ORIGIN_URL: [...origins.map(({ url }) => url), 'http://127.0.0.1:9'].join(','),
      SERVICE_ORIGIN_SECRET: secret,
      SERVICE_HELD_BODY_SIZE: '100000',
    })
    client = createClient(edge.url)
  })
  afterAll(async () => {
    await edge?.stop()
    for (const origin of origins) await origin.stop()
  })
  const filler = 'x'.repeat(150_000)
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    client.post(path, body, headers)
  const stored = () => client.hashed(`${unique('large')} {d.a}`)

  it('a stored template with large data', async () => {
    const id = await stored()
    for (let time = 0; time < 4; time++) {
      const file = await post(`/render/${id}?download=true`, {
        data: { a: time, filler },
        reportName: 'for {d.a} é',
      })
      expect([file.status, file.text.endsWith(` ${time}`), file.headers.get('content-disposition')]).toEqual([
        200,
        true,
        `attachment; filename="for%20${time}%20%C3%A9.txt"`,
      ])
    }
  })

  it('a stored render of it, fetched once', async () => {
    const { renderId } = (await post(`/render/${await stored()}`, { data: { a: 7, filler } })).body.data
    expect((await client.get(`/render/${renderId}`)).text).toMatch(/ 7$/)
    expect((await client.get(`/render/${renderId}`)).status).toBe(404)
  })

  it('an inline template of many megabytes', async () => {
    const text = `{d.a}${'0123456789abcdef'.repeat(600_000)}`
    const file = await post('/render/template?download=true', { data: { a: 'ok' }, template: base64(text) })
    expect([file.status, file.text.length, file.text.slice(0, 4)]).toEqual([200, 9_600_002, 'ok01'])
  })

  it('a batch, and the same rules for it', async () => {
    const data = Array.from({ length: 5 }, (_, at) => ({ a: at, filler }))
    const response = await fetch(`${edge.url}/render/${await stored()}?download=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data, batchSplitBy: 'd', batchReportName: 'n{d.a}' }),
    })
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(Object.keys(unzipSync(new Uint8Array(await response.arrayBuffer())))).toHaveLength(5)
    const refused = await post(`/render/${await stored()}`, { data: [filler, 1], batchSplitBy: 'd' })
    expect([refused.status, refused.body.error]).toEqual([
      400,
      expect.stringMatching(/must name an array of objects/),
    ])
  })

  it('mistakes are answered as for small bodies', async () => {
    const id = await stored()
    const rows: readonly (readonly [string, string | object, Record<string, string>, number, RegExp])[] = [
      [`/render/${id}`, `{"data":{"a":1},"filler":"${filler}"`, {}, 400, /^Invalid JSON body/],
      [`/render/${id}`, { data: 7, filler }, {}, 400, /^Invalid request body\. Error: "data"/],
      [`/render/${id}`, { filler }, { 'service-version': '4' }, 422, /^Missing "data"/],
      [
        `/render/${id}`,
        { data: { filler }, convertTo: 'nonsense' },
        {},
        500,
        /^Unable to generate the document\. /,
      ],
      ['/render/template', { data: { filler } }, {}, 422, /^"template" field is empty/],
      ['/render/template', { data: { filler }, template: '!!!' }, {}, 415, /^Template format not supported/],
    ]
    for (const [path, body, headers, status, message] of rows) {
      const answer = await client.post(path, body, headers)
      expect([path, answer.status, answer.body?.success, answer.body?.error]).toEqual([
        path,
        status,
        false,
        expect.stringMatching(message),
      ])
    }
  })

  it('a body without a length, and one over the limit', async () => {
    const send = (size: number) => {
      const pieces = [`{"data":{"a":1,"filler":"`, ...Array<string>(size).fill('x'.repeat(1_000_000)), '"}}']
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const next = pieces.shift()
          if (next === undefined) controller.close()
          else controller.enqueue(new TextEncoder().encode(next))
        },
      })
      const headers = { 'content-type': 'application/json' }
      return { headers, body, duplex: 'half' } as RequestInit
    }
    const id = await stored()
    const file = await client.send('POST', `/render/${id}?download=true`, send(3))
    expect([file.status, file.text.endsWith(' 1')]).toEqual([200, true])
    const large = await client.send('POST', `/render/${id}`, send(65))
    expect([large.status, large.body.error]).toEqual([
      413,
      'Content too large, the JSON size limit is 62914560 Bytes',
    ])
  })

  it('the body of an asynchronous render waits encrypted and is streamed to an origin later', async () => {
    const id = await stored()
    const answer = await post(`/render/${id}`, { data: { a: 'later', filler } }, nobody)
    expect(answer.body).toMatchObject({ success: true, data: { renderId: '' } })
    const path = `/jobs/${answer.headers.get('service-job-id')}`
    await expect.poll(async () => (await client.get(path)).body.data.state, { interval: 200 }).toBe('done')
    const { renderId } = (await client.get(path)).body.data
    expect((await client.get(`/render/${renderId}`)).text).toMatch(/ later$/)
  })

  it('an upload in base64 of 20 MB keeps its hash', async () => {
    const text = `${unique('b64')}${'0123456789abcdef'.repeat(1_300_000)}`
    const answer = await client.post('/template', { template: base64(text), comment: 'after the file' })
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, data: { templateId: await sha256(text), templateExtension: 'txt' } },
    ])
    expect((await client.get(`/template/${await sha256(text)}`)).text).toBe(text)
  })

  it('falls back to the remaining origin, and fails when none is left', async () => {
    const id = await stored()
    await origins.pop()!.stop()
    for (let time = 0; time < 5; time++)
      expect((await post(`/render/${id}?download=true`, { data: { a: time, filler } })).text).toMatch(/ \d$/)
    await origins.pop()!.stop()
    const answer = await post(`/render/${id}`, { data: { filler } })
    expect([answer.status, answer.body.error]).toEqual([502, expect.stringContaining('No origin server')])
    expect(answer.text).not.toContain('127.0.0.1')
    expect((await post(`/render/${id}?download=true`, { data: { a: 'small' } })).text).toMatch(/ small$/)
  })
})

/** Bodies of few bytes that take much memory once they are parsed, and templates that make much of them. */
describe('renders above what an isolate can do', () => {
  let origin: Target
  let [edge, alone]: (Target | undefined)[] = []
  beforeAll(async () => {
    origin = await originTarget({ originSecret: secret, mergeWorkers: 1 })
    edge = await edgeTarget({ SERVICE_ORIGIN_URL: origin.url, SERVICE_ORIGIN_SECRET: secret })
    alone = await edgeTarget({})
  })
  afterAll(async () => {
    for (const target of [edge, alone, origin]) await target?.stop()
  })
  const long = 'x'.repeat(600)
  const renders: readonly (readonly [string, string, RegExp])[] = [
    [
      'data of a million and a half lists',
      `{"template":"${base64('{d.a} is done')}","data":{"a":"it","b":[${'[],'.repeat(1_500_000)}[]]}}`,
      /^Content too large, "data" takes more than 67108864 Bytes of memory/,
    ],
    [
      'a text of 60 MB',
      `{"template":"${base64(`{d.a[i]}${long}\n{d.a[i+1]}\n{d.end} is done`)}","data":{"end":"it","a":[${'1,'.repeat(100_000)}1]}}`,
      /The rendered .* is larger than 50331648 bytes/,
    ],
  ]

  it.each(renders)(
    '%s is rendered by an origin, and refused where there is none',
    async (_, body, refusal) => {
      const ask = async ({ url }: Target) => {
        const answer = await fetch(`${url}/render/template?download=true`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
        return { status: answer.status, text: await answer.text() }
      }
      const made = await ask(edge!)
      expect([made.status, made.text.slice(-8)]).toEqual([200, ' is done'])
      const refused = await ask(alone!)
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(JSON.parse(refused.text).error).toMatch(refusal)
    },
  )
})
