import { describe, expect, it } from 'vitest'
import type { Frame, Page, ShapeItem } from '../../../../../../../plugins/engines/instant/layout/frame.ts'
import { withStyle } from '../../../../../../../plugins/engines/instant/layout/sheet/conditions/conditions.ts'
import type {
  CellArea,
  CellCondition,
  CellValue,
  ConditionalRule,
  DataBar,
  ScalePoint,
} from '../../../../../../../shared/document/sheet.ts'
import { lay, plain, wordsOf, workbookOf } from '../../../../../../helpers/sheet-layout.ts'

const column: CellArea = { top: 0, left: 0, bottom: 99, right: 0 }

/** The fills of the pages as 'row:colour', for cells of 50 by 20 points. */
function fillsOf(pages: readonly Page[]): string[] {
  const boxes: string[] = []
  const visit = (frame: Frame, dx: number, dy: number): void => {
    for (const { x, y, item } of frame.items) {
      if (item.kind === 'group') visit(item.frame, dx + x, dy + y)
      if (item.kind !== 'shape' || item.path.fill?.kind !== 'solid') continue
      const row = Math.round((dy + y - 10) / 20)
      boxes.push(`${row}:${item.path.fill.colour.toString(16).padStart(6, '0')}`)
    }
  }
  for (const { frame } of pages) visit(frame, 0, 0)
  return boxes
}
const style = (when: CellCondition, fill = 'FF0000', stops = false): ConditionalRule => ({
  areas: [column],
  effect: { kind: 'style', when, style: { fill }, stops },
})
function rowsWith(
  rules: readonly ConditionalRule[],
  values: readonly (CellValue | undefined)[],
  now = 0,
): string[] {
  const warnings: string[] = []
  const cells = values.map((value, row) => [row, 0, value] as const)
  const pages = lay(workbookOf({ cells, conditions: rules, page: { height: 1_000 } }), {
    now,
    warn: ({ code }) => void warnings.push(code),
  })
  return [...fillsOf(pages), ...warnings]
}

const compare = (
  operator: Extract<CellCondition, { kind: 'compare' }>['operator'],
  ...operands: string[]
): CellCondition => ({ kind: 'compare', operator, operands })
const values = [1, 2, 3, 'b', undefined, true, { kind: 'error', text: '#N/A' } as const, 9]
/** 2026-11-26, a Thursday. */
const now = Date.UTC(2026, 10, 26, 12)
const day = 46_352

it.each<[string, CellCondition, readonly (CellValue | undefined)[], readonly number[]]>([
  ['equal', compare('equal', '2'), values, [1]],
  ['equal to a text', compare('equal', '"B"'), values, [3]],
  ['unequal', compare('unequal', '2'), values, [0, 2, 3, 4, 5, 7]],
  ['less, also empty cells', compare('less', '2'), values, [0, 4, 5]],
  ['at most', compare('at-most', '2'), values, [0, 1, 4, 5]],
  ['greater', compare('greater', '2+1'), values, [7]],
  ['at least', compare('at-least', '$A$3'), values, [2, 7]],
  ['between', compare('between', '3', '2'), values, [1, 2]],
  ['outside', compare('outside', '1', '3'), values, [4, 7]],
  ['a formula of the cell', { kind: 'formula', formula: 'A1>A2' }, [1, 3, 2, 5], [1, 3]],
  ['a formula with a function', { kind: 'formula', formula: 'MOD(ROW(),2)=0' }, [1, 1, 1, 1], [1, 3]],
  ['the two largest', { kind: 'rank', rank: 2, percent: false, smallest: false }, [1, 5, 5, 2, 4], [1, 2]],
  ['the smallest fifth', { kind: 'rank', rank: 20, percent: true, smallest: true }, [3, 5, 1, 2, 4], [2]],
  ['above the mean', { kind: 'average', below: false, orEqual: false, deviations: 0 }, [1, 2, 3], [2]],
  ['below or at it', { kind: 'average', below: true, orEqual: true, deviations: 0 }, [1, 2, 3], [0, 1]],
  [
    'a deviation above',
    { kind: 'average', below: false, orEqual: false, deviations: 1 },
    [1, 2, 2, 2, 9],
    [4],
  ],
  ['duplicates', { kind: 'duplicate' }, ['a', 'A', 1, 2, 1, undefined, undefined], [0, 1, 2, 4]],
  ['unique values', { kind: 'unique' }, ['a', 'A', 1, 2, 1], [3]],
  ['containing', { kind: 'text', match: 'contains', text: 'AN' }, ['Banana', 'x', 2], [0]],
  ['not containing', { kind: 'text', match: 'lacks', text: 'an' }, ['Banana', 'x', 2], [1, 2]],
  ['beginning', { kind: 'text', match: 'begins', text: 'b' }, ['Banana', 'ab'], [0]],
  ['ending', { kind: 'text', match: 'ends', text: 'b' }, ['Banana', 'ab'], [1]],
  ['blank', { kind: 'blank' }, ['a', ' ', undefined, 3], [1, 2]],
  ['filled', { kind: 'filled' }, ['a', ' ', undefined, 3], [0, 3]],
  ['errors', { kind: 'error' }, values, [6]],
  ['today', { kind: 'period', period: 'today' }, [day - 1, day + 0.5, day + 1], [1]],
  ['this week', { kind: 'period', period: 'this-week' }, [day - 5, day - 4, day + 2, day + 3], [1, 2]],
  ['last month', { kind: 'period', period: 'last-month' }, [day - 26, day - 56, day - 57], [0, 1]],
  ['next year', { kind: 'period', period: 'next-year' }, [day + 35, day + 36, day + 401], [1]],
])('fills cells by condition: %s', (_, when, list, rows) => {
  expect(rowsWith([style(when)], list, now)).toEqual(rows.map((row) => `${row}:ff0000`))
})

describe('rules', () => {
  it('yield to those before them, property by property', () => {
    const bold: ConditionalRule = {
      areas: [column],
      effect: {
        kind: 'style',
        when: { kind: 'filled' },
        style: { fill: '00FF00', font: { size: 20 } },
        stops: false,
      },
    }
    const pages = lay(workbookOf({ cells: [[0, 0, 1]], conditions: [style({ kind: 'filled' }), bold] }))
    expect(fillsOf(pages)).toEqual(['0:ff0000'])
    const sizes: number[] = []
    const visit = ({ items }: Frame): void => {
      for (const { item } of items) {
        if (item.kind === 'glyphs') sizes.push(item.run.size)
        if (item.kind === 'group') visit(item.frame)
      }
    }
    for (const { frame } of pages) visit(frame)
    expect(sizes).toEqual([20])
  })

  it('end those behind them where they say so', () => {
    const stopping = {
      ...style({ kind: 'filled' }),
      effect: { kind: 'style', when: { kind: 'filled' }, style: {}, stops: true },
    } as const
    expect(rowsWith([stopping, style({ kind: 'filled' })], [1])).toEqual([])
  })

  it('reach cells that the sheet does not list, within what is printed', () => {
    expect(rowsWith([style({ kind: 'blank' })], [1, undefined, 3]).sort()).toEqual(['1:ff0000'])
    const gaps = workbookOf({
      cells: [
        [0, 0, 1],
        [3, 0, 1],
      ],
      conditions: [style({ kind: 'blank' })],
    })
    expect(fillsOf(lay(gaps)).sort()).toEqual(['1:ff0000', '2:ff0000'])
  })

  it('whose formula is not worked out are reported', () => {
    expect(rowsWith([style({ kind: 'formula', formula: 'SECRET(A1)' })], [1])).toEqual([
      'layout.conditional-format',
    ])
    expect(rowsWith([style({ kind: 'formula', formula: '1/0' })], [1])).toEqual([])
  })

  it('are bounded: thousands over whole columns end with a report', () => {
    const whole = { top: 0, left: 0, bottom: 1_048_575, right: 16_383 }
    const rules = Array.from({ length: 20_000 }, (_, at) => ({
      ...style(compare('equal', `${at}`)),
      areas: [whole],
    }))
    const warnings: string[] = []
    const cells = Array.from({ length: 1_000 }, (_, row) => [row, 0, -1] as const)
    lay(workbookOf({ cells, conditions: rules, page: { height: 1_000 } }), {
      warn: ({ code }) => void warnings.push(code),
    })
    expect([...new Set(warnings)]).toEqual(['layout.conditional-format'])
  })
})

const scale = (...points: [ScalePoint, string][]): ConditionalRule => ({
  areas: [column],
  effect: { kind: 'scale', points: points.map(([at, color]) => ({ at, color })) },
})
it('colour scales mix the colours of their points', () => {
  const two = scale([{ kind: 'min' }, '000000'], [{ kind: 'max' }, 'C80064'])
  expect(rowsWith([two], [0, 10, 5, 'text'])).toEqual(['0:000000', '1:c80064', '2:640032'])
  const three = scale(
    [{ kind: 'percent', share: 10 }, '000000'],
    [{ kind: 'percentile', share: 50 }, '0000FF'],
    [{ kind: 'formula', formula: '2*4' }, 'FFFFFF'],
  )
  expect(rowsWith([three], [0, 1, 4, 6, 10])).toEqual([
    '0:000000',
    '1:000000',
    '2:0000ff',
    '3:7f7fff',
    '4:ffffff',
  ])
})

describe('data bars', () => {
  const bar: DataBar = {
    kind: 'bar',
    from: { kind: 'auto' },
    to: { kind: 'auto' },
    color: '0000FF',
    negativeColor: 'FF0000',
    axisColor: '000000',
    gradient: false,
    axis: 'automatic',
    minLength: 0,
    maxLength: 100,
    showsValue: true,
  }
  /** Left edges, widths and colours of the bars in cells of 50 points. */
  function barsOf(change: Partial<DataBar>, list: readonly number[]): [number, number, number][] {
    const cells = list.map((value, row) => [row, 0, value] as const)
    const pages = lay(workbookOf({ cells, conditions: [{ areas: [column], effect: { ...bar, ...change } }] }))
    const found: [number, number, number][] = []
    const visit = ({ items }: Frame, dx: number): void => {
      for (const { x, item } of items) {
        if (item.kind === 'group') visit(item.frame, dx + x)
        if (item.kind === 'shape' && item.path.fill !== undefined) found.push(boxOf(item, dx + x - 10))
      }
    }
    const boxOf = ({ path }: ShapeItem, x: number): [number, number, number] => {
      const [command] = path.commands
      const colour = path.fill?.kind === 'solid' ? path.fill.colour : -1
      return [Math.round(x), command?.[0] === 'R' ? Math.round(command[3]) : 0, colour]
    }
    for (const { frame } of pages) visit(frame, 0)
    return found
  }
  it('grow from 0, to the left for negative values', () => {
    expect(barsOf({}, [10, 5, 0])).toEqual([
      [0, 50, 0x0000ff],
      [0, 25, 0x0000ff],
    ])
    expect(barsOf({}, [10, -10, -5])).toEqual([
      [25, 25, 0x0000ff],
      [0, 25, 0xff0000],
      [13, 13, 0xff0000],
    ])
  })
  it('without an axis are between the shortest and the longest length', () => {
    const change = {
      axis: 'none',
      minLength: 10,
      maxLength: 90,
      from: { kind: 'min' },
      to: { kind: 'max' },
    } as const
    expect(barsOf(change, [1, 2, 3]).map(([, width]) => width)).toEqual([5, 25, 45])
  })
  it('hide the value where they say so', () => {
    const rule = { areas: [column], effect: { ...bar, showsValue: false } } as const
    expect(
      wordsOf(
        lay(
          workbookOf({
            cells: [
              [0, 0, 7],
              [1, 0, 'text'],
            ],
            conditions: [rule],
          }),
        ),
      ),
    ).toEqual(['text'])
  })
})

it('icons show the last point that a value reaches', () => {
  const icons = [0, 1, 2].map((index) => ({
    from: { kind: 'formula', formula: `${index * 10}` } as const,
    inclusive: index < 2,
    icon: { set: '3TrafficLights1', index },
  }))
  const rule = { areas: [column], effect: { kind: 'icons', icons, showsValue: false } } as const
  const [red, yellow, green] = ['d64545', 'f0b429', '3d9b4f']
  expect(rowsWith([rule], [5, 10, 20, 20.1]).map((text) => text.slice(2))).toEqual([
    red,
    yellow,
    yellow,
    green,
  ])
})

it('a style changes what it sets', () => {
  const top = { line: 'solid', width: 1, color: '000000' } as const
  const changed = withStyle(plain, { font: { bold: true }, number: '0%', borders: { top } })
  expect(changed).toEqual({ ...plain, font: { ...plain.font, bold: true }, number: '0%', borders: { top } })
})
