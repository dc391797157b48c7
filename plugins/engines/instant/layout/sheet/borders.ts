import type { CellArea, CellBorder } from '../../../../../shared/document/sheet.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import { type Placed, type Pt, straightLine } from '../frame.ts'
import { dashOf } from '../inline/dash.ts'

/** The borders of a block of cells. Each edge between two cells is stored and drawn once. */
export interface BorderGrid {
  /**
   * Adds the border on one side of a cell. Of two adjacent borders the stronger one wins. `area` is the merged area that
   * contains the cell; edges inside it have no border.
   */
  add(
    row: number,
    column: number,
    side: 'left' | 'right' | 'top' | 'bottom',
    border: CellBorder,
    area: CellArea | undefined,
  ): void
  /** Draws the lines. `x` and `y` return the distance of a column or row from the origin, in points. */
  draw(x: (column: number) => Pt, y: (row: number) => Pt): Placed[]
}

export function createBorderGrid(): BorderGrid {
  const across = new Map<number, Map<number, CellBorder>>() // by row of the edge, then column
  const down = new Map<number, Map<number, CellBorder>>() // by column of the edge, then row
  const addEdge = (edges: typeof across, line: number, at: number, border: CellBorder): void => {
    let borders = edges.get(line)
    if (borders === undefined) edges.set(line, (borders = new Map()))
    const other = borders.get(at)
    if (other === undefined || strength(border) > strength(other)) borders.set(at, border)
  }
  return {
    add(row, column, side, border, area) {
      const isInside =
        area !== undefined &&
        ((side === 'left' && column > area.left) ||
          (side === 'right' && column < area.right) ||
          (side === 'top' && row > area.top) ||
          (side === 'bottom' && row < area.bottom))
      if (isInside) return
      if (side === 'top' || side === 'bottom') addEdge(across, side === 'top' ? row : row + 1, column, border)
      else addEdge(down, side === 'left' ? column : column + 1, row, border)
    },
    draw(x, y) {
      const items: Placed[] = []
      for (const [row, edges] of across)
        for (const [from, to, border] of joined(edges))
          pushAll(items, line(border, x(from), y(row), x(to) - x(from), 0))
      for (const [column, edges] of down)
        for (const [from, to, border] of joined(edges))
          pushAll(items, line(border, x(column), y(from), 0, y(to) - y(from)))
      return items
    },
  }
}

/** Wider borders win. Among borders of equal width, double lines win over solid ones, and solid over broken ones. */
const strength = ({ width, line }: CellBorder): number =>
  width * 10 + (line === 'double' ? 2 : line === 'solid' ? 1 : 0)

/** Joins adjacent edges with equal borders into ranges: first index, index after the last, border. */
function joined(edges: ReadonlyMap<number, CellBorder>): [number, number, CellBorder][] {
  const lines: [number, number, CellBorder][] = []
  for (const [at, border] of [...edges].sort(([a], [b]) => a - b)) {
    const last = lines.at(-1)
    const same =
      last !== undefined &&
      last[1] === at &&
      last[2].line === border.line &&
      last[2].width === border.width &&
      last[2].color === border.color
    if (same) last[1] = at + 1
    else lines.push([at, at + 1, border])
  }
  return lines
}

/** Draws one line, or two thin ones for a double border. */
export function line({ line: style, width, color }: CellBorder, x: Pt, y: Pt, dx: Pt, dy: Pt): Placed[] {
  const colour = Number.parseInt(color, 16) || 0
  if (style === 'double') {
    const thin = width / 3
    const length = Math.hypot(dx, dy) || 1
    const [ox, oy] = [(-dy / length) * thin, (dx / length) * thin]
    const stroke = { colour, width: thin }
    return [straightLine(x + ox, y + oy, dx, dy, stroke), straightLine(x - ox, y - oy, dx, dy, stroke)]
  }
  const dash = dashOf(style, width)
  const cap = dash === undefined ? ('square' as const) : ('butt' as const)
  return [straightLine(x, y, dx, dy, { colour, width, cap, ...(dash !== undefined && { dash }) })]
}
