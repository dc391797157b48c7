import { lookup } from 'node:dns/promises'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { type Duplex, pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { parseAddress } from '../../shared/net/address.ts'
import type { Answer, Transport } from '../../shared/net/outbound.ts'
import { checkAddress, hostOf, type OutboundPolicy } from '../../shared/net/policy.ts'

export interface Resolved {
  readonly address: string
  readonly family: number
}

/**
 * The transport of the origin. It resolves the name itself, keeps the addresses that the policy allows, and connects to
 * one of those: a name that leads elsewhere at its second look-up (DNS rebinding) gains nothing. Sockets are kept alive
 * for the next call to the same host; they were checked when they were connected.
 *
 * `resolve` is for tests; unless given, the system's resolver.
 */
export function createPinnedTransport(
  policy: OutboundPolicy,
  resolve: (host: string) => Promise<readonly Resolved[]> = (host) =>
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

  async function allowed(host: string): Promise<readonly Resolved[]> {
    const found = await resolve(host)
    if (found.length === 0) throw Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' })
    const good = found.filter(({ address }) => isAllowed(address))
    // Says why, in the policy's words.
    if (good.length === 0) checkAddress(policy, found[0]!.address)
    return good
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
      // Sockets do not look up literals, so these are checked here.
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

export function answerOf(response: IncomingMessage): Answer {
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

/** The body with its content-encoding undone; the reader counts what comes out, so a bomb ends at the limit. */
function bodyOf(response: IncomingMessage): ReadableStream<Uint8Array> {
  const decoder = decoders[response.headers['content-encoding']?.trim().toLowerCase() ?? '']?.()
  if (decoder === undefined) return Readable.toWeb(response) as ReadableStream<Uint8Array>
  // An error of either end reaches the reader through the decoder, and destroys the other.
  return Readable.toWeb(pipeline(response, decoder, () => {})) as ReadableStream<Uint8Array>
}
