import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { amendPdf, describePdf } from '../../../../shared/pdf/amend/amend.ts'
import type { OutlineItem, PdfChanges } from '../../../../shared/plugin/pdf-changes.ts'
import { archiveProblems } from '../../../helpers/conformance/archive.ts'
import { legible } from '../../../helpers/legible.ts'
import { failure } from '../../../helpers/merge.ts'
import { ask, inkOf, latin1, officePdf, pdfOf, repeatableRandom, stream } from '../../../helpers/pdf.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

const folder = temporaryFolder('amend')
let files = 0
const place = () => join(folder, String(++files))
const look = (bytes: Uint8Array, command: string, ...args: string[]) => ask(place(), bytes, command, ...args)

async function amend(bytes: Uint8Array, changes: PdfChanges): Promise<Uint8Array> {
  const { signal } = new AbortController()
  const { value } = await amendPdf(bytes, changes, { codec: nodeCodec, random: repeatableRandom(), signal })
  expect(await look(value, 'qpdf', '--check', '@')).toContain('No syntax or stream encoding errors')
  return value
}

/** Three pages with a word each; `catalog` goes into the catalogue, `first` into the first page. */
function threePages({ catalog = '', first = '', objects = [] as readonly string[], trailer = '' } = {}) {
  const page = (contents: number, more = '') => `<</Type/Page/Parent 2 0 R/Contents ${contents} 0 R${more}>>`
  const word = (text: string) => stream(`BT /F 24 Tf 20 100 Td (${text}) Tj ET`)
  return pdfOf(
    [
      `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
      '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3/MediaBox[0 0 300 200]/Resources<</Font<</F 9 0 R>>>>>>',
      page(6, first),
      page(7),
      page(8),
      word('one'),
      word('two'),
      word('three'),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      ...objects,
    ],
    { trailer },
  )
}

const words = async (bytes: Uint8Array) =>
  (await look(bytes, 'pdftotext', '-raw', '@', '-')).split('\f').map((text) => text.trim().split('\n'))

describe('properties', () => {
  const properties = {
    Title: 'Rechnung <7> & Söhne',
    Author: ['Ada', 'Bob'],
    Keywords: ['one', 'two'],
    CreationDate: '2026-09-18T16:27:50-04:00',
    Copyright: 'Ada & Bob',
    Marked: true,
    Trapped: 'True',
    Department: 'Sales',
  }

  it.each([
    ['without any before', threePages()],
    ['of LibreOffice', officePdf('letter-tagged')],
  ])('of a file %s are read by Poppler and by this reader', async (_name, file) => {
    const made = await amend(file, { properties })
    const about = await look(made, 'pdfinfo', '-isodates', '@')
    expect(about).toContain('Title:           Rechnung <7> & Söhne\n')
    expect(about).toContain('Keywords:        one, two\n')
    expect(about).toMatch(/CreationDate:\s+2026-09-18T16:27:50-04/)
    expect(await look(made, 'pdfinfo', '-custom', '@')).toContain('Department:      Sales')
    const packet = await look(made, 'pdfinfo', '-meta', '@')
    expect(packet).toContain('Rechnung &lt;7> &amp; Söhne</rdf:li>')
    expect(packet.match(/<dc:title/g)).toHaveLength(1)
    expect(packet).toContain('<dc:creator><rdf:Seq><rdf:li>Ada, Bob</rdf:li></rdf:Seq></dc:creator>')
    expect(describePdf(made, nodeCodec).properties).toMatchObject({
      ...properties,
      Author: 'Ada, Bob',
      Keywords: 'one, two',
    })
  })

  it('of a PDF/A keep it PDF/A', async () => {
    const made = await amend(officePdf('letter-archive'), { properties })
    expect([describePdf(made, nodeCodec).archive, archiveProblems(made, 2)]).toEqual([2, []])
  })

  it.each([
    [{ CreationDate: 'yesterday' }, /CreationDate: must be a date/],
    [{ ModDate: '2026-13-45' }, /must be a date/],
    [{ Trapped: 'Perhaps' }, /Trapped: must be one of True, False, Unknown/],
    [{ Marked: 'maybe' }, /Marked: must be true or false/],
    [{ 'a b': 'c' }, /metadata\.a\?b: is not the name of a property/],
    [{ Title: 'x'.repeat(20_001) }, /at most 20000 characters/],
  ])('that cannot be are refused: %#', async (wrong, message) => {
    const error = await failure(amend(threePages(), { properties: wrong }))
    expect([error.code, error.message]).toEqual(['convert.options', expect.stringMatching(message)])
  })
})

describe('bookmarks', () => {
  const leaf = (title: string, page: number, children: readonly OutlineItem[] = []) => ({
    title,
    page,
    children,
  })
  const outline = [leaf('Öne', 1), leaf('Two', 2, [leaf('Two.1', 2), leaf('Three', 3)])]

  it('are written so that qpdf reads them, and replace those that are there', async () => {
    const once = await amend(threePages(), { outline: [leaf('gone', 3)] })
    const made = await amend(once, { outline })
    const json = JSON.parse(await look(made, 'qpdf', '--json', '--json-key=outlines', '@'))
    interface Read {
      readonly [key: string]: unknown
      readonly kids: readonly Read[]
    }
    const shape = (items: readonly Read[]): unknown =>
      items.map(({ kids, ...read }) => [read['title'], read['destpageposfrom1'], read['open'], shape(kids)])
    expect(shape(json.outlines)).toEqual([
      ['Öne', 1, true, []],
      [
        'Two',
        2,
        true,
        [
          ['Two.1', 2, true, []],
          ['Three', 3, true, []],
        ],
      ],
    ])
    expect(describePdf(made, nodeCodec).outline).toEqual(outline)
    expect(describePdf(await amend(made, { outline: [] }), nodeCodec).outline).toEqual([])
  })

  it('of every kind of target are read; those that lead nowhere are not', () => {
    const item = (title: string, number: number, more: string) =>
      `<</Title(${title})/Parent 10 0 R${number < 15 ? `/Next ${number + 1} 0 R` : ''}${more}>>`
    const file = threePages({
      catalog:
        '/Outlines 10 0 R/Dests<</old[4 0 R/Fit]>>/Names<</Dests<</Names[(named)<</D[5 0 R/Fit]>>]>>>>',
      objects: [
        '<</First 11 0 R/Last 15 0 R/Count 5>>',
        item('page', 11, '/Dest[3 0 R/Fit]'),
        item('old name', 12, '/Dest/old'),
        item('name', 13, '/A<</S/GoTo/D(named)>>'),
        item('away', 14, '/A<</S/URI/URI(https://example.com)>>'),
        item('gone', 15, '/Dest[99 0 R/Fit]'),
      ],
    })
    expect(describePdf(file, nodeCodec).outline).toEqual([
      leaf('page', 1),
      leaf('old name', 2),
      leaf('name', 3),
    ])
  })

  it('that run in a circle end', () => {
    const file = threePages({
      catalog: '/Outlines 10 0 R',
      objects: ['<</First 11 0 R/Last 11 0 R>>', '<</Title(a)/Dest[3 0 R/Fit]/Next 11 0 R/First 11 0 R>>'],
    })
    expect(describePdf(file, nodeCodec).outline).toEqual([leaf('a', 1)])
  })

  it.each([
    ['a page that is not there', [leaf('x', 4)], 'convert.options'],
    [
      'too many levels',
      [Array.from({ length: 60 }).reduce<OutlineItem>((inner) => leaf('x', 1, [inner]), leaf('x', 1))],
      'pdf.too-large',
    ],
    ['too many', Array.from({ length: 20_001 }, () => leaf('x', 1)), 'pdf.too-large'],
  ])('are refused with %s', async (_name, wrong, code) => {
    expect((await failure(amend(threePages(), { outline: wrong }))).code).toBe(code)
  })
})

it('pages are turned by what they are turned already', async () => {
  const turnsOf = async (bytes: Uint8Array) =>
    [...(await look(bytes, 'pdfinfo', '-l', '3', '@')).matchAll(/Page +\d rot: +(\d+)/g)].map(
      ([, turn]) => turn,
    )
  const once = await amend(threePages({ first: '/Rotate 270' }), { rotation: { angle: 180, pages: '1,3' } })
  expect(await turnsOf(once)).toEqual(['90', '0', '180'])
  expect(await turnsOf(await amend(once, { rotation: { angle: 90 } }))).toEqual(['180', '90', '270'])
})

describe('overlays', () => {
  const black = (more = '') =>
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[100 100 160 120]${more}>>`,
      '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>',
      stream('0 g 100 100 60 20 re f'),
    ])

  it('of text stand behind the contents or above them, on the pages that are named', async () => {
    const made = await amend(threePages(), {
      overlays: [
        {
          layer: 'behind',
          pages: '1,3',
          content: { watermark: { text: 'UNDER', opacity: 0.5, rotation: 0 } },
        },
        { layer: 'above', pages: '2-', content: { watermark: { text: 'OVER', rotation: 0 } } },
      ],
    })
    expect(await words(made)).toEqual([['UNDER', 'one'], ['two', 'OVER'], ['UNDER', 'three', 'OVER'], ['']])
  })

  const blank = (more = '') =>
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]${more}>>`,
      '<</Type/Page/Parent 2 0 R>>',
    ])
  const over = (content: object, bytes = blank()) =>
    amend(bytes, { overlays: [{ layer: 'above', content: { pdf: black(), ...content } }] })

  it.each([
    ['as large as it is, in the middle', {}, { left: 120, right: 180, bottom: 90, top: 110 }],
    ['at an edge', { anchor: 'topRight', offsetX: -10 }, { left: 230, right: 290, bottom: 180, top: 200 }],
    ['as wide as the page', { scale: 1 }, { left: 0, right: 300, bottom: 50, top: 150 }],
    [
      'half as wide, to the left',
      { scale: 0.5, anchor: 'left' },
      { left: 0, right: 150, bottom: 75, top: 125 },
    ],
    ['turned', { rotation: 90 }, { left: 140, right: 160, bottom: 70, top: 130 }],
  ])('of another PDF stand %s', async (_name, content, box) => {
    expect(inkOf(place(), await over(content), 1)).toMatchObject(box)
  })

  it('of a PDF, and on a page, that are turned stand as both are shown', async () => {
    const sideways = await over({ pdf: black('/Rotate 90'), anchor: 'bottomRight' })
    expect(inkOf(place(), sideways, 1)).toMatchObject({ left: 280, right: 300, bottom: 0, top: 60 })
    const onTurned = await over({ anchor: 'topLeft' }, blank('/Rotate 270'))
    expect(inkOf(place(), onTurned, 1)).toMatchObject({
      width: 200,
      left: 0,
      right: 60,
      bottom: 280,
      top: 300,
    })
  })

  it('of another PDF do not go into an archive, nor where no page is', async () => {
    const overlays = [{ layer: 'above' as const, content: { pdf: black() } }]
    expect((await failure(amend(officePdf('letter-archive'), { overlays }))).code).toBe('pdf.archive')
    const missing = [{ layer: 'above' as const, pages: '9', content: { pdf: black() } }]
    expect((await failure(amend(threePages(), { overlays: missing }))).message).toContain('3 pages')
    const strange = [{ layer: 'above' as const, content: { watermark: { text: 'x', size: 0 } } }]
    expect((await failure(amend(threePages(), { overlays: strange }))).message).toContain('size')
  })

  it('of text need an engine that embeds fonts in an archive', async () => {
    const archive = officePdf('letter-archive')
    const { signal } = new AbortController()
    const error = await failure(
      amendPdf(
        archive,
        { overlays: [{ layer: 'behind', content: { watermark: { text: 'x' } } }] },
        { codec: nodeCodec, random: repeatableRandom(), signal },
      ),
    )
    expect(error.code).toBe('pdf.archive')
  })
})

describe('flattening', () => {
  const box = '/Type/XObject/Subtype/Form/BBox[0 0 10 10]'
  const form = (fields: string, annotations: readonly string[], more = '') =>
    threePages({
      catalog: `/AcroForm<</Fields[${fields}]/DA(/F 12 Tf 0 g)${more}>>`,
      first: `/Annots[${annotations.map((_, index) => `${10 + index} 0 R`).join(' ')}]`,
      objects: [...annotations, stream('0 g 0 0 10 10 re f', box), stream('', box)],
    })
  const widget = '/Type/Annot/Subtype/Widget/Rect[200 20 280 40]'

  it('draws the values of fields, the state of buttons and other annotations, and keeps links', async () => {
    const file = form('10 0 R 11 0 R', [
      `<<${widget}/FT/Tx/T(name)/V(Ada Lovelace)>>`,
      `<<${widget}/FT/Btn/T(box)/Rect[100 150 120 170]/AS/Yes/AP<</N<</Yes 15 0 R/Off 16 0 R>>>>>>`,
      '<</Type/Annot/Subtype/Stamp/Rect[250 150 290 190]/AP<</N 15 0 R>>>>',
      '<</Type/Annot/Subtype/Link/Rect[0 0 50 10]/A<</S/URI/URI(https://example.com)>>>>',
      '<</Type/Annot/Subtype/Square/F 2/Rect[0 0 300 200]/AP<</N 15 0 R>>>>',
    ])
    const made = await amend(file, { flatten: true })
    expect(await words(made)).toEqual([['one', 'Ada Lovelace'], ['two'], ['three'], ['']])
    expect(await legible(place(), made)).not.toMatch(/AcroForm|\/Widget|\/Stamp|\/Square/)
    expect(await look(made, 'pdfinfo', '-url', '@')).toContain('https://example.com')
    const ink = inkOf(place(), made, 1)
    expect(ink).toMatchObject({ right: 290, top: 190 })
  })

  it('redraws a value where the form declares its appearances stale', async () => {
    const stale = (more: string) => form('10 0 R', [`<<${widget}/FT/Tx/T(n)/V(new)/AP<</N 11 0 R>>>>`], more)
    expect((await words(await amend(stale('/NeedAppearances true'), { flatten: true })))[0]).toEqual([
      'one',
      'new',
    ])
    expect((await words(await amend(stale(''), { flatten: true })))[0]).toEqual(['one'])
  })

  it('turns and stretches an appearance into its rectangle', async () => {
    const turned = stream(
      '0 g 0 0 10 5 re f',
      '/Type/XObject/Subtype/Form/BBox[0 0 10 10]/Matrix[0 1 -1 0 0 0]',
    )
    const file = threePages({
      first: '/Annots[10 0 R]',
      objects: ['<</Type/Annot/Subtype/Stamp/Rect[200 150 240 190]/AP<</N 11 0 R>>>>', turned],
    })
    expect(inkOf(place(), await amend(file, { flatten: true }), 1)).toMatchObject({ right: 240, top: 190 })
  })

  it.each<
    readonly [
      what: string,
      entries: string,
      ink: { left: number; right: number; bottom: number; top: number } | undefined,
    ]
  >([
    ['the default', '', { left: 199, right: 281, bottom: 149, top: 171 }],
    ['a width', '/Border[0 0 9]', { left: 195, right: 285, bottom: 145, top: 175 }],
    [
      'a style, which comes before the array',
      '/Border[0 0 0]/BS<</W 9/S/D>>/C[1 0 0]',
      { left: 195, right: 285, bottom: 145, top: 175 },
    ],
    ['a line below', '/BS<</W 9/S/U>>', { left: 200, right: 280, bottom: 145, top: 155 }],
    ['a pattern without length', '/Border[0 0 9[0 0]]', { left: 195, right: 285, bottom: 145, top: 175 }],
    ['no width', '/Border[0 0 0]', undefined],
    ['no colour', '/C[]', undefined],
    ['a link that is not on screens', '/F 36/Border[0 0 9]', undefined],
  ])('draws the border of a link: %s', async (_, entries, ink) => {
    const file = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]>>',
      ...[1, 2].map(() => '<</Type/Page/Parent 2 0 R/Annots[5 0 R]>>'),
      `<</Type/Annot/Subtype/Link/Rect[280 150 200 170]${entries}/A<</S/URI/URI(https://example.com)>>>>`,
    ])
    const made = await amend(file, { flatten: true })
    const objects = await legible(place(), made)
    expect(objects).toMatch(/\/Border \[\s*0\s+0\s+0\s*\]/)
    expect(objects).not.toContain('/BS')
    for (const page of [1, 2]) {
      const found = inkOf(place(), made, page)
      if (ink === undefined) expect(found).toBeUndefined()
      else
        for (const [side, at] of Object.entries(ink))
          expect(found?.[side as keyof typeof ink]).toBeCloseTo(at, -0.5)
    }
  })

  it('survives annotations that are not ones', async () => {
    const file = threePages({
      first: '/Annots[10 0 R null 3 (x) 11 0 R 99 0 R]',
      objects: [
        '<</Subtype/Stamp/Rect[0 0]/AP<</N 12 0 R>>>>',
        '<</Subtype/Stamp/Rect[0 0 9 9]/AP<</N 3 0 R>>>>',
        stream('x', '/BBox[0 0 0 0]'),
      ],
    })
    expect(await words(await amend(file, { flatten: true }))).toEqual([['one'], ['two'], ['three'], ['']])
  })
})

it('pages that share what they show are bounded by what that makes together', async () => {
  const many = (count: number, shared: string, objects: readonly string[]) =>
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[${Array.from({ length: count }, (_, at) => `${at + 3} 0 R`).join(' ')}]/Count ${count}/MediaBox[0 0 300 200]>>`,
      ...Array.from(
        { length: count },
        () => `<</Type/Page/Parent 2 0 R${shared.replaceAll('@', String(count + 3))}>>`,
      ),
      ...objects,
    ])
  const annotations = many(1_000, '/Annots @ 0 R', [`[${'null '.repeat(2_000)}]`])
  expect((await failure(amend(annotations, { flatten: true }))).code).toBe('pdf.too-large')
  const names = Array.from({ length: 3_000 }, (_, at) => `/X${at} 3 0 R`).join('')
  const resources = many(1_000, '/Resources<</XObject @ 0 R>>', [`<<${names}>>`])
  const pdf = threePages()
  const overlays = [{ layer: 'above' as const, content: { pdf } }]
  expect((await failure(amend(resources, { overlays }))).code).toBe('pdf.too-large')
  const shared = many(1_000, '/Resources @ 0 R', [`<</XObject<<${names}>>>>`])
  expect((await amend(shared, { overlays })).length).toBeLessThan(2_000_000)
})

it('what is no PDF is refused', async () => {
  expect((await failure(amend(latin1('no'), {}))).code).toBe('pdf.broken')
  expect(() => describePdf(latin1('no'), nodeCodec)).toThrow('cannot be read')
})
