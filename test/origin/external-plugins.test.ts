import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadExternalPlugins } from '../../origin/external-plugins.ts'
import { knownFormats } from '../../plugins/formats/known/index.ts'
import { createConverter } from '../../shared/convert/converter.ts'
import { fromBytes } from '../../shared/plugin/byte-source.ts'
import { defineFormat } from '../../shared/plugin/contract.ts'
import { createRegistry } from '../../shared/plugin/registry.ts'
import { testHost } from '../helpers/host.ts'

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
    const plugins = await loadExternalPlugins(['./morse'], fixtures)
    const registry = createRegistry([...knownFormats, txt, ...plugins])
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
    const registry = createRegistry([txt, ...(await loadExternalPlugins(['./morse/index.ts'], fixtures))])
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

  const folder = mkdtempSync(join(tmpdir(), 'plugins-'))
  const broken: readonly (readonly [name: string, source: string, message: RegExp])[] = [
    ['nothing', 'export const a = 1', /has no plugin as its default export/],
    ['empty', 'export default []', /exports an empty list/],
    ['syntax', 'export default {', /cannot be loaded/],
    [
      'contract',
      "export default { kind: 'engine', id: 'x', contract: 2 }",
      /written for contract 2, this service has 1/,
    ],
    [
      'edge-only',
      "export default { kind: 'engine', id: 'x', contract: 1, conversions: [], sides: ['edge'] }",
      /does not run on the origin/,
    ],
    ['format', "export default { kind: 'format', id: 'x' }", /format "x" lacks extensions or mime/],
    ['id', "export default { kind: 'format', id: '../x' }", /without a usable id/],
  ]
  for (const [name, source, message] of broken) {
    test(`that is broken is refused at start by name: ${name}`, async () => {
      writeFileSync(join(folder, `${name}.mjs`), source)
      await expect(loadExternalPlugins([`./${name}.mjs`], folder)).rejects.toThrow(message)
      await expect(loadExternalPlugins([`./${name}.mjs`], folder)).rejects.toThrow(name)
    })
  }

  test('that does not exist is refused at start', async () => {
    await expect(loadExternalPlugins(['no-such-package-here'], folder)).rejects.toThrow(
      /"no-such-package-here" cannot be/,
    )
  })
})
