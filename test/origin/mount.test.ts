import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { send } from '../../origin/mount.ts'
import { fromBytes } from '../../shared/plugin/byte-source.ts'
import type { ByteSource } from '../../shared/plugin/values.ts'

/** What only the order of events on a connection can show: whether a caller got all of a file. */
const apps: { close(): Promise<unknown> }[] = []
afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())))

/** Its last byte comes at once; that nothing follows shows only later, as with a disk or a store that is busy. */
function endsLate(bytes: Uint8Array<ArrayBuffer>): ByteSource {
  let read = false
  const stream = () =>
    new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (!read) controller.enqueue(bytes)
          else await new Promise((resolve) => setTimeout(resolve, 300)).then(() => controller.close())
          read = true
        },
      },
      { highWaterMark: 0 },
    )
  const { view: _, ...source } = fromBytes(bytes)
  return { ...source, stream }
}

/** Asks for the file, leaves as soon as it has `take` bytes of it, and gives what the origin thinks of that. */
async function fetched(source: ByteSource, take: number, request = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n') {
  const app = Fastify()
  apps.push(app)
  const reported = new Promise<boolean>((resolve) => {
    app.addHook('onRequest', (req, reply, _goOn) => {
      send(req, reply, {
        status: 200,
        headers: { 'content-type': 'text/plain', 'content-length': String(source.size) },
        body: { kind: 'bytes', source },
        finished: async (complete) => resolve(complete),
      })
    })
  })
  app.get('/', () => 'never')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as { port: number }).port, '127.0.0.1')
  let text = ''
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    const start = text.indexOf('\r\n\r\n')
    if (start !== -1 && text.length - start - 4 >= take) socket.destroy()
  })
  await once(socket, 'connect')
  socket.write(request)
  return reported
}

const file = new TextEncoder().encode('0123456789')

it('a caller that disconnects after the last byte has received the file', async () => {
  expect(await fetched(endsLate(file), file.length)).toBe(true)
})

it('so has a caller whose request body is still being sent', async () => {
  const request = 'GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n[]'
  expect(await fetched(endsLate(file), file.length, request)).toBe(true)
  expect(await fetched(fromBytes(file), file.length, request)).toBe(true)
})

it('a caller that disconnects earlier has not', async () => {
  const large = new Uint8Array(64 * 1024 * 1024)
  expect(await fetched(endsLate(large), 1000)).toBe(false)
})
