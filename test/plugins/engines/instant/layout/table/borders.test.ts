import { describe, expect, test } from 'vitest'
import {
  type BorderedCell,
  resolveBorders,
  winningBorder,
} from '../../../../../../plugins/engines/instant/layout/table/borders.ts'
import type { Border, BorderStyle } from '../../../../../../shared/document/properties.ts'
import type { TableBorders } from '../../../../../../shared/document/table-properties.ts'

const line = (width: number, style: BorderStyle = 'single', color = '000000'): Border => ({
  style,
  width,
  color,
  space: 0,
})
const none = line(0, 'none')
const at = (row: number, column: number, own: TableBorders = {}): BorderedCell => ({
  row,
  column,
  rows: 1,
  span: 1,
  direct: own,
  conditions: [],
})

describe('which of two borders is drawn', () => {
  const table: readonly (readonly [string, Border, Border, Border])[] = [
    ['the wider', line(1), line(2), line(2)],
    ['the one that is there', none, line(0.5), line(0.5)],
    ['the heavier style of two as wide', line(1), line(1, 'dashed'), line(1, 'dashed')],
    [
      'the darker of two alike',
      line(1, 'single', 'FFFFFF'),
      line(1, 'single', '202020'),
      line(1, 'single', '202020'),
    ],
  ]
  for (const [name, a, b, expected] of table) {
    test(name, () => {
      expect(winningBorder(a, b)).toEqual(expected)
      expect(winningBorder(b, a)).toEqual(expected)
    })
  }
})

describe('edges of a grid of two by two', () => {
  const cells = (own: TableBorders = {}): BorderedCell[] => [at(0, 0, own), at(0, 1), at(1, 0), at(1, 1)]
  test('the table gives outline and inside apart', () => {
    const outline = line(2)
    const inside = line(0.5)
    const { horizontal: level, vertical: upright } = resolveBorders(cells(), 2, 2, {
      borders: {
        top: outline,
        bottom: outline,
        left: outline,
        right: outline,
        insideHorizontal: inside,
        insideVertical: inside,
      },
    })
    expect(level.map((row) => row.map((border) => border?.width))).toEqual([
      [2, 2],
      [0.5, 0.5],
      [2, 2],
    ])
    expect(upright.map((row) => row.map((border) => border?.width))).toEqual([
      [2, 0.5, 2],
      [2, 0.5, 2],
    ])
  })
  test('a cell wins over the table, its neighbour over nothing', () => {
    const { horizontal: level, vertical: upright } = resolveBorders(
      cells({ bottom: line(3), right: none }),
      2,
      2,
      {
        borders: { insideHorizontal: line(1), insideVertical: line(1) },
      },
    )
    expect(level[1]!.map((border) => border?.width)).toEqual([3, 1])
    expect(upright[0]![1]!.width).toBe(1)
  })
  test('a merged cell has no edges inside', () => {
    const merged: BorderedCell = { row: 0, column: 0, rows: 2, span: 2, direct: {}, conditions: [] }
    const { horizontal: level, vertical: upright } = resolveBorders([merged], 2, 2, {
      borders: { insideHorizontal: line(1), insideVertical: line(1), top: line(2) },
    })
    expect(level[1]).toEqual([undefined, undefined])
    expect(upright[0]![1]).toBeUndefined()
    expect(level[0]!.map((border) => border?.width)).toEqual([2, 2])
  })
  test('a condition speaks for the outline of its part', () => {
    const first: BorderedCell = {
      ...at(0, 0),
      conditions: [{ condition: 'first-row', borders: { bottom: line(2), left: line(4) } }],
    }
    const second: BorderedCell = {
      ...at(0, 1),
      conditions: [{ condition: 'first-row', borders: { bottom: line(2), left: line(4) } }],
    }
    const { horizontal: level, vertical: upright } = resolveBorders(
      [first, second, at(1, 0), at(1, 1)],
      2,
      2,
      {},
    )
    expect(level[1]!.map((border) => border?.width)).toEqual([2, 2])
    expect(upright[0]!.map((border) => border?.width)).toEqual([4, undefined, undefined])
  })
})
