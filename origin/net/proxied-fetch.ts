import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { AppError } from '../../shared/errors/app-error.ts'
import { parseAddress } from '../../shared/net/address.ts'
import type { Exchange, Transport } from '../../shared/net/outbound.ts'
import { checkAddress, hostOf, type OutboundPolicy } from '../../shared/net/policy.ts'
import { answerOf, type ResolvedAddress } from './pinned-fetch.ts'

/**
 * Creates the transport of an origin behind an HTTP proxy. Requests for http send the absolute URL to the
 * proxy, those for https use a CONNECT tunnel. The proxy resolves names, so it is responsible for the final
 * decision about addresses. Names that resolve to private addresses on this machine are refused in addition;
 * names that cannot be resolved here are passed on. Throws 'storage.url' when `address` is not the URL of an
 * HTTP proxy.
 */
export function createProxiedTransport(
  policy: OutboundPolicy,
  address: string,
  parts: {
    /** Both are for tests. The defaults are the resolver and the certificates of the system. */
    readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>
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
  // No connections are kept open, so there is nothing to close.
  return Object.assign(transport, { close() {} })

  async function check(url: URL): Promise<void> {
    const host = hostOf(url)
    if (parseAddress(host) !== undefined) return checkAddress(policy, host)
    // The proxy may choose any address of a name, so every one of them must be allowed.
    for (const { address: resolved } of await resolve(host).catch(() => [])) checkAddress(policy, resolved)
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
    return new Promise((resolvePromise, reject) => {
      const request = httpRequest({
        ...proxy.place,
        method: 'CONNECT',
        path: target,
        signal,
        headers: { ...proxy.headers, host: target },
      })
      request.on('error', reject)
      request.on('connect', (response, socket) => {
        if (response.statusCode === 200) return resolvePromise(socket as Socket)
        socket.destroy()
        reject(Object.assign(new Error('The proxy opened no tunnel.'), { code: 'EPROXY' }))
      })
      request.on('response', (response) => {
        response.resume()
        reject(Object.assign(new Error('The proxy opened no tunnel.'), { code: 'EPROXY' }))
      })
      request.end()
    })
  }
}

/** Sends a request and resolves to its response. */
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
