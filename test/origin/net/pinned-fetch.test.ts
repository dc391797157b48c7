import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPinnedTransport, type ResolvedAddress } from '../../../origin/net/pinned-fetch.ts'
import { createOutbound } from '../../../shared/net/outbound.ts'
import type { OutboundRequest } from '../../../shared/ports/index.ts'
import { useClosing } from '../../helpers/temporary.ts'

interface Seen {
  readonly host: string
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const seen: Seen[] = []
const closing = useClosing()
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { method = '', url: path = '', headers } = request
  seen.push({ host: headers.host ?? '', method, path, headers, body })
  answer(path, response)
})
let port = 0

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  seen.length = 0
})

function answer(path: string, response: ServerResponse): void {
  const url = new URL(path, 'http://x')
  const to = url.searchParams.get('to')
  if (to !== null) {
    response.writeHead(Number(url.searchParams.get('status') ?? 302), {
      location: to.replace('PORT', String(port)),
    })
    response.end('moved')
  } else if (path === '/loop') response.writeHead(302, { location: '/loop' }).end()
  else if (path === '/slow') setTimeout(() => response.end('late'), 5000)
  else if (path === '/drip') {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  } else if (path === '/endless') {
    response.writeHead(200)
    const more = () => {
      // Once the other side has gone, every write fails, for as long as the process lives.
      response.write(Buffer.alloc(65536), (error) => {
        if (error == null) setImmediate(more)
      })
    }
    more()
  } else if (path === '/cut') {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half')
    setTimeout(() => response.destroy(), 20)
  } else if (path === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed'))
  else if (path === '/deflate')
    response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync('packed'))
  else if (path === '/br')
    response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('packed'))
  else if (path === '/broken') response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip')
  else if (path === '/bomb') {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)))
  } else response.writeHead(url.searchParams.has('status') ? 418 : 200, { 'X-Kind': 'plain' }).end('hello')
}

const here: ResolvedAddress = { address: '127.0.0.1', family: 4 }

/** An outbound port whose names are resolved by a table; private addresses are allowed where a test needs this server. */
function outbound(allowPrivate: boolean, names: Record<string, readonly ResolvedAddress[]> = {}) {
  const asked: string[] = []
  const policy = { allowPrivate }
  const transport = closing(
    createPinnedTransport(policy, async (host) => {
      asked.push(host)
      return names[host] ?? []
    }),
  )
  const port_ = createOutbound({ policy, transport, userAgent: 'platen/test' })
  const fetch = (url: string, more: Partial<OutboundRequest> = {}) =>
    port_.fetch({ url: url.replace('PORT', String(port)), timeoutMs: 60_000, maxBytes: 1_000_000, ...more })
  return { fetch, asked }
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const code = (code: string, details?: object) =>
  expect.objectContaining({ code, ...(details && { details }) })

describe('outbound calls of the origin', () => {
  it('connects to the address that was resolved, asking once', async () => {
    const { fetch, asked } = outbound(true, { 'pics.test': [here] })
    const answer = await fetch('http://pics.test:PORT/a?b=1')
    expect(answer).toMatchObject({ status: 200, headers: { 'x-kind': 'plain' } })
    expect(text(answer.body)).toBe('hello')
    expect(seen).toMatchObject([{ host: `pics.test:${port}`, method: 'GET', path: '/a?b=1' }])
    expect(asked).toEqual(['pics.test'])
  })

  const inside: readonly (readonly [string, readonly ResolvedAddress[]])[] = [
    ['loopback', [here]],
    ['a private network', [{ address: '10.0.0.1', family: 4 }]],
    ['metadata', [{ address: '169.254.169.254', family: 4 }]],
    ['IPv6 loopback', [{ address: '::1', family: 6 }]],
    ['a mapped address', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['several of those', [here, { address: 'fd00::1', family: 6 }]],
  ]
  it.each(inside)('refuses a public name that leads to %s', async (_name, addresses) => {
    const { fetch } = outbound(false, { 'evil.example.com': addresses })
    await expect(fetch('http://evil.example.com:PORT/')).rejects.toEqual(code('net.refused'))
    expect(seen).toEqual([])
  })

  it('refuses private addresses and internal names before any lookup', async () => {
    const { fetch, asked } = outbound(false, { localhost: [here] })
    for (const host of ['127.0.0.1', '[::1]', 'localhost', '2130706433']) {
      await expect(fetch(`http://${host}:PORT/`)).rejects.toEqual(code('net.refused'))
    }
    expect([seen, asked]).toEqual([[], []])
  })

  it('checks each hop of a redirect', async () => {
    const { fetch, asked } = outbound(true, { 'a.test': [here], 'b.test': [here] })
    expect(text((await fetch('http://a.test:PORT/?to=http://b.test:PORT/end')).body)).toBe('hello')
    expect(seen.map(({ host }) => host)).toEqual([`a.test:${port}`, `b.test:${port}`])
    expect(asked).toEqual(['a.test', 'b.test'])
    for (const to of ['file:///etc/passwd', 'http://user:pw@b.test/', 'gopher://b.test/']) {
      await expect(fetch(`http://a.test:PORT/?to=${to}`)).rejects.toEqual(code('net.refused'))
    }
  })

  it('follows three redirects, or as many as given', async () => {
    const { fetch } = outbound(true, { 'a.test': [here] })
    await expect(fetch('http://a.test:PORT/loop')).rejects.toEqual(code('net.redirects', { limit: 3 }))
    expect(seen).toHaveLength(4)
    await expect(fetch('http://a.test:PORT/loop', { maxRedirects: 0 })).rejects.toEqual(code('net.redirects'))
    expect(seen).toHaveLength(5)
  })

  it('sends no authorization to another host', async () => {
    const { fetch } = outbound(true, { 'a.test': [here], 'b.test': [here] })
    const headers = { Authorization: 'Bearer x', Cookie: 'c=1', 'X-Other': 'kept' }
    await fetch('http://a.test:PORT/?to=/same', { headers })
    await fetch('http://a.test:PORT/?to=http://b.test:PORT/other', { headers })
    expect(seen.map(({ headers }) => [headers.authorization, headers.cookie, headers['x-other']])).toEqual([
      ['Bearer x', 'c=1', 'kept'],
      ['Bearer x', 'c=1', 'kept'],
      ['Bearer x', 'c=1', 'kept'],
      [undefined, undefined, 'kept'],
    ])
  })

  it.each([
    [301, 'POST', '{"a":1}'],
    [302, 'POST', '{"a":1}'],
    [303, 'GET', ''],
    [307, 'POST', '{"a":1}'],
    [308, 'POST', '{"a":1}'],
  ])('a POST redirected with %i goes on as %s', async (status, method, body) => {
    const { fetch } = outbound(true, { 'a.test': [here] })
    await fetch(`http://a.test:PORT/?to=/end&status=${status}`, {
      method: 'POST',
      body: new TextEncoder().encode('{"a":1}'),
      headers: { 'content-type': 'application/json' },
    })
    expect(seen[0]).toMatchObject({ method: 'POST', body: '{"a":1}', headers: { 'content-length': '7' } })
    expect(seen[1]).toMatchObject({ method, body })
    expect(seen[1]!.headers['content-type']).toBe(method === 'POST' ? 'application/json' : undefined)
  })

  it('sets the headers of the connection itself', async () => {
    const { fetch } = outbound(true, { 'a.test': [here] })
    const headers = {
      host: 'b.test',
      'content-length': '99',
      connection: 'upgrade',
      'transfer-encoding': 'x',
    }
    await fetch('http://a.test:PORT/', { headers: { ...headers, 'user-agent': 'x' } })
    expect(seen[0]!.headers).toMatchObject({ host: `a.test:${port}`, 'user-agent': 'platen/test' })
    expect(seen[0]!.headers).not.toMatchObject({ 'transfer-encoding': 'x' })
    for (const bad of [{ 'a b': 'x' }, { a: 'x\r\nb: y' }, { a: '\u0000' }, { '': 'x' }, { a: '\u20ac' }]) {
      await expect(fetch('http://a.test:PORT/', { headers: bad as never })).rejects.toEqual(
        code('net.refused'),
      )
    }
    expect(seen).toHaveLength(1)
  })

  it.each(['/gzip', '/deflate', '/br'])('undoes the encoding of %s', async (path) => {
    const { fetch } = outbound(true, { 'a.test': [here] })
    expect(text((await fetch(`http://a.test:PORT${path}`)).body)).toBe('packed')
  })

  it.each([
    ['/endless', 'net.too-large', {}],
    ['/bomb', 'net.too-large', {}],
    ['/slow', 'net.timeout', { timeoutMs: 100 }],
    ['/drip', 'net.timeout', { timeoutMs: 150 }],
    ['/cut', 'net.failed', {}],
    ['/broken', 'net.failed', {}],
  ])('%s ends in %s', async (path, expected, more) => {
    const { fetch } = outbound(true, { 'a.test': [here] })
    await expect(fetch(`http://a.test:PORT${path}`, more)).rejects.toEqual(code(expected))
  })

  it('names the reason of a failed connection', async () => {
    const { fetch } = outbound(true, { 'a.test': [here] })
    await expect(fetch('http://a.test:1/')).rejects.toEqual(code('net.failed', { reason: 'ECONNREFUSED' }))
    await expect(fetch('http://none.test/')).rejects.toEqual(code('net.failed', { reason: 'ENOTFOUND' }))
  })

  it('returns the status of the response, and stops when its caller aborts', async () => {
    const { fetch } = outbound(true, { 'a.test': [here] })
    expect((await fetch('http://a.test:PORT/?status')).status).toBe(418)
    const stop = new AbortController()
    const call = fetch('http://a.test:PORT/slow', { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('The caller left.')), 50)
    await expect(call).rejects.toThrow('The caller left.')
  })
})
