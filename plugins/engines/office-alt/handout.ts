import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'

export interface OfferedFile {
  readonly url: string
  end(): void
}

/**
 * Serves documents to a server that fetches them, by a listener that is opened for the first document. Each document
 * has a secret address, which is valid during its conversion.
 *
 * callback http://host:port, the address of this host for that server; absent: a free port of this machine under its
 * host name
 */
export function createHandout(callback: string | undefined) {
  const documents = new Map<string, Uint8Array>()
  let opening: Promise<{ readonly server: Server; readonly base: string }> | undefined
  return {
    async give(bytes: Uint8Array): Promise<OfferedFile> {
      opening ??= open()
      const { base } = await opening
      const path = `/${randomBytes(24).toString('base64url')}`
      documents.set(path, bytes)
      return { url: `${base}${path}`, end: () => void documents.delete(path) }
    },
    async close(): Promise<void> {
      const current = await opening?.catch(() => undefined)
      opening = undefined
      documents.clear()
      if (current === undefined) return
      current.server.closeAllConnections()
      await new Promise<void>((resolve) => current.server.close(() => resolve()))
    },
  }

  function open() {
    const callbackUrl = callback === undefined ? undefined : new URL(callback)
    const server = createServer((request, response) => {
      const bytes = request.method === 'GET' ? documents.get(request.url ?? '') : undefined
      if (bytes === undefined) return void response.writeHead(404).end()
      response.writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-length': bytes.length,
        'cache-control': 'no-store',
      })
      response.end(bytes)
    })
    return new Promise<{ server: Server; base: string }>((resolve, reject) => {
      server.once('error', (error) => {
        opening = undefined
        reject(error)
      })
      server.listen(callbackUrl === undefined ? 0 : Number(callbackUrl.port || 80), () => {
        const { port } = server.address() as AddressInfo
        // The listener does not keep the process alive.
        server.unref()
        resolve({ server, base: callbackUrl?.origin ?? `http://${hostname()}:${port}` })
      })
    })
  }
}
