import { describe, expect, it } from 'vitest'
import { guttersBetween } from '../../../../plugins/engines/poppler/text/gutters.ts'
import { withoutRunning } from '../../../../plugins/engines/poppler/text/headers-footers.ts'
import { linesOf, textOfLine } from '../../../../plugins/engines/poppler/text/lines.ts'
import { withPartedCells } from '../../../../plugins/engines/poppler/text/parted-cells.ts'
import { regionsOf } from '../../../../plugins/engines/poppler/text/regions.ts'
import { splitAt, withoutStart } from '../../../../plugins/engines/poppler/text/split-positions.ts'
import type { TextPosition } from '../../../../plugins/engines/poppler/text/text-positions.ts'
import { withWords, wordBoxesOf } from '../../../../plugins/engines/poppler/text/word-boxes.ts'

const size = 10
/** A line of words of five points a letter, `gap` points apart. */
const line = (x: number, y: number, text: string, gap = 3): TextPosition => {
  let [at, from] = [x, 0]
  const words = text.split(' ').map((word) => {
    const extent = { x: at, right: at + word.length * 5, from, to: from + word.length }
    at = extent.right + gap
    from = extent.to + 1
    return extent
  })
  const inlines = [{ kind: 'text' as const, text, style: {} }]
  return { x, y, width: at - gap - x, height: size, size, text, inlines, words }
}
const prose = 'many words that fill a line'
const column = (x: number, top: number, lines: number, name: string) =>
  Array.from({ length: lines }, (_, at) => line(x, top + at * 12, `${name}${at} ${prose}`))
const namesOf = (positions: readonly TextPosition[]) =>
  regionsOf(positions).map((region) => linesOf(region.positions).map((one) => textOfLine(one).split(' ')[0]))
const upTo = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`)

describe('regions in reading order', () => {
  it('columns whose gap is as narrow as a wide word space, however their lines are joined', () => {
    const joined = column(0, 0, 8, 'a').map((left, at) => {
      const right = line(175, at * 12, `b${at} ${prose}`)
      const text = `${left.text} ${right.text}`
      const words = right.words?.map((word) => ({
        ...word,
        from: word.from + left.text.length + 1,
        to: word.to + left.text.length + 1,
      }))
      return {
        ...left,
        width: right.x + right.width,
        text,
        inlines: [{ kind: 'text' as const, text, style: {} }],
        words: [...(left.words ?? []), ...(words ?? [])],
      }
    })
    expect(namesOf(joined)).toEqual([upTo('a', 8), upTo('b', 8)])
  })

  it('three columns below a title, of which the first begins lower', () => {
    const title = line(0, 0, 'Title of it all')
    expect(
      namesOf([title, ...column(0, 44, 6, 'a'), ...column(180, 36, 7, 'b'), ...column(360, 36, 7, 'c')]),
    ).toEqual([['Title'], upTo('a', 6), upTo('b', 7), upTo('c', 7)])
  })

  it('a heading above both columns parts them, though it is as short as one column', () => {
    const heading = { ...line(0, 100, 'Heading here'), size: 14, height: 14 }
    const all = [
      ...column(0, 0, 8, 'a'),
      ...column(180, 0, 8, 'b'),
      heading,
      ...column(0, 122, 8, 'c'),
      ...column(180, 122, 8, 'd'),
    ]
    expect(namesOf(all)).toEqual([upTo('a', 8), upTo('b', 8), ['Heading'], upTo('c', 8), upTo('d', 8)])
  })

  it('rows of a table are not columns, nor are dates beside paragraphs', () => {
    const rows = ['Rope', 'Tar', 'Lamp', 'Sail', 'Oar'].flatMap((name, at) => [
      line(0, at * 12, name),
      line(150, at * 12, `${at}.50`),
    ])
    expect(namesOf(rows)).toHaveLength(1)
    const dated = [0, 1, 2, 3].flatMap((at) => [
      line(0, at * 60, '2019 to 2024'),
      ...column(100, at * 60, 3, `job${at}`),
    ])
    expect(namesOf(dated)).toHaveLength(1)
  })

  it('from right to left the right column is read first', () => {
    const text = 'מילים רבות שממלאות שורה אחת'
    const lines = Array.from({ length: 6 }, (_, at) => [
      line(0, at * 12, `b${at} ${text}`),
      line(200, at * 12, `a${at} ${text}`),
    ])
    const [first, second] = regionsOf(lines.flat())
    expect([first?.positions[0]?.x, second?.positions[0]?.x]).toEqual([200, 0])
  })

  it('a rule across the page ends columns', () => {
    const all = [
      ...column(0, 0, 6, 'a'),
      ...column(180, 0, 6, 'b'),
      ...column(0, 80, 6, 'c'),
      ...column(180, 80, 6, 'd'),
    ]
    const across = regionsOf(all, [], [{ y: 76, x: 0, right: 330 }])
    expect(across.map(({ positions }) => positions[0]?.text.split(' ')[0])).toEqual(['a0', 'b0', 'c0', 'd0'])
  })

  it('no text is lost, whatever its coordinates are', () => {
    const odd = [Number.NaN, Infinity, -Infinity, 1e300, -5, 0].flatMap((x) => [
      { ...line(0, 0, 'odd one'), x },
      { ...line(0, 0, 'odd two'), y: x },
      { ...line(0, 0, 'odd three'), width: x, height: x },
    ])
    const all = [...odd, ...column(0, 0, 8, 'a'), ...column(180, 0, 8, 'b')]
    expect(regionsOf(all).flatMap(({ positions }) => positions)).toHaveLength(all.length)
  })

  it.each<[string, (at: number) => readonly [number, number]]>([
    ['in lines', (at) => [(at % 12) * 45, Math.floor(at / 12) * 12]],
    ['in one line', (at) => [at * 45, 0]],
    ['on one spot', () => [7, 7]],
    ['scattered', (at) => [(at * 7919) % 5003, (at * 104_729) % 7001]],
  ])('a hundred thousand words %s take a bounded time', (_, place) => {
    const all = Array.from({ length: 100_000 }, (_, at) => line(...place(at), 'word'))
    const begun = process.cpuUsage()
    const kept = regionsOf(all).reduce((sum, { positions }) => sum + positions.length, 0)
    expect(kept).toBe(all.length)
    expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(20)
  })
})

describe('white strips', () => {
  it('the tallest comes first, and boxes end it', () => {
    const box = (x: number, y: number, width: number, height = 10) => ({
      x,
      y,
      right: x + width,
      bottom: y + height,
    })
    const boxes = [0, 12, 24, 36, 48].flatMap((y) => [box(0, y, 40), box(60, y, 40)])
    const [strip] = guttersBetween([...boxes, box(0, 60, 100)], {
      minWidth: 5,
      minHeight: 20,
      lineHeight: 10,
    })
    expect([strip?.x, strip?.right]).toEqual([40, 60])
    expect(strip?.bottom).toBeGreaterThan(55)
    expect(strip?.bottom).toBeLessThan(64)
  })
})

describe('cells close to each other', () => {
  const rows = (texts: readonly string[]) => linesOf(texts.map((text, at) => line(0, at * 13, text, 5)))
  const segmentsOf = (texts: readonly string[]) =>
    withPartedCells(rows(texts)).map(({ segments }) => segments.length)
  it('are parted where a strip passes through all lines', () => {
    expect(segmentsOf(['Compas 12.00 3', 'Sextan 48.00 1', 'Bellma 15.50 4', 'Anchor 75.00 6'])).toEqual([
      3, 3, 3, 3,
    ])
  })
  it('nor are words of justified text, whose spaces are wide', () => {
    const texts = [
      'carries the quiet valley until',
      'seasons all turning north road',
      'follows the first snowing here',
    ]
    expect(segmentsOf(texts)).toEqual([1, 1, 1])
  })
  it('words of running text are not', () => {
    expect(
      segmentsOf(['one of the ferries', 'remembers it all', 'the bells are ringing', 'as they do']),
    ).toEqual([1, 1, 1, 1])
  })
})

describe('the boxes of words', () => {
  const output =
    '<page width="1" height="1">\n<word xMin="10.0" yMin="20.0" xMax="30.0" yMax="30.0">one</word>\n<word xMin="60.0" yMin="20.0" xMax="90.0" yMax="30.0">two</word>'
  it('part a text where the gap is', () => {
    const [boxes = []] = wordBoxesOf(output)
    const { words: _, ...whole } = { ...line(10, 20, 'one two'), width: 80 }
    const [position] = withWords([whole], boxes)
    expect(splitAt(position as TextPosition, [45]).map(({ x, width, text }) => [x, width, text])).toEqual([
      [10, 20, 'one'],
      [60, 30, 'two'],
    ])
    expect(withoutStart(position as TextPosition, 4).words).toEqual([{ x: 60, right: 90, from: 0, to: 3 }])
  })
  it('of another text are ignored', () => {
    const [boxes = []] = wordBoxesOf(output)
    const { words: _, ...whole } = { ...line(10, 20, 'three words here'), width: 80 }
    expect(withWords([whole], boxes)[0]?.words).toBeUndefined()
  })
})

describe('headers and footers', () => {
  const page = (number: number, texts: readonly (readonly [number, string])[]) => ({
    width: 600,
    height: 800,
    pictures: [],
    positions: [...texts.map(([y, text]) => line(50, y, text)), line(50, 400, `body ${'x'.repeat(number)}`)],
  })
  const left = (pages: Parameters<typeof withoutRunning>[0]) =>
    withoutRunning(pages).map(({ positions }) => positions.map(({ text }) => text.replace(/ x+$/, '')))
  it('of left and right pages differ', () => {
    const pages = [1, 2, 3, 4, 5, 6].map((at) => page(at, [[20, at % 2 ? 'The title' : `${at} The author`]]))
    expect(left(pages)).toEqual(pages.map(() => ['body']))
  })
  it('the axis of a chart on every other page is none, nor what most pages end with by chance', () => {
    const pages = [1, 2, 3, 4, 5, 6].map((at) =>
      page(at, [[780, at % 2 ? '0% 50% 100%' : `Text ${'y'.repeat(at)}`]]),
    )
    expect(
      left(pages)
        .flat()
        .filter((text) => text.startsWith('0%')),
    ).toHaveLength(3)
  })
  it('of two pages are found by their numbers', () => {
    expect(left([page(1, [[780, 'Page 1 of 2']]), page(2, [[780, 'Page 2 of 2']])])).toEqual([
      ['body'],
      ['body'],
    ])
    expect(left([page(1, [[780, 'In 1999']]), page(2, [[780, 'In 2004']])])).toEqual([
      ['In 1999', 'body'],
      ['In 2004', 'body'],
    ])
  })
})
