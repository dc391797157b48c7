import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createFontBook } from '../../../../../plugins/engines/instant/fonts/font-book.ts'
import { type FontFile, readFont } from '../../../../../plugins/engines/instant/fonts/sfnt/font-file.ts'
import { subsetCff } from '../../../../../plugins/engines/instant/fonts/subset/cff.ts'
import { readDict, writeDict } from '../../../../../plugins/engines/instant/fonts/subset/cff-dict.ts'
import { readIndex, writeIndex } from '../../../../../plugins/engines/instant/fonts/subset/cff-index.ts'
import { flattenCharString } from '../../../../../plugins/engines/instant/fonts/subset/charstring.ts'
import { subsetTrueType } from '../../../../../plugins/engines/instant/fonts/subset/glyf.ts'
import { shape } from '../../../../../plugins/engines/instant/text/shape.ts'
import {
  inspect,
  pageOf,
  paint,
  pdfText,
  rasterise,
  shippedBytes,
  shippedFont,
  shippedSource,
} from '../../../../helpers/instant-fonts.ts'
import { titled } from '../../../../helpers/titled.ts'

const fixture = (name: string): Uint8Array => readFileSync(`test/fixtures/fonts/${name}`)
const glyphsOf = (font: FontFile, text: string): number[] => [
  0,
  ...new Set([...text].map((letter) => font.characters.glyphOf(letter.codePointAt(0)!))),
]

describe('TrueType', () => {
  const font = shippedFont('platen-sans-regular.bin')
  test('is a valid font with the glyphs in the requested order', () => {
    const wanted = glyphsOf(font, 'Aé1')
    const { bytes, glyphs } = subsetTrueType(font, wanted)
    const subset = readFont(bytes)
    expect(glyphs.slice(0, wanted.length)).toEqual(wanted)
    expect(subset.glyphCount).toBe(glyphs.length)
    expect(Array.from(subset.advances)).toEqual(glyphs.map((glyph) => font.advances[glyph]))
    // Without OS/2 the heights are guessed.
    expect(subset.metrics).toEqual({ ...font.metrics, xHeight: 1024, capHeight: 1434 })
  })
  test('adds the parts of composites and leaves hints out', () => {
    const wanted = glyphsOf(font, 'é')
    const { bytes, glyphs } = subsetTrueType(font, wanted)
    expect(glyphs.length).toBeGreaterThan(wanted.length)
    expect(bytes.length).toBeLessThan(2_000)
    expect(Array.from(readFont(bytes).table('maxp') === undefined ? [] : ['maxp'])).toEqual(['maxp'])
    for (const tag of ['fpgm', 'prep', 'cvt ', 'GSUB', 'cmap'])
      expect(readFont(bytes).table(tag)).toBeUndefined()
  })
  test('keeps the checksums of the format', () => {
    const { bytes } = subsetTrueType(font, [0, 36])
    const view = new DataView(bytes.buffer)
    let sum = 0
    for (let at = 0; at < bytes.length; at += 4) sum = (sum + view.getUint32(at)) >>> 0
    expect(sum).toBe(0xb1b0afba)
  })
})

/** The text set in the font alone, as a page. */
function pageIn(bytes: Uint8Array, text: string): Uint8Array {
  const fonts = createFontBook({ entries: [], read: () => undefined }).forDocument({ embedded: [bytes] })
  const run = shape(text, { face: fonts.face('any', false, false), size: 40 })
  return paint([pageOf([{ x: 10, y: 60, item: { kind: 'glyphs', run, colour: 0 } }], 300, 90)])
}

describe('outlines survive', () => {
  /** hb-view draws the glyphs of the whole font: what the subset in the PDF must look like. */
  const ink = (grey: Uint8Array) => grey.reduce((sum, value) => sum + (255 - value), 0)
  test.each([
    ['Cantarell (CFF)', 'cantarell-few.otf', 'AVoilé', 'CID Type 0C'],
    ['Noto Sans CJK (CID-keyed CFF)', 'noto-cjk-few.otf', '日本語aB', 'CID Type 0C'],
    ['Lohit (TrueType)', 'lohit-few.ttf', 'नत', 'CID TrueType'],
  ])('%s', (_name, file, text, kind) => {
    const pdf = pageIn(fixture(file), text)
    expect(inspect(pdf, 'qpdf', ['--check', '{}'])).toContain('No syntax or stream encoding errors')
    expect(inspect(pdf, 'pdffonts', ['{}'])).toContain(kind)
    expect(pdfText(pdf).normalize('NFC')).toBe(text)
    // Every letter alone leaves the ink it leaves in the word: none is empty, none is another.
    const letters = [...text].map((letter) => ink(rasterise(pageIn(fixture(file), letter)).grey))
    for (const amount of letters) expect(amount).toBeGreaterThan(10_000)
    expect(ink(rasterise(pdf).grey) / letters.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(1, 1)
  })
  test('of composites too: é is e and an accent', () => {
    const amounts = ['e', 'é'].map((letter) =>
      ink(rasterise(pageIn(shippedBytes('platen-sans-regular.bin'), letter)).grey),
    )
    expect(amounts[1]! / amounts[0]!).toBeGreaterThan(1.05)
    expect(amounts[1]! / amounts[0]!).toBeLessThan(1.4)
  })
})

const list = (...items: readonly Uint8Array[]) => readIndex(writeIndex(items), 0)

describe('CFF pieces', () => {
  test.each(
    titled([[[]], [[[1, 2, 3], []]], [[Array.from({ length: 300 }, (_, at) => at & 255)]]] as [number[][]][]),
  )('an index of %s comes back', (_title, items) => {
    const bytes = writeIndex(items.map((item) => Uint8Array.from(item)))
    const index = readIndex(bytes, 0)
    expect(Array.from({ length: index.count }, (_, at) => Array.from(index.item(at)!))).toEqual(items)
    expect(index.item(index.count)).toBeUndefined()
    expect(index.end).toBe(bytes.length)
  })
  test('a dictionary comes back', () => {
    const dict = new Map([
      [0x0c07, [0.001, 0, 0, 0.001, 0, -1.5e-7]],
      [15, [70_000, -3]],
      [20, []],
    ])
    expect(readDict(writeDict(dict))).toEqual(dict)
  })
  test('short numbers are read as the format packs them', () => {
    expect(readDict(Uint8Array.of(139, 247, 0, 251, 0, 28, 0xff, 0xfe, 5)).get(5)).toEqual([0, 108, -108, -2])
  })
  test('subroutines are written out, with the bias of their number', () => {
    // 1 2 rmoveto, then local subroutine 0 (-107 with its bias), which draws 3 hlineto and returns.
    const local = Uint8Array.of(142, 6, 11)
    const code = Uint8Array.of(140, 141, 21, 32, 10, 14)
    expect(Array.from(flattenCharString(code, { locals: list(local), globals: list() }))).toEqual([
      140, 141, 21, 142, 6, 14,
    ])
  })
  test('hint masks are skipped by the number of stems', () => {
    const code = Uint8Array.of(139, 140, 139, 140, 18, 139, 140, 19, 0x0a, 14)
    expect(Array.from(flattenCharString(code, { locals: undefined, globals: list() }))).toEqual(
      Array.from(code),
    )
  })
  test('subroutines that call themselves end', () => {
    const self = Uint8Array.of(32, 10, 32, 10)
    const flat = flattenCharString(Uint8Array.of(32, 10), { locals: list(self), globals: list() })
    expect(flat.length).toBeLessThan(40_000)
    expect(flat.at(-1)).toBe(14)
  })
  test('glyphs that are not there draw nothing', () => {
    const font = readFont(fixture('cantarell-few.otf'))
    const { glyphs, bytes } = subsetCff(font, [0, 900, 3])
    expect(glyphs).toEqual([0, 900, 3])
    expect(bytes.length).toBe(subsetCff(font, [0, 3]).bytes.length + 3) // its charstring, offset and font
  })
})

test('what is embedded does not depend on what was embedded before', () => {
  const source = () => createFontBook(shippedSource).forDocument()
  const make = (text: string) => {
    const run = shape(text, { face: source().face('Arial', false, false), size: 12 })
    return paint([pageOf([{ x: 9, y: 20, item: { kind: 'glyphs', run, colour: 0 } }])])
  }
  const first = make('plain')
  make('Привет plain')
  for (let code = 0x430; code < 0x440; code++) make(String.fromCharCode(code))
  expect(make('plain')).toEqual(first)
})
