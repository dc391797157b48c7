import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { oneAtATime } from '../../../origin/net/one-at-a-time.ts'
import { openRaw } from '../../helpers/raw-http.ts'

/** The targets that were asked for, each with the number of the turn of the event loop in which it was handled. */
const handled: [target: string, turn: number][] = []
let turn = 0
const server = createServer(
  oneAtATime((request, response) => {
    handled.push([request.url ?? '', turn])
    setImmediate(() => turn++)
    response.end(request.url)
  }),
)
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => void server.close())
beforeEach(() => void handled.splice(0))

const requests = (count: number) =>
  Array.from({ length: count }, (_, at) => `GET /${at} HTTP/1.1\r\nhost:\r\n\r\n`).join('')

it('handles pipelined requests one after the other, in their order', async () => {
  const raw = await openRaw(address())
  raw.write(requests(80))
  const text = await raw.received((text) => text.endsWith('/79'))
  raw.destroy()
  expect(text.match(/(?<=\r\n\r\n)\/\d+/g)).toEqual(handled.map(([target]) => target))
  expect(handled.length).toBe(80)
  expect(new Set(handled.map(([, turn]) => turn)).size).toBe(80)
})

it('closes a connection that sends thousands ahead, and handles none of them but the first', async () => {
  const raw = await openRaw(address())
  raw.write(requests(2_000))
  await raw.received()
  expect(handled.map(([target]) => target)).toEqual(['/0'])
})

it('serves other connections meanwhile', async () => {
  const [many, one] = await Promise.all([openRaw(address()), openRaw(address())])
  many.write(requests(100))
  one.write('GET /other HTTP/1.1\r\nhost:\r\n\r\n')
  await Promise.all([
    many.received((text) => text.endsWith('/99')),
    one.received((text) => text.endsWith('/other')),
  ])
  expect(handled.findIndex(([target]) => target === '/other')).toBeLessThan(50)
  many.destroy()
  one.destroy()
})

it('drops waiting requests when their connection is closed', async () => {
  const raw = await openRaw(address())
  raw.write(requests(90))
  raw.destroy()
  const other = await openRaw(address())
  other.write('GET /end HTTP/1.1\r\nhost:\r\n\r\n')
  await other.received((text) => text.endsWith('/end'))
  other.destroy()
  expect(handled.length).toBeLessThan(90)
})
