import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import type { Conversion, ConvertJob, Engine, EnginePlugin, Host } from '../../shared/plugin/contract.ts'
import type { FormatId } from '../../shared/plugin/values.ts'
import { notOfKind } from '../helpers/content-kind.ts'
import { slowdown } from '../helpers/processor-time.ts'

/** An engine and what the suite must know to run it. */
export interface EngineUnderTest<Settings, Options> {
  readonly plugin: EnginePlugin<Settings, Options>
  readonly settings: unknown // as the operator writes them
  readonly host: Host
  /** A small document of a format. `convert` is the engine under test: formats may be made with it. */
  sample(
    from: FormatId,
    convert: (source: Uint8Array, from: FormatId, to: FormatId) => Promise<Uint8Array>,
  ): Promise<Uint8Array>
  /** The pairs that are converted, where not all of them are. */
  readonly pairs?: readonly Conversion[]
  /** A job that takes seconds: it is aborted. */
  readonly slow: { readonly from: FormatId; readonly to: FormatId; source(): Uint8Array }
  /** Why two runs may differ in their bytes; absent: they must not. */
  readonly varies?: string
  readonly timeoutMs?: number // of one conversion
}

/** What every engine must keep, whatever it is made of. */
export function engineContract<Settings, Options>(under: EngineUnderTest<Settings, Options>): void {
  const { plugin, timeoutMs = 200_000 } = under
  let engine: Engine<Options>
  const samples = new Map<FormatId, Promise<Uint8Array>>()

  const jobOf = (
    source: Uint8Array,
    from: FormatId,
    to: FormatId,
    options: unknown = {},
  ): ConvertJob<Options> => {
    const checked = plugin.options.parse(options)
    if (!checked.ok) throw new Error(`options refused: ${JSON.stringify(checked.issues)}`)
    return { source: fromBytes(source), from, to, options: checked.value, deadline: Date.now() + timeoutMs }
  }
  const convert = async (source: Uint8Array, from: FormatId, to: FormatId) => {
    const outcome = await engine.convert(jobOf(source, from, to), new AbortController().signal)
    for (const warning of outcome.warnings)
      expect(warning.code, warning.message).toMatch(/^[a-z]+(\.[a-z-]+)+$/)
    return bytesOf(outcome.value)
  }
  /** The first result of a pair, for all tests that need one. */
  const results = new Map<string, Promise<Uint8Array>>()
  const firstOf = (from: FormatId, to: FormatId): Promise<Uint8Array> => {
    const pair = `${from} ${to}`
    const made = results.get(pair) ?? sampleOf(from).then((source) => convert(source, from, to))
    results.set(pair, made)
    return made
  }
  const sampleOf = (from: FormatId): Promise<Uint8Array> => {
    const known = samples.get(from) ?? under.sample(from, convert)
    samples.set(from, known)
    return known
  }

  describe(`engine contract: ${plugin.id}`, () => {
    beforeAll(async () => {
      const settings = plugin.settings.parse(under.settings)
      if (!settings.ok) throw new Error(`settings refused: ${JSON.stringify(settings.issues)}`)
      engine = plugin.create(settings.value, under.host)
      await engine.start?.()
    })
    afterAll(() => engine.stop?.())

    it('lists each pair once', () => {
      const pairs = plugin.conversions.map(({ from, to }) => `${from} ${to}`)
      expect(pairs.length).toBe(new Set(pairs).size)
    })

    it('takes no settings and no options as the defaults', () => {
      expect(plugin.settings.parse({}).ok).toBe(true)
      expect(plugin.options.parse({}).ok).toBe(true)
    })

    it('is healthy once started', async () => {
      expect((await engine.health?.()) ?? { ok: true }).toEqual({ ok: true })
    })

    // Jobs wait in the engine's own queue, so that several of its processes are used.
    it.concurrent.each((under.pairs ?? plugin.conversions).map(({ from, to }) => [from, to] as const))(
      'converts %s to %s',
      async (from, to) => {
        expect(await notOfKind(to, await firstOf(from, to))).toBeUndefined()
      },
      timeoutMs * 2,
    )

    it(under.varies === undefined ? 'gives the same bytes twice' : `may vary: ${under.varies}`, async () => {
      const compare = async ({ from, to }: Conversion) => {
        const first = await firstOf(from, to)
        const second = await convert(await sampleOf(from), from, to)
        if (under.varies === undefined) expect(second, `${from} to ${to}`).toEqual(first)
        // Times and ids change, not how much there is.
        else
          expect(Math.abs(second.length - first.length), `${from} to ${to}`).toBeLessThan(
            64 + first.length / 20,
          )
      }
      await Promise.all(onePerOutput(plugin.conversions).map(compare))
    })

    it('ends soon after an abort, and serves the next job', async () => {
      const { from, to, source } = under.slow
      const control = new AbortController()
      const running = engine.convert(jobOf(source(), from, to), control.signal)
      running.catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 300))
      const reason = new Error('the caller went away')
      const slow = slowdown()
      const aborted = performance.now()
      control.abort(reason)
      await expect(running).rejects.toBe(reason)
      expect(performance.now() - aborted).toBeLessThan(1000 * slow)
      const [pair] = plugin.conversions as [Conversion]
      await convert(await sampleOf(pair.from), pair.from, pair.to)
    })

    it('refuses a pair it does not list', async () => {
      await expect(
        engine.convert(jobOf(new Uint8Array([1]), 'nothing', 'nowhere'), AbortSignal.timeout(timeoutMs)),
      ).rejects.toSatisfy((error) => error instanceof AppError && error.code === 'convert.pair')
    })

    it.each([...new Set(plugin.conversions.map(({ from }) => from))])(
      'answers rubbish named %s with an error of the catalogue or a document',
      async (from) => {
        const to = plugin.conversions.find((pair) => pair.from === from)?.to as FormatId
        const rubbish = Uint8Array.from({ length: 3000 }, (_, at) => (at * 7919 + (at >> 3) * 31) & 255)
        const outcome = await engine.convert(jobOf(rubbish, from, to), new AbortController().signal).then(
          (done) => done.value.size > 0,
          (error) => error instanceof AppError && error.blame === 'document',
        )
        expect(outcome).toBe(true)
      },
    )
  })
}

function onePerOutput(conversions: readonly Conversion[]): readonly Conversion[] {
  return [...new Map(conversions.toReversed().map((pair) => [pair.to, pair])).values()]
}
