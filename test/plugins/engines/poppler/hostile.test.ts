import { describe, expect, it } from 'vitest'
import { borderedTables } from '../../../../plugins/engines/poppler/text/bordered-tables.ts'
import { readFlow } from '../../../../plugins/engines/poppler/text/flow.ts'
import type { PageText, TextPosition } from '../../../../plugins/engines/poppler/text/text-positions.ts'

const mark = (x: number, y: number, text: string, size = 10): TextPosition => ({
  x,
  y,
  width: text.length * size * 0.5,
  height: size,
  size,
  text,
  inlines: [{ kind: 'text', text, style: {} }],
})
const page = (marks: readonly TextPosition[], more: Partial<PageText> = {}): PageText => ({
  width: 600,
  height: 800,
  positions: marks,
  pictures: [],
  ...more,
})
const many = <T>(count: number, one: (n: number) => T) => Array.from({ length: count }, (_, n) => one(n))
const seconds = async (work: () => unknown) => {
  const begun = process.cpuUsage()
  await work()
  return process.cpuUsage(begun).user / 1e6
}
const flowOf = (pages: readonly PageText[]) =>
  readFlow({ pages, pictures: new Map(), withoutPictures: false })

describe('pages that hold more than pages do', () => {
  it.each<[string, () => readonly PageText[]]>([
    ['lines', () => [page(many(130_000, (n) => mark(10, n * 20, 'word')))]],
    ['words of one line', () => [page(many(30_000, (n) => mark(n * 21, 10, 'word')))]],
    ['rows of a table', () => [page(many(6000, (n) => mark((n % 2) * 200, Math.floor(n / 2) * 12, 'cell')))]],
    [
      'pictures on as many pages',
      () =>
        many(1000, (n) =>
          page([mark(10, 100, `page ${n}`)], {
            pictures: many(2, (at) => ({ x: n, y: at * 20, width: 9, height: 9, name: `${n} ${at}` })),
          }),
        ),
    ],
  ])('%s are read in seconds', async (_, make) => {
    const pages = make()
    let blocks = 0
    expect(await seconds(() => (blocks = flowOf(pages).flow.blocks.length))).toBeLessThan(25)
    expect(blocks).toBeGreaterThan(0)
  })

  it('a grid of twenty thousand cells is a table in no time, each word in its cell', async () => {
    const rulings = many(140, (n) => [
      { across: true, at: n * 5, from: 0, to: 695 },
      { across: false, at: n * 5, from: 0, to: 695 },
    ]).flat()
    const marks = many(8000, (n) => mark((n % 139) * 5 + 1, Math.floor(n / 139) * 5 + 1, 'a', 3))
    const look = { size: 3, headings: [] }
    let tables: ReturnType<typeof borderedTables> = []
    expect(await seconds(() => (tables = borderedTables(marks, rulings, look)))).toBeLessThan(15)
    const [table] = tables
    if (table?.block.kind !== 'table') throw new Error('no table')
    expect(table.block.rows).toHaveLength(139)
    expect(table.block.rows[57]?.cells.map(({ blocks }) => blocks.length)).toEqual(
      many(139, (n) => (n < 8000 - 57 * 139 ? 1 : 0)),
    )
  })
})
