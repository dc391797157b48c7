import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { pdfLimits } from '../../../../shared/pdf/model/limits.ts'
import { readPages } from '../../../../shared/pdf/model/pages.ts'
import { PdfStream } from '../../../../shared/pdf/model/values.ts'
import { Inflater } from '../../../../shared/pdf/read/filters.ts'
import { openPdf } from '../../../../shared/pdf/read/open.ts'
import { contentBalance } from '../../../../shared/pdf/stage/watermark/content-balance.ts'
import { anchors } from '../../../../shared/pdf/stage/watermark/options.ts'
import { createFontEncoding, standardFonts } from '../../../../shared/pdf/stage/watermark/standard-font.ts'
import { legible } from '../../../helpers/legible.ts'
import {
  ask,
  finishPdf,
  inkOf,
  inkOfPages,
  latin1,
  officePdf,
  pdfOf,
  stream,
  textOf,
} from '../../../helpers/pdf.ts'
import { useTemporary } from '../../../helpers/temporary.ts'

const place = useTemporary()

/** The decoded content of each page, which must be a single stream. */
function contentsOf(bytes: Uint8Array): readonly string[] {
  const document = openPdf(bytes, nodeCodec, pdfLimits)
  const inflater = new Inflater(nodeCodec, 1_000_000)
  return readPages(document).map(({ dict }) => {
    const content = document.resolve(dict.get('Contents'))
    if (!(content instanceof PdfStream)) throw new Error('The page has several content streams, or none.')
    return textOf(inflater.content(content, document.resolve, 1_000_000) ?? new Uint8Array())
  })
}

/** Four pages, each turned another way, with boxes that start elsewhere, partly from the tree. */
const turned = pdfOf([
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R 6 0 R]/Count 4/MediaBox[-50 20 400 500]/CropBox[10 100 310 300]/Resources<<>>>>',
  '<</Type/Page/Parent 2 0 R>>',
  '<</Type/Page/Parent 2 0 R/Rotate 90/Contents[]>>',
  '<</Type/Page/Parent 2 0 R/Rotate 180/CropBox[310 300 10 100]>>',
  '<</Type/Page/Parent 2 0 R/Rotate -90>>',
])

describe('where a watermark stands', () => {
  // Courier, 20 pt, four letters: 48 wide and 15.72 high.
  const block = { width: 48, height: 15.72 }
  it.each(anchors)('%s, on pages turned every way', async (anchor) => {
    const mark = { text: 'HHHH', anchor, size: 20, font: 'Courier-Bold', rotation: 0, opacity: 1 }
    const { value } = await finishPdf(turned, { Watermarks: [{ ...mark, offsetX: 3, offsetY: -2 }] })
    const inks = inkOfPages(place(), value, 1, 4)
    for (const [index, sideways] of [false, true, false, true].entries()) {
      const ink = inks[index]!
      expect([ink.width, ink.height]).toEqual(sideways ? [200, 300] : [300, 200])
      const x = /left/i.test(anchor)
        ? 0
        : /right/i.test(anchor)
          ? ink.width - block.width
          : (ink.width - block.width) / 2
      const y = /^top/.test(anchor)
        ? ink.height - block.height
        : /^bottom/.test(anchor)
          ? 0
          : (ink.height - block.height) / 2
      expect((ink.left + ink.right) / 2).toBeCloseTo(x + block.width / 2 + 3, -0.6)
      expect(Math.abs((ink.bottom + ink.top) / 2 - (y + block.height / 2 - 2))).toBeLessThan(4)
      expect(ink.right - ink.left).toBeGreaterThan(40)
    }
  })

  it.each([90, -90])('turned by %i at an edge, within the page', async (rotation) => {
    const mark = { text: 'HHHH', anchor: 'bottomRight', size: 20, font: 'Courier-Bold', rotation }
    const { value } = await finishPdf(turned, { Watermarks: [mark] })
    const ink = inkOf(place(), value, 1)!
    expect(ink.right).toBeGreaterThan(300 - block.height)
    expect(ink.right).toBeLessThanOrEqual(300)
    expect(ink.top - ink.bottom).toBeGreaterThan(40)
    expect(ink.top).toBeLessThanOrEqual(block.width + 1)
  })

  it('reads upward at 90 degrees, downward at -90', async () => {
    const middle = async (rotation: number) => {
      const mark = { text: 'H    ', anchor: 'left', size: 30, font: 'Courier-Bold', rotation }
      const ink = inkOf(place(), (await finishPdf(turned, { Watermarks: [mark] })).value, 1)!
      return (ink.bottom + ink.top) / 2
    }
    expect(await middle(90)).toBeLessThan(80)
    expect(await middle(-90)).toBeGreaterThan(120)
  })

  it('counts in points where the unit of the page is larger', async () => {
    const page = (unit: string) =>
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]${unit}>>`,
      ])
    const mark = { text: 'HHHH', anchor: 'bottomLeft', size: 40, font: 'Courier-Bold', offsetX: 20 }
    const single = inkOf(place(), (await finishPdf(page(''), { Watermarks: [mark] })).value, 1)!
    // The program that draws the picture does not know the unit: what it shows is user space.
    const double = inkOf(place(), (await finishPdf(page('/UserUnit 2'), { Watermarks: [mark] })).value, 1)!
    expect(double.right - double.left).toBeCloseTo((single.right - single.left) / 2, -0.6)
    expect(double.left).toBeCloseTo(single.left / 2, -0.6)
  })

  it('fills a page of any shape at its automatic size', async () => {
    for (const text of ['HHHH', 'A much longer text than that, in the middle of the page']) {
      const { value } = await finishPdf(turned, { Watermarks: [{ text, opacity: 1 }] })
      for (const found of inkOfPages(place(), value, 1, 2)) {
        const ink = found!
        const [across, up] = [(ink.right - ink.left) / ink.width, (ink.top - ink.bottom) / ink.height]
        expect(Math.max(across, up)).toBeGreaterThan(0.65)
        expect(Math.max(across, up)).toBeLessThan(0.83)
        expect((ink.left + ink.right) / 2).toBeCloseTo(ink.width / 2, -0.9)
        expect((ink.top + ink.bottom) / 2).toBeCloseTo(ink.height / 2, -0.9)
      }
    }
  })

  it('is not moved by what a page leaves open', async () => {
    const page = (content: string) =>
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R>>',
        stream(content),
      ])
    const mark = { text: 'HHHH', anchor: 'topLeft', size: 20 }
    const seen = async (content: string) =>
      inkOf(place(), (await finishPdf(page(content), { Watermarks: [mark] })).value, 1)
    const expected = await seen('')
    expect(await seen('q 3 0 0 3 50 0 cm q')).toEqual(expected)
    expect(await seen('Q Q 3 0 0 3 50 0 cm')).toEqual(expected)
    expect(await seen('0 0 0 0 0 0 cm')).toEqual(expected)
  })
})

describe('what a watermark says', () => {
  const orientation = officePdf('page-orientation')
  it('numbers the pages from fromPage to toPage', async () => {
    const { value } = await finishPdf(orientation, {
      Watermarks: [
        { text: 'Sheet {#PAGE_NUMBER} of {#PAGE_TOTAL}', anchor: 'bottom', fromPage: 2, toPage: 2 },
      ],
    })
    const page = (number: number) =>
      ask(place(), value, 'pdftotext', '-f', `${number}`, '-l', `${number}`, '@', '-')
    expect(await page(1)).not.toContain('Sheet')
    expect(await page(2)).toContain('Sheet 2 of 3')
    expect(await page(3)).not.toContain('Sheet')
    expect(await ask(place(), value, 'qpdf', '--check', '@')).toContain('No syntax')
  })

  it('lies over the filled fields of a form only with overFields, which makes them contents of the page', async () => {
    const covering = (annots: string) =>
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]>>/MarkInfo<</Marked true>>/StructTreeRoot 8 0 R>>',
        '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]/Resources<<>>>>',
        `<</Type/Page/Parent 2 0 R/Annots ${annots}>>`,
        `<</Type/Page/Parent 2 0 R/Annots ${annots}>>`,
        '<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/F 4/Rect[0 0 300 200]/AP<</N 6 0 R>>/StructParent 0>>',
        stream('1 g 0 0 10 10 re f', '/Type/XObject/Subtype/Form/BBox[0 0 10 10]'),
        '<</Type/StructElem/S/Form/P 8 0 R/Pg 3 0 R/K[<</Type/OBJR/Obj 5 0 R>>]>>',
        '<</Type/StructTreeRoot/K[7 0 R]/ParentTree<</Nums[0 7 0 R]>>>>',
      ])
    const watermark = { text: 'HHHH', opacity: 1 }
    const file = covering('[5 0 R]')
    const plain = (await finishPdf(file, { Watermarks: [watermark] })).value
    expect([1, 2].map((page) => inkOf(place(), plain, page))).toEqual([undefined, undefined])
    const over = (await finishPdf(file, { Watermarks: [{ ...watermark, overFields: true }] })).value
    for (const page of [1, 2]) expect(inkOf(place(), over, page)).toBeDefined()
    expect(await legible(place(), over)).not.toMatch(/AcroForm|Widget|OBJR/)
  })

  it('lies with overFields over the border of a link, which may be as thick as the page', async () => {
    const link = '/Type/Annot/Subtype/Link/F 4/Rect[0 0 300 200]/Border[0 0 400]/C[1 1 1]/Dest[3 0 R/Fit]'
    const file = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]/Resources<<>>>>',
      `<</Type/Page/Parent 2 0 R/Annots[<<${link}>>]>>`,
    ])
    const watermark = { text: 'HHHH', opacity: 1 }
    const plain = (await finishPdf(file, { Watermarks: [watermark] })).value
    expect(inkOf(place(), plain, 1)).toBeUndefined()
    const over = (await finishPdf(file, { Watermarks: [{ ...watermark, overFields: true }] })).value
    expect(inkOf(place(), over, 1)).toBeDefined()
  })

  it('draws the older Watermark in the middle of every page', async () => {
    const { value, warnings } = await finishPdf(orientation, { Watermark: 'DRAFT' })
    expect(warnings).toEqual([])
    const fonts = await ask(place(), value, 'pdffonts', '@')
    expect(fonts).toMatch(/Helvetica +Type 1 +WinAnsi/)
  })

  it('keeps European letters and reports characters that the fonts lack', async () => {
    const text = 'Łódź ţară “€” ≤ ﬁ'
    const { value, warnings } = await finishPdf(orientation, { Watermarks: [{ text, anchor: 'top' }] })
    expect(warnings).toEqual([])
    expect(await ask(place(), value, 'pdftotext', '-l', '1', '@', '-')).toContain('Łódź ţară “€” ≤')
    const odd = await finishPdf(orientation, { Watermarks: [{ text: '機密', anchor: 'top', toPage: 1 }] })
    expect(odd.warnings.map(({ code }) => code)).toEqual(['pdf.watermark-characters'])
  })

  it('sets lines below each other', async () => {
    const { value } = await finishPdf(turned, { Watermarks: [{ text: 'one\ntwo', anchor: 'topRight' }] })
    expect(await ask(place(), value, 'pdftotext', '-l', '1', '@', '-')).toMatch(/one\s+two/)
  })

  it.each(standardFonts)('is set in %s', async (font) => {
    const { value } = await finishPdf(turned, { Watermarks: [{ text: 'Text', font }] })
    expect(await ask(place(), value, 'pdffonts', '@')).toContain(font)
    expect(createFontEncoding(font).encode('iiii').width).toBe(
      font.startsWith('Courier')
        ? 2400
        : font.endsWith('Bold') || font.endsWith('BoldOblique')
          ? 1112
          : font.startsWith('Times')
            ? 1112
            : 888,
    )
  })

  it('is marked as no part of the text, within the one content of each page', async () => {
    const { value } = await finishPdf(officePdf('letter-tagged'), { Watermark: 'DRAFT' })
    for (const content of contentsOf(value))
      expect(content.match(/\/Artifact <<\/Type\/Pagination\/Subtype\/Watermark>> BDC/g)).toHaveLength(1)
    expect(await ask(place(), value, 'pdfinfo', '@')).toContain('Tagged:          yes')
  })

  it('cannot be removed by deleting a stream without losing the content of the page', async () => {
    const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]'
    const source = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3>>',
      `${page}/Contents[6 0 R 7 0 R]>>`,
      `${page}/Contents 6 0 R>>`,
      `${page}>>`,
      stream('0 0 10 10 re'),
      stream('f'),
    ])
    const { value } = await finishPdf(source, { Watermarks: [{ text: 'TEST {#PAGE_NUMBER}' }] })
    const contents = contentsOf(value)
    expect(contents).toHaveLength(3)
    for (const content of contents) expect(content).toContain('Subtype/Watermark')
    expect(contents[0]).toMatch(/0 0 10 10 re\s+f/)
    expect(new Set(contents).size).toBe(3)
  })

  it('can be put on twice', async () => {
    const once = await finishPdf(turned, {
      Watermarks: [{ text: 'first', anchor: 'top', font: 'Courier', opacity: 0.5 }],
    })
    const twice = await finishPdf(once.value, {
      Watermarks: [{ text: 'second', anchor: 'bottom', opacity: 0.4 }],
    })
    const text = await ask(place(), twice.value, 'pdftotext', '-l', '1', '@', '-')
    expect(text).toContain('first')
    expect(text).toContain('second')
    expect(await ask(place(), twice.value, 'pdffonts', '@')).toMatch(/Courier[\s\S]*Helvetica/)
  })
})

describe('what a content leaves open', () => {
  it.each([
    ['q Q', 0, 0],
    ['q q', 0, 2],
    ['Q Q q', -2, -1],
    ['(q (q) \\( q) Tj /q gs <71> % q\nq', 0, 1],
    ['BI /W 1 ID q q EIq\nEI Q', -1, -1],
    ['<</q 1>> BDC sq Qs', 0, 0],
  ])('%s', (content, lowest, end) => {
    expect(contentBalance([latin1(content)])).toEqual({ lowest, end })
  })
})
