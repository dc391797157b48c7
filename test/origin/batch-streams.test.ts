import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MeasuredOrigin, startMeasuredOrigin } from '../helpers/measured-origin.ts'

/** A call whose body is written while its answer is read. */
interface OpenCall {
  write(line: object): Promise<void>
  end(): void
  destroy(): void
  /** The answer so far, as it arrives. */
  readonly chunks: AsyncIterator<Buffer>
}

const template = btoa('Dear {d.name}')

describe('batches that the origin answers while their items arrive', () => {
  let origin: MeasuredOrigin
  beforeAll(async () => {
    origin = await startMeasuredOrigin({ mergeWorkers: 2, egressAllowPrivate: true })
  })
  afterAll(() => origin?.stop())

  const open = async (options: object): Promise<OpenCall> => {
    const sent = request(`${origin.url}/render/template/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson', accept: 'multipart/mixed' },
    })
    const answered = new Promise<AsyncIterator<Buffer>>((resolve, reject) => {
      sent.once('response', (response) => resolve(response[Symbol.asyncIterator]()))
      sent.once('error', reject)
    })
    answered.catch(() => {}) // a call that is destroyed has no answer
    const write = (line: object) =>
      new Promise<void>((resolve) => {
        if (sent.write(`${JSON.stringify(line)}\n`)) resolve()
        else sent.once('drain', resolve)
      })
    await write(options)
    return {
      write,
      end: () => sent.end(),
      destroy: () => sent.destroy(),
      chunks: { next: async () => (await answered).next() },
    }
  }

  it('the first report arrives before the second item has been sent', async () => {
    const call = await open({ template })
    await call.write({ name: 'Ann' })
    let text = ''
    while (!text.includes('Dear Ann')) text += String((await call.chunks.next()).value)
    expect(text).not.toContain('Dear Bo')
    await call.write({ name: 'Bo' })
    call.end()
    for (let next = await call.chunks.next(); next.done !== true; next = await call.chunks.next())
      text += String(next.value)
    expect(text).toContain('Dear Bo')
  })

  it('a caller that disconnects ends its batch, and others are served', async () => {
    const call = await open({ template })
    await call.write({ name: 'Ann' })
    await call.chunks.next()
    call.destroy()
    const body = JSON.stringify({ template, data: { name: 'Cy' } })
    const headers = { 'content-type': 'application/json' }
    const next = await fetch(`${origin.url}/render/template/file`, { method: 'POST', headers, body })
    expect([next.status, await next.text()]).toEqual([200, 'Dear Cy'])
  })

  it('items are read from a URL, with the authorization for outbound calls, while reports are sent', async () => {
    const received: string[] = []
    const source = createServer((asked, answer) => {
      received.push(`${asked.url} ${asked.headers.authorization} ${asked.headers.accept}`)
      if (asked.url !== '/items') return void answer.writeHead(404).end()
      answer.write('{"name":"Ann"}\n')
      setTimeout(() => answer.end('{"name":"Bo"}'), 20)
    })
    await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(source.address() as AddressInfo).port}`
    const send = (body: object, path = '/render/template/stream') =>
      fetch(`${origin.url}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: path.endsWith('stream') ? 'multipart/mixed' : '*/*',
          'service-egress-header-authorization': 'Bearer secret',
        },
        body: JSON.stringify({ template, ...body }),
      })
    const refused = async (body: object, path?: string) => {
      const answer = await send(body, path)
      return [answer.status, ((await answer.json()) as { error: string }).error]
    }
    try {
      const answer = await send({ dataUrl: `${base}/items` })
      const text = await answer.text()
      expect([answer.status, text.match(/Dear \w+/g)]).toEqual([200, ['Dear Ann', 'Dear Bo']])
      expect(received).toEqual(['/items Bearer secret application/x-ndjson'])
      const reason = (because: string) => `The items of the batch cannot be read from "dataUrl": ${because}`
      expect(await refused({ dataUrl: `${base}/none` })).toEqual([
        400,
        reason('the server answered with status 404'),
      ])
      expect(await refused({ dataUrl: 'file:///etc/passwd' })).toEqual([
        400,
        reason('calls to its address are not allowed'),
      ])
      expect(await refused({ dataUrl: `${base}/items` }, '/render/template')).toEqual([
        400,
        expect.stringContaining('POST /render/:id/stream'),
      ])
      expect(await refused({ dataUrl: `${base}/items`, data: [] })).toEqual([
        400,
        expect.stringContaining('exclude'),
      ])
    } finally {
      source.closeAllConnections()
      source.close()
    }
  })

  it('a URL of items that stops sending fails the batch, and its connection is closed', async () => {
    const impatient = await startMeasuredOrigin({
      mergeWorkers: 1,
      egressAllowPrivate: true,
      requestTimeout: 500,
    })
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    const source = createServer((asked, answer) => {
      asked.socket.once('close', () => resolve())
      answer.write('{"name":"Ann"}\n')
    })
    await new Promise<void>((listening) => source.listen(0, '127.0.0.1', listening))
    const dataUrl = `http://127.0.0.1:${(source.address() as AddressInfo).port}/items`
    const answer = await fetch(`${impatient.url}/render/template/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'multipart/mixed' },
      body: JSON.stringify({ template, dataUrl }),
    })
    const text = await answer.text()
    expect([answer.status, text.includes('Dear Ann'), text.includes('service-batch-end: failed')]).toEqual([
      200,
      true,
      true,
    ])
    await closed
    source.close()
    await impatient.stop()
  })

  it('the memory of the server does not grow with the number of items', async () => {
    // Each report has 256 KB, so that the server cannot keep them without growing.
    const options = { template: btoa(`Dear {d.name}, ${'x'.repeat(262_144)}`) }
    const run = async (count: number) => {
      const call = await open(options)
      const read = (async () => {
        let size = 0
        let end = ''
        for (let next = await call.chunks.next(); next.done !== true; next = await call.chunks.next()) {
          size += next.value.length
          end = (end + next.value.toString('latin1')).slice(-4)
        }
        expect(end).toBe('--\r\n')
        return size
      })()
      for (let number = 0; number < count; number++) await call.write({ name: 'Ann', number })
      call.end()
      return read
    }
    await run(200)
    const { rssMb: before } = await origin.figures()
    const bytes = await run(1000)
    const { rssMb: after } = await origin.figures()
    expect(bytes).toBeGreaterThan(250_000_000)
    expect(after - before).toBeLessThan(200)
  })
})
