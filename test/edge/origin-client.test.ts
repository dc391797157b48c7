import { describe, expect, inject, it } from 'vitest'
import { createOriginPlugin, fetchConversions } from '../../edge/origin-client.ts'
import { createOrigins, readAnswer } from '../../edge/origins.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import type { Host } from '../../shared/plugin/contract.ts'
import type { ByteSource } from '../../shared/plugin/values.ts'

const { secret, ...origins } = inject('origins')
type Name = keyof typeof origins | 'nobody'
const urlOf = (name: Name) => (name === 'nobody' ? 'http://127.0.0.1:9' : origins[name])

const conversions = [{ from: 'txt', to: 'up', fidelity: 'exact', cost: 1, letter: 'U' }] as const

/** The engine over some of the servers, and its log. */
function engineOf(names: readonly Name[]) {
  const failed: unknown[] = []
  const log = {
    debug() {},
    info() {},
    error() {},
    warn: (_event: string, details?: object) => failed.push(details),
  }
  // Stands still, so that what rests does so until a test lets time pass.
  let time = Date.now()
  const now = () => time
  const origins = createOrigins({ urls: names.map(urlOf), log, now })
  const plugin = createOriginPlugin({ origins, secret, conversions, now })
  const engine = plugin.create({}, {} as Host)
  const convert = (source: ByteSource | string, more: { options?: object; signal?: AbortSignal } = {}) =>
    engine.convert(
      {
        source: typeof source === 'string' ? fromBytes(new TextEncoder().encode(source)) : source,
        from: 'txt',
        to: 'up',
        options: { ...more.options },
        deadline: time + 5000,
      },
      more.signal ?? new AbortController().signal,
    )
  const pass = (ms: number) => {
    time += ms
  }
  return { plugin, convert, failed, pass, settings: { urls: names.map(urlOf), secret, log, now } }
}

const text = async (source: ByteSource) => new TextDecoder().decode(await bytesOf(source))

/** As a blob of a bucket is: not in memory. */
function streamed(content: string): ByteSource {
  const { view: _view, ...source } = fromBytes(new TextEncoder().encode(content))
  return source
}

describe('the origin as an engine', () => {
  it('converts what is in memory and what is a stream, with warnings', async () => {
    const { convert } = engineOf(['good'])
    for (const source of ['hello', streamed('hello'), streamed('')]) {
      const { value, warnings } = await convert(source, { options: { mark: '!' } })
      const expected = typeof source === 'string' || source.size > 0 ? 'HELLO!' : '!'
      expect([value.size, await text(value)]).toEqual([expected.length, expected])
      expect(warnings).toEqual([{ code: 'shouting', message: 'All of it is in capitals – now.' }])
    }
  })

  it('gives a result that may be read in pieces, or once as it arrives', async () => {
    const { convert } = engineOf(['good'])
    const pieces = (await convert('abcdef')).value
    expect(await text(pieces.slice(1, 3))).toBe('BC')
    expect(await text(pieces.slice(2, 99).slice(1, 2))).toBe('D')
    expect(await new Response(pieces.stream()).text()).toBe('ABCDEF')
    const once = (await convert('abcdef')).value
    expect(await new Response(once.stream()).text()).toBe('ABCDEF')
    await expect(bytesOf(once)).rejects.toThrow('not kept')
  })

  const ill: readonly Name[] = ['nobody', 'html', 'busy', 'foreign', 'moved']
  it.each(ill)('asks the next origin when one is %s', async (name) => {
    const { convert, failed } = engineOf([name, 'good'])
    for (let n = 0; n < 50; n++) expect(await text((await convert('x')).value)).toBe('X')
    // Whichever came first by chance: the ill one was asked once and then left to rest.
    expect(failed).toHaveLength(1)
    expect(JSON.stringify(failed)).not.toContain(secret)
  })

  it('leaves one that hangs for another while there is time', async () => {
    for (const names of [
      ['hangs', 'good'],
      ['good', 'hangs'],
    ] as const) {
      const { convert, failed } = engineOf(names)
      for (let n = 0; n < 2; n++) expect(await text((await convert('x')).value)).toBe('X')
      expect(failed).toHaveLength(1)
    }
  })

  it('waits for one that misses a single probe while it works', async () => {
    const { convert, failed } = engineOf(['stutters'])
    expect(await text((await convert('x')).value)).toBe('X')
    expect(failed).toEqual([])
  })

  it('probes a failed origin before it is given work', async () => {
    const { convert, failed, pass } = engineOf(['hangs'])
    await expect(convert('x')).rejects.toMatchObject({ code: 'origin.down' })
    pass(60_000)
    await expect(convert('x')).rejects.toMatchObject({ code: 'origin.down' })
    expect(failed).toEqual([
      expect.objectContaining({ error: expect.anything() }),
      { because: 'probe', origin: 0 },
    ])
  })

  it('asks a failed origin again when it has rested, longer each time', async () => {
    const { convert, failed, pass } = engineOf(['html', 'html'])
    const ask = () => expect(convert('x')).rejects.toMatchObject({ code: 'origin.down' })
    await ask()
    expect(failed).toHaveLength(2)
    // All of them are resting, so they are asked all the same.
    await ask()
    expect(failed).toHaveLength(4)
    pass(31_000)
    await ask()
    expect(failed).toHaveLength(6)
  })

  const nowhere: readonly (readonly [readonly Name[], string])[] = [
    [['nobody'], 'origin.down'],
    [['html', 'nobody'], 'origin.down'],
    [['foreign'], 'origin.down'],
    [['moved'], 'origin.down'],
    [['busy', 'html'], 'convert.busy'],
  ]
  it.each(nowhere)('%j end in %s, without an address', async (names, code) => {
    const error = await engineOf(names)
      .convert('x')
      .then(
        () => undefined,
        (error: Error) => error,
      )
    expect(error).toMatchObject({ code })
    expect(`${error?.message}`).not.toMatch(/127\.0\.0\.1|10\.1\.2\.3|proxy/)
  })

  const answers: readonly (readonly [string, string, object, string])[] = [
    ['a document that cannot be read', 'break', {}, 'convert.document'],
    ['an option that is wrong', 'x', { mark: 7 }, 'convert.options'],
  ]
  it.each(answers)('%s ends the job: no other origin is asked', async (_name, source, options, code) => {
    const { convert, failed } = engineOf(['good', 'good'])
    await expect(convert(source, { options })).rejects.toMatchObject({ code })
    expect(failed).toEqual([])
  })

  it('reports that an origin is needed when none is configured, and comes after every other engine', async () => {
    const { plugin, convert } = engineOf([])
    await expect(convert('x')).rejects.toMatchObject({
      code: 'convert.origin-needed',
      details: { from: 'txt', to: 'up' },
    })
    expect(plugin.defaultFor).toBeUndefined()
    expect(plugin.conversions[0]!.cost).toBeGreaterThan(100_000)
  })

  it('reports a transfer that was cut', async () => {
    const { value } = await engineOf(['cut']).convert('x')
    await expect(bytesOf(value)).rejects.toThrow()
  })

  it('stops when its caller does', async () => {
    const { convert, failed } = engineOf(['good', 'good'])
    const stop = new AbortController()
    const call = convert('wait', { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('The caller left.')), 50)
    await expect(call).rejects.toThrow()
    expect(failed).toEqual([])
  })

  it('asks what an origin offers, past those that do not answer', async () => {
    expect(await fetchConversions(engineOf(['nobody', 'html', 'foreign', 'good']).settings)).toEqual(
      conversions,
    )
    expect(await fetchConversions(engineOf(['html']).settings)).toBeUndefined()
  })
})

it('a document that stops half way on its way from an origin fails, and its connection is given up', async () => {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(3)),
    cancel: () => resolve(),
  })
  const headers = { 'service-result': 'done', 'content-length': '5' }
  const answered = await readAnswer(new Response(body, { headers }), ({ value }) => value, 50)
  if (!('result' in answered)) throw new Error('This answer is as agreed.')
  await expect(bytesOf(answered.result)).rejects.toMatchObject({ code: 'origin.down' })
  await cancelled
})
