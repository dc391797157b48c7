/** Tables that a page draws borders around: their cells are what the borders enclose. */

import type { FlowAlign, FlowBlock, FlowCell, FlowRow } from '../../../../shared/flow/flow.ts'
import { blocksOf, inTableOrder, isBold, type Look, unbold } from './blocks.ts'
import { leastOf, mostOf } from './extent.ts'
import { linesOf } from './lines.ts'
import type { Mark } from './marks.ts'
import type { Ruling } from './rulings.ts'
import { splitAt } from './split-marks.ts'

export interface BorderedTable {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly block: FlowBlock
  readonly marks: ReadonlySet<Mark> // what stands in it
}

/** Points: borders that are no farther apart are one, and one that ends so near to another meets it. */
const near = 2.5
const mostCells = 20_000
/** A grid with less text than this share of its cells is a diagram, or a form to fill in. */
const leastFilled = 0.2

interface Grid {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
  readonly across: readonly Ruling[]
  readonly down: readonly Ruling[]
}

interface Area {
  readonly column: number
  readonly row: number
  readonly columns: number
  readonly rows: number
}

export function borderedTables(
  marks: readonly Mark[],
  rulings: readonly Ruling[],
  look: Look,
): readonly BorderedTable[] {
  return gridsOf(rulings).flatMap((grid) => tableOf(grid, marks, look) ?? [])
}

/** Groups of rulings that meet, with at least two columns. */
function gridsOf(rulings: readonly Ruling[]): readonly Grid[] {
  const across = joined(rulings.filter((one) => one.across))
  const down = joined(rulings.filter((one) => !one.across))
  const groups = groupsOf(across, down)
  return groups.flatMap((group): Grid[] => {
    const horizontal = group.filter((one) => one.across)
    const vertical = group.filter((one) => !one.across)
    const ys = distinct(horizontal.map((one) => one.at))
    const left = leastOf(horizontal.map((one) => one.from))
    const right = mostOf(horizontal.map((one) => one.to))
    // Many tables have no borders at their sides.
    const xs = distinct([...vertical.map((one) => one.at), left, right])
    const cells = (xs.length - 1) * (ys.length - 1)
    if (vertical.length === 0 || xs.length < 3 || cells > mostCells) return []
    return [{ xs, ys, across: horizontal, down: vertical }]
  })
}

/** Rulings in one line that touch are one. */
function joined(rulings: readonly Ruling[]): readonly Ruling[] {
  const out: { across: boolean; at: number; from: number; to: number }[] = []
  const sorted = rulings.toSorted((a, b) => a.at - b.at || a.from - b.from)
  for (const one of sorted) {
    let same: (typeof out)[number] | undefined
    for (let at = out.length - 1; at >= 0 && one.at - (out[at] as Ruling).at <= near / 2; at--) {
      const other = out[at] as (typeof out)[number]
      if (one.from > other.to + near || one.to < other.from - near) continue
      same = other
      break
    }
    if (same === undefined) out.push({ ...one })
    else Object.assign(same, { from: Math.min(same.from, one.from), to: Math.max(same.to, one.to) })
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
        vertical.at > horizontal.from - near &&
        vertical.at < horizontal.to + near &&
        horizontal.at > vertical.from - near &&
        horizontal.at < vertical.to + near
      )
        leaders[leader(across.length + v)] = leader(h)
  const groups = new Map<number, Ruling[]>()
  for (const [at, one] of all.entries()) {
    const top = leader(at)
    groups.set(top, [...(groups.get(top) ?? []), one])
  }
  return [...groups.values()]
}

function distinct(values: readonly number[]): readonly number[] {
  const out: number[] = []
  for (const value of values.toSorted((a, b) => a - b))
    if (out.length === 0 || value - (out.at(-1) as number) > near) out.push(value)
  return out
}

function tableOf(grid: Grid, all: readonly Mark[], look: Look): BorderedTable | undefined {
  const { xs, ys } = grid
  const [left, right, top, bottom] = [xs[0], xs.at(-1), ys[0], ys.at(-1)] as [number, number, number, number]
  const inside = all.filter((mark) => {
    const middle = mark.y + mark.height / 2
    return (
      middle > top && middle < bottom && mark.x + mark.width / 2 > left && mark.x + mark.width / 2 < right
    )
  })
  const { areas, areaAt } = areasOf(grid)
  const walls = xs.slice(1, -1).map((x) => ({ x, wall: rulingsAt(grid.down, x) }))
  const marks = inside.flatMap((mark) =>
    splitAt(
      mark,
      walls.filter(({ wall }) => parts(wall, mark)).map(({ x }) => x),
    ),
  )
  const used = areas.map((area) => ({ area, marks: [] as Mark[] }))
  for (const mark of marks) {
    const column = placeIn(xs, mark.x + mark.width / 2)
    const row = placeIn(ys, mark.y + mark.height / 2)
    if (column === undefined || row === undefined) continue
    used[areaAt[row * (xs.length - 1) + column] as number]?.marks.push(mark)
  }
  const filled = used.filter((one) => one.marks.length > 0).length
  if (areas.length < 2 || filled < Math.max(2, areas.length * leastFilled)) return undefined
  const head = used.filter(({ area }) => area.row === 0 && area.rows === 1)
  const header =
    ys.length > 2 &&
    head.some((one) => one.marks.length > 0) &&
    head.every((one) => linesOf(one.marks).every(isBold))
  const rows = ys.slice(1).map((_, row): FlowRow => {
    const cells = used
      .filter(({ area }) => area.row === row)
      .toSorted((a, b) => a.area.column - b.area.column)
    return { cells: cells.map((one) => cellOf(grid, one, { look, plain: header && row === 0 })) }
  })
  const widths = xs.slice(1).map((x, at) => x - (xs[at] as number))
  return {
    x: left,
    y: top,
    width: right - left,
    height: bottom - top,
    block: inTableOrder({ kind: 'table', rows, headerRows: header ? 1 : 0, widths }),
    marks: new Set(inside),
  }
}

/** The cells: places of the grid that no border parts belong together. */
function areasOf({ xs, ys, across, down }: Grid): {
  readonly areas: readonly Area[]
  /** The number of the area of each place, row by row. */
  readonly areaAt: readonly number[]
} {
  const areas: Area[] = []
  const [width, height] = [xs.length - 1, ys.length - 1]
  const areaAt: number[] = []
  const upright = xs.map((x) => rulingsAt(down, x))
  const level = ys.map((y) => rulingsAt(across, y))
  const middle = (values: readonly number[], at: number) =>
    ((values[at] as number) + (values[at + 1] as number)) / 2
  const walled = (rulings: readonly Ruling[] | undefined, along: number) =>
    rulings?.some((one) => one.from - near < along && one.to + near > along) === true
  const rightWall = (column: number, row: number) => walled(upright[column + 1], middle(ys, row))
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
          (one) => !lowerWall(one, next - 1) && areaAt[next * width + one] === undefined,
        )
      while (row + rows < height && below(row + rows)) rows++
      for (let y = row; y < row + rows; y++)
        for (let x = column; x < column + columns; x++) areaAt[y * width + x] = areas.length
      areas.push({ column, row, columns, rows })
    }
  return { areas, areaAt }
}

const rulingsAt = (rulings: readonly Ruling[], at: number): readonly Ruling[] =>
  rulings.filter((one) => Math.abs(one.at - at) <= near)

/** Whether a border goes through the line of a mark. */
function parts(wall: readonly Ruling[], mark: Mark): boolean {
  const middle = mark.y + mark.height / 2
  return wall.some((one) => one.from < middle && one.to > middle)
}

/** Between which two of these, ascending, a value lies. */
function placeIn(values: readonly number[], value: number): number | undefined {
  const next = values.findIndex((one) => one > value)
  return next > 0 ? next - 1 : undefined
}

function boxOf({ xs, ys }: Grid, { column, row, columns, rows }: Area) {
  return {
    left: xs[column] as number,
    right: xs[column + columns] as number,
    top: ys[row] as number,
    bottom: ys[row + rows] as number,
  }
}

function cellOf(
  grid: Grid,
  { area, marks }: { readonly area: Area; readonly marks: readonly Mark[] },
  { look, plain }: { readonly look: Look; readonly plain: boolean },
): FlowCell {
  const lines = linesOf(marks)
  const box = boxOf(grid, area)
  const ends = {
    left: leastOf(marks.map((mark) => mark.x)),
    right: mostOf(lines.map((one) => one.right)),
  }
  const align = alignOf(ends, box, look.size)
  const blocks = blocksOf(lines, { ...look, headings: [], cell: true }, ends).map((block): FlowBlock => {
    if (block.kind !== 'paragraph') return block
    const { align: _, indent: __, ...rest } = block
    const inlines = plain ? block.inlines.map(unbold) : block.inlines
    return { ...rest, inlines, ...(align !== undefined && block.direction === undefined && { align }) }
  })
  return { blocks, columns: area.columns, rows: area.rows }
}

/** Text of a cell stands in its middle, or nearer to its right side. */
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
