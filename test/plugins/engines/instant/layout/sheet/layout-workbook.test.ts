import { describe, expect, it } from 'vitest'
import { word } from '../../../../../../plugins/engines/instant/compat/word.ts'
import type { Frame, Page } from '../../../../../../plugins/engines/instant/layout/frame.ts'
import type { Drawing } from '../../../../../../shared/document/drawing.ts'
import type { CellAlignment, CellFormat, Workbook } from '../../../../../../shared/document/sheet.ts'
import {
  align,
  font,
  formatWith,
  lay,
  page,
  plain,
  type SheetSpec,
  textColours,
  textsOf,
  wordsOf,
  workbookOf,
} from '../../../../../helpers/sheet-layout.ts'

describe('the pages of a sheet', () => {
  it('are filled down before across, without empty pages', () => {
    const cells = [
      [0, 0, 'a'],
      [5, 0, 'b'],
      [0, 4, 'c'],
      [11, 0, 'd'],
    ] as const
    expect(wordsOf(lay(workbookOf({ cells })))).toEqual(['a', 'b', 'd', 'c'])
    expect(wordsOf(lay(workbookOf({ cells, page: { order: 'across' } })))).toEqual(['a', 'c', 'b', 'd'])
  })

  it('show text of the next page that overflows to the left onto them', () => {
    const text = 'long text that is wider than two columns'
    const middle = formatWith({ across: 'center' })
    const end = formatWith({ across: 'right' })
    const columns = [{ first: 0, last: 9, width: { points: 60 }, hidden: false }]
    const pagesWith = (format: number, beside?: string) =>
      wordsOf(
        lay(
          workbookOf(
            {
              cells: [
                [0, 0, 'a'],
                ...(beside === undefined ? [] : [[0, 2, beside] as const]),
                [0, 3, text, format],
              ],
              columns,
            },
            [plain, middle, end],
          ),
        ),
      )
    expect(pagesWith(1)[0]).toMatch(/^a long/)
    expect(pagesWith(2)[0]).toMatch(/^a long/)
    expect(pagesWith(0)[0]).toBe('a')
    expect(pagesWith(1, 'b')[0]).toBe('a b')
  })

  it('are printed where only columns or rows have borders, below and beside the cells that are listed', () => {
    const bordered = formatWith({}, { borders: { bottom: { line: 'solid', width: 1, color: '000000' } } })
    const cells = [
      [0, 0, 'a'],
      [9, 9, 'b'],
    ] as const
    const columns = [{ first: 0, last: 3, hidden: false, format: 1 }]
    const count = (spec: SheetSpec) => lay(workbookOf(spec, [plain, bordered])).length
    expect(count({ cells })).toBe(2)
    expect(count({ cells, columns })).toBe(3)
    expect(count({ cells, columns: [{ first: 0, last: 3, hidden: true, format: 1 }] })).toBe(1)
  })

  it('are printed where only the line around a shape reaches them', () => {
    const box = (width: number): Drawing => ({
      width: 200,
      height: 50,
      rotation: 0,
      content: {
        kind: 'shape',
        geometry: { kind: 'preset', name: 'rect', adjust: new Map() },
        ...(width > 0 && { stroke: { color: '000000', width, dash: 'solid' as const } }),
      },
    })
    const count = (width: number) =>
      lay(
        workbookOf({
          cells: [[0, 0, 'a']],
          drawings: [
            {
              from: { row: 1, column: 0, x: 0, y: 0 },
              to: { row: 3, column: 4, x: 0, y: 0 },
              drawing: box(width),
            },
          ],
        }),
      ).length
    expect([count(0), count(1)]).toEqual([1, 2])
  })

  it('have the scale that halving leads to where 12 percent is too large', () => {
    const scaleFor = (columns: number) => {
      const [first] = lay(
        workbookOf({
          cells: [[0, columns - 1, 'a']],
          page: { scale: { pagesWide: 1, pagesTall: 0 } },
        }),
      )
      const group = first?.frame.items.find(({ item }) => item.kind === 'group')?.item
      return group?.kind === 'group' ? group.transform?.[0] : undefined
    }
    expect([scaleFor(32), scaleFor(34)]).toEqual([0.12, 0.06])
  })

  it('are turned where the file says so without a size of the paper, unless as LibreOffice prints them', () => {
    const rule = word as { landscapeTurnsPaper: boolean }
    const sizes = () =>
      lay(workbookOf({ cells: [[0, 0, 'a']], page: { turnsPaper: true } })).map(({ frame }) => [
        frame.width,
        frame.height,
      ])
    expect(sizes()).toEqual([[220, 120]])
    rule.landscapeTurnsPaper = false
    try {
      expect(sizes()).toEqual([[120, 220]])
    } finally {
      rule.landscapeTurnsPaper = true
    }
  })

  it('have white text on dark cells where the text has no colour of its own', () => {
    const red = { ...font, color: 'FF0000' }
    const fills = ['0000FF', '3232FF', '1F1F1F', 'FFFFFF']
    const formats = [
      plain,
      ...fills.map((fill) => formatWith({}, { fill })),
      formatWith({}, { fill: '000000', font: red }),
      formatWith({ rotation: 90 }, { fill: '000000' }),
    ]
    const cells = ['plain', ...fills, 'red', 'turned'].map((text, row) => [row, 0, text, row] as const)
    const pages = lay(workbookOf({ cells }, formats))
    expect(Object.assign({}, ...pages.map(textColours))).toEqual({
      plain: 0,
      '0000FF': 0xffffff,
      '3232FF': 0,
      '1F1F1F': 0xffffff,
      FFFFFF: 0,
      red: 0xff0000,
      turned: 0xffffff,
    })
  })

  it('hold columns that fill them by their declared widths, each a whole twip', () => {
    const cm = 72 / 2.54
    const widths = [2.6, 7, 2.7, 2.7, 3]
    const workbook = workbookOf({
      cells: widths.map((_, column) => [0, column, 'x'] as const),
      columns: widths.map((width, at) => ({
        first: at,
        last: at,
        width: { points: width * cm },
        hidden: false,
        format: 0,
      })),
      page: {
        width: 21 * cm,
        height: 29.7 * cm,
        margins: { ...page.margins, left: 1.5 * cm, right: 1.5 * cm },
      },
    })
    expect(lay(workbook)).toHaveLength(1)
  })

  it('end at manual breaks and repeat titles', () => {
    const cells = [
      [0, 0, 'title'],
      [1, 0, 'a'],
      [2, 0, 'b'],
      [3, 0, 'c'],
    ] as const
    const pages = lay(workbookOf({ cells, page: { rowBreaks: [2], repeatRows: [0, 0] } }))
    expect(wordsOf(pages)).toEqual(['title a', 'title b c'])
  })

  it('are made to fit by a scale of whole percents', () => {
    const cells = [
      [0, 0, 'a'],
      [0, 7, 'b'],
    ] as const
    const [only, ...others] = lay(workbookOf({ cells, page: { scale: { pagesWide: 1, pagesTall: 0 } } }))
    expect(others).toEqual([])
    // 8 columns of 50 pt on 200 pt: half of the size.
    expect(textsOf(only!).map(({ x }) => x)).toEqual([11, 186])
  })

  it('show print areas only, and headers with their codes', () => {
    const header = {
      left: [],
      right: [],
      center: [
        [
          { font, text: { kind: 'page', add: 0 } },
          { font, text: { kind: 'text', text: '/' } },
          { font, text: { kind: 'pages' } },
        ],
      ],
    } as const
    const pages = lay(
      workbookOf({
        cells: [
          [0, 0, 'a'],
          [1, 1, 'b'],
          [8, 1, 'c'],
        ],
        page: { areas: [{ top: 1, left: 1, bottom: 8, right: 1 }], header: { all: header } },
      }),
    )
    expect(wordsOf(pages)).toEqual(['b 1/2', 'c 2/2'].map((text) => text.replace('/', ' / ')))
  })

  it('are a little smaller where that saves a page, when only the width has to fit', () => {
    const pageOf = (rows: number, tall: number) =>
      lay(
        workbookOf({
          cells: [
            [0, 7, 'a'],
            [rows - 1, 0, 'b'],
          ],
          page: {
            scale: { pagesWide: 1, pagesTall: tall },
            margins: { ...page.margins, top: 12, bottom: 8 },
          },
          defaultHeight: 20.2,
        }),
      )
    // At 50 % there is space for 9.9 rows, at 49 % for 10.1.
    expect(pageOf(10, 0).length).toBe(1)
    expect(pageOf(11, 0).length).toBe(2)
  })

  it('have headers in their scale', () => {
    const line = [[{ font, text: { kind: 'text', text: 'head' } }]] as const
    const heads = [1, 0.5].map((factor) => {
      const [only] = lay(
        workbookOf({
          cells: [[0, 0, 'a']],
          page: {
            scale: { factor },
            margins: { ...page.margins, top: 25 },
            header: { all: { left: line, center: [], right: [] } },
          },
        }),
      )
      return textsOf(only!).map(({ text, y }) => [text, y])
    })
    expect(heads).toEqual([
      [
        ['a', 43],
        ['head', 14],
      ],
      [
        ['a', 24],
        ['head', 10],
      ],
    ])
  })

  it('have headers and footers in the middle of their height, region by region', () => {
    const line = (text: string) => [{ font, text: { kind: 'text', text } }] as const
    const all = { left: [line('one'), line('two')], center: [], right: [line('lone')] }
    const [only] = lay(
      workbookOf({
        cells: [[0, 0, 'a']],
        page: {
          margins: { ...page.margins, header: 5, top: 45, footer: 5, bottom: 45 },
          header: { spacing: 5, all },
          footer: { spacing: 5, all },
        },
      }),
    )
    const places = textsOf(only!).filter(({ text }) => text !== 'a')
    const middles = [0, 1].map((half) => {
      const [one, two, lone] = places.slice(3 * half, 3 * half + 3).map(({ y }) => y)
      expect(lone).toBeCloseTo((one! + two!) / 2, -0.4)
      return lone!
    })
    // The baseline is a little below the middle of 35 pt, which begin or end 5 pt from the edge of the paper.
    expect(middles[0]).toBeCloseTo(5 + 17.5 + 3.5, -0.4)
    expect(middles[1]).toBeCloseTo(120 - 5 - 17.5 + 3.5, -0.4)
  })

  it('are not made by fills alone, but by borders and drawings', () => {
    const line = { line: 'solid', width: 1, color: '000000' } as const
    const formats = [plain, formatWith({}, { fill: 'FF0000' }), formatWith({}, { borders: { top: line } })]
    const with2 = (format: number) =>
      lay(
        workbookOf(
          {
            cells: [
              [0, 0, 'a'],
              [6, 0, undefined, format],
            ],
          },
          formats,
        ),
      ).length
    expect([with2(1), with2(2)]).toEqual([1, 2])
    const drawings = [{ from: { row: 0, column: 5, x: 5, y: 5 }, to: { width: 10, height: 110 } }]
    expect(lay(workbookOf({ cells: [[0, 0, 'a']], drawings })).length).toBe(3)
  })

  it('end before a long run of cells that only have the same border', () => {
    const line = { line: 'solid', width: 1, color: '000000' } as const
    const formats = [plain, formatWith({}, { borders: { left: line } })]
    const rows = (count: number) =>
      lay(
        workbookOf(
          {
            cells: [
              [0, 0, 'a'],
              ...Array.from({ length: count }, (_, at) => [at + 1, 0, undefined, 1] as const),
            ],
          },
          formats,
        ),
      ).length
    expect([rows(83), rows(84)]).toEqual([17, 1])
  })

  it('leave out hidden rows and columns', () => {
    const workbook = workbookOf({
      cells: [
        [0, 0, 'a'],
        [0, 1, 'b'],
      ],
      columns: [{ first: 0, last: 0, hidden: true }],
    })
    expect(textsOf(lay(workbook)[0]!)).toMatchObject([{ text: 'b', x: 11 }])
  })
})

describe('the text of cells', () => {
  it('in merged areas is printed where it is in their middle, beyond the other cells', () => {
    const [only, ...others] = lay(
      workbookOf({ cells: [[0, 0, 'middle', 1]], merges: [{ top: 0, left: 0, bottom: 1, right: 2 }] }, [
        plain,
        formatWith({ across: 'center', down: 'bottom' }),
      ]),
    )
    expect(others).toEqual([])
    expect(only && textsOf(only)).toEqual([{ text: 'middle', x: 70, y: 47 }])
  })

  it('is broken by advances in tenths of a point, as on paper', () => {
    // A letter is 5.56 pt wide: the words take 52.8 pt, but 53.2 pt in tenths.
    const columns = [{ first: 0, last: 0, hidden: false, width: { points: 55 } }]
    const [only] = lay(
      workbookOf({ cells: [[0, 0, 'nnnn nnnnn', 1]], columns }, [plain, formatWith({ wrap: true })]),
    )
    expect(only && textsOf(only).map(({ text }) => text)).toEqual(['nnnn ', 'nnnnn'])
  })

  it('is aligned by its type', () => {
    const workbook = workbookOf({
      cells: [
        [0, 0, 'ab'],
        [1, 0, 12],
        [2, 0, true],
        [3, 0, { kind: 'error', text: '#N/A' }],
      ],
    })
    const places = (more: Partial<Workbook>) =>
      lay({ ...workbook, ...more }).flatMap((one) => textsOf(one).map(({ text, x }) => [text, Math.round(x)]))
    // Digits of 5.56 pt; the margin of a cell is 1 pt.
    const others = [
      ['ab', 11],
      ['12', 48],
    ]
    expect(places({})).toEqual([...others, ['TRUE', 32], ['#N/A', 37]])
    expect(places({ centersTruthValues: true })).toEqual([...others, ['TRUE', 21], ['#N/A', 24]])
  })

  it('loses letters outside its cell when it is aligned to a side, and is clipped when it is centred', () => {
    const textIn = (across: 'left' | 'center' | 'right') => {
      const cells = [
        [0, 0, 'x'],
        [0, 1, 'a text that is too long', 1],
        [0, 2, 'x'],
      ] as const
      const [only] = lay(workbookOf({ cells }, [plain, formatWith({ across })]))
      return textsOf(only!)
        .map(({ text }) => text)
        .find((text) => text !== 'x')
    }
    expect(textIn('left')).toMatch(/^a text/)
    expect(textIn('left')).not.toMatch(/long$/)
    expect(textIn('right')).toMatch(/long$/)
    expect(textIn('right')).not.toMatch(/^a/)
    expect(textIn('center')).toBe('a text that is too long')
  })

  it('keeps the padding of its cell at every side, and rows are higher by it', () => {
    const padding = { left: 3, right: 5, top: 4, bottom: 8 }
    const placed = (cells: Partial<CellAlignment>, value: string | number = 'ab') => {
      const [only] = lay(workbookOf({ cells: [[0, 0, value, 1]] }, [plain, formatWith({ ...cells })]))
      return textsOf(only!).map(({ x, y }) => [x, y])[0]!
    }
    const moved = (cells: Partial<CellAlignment>, value?: string | number) => {
      const [before, after] = [placed(cells, value), placed({ ...cells, padding }, value)]
      return after.map((at, n) => Math.round((at - before[n]!) * 100) / 100)
    }
    expect(moved({ down: 'top' })).toEqual([2, 3])
    expect(moved({ down: 'bottom' }, 12)).toEqual([-4, -7])
    expect(moved({ across: 'center', down: 'center' })).toEqual([-1, -2])
    const heights = [undefined, padding].map((one) => {
      const format = formatWith(one === undefined ? {} : { padding: one })
      const cells = [
        [0, 0, 'a', 1],
        [1, 0, 'b', 1],
      ] as const
      const [only] = lay(workbookOf({ cells, keepsHeights: false, defaultHeight: 5 }, [plain, format]))
      const [first, second] = textsOf(only!)
      return second!.y - first!.y
    })
    expect(heights[1]! - heights[0]!).toBeCloseTo(padding.top + padding.bottom - 2, 2)
  })

  it('keeps spaces at its end, and an indent only where the format names a side', () => {
    const formats = [
      plain,
      formatWith({ across: 'right' }),
      formatWith({ indent: 10 }),
      formatWith({ across: 'left', indent: 10 }),
    ]
    const [only] = lay(
      workbookOf(
        {
          cells: [
            [0, 0, 'ab', 1],
            [1, 0, 'ab  ', 1],
            [2, 0, 'c', 2],
            [3, 0, 'c', 3],
          ],
        },
        formats,
      ),
    )
    // A space is 2.78 pt wide.
    expect(textsOf(only!).map(({ x }) => x)).toEqual([48, 42, 11, 21])
  })

  it('ends at the bottom of its cell when its lines are taller, and those above the cell are not written', () => {
    const [only] = lay(
      workbookOf({ cells: [[1, 0, 'one two three four five six', 1]] }, [plain, formatWith({ wrap: true })]),
    )
    expect(textsOf(only!).map(({ text, y }) => [text, y])).toEqual([
      ['three four ', 36],
      ['five six', 47],
    ])
  })

  it('flows into empty neighbours, and is cut at those that have a value', () => {
    const long = 'a text that is wider than its cell'
    const free = lay(workbookOf({ cells: [[0, 0, long]] }))
    const cut = lay(
      workbookOf({
        cells: [
          [0, 0, long],
          [0, 1, 'b'],
        ],
      }),
    )
    const widest = (pages: readonly Page[]) => clipWidths(pages[0]!.frame)
    expect(widest(free)).toEqual([])
    expect(widest(cut)).toEqual([50])
  })

  it('is not written where its cell hides it', () => {
    const [only] = lay(
      workbookOf({
        cells: [
          [0, 0, 'a text that is wider than its cell'],
          [0, 1, 'b'],
        ],
      }),
    )
    expect(textsOf(only!).map(({ text }) => text)).toEqual(['a text that i', 'b'])
  })

  it('wraps, and numbers that do not fit become ###', () => {
    const formats = [plain, formatWith({ wrap: true }), { ...plain, number: '0.00000000' }]
    const [only] = lay(
      workbookOf(
        {
          cells: [
            [0, 0, 'one two three four', 1],
            [1, 0, 123456, 2],
            [2, 0, 1 / 3],
          ],
        },
        formats,
      ),
    )
    expect(textsOf(only!).map(({ text }) => text)).toEqual(['one two ', 'three four', '###', '0.3333333'])
  })

  it('of an error that does not fit is ###, and a small number that does not fit has an exponent', () => {
    const columns = [3, 60].map((points, at) => ({ first: at, last: at, hidden: false, width: { points } }))
    const error = { kind: 'error' as const, text: '#NAME?' }
    const cells = [
      [0, 0, error],
      [0, 1, error],
      [1, 1, 0.0000129859],
      [2, 1, 0.00001],
      [3, 1, 0.000123456789],
    ] as const
    const [only] = lay(workbookOf({ cells, columns }))
    const texts = textsOf(only!).map(({ text }) => text)
    expect(texts.slice(0, 2)).toEqual(['###', '#NAME?'])
    expect(texts.slice(2)).toEqual(['1.29859E-05', '0.00001', '0.00012346'])
  })

  it('is drawn once for merged cells', () => {
    const [only] = lay(
      workbookOf(
        {
          cells: [
            [0, 0, 'a', 1],
            [0, 1, 'hidden'],
            [1, 0, 'hidden'],
          ],
          merges: [{ top: 0, left: 0, bottom: 1, right: 1 }],
        },
        [plain, formatWith({ across: 'center', down: 'center' })],
      ),
    )
    expect(textsOf(only!)).toMatchObject([{ text: 'a', x: 57 }])
  })

  it.each([
    ['upward', 90, 'general', 'right'],
    ['upward, with a side of its format', 90, 'left', 'left'],
    ['downward', -90, 'general', 'left'],
    ['downward, with a side of its format', -90, 'right', 'right'],
  ] as const)('that contains %s is aligned by its type', (_, rotation, across, side) => {
    const middleOf = (where: typeof across | 'center'): number => {
      const formats = [plain, formatWith({ rotation, across: where })]
      const [page] = lay(workbookOf({ cells: [[0, 0, 'ab', 1]] }, formats))
      const turned = (items: Page['frame']['items'], left: number): number[] =>
        items.flatMap(({ x, item }) => {
          if (item.kind !== 'group') return []
          const isTurned = item.transform !== undefined && item.transform[1] !== 0
          return isTurned ? [left + x] : turned(item.frame.items, left + x)
        })
      const middles = turned(page?.frame.items ?? [], 0)
      return middles[0] ?? Number.NaN
    }
    const offset = middleOf(across) - middleOf('center')
    expect(side === 'right' ? offset : -offset).toBeGreaterThan(5)
  })

  it('makes rows taller where heights are measured', () => {
    const formats = [plain, formatWith({ wrap: true, down: 'top' })]
    const cells = [
      [0, 0, 'one two three four five six', 1],
      [1, 0, 'next', 1],
    ] as const
    const [kept] = lay(workbookOf({ cells }, formats))
    const [measured] = lay(workbookOf({ cells, keepsHeights: false }, formats))
    const next = (each: Page) => textsOf(each).find(({ text }) => text === 'next')!.y
    expect(next(measured!) - next(kept!)).toBe(15)
  })

  it('keeps stored heights that are as many pixels as the measured ones, unless a neighbour changes', () => {
    const cells = [
      [0, 0, 'a'],
      [1, 0, 'b'],
      [2, 0, 'c'],
    ] as const
    const { sheets, ...workbook } = workbookOf({ cells, keepsHeights: false })
    const distances = (stored: readonly number[]) => {
      const measured = sheets.map((sheet) => ({
        ...sheet,
        rows: sheet.rows.map((row, at) => ({ ...row, minHeight: 12.8, storedHeight: stored[at] ?? 0 })),
      }))
      const [page] = lay({ ...workbook, sheets: measured })
      const [a = 0, , c = 0] = textsOf(page!).map(({ y }) => y)
      return c - a
    }
    expect(distances([13.2, 13.2, 13.2])).toBeCloseTo(2 * 13.2, -0.1)
    expect(distances([13.2, 13.2, 20])).toBeLessThan(distances([13.2, 13.2, 13.2]))
  })
})

/** The widths of groups that cut what is in them, inside blocks. */
function clipWidths(frame: Frame, depth = 0): number[] {
  return frame.items.flatMap(({ item }) =>
    item.kind !== 'group'
      ? []
      : [...(item.clip && depth > 1 ? [item.frame.width] : []), ...clipWidths(item.frame, depth + 1)],
  )
}

describe('hostile sheets', () => {
  it('with one cell at the end cost little', () => {
    const pages = lay(workbookOf({ cells: [[1_048_575, 16_383, 'far']] }), { maxSteps: 10_000 })
    expect(wordsOf(pages)).toEqual(['far'])
  })

  it('with 100,000 merged areas are laid out', () => {
    const merges = Array.from({ length: 100_000 }, (_, at) => ({ top: at, left: 0, bottom: at, right: 1 }))
    const pages = lay(
      workbookOf({
        cells: [
          [0, 0, 'a'],
          [9, 0, 'b'],
        ],
        merges,
      }),
    )
    expect(wordsOf(pages)).toEqual(['a', 'b'])
  })

  const page = { gridLines: true, headings: true }
  const far = [[1_048_575, 16_383, 'far']] as const
  it.each([
    ['rows without a height', { cells: far, defaultHeight: 0, page }],
    ['columns without a width', { cells: far, defaultWidth: { points: 0 }, page }],
    [
      'neither, with merged areas',
      {
        cells: far,
        defaultHeight: 0,
        defaultWidth: { points: 0 },
        page,
        merges: [{ top: 0, left: 0, bottom: 1, right: 1 }],
      },
    ],
    [
      'rows of a twip with a grid',
      {
        cells: far,
        defaultHeight: 0.05,
        defaultWidth: { points: 0.05 },
        page,
        merges: [{ top: 0, left: 0, bottom: 1, right: 1 }],
      },
    ],
    [
      'a fill in every row',
      {
        cells: [[99_999, 16_383, 'far']] as const,
        defaultHeight: 0.05,
        defaultWidth: { points: 0.05 },
        formats: true,
      },
    ],
    [
      'a print area of everything',
      { cells: far, page: { ...page, areas: [{ top: 0, left: 0, bottom: 1_048_575, right: 16_383 }] } },
    ],
    [
      'titles of everything',
      {
        cells: far,
        page: { ...page, repeatRows: [0, 1_048_575] as const, repeatColumns: [0, 16_383] as const },
      },
    ],
  ])(
    'with %s end in pages or in an error of the catalogue',
    (_, { formats, ...spec }: SheetSpec & { formats?: boolean }) => {
      const fill: CellFormat = { ...plain, fill: 'FF0000' }
      const book = workbookOf(spec, [plain, fill])
      const rows = Array.from({ length: 100_000 }, (_, row) => ({ row, hidden: false, format: 1, cells: [] }))
      const [sheet] = book.sheets
      const filled =
        formats && sheet
          ? { ...book, sheets: [{ ...sheet, rows: [...rows.slice(0, -1), ...sheet.rows] }] }
          : book
      try {
        expect(lay(filled, { maxSteps: 60_000_000 }).length).toBeLessThan(101)
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^layout\.too-many-(pages|cells)$/) })
      }
    },
  )

  it('with a text of 32,767 letters in every cell are stopped by their steps', () => {
    const text = 'long words '.repeat(2_978)
    const cells = Array.from({ length: 400 }, (_, row) => [row, 0, text] as const)
    expect(() =>
      lay(workbookOf({ cells }, [{ ...plain, align: { ...align, wrap: true } }]), { maxSteps: 10_000_000 }),
    ).toThrow('too many steps')
  })
})

describe('sheets of offices', () => {
  it('end before thirty equally formatted columns', () => {
    const filled = formatWith({}, { fill: 'FF0000' })
    const fills = (count: number) =>
      Array.from({ length: count }, (_, at) => [0, 1 + at, undefined, 1] as const)
    const pagesWith = (count: number) =>
      lay(workbookOf({ cells: [[0, 0, 'a'], ...fills(count), [1, 60, 'b']] }, [plain, filled])).length
    expect(pagesWith(29)).toBe(2)
    const last = (count: number) =>
      lay(
        workbookOf({ cells: [[0, 0, 'a'], ...fills(count)], page: { gridLines: true, centerAcross: true } }, [
          plain,
          filled,
        ]),
      )[0]?.frame.items[0]
    expect(last(40)).toMatchObject({ item: { frame: { width: 50 } } })
    expect(last(3)).toMatchObject({ item: { frame: { width: 200 } } })
  })

  it('end before cells that are formatted like the rest of their column', () => {
    const filled = formatWith({}, { fill: 'FF0000' })
    const cells = [
      [0, 0, 'a'],
      ...Array.from({ length: 9 }, (_, at) => [1 + at, 0, undefined, 1] as const),
    ] as const
    const heightWith = (format?: number) =>
      lay(
        workbookOf(
          {
            cells,
            page: { height: 400 },
            columns: [{ first: 0, last: 0, hidden: false, ...(format !== undefined && { format }) }],
          },
          [plain, filled],
        ),
      )[0]?.frame.items[0]
    expect(heightWith()).toMatchObject({ item: { frame: { height: 200 } } })
    expect(heightWith(1)).toMatchObject({ item: { frame: { height: 20 } } })
  })

  it('fit on a number of pages in all', () => {
    const cells = Array.from({ length: 20 }, (_, row) => [row, 5, row] as const)
    const first = [0, 0, 'a'] as const
    const pages = lay(workbookOf({ cells: [first, ...cells], page: { scale: { pagesAll: 2 } } }))
    expect(pages.length).toBeLessThanOrEqual(2)
  })

  it('have rows as tall as the size of their font asks for, and as their least height', () => {
    const tall = formatWith({}, { font: { ...font, size: 20 } })
    const workbook = workbookOf(
      {
        cells: [
          [0, 0, 'a', 1],
          [1, 0, 'b'],
          [2, 0, 'c'],
        ],
        keepsHeights: false,
      },
      [plain, tall],
    )
    const rows =
      workbook.sheets[0]?.rows.map((row) => (row.row === 1 ? { ...row, minHeight: 30 } : row)) ?? []
    const [sheet] = workbook.sheets
    const [only] = lay({ ...workbook, sheets: sheet === undefined ? [] : [{ ...sheet, rows }] })
    const [a, b, c] = textsOf(only!).map(({ y }) => y)
    // 20 pt of text make 24.45 pt: 1.18 times the size with the margins, less 23 twentieths of a point. Text stands on the
    // bottom of its row, a descent and a margin above it.
    expect(a).toBe(Math.round(10 + 24.45 - 1 - 0.212 * 20))
    expect((b ?? 0) - (a ?? 0)).toBe(Math.round(30 + 0.212 * 10))
    expect((c ?? 0) - (b ?? 0)).toBe(20)
  })
})

describe('drawings', () => {
  const shape = {
    width: 100,
    height: 40,
    rotation: 0,
    content: {
      kind: 'shape',
      geometry: { kind: 'preset', name: 'rect', adjust: new Map() },
      fill: 'FF0000',
      text: {
        insets: { left: 2, top: 2, right: 2, bottom: 2 },
        align: 'top',
        grows: false,
        direction: 'horizontal',
        wraps: true,
        blocks: [
          {
            kind: 'paragraph',
            properties: {},
            mark: {},
            inlines: [{ kind: 'text', text: 'inside', run: { size: 8 } }],
          },
        ],
      },
    },
  } as const
  it('that are rotated reach the pages that their corners reach', () => {
    const pagesOf = (rotation: number) => {
      const content = {
        kind: 'shape',
        geometry: { kind: 'preset', name: 'rect', adjust: new Map() },
        fill: 'FF0000',
      } as const
      const place = { row: 0, column: 0, x: 10, y: 60 }
      const drawing = {
        from: place,
        to: { width: 150, height: 10 },
        drawing: { width: 150, height: 10, rotation, content },
      }
      return lay(
        workbookOf({ cells: [[0, 0, 'a']], drawings: [{ ...drawing, from: { ...place, isFree: true } }] }),
      ).length
    }
    expect([0, 180, 90].map(pagesOf)).toEqual([1, 1, 2])
  })

  it('whose free corner is below and right of the other one are drawn between both', () => {
    const drawings = [
      {
        from: { row: 2, column: 2, x: 30, y: 5, isFree: true as const },
        to: { row: 0, column: 1, x: 0, y: 0 },
        drawing: shape,
      },
    ]
    const [page] = lay(workbookOf({ cells: [[0, 0, 'a']], drawings }))
    expect(textsOf(page!).find(({ text }) => text === 'inside')).toMatchObject({ x: 10 + 50 + 2 })
  })

  it('show lines that do not wrap where their paragraph aligns them in the shape', () => {
    const [paragraph] = shape.content.text.blocks
    const leftOf = (align: 'left' | 'center' | 'right'): number => {
      const text = {
        ...shape.content.text,
        wraps: false,
        blocks: [{ ...paragraph, properties: { align } }],
      }
      const from = { row: 1, column: 0, x: 0, y: 0 }
      const drawing = { ...shape, content: { ...shape.content, text } }
      const drawings = [{ from, to: { width: 100, height: 40 }, drawing }]
      const [page] = lay(workbookOf({ cells: [[0, 0, 'a']], drawings }))
      return textsOf(page!).find((each) => each.text === 'inside')?.x ?? Number.NaN
    }
    const [left, center, right] = [leftOf('left'), leftOf('center'), leftOf('right')]
    expect(left).toBeCloseTo(10 + 2)
    expect(Math.abs(center - (left + right) / 2)).toBeLessThan(1)
    expect(right).toBeGreaterThan(left)
    expect(right).toBeLessThan(10 + 98)
  })

  it('lie over the cells, in the size of their place, on every page that they reach', () => {
    const drawings = [
      { from: { row: 1, column: 3, x: 10, y: 0 }, to: { row: 3, column: 5, x: 0, y: 0 }, drawing: shape },
    ]
    const pages = lay(workbookOf({ cells: [[0, 0, 'a']], drawings }))
    expect(pages).toHaveLength(2)
    const [first, second] = pages.map((each) => textsOf(each).find(({ text }) => text === 'inside'))
    expect(first).toMatchObject({ x: 10 + 160 + 2 })
    // The second page shows what the first one cuts off.
    expect(second).toMatchObject({ x: 10 - 40 + 2 })
  })
})

describe('values that repeat', () => {
  const rows = 300
  /** Rows of a long text with a short one behind it, on one page. The budget counts a step for each letter that is set. */
  const sheetOf = (textAt: (row: number) => string): Workbook =>
    workbookOf({
      cells: Array.from({ length: rows }, (_, row) => row).flatMap((row) => [
        [row, 0, textAt(row)] as const,
        [row, 1, row % 7] as const,
      ]),
      page: { height: 20 * rows + 20 },
    })
  const letters = 'a text that is as long as forty letters '

  it('are printed and set once', () => {
    const maxSteps = 15 * rows
    expect(
      lay(
        sheetOf(() => letters),
        { maxSteps },
      ),
    ).toHaveLength(1)
    // Otherwise the limit would allow that each of them is set.
    expect(() =>
      lay(
        sheetOf((row) => letters + row),
        { maxSteps },
      ),
    ).toThrow('too many steps')
  })

  it('are drawn in each of their cells by its format', () => {
    const red = formatWith({}, { font: { ...font, color: 'FF0000' } })
    const percent = { ...plain, number: '0%' }
    const cells = [
      [0, 0, 0.5],
      [1, 0, 0.25, 2],
      [2, 0, 0.5, 1],
      [3, 0, 0.25],
      [4, 0, 0.5, 2],
    ] as const
    const [only] = lay(workbookOf({ cells }, [plain, percent, red]))
    expect(only && textsOf(only).map(({ text }) => text)).toEqual(['0.5', '0.25', '50%', '0.25', '0.5'])
    // The colour of the last cell with each text.
    expect(only && textColours(only)).toEqual({ '0.25': 0, '0.5': 0xff0000, '50%': 0 })
  })
})
