import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { type BatchOptions, type BatchResult, Platen } from 'platen/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Target } from '../contract/http/client.ts'
import { originTarget } from '../helpers/origin-target.ts'

async function collect(results: AsyncIterable<BatchResult>): Promise<readonly string[]> {
  const shown: string[] = []
  for await (const { index, name, bytes, error } of results)
    shown.push(`${index} ${error?.message ?? `${name} ${new TextDecoder().decode(bytes)}`}`)
  return shown
}

const failure = async (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.fail('It did not fail.'),
    (error: unknown) => error as Error,
  )

const people = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `n${at}` }))

describe('a service', () => {
  let target: Target
  let platen: Platen
  beforeAll(async () => {
    target = await originTarget()
    platen = new Platen({ url: target.url })
  })
  afterAll(() => target?.stop())
  const template = new Blob(['Dear {d.name}'])

  /** Items that are read one by one, and how many more were read than documents had arrived. */
  function counted(count: number) {
    const state = { read: 0, isClosed: false }
    async function* items() {
      try {
        for (const item of people(count)) {
          state.read++
          yield item
        }
      } finally {
        state.isClosed = true
      }
    }
    return { state, items: items() }
  }

  it.each([
    // [size, how many items are read at most that are not done: those on their way, and one whose document has arrived]
    [1, 2],
    [3, 4],
    [50, 51],
  ])('reads at most %i items ahead', async (size, most) => {
    const { state, items } = counted(120)
    const ahead: number[] = []
    let arrived = 0
    for await (const _ of platen.batch(template, { items }, { size })) ahead.push(state.read - arrived++)
    expect([arrived, Math.max(...ahead)]).toEqual([120, most])
  })

  it('documents arrive while the source waits for its next item', async () => {
    const arrived: number[] = []
    let next = () => {}
    async function* items() {
      for (const [at, item] of people(4).entries()) {
        // Each item but the first is given only once the document of the one before has arrived.
        if (at > 0) await new Promise<void>((resolve) => (next = resolve))
        yield item
      }
    }
    for await (const { index } of platen.batch(template, { items: items() })) {
      arrived.push(index)
      next()
    }
    expect(arrived).toEqual([0, 1, 2, 3])
  })

  it('no items make no call and no document', async () => {
    expect(await collect(platen.batch(template, { items: [] }))).toEqual([])
  })

  it('a reader that stops closes the source, and the service is free again', async () => {
    const { state, items } = counted(1000)
    for await (const { index } of platen.batch(template, { items })) if (index === 3) break
    expect([state.isClosed, state.read < 1000]).toEqual([true, true])
    expect((await platen.status()).success).toBe(true)
  })

  it.each([true, false])('an error of the source ends the batch (streams: %s)', async (streams) => {
    const client = new Platen({ url: target.url, streams })
    async function* items() {
      yield* people(40)
      throw new RangeError('The table is locked.')
    }
    const error = await failure(collect(client.batch(template, { items: items() })))
    expect(String(error)).toBe('RangeError: The table is locked.')
  })

  it.each([true, false])('the reason of a signal ends the batch (streams: %s)', async (streams) => {
    const client = new Platen({ url: target.url, streams })
    const control = new AbortController()
    const { state, items } = counted(1000)
    const stop = async () => {
      for await (const { index } of client.batch(template, { items }, { signal: control.signal }))
        if (index === 5) control.abort(new Error('The user left.'))
    }
    expect(String(await failure(stop()))).toBe('Error: The user left.')
    expect(state.isClosed).toBe(true)
  })

  it.each([true, false])('items that fail are results or end the batch (streams: %s)', async (streams) => {
    const client = new Platen({ url: target.url, streams })
    const items = [{}, { a: 'x' }, {}]
    const broken = new Blob(['{d.a:padl(1000000000)}'])
    const run = (onError: BatchOptions['onError']) =>
      collect(client.batch(broken, { items, batchReportName: 'r' }, { onError }))
    const results = await run('return')
    expect(results.map((line) => line.slice(0, 7))).toEqual([
      '0 r.txt',
      expect.stringMatching(/^1 /),
      '2 r.txt',
    ])
    expect((await failure(run('throw'))).message).toBe(results[1]!.slice(2))
  })
})

/** One part of an answer: a document, or an error with its status. */
interface Scripted {
  readonly index: number
  readonly status?: number
  readonly ends?: boolean
}
/** What a service answers to one call: its parts, and whether the connection ends in the middle of the message. */
interface Answer {
  readonly parts: readonly Scripted[]
  readonly breaks?: 'between parts' | 'in a part'
  readonly bytesOfChunk?: number
  readonly type?: string
}

describe('an answer', () => {
  const boundary = 'batch-0f'
  const part = ({ index, status = 200, ends = false }: Scripted, item: string): string => {
    const body = status === 200 ? item : JSON.stringify({ success: false, error: `status ${status}` })
    const heads = [
      `--${boundary}`,
      `content-disposition: attachment; filename="r.txt"`,
      `content-length: ${body.length}`,
      `service-batch-index: ${index}`,
      `service-batch-status: ${status}`,
      ...(ends ? ['service-batch-end: failed'] : []),
    ]
    return `${heads.join('\r\n')}\r\n\r\n${body}\r\n`
  }

  /** What a batch of five items returns from a service with these responses, and the items of each call. */
  async function batchOf(answers: readonly Answer[], retries = 3) {
    const calls: string[][] = []
    const server = createServer(async (request, response) => {
      const answer = answers[calls.length] ?? { parts: [] }
      const items: string[] = []
      calls.push(items)
      for await (const line of createInterface({ input: request })) items.push(line)
      items.shift() // the options
      const texts = answer.parts.map((scripted) => part(scripted, items[scripted.index] ?? ''))
      const end = answer.breaks === undefined ? `--${boundary}--\r\n` : ''
      const whole = Buffer.from(`${texts.join('')}${end}`)
      const sent = answer.breaks === 'in a part' ? whole.subarray(0, -4) : whole
      response.writeHead(200, {
        'content-type': answer.type ?? `multipart/mixed; boundary="${boundary}"`,
        'x-request-id': 'r-1',
      })
      response.flushHeaders()
      const step = answer.bytesOfChunk ?? sent.length
      for (let at = 0; at < sent.length; at += step) {
        response.write(sent.subarray(at, at + step))
        await new Promise(setImmediate)
      }
      if (answer.breaks === undefined) response.end()
      else setTimeout(() => response.destroy(), 20)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const platen = new Platen({ url, retries, maxPauseMs: 1, streams: true })
    try {
      const requestIds = new Set<string | undefined>()
      async function* watched() {
        for await (const result of platen.batch('1', { items: people(5) }, { onError: 'return' })) {
          if (result.error !== undefined) requestIds.add(result.error.requestId)
          yield result
        }
      }
      const results = await collect(watched()).catch((error: Error) => `${error.name}: ${error.message}`)
      return {
        results,
        requestIds: [...requestIds],
        calls: calls.map((items) => items.map((item) => Number(item.match(/\d/)?.[0]))),
      }
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }

  const parts = (count: number): readonly Scripted[] =>
    Array.from({ length: count }, (_, index) => ({ index }))
  const documents = people(5).map((item, index) => `${index} r.txt ${JSON.stringify(item)}`)
  const all = [0, 1, 2, 3, 4]

  it('gives the error of an item the ID of the request', async () => {
    const { requestIds } = await batchOf([{ parts: [...parts(4), { index: 4, status: 500 }] }])
    expect(requestIds).toEqual(['r-1'])
  })

  it.each([1, 2, 3, 7, 50, 1000])('is read from chunks of %i bytes', async (bytesOfChunk) => {
    expect((await batchOf([{ parts: parts(5), bytesOfChunk }])).results).toEqual(documents)
  })

  const cases: readonly {
    readonly title: string
    readonly answers: readonly Answer[]
    readonly results: unknown
    readonly calls: readonly (readonly number[])[]
  }[] = [
    {
      title: 'that breaks off goes on with the first item without a document',
      answers: [{ parts: parts(2), breaks: 'between parts' }, { parts: parts(3) }],
      results: documents,
      calls: [all, [2, 3, 4]],
    },
    {
      title: 'that breaks off within a document makes this document again',
      answers: [{ parts: parts(3), breaks: 'in a part' }, { parts: parts(3) }],
      results: documents,
      calls: [all, [2, 3, 4]],
    },
    {
      title: 'that breaks off again and again is repeated as long as documents arrive',
      answers: Array.from({ length: 5 }, () => ({ parts: parts(1), breaks: 'between parts' }) as const),
      results: documents,
      calls: [all, [1, 2, 3, 4], [2, 3, 4], [3, 4], [4]],
    },
    {
      title: 'that never has a document ends the batch after the retries',
      answers: Array.from({ length: 5 }, () => ({ parts: [], breaks: 'between parts' }) as const),
      results: 'ConnectionError: The answer broke off before the last document.',
      calls: [all, all, all, all],
    },
    {
      title: 'that ends because the service is busy is repeated',
      answers: [{ parts: [{ index: 0 }, { index: 1, status: 503, ends: true }] }, { parts: parts(4) }],
      results: documents,
      calls: [all, [1, 2, 3, 4]],
    },
    {
      title: 'that ends because the service failed ends the batch',
      answers: [{ parts: [{ index: 0 }, { index: 1, status: 500, ends: true }] }],
      results: 'ServerError: status 500',
      calls: [all],
    },
    {
      title: 'with documents in another order is an error',
      answers: [{ parts: [{ index: 1 }] }],
      results: 'ServerError: The documents of the batch are not in the order of its items.',
      calls: [all],
    },
    {
      title: 'of another type is an error that says so',
      answers: [{ parts: [], type: 'application/zip' }],
      results: 'ServerError: The answer is not a batch of documents. Its media type is not multipart/mixed.',
      calls: [all],
    },
  ]
  it.each(cases)('$title', async ({ answers, results, calls }) => {
    expect(await batchOf(answers)).toMatchObject({ results, calls })
  })
})
