import { describe, expect, test } from 'vitest'
import { createConverter } from '../../../shared/convert/converter.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import {
  type Conversion,
  defineFormat,
  type Engine,
  type EnginePlugin,
  type FormatPlugin,
} from '../../../shared/plugin/contract.ts'
import { PluginError, type PluginErrorCode } from '../../../shared/plugin/plugin-error.ts'
import { createRegistry } from '../../../shared/plugin/registry.ts'
import type { FormatFamily } from '../../../shared/plugin/values.ts'
import { testHost } from '../../helpers/host.ts'

const families: Readonly<Record<string, FormatFamily>> = {
  docx: 'document',
  html: 'web',
  md: 'text',
  pdf: 'graphics',
  png: 'image',
}
const formats: FormatPlugin[] = Object.entries(families).map(([id, family]) =>
  defineFormat({ kind: 'format', id, family, extensions: [id], mime: [`x/${id}`] }),
)

const anySchema = { json: {}, parse: (input: unknown) => ({ ok: true as const, value: input }) }

/** An engine whose output is its input with a note of the step appended: routes can be read off the result. */
function engine(
  id: string,
  arrows: readonly string[],
  extra: Partial<EnginePlugin> & { does?: Partial<Engine> } = {},
): EnginePlugin {
  const { does, ...rest } = extra
  const conversions: Conversion[] = arrows.map((arrow) => {
    const [from = '', to = '', cost = '10', fidelity = 'high'] = arrow.split(/[> ]/)
    return { from, to, cost: Number(cost), fidelity: fidelity as Conversion['fidelity'] }
  })
  return {
    kind: 'engine',
    contract: 1,
    id,
    title: `Engine ${id}`,
    sides: ['origin'],
    conversions,
    settings: anySchema,
    options: anySchema,
    create: () => ({
      async convert(job) {
        const before = new TextDecoder().decode(await bytesOf(job.source))
        const note = `${before} ${id}:${job.from}>${job.to}${JSON.stringify(job.options)}`
        return {
          value: fromBytes(new TextEncoder().encode(note)),
          warnings: [{ code: `by.${id}`, message: id }],
        }
      },
      ...does,
    }),
    ...rest,
  }
}

const office = engine('office', ['docx>pdf', 'html>pdf', 'docx>docx'], {
  letter: 'L',
  defaultFor: ['document'],
})
const browser = engine('browser', ['html>pdf 50', 'html>png 50'], { letter: 'C', defaultFor: ['web'] })
const helper = engine('helper', ['md>html 1 exact', 'pdf>png 5 exact'])

async function convert(plugins: readonly EnginePlugin[], from: string, to: string, extra: object = {}) {
  const registry = createRegistry([...formats, ...plugins])
  const converter = createConverter({ registry, host: testHost(formats), settings: {} })
  const converted = await converter.convert({
    source: fromBytes(new TextEncoder().encode('source')),
    from,
    to,
    deadline: Date.now() + 60_000,
    signal: new AbortController().signal,
    ...extra,
  })
  return {
    text: new TextDecoder().decode(await bytesOf(converted.value)),
    engines: converted.engines,
    codes: converted.warnings.map(({ code }) => code),
  }
}

describe('convert', () => {
  test('chooses the default engine of the source family, not the cheapest', async () => {
    expect((await convert([office, browser], 'html', 'pdf')).engines).toEqual(['browser'])
    expect((await convert([office, browser], 'docx', 'pdf')).engines).toEqual(['office'])
  })
  test('chooses another engine when the default one is missing', async () => {
    expect((await convert([office], 'html', 'pdf')).engines).toEqual(['office'])
  })
  test('keeps the requested engine, with helpers before and after it', async () => {
    expect((await convert([office, browser, helper], 'html', 'pdf', { letter: 'L' })).engines).toEqual([
      'office',
    ])
    expect((await convert([office, browser, helper], 'md', 'png', { letter: 'L' })).engines).toEqual([
      'helper',
      'office',
      'helper',
    ])
    expect((await convert([office, browser, helper], 'md', 'png', { letter: 'C' })).engines).toEqual([
      'helper',
      'browser',
    ])
  })
  test('gives the options to the last step only', async () => {
    const { text } = await convert([office, helper], 'docx', 'png', { options: { PixelWidth: 10 } })
    expect(text).toBe('source office:docx>pdf{} helper:pdf>png{"PixelWidth":10}')
  })
  test('refreshes into the same format when asked', async () => {
    expect((await convert([office], 'docx', 'docx', { hardRefresh: true })).text).toBe(
      'source office:docx>docx{"hardRefresh":true}',
    )
  })
  test('names the pair and the engine when there is no route', async () => {
    await expect(convert([office], 'docx', 'png')).rejects.toMatchObject({
      code: 'convert.pair',
      message: 'This service cannot convert docx to png.',
    })
    await expect(convert([office, browser], 'docx', 'pdf', { letter: 'C' })).rejects.toMatchObject({
      message: 'Engine C cannot convert docx to pdf, but L can.',
    })
  })

  const failing = (code: 'convert.crashed' | 'convert.document', cost: number) =>
    engine(`failing-${code}`, [`docx>pdf ${cost}`], {
      does: {
        async convert() {
          if (code === 'convert.crashed') throw new AppError(code, { engine: 'It' })
          throw new AppError(code, { engine: 'It', from: 'docx', because: 'it is torn' })
        },
      },
    })
  const spare = engine('spare', ['docx>pdf 500'])

  test("an engine's own failure moves on to the next engine", async () => {
    const converted = await convert([failing('convert.crashed', 1), spare], 'docx', 'pdf')
    expect(converted.engines).toEqual(['spare'])
    expect(converted.codes).toEqual(['convert.fallback', 'by.spare'])
  })
  test('a bad document ends the job', async () => {
    await expect(convert([failing('convert.document', 1), spare], 'docx', 'pdf')).rejects.toMatchObject({
      code: 'convert.document',
    })
  })
  test('an engine that declines sends the job on', async () => {
    const picky = engine('picky', ['docx>pdf 1'], {
      does: { accepts: async () => ({ ok: false, because: 'it has charts' }) },
    })
    expect((await convert([picky, spare], 'docx', 'pdf')).engines).toEqual(['spare'])
    await expect(convert([picky], 'docx', 'pdf')).rejects.toThrow(
      'Engine picky is not available here: it has charts',
    )
  })
  describe('left to the service', () => {
    /** Basic, cheap, and honest about its limits. */
    const quick = (beyond: boolean) =>
      engine('quick', ['docx>pdf 5 basic'], {
        letter: 'I',
        selfAssessing: true,
        does: {
          async convert({ source, strict }) {
            if (beyond && strict === true)
              throw new AppError('convert.beyond', { engine: 'It', what: 'a chart' })
            return { value: source, warnings: [] }
          },
        },
      })
    const auto = { auto: true }
    test('the engine that knows its limits comes first', async () => {
      expect((await convert([office, quick(false)], 'docx', 'pdf', auto)).engines).toEqual(['quick'])
      expect((await convert([office, quick(false)], 'docx', 'pdf')).engines).toEqual(['office'])
    })
    test('a document that it declines goes to the default engine, without counting as a failure', async () => {
      const converted = await convert([office, quick(true)], 'docx', 'pdf', auto)
      expect([converted.engines, converted.codes]).toEqual([['office'], ['by.office']])
    })
    test('pinned, it draws what it can', async () => {
      expect((await convert([office, quick(true)], 'docx', 'pdf', { letter: 'I' })).engines).toEqual([
        'quick',
      ])
    })
    test('draws what it can with warnings when there is no other engine', async () => {
      const converted = await convert([quick(true)], 'docx', 'pdf', auto)
      expect([converted.engines, converted.codes]).toEqual([['quick'], ['convert.beyond']])
    })
    test('draws what it can when the other engines fail', async () => {
      const off = engine('office', ['docx>pdf 5'], {
        letter: 'L',
        defaultFor: ['document'],
        does: {
          convert: () => {
            throw new AppError('convert.engine-off', { engine: 'Office', because: 'it is not installed' })
          },
        },
      })
      const converted = await convert([off, quick(true)], 'docx', 'pdf', auto)
      expect([converted.engines, converted.codes]).toEqual([['quick'], ['convert.beyond']])
    })
    test('draws what it can when the other engines are on a host that is not configured', async () => {
      const absent = engine('origin', ['docx>pdf 5'], {
        does: {
          convert: () => {
            throw new AppError('convert.origin-needed', { from: 'docx', to: 'pdf' })
          },
        },
      })
      const converted = await convert([absent, quick(true)], 'docx', 'pdf', auto)
      expect([converted.engines, converted.codes]).toEqual([['quick'], ['convert.beyond']])
    })
    test('a damaged document is not forced through', async () => {
      const refusing = engine('office', ['docx>pdf 5'], {
        letter: 'L',
        defaultFor: ['document'],
        does: {
          convert: () => {
            throw new AppError('convert.document', { engine: 'Office', from: 'docx', because: 'it is empty' })
          },
        },
      })
      await expect(convert([refusing, quick(true)], 'docx', 'pdf', auto)).rejects.toMatchObject({
        code: 'convert.document',
      })
    })
    test('pairs it does not know go to the default engine', async () => {
      expect((await convert([office, quick(true)], 'html', 'pdf', auto)).engines).toEqual(['office'])
    })
  })
  test('a deadline ends the job with its own error, whatever the engine throws', async () => {
    const slow = engine('slow', ['docx>pdf 1'], {
      does: {
        convert: (_job, signal) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('x')))),
      },
    })
    await expect(
      convert([slow, spare], 'docx', 'pdf', { signal: AbortSignal.timeout(20) }),
    ).rejects.toMatchObject({
      code: 'convert.timeout',
      message: 'Timeout while converting docx to pdf.',
    })
  })
  test('a step that runs out of time is reported as the conversion of the request', async () => {
    const first = engine('first', ['docx>odt 1'])
    const second = engine('second', ['odt>pdf 1'], {
      does: {
        convert: () => {
          throw new AppError('convert.timeout', { doing: 'converting odt to pdf' })
        },
      },
    })
    await expect(convert([first, second], 'docx', 'pdf')).rejects.toMatchObject({
      code: 'convert.timeout',
      message: 'Timeout while converting docx to pdf.',
    })
  })
  test('an aborted call does not wait for an engine that starts slowly', async () => {
    const asleep = engine('asleep', ['docx>pdf 1'], { does: { start: () => new Promise(() => {}) } })
    await expect(
      convert([asleep, spare], 'docx', 'pdf', { signal: AbortSignal.timeout(20) }),
    ).rejects.toMatchObject({ code: 'convert.timeout' })
  })
  test('an engine that could not start is started again by the next request', async () => {
    let starts = 0
    const flaky = engine('flaky', ['docx>pdf 1'], {
      does: {
        async start() {
          if (starts++ === 0)
            throw new AppError('convert.engine-off', { engine: 'flaky', because: 'no disk' })
        },
      },
    })
    const registry = createRegistry([...formats, flaky])
    const converter = createConverter({ registry, host: testHost(formats), settings: {} })
    const request = {
      source: fromBytes(new Uint8Array(1)),
      from: 'docx',
      to: 'pdf',
      deadline: Date.now() + 1000,
      signal: new AbortController().signal,
    }
    await expect(converter.convert(request)).rejects.toThrow('no disk')
    expect((await converter.convert(request)).engines).toEqual(['flaky'])
    expect(starts).toBe(2)
  })

  test('a pinned engine makes the step it can where none makes the pair alone', async () => {
    const morse = engine('morse', ['pdf>md 1'], { letter: 'X' })
    const all = [office, browser, morse]
    expect((await convert(all, 'docx', 'md')).engines).toEqual(['office', 'morse'])
    expect((await convert(all, 'docx', 'md', { letter: 'X' })).engines).toEqual(['office', 'morse'])
    expect((await convert(all, 'docx', 'md', { letter: 'L' })).engines).toEqual(['office', 'morse'])
    expect((await convert(all, 'html', 'md', { letter: 'L' })).engines).toEqual(['office', 'morse'])
    expect((await convert(all, 'html', 'md', { letter: 'C' })).engines).toEqual(['browser', 'morse'])
    await expect(convert(all, 'docx', 'md', { letter: 'C' })).rejects.toMatchObject({
      code: 'convert.engine-pair',
    })
    await expect(convert(all, 'docx', 'pdf', { letter: 'X' })).rejects.toMatchObject({
      code: 'convert.engine-pair',
    })
  })
})

describe('an engine that fails', () => {
  const throwing = (does: Partial<Engine>) => engine('odd', ['docx>pdf 1'], { title: 'The odd engine', does })
  const spare = engine('spare', ['docx>pdf 500'])
  const fail = async () => {
    throw new TypeError('secret details')
  }
  const unforeseen: Readonly<Record<string, Partial<Engine>>> = {
    convert: { convert: fail },
    accepts: { accepts: fail },
    start: { start: fail },
    'no bytes': { convert: async () => ({ value: 'text', warnings: [] }) as never },
    'no result': { convert: async () => undefined as never },
    'no warnings': { convert: async () => ({ value: fromBytes(new Uint8Array(1)) }) as never },
    'pages without bytes': {
      convert: async () => ({ value: fromBytes(new Uint8Array(1)), warnings: [], pages: ['one'] }) as never,
    },
  }
  for (const [name, does] of Object.entries(unforeseen))
    test(`unforeseen is named by its title, with the cause in the log: ${name}`, async () => {
      const logged: unknown[] = []
      const host = testHost(formats)
      const log = {
        ...host.log,
        error: (event: string, details?: object) => void logged.push([event, details]),
      }
      const converter = createConverter({
        registry: createRegistry([...formats, throwing(does)]),
        host: { ...host, log },
        settings: {},
      })
      const work = converter.convert({
        source: fromBytes(new Uint8Array(1)),
        from: 'docx',
        to: 'pdf',
        deadline: Date.now() + 60_000,
        signal: new AbortController().signal,
      })
      await expect(work).rejects.toMatchObject({
        code: 'engine.failed',
        message: 'The odd engine failed while converting docx to pdf.',
      })
      expect(logged).toEqual([
        ['engine.failed', { engine: 'odd', from: 'docx', to: 'pdf', error: expect.any(TypeError) }],
      ])
    })
  test('passes the conversion on at a limit of the runtime, and reports it where there is no other engine', async () => {
    const convertDeep = async () => {
      const deep = (): never => deep()
      return deep()
    }
    const { engines, codes } = await convert([throwing({ convert: convertDeep }), spare], 'docx', 'pdf')
    expect([engines, codes[0]]).toEqual([['spare'], 'convert.fallback'])
    await expect(convert([throwing({ convert: convertDeep })], 'docx', 'pdf')).rejects.toMatchObject({
      code: 'api.render.too-complex',
    })
  })
  test('passes its conversions to another engine', async () => {
    const { engines, codes } = await convert([throwing({ convert: fail }), spare], 'docx', 'pdf')
    expect([engines, codes[0]]).toEqual([['spare'], 'convert.fallback'])
  })
  test('with a PluginError reports to the caller, and no other engine is tried', async () => {
    const speaking = (code: PluginErrorCode) =>
      throwing({
        async convert() {
          throw new PluginError(code, 'Page 3 has no barcode.')
        },
      })
    await expect(convert([speaking('plugin.document'), spare], 'docx', 'pdf')).rejects.toMatchObject({
      code: 'plugin.document',
      message: 'Page 3 has no barcode.',
    })
    const away = convert([speaking('plugin.unavailable'), spare], 'docx', 'pdf')
    await expect(away).resolves.toMatchObject({ engines: ['spare'] })
  })
  test('in its schema of options counts as failed too', async () => {
    const parse = (input: unknown) => {
      if (Object.keys(input as object).length === 0) return { ok: true as const, value: input }
      throw new TypeError('secret details')
    }
    const odd = { ...throwing({}), options: { json: {}, parse } }
    const failed = convert([odd], 'docx', 'pdf', { options: { any: 1 } })
    await expect(failed).rejects.toMatchObject({ code: 'engine.failed' })
  })
  test('in its schema of options for a request without any stops the start with its name', () => {
    const parse = () => {
      throw new TypeError('no default')
    }
    const registry = createRegistry([...formats, { ...throwing({}), options: { json: {}, parse } }])
    expect(() => createConverter({ registry, host: testHost(formats), settings: {} })).toThrow(
      'Engine "odd" could not be created: no default',
    )
  })
  test('in its check of health is off, and the others are described', async () => {
    const registry = createRegistry([...formats, throwing({ health: fail }), spare])
    const converter = createConverter({ registry, host: testHost(formats), settings: {} })
    expect(await converter.health()).toMatchObject([
      { id: 'odd', ok: false, because: 'its check failed; the log has the cause' },
      { id: 'spare', ok: true },
    ])
  })
  test('at once in its start or stop does so alone', async () => {
    const failAtOnce = () => {
      throw new TypeError('secret details')
    }
    const registry = createRegistry([...formats, throwing({ start: failAtOnce, stop: failAtOnce }), spare])
    const converter = createConverter({ registry, host: testHost(formats), settings: {} })
    await expect(converter.warm()).resolves.toBeUndefined()
    await expect(converter.stop()).resolves.toBeUndefined()
  })
  test('to be created stops the start with its name', () => {
    const broken = {
      ...throwing({}),
      create() {
        throw new TypeError('no licence')
      },
    }
    const registry = createRegistry([...formats, broken])
    expect(() => createConverter({ registry, host: testHost(formats), settings: {} })).toThrow(
      'Engine "odd" could not be created: no licence',
    )
  })
})
