import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { AppError } from '../../shared/errors/app-error.ts'
import { parseAddress } from '../../shared/net/address.ts'
import type { Exchange, Transport } from '../../shared/net/outbound.ts'
import { checkAddress, hostOf, type OutboundPolicy } from '../../shared/net/policy.ts'
import { answerOf, type Resolved } from './pinned-fetch.ts'

/**
 * The transport of an origin that reaches the world through an HTTP proxy: the whole address for http, a tunnel for
 * https. The proxy looks names up, and it is the proxy's to judge where they lead; names that lead to private addresses
 * from here are refused all the same. Where nothing can be looked up from here, they are not. Throws 'storage.url' for
 * what is no address of a proxy.
 */
export function createProxiedTransport(
  policy: OutboundPolicy,
  address: string,
  parts: {
    /** For tests; unless given, the system's resolver, and its certificates. */
    readonly resolve?: (host: string) => Promise<readonly Resolved[]>
    readonly ca?: string
  } = {},
): Transport & { close(): void } {
  const { resolve = (host) => lookup(host, { all: true }), ca } = parts
  const proxy = proxyOf(address)

  const transport: Transport = async (exchange) => {
    await check(exchange.url)
    const response = await (exchange.url.protocol === 'https:' ? tunnelled(exchange) : forwarded(exchange))
    return answerOf(response)
  }
  // Nothing is kept open.
  return Object.assign(transport, { close() {} })

  async function check(url: URL): Promise<void> {
    const host = hostOf(url)
    if (parseAddress(host) !== undefined) return checkAddress(policy, host)
    // The proxy chooses among the addresses of a name: one that leads inside is one too many.
    for (const { address: found } of await resolve(host).catch(() => [])) checkAddress(policy, found)
  }

  function forwarded({ url, method, headers, body, signal }: Exchange): Promise<IncomingMessage> {
    return sent(
      httpRequest({
        ...proxy.place,
        path: url.href,
        method,
        signal,
        headers: { ...proxy.headers, host: url.host, ...headersFor({ headers, body }) },
      }),
      body,
    )
  }

  async function tunnelled({ url, method, headers, body, signal }: Exchange): Promise<IncomingMessage> {
    const host = hostOf(url)
    const socket = await tunnel(`${url.hostname}:${url.port === '' ? 443 : url.port}`, signal)
    const servername = parseAddress(host) === undefined ? { servername: host } : {}
    const options = { method, signal, headers: headersFor({ headers, body }) }
    const createConnection = () => tlsConnect({ socket, ...servername, ...(ca !== undefined && { ca }) })
    return sent(httpsRequest(url, { ...options, createConnection }), body)
  }

  function tunnel(target: string, signal: AbortSignal): Promise<Socket> {
    return new Promise((done, reject) => {
      const asking = httpRequest({
        ...proxy.place,
        method: 'CONNECT',
        path: target,
        signal,
        headers: { ...proxy.headers, host: target },
      })
      asking.on('error', reject)
      asking.on('connect', (response, socket) => {
        if (response.statusCode === 200) return done(socket as Socket)
        socket.destroy()
        reject(Object.assign(new Error('The proxy makes no tunnel.'), { code: 'EPROXY' }))
      })
      asking.on('response', (response) => {
        response.resume()
        reject(Object.assign(new Error('The proxy makes no tunnel.'), { code: 'EPROXY' }))
      })
      asking.end()
    })
  }
}

function sent(
  request: ReturnType<typeof httpRequest>,
  body: Uint8Array | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', resolve)
    request.end(body)
  })
}

function headersFor({ headers, body }: Pick<Exchange, 'headers' | 'body'>): Record<string, string> {
  return {
    'accept-encoding': 'gzip, deflate, br',
    ...headers,
    ...(body && { 'content-length': String(body.byteLength) }),
  }
}

function proxyOf(address: string) {
  const url = URL.parse(address)
  if (url === null || url.protocol !== 'http:' || url.hostname === '')
    throw new AppError('storage.url', {
      option: 'SERVICE_EGRESS_PROXY',
      example: 'http://user:password@host:3128',
    })
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const headers: Record<string, string> =
    url.username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }
  return { place: { host: hostOf(url), port: url.port === '' ? 80 : Number(url.port) }, headers }
}
