/** Watermarks that the standard fonts cannot draw: in PDF/A and PDF/UA, and in scripts beyond Latin. */
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { joinSources } from '../../../../plugins/engines/instant/fonts/font-source.ts'
import instant from '../../../../plugins/engines/instant/index.ts'
import docx from '../../../../plugins/formats/docx/index.ts'
import { createConverter } from '../../../../shared/convert/converter.ts'
import { createPdfFinisher } from '../../../../shared/convert/finish-pdf.ts'
import { createPdfOperations } from '../../../../shared/pdf/operations.ts'
import { bytesOf, fromBytes } from '../../../../shared/plugin/byte-source.ts'
import type { EnginePlugin } from '../../../../shared/plugin/contract.ts'
import { createRegistry } from '../../../../shared/plugin/registry.ts'
import { accessibleProblems } from '../../../helpers/conformance/accessible.ts'
import { archiveProblems } from '../../../helpers/conformance/archive.ts'
import { docxOf } from '../../../helpers/docx.ts'
import { testHost } from '../../../helpers/host.ts'
import { fontFixture, shippedSource } from '../../../helpers/instant-fonts.ts'
import { ask, inkOf, officePdf, pdfOf, repeatableRandom, stream } from '../../../helpers/pdf.ts'
import { useTemporary } from '../../../helpers/temporary.ts'

const place = useTemporary()
const fonts = ['noto-cjk-few.otf', 'dejavu-arabic-few.ttf', 'lohit-few.ttf'].map(fontFixture)
const source = joinSources(...fonts, shippedSource)
const registry = createRegistry([docx, instant as EnginePlugin])
const host = { ...testHost([docx]), codec: nodeCodec, fonts: () => source }
const finisher = createPdfFinisher({
  registry,
  pdf: createPdfOperations({ codec: nodeCodec, random: repeatableRandom() }),
})
const converter = createConverter({ registry, host, settings: {}, finisher })

async function convert(bytes: Uint8Array, from: string, options: Readonly<Record<string, unknown>>) {
  const made = await converter.convert({
    source: fromBytes(bytes),
    from,
    to: 'pdf',
    options,
    deadline: Date.now() + 200_000,
    signal: new AbortController().signal,
  })
  const pdf = await bytesOf(made.value)
  expect(await ask(place(), pdf, 'qpdf', '--check', '@')).toContain('No syntax or stream encoding errors')
  return { pdf, codes: made.warnings.map(({ code }) => code) }
}
const textIn = (pdf: Uint8Array) => ask(place(), pdf, 'pdftotext', '@', '-')
/** Name and whether it is embedded, of each font. */
const fontsIn = async (pdf: Uint8Array) =>
  (await ask(place(), pdf, 'pdffonts', '@'))
    .trim()
    .split('\n')
    .slice(2)
    .map((row) => ({ name: row.split(' ')[0], embedded: /\byes\b/.test(row.slice(50)) }))

const paragraphs = (texts: readonly string[]) =>
  texts
    .map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`)
    .join('<w:p><w:r><w:br w:type="page"/></w:r></w:p>')
const marks = [
  { text: 'DRAFT\n{#PAGE_NUMBER} of {#PAGE_TOTAL}', color: '#c00', rotation: 0 },
  { text: 'Times Ωž', anchor: 'bottomRight', font: 'Times-BoldItalic', size: 9, opacity: 0.5 },
]

describe('in a document that must conform', () => {
  it.each([1, 2, 3, 4])('PDF/A-%d', async (part) => {
    const document = await docxOf(paragraphs(['One', 'Two']))
    const { pdf, codes } = await convert(document, 'docx', { SelectPdfVersion: part, Watermarks: marks })
    expect(archiveProblems(pdf, part as 1 | 2 | 3 | 4)).toEqual([])
    expect(codes).toEqual(part === 1 ? ['pdf.watermark-behind'] : [])
    const text = await textIn(pdf)
    for (const words of ['DRAFT', '1 of 2', '2 of 2', 'Times Ωž']) expect(text).toContain(words)
    for (const font of await fontsIn(pdf)) expect(font).toMatchObject({ embedded: true })
  })

  it('PDF/A-1: a watermark over everything is above the backgrounds of the document', async () => {
    const shaded = '<w:p><w:pPr><w:shd w:val="clear" w:fill="FFFFFF"/></w:pPr></w:p>'
    const document = await docxOf(shaded.repeat(40))
    const mark = { text: 'TEST', opacity: 0.9, rotation: 0, anchor: 'top', offsetY: -150, size: 90 }
    const inkWith = async (more: object) => {
      const options = { SelectPdfVersion: 1, Watermarks: [{ ...mark, ...more }] }
      const { pdf, codes } = await convert(document, 'docx', options)
      expect(archiveProblems(pdf, 1)).toEqual([])
      return { codes, isSeen: inkOf(place(), pdf, 1) !== undefined }
    }
    expect(await inkWith({})).toEqual({ codes: ['pdf.watermark-behind'], isSeen: false })
    expect(await inkWith({ overFields: true })).toEqual({ codes: [], isSeen: true })
  })

  it('PDF/UA: the watermark is an artifact', async () => {
    const document = await docxOf(paragraphs(['One', 'Two']))
    const { pdf } = await convert(document, 'docx', { PDFUACompliance: true, Watermarks: marks })
    expect(accessibleProblems(pdf).filter((problem) => !/title|language/.test(problem))).toEqual([])
    expect(await textIn(pdf)).toContain('DRAFT')
  })

  it('a file that declares PDF/A already', async () => {
    const archive = officePdf('letter-archive')
    const { pdf } = await convert(archive, 'pdf', { Watermarks: [{ text: 'COPY', anchor: 'top' }] })
    expect(archiveProblems(pdf, 2)).toEqual(archiveProblems(archive, 2))
    expect(await textIn(pdf)).toContain('COPY')
  })

  it.each([
    ['without output intent', ''],
    ['for a press', '/OutputIntents[<</S/GTS_PDFA1/DestOutputProfile 5 0 R>>]'],
  ])('PDF/A %s declares its colour profile', async (_, intent) => {
    const names =
      'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"'
    const metadata = `<rdf:RDF ${names}><rdf:Description><pdfaid:part>2</pdfaid:part></rdf:Description></rdf:RDF>`
    const archive = pdfOf([
      `<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R${intent}>>`,
      '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
      '<</Type/Page/Parent 2 0 R>>',
      stream(metadata, '/Type/Metadata/Subtype/XML'),
      stream('', '/N 4'),
    ])
    const { pdf } = await convert(archive, 'pdf', { Watermarks: [{ text: 'COPY', color: '#c00' }] })
    const plain = await ask(place(), pdf, 'qpdf', '--qdf', '--object-streams=disable', '@', '-')
    expect(plain).toMatch(/\/DefaultRGB \[\s*\/CalRGB/)
    expect(plain.includes('/Transparency')).toBe(intent === '')
  })

  it('is refused characters that no font has', async () => {
    const made = convert(await docxOf(paragraphs(['x'])), 'docx', {
      SelectPdfVersion: 2,
      Watermark: '\u{12000}',
    })
    await expect(made).rejects.toMatchObject({ code: 'pdf.promise' })
  })
})

describe('in scripts that the standard fonts do not have', () => {
  const page = officePdf('page-orientation')
  it.each([
    ['Japanese', '日本語', 'Noto'],
    ['Arabic, right to left', 'سل', 'DejaVu'],
    ['Devanagari', 'नत', 'Lohit'],
    ['Latin and Japanese', 'aB 日本', 'Noto'],
  ])('%s', async (_, text, font) => {
    const { pdf, codes } = await convert(page, 'pdf', { Watermarks: [{ text, anchor: 'top', size: 30 }] })
    expect(codes).toEqual([])
    expect((await textIn(pdf)).normalize('NFKC')).toContain(text)
    expect((await fontsIn(pdf)).some(({ name, embedded }) => name?.includes(font) && embedded)).toBe(true)
  })

  it('stands where one of a standard font would', async () => {
    const at = async (text: string) => {
      const mark = { text, size: 40, rotation: 0, opacity: 1, color: '#000' }
      const { pdf } = await convert(page, 'pdf', { Watermarks: [{ ...mark, anchor: 'bottomLeft' }] })
      return inkOf(place(), pdf, 2)!
    }
    const [latin, drawn] = [await at('H'), await at('日')]
    expect(Math.abs(drawn.left - latin.left)).toBeLessThan(5)
    expect(Math.abs(drawn.bottom - latin.bottom)).toBeLessThan(8)
  })

  it('boxes are drawn, with a warning, for characters that no font has', async () => {
    const { codes } = await convert(page, 'pdf', { Watermark: 'x\u{12000}' })
    expect(codes).toEqual(['pdf.watermark-characters'])
  })

  it('Latin text stays in a standard font, without embedding', async () => {
    const { pdf } = await convert(page, 'pdf', { Watermark: 'DRAFT' })
    expect((await fontsIn(pdf)).some(({ name }) => name === 'Helvetica')).toBe(true)
  })
})
