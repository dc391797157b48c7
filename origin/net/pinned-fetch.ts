import { lookup } from 'node:dns/promises'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { type Duplex, pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { entryOf } from '../../shared/entry-of.ts'
import { parseAddress } from '../../shared/net/address.ts'
import type { ReceivedResponse, Transport } from '../../shared/net/outbound.ts'
import { checkAddress, hostOf, type OutboundPolicy } from '../../shared/net/policy.ts'

/** An address that a host name resolves to. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: number // 4 or 6
}

/**
 * Creates the transport of the origin. It resolves a host name once, keeps the addresses that the policy
 * allows, and connects to one of those. A name that resolves to another address the second time (DNS
 * rebinding) therefore has no effect. Sockets are kept alive for the next call to the same host; their
 * addresses were checked when they were connected.
 *
 * Tests pass `resolve`; the default is the resolver of the system.
 */
export function createPinnedTransport(
  policy: OutboundPolicy,
  resolve: (host: string) => Promise<readonly ResolvedAddress[]> = (host) =>
    lookup(host, { all: true, order: 'verbatim' }),
): Transport & { close(): void } {
  const pinned: LookupFunction = (host, _options, callback) => {
    allowed(host).then(
      (addresses) =>
        callback(
          null,
          addresses.map(({ address, family }) => ({ address, family })),
        ),
      (error) => callback(error, []),
    )
  }

  async function allowed(host: string): Promise<readonly ResolvedAddress[]> {
    const addresses = await resolve(host)
    if (addresses.length === 0)
      throw Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' })
    const permitted = addresses.filter(({ address }) => isAllowed(address))
    // Throws the policy's error, which contains the reason.
    if (permitted.length === 0) checkAddress(policy, addresses[0]!.address)
    return permitted
  }

  function isAllowed(address: string): boolean {
    try {
      checkAddress(policy, address)
      return true
    } catch {
      return false
    }
  }

  const options = { keepAlive: true, maxFreeSockets: 16, scheduling: 'lifo', timeout: 30_000 } as const
  const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) }

  const transport: Transport = ({ url, method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const host = hostOf(url)
      // Node does not call `lookup` for IP addresses in URLs, so they are checked here.
      if (parseAddress(host) !== undefined) checkAddress(policy, host)
      const secure = url.protocol === 'https:'
      const request = (secure ? httpsRequest : httpRequest)(url, {
        agent: agents[secure ? 'https:' : 'http:'],
        lookup: pinned,
        method,
        signal,
        headers: {
          'accept-encoding': 'gzip, deflate, br',
          ...headers,
          ...(body && { 'content-length': String(body.byteLength) }),
        },
      })
      request.on('error', reject)
      request.on('response', (response) => {
        try {
          resolve(answerOf(response))
        } catch (error) {
          response.destroy()
          reject(error)
        }
      })
      request.end(body)
    })

  return Object.assign(transport, {
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  })
}

/** The response with its body decompressed. */
export function answerOf(response: IncomingMessage): ReceivedResponse {
  return { status: response.statusCode ?? 0, headers: headersOf(response), body: bodyOf(response) }
}

function headersOf(response: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}

const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * The decompressed body. The reader limits the bytes after decompression, so a decompression bomb is cut at
 * that limit.
 */
function bodyOf(response: IncomingMessage): ReadableStream<Uint8Array> {
  const decoder = entryOf(decoders, response.headers['content-encoding']?.trim().toLowerCase())?.()
  if (decoder === undefined) return Readable.toWeb(response) as ReadableStream<Uint8Array>
  // `pipeline` passes an error of the response on to the reader, and destroys the response when the reader
  // cancels.
  return Readable.toWeb(pipeline(response, decoder, () => {})) as ReadableStream<Uint8Array>
}
