/** Text in every major script is drawn by fonts that the set-up installs, in every engine, and can be copied. */
import { afterAll, describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../origin/codec.ts'
import { machineFontsNow } from '../../../origin/fonts/index.ts'
import { type BrowserEngine, createEngine } from '../../../plugins/engines/chromium/engine.ts'
import chromium from '../../../plugins/engines/chromium/index.ts'
import instant from '../../../plugins/engines/instant/index.ts'
import docx from '../../../plugins/formats/docx/index.ts'
import odt from '../../../plugins/formats/odt/index.ts'
import { engineUnder, originHost } from '../../helpers/engines.ts'
import { testHost } from '../../helpers/host.ts'
import { inspect, pdfText } from '../../helpers/instant-fonts.ts'
import {
  docxOfScripts,
  htmlOfScripts,
  lackingSamples,
  linesOfScripts,
  odtOfScripts,
  scriptSamples,
} from '../../helpers/scripts.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { createOffice } from './libreoffice/office.ts'

const folder = temporaryFolder('scripts')

/** The PostScript names of the fonts of a PDF, without the letters that mark a part of a font. */
const fontsOf = (pdf: Uint8Array): string[] =>
  inspect(pdf, 'pdffonts', ['{}'])
    .split('\n')
    .slice(2)
    .map((line) => /^(?:[A-Z]{6}\+)?(\S+)/.exec(line)?.[1] ?? '')

/** What of the samples is not drawn by the font that should draw it. */
const lackingFonts = (pdf: Uint8Array, kind: 'sans' | 'serif'): string[] => {
  const fonts = fontsOf(pdf)
  return scriptSamples
    .map((sample) => sample[kind])
    .filter((name) => !fonts.some((one) => one.startsWith(name)))
}

const documents = [
  ['docx', 'Arial', 'sans', () => docxOfScripts('Arial')],
  ['docx', 'Times New Roman', 'serif', () => docxOfScripts('Times New Roman')],
  ['odt', 'Arial', 'sans', () => odtOfScripts('Arial')],
  ['odt', 'Times New Roman', 'serif', () => odtOfScripts('Times New Roman')],
] as const

describe('engine I', () => {
  const fonts = machineFontsNow({ dataDir: folder })
  const host = { ...testHost([docx, odt]), codec: nodeCodec, fonts }
  const { convert, engine } = engineUnder(instant, host, { fontCacheSize: 24 })
  const drawn = async (lines: readonly string[], family: string, bold: boolean) => {
    const request = { lines, family, bold, italic: false, colour: 0 }
    const outcome = await engine.drawText?.(request, new AbortController().signal)
    if (outcome === undefined) throw new Error('Engine I cannot draw text.')
    return outcome
  }
  it.each(documents)('%s in %s', async (from, _, kind, make) => {
    const { bytes, fonts: report } = await convert(await make(), from, 'pdf')
    expect(report?.missing).toEqual([])
    expect(report?.used).toEqual(expect.arrayContaining(['Noto Color Emoji', 'Noto Serif Tibetan']))
    expect(lackingFonts(bytes, kind)).toEqual([])
    expect(lackingSamples(pdfText(bytes))).toEqual([])
    // Only the glyphs that are used are embedded: the fonts themselves have more than 60 MB.
    expect(bytes.byteLength).toBeLessThan(200_000)
  })
  it.each(['Helvetica', 'Times-Roman'])('watermarks in %s', async (family) => {
    const { value, warnings } = await drawn(linesOfScripts(), family, true)
    expect(warnings).toEqual([])
    expect(lackingSamples(pdfText(value))).toEqual([])
  })
  it('draws emoji that are joined as one picture', async () => {
    const { value } = await drawn(['👨‍👩‍👧', '👨👩👧', '👩🏽‍💻'], 'Helvetica', false)
    const widths = [...inspect(value, 'pdfinfo', ['-l', '3', '{}']).matchAll(/size:\s+([\d.]+) x/g)]
    const [joined, apart, woman] = widths.map(([, width]) => Number(width))
    expect([joined, apart, woman].map((width) => Math.round((width ?? 0) / (joined ?? 1)))).toEqual([1, 3, 1])
    expect(pdfText(value)).toContain('👨‍👩‍👧')
  })
})

describe('engine L', () => {
  const office = createOffice()
  afterAll(() => office.engine.stop?.())
  it.each(documents)('%s in %s', async (from, _, kind, make) => {
    const { bytes } = await office.convert(await make(), from, 'pdf')
    const notHan = lackingFonts(bytes, kind).filter((name) => !name.includes('CJK'))
    expect(notHan).toEqual([])
    // The office names all faces of a collection by its first one.
    expect(fontsOf(bytes).filter((name) => name.includes('CJK')).length).toBeGreaterThan(0)
  })
})

describe('engine C', () => {
  const { engine, convert } = engineUnder<BrowserEngine>({ ...chromium, create: createEngine }, originHost())
  afterAll(() => engine.stop?.())
  it.each(['Arial', 'Times New Roman'])('HTML in %s', async (family) => {
    const { bytes } = await convert(new TextDecoder().decode(htmlOfScripts(family)), 'html', 'pdf')
    expect(lackingSamples(pdfText(bytes))).toEqual([])
    // 日本語 and the others come from a font of their own each.
    expect(new Set(fontsOf(bytes)).size).toBeGreaterThan(15)
  })
})
