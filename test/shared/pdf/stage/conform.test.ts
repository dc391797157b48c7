/** PDF/A and PDF/UA of files that are PDF already: what they hold stays, what a standard forbids goes and is reported. */
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import instant from '../../../../plugins/engines/instant/index.ts'
import docx from '../../../../plugins/formats/docx/index.ts'
import { createConverter } from '../../../../shared/convert/converter.ts'
import { createPdfFinisher } from '../../../../shared/convert/finish-pdf.ts'
import { createPdfOperations } from '../../../../shared/pdf/operations.ts'
import { bytesOf, fromBytes } from '../../../../shared/plugin/byte-source.ts'
import { defineEngine, type EnginePlugin } from '../../../../shared/plugin/contract.ts'
import { createRegistry } from '../../../../shared/plugin/registry.ts'
import { accessibleProblems } from '../../../helpers/conformance/accessible.ts'
import { archiveProblems } from '../../../helpers/conformance/archive.ts'
import { testHost } from '../../../helpers/host.ts'
import { shippedSource } from '../../../helpers/instant-fonts.ts'
import { ask, officePdf, pdfOf, repeatableRandom, stream } from '../../../helpers/pdf.ts'
import { useTemporary } from '../../../helpers/temporary.ts'

const place = useTemporary()
const anything = { json: {}, parse: (value: unknown) => ({ ok: true, value }) as const }
/** An engine that draws any PDF anew, as an office does: what comes out is another file. */
const office = defineEngine({
  kind: 'engine',
  contract: 1,
  id: 'office',
  letter: 'L',
  title: 'Office',
  sides: ['origin'],
  conversions: [{ from: 'pdf', to: 'pdf', fidelity: 'basic', cost: 1 }],
  settings: anything,
  options: { ...anything, json: { properties: { SelectPdfVersion: {}, PDFUACompliance: {}, Quality: {} } } },
  create: () => ({ convert: async () => ({ value: fromBytes(officePdf('letter-archive')), warnings: [] }) }),
})
const registry = createRegistry([docx, instant as EnginePlugin, office as EnginePlugin])
const host = { ...testHost([docx]), codec: nodeCodec, fonts: () => shippedSource }
const finisher = createPdfFinisher({
  registry,
  pdf: createPdfOperations({ codec: nodeCodec, random: repeatableRandom() }),
})
const converter = createConverter({ registry, host, settings: {}, finisher })

async function convert(bytes: Uint8Array, options: Readonly<Record<string, unknown>>) {
  const { signal } = new AbortController()
  const deadline = Date.now() + 200_000
  const job = { source: fromBytes(bytes), from: 'pdf', to: 'pdf', options, deadline, signal }
  const made = await converter.convert(job)
  const pdf = await bytesOf(made.value)
  expect(await ask(place(), pdf, 'qpdf', '--check', '@')).toContain('No syntax or stream encoding errors')
  return {
    pdf,
    engines: made.engines,
    warnings: made.warnings.map(({ code, message }) => `${code}: ${message}`),
  }
}

interface Variant {
  /** More entries of the catalogue, the page and its resources, and content in front of the text. */
  readonly catalog?: string
  readonly page?: string
  readonly resources?: string
  readonly content?: string
  readonly annotations?: readonly string[]
  /** More objects, the first of them number 20. */
  readonly objects?: readonly string[]
}

/** A page with text in Helvetica, a link, a bookmark, and a text field that has a value and no appearance. */
function document({
  catalog = '',
  page = '',
  resources = '',
  content = '',
  annotations = [],
  objects = [],
}: Variant = {}) {
  const added = annotations.map((_, index) => `${11 + index} 0 R`).join(' ')
  return pdfOf(
    [
      `<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R/AcroForm<</Fields[9 0 R]/DA(/Helv 0 Tf 0 g)/DR<</Font<</Helv 5 0 R>>>>/NeedAppearances true>>${catalog}>>`,
      '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
      `<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>${resources}>>/Annots[8 0 R 9 0 R ${added}]${page}>>`,
      stream(`${content} BT /F 18 Tf 20 150 Td (Caf\\351 for all) Tj ET`),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
      '<</Type/Outlines/First 7 0 R/Last 7 0 R/Count 1>>',
      '<</Title(Begin)/Parent 6 0 R/Dest[3 0 R/Fit]>>',
      '<</Type/Annot/Subtype/Link/Rect[20 140 160 170]/A<</S/URI/URI(https://a.example/b)>>>>',
      '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Ada)/Rect[20 60 200 90]>>',
      '<</Title(A file)/Author(Ada)>>',
      ...annotations,
      ...Array.from({ length: 9 - annotations.length }, () => 'null'),
      ...objects,
    ],
    { trailer: '/Info 10 0 R' },
  )
}

const drawsAnew = ['office']

describe('PDF/A of a PDF', () => {
  it.each([1, 2, 3, 4] as const)(
    'part %i keeps links, bookmarks and fields, and embeds the standard fonts',
    async (part) => {
      const { pdf, engines, warnings } = await convert(document(), { SelectPdfVersion: part })
      expect(archiveProblems(pdf, part)).toEqual([])
      expect(engines).toEqual([])
      expect(warnings).toEqual([
        'pdf.fonts-embedded: The PDF did not embed Helvetica, so fonts with the same widths are embedded instead.',
      ])
      const objects = await ask(place(), pdf, 'qpdf', '--qdf', '--object-streams=disable', '@', '-')
      expect(objects).toContain('/URI (https://a.example/b)')
      expect(objects).toContain('/Title (Begin)')
      expect(objects).toContain('/T (name)')
      expect((await ask(place(), pdf, 'pdftotext', '@', '-')).split(/\s*\n/)).toEqual(
        expect.arrayContaining(['Café for all', 'Ada']),
      )
      expect(await ask(place(), pdf, 'pdfinfo', '-meta', '@')).toContain('>A file<')
      if (part < 4) expect(await ask(place(), pdf, 'pdfinfo', '@')).toMatch(/Title: +A file/)
    },
  )

  it('files of an office conform as they are', async () => {
    for (const name of ['letter-archive', 'letter-tagged', 'page-orientation'])
      for (const part of [1, 2, 3, 4] as const) {
        const { pdf, engines, warnings } = await convert(officePdf(name), { SelectPdfVersion: part })
        expect(archiveProblems(pdf, part)).toEqual([])
        expect({ engines, warnings }).toEqual({ engines: [], warnings: [] })
      }
  })

  it('page ranges, watermarks and viewer settings go with it', async () => {
    const options = { SelectPdfVersion: 2, PageRange: '2', Watermark: 'Draft', PageLayout: 1 }
    const { pdf, engines } = await convert(officePdf('page-orientation'), options)
    expect(archiveProblems(pdf, 2)).toEqual([])
    expect(engines).toEqual([])
    expect(await ask(place(), pdf, 'pdfinfo', '@')).toMatch(/Pages: +1\n/)
    expect((await ask(place(), pdf, 'pdftotext', '@', '-')).replace(/\s/g, '')).toContain('Draft')
  })

  it.each<[string, Variant, string, 1 | 2 | 3]>([
    ['scripts', { catalog: '/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>' }, 'a script or action', 2],
    ['actions of a page', { page: '/AA<</O<</S/JavaScript/JS(1)>>>>' }, 'a script or action', 2],
    [
      'a link that starts a program',
      { annotations: ['<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/Launch/F(x.exe)>>>>'] },
      'a script or action and a link without a target',
      2,
    ],
    [
      'a sound',
      { annotations: ['<</Type/Annot/Subtype/Sound/Rect[0 0 9 9]>>'] },
      'a sound, film or 3D view',
      2,
    ],
    [
      'a hidden field',
      { annotations: ['<</Type/Annot/Subtype/Widget/FT/Tx/T(h)/F 2/Rect[0 0 9 9]>>'] },
      'a hidden form field',
      2,
    ],
    [
      'attached files',
      {
        catalog: '/Names<</EmbeddedFiles<</Names[(a)20 0 R]>>>>',
        objects: ['<</Type/Filespec/F(a.txt)/EF<</F 21 0 R>>>>', stream('x', '/Type/EmbeddedFile')],
      },
      'an attached file',
      2,
    ],
    ['layers', { catalog: '/OCProperties<</OCGs[]/D<<>>>>' }, 'its layers', 1],
  ])('%s are removed and reported', async (_, variant, lost, part) => {
    const { pdf, engines, warnings } = await convert(document(variant), { SelectPdfVersion: part })
    expect(archiveProblems(pdf, part)).toEqual([])
    expect(engines).toEqual([])
    expect(warnings[0]).toBe(
      `pdf.lost: PDF/A-${part} does not allow everything that the PDF had, so it lost ${lost}.`,
    )
  })

  it('attached files stay in part 3', async () => {
    const catalog = '/Names<</EmbeddedFiles<</Names[(a)20 0 R]>>>>'
    const objects = ['<</Type/Filespec/F(a.txt)/EF<</F 21 0 R>>>>', stream('attached')]
    const { pdf } = await convert(document({ catalog, objects }), { SelectPdfVersion: 3 })
    expect(archiveProblems(pdf, 3)).toEqual([])
    expect(await ask(place(), pdf, 'qpdf', '--list-attachments', '@')).toContain('a ->')
  })

  it.each<[string, Variant, string, 1 | 2]>([
    ['CMYK', { content: '0 1 1 0 k 0 0 9 9 re f' }, 'CMYK colours without a profile', 2],
    [
      'transparency in part 1',
      { resources: '/ExtGState<</G<</ca 0.5>>>>', content: '/G gs 0 0 9 9 re f' },
      'transparency',
      1,
    ],
    ['unknown operators', { content: '1 2 foo' }, 'unknown drawing operators', 2],
    [
      'fonts of others',
      { resources: '/Font<</F<</Type/Font/Subtype/TrueType/BaseFont/Verdana>>>>' },
      'fonts that are not embedded (Verdana)',
      2,
    ],
  ])('%s: an engine redraws it, and a warning gives the reason', async (_, variant, because, part) => {
    const { engines, warnings } = await convert(document(variant), { SelectPdfVersion: part })
    expect(engines).toEqual(drawsAnew)
    expect(warnings[0]).toBe(`pdf.drawn-anew: The PDF has ${because}. An engine has redrawn it instead.`)
    expect(warnings[1]).toMatch(
      /^pdf.lost: The PDF was redrawn, which lost a bookmark, a link and a form field/,
    )
  })

  it('part 2 keeps transparency, and a profile for CMYK serves', async () => {
    const variant = { resources: '/ExtGState<</G<</ca 0.5>>>>', content: '/G gs 0 0 9 9 re f' }
    const { pdf, engines } = await convert(document(variant), { SelectPdfVersion: 2 })
    expect(engines).toEqual([])
    expect(archiveProblems(pdf, 2)).toEqual([])
  })

  it('contents written in ASCII are read', async () => {
    const content = 'BT /F 18 Tf 20 100 Td (In ASCII) Tj ET'
    const hex = `${Buffer.from(content, 'latin1').toString('hex')}>`
    const variant = {
      resources: '/XObject<</X 20 0 R>>',
      content: '/X Do',
      objects: [
        stream(hex, '/Subtype/Form/BBox[0 0 99 99]/Resources<</Font<</F 5 0 R>>>>/Filter/ASCIIHexDecode'),
      ],
    }
    const { pdf, engines } = await convert(document(variant), { SelectPdfVersion: 2 })
    expect(engines).toEqual([])
    expect(archiveProblems(pdf, 2)).toEqual([])
  })

  it('options that need an engine go to one', async () => {
    expect((await convert(document(), { SelectPdfVersion: 2, Quality: 50 })).engines).toEqual(drawsAnew)
  })
})

describe('PDF/UA of a PDF', () => {
  it.each([{}, { SelectPdfVersion: 2 }])('a file without structure gets one: %j', async (more) => {
    const { pdf, engines, warnings } = await convert(document(), { PDFUACompliance: true, ...more })
    expect(engines).toEqual([])
    expect(accessibleProblems(pdf)).toEqual([])
    if ('SelectPdfVersion' in more) expect(archiveProblems(pdf, 2)).toEqual([])
    expect(warnings).toContain(
      'pdf.tagged-late: The PDF had no structure tags: its text was tagged as paragraphs in the order in which it is drawn, and its pictures as decoration.',
    )
    const structure = await ask(place(), pdf, 'pdfinfo', '-struct-text', '@')
    expect(structure).toMatch(/Document\n\s+P[\s\S]*Café for all[\s\S]*Link[\s\S]*Form/)
  })

  it('text in a form is read, not skipped', async () => {
    const form = stream(
      'BT /F 9 Tf 9 9 Td (Inside) Tj ET',
      '/Subtype/Form/BBox[0 0 99 99]/Resources<</Font<</F 5 0 R>>>>',
    )
    const variant = {
      resources: '/XObject<</X 20 0 R>>',
      content: '/X Do',
      objects: [form],
    }
    const { pdf } = await convert(document(variant), { PDFUACompliance: true })
    expect(accessibleProblems(pdf)).toEqual([])
    expect(await ask(place(), pdf, 'pdfinfo', '-struct-text', '@')).toContain('Inside')
  })

  it('the structure that a file has stays', async () => {
    const before = await ask(place(), officePdf('letter-tagged'), 'pdfinfo', '-struct', '@')
    const { pdf, engines } = await convert(officePdf('letter-tagged'), { PDFUACompliance: true })
    expect(engines).toEqual([])
    expect(await ask(place(), pdf, 'pdfinfo', '-struct', '@')).toBe(before)
  })
})
