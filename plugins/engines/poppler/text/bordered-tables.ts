/** Tables with borders on the page. Their cells are the areas that the borders enclose. */

import { maxOf, minOf } from '../../../../shared/extremes.ts'
import type { FlowAlign, FlowBlock, FlowCell, FlowRow } from '../../../../shared/flow/flow.ts'
import { blocksOf, inTableOrder, isBold, type Typography, unbold } from './blocks.ts'
import { linesOf } from './lines.ts'
import type { Ruling } from './rulings.ts'
import { splitAt } from './split-positions.ts'
import type { TextPosition } from './text-positions.ts'

export interface BorderedTable {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly block: FlowBlock
  readonly positions: ReadonlySet<TextPosition> // the text inside
}

/**
 * Points. Borders that are closer than this are one, and a border that ends this close to another one meets
 * it.
 */
const tolerance = 2.5
const maxCells = 20_000
/** A grid with text in a smaller fraction of its cells is a diagram or an empty form. */
const minFilled = 0.2

interface RulingGrid {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
  readonly across: readonly Ruling[]
  readonly down: readonly Ruling[]
}

interface RuledCell {
  readonly column: number
  readonly row: number
  readonly columns: number
  readonly rows: number
}

export function borderedTables(
  positions: readonly TextPosition[],
  rulings: readonly Ruling[],
  typography: Typography,
): readonly BorderedTable[] {
  return gridsOf(rulings).flatMap((grid) => tableOf(grid, positions, typography) ?? [])
}

/** Groups of rulings that meet, with at least two columns. */
function gridsOf(rulings: readonly Ruling[]): readonly RulingGrid[] {
  const across = joined(rulings.filter((ruling) => ruling.across))
  const down = joined(rulings.filter((ruling) => !ruling.across))
  const groups = groupsOf(across, down)
  return groups.flatMap((group): RulingGrid[] => {
    const horizontal = group.filter((ruling) => ruling.across)
    const vertical = group.filter((ruling) => !ruling.across)
    const ys = distinct(horizontal.map((ruling) => ruling.at))
    const left = minOf(horizontal.map((ruling) => ruling.from))
    const right = maxOf(horizontal.map((ruling) => ruling.to))
    // Many tables have no borders on their sides.
    const xs = distinct([...vertical.map((ruling) => ruling.at), left, right])
    const cells = (xs.length - 1) * (ys.length - 1)
    if (vertical.length === 0 || xs.length < 3 || cells > maxCells) return []
    return [{ xs, ys, across: horizontal, down: vertical }]
  })
}

/** Joins touching rulings on one line. */
function joined(rulings: readonly Ruling[]): readonly Ruling[] {
  const out: { across: boolean; at: number; from: number; to: number }[] = []
  const sorted = rulings.toSorted((a, b) => a.at - b.at || a.from - b.from)
  for (const ruling of sorted) {
    let same: (typeof out)[number] | undefined
    for (let at = out.length - 1; at >= 0 && ruling.at - (out[at] as Ruling).at <= tolerance / 2; at--) {
      const other = out[at] as (typeof out)[number]
      if (ruling.from > other.to + tolerance || ruling.to < other.from - tolerance) continue
      same = other
      break
    }
    if (same === undefined) out.push({ ...ruling })
    else Object.assign(same, { from: Math.min(same.from, ruling.from), to: Math.max(same.to, ruling.to) })
  }
  return out
}

function groupsOf(across: readonly Ruling[], down: readonly Ruling[]): readonly (readonly Ruling[])[] {
  const all = [...across, ...down]
  const leaders = all.map((_, at) => at)
  const leader = (at: number): number => {
    let top = at
    while (leaders[top] !== top) top = leaders[top] as number
    leaders[at] = top
    return top
  }
  for (const [h, horizontal] of across.entries())
    for (const [v, vertical] of down.entries())
      if (
        vertical.at > horizontal.from - tolerance &&
        vertical.at < horizontal.to + tolerance &&
        horizontal.at > vertical.from - tolerance &&
        horizontal.at < vertical.to + tolerance
      )
        leaders[leader(across.length + v)] = leader(h)
  const groups = new Map<number, Ruling[]>()
  for (const [at, ruling] of all.entries()) {
    const top = leader(at)
    groups.set(top, [...(groups.get(top) ?? []), ruling])
  }
  return [...groups.values()]
}

function distinct(values: readonly number[]): readonly number[] {
  const out: number[] = []
  for (const value of values.toSorted((a, b) => a - b))
    if (out.length === 0 || value - (out.at(-1) as number) > tolerance) out.push(value)
  return out
}

function tableOf(
  grid: RulingGrid,
  all: readonly TextPosition[],
  typography: Typography,
): BorderedTable | undefined {
  const { xs, ys } = grid
  const [left, right, top, bottom] = [xs[0], xs.at(-1), ys[0], ys.at(-1)] as [number, number, number, number]
  const inside = all.filter((position) => {
    const middle = position.y + position.height / 2
    return (
      middle > top &&
      middle < bottom &&
      position.x + position.width / 2 > left &&
      position.x + position.width / 2 < right
    )
  })
  const { areas, areaAt } = areasOf(grid)
  const walls = xs.slice(1, -1).map((x) => ({ x, wall: rulingsAt(grid.down, x) }))
  const positions = inside.flatMap((position) =>
    splitAt(
      position,
      walls.filter(({ wall }) => parts(wall, position)).map(({ x }) => x),
    ),
  )
  const used = areas.map((area) => ({ area, positions: [] as TextPosition[] }))
  for (const position of positions) {
    const column = intervalIndex(xs, position.x + position.width / 2)
    const row = intervalIndex(ys, position.y + position.height / 2)
    if (column === undefined || row === undefined) continue
    used[areaAt[row * (xs.length - 1) + column] as number]?.positions.push(position)
  }
  const filled = used.filter((cell) => cell.positions.length > 0).length
  if (areas.length < 2 || filled < Math.max(2, areas.length * minFilled)) return undefined
  const head = used.filter(({ area }) => area.row === 0 && area.rows === 1)
  const header =
    ys.length > 2 &&
    head.some((cell) => cell.positions.length > 0) &&
    head.every((cell) => linesOf(cell.positions).every(isBold))
  const rows = ys.slice(1).map((_, row): FlowRow => {
    const cells = used
      .filter(({ area }) => area.row === row)
      .toSorted((a, b) => a.area.column - b.area.column)
    return { cells: cells.map((cell) => cellOf(grid, cell, { typography, unstyled: header && row === 0 })) }
  })
  const widths = xs.slice(1).map((x, at) => x - (xs[at] as number))
  return {
    x: left,
    y: top,
    width: right - left,
    height: bottom - top,
    block: inTableOrder({ kind: 'table', rows, headerRows: header ? 1 : 0, widths }),
    positions: new Set(inside),
  }
}

/** The cells: positions of the grid without a border between them are one cell. */
function areasOf({ xs, ys, across, down }: RulingGrid): {
  readonly areas: readonly RuledCell[]
  /** The number of the area of each position, row by row. */
  readonly areaAt: readonly number[]
} {
  const areas: RuledCell[] = []
  const [width, height] = [xs.length - 1, ys.length - 1]
  const areaAt: number[] = []
  const vertical = xs.map((x) => rulingsAt(down, x))
  const level = ys.map((y) => rulingsAt(across, y))
  const middle = (values: readonly number[], at: number) =>
    ((values[at] as number) + (values[at + 1] as number)) / 2
  const walled = (rulings: readonly Ruling[] | undefined, along: number) =>
    rulings?.some((ruling) => ruling.from - tolerance < along && ruling.to + tolerance > along) === true
  const rightWall = (column: number, row: number) => walled(vertical[column + 1], middle(ys, row))
  const lowerWall = (column: number, row: number) => walled(level[row + 1], middle(xs, column))
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      if (areaAt[row * width + column] !== undefined) continue
      let columns = 1
      while (
        column + columns < width &&
        areaAt[row * width + column + columns] === undefined &&
        !rightWall(column + columns - 1, row)
      )
        columns++
      let rows = 1
      const below = (next: number) =>
        Array.from({ length: columns }, (_, at) => column + at).every(
          (column) => !lowerWall(column, next - 1) && areaAt[next * width + column] === undefined,
        )
      while (row + rows < height && below(row + rows)) rows++
      for (let y = row; y < row + rows; y++)
        for (let x = column; x < column + columns; x++) areaAt[y * width + x] = areas.length
      areas.push({ column, row, columns, rows })
    }
  return { areas, areaAt }
}

const rulingsAt = (rulings: readonly Ruling[], at: number): readonly Ruling[] =>
  rulings.filter((ruling) => Math.abs(ruling.at - at) <= tolerance)

/** Whether a border crosses the line of a text. */
function parts(wall: readonly Ruling[], position: TextPosition): boolean {
  const middle = position.y + position.height / 2
  return wall.some((ruling) => ruling.from < middle && ruling.to > middle)
}

/** The index of the interval between ascending values that contains a value. */
function intervalIndex(values: readonly number[], value: number): number | undefined {
  const next = values.findIndex((candidate) => candidate > value)
  return next > 0 ? next - 1 : undefined
}

function boxOf({ xs, ys }: RulingGrid, { column, row, columns, rows }: RuledCell) {
  return {
    left: xs[column] as number,
    right: xs[column + columns] as number,
    top: ys[row] as number,
    bottom: ys[row + rows] as number,
  }
}

function cellOf(
  grid: RulingGrid,
  { area, positions }: { readonly area: RuledCell; readonly positions: readonly TextPosition[] },
  { typography, unstyled }: { readonly typography: Typography; readonly unstyled: boolean },
): FlowCell {
  const lines = linesOf(positions)
  const box = boxOf(grid, area)
  const ends = {
    left: minOf(positions.map((position) => position.x)),
    right: maxOf(lines.map((line) => line.right)),
  }
  const align = alignOf(ends, box, typography.size)
  const blocks = blocksOf(lines, { ...typography, headings: [], cell: true }, ends).map(
    (block): FlowBlock => {
      if (block.kind !== 'paragraph') return block
      const { align: _, indent: __, ...rest } = block
      const inlines = unstyled ? block.inlines.map(unbold) : block.inlines
      return { ...rest, inlines, ...(align !== undefined && block.direction === undefined && { align }) }
    },
  )
  return { blocks, columns: area.columns, rows: area.rows }
}

/** The text of a cell is centred, or aligned to the right. */
function alignOf(
  { left, right }: { readonly left: number; readonly right: number },
  box: { readonly left: number; readonly right: number },
  size: number,
): FlowAlign | undefined {
  const [before, after] = [left - box.left, box.right - right]
  if (before < size) return undefined
  if (Math.abs(before - after) < size * 0.6) return 'center'
  return after < size && before > after * 2 ? 'right' : undefined
}
