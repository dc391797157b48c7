import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { joinPlugins, loadExternalPlugins } from '../../origin/external-plugins.ts'
import { plugins } from '../../origin/plugins.ts'
import { recognizedFormats } from '../../plugins/formats/recognized/index.ts'
import { createConverter } from '../../shared/convert/converter.ts'
import { fromBytes } from '../../shared/plugin/byte-source.ts'
import { defineFormat, type EnginePlugin } from '../../shared/plugin/contract.ts'
import { createRegistry } from '../../shared/plugin/registry.ts'
import { testHost } from '../helpers/host.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const log = { error() {} }
const fixtures = new URL('../fixtures/plugins', import.meta.url).pathname
const txt = defineFormat({
  kind: 'format',
  id: 'txt',
  family: 'text',
  extensions: ['txt'],
  mime: ['text/plain'],
})

describe('a plugin from outside the repository', () => {
  test('is loaded from a folder and converts', async () => {
    const { plugins } = await loadExternalPlugins(['./morse'], fixtures, log)
    const registry = createRegistry(joinPlugins([...recognizedFormats, txt], plugins))
    const converter = createConverter({ registry, host: testHost(registry.formats()), settings: {} })
    const converted = await converter.convert({
      source: fromBytes(new TextEncoder().encode('SOS')),
      from: 'txt',
      to: 'morse',
      options: { gap: '|' },
      deadline: Date.now() + 200_000,
      signal: AbortSignal.timeout(200_000),
    })
    expect(new TextDecoder().decode(await converted.value.arrayBuffer())).toBe('...|---|...')
    expect(converted.engines).toEqual(['morse'])
  })

  test('has its options checked by its own schema', async () => {
    const { plugins } = await loadExternalPlugins(['./morse/index.ts'], fixtures, log)
    const registry = createRegistry(joinPlugins([txt], plugins))
    const converter = createConverter({ registry, host: testHost(), settings: {} })
    const job = converter.convert({
      source: fromBytes(new Uint8Array([65])),
      from: 'txt',
      to: 'morse',
      options: { gap: 'too long' },
      deadline: Date.now() + 200_000,
      signal: AbortSignal.timeout(200_000),
    })
    await expect(job).rejects.toThrow('Invalid option gap: must be a text of at most 3 characters.')
  })

  const folder = temporaryFolder('plugins')
  const broken: readonly (readonly [name: string, source: string, message: RegExp])[] = [
    ['nothing', 'export const a = 1', /the default export is not a plugin/],
    ['empty', 'export default []', /the default export is an empty list/],
    ['syntax', 'export default {', /cannot be loaded/],
    ['late', "throw new Error('no licence')", /cannot be loaded: no licence/],
    [
      'contract',
      "export default { kind: 'engine', id: 'x', contract: 2 }",
      /engine "x" is written for contract 2, and this service has contract 1/,
    ],
  ]
  for (const [name, source, message] of broken) {
    test(`that is broken is refused at start by name: ${name}`, async () => {
      writeFileSync(join(folder, `${name}.mjs`), source)
      await expect(loadExternalPlugins([`./${name}.mjs`], folder, log)).rejects.toThrow(message)
      await expect(loadExternalPlugins([`./${name}.mjs`], folder, log)).rejects.toThrow(name)
    })
  }

  test('whose output no format declares is refused by name, and one that is only a step of a route is not', async () => {
    const { plugins } = await loadExternalPlugins(['./morse'], fixtures, log)
    const engines = plugins.filter(({ kind }) => kind === 'engine')
    expect(() => joinPlugins([txt], engines)).toThrow(
      'Engine "morse" converts to morse, which no format declares: add a plugin of kind "format" for it.',
    )
    const [morse] = engines as [EnginePlugin]
    const reader: EnginePlugin = {
      ...morse,
      id: 'reader',
      conversions: [{ from: 'morse', to: 'txt', fidelity: 'exact', cost: 1 }],
    }
    expect(joinPlugins([txt], [morse, reader])).toHaveLength(3)
  })

  test('that is valid is loaded beside the plugins of the product, and may use their formats', () => {
    expect(joinPlugins(plugins, [])).toHaveLength(plugins.length)
  })

  test('that does not exist is refused at start', async () => {
    await expect(loadExternalPlugins(['no-such-package-here'], folder, log)).rejects.toThrow(
      /"no-such-package-here" cannot be/,
    )
  })
})
