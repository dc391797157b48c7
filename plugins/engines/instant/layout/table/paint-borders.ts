import type { Border } from '../../../../../shared/document/properties.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import { lineWidth } from '../../style/border-width.ts'
import type { Placed, Pt } from '../frame.ts'
import { borderLine } from './border-line.ts'
import type { PlacedRow } from './distribute-rows.ts'
import type { PreparedTable } from './types.ts'

/** Draws the borders of the rows of one region. Equal neighbours are drawn as one line. */
export function paintBorders(table: PreparedTable, rows: readonly PlacedRow[]): Placed[] {
  const items: Placed[] = []
  rows.forEach((row, index) => {
    const below = rows[index + 1]
    horizontalLine(
      table,
      row.row,
      row.y,
      index > 0 && rows[index - 1]!.row + 1 !== row.row ? rows[index - 1]!.row + 1 : undefined,
      items,
    )
    if (below === undefined) horizontalLine(table, row.row + 1, row.y + row.height, undefined, items)
  })
  verticalLines(table, rows, items)
  return items
}

/**
 * Draws the line above a row. Where rows follow that are not neighbours in the table, such as a repeated
 * header, the bottom border `also` of the row above competes.
 */
function horizontalLine(
  table: PreparedTable,
  row: number,
  y: Pt,
  also: number | undefined,
  items: Placed[],
): void {
  const edges = table.borders.horizontal[row] ?? []
  const otherEdges = also === undefined ? undefined : table.borders.horizontal[also]
  let column = 0
  while (column < edges.length) {
    const border = edges[column] ?? otherEdges?.[column]
    let end = column + 1
    while (end < edges.length && same(edges[end] ?? otherEdges?.[end], border)) end++
    if (border !== undefined && border.style !== 'none') {
      const from = xOf(table, column)
      const to = xOf(table, end)
      const left = Math.min(from, to) - half(cornerAt(table, row, column))
      const right = Math.max(from, to) + half(cornerAt(table, row, end))
      pushAll(
        items,
        borderLine(
          border,
          left,
          y + lineWidth(border) / 2,
          right - left,
          0,
          row === table.rows.length ? 'behind' : 'before',
        ),
      )
    }
    column = end
  }
}

/** The vertical border that meets a horizontal one at its end, whose width fills the corner. */
function cornerAt(table: PreparedTable, row: number, column: number): Border | undefined {
  const { vertical } = table.borders
  return vertical[row]?.[column] ?? vertical[row - 1]?.[column]
}

const half = (border: Border | undefined): Pt => (border === undefined ? 0 : lineWidth(border) / 2)

/** Draws the vertical borders, each as long as it stays the same. */
function verticalLines(table: PreparedTable, rows: readonly PlacedRow[], items: Placed[]): void {
  for (let column = 0; column < table.columns.length; column++) {
    let index = 0
    while (index < rows.length) {
      const row = rows[index]
      if (row === undefined) break
      const border = table.borders.vertical[row.row]?.[column]
      let end = index + 1
      let height = row.height
      while (end < rows.length && same(table.borders.vertical[rows[end]!.row]?.[column], border)) {
        height += rows[end]!.height
        end++
      }
      if (border !== undefined && border.style !== 'none') {
        const outside = (column === table.columns.length - 1) !== table.rightToLeft ? 'behind' : 'before'
        pushAll(items, borderLine(border, xOf(table, column), row.y, 0, height, outside))
      }
      index = end
    }
  }
}

/** The x of a grid line, mirrored in right-to-left tables. */
function xOf(table: PreparedTable, column: number): Pt {
  const x = table.columns[column] ?? table.width
  return table.left + (table.rightToLeft ? table.width - x : x)
}

function same(a: Border | undefined, b: Border | undefined): boolean {
  if (a === b) return true
  return a?.style === b?.style && a?.width === b?.width && a?.color === b?.color && a?.gap === b?.gap
}
