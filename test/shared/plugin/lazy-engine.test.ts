import { expect, test } from 'vitest'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import type { Engine } from '../../../shared/plugin/contract.ts'
import { lazyEngine } from '../../../shared/plugin/lazy-engine.ts'
import { testHost } from '../../helpers/host.ts'

const job = { source: fromBytes(new Uint8Array()), from: 'txt', to: 'md', options: {}, deadline: 0 }
const { signal } = new AbortController()

/** An engine with these functions, and what became of it so far. */
function watched(engine: Partial<Engine>) {
  const events: string[] = []
  const create = lazyEngine<string, unknown>(async () => {
    events.push('imported')
    return (settings) => {
      events.push(`created with ${settings}`)
      return { convert: async () => ({ value: fromBytes(new Uint8Array([1])), warnings: [] }), ...engine }
    }
  })
  return { engine: create('its settings', testHost()), events }
}

test('its code is imported by the first use, once', async () => {
  const { engine, events } = watched({})
  await engine.stop?.()
  expect(events).toEqual([])
  await Promise.all([engine.start?.(), engine.convert(job, signal), engine.convert(job, signal)])
  expect(events).toEqual(['imported', 'created with its settings'])
})

test('functions that the engine lacks do what their absence means', async () => {
  const { engine } = watched({})
  expect(await engine.accepts?.(job)).toEqual({ ok: true })
  expect(await engine.health?.()).toEqual({ ok: true })
  await engine.start?.()
  await engine.stop?.()
  const text = { lines: [] } as never
  await expect(engine.drawText?.(text, signal)).rejects.toThrow('cannot draw text')
})

test('functions that it has are called', async () => {
  const stopped: string[] = []
  const { engine } = watched({
    accepts: async () => ({ ok: false, because: 'too large' }),
    health: async () => ({ ok: false, because: 'off' }),
    start: async () => void stopped.push('started'),
    stop: async () => void stopped.push('stopped'),
  })
  expect(await engine.accepts?.(job)).toEqual({ ok: false, because: 'too large' })
  expect(await engine.health?.()).toEqual({ ok: false, because: 'off' })
  await engine.start?.()
  await engine.stop?.()
  expect(stopped).toEqual(['started', 'stopped'])
})

test('an import that fails is tried again by the next use', async () => {
  let imports = 0
  const create = lazyEngine<object, unknown>(async () => {
    if (++imports === 1) throw new Error('the disk did not answer')
    return () => ({ convert: async () => ({ value: fromBytes(new Uint8Array()), warnings: [] }) })
  })
  const engine = create({}, testHost())
  await expect(engine.convert(job, signal)).rejects.toThrow('the disk did not answer')
  expect((await engine.convert(job, signal)).warnings).toEqual([])
  await engine.stop?.()
})
