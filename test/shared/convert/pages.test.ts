import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import { createConverter } from '../../../shared/convert/converter.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import { type Conversion, defineFormat, type EnginePlugin } from '../../../shared/plugin/contract.ts'
import { createRegistry } from '../../../shared/plugin/registry.ts'
import { testHost } from '../../helpers/host.ts'

const anySchema = { json: {}, parse: (input: unknown) => ({ ok: true as const, value: input }) }
const formats = ['txt', 'png', 'pbm'].map((id) =>
  defineFormat({ kind: 'format', id, family: 'text', extensions: [id], mime: [`x/${id}`] }),
)

function engine(
  id: string,
  [from, to]: readonly [string, string],
  pages: (text: string) => string[],
): EnginePlugin {
  const conversions: Conversion[] = [{ from, to, cost: 1, fidelity: 'exact' }]
  return {
    kind: 'engine',
    contract: 1,
    id,
    title: id,
    sides: ['origin'],
    conversions,
    settings: anySchema,
    options: anySchema,
    create: () => ({
      async convert(job) {
        const files = pages(new TextDecoder().decode(await bytesOf(job.source)))
        const sources = files.map((text) => fromBytes(new TextEncoder().encode(text)))
        const warnings = [{ code: 'by.splitter', message: 'told once' }]
        return { value: sources[0]!, pages: sources, warnings }
      },
    }),
  }
}

/** Cuts a text at its commas: each piece is a page. Each page then goes on alone. */
const splitter = engine('splitter', ['txt', 'png'], (text) => text.split(','))
const painter = engine('painter', ['png', 'pbm'], (text) => [`<${text}>`])

async function convert(text: string, to: string) {
  const registry = createRegistry([...formats, splitter, painter])
  const converter = createConverter({ registry, host: testHost(formats), settings: {} })
  const converted = await converter.convert({
    source: fromBytes(new TextEncoder().encode(text)),
    from: 'txt',
    to,
    deadline: Date.now() + 10_000,
    signal: new AbortController().signal,
  })
  return { ...converted, bytes: await bytesOf(converted.value) }
}

async function entriesOf(bytes: Uint8Array): Promise<Record<string, string>> {
  const zip = await JSZip.loadAsync(bytes, { checkCRC32: true })
  const names = Object.keys(zip.files)
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await zip.file(name)!.async('string')])),
  )
}

describe('several files of one conversion', () => {
  test('one page is the file itself', async () => {
    const { bytes, format, pages } = await convert('only', 'png')
    expect([new TextDecoder().decode(bytes), format, pages]).toEqual(['only', 'png', undefined])
  })

  test('several are a zip of numbered files', async () => {
    const { bytes, format, pages, warnings } = await convert('a,b,c', 'png')
    expect(format).toBe('zip')
    expect(pages).toHaveLength(3)
    expect(warnings).toEqual([{ code: 'by.splitter', message: 'told once' }])
    expect(await entriesOf(bytes)).toEqual({ 'page-1.png': 'a', 'page-2.png': 'b', 'page-3.png': 'c' })
  })

  test('each file goes through the next step alone', async () => {
    const { bytes, engines } = await convert('a,b', 'pbm')
    expect(engines).toEqual(['splitter', 'painter'])
    expect(await entriesOf(bytes)).toEqual({ 'page-1.pbm': '<a>', 'page-2.pbm': '<b>' })
  })

  test('numbers have as many digits as the last needs', async () => {
    const { bytes } = await convert('abcdefghijkl'.split('').join(','), 'png')
    const names = Object.keys(await entriesOf(bytes))
    expect([names[0], names[8], names[11]]).toEqual(['page-01.png', 'page-09.png', 'page-12.png'])
  })

  test('files that compress well are deflated, others are stored', async () => {
    const noise = Array.from({ length: 4000 }, (_, at) =>
      String.fromCharCode(33 + ((at * 7919 * (at + 13)) % 90)),
    ).join('')
    const { bytes } = await convert(
      `${'same '.repeat(2000)},${noise.replaceAll(',', '.').slice(0, 400)}`,
      'png',
    )
    expect(bytes.length).toBeLessThan(2000)
    expect(Object.values(await entriesOf(bytes))[0]).toBe('same '.repeat(2000))
  })
})
