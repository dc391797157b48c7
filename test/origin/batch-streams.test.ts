import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { docxOf } from '../helpers/docx.ts'
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
    origin = await startMeasuredOrigin({ mergeWorkers: 2 })
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

  it('a caller that leaves ends the batch, and others are served', async () => {
    const call = await open({ template })
    await call.write({ name: 'Ann' })
    await call.chunks.next()
    call.destroy()
    const body = JSON.stringify({ template, data: { name: 'Cy' } })
    const headers = { 'content-type': 'application/json' }
    const next = await fetch(`${origin.url}/render/template/file`, { method: 'POST', headers, body })
    expect([next.status, await next.text()]).toEqual([200, 'Dear Cy'])
  })

  it('the memory of the server does not grow with the number of items', async () => {
    const letter = await docxOf('<w:p><w:r><w:t>Dear {d.name}, this is letter {d.number}.</w:t></w:r></w:p>')
    const options = { template: Buffer.from(letter).toString('base64'), convertTo: 'pdf', converter: 'I' }
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
    await run(2000)
    const { rssMb: before } = await origin.figures()
    const bytes = await run(2000)
    const { rssMb: after } = await origin.figures()
    // The server kept the reports of the first round no more than those of the second.
    expect(bytes).toBeGreaterThan(10_000_000)
    expect(after - before).toBeLessThan(50)
  })
})
