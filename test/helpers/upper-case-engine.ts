import { type Converter, createConverter } from '../../shared/convert/converter.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import { defineEngine, type EnginePlugin } from '../../shared/plugin/contract.ts'
import { createRegistry } from '../../shared/plugin/registry.ts'

interface Options {
  readonly mark?: string
}

/** The smallest engine there is: capitals. 'break' is a document it cannot read, 'wait' one it never gets done with. */
export const upperCaseEngine = defineEngine<unknown, Options>({
  kind: 'engine',
  contract: 1,
  id: 'upper-case',
  letter: 'U',
  title: 'Upper case',
  sides: ['edge', 'origin'],
  conversions: [{ from: 'txt', to: 'up', fidelity: 'exact', cost: 1 }],
  settings: { json: {}, parse: (value) => ({ ok: true, value }) },
  options: {
    json: {},
    parse(value) {
      const { mark } = value as { mark?: unknown }
      if (mark === undefined || typeof mark === 'string') return { ok: true, value: { mark } }
      return { ok: false, issues: [{ path: 'mark', rule: 'must be a text' }] }
    },
  },
  create: () => ({
    async convert({ source, options }, signal) {
      const text = new TextDecoder().decode(await bytesOf(source))
      if (text === 'break') {
        throw new AppError('convert.document', { engine: 'Upper case', from: 'txt', because: 'it says so' })
      }
      if (text === 'wait') {
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      }
      return {
        value: fromBytes(new TextEncoder().encode(text.toUpperCase() + (options.mark ?? ''))),
        warnings: [{ code: 'shouting', message: 'All of it is in capitals – now.' }],
      }
    },
  }),
})

export function upperCaseConverter(): Converter {
  const registry = createRegistry([upperCaseEngine as EnginePlugin])
  const never = () => {
    throw new Error('This engine needs no codec.')
  }
  return createConverter({
    registry,
    settings: {},
    host: {
      format: registry.format,
      asset: async () => undefined,
      codec: { inflateRaw: never, deflateRaw: never, crc32: never },
      log: { debug() {}, info() {}, warn() {}, error() {} },
      now: () => Date.now(),
    },
  })
}
