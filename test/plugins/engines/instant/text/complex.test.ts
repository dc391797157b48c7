import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadHarfBuzz } from '../../../../../origin/fonts/harfbuzz.ts'
import { createFontBook } from '../../../../../plugins/engines/instant/fonts/font-book.ts'
import { neighboursOf } from '../../../../../plugins/engines/instant/text/joining.ts'
import { measure, shape } from '../../../../../plugins/engines/instant/text/shape.ts'
import { pageOf, paint, pdfText, shippedSource } from '../../../../helpers/instant-fonts.ts'

const files = ['dejavu-arabic-few.ttf', 'lohit-few.ttf'].map((name) =>
  readFileSync(`test/fixtures/fonts/${name}`),
)

async function prepared(text: string) {
  const fonts = createFontBook(shippedSource, { complex: loadHarfBuzz }).forDocument({ embedded: files })
  await fonts.prepare([{ family: 'Arial', bold: false, italic: false, text }])
  return fonts
}

/** Glyphs and advances as hb-shape of HarfBuzz 6.0 gives them for the fixtures. */
test.each([
  ['Arabic letters join', 'DejaVu Sans', 'سلام', true, [7, 25, 16], [1268, 1222, 1716], [3, 1, 0]],
  [
    'Devanagari letters change places',
    'Lohit Devanagari',
    'क्षत्रिय',
    false,
    [18, 9, 34, 5],
    [657, 266, 539, 596],
    [0, 3, 3, 7],
  ],
] as const)('%s', async (_name, family, text, rtl, glyphs, advances, clusters) => {
  const fonts = await prepared(text)
  const face = fonts.face(family, false, false)
  const style = { face, size: face.unitsPerEm, rtl }
  const run = shape(text, style)
  expect(shape(text, { ...style, complex: fonts.complex })).toEqual(run)
  expect(Array.from(run.glyphs)).toEqual(glyphs)
  expect(Array.from(run.advances)).toEqual(advances)
  expect(Array.from(run.clusters)).toEqual(clusters)
  expect(measure(text, style)).toBe(advances.reduce<number>((sum, advance) => sum + advance, 0))
})

test('letters join over the end of a run', async () => {
  const fonts = await prepared('سلام')
  const face = fonts.face('DejaVu Sans', false, false)
  const style = { face, size: face.unitsPerEm, rtl: true, complex: fonts.complex }
  const whole = shape('سلام', style)
  const first = shape('س', { ...style, neighbours: neighboursOf('سلام', 0, 1) })
  const rest = shape('لام', { ...style, neighbours: neighboursOf('سلام', 1, 4) })
  expect([...Array.from(rest.glyphs), ...Array.from(first.glyphs)]).toEqual(whole.glyphs)
  expect(rest.clusters).toEqual([2, 0])
  expect(shape('س', style).glyphs).not.toEqual(first.glyphs)
})

test.each([
  ['ab سلام', 2, 4, { before: '', after: 'لام' }],
  ['س لام', 2, 5, undefined],
  ['سلام', 0, 4, undefined],
  ['\u0633\u064e\u0644', 2, 3, { before: '\u0633\u064e', after: '' }],
  ['', 0, 0, undefined],
])('the letters beside a part of %j', (text, start, end, expected) => {
  expect(neighboursOf(text, start, end)).toEqual(expected)
})

/** Without lam and alef side by side: pdftotext turns round the two letters such a ligature stands for. */
test('joined text can be copied', async () => {
  const fonts = await prepared('سام')
  const run = shape('سام', {
    face: fonts.face('DejaVu Sans', false, false),
    size: 20,
    rtl: true,
    complex: fonts.complex,
  })
  const pdf = paint([pageOf([{ x: 20, y: 40, item: { kind: 'glyphs', run, colour: 0 } }])])
  expect(pdfText(pdf).replace(/[\u202a-\u202e]/g, '')).toBe('سام')
})

test('is loaded for text that needs it only, and never where a side has none', async () => {
  expect((await prepared('plain שלום 日本')).complex).toBeUndefined()
  const fonts = createFontBook(shippedSource).forDocument()
  await fonts.prepare([{ family: 'Arial', bold: false, italic: false, text: 'سلام' }])
  expect(fonts.complex).toBeUndefined()
})

test('a module that cannot be loaded leaves plain shaping', async () => {
  const complex = () => Promise.reject(new Error('no such module'))
  const fonts = createFontBook(shippedSource, { complex }).forDocument({ embedded: files })
  await fonts.prepare([{ family: 'Arial', bold: false, italic: false, text: 'سلام' }])
  expect(fonts.complex).toBeUndefined()
  expect(
    shape('سلام', { face: fonts.face('DejaVu Sans', false, false), size: 10, rtl: true }).glyphs,
  ).toHaveLength(4)
})

test('many texts in turn need no more memory', async () => {
  const fonts = await prepared('سلام')
  const face = fonts.face('DejaVu Sans', false, false)
  for (let round = 0; round < 12_000; round++)
    shape(`سلام ${round}`, { face, size: 10, rtl: true, complex: fonts.complex })
  expect(shape('سلام', { face, size: face.unitsPerEm, rtl: true, complex: fonts.complex }).width).toBe(4206)
})
