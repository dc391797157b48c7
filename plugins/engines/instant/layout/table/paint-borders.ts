import type { Border } from '../../../../../shared/document/properties.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import { lineWidth } from '../../style/border-width.ts'
import type { Placed, Pt } from '../frame.ts'
import { borderLine } from './border-line.ts'
import type { PlacedRow } from './distribute-rows.ts'
import type { PreparedCell, PreparedTable } from './types.ts'

/** Cells that a region shows in part. */
interface CutCells {
  /** Those that began in an earlier region. */
  readonly above: Iterable<PreparedCell>
  /** Those that go on in the next one. */
  readonly below: Iterable<PreparedCell>
}

/**
 * Draws the borders of the rows of one region. Equal neighbours are drawn as one line. A merged cell that is cut has the
 * border of its end at the cut.
 */
export function paintBorders(table: PreparedTable, rows: readonly PlacedRow[], cut: CutCells): Placed[] {
  const items: Placed[] = []
  const { horizontal } = table.borders
  const firstBelowHeaders = rows.findIndex(({ row }, index) => index > 0 && rows[index - 1]!.row + 1 !== row)
  rows.forEach((row, index) => {
    const below = rows[index + 1]
    const above = rows[index - 1]
    const otherEdges =
      index === Math.max(0, firstBelowHeaders)
        ? edgesOfCut(table, row.row, cut.above, ({ row }) => row, horizontal[(above?.row ?? -2) + 1])
        : undefined
    horizontalLine(table, row.row, row.y, otherEdges, items)
    if (below !== undefined) return
    const edges = edgesOfCut(table, row.row + 1, cut.below, ({ row, rows }) => row + rows, undefined)
    horizontalLine(table, row.row + 1, row.y + row.height, edges, items)
  })
  verticalLines(table, rows, items)
  return items
}

type BorderEdges = readonly (Border | undefined)[]

/**
 * The borders that are drawn at the line above `row` where it has none: those of the cells that are cut there, at the line
 * that `lineOf` names, before `others`.
 */
function edgesOfCut(
  { borders }: PreparedTable,
  row: number,
  cells: Iterable<PreparedCell>,
  lineOf: (cell: PreparedCell) => number,
  others: BorderEdges | undefined,
): BorderEdges | undefined {
  let edges: (Border | undefined)[] | undefined
  for (const cell of cells) {
    if (cell.row >= row || cell.row + cell.rows <= row) continue
    edges ??= [...(others ?? [])]
    const line = borders.horizontal[lineOf(cell)] ?? []
    for (let column = cell.column; column < cell.column + cell.span; column++)
      edges[column] = line[column] ?? edges[column]
  }
  return edges ?? others
}

/**
 * Draws the line above a row. Where it has no border, one of `otherEdges` is drawn: those below a row that is no neighbour
 * in the table, such as a repeated header, or those of cells that are cut there.
 */
function horizontalLine(
  table: PreparedTable,
  row: number,
  y: Pt,
  otherEdges: BorderEdges | undefined,
  items: Placed[],
): void {
  const edges = table.borders.horizontal[row] ?? []
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
