/** Lines of text where scripts and decorations differ; what is expected was measured in LibreOffice 7.4. */
import { describe, expect, test } from 'vitest'
import type { Frame, Item, Page, Placed } from '../../../../../plugins/engines/instant/layout/frame.ts'
import { layWord, p } from '../../../../helpers/laid-out.ts'

type Glyphs = Placed & { readonly item: Extract<Item, { kind: 'glyphs' }> }

function itemsOf(pages: readonly Page[]): Placed[] {
  const all: Placed[] = []
  const walk = (frame: Frame, x: number, y: number): void => {
    for (const placed of frame.items) {
      const { item } = placed
      if (item.kind === 'group') walk(item.frame, x + placed.x, y + placed.y)
      else all.push({ ...placed, x: x + placed.x, y: y + placed.y })
    }
  }
  for (const { frame } of pages) walk(frame, 0, 0)
  return all
}
const glyphs = (pages: readonly Page[]): Glyphs[] =>
  itemsOf(pages).filter((placed): placed is Glyphs => placed.item.kind === 'glyphs')
const endOf = ({ x, item }: Glyphs): number => x + item.run.width

describe('underlines', () => {
  const shapes = (value: string, text = 'two words') =>
    itemsOf(layWord({ body: p(text, '', `<w:u w:val="${value}"/>`) }).pages).flatMap(({ item }) =>
      item.kind === 'shape' ? [item.path] : [],
    )
  const heightOf = (value: string): number => {
    const ys = shapes(value)[0]!.commands.flatMap((command) => (command.length === 3 ? [command[2]] : []))
    return Math.max(...ys) - Math.min(...ys)
  }
  test('of words leave the spaces out', () => {
    expect(shapes('words')).toHaveLength(2)
    expect(shapes('words', ' in the middle ')).toHaveLength(3)
    expect(shapes('single')).toHaveLength(1)
  })
  test('that are heavy are twice as thick', () => {
    expect(heightOf('thick')).toBeCloseTo(2 * heightOf('single'), 9)
    for (const [heavy, plain] of [
      ['dottedHeavy', 'dotted'],
      ['dashedHeavy', 'dash'],
      ['dashLongHeavy', 'dashLong'],
      ['dashDotHeavy', 'dotDash'],
      ['dashDotDotHeavy', 'dotDotDash'],
      ['wavyHeavy', 'wave'],
    ] as const)
      expect(shapes(heavy)[0]!.stroke!.width).toBeCloseTo(2 * shapes(plain)[0]!.stroke!.width, 9)
  })
  test.each([
    ['dotted', [1, 1]],
    ['dash', [4, 2]],
    ['dashLong', [8, 2]],
    ['dotDash', [4, 2, 1, 2]],
    ['dotDotDash', [4, 2, 1, 2, 1, 2]],
  ])('%s are parted in steps of their thickness', (value, lengths) => {
    const { dash, width } = shapes(value)[0]!.stroke!
    expect(dash!.map((length) => Math.round((100 * length) / width) / 100)).toEqual(lengths)
  })
})

describe('justified lines', () => {
  const right = 595.3 - 72
  const firstLine = (text: string): Glyphs[] => {
    const all = glyphs(layWord({ body: p(text, '<w:jc w:val="both"/><w:ind w:right="0"/>') }).pages)
    return all.filter(({ y }) => y === all[0]!.y)
  }
  test('of Chinese reach the margin by space after each character but the last', () => {
    const line = firstLine(`${'中文段落测试'.repeat(3)} words ${'中文段落测试'.repeat(20)}`)
    expect(endOf(line.at(-1)!)).toBeCloseTo(right, 0)
    const advances = Array.from(line.at(-1)!.item.run.advances)
    expect(advances[0]).toBeGreaterThan(advances.at(-1)!)
    expect(new Set(advances.slice(0, -1).map((advance) => advance.toFixed(4))).size).toBe(1)
  })
  test('of Korean grow at spaces', () => {
    const line = firstLine('한국어 문장은 띄어쓰기에서 줄바꿈이 '.repeat(6))
    expect(endOf(line.at(-1)!)).toBeCloseTo(right, 0)
    const { run } = line[0]!.item
    const widths = new Set(
      Array.from(run.advances)
        .filter((_, index) => run.text[run.clusters[index]!] !== ' ')
        .map((width) => width.toFixed(4)),
    )
    expect(widths.size).toBe(1)
  })
})

describe('labels of lists from right to left', () => {
  const list = (align: string) => ({
    numbering: `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/><w:lvlJc w:val="${align}"/><w:pPr><w:ind w:left="1440" w:hanging="720"/></w:pPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
    body: p('אבג', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:bidi/>', '<w:rtl/>'),
  })
  const label = (align: string): Glyphs[] =>
    glyphs(layWord(list(align)).pages)
      .filter(({ item }) => /[\d.]/.test(item.run.text))
      .sort((a, b) => a.x - b.x)

  test('have the dot on the left of the number', () => {
    expect(label('left').map(({ item }) => item.run.text)).toEqual(['.', '1'])
  })
  test('extend outside when they are on the left, inside when they are on the right', () => {
    const place = 595.3 - 72 - 36
    expect(label('left')[0]!.x).toBeCloseTo(place, 0)
    expect(endOf(label('right').at(-1)!)).toBeCloseTo(place, 0)
  })
})

describe('a word that is wider than the line', () => {
  test.each([
    ['one letter', 'm'],
    ['two letters', 'mi'],
    ['eleven letters', 'mississippi'],
  ])('of runs with %s each ends its lines inside the margin and loses no letter', (_name, letters) => {
    const runs = Array.from(
      { length: 330 },
      (_, n) => `<w:r><w:rPr>${n % 2 === 0 ? '<w:b/>' : ''}</w:rPr><w:t>${letters}</w:t></w:r>`,
    )
    const all = glyphs(layWord({ body: `<w:p>${runs.join('')}</w:p>` }).pages)
    expect(new Set(all.map(({ y }) => y)).size).toBeGreaterThan(3)
    for (const glyph of all) expect(endOf(glyph)).toBeLessThan(595.3 - 72 + 1)
    const count = all.reduce((sum, { item }) => sum + item.run.glyphs.length, 0)
    expect(count).toBe(330 * letters.length)
  })
})
