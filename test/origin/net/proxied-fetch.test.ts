import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createProxiedTransport } from '../../../origin/net/proxied-fetch.ts'
import { createOutbound } from '../../../shared/net/outbound.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const asked: string[] = []
const servers: { closeAllConnections(): void; close(): void }[] = []
const folder = temporaryFolder('platen-proxy')
let [plain, secure, proxy] = ['', '', '']
let ca = ''

const listen = async (server: Server) => {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=files.example', '-addext', 'subjectAltName=DNS:files.example']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
  ca = readFileSync(certificate, 'utf8')
  const answer = (name: string) => async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.end(`${name} ${request.method} ${request.url} ${request.headers.host} ${body}`)
  }
  const plainPort = await listen(createServer(answer('plain')))
  const securePort = await listen(createSecureServer({ key: readFileSync(key), cert: ca }, answer('secure')))
  plain = `http://files.example:${plainPort}`
  secure = `https://files.example:${securePort}`
  const forwarding = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`)
    const { pathname, port } = new URL(request.url!)
    const { 'proxy-authorization': _, ...headers } = request.headers
    const passed = httpRequest({ port, path: pathname, method: request.method, headers }, (found) =>
      found.pipe(response),
    )
    request.pipe(passed)
  })
  forwarding.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url} ${request.headers['proxy-authorization'] ?? ''}`)
    if (request.url === 'closed.example:443') return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const to = connect(Number(request.url!.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      to.pipe(socket).pipe(to)
    })
    to.on('error', () => socket.destroy())
    socket.on('error', () => to.destroy())
  })
  proxy = `http://who:pass%20word@127.0.0.1:${await listen(forwarding)}`
})
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  asked.length = 0
})

const names: Readonly<Record<string, readonly string[]>> = {
  'files.example': ['93.184.215.14'],
  'inside.example': ['10.0.0.5'],
  'both.example': ['93.184.215.14', '10.0.0.5'],
}
const fetched = async (url: string, more: object = {}) => {
  const resolve = async (host: string) => {
    if (names[host] === undefined) throw new Error('no such name')
    return names[host].map((address) => ({ address, family: 4 }))
  }
  const policy = { allowPrivate: false }
  const transport = createProxiedTransport(policy, proxy, { resolve, ca })
  const outbound = createOutbound({ policy, transport, userAgent: 'test' })
  const { body } = await outbound.fetch({ url, timeoutMs: 60_000, maxBytes: 10_000, ...more })
  return new TextDecoder().decode(body)
}
const login = `Basic ${btoa('who:pass word')}`

it('sends http requests to the proxy, with its password', async () => {
  const { host } = new URL(plain)
  expect(await fetched(`${plain}/a`)).toBe(`plain GET /a ${host} `)
  expect(asked).toEqual([`${plain}/a ${login}`])
  const post = { method: 'POST', body: new TextEncoder().encode('sent') }
  expect(await fetched(`${plain}/b`, post)).toBe(`plain POST /b ${host} sent`)
})

it('uses a tunnel for https, and verifies the certificate', async () => {
  const { host } = new URL(secure)
  const post = { method: 'POST', body: new TextEncoder().encode('sent') }
  expect(await fetched(`${secure}/a`, post)).toBe(`secure POST /a ${host} sent`)
  expect(asked).toEqual([`CONNECT ${host} ${login}`])
  await expect(fetched(secure.replace('files', 'other'))).rejects.toMatchObject({ code: 'net.failed' })
})

it('reports a refused tunnel', async () => {
  await expect(fetched('https://closed.example/')).rejects.toMatchObject({ code: 'net.failed' })
})

it('refuses private names and addresses without any request', async () => {
  const inside = ['inside.example', 'both.example', '10.0.0.5', 'localhost'].map((host) => `http://${host}/`)
  for (const url of [...inside, 'https://127.0.0.1/'])
    await expect(fetched(url)).rejects.toMatchObject({ code: 'net.refused' })
  expect(asked).toEqual([])
})

it.each(['proxy:3128', 'https://proxy', 'ftp://proxy', ''])('is not set up with %j', (address) => {
  expect(() => createProxiedTransport({ allowPrivate: false }, address)).toThrow(
    expect.objectContaining({ code: 'storage.url' }),
  )
})
