import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Gate, startGate } from './gate.ts'

export interface AzureServer extends Pick<Gate, 'freeze' | 'thaw'> {
  /** An empty container; the URL the origin is configured with. */
  container(): Promise<string>
  /** What the address, the account and its key are called in the environment. */
  readonly environment: Readonly<Record<'endpoint' | 'account' | 'key', string>>
  stop(): Promise<void>
}

interface Stored {
  readonly bytes: Buffer
  readonly etag: string
  readonly at: Date
}
interface Container {
  readonly blobs: Map<string, Stored>
  readonly blocks: Map<string, Buffer> // sent, not yet part of a blob: 'name\nid'
}

const account = 'account'

/**
 * The part of the Blob service of Azure (REST version 2026) that a store of blobs uses, in this process and in memory:
 * block blobs whole and in blocks, ranges, conditions, copies within the account, lists in pages, Shared Key signatures.
 * The suite of the store was run against Azurite as well (docs/decisions/storage-cluster.md).
 */
export async function startAzure({ pageSize = 500 } = {}): Promise<AzureServer> {
  const key = randomBytes(64).toString('base64')
  const containers = new Map<string, Container>()
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.statusCode = 500
      response.end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const gate = await startGate((server.address() as AddressInfo).port)
  const endpoint = `http://127.0.0.1:${gate.port}/${account}`
  let count = 0

  return {
    freeze: gate.freeze,
    thaw: gate.thaw,
    container: async () => {
      const name = `container-${++count}`
      containers.set(name, { blobs: new Map(), blocks: new Map() })
      return `azure://${account}:${encodeURIComponent(key)}@${name}/files?endpoint=${endpoint}`
    },
    environment: { endpoint, account, key },
    stop: async () => {
      await gate.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', endpoint)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    response.setHeader('x-ms-version', '2026-02-06')
    const answer = (status: number, code = '') => {
      response.statusCode = status
      if (code !== '')
        response.setHeader('x-ms-error-code', code).setHeader('content-type', 'application/xml')
      response.end(code === '' ? '' : `<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
    }
    if (request.headers.authorization !== `SharedKey ${account}:${signature(request, url, key)}`)
      return answer(403, 'AuthenticationFailed')
    const [, , name = '', ...rest] = url.pathname.split('/').map(decodeURIComponent)
    const container = containers.get(name)
    if (container === undefined) return answer(404, 'ContainerNotFound')
    if (url.searchParams.get('comp') === 'list') {
      response.setHeader('content-type', 'application/xml')
      return void response.end(list(container, url.searchParams, pageSize))
    }
    const place = rest.join('/')
    const { method, headers } = request
    if (headers['x-ms-copy-source'] !== undefined)
      response.setHeader('x-ms-copy-status', 'success').setHeader('x-ms-copy-id', place)
    if (method === 'PUT') return answer(...put(container, { place, url, headers, body }))
    const found = container.blobs.get(place)
    if (found === undefined) return answer(404, 'BlobNotFound')
    if (headers['if-match'] !== undefined && headers['if-match'] !== found.etag)
      return answer(412, 'ConditionNotMet')
    if (method === 'DELETE') {
      container.blobs.delete(place)
      return answer(202)
    }
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(String(headers['x-ms-range'])) ?? []
    const part = found.bytes.subarray(Number(from), to === '' ? undefined : Number(to) + 1)
    response.statusCode = part.length === found.bytes.length ? 200 : 206
    response.setHeader('content-length', part.length)
    response.setHeader('etag', found.etag)
    response.setHeader('last-modified', found.at.toUTCString())
    response.setHeader('x-ms-blob-type', 'BlockBlob').setHeader('x-ms-copy-status', 'success')
    response.end(method === 'HEAD' ? '' : part)
  }

  function put(
    container: Container,
    {
      place,
      url,
      headers,
      body,
    }: Readonly<{
      place: string
      url: URL
      headers: IncomingMessage['headers']
      body: Buffer
    }>,
  ): [status: number, code?: string] {
    const store = (bytes: Buffer): void => {
      container.blobs.set(place, { bytes, etag: `"${randomBytes(8).toString('hex')}"`, at: new Date() })
    }
    const comp = url.searchParams.get('comp')
    if (comp === 'block') {
      container.blocks.set(`${place}\n${url.searchParams.get('blockid')}`, body)
      return [201]
    }
    if (comp === 'blocklist') {
      const ids = [...body.toString().matchAll(/<Latest>([^<]+)<\/Latest>/g)].map(([, id]) => id)
      const blocks = ids.map((id) => container.blocks.get(`${place}\n${id}`))
      if (blocks.includes(undefined)) return [400, 'InvalidBlockList']
      store(Buffer.concat(blocks as Buffer[]))
      // Whoever else was sending blocks of this blob begins again.
      for (const each of container.blocks.keys())
        if (each.startsWith(`${place}\n`)) container.blocks.delete(each)
      return [201]
    }
    const source = headers['x-ms-copy-source']
    if (source === undefined) {
      store(body)
      return [201]
    }
    const [, , from = '', ...rest] = new URL(String(source)).pathname.split('/').map(decodeURIComponent)
    const found = containers.get(from)?.blobs.get(rest.join('/'))
    if (found === undefined) return [404, 'CannotVerifyCopySource']
    store(found.bytes)
    return [202]
  }
}

/** Names in their order, a page of them, and where the next one begins. */
function list({ blobs }: Container, query: URLSearchParams, pageSize: number): string {
  const prefix = query.get('prefix') ?? ''
  const marker = query.get('marker') ?? ''
  const names = [...blobs.keys()].filter((name) => name.startsWith(prefix) && name >= marker).sort()
  const entries = names.slice(0, pageSize).map((name) => {
    const { bytes, etag, at } = blobs.get(name)!
    return `<Blob><Name>${name}</Name><Properties><Last-Modified>${at.toUTCString()}</Last-Modified><Etag>${etag}</Etag><Content-Length>${bytes.length}</Content-Length><BlobType>BlockBlob</BlobType></Properties></Blob>`
  })
  return `<?xml version="1.0" encoding="utf-8"?><EnumerationResults><Blobs>${entries.join('')}</Blobs><NextMarker>${names[pageSize] ?? ''}</NextMarker></EnumerationResults>`
}

/** As "Authorize with Shared Key" of the service's documentation has it, for versions from 2015 on. */
function signature({ method, headers }: IncomingMessage, url: URL, key: string): string {
  const header = (name: string) => String(headers[name] ?? '')
  const length = header('content-length')
  const own = Object.keys(headers)
    .filter((name) => name.startsWith('x-ms-'))
    .sort()
    .map((name) => `${name}:${header(name)}`)
  const query = [...new Set(url.searchParams.keys())]
    .sort()
    .map((name) => `${name.toLowerCase()}:${url.searchParams.getAll(name).sort().join(',')}`)
  const text = [
    method,
    header('content-encoding'),
    header('content-language'),
    length === '0' ? '' : length,
    header('content-md5'),
    header('content-type'),
    header('date'),
    header('if-modified-since'),
    header('if-match'),
    header('if-none-match'),
    header('if-unmodified-since'),
    header('range'),
    ...own,
    [`/${account}${url.pathname}`, ...query].join('\n'),
  ].join('\n')
  return createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64')
}
