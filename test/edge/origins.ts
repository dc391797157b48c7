import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import type { TestProject } from 'vitest/node'
import { createInternal } from '../../origin/internal.ts'
import { registerInternalConvert } from '../../origin/internal-convert.ts'
import { upperCaseConverter } from '../helpers/upper-case-engine.ts'

/** Servers outside of workerd that the tests inside it talk to: an origin, and what origins are when they are ill. */
export interface Origins {
  readonly secret: string
  readonly good: string
  readonly foreign: string // an origin that knows another secret
  readonly html: string // a proxy's page instead of an origin's answer
  readonly busy: string
  readonly cut: string // sends half of a result
  readonly moved: string // redirects to `good`
  readonly hangs: string // takes requests and never answers
  readonly stutters: string // misses its first probe, and takes seconds for its work
}

declare module 'vitest' {
  interface ProvidedContext {
    origins: Origins
  }
}

const secret = 'a secret that both sides know, for tests alone'
const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** Passes requests on after a while. The first question whether it is ready gets no answer. */
function stuttering(good: string): RequestListener {
  let probes = 0
  return async (request, response) => {
    if (request.url?.startsWith('/status')) {
      if (probes++ > 0) response.end('{}')
      return
    }
    const body = Buffer.concat(await Array.fromAsync(request))
    await new Promise((resolve) => setTimeout(resolve, 3700))
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const passed = { method: 'POST', headers: headers as Record<string, string>, body }
    const answer = await fetch(good + request.url, passed)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  }
}

export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const closing: (() => unknown)[] = []

  async function origin(known: string): Promise<string> {
    const app = fastify()
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const clock = { now: () => Date.now() }
    const internal = createInternal({ clock, log: silent, secret: known })
    registerInternalConvert(app, { internal, converter: upperCaseConverter(), clock })
    closing.push(() => app.close())
    return app.listen({ port: 0, host: '127.0.0.1' })
  }

  async function server(answer: RequestListener): Promise<string> {
    const listening = createServer(answer)
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
    closing.push(() => {
      listening.closeAllConnections()
      listening.close()
    })
    return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
  }

  const good = await origin(secret)
  project.provide('origins', {
    secret,
    good,
    foreign: await origin('another secret'),
    html: await server((_request, response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>proxy of 10.1.2.3</h1>')
    }),
    busy: await server((_request, response) => {
      const details = { engine: 'Upper case' }
      response.writeHead(429, { 'service-result': 'error' })
      response.end(JSON.stringify({ code: 'convert.busy', details, problems: [] }))
    }),
    cut: await server((_request, response) => {
      response.writeHead(200, { 'service-result': 'done', 'content-length': '100' })
      response.write('half')
      setTimeout(() => response.destroy(), 50)
    }),
    hangs: await server(() => {}),
    stutters: await server(stuttering(good)),
    moved: await server((request, response) => {
      response.writeHead(307, { location: good + request.url }).end()
    }),
  })
  return async () => {
    for (const close of closing) await close()
  }
}
