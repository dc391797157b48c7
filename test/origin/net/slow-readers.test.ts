import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cutSlowReaders } from '../../../origin/net/slow-readers.ts'
import { openRaw } from '../../helpers/raw-http.ts'

/** More than the buffers of both ends of a connection on one machine. */
const large = Buffer.alloc(30_000_000, 'x')

let server: Server
let url: string
beforeEach(async () => {
  server = createServer((_, response) => response.end(large))
  // Long enough for a reader that waits for a processor.
  cutSlowReaders(server, 1_000)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const connections = () =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  )

it('a response that is not read is aborted', async () => {
  const raw = await openRaw(url)
  raw.socket.pause()
  raw.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await expect.poll(connections).toBe(1)
  await expect.poll(connections, { timeout: 20_000 }).toBe(0)
  raw.destroy()
})

it('a response that is read with pauses arrives, and its connection serves further requests', async () => {
  const raw = await openRaw(url)
  for (let request = 1; request <= 2; request++) {
    raw.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    const pauses = setInterval(() => {
      raw.socket.pause()
      setTimeout(() => raw.socket.resume(), 10)
    }, 50)
    const text = await raw.received((received) => received.length > request * large.length)
    clearInterval(pauses)
    expect(text.length).toBeGreaterThan(request * large.length)
  }
  expect(await connections()).toBe(1)
  raw.destroy()
})
