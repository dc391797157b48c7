import { describe, expect, it } from 'vitest'
import type { Frame } from '../../../../../../plugins/engines/instant/layout/frame.ts'
import type { Warning } from '../../../../../../shared/plugin/values.ts'
import { deckOf, layDeck, paragraphOf, runsOf, shapeOf } from '../../../../../helpers/deck-layout.ts'

const drawn = async (shape: Parameters<typeof shapeOf>[0]) =>
  runsOf(layDeck(await deckOf(shapeOf(shape))).pages[0]!)
const rounded = (value: number): number => Math.round(value * 10) / 10

it('text that is rotated in its shape is around the middle of its box', async () => {
  const places = await Promise.all(
    ['0', '10800000', '5400000'].map(async (rot) => {
      const shape = shapeOf({
        box: [100, 100, 200, 80],
        body: `<a:bodyPr rot="${rot}" lIns="0" tIns="0" rIns="0" bIns="0"/>`,
        paragraphs: paragraphOf('text'),
      })
      const [page] = layDeck(await deckOf(shape)).pages
      return glyphOrigins(page!.frame)[0]!
    }),
  )
  const [level, over, right] = places
  const middle = { x: 200, y: 140 }
  expect(over!.x - middle.x).toBeCloseTo(middle.x - level!.x, 3)
  expect(over!.y - middle.y).toBeCloseTo(middle.y - level!.y, 3)
  expect(right!.x - middle.x).toBeCloseTo(middle.y - level!.y, 3)
  expect(right!.y - middle.y).toBeCloseTo(level!.x - middle.x, 3)
})

/** Where the texts of a frame begin, through the transformations of its groups. */
function glyphOrigins({ items }: Frame): { x: number; y: number }[] {
  return items.flatMap(({ x, y, item }) => {
    if (item.kind === 'glyphs') return [{ x, y }]
    if (item.kind !== 'group') return []
    const [a, b, c, d] = item.transform ?? [1, 0, 0, 1]
    return glyphOrigins(item.frame).map((at) => ({
      x: x + a * at.x + c * at.y,
      y: y + b * at.x + d * at.y,
    }))
  })
}

describe('slides', () => {
  it('are pages of their size, with an entry of the outline each', async () => {
    const { pages, outline } = layDeck(await deckOf(shapeOf({}), shapeOf({})))
    expect(pages.map(({ frame }) => [frame.width, frame.height])).toEqual([
      [720, 540],
      [720, 540],
    ])
    expect(outline).toEqual([
      { title: 'Slide 1', level: 1, bookmark: 'slide-1' },
      { title: 'Slide 2', level: 1, bookmark: 'slide-2' },
    ])
  })
  it('show their number', async () => {
    const field = '<a:p><a:fld id="{1}" type="slidenum"><a:t>?</a:t></a:fld></a:p>'
    const { pages } = layDeck(await deckOf(shapeOf({}), shapeOf({ paragraphs: field })))
    expect(runsOf(pages[1]!).map(({ text }) => text)).toEqual(['2'])
  })
  it('beyond the limit are refused', async () => {
    const deck = await deckOf(shapeOf({}))
    const slides = Array.from({ length: 101 }, () => deck.slides[0]!)
    expect(() => layDeck({ ...deck, slides })).toThrow(
      expect.objectContaining({ code: 'layout.too-many-pages' }),
    )
  })
})

describe('text in a shape', () => {
  it('begins at its insets, and its lines are 1.2 times as high as their size', async () => {
    const runs = await drawn({
      box: [100, 50, 300, 100],
      paragraphs: paragraphOf('one', { run: 'sz="2000"' }) + paragraphOf('two', { run: 'sz="2000"' }),
    })
    expect(runs.map(({ text, x, y }) => [text, rounded(x), rounded(y)])).toEqual([
      ['one', 107.2, 73.6],
      ['two', 107.2, 97.6],
    ])
  })
  it('drops the space above its first paragraph', async () => {
    const above = (points: number) => ({
      properties: `<a:spcBef><a:spcPts val="${points * 100}"/></a:spcBef>`,
    })
    const [first, second] = await drawn({
      paragraphs: paragraphOf('a', above(30)) + paragraphOf('b', above(30)),
    })
    expect([rounded(first!.y), rounded(second!.y - first!.y)]).toEqual([21.6, 51.6])
  })
  it('that is higher than its box sticks out on both sides when it is centred', async () => {
    const [run] = await drawn({
      box: [0, 100, 300, 10],
      body: '<a:bodyPr tIns="0" bIns="0" anchor="ctr"/>',
      paragraphs: paragraphOf('a', { run: 'sz="2000"' }),
    })
    // The line of 24 points is centred on 105.
    expect(rounded(run!.y)).toBe(113)
  })
  it('that does not wrap is centred on its box', async () => {
    const body = '<a:bodyPr wrap="none" lIns="0" rIns="0"/>'
    const paragraphs = (text: string) => paragraphOf(text, { properties: 'algn="ctr"' })
    const [long] = await drawn({ box: [200, 0, 10, 20], body, paragraphs: paragraphs('a long line') })
    const [short] = await drawn({ box: [100, 0, 210, 20], body, paragraphs: paragraphs('a long line') })
    expect(rounded(long!.x)).toBe(rounded(short!.x))
  })
  it('that does not wrap is aligned paragraph by paragraph', async () => {
    const runs = await drawn({
      box: [100, 0, 200, 90],
      body: '<a:bodyPr wrap="none" lIns="0" rIns="0"/>',
      paragraphs: paragraphOf('left') + paragraphOf('right', { properties: 'algn="r"' }),
    })
    const [left, right] = runs.map(({ x }) => rounded(x))
    expect(left).toBe(100)
    expect(right).toBeGreaterThan(240)
    expect(right).toBeLessThan(300)
  })
  it('is made smaller until it fits', async () => {
    const many = paragraphOf('word '.repeat(60), { run: 'sz="2000"' })
    const box = [0, 0, 300, 60] as const
    const full = await drawn({ box, paragraphs: many })
    const shrunk = await drawn({ box, paragraphs: many, body: '<a:bodyPr><a:normAutofit/></a:bodyPr>' })
    expect(Math.max(...full.map(({ y }) => y))).toBeGreaterThan(100)
    expect(Math.max(...shrunk.map(({ y }) => y))).toBeLessThan(62)
    expect(shrunk[0]!.size).toBeLessThan(14)
  })
  it('above the baseline is smaller, and what follows it goes on in its line', async () => {
    const raised = '<a:r><a:rPr sz="2000" baseline="30000"/><a:t>nd</a:t></a:r>'
    const plain = (text: string) => `<a:r><a:rPr sz="2000"/><a:t>${text}</a:t></a:r>`
    const runs = await drawn({ paragraphs: `<a:p>${plain('2')}${raised}${plain(' quarter')}</a:p>` })
    expect(runs.map(({ text, size }) => [text.trim(), rounded(size)])).toEqual([
      ['2', 20],
      ['nd', 13.2],
      ['quarter', 20],
    ])
    expect([runs[1]!.y < runs[0]!.y, rounded(runs[2]!.y - runs[0]!.y)]).toEqual([true, 0])
  })
  it('leaves width for bullets without an indent, and none for text without a bullet', async () => {
    const item = (attributes: string) =>
      `<a:p><a:pPr ${attributes}><a:buChar char="-"/></a:pPr><a:r><a:t>item</a:t></a:r></a:p>`
    const [, apart] = await drawn({ paragraphs: item('') })
    const [, close] = await drawn({ paragraphs: item('marL="0" indent="0"') })
    expect(rounded(apart!.x)).toBe(24.2)
    expect(close!.x).toBeLessThan(16)
  })
  it('has bullets in their own colour before it, at the indent', async () => {
    const properties =
      'marL="254000" indent="-254000"><a:buClr><a:srgbClr val="FF0000"/></a:buClr><a:buChar char="-"/></a:pPr'
    const runs = await drawn({
      paragraphs: `<a:p><a:pPr ${properties}><a:r><a:t>item</a:t></a:r></a:p>`,
    })
    expect(runs.map(({ text, x, color }) => [text, rounded(x), color])).toEqual([
      ['-', 7.2, 'FF0000'],
      ['item', 27.2, '000000'],
    ])
  })
})

it('an unknown preset shape is drawn as its box with a warning', async () => {
  const warnings: Warning[] = []
  const shape = shapeOf({ properties: '<a:solidFill><a:srgbClr val="00FF00"/></a:solidFill>' })
  layDeck(await deckOf(shape.replace('prst="rect"', 'prst="nonsense"')), {
    warn: (warning) => warnings.push(warning),
  })
  expect(warnings.map(({ code }) => code)).toEqual(['layout.shape-outline'])
})
