import { fastify } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { createInternal } from '../../origin/internal.ts'
import { registerInternalConvert } from '../../origin/internal-convert.ts'
import { digestOf, sign } from '../../shared/remote/signature.ts'
import { frameJob, type RemoteJob, routes } from '../../shared/remote/wire.ts'
import { upperCaseConverter } from '../helpers/upper-case-engine.ts'

const secret = 'a secret of both'
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const app = fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', (_request, _payload, done) => done(null))
const clock = { now: () => Date.now() }
registerInternalConvert(app, {
  internal: createInternal({ clock, log: silent, secret }),
  converter: upperCaseConverter(),
  clock,
  maxBytes: 1000,
})
afterAll(() => app.close())

const job: RemoteJob = { from: 'txt', to: 'up', options: {}, hardRefresh: false, remainingMs: 5000 }

async function post(
  given: Partial<RemoteJob> | Uint8Array,
  source: string | Uint8Array,
  change: { headers?: Record<string, string>; body?: Uint8Array; streamed?: boolean } = {},
) {
  const framed = given instanceof Uint8Array ? given : frameJob({ ...job, ...given })
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source
  const parts = {
    method: 'POST',
    route: routes.convert,
    jobDigest: await digestOf(framed),
    bodyDigest: change.streamed ? '' : await digestOf(bytes),
  } as const
  const headers = { ...(await sign(secret, parts, Date.now())), 'content-type': 'application/octet-stream' }
  const payload = Buffer.from(change.body ?? Buffer.concat([framed, bytes]))
  return app.inject({
    method: 'POST',
    url: routes.convert,
    headers: { ...headers, ...change.headers },
    payload,
  })
}

describe('conversions for an edge', () => {
  it('return the document with its warnings', async () => {
    for (const streamed of [false, true]) {
      const answer = await post({ options: { mark: '!' } }, 'hello', { streamed })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers).toMatchObject({
        'service-result': 'done',
        'service-result-engines': 'upper-case',
        'content-length': '6',
      })
      expect(JSON.parse(decodeURIComponent(String(answer.headers['service-result-warnings'])))).toEqual([
        { code: 'shouting', message: 'All of it is in capitals – now.' },
      ])
      expect(answer.body).toBe('HELLO!')
    }
  })

  it('are listed', async () => {
    const parts = { method: 'GET', route: routes.conversions, jobDigest: '', bodyDigest: '' } as const
    const headers = await sign(secret, parts, Date.now())
    const answer = await app.inject({ method: 'GET', url: routes.conversions, headers })
    expect(answer.json()).toEqual({
      conversions: [{ from: 'txt', to: 'up', fidelity: 'exact', cost: 1, letter: 'U' }],
    })
  })

  const failures: readonly (readonly [string, Parameters<typeof post>, number, string])[] = [
    ['an engine that fails', [{}, 'break'], 500, 'convert.document'],
    ['an engine that is late', [{ remainingMs: 100 }, 'wait'], 500, 'convert.timeout'],
    ['options that are wrong', [{ options: { mark: 7 } }, 'x'], 500, 'convert.options'],
    ['a pair nobody knows', [{ to: 'none' }, 'x'], 500, 'convert.pair'],
    ['no signature', [{}, 'x', { headers: { 'service-signature': '' } }], 401, 'origin.refused'],
    [
      'a forged signature',
      [{}, 'x', { headers: { 'service-signature': '0'.repeat(64) } }],
      401,
      'origin.refused',
    ],
    [
      'another body than signed',
      [{}, 'x', { body: Buffer.concat([frameJob(job), Buffer.from('y')]) }],
      401,
      'origin.refused',
    ],
    [
      'another job than signed, the body a stream',
      [{}, 'x', { streamed: true, body: Buffer.concat([frameJob({ ...job, to: 'pdf' }), Buffer.from('x')]) }],
      401,
      'origin.refused',
    ],
    ['a job that is none', [new Uint8Array([0, 0, 0, 2, 123, 125]), 'x'], 400, 'origin.invalid'],
    ['a frame that lies', [new Uint8Array([255, 255, 255, 255]), 'x'], 400, 'origin.invalid'],
    ['no frame', [{}, '', { body: new Uint8Array(2) }], 400, 'origin.invalid'],
    ['too much', [{}, new Uint8Array(1_100_000)], 400, 'origin.invalid'],
  ]
  it.each(failures)('%s', async (_name, given, status, code) => {
    const answer = await post(...given)
    expect([answer.statusCode, answer.headers['service-result'], answer.json().code]).toEqual([
      status,
      'error',
      code,
    ])
    expect(answer.body).not.toMatch(/stack|\/work|node_modules/)
  })

  it('accept a signature once', async () => {
    const framed = frameJob(job)
    const parts = {
      method: 'POST',
      route: routes.convert,
      jobDigest: await digestOf(framed),
      bodyDigest: '',
    } as const
    const headers = { ...(await sign(secret, parts, Date.now())), 'content-type': 'application/octet-stream' }
    const again = () =>
      app.inject({ method: 'POST', url: routes.convert, headers, payload: Buffer.from(framed) })
    expect([(await again()).statusCode, (await again()).statusCode]).toEqual([200, 401])
  })
})
