import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningServer } from '../../origin/server.ts'
import { startServer } from '../../origin/server.ts'
import { type RemoteRender, renderRoute } from '../../shared/remote/render-wire.ts'
import { digestOf, sign } from '../../shared/remote/signature.ts'
import { frameJob, routes } from '../../shared/remote/wire.ts'
import { testConfig } from '../helpers/origin-config.ts'

const secret = 'a secret of both'
const head: RemoteRender = { major: 5, test: false, waits: true, remainingMs: 20_000 }

/** What the edge tests do not send: calls that are forged, broken or not of this version. */
describe('whole renders for an edge', () => {
  let server: RunningServer
  let slow: RunningServer // gives up slow requests soon
  let remove: () => Promise<void>
  beforeAll(async () => {
    const made = await testConfig({ mergeWorkers: 1, originSecret: secret, maxTemplateSize: 5000 })
    remove = made.remove
    server = await startServer(made.config)
    slow = await startServer({ ...made.config, requestTimeout: 300 })
    stops.push(server.stop, slow.stop, remove)
  })
  const stops: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const stop of stops) await stop()
  })
  const hash = 'a'.repeat(64)
  const post = async (
    given: Uint8Array | object,
    rest: string,
    change: { readonly secret?: string; readonly headers?: Record<string, string> } = {},
  ) => {
    const framed = given instanceof Uint8Array ? given : frameJob({ ...head, ...given })
    const parts = {
      method: 'POST',
      route: renderRoute,
      jobDigest: await digestOf(framed),
      bodyDigest: '',
    } as const
    const headers = { ...(await sign(change.secret ?? secret, parts, Date.now())), ...change.headers }
    const body = Buffer.concat([framed, Buffer.from(rest)])
    const answer = await fetch(server.url + renderRoute, { method: 'POST', headers, body })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  it('a stored template and its data make a document', async () => {
    const template = 'Hi {d.a}'
    const stored = { template: { format: 'txt', hash, size: template.length } }
    const answer = await post(stored, `${template}{"data":{"a":"é"},"reportName":"for {d.a}"}`)
    expect([answer.status, answer.text]).toEqual([200, 'Hi é'])
    const found = (name: string) => answer.headers.get(`service-result${name}`)
    expect([found(''), found('-format'), found('-name'), found('-credits')]).toEqual([
      'done',
      'txt',
      'for%20%C3%A9',
      '1',
    ])
  })

  it('a malformed job is an error of its own', async () => {
    const forged = frameJob(head)
    const rows: readonly (readonly [string, () => ReturnType<typeof post>, number, string])[] = [
      ['another secret', () => post({}, '{}', { secret: 'x' }), 401, 'origin.refused'],
      ['no signature', () => post({}, '{}', { headers: { 'service-signature': '' } }), 401, 'origin.refused'],
      [
        'another head than was signed',
        () => post({}, '{}', { headers: { 'service-job-digest': 'b'.repeat(64) } }),
        401,
        'origin.refused',
      ],
      ['a head that is no JSON', () => post(new Uint8Array([0, 0, 0, 1, 65]), ''), 400, 'origin.invalid'],
      ['a version nobody knows', () => post({ major: 9 }, '{}'), 400, 'origin.invalid'],
      ['a head of gigabytes', () => post(new Uint8Array([255, 255, 255, 255]), ''), 400, 'origin.invalid'],
      ['half a head', () => post(forged.subarray(0, 10), ''), 400, 'api.body.cut'],
      [
        'a template above the limit',
        () => post({ template: { format: 'txt', hash, size: 5001 } }, 'x'.repeat(6000)),
        400,
        'origin.invalid',
      ],
      [
        'half a template',
        () => post({ template: { format: 'txt', hash, size: 100 } }, 'x'),
        400,
        'api.body.cut',
      ],
      [
        'a format nobody knows',
        () => post({ template: { format: 'none', hash, size: 1 } }, 'x{}'),
        400,
        'api.template.unreadable',
      ],
      [
        'a body that is no JSON',
        () => post({ template: { format: 'txt', hash, size: 1 } }, 'x{"data"'),
        400,
        'api.json.invalid.at',
      ],
      [
        'a test token that wants a text',
        () => post({ test: true, template: { format: 'txt', hash, size: 1 } }, 'x{"data":{}}'),
        403,
        'api.test-token',
      ],
      [
        'no data in version 4',
        () => post({ major: 4, template: { format: 'txt', hash, size: 1 } }, 'x{}'),
        422,
        'api.render.no-data',
      ],
    ]
    for (const [says, ask, status, code] of rows) {
      const answer = await ask()
      expect([
        says,
        answer.status,
        answer.headers.get('service-result'),
        JSON.parse(answer.text).code,
      ]).toEqual([says, status, 'error', code])
    }
  })

  /** Sends the beginning of a signed body and then nothing, and returns the answer. */
  const stall = async (route: string, framed: Uint8Array, sent: number) => {
    const parts = { method: 'POST', route, jobDigest: await digestOf(framed), bodyDigest: '' } as const
    const headers = { ...(await sign(secret, parts, Date.now())), 'content-length': framed.length + 1000 }
    const call = request(slow.url + route, { method: 'POST', headers })
    call.on('error', () => {}) // the connection is closed while the body is not sent
    call.write(framed.subarray(0, sent))
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    const { code } = (await new Response(Readable.toWeb(answer) as never).json()) as { code: string }
    call.destroy()
    return [answer.statusCode, code]
  }

  it('a body that stops half way fails at the time limit of requests, or at the deadline of its work', async () => {
    const job = { from: 'txt', to: 'pdf', options: {}, hardRefresh: false, remainingMs: 20_000 }
    const template = { format: 'txt', hash, size: 100 }
    const slowBody = [408, 'api.body.slow']
    expect(await stall(renderRoute, frameJob(head), 10)).toEqual(slowBody)
    expect(await stall(routes.convert, frameJob(job), 10)).toEqual(slowBody)
    // These are over long before the limit of requests, which is that of `server` here.
    slow = server
    const short = { remainingMs: 50 }
    const renderHead = frameJob({ ...head, ...short, template })
    expect(await stall(renderRoute, renderHead, renderHead.length)).toEqual(slowBody)
    const jobHead = frameJob({ ...job, ...short })
    expect(await stall(routes.convert, jobHead, jobHead.length)).toEqual(slowBody)
  })
})
