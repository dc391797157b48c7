/** The widths of the columns of a table. Source: CSS Tables 3, 4 (fixed and automatic layout). */
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import type { Pt } from '../frame.ts'
import type { TableBox } from './box.ts'
import type { IntrinsicWidths, WebContext } from './context.ts'
import { bordersOf, borderWidths, contentSize, edgesWidth, paddingOf } from './dimensions.ts'
import type { Edges } from './fragment.ts'
import { collapsedBorders, type GridCell, gridOf } from './table-grid.ts'

/** The spacing of a table, in pt. */
export interface TableSpacing {
  readonly collapses: boolean
  readonly across: Pt
  readonly down: Pt
  /** The padding and borders of the table; with collapsed borders, the outer halves of the shared borders. */
  readonly edges: Edges
}

export function spacingOf(table: TableBox, width: Pt): TableSpacing {
  const { style } = table
  const collapses = style.word('border-collapse') === 'collapse'
  if (collapses) {
    const grid = gridOf(table)
    const borders = collapsedBorders(table, grid)
    const half = (cells: readonly (GridCell | undefined)[], side: keyof Edges): Pt =>
      cells.reduce((most, cell) => Math.max(most, (cell && borders.get(cell)?.[side]?.width) ?? 0), 0) / 2
    const [first, last] = style.word('direction') === 'rtl' ? [grid.columns - 1, 0] : [0, grid.columns - 1]
    const edges = {
      top: half(grid.at[0] ?? [], 'top'),
      bottom: half(grid.at.at(-1) ?? [], 'bottom'),
      left: half(grid.at.map((row) => row[first]).slice(0, 1), 'left'),
      right: half(grid.at.map((row) => row[last]).slice(0, 1), 'right'),
    }
    return { collapses, across: 0, down: 0, edges }
  }
  const [across = 0, down = across] = (style.get('border-spacing') ?? '0')
    .split(/\s+/)
    .map((part) => style.measure(part) ?? 0)
  const padding = paddingOf(style, width)
  const border = borderWidths(bordersOf(style))
  const edge = (side: keyof Edges) => padding[side] + border[side]
  return {
    collapses,
    across,
    down,
    edges: { top: edge('top'), right: edge('right'), bottom: edge('bottom'), left: edge('left') },
  }
}

/** The padding and borders of a cell. Of a collapsed border, half belongs to the cell. */
export function cellEdges(
  cell: GridCell,
  width: Pt,
  collapsed: ReturnType<typeof collapsedBorders> | undefined,
): Edges {
  const { style } = cell.cell.box
  const padding = paddingOf(style, width)
  const borders = collapsed?.get(cell)
  const border = collapsed === undefined ? borderWidths(bordersOf(style)) : borderWidths(borders ?? {})
  const borderFraction = collapsed === undefined ? 1 : 0.5
  const edge = (side: keyof Edges) => padding[side] + border[side] * borderFraction
  return { top: edge('top'), right: edge('right'), bottom: edge('bottom'), left: edge('left') }
}

interface ColumnWidths {
  minContent: Pt
  maxContent: Pt
  fixed: Pt | undefined
  percent: number | undefined
  /** What fixed layout adds to a percentage: the padding and borders of the cell that declares it. */
  percentEdges?: Pt
}

function columnsOf(context: WebContext, table: TableBox): readonly ColumnWidths[] {
  const grid = gridOf(table)
  const { collapses, across } = spacingOf(table, 0)
  const collapsed = collapses ? collapsedBorders(table, grid) : undefined
  const columns = Array.from({ length: grid.columns }, (_, index): ColumnWidths => {
    const style = table.columns[index]
    return { minContent: 0, maxContent: 0, ...declaredWidth(style, 0) }
  })
  const isFixed = fixedLayout(table.style)
  const spanning = grid.cells.toSorted((a, b) => a.columns - b.columns)
  for (const cell of spanning) {
    context.budget.check()
    if (isFixed && cell.row > 0) continue
    const edges = cellEdges(cell, 0, collapsed)
    const edgesOfCell = edgesWidth(edges)
    const borders = bordersOf(cell.cell.box.style)
    const uncollapsedEdges = edgesWidth(paddingOf(cell.cell.box.style, 0)) + edgesWidth(borderWidths(borders))
    const widths = context.intrinsicWidths(context, cell.cell.box)
    const isNarrow = cell.cell.box.style.word('white-space') === 'nowrap'
    const [minContent, maxContent] = [
      (isNarrow ? widths.maxContent : widths.minContent) - uncollapsedEdges + edgesOfCell,
      widths.maxContent - uncollapsedEdges + edgesOfCell,
    ]
    const declared = declaredWidth(cell.cell.box.style, edgesOfCell)
    addToColumns(
      columns.slice(cell.column, cell.column + cell.columns),
      { minContent, maxContent, ...declared },
      across,
    )
  }
  return columns
}

function declaredWidth(
  style: ComputedStyle | undefined,
  edges: Pt,
): Pick<ColumnWidths, 'fixed' | 'percent' | 'percentEdges'> {
  const text = style?.get('width')
  const percent = /^([\d.]+)%$/.exec(text?.trim() ?? '')?.[1]
  if (percent !== undefined) {
    const percentEdges = style?.word('box-sizing') === 'border-box' ? 0 : edges
    return { fixed: undefined, percent: Math.min(100, Number(percent)) / 100, percentEdges }
  }
  const width = style && contentSize(style, 'width', undefined, edges)
  return { fixed: width === undefined || width <= 0 ? undefined : width + edges, percent: undefined }
}

/** Distributes the width that a cell needs over the columns that it spans, in proportion to their current widths. */
function addToColumns(columns: readonly ColumnWidths[], needs: ColumnWidths, gap: Pt): void {
  const [first] = columns
  if (first === undefined) return
  const preferred = Math.max(needs.minContent, needs.fixed ?? needs.maxContent)
  if (columns.length === 1) {
    first.minContent = Math.max(first.minContent, needs.minContent)
    first.maxContent = Math.max(first.maxContent, preferred)
    if (needs.fixed !== undefined) first.fixed = Math.max(first.fixed ?? 0, needs.fixed, needs.minContent)
    if (needs.percent !== undefined && needs.percent >= (first.percent ?? 0)) {
      first.percent = needs.percent
      first.percentEdges = needs.percentEdges ?? 0
    }
    return
  }
  const gaps = gap * (columns.length - 1)
  const total = (of: 'minContent' | 'maxContent') => columns.reduce((sum, column) => sum + column[of], gaps)
  const grow = (of: 'minContent' | 'maxContent', need: Pt): void => {
    const more = need - total(of)
    if (more <= 0) return
    const flexible = columns.filter((column) => column.fixed === undefined)
    const growing = flexible.length > 0 ? flexible : columns
    const weight = growing.reduce((sum, column) => sum + column.maxContent, 0)
    for (const column of growing)
      column[of] += weight > 0 ? (more * column.maxContent) / weight : more / growing.length
  }
  grow('maxContent', preferred)
  grow('minContent', needs.minContent)
  for (const column of columns) column.maxContent = Math.max(column.maxContent, column.minContent)
  if (needs.percent !== undefined && columns.every((column) => column.percent === undefined))
    for (const column of columns) column.percent = needs.percent / columns.length
}

const fixedLayout = (style: ComputedStyle): boolean =>
  style.word('table-layout') === 'fixed' && (style.word('width') ?? 'auto') !== 'auto'

const outerWidth = ({ edges, across }: TableSpacing, columns: number): Pt =>
  edgesWidth(edges) + across * (columns + 1)

export function tableWidths(context: WebContext, table: TableBox): IntrinsicWidths {
  const columns = columnsOf(context, table)
  const outer = outerWidth(spacingOf(table, 0), columns.length)
  const minContent = columns.reduce((sum, column) => sum + column.minContent, outer)
  let maxContent = columns.reduce(
    (sum, column) => sum + Math.max(column.minContent, column.fixed ?? column.maxContent),
    outer,
  )
  for (const { percent, maxContent: own } of columns)
    if (percent !== undefined && percent > 0)
      maxContent = Math.max(maxContent, Math.min(own / percent + outer, 20_000))
  const declared = /%/.test(table.style.get('width') ?? '') ? undefined : table.style.length('width')
  if (declared !== undefined)
    return { minContent: Math.max(declared, minContent), maxContent: Math.max(declared, minContent) }
  return { minContent, maxContent: Math.max(minContent, maxContent) }
}

/** The widths of the columns of a table in a containing block of this width. */
export function columnWidths(context: WebContext, table: TableBox, width: Pt): readonly Pt[] {
  const { style } = table
  const columns = columnsOf(context, table)
  const outer = outerWidth(spacingOf(table, width), columns.length)
  const { minContent, maxContent } = tableWidths(context, table)
  const declared = style.length('width', width)
  const limit = style.length('max-width', width) ?? Number.POSITIVE_INFINITY
  const floor = style.length('min-width', width) ?? 0
  const requested = Math.max(floor, Math.min(declared ?? Math.min(maxContent, width), limit))
  const available = Math.max(0, Math.max(requested, minContent) - outer)
  if (fixedLayout(style)) return fixedWidths(columns, Math.max(0, requested - outer))
  return distributedWidths(columns, available)
}

function fixedWidths(columns: readonly ColumnWidths[], available: Pt): readonly Pt[] {
  const known = columns.map(
    ({ fixed, percent, percentEdges = 0 }) =>
      fixed ?? (percent === undefined ? undefined : percent * available + percentEdges),
  )
  const rest = Math.max(0, available - known.reduce<number>((sum, width) => sum + (width ?? 0), 0))
  const open = known.filter((width) => width === undefined).length
  if (open > 0) return known.map((width) => width ?? rest / open)
  const total = known.reduce<number>((sum, width) => sum + (width ?? 0), 0)
  return known.map((width) => (total === 0 ? available / known.length : ((width ?? 0) * available) / total))
}

/**
 * Distributes the available width between the min-content and the preferred widths. Surplus goes to columns without a
 * declared width first.
 */
function distributedWidths(columns: readonly ColumnWidths[], available: Pt): readonly Pt[] {
  const minimum = columns.map((column) => column.minContent)
  const preferred = columns.map(({ minContent: smallest, maxContent, fixed, percent }) =>
    Math.max(smallest, percent === undefined ? (fixed ?? maxContent) : percent * available),
  )
  const sum = (of: readonly Pt[]) => of.reduce((total, value) => total + value, 0)
  const [minimumSum, preferredSum] = [sum(minimum), sum(preferred)]
  if (preferredSum > available) {
    // Percentages are satisfied first, then declared widths, then the other columns.
    const widths = [...minimum]
    let left = Math.max(0, available - minimumSum)
    for (const kind of ['percent', 'fixed', undefined] as const) {
      const members = columns.flatMap((column, index) => (kindOf(column) === kind ? [index] : []))
      const need = members.reduce(
        (total, index) => total + (preferred[index] ?? 0) - (minimum[index] ?? 0),
        0,
      )
      const fraction = need <= 0 ? 0 : Math.min(1, left / need)
      for (const index of members)
        widths[index] = (minimum[index] ?? 0) + fraction * ((preferred[index] ?? 0) - (minimum[index] ?? 0))
      left -= need * fraction
    }
    return widths
  }
  const extra = available - preferredSum
  const kinds = columns.map(kindOf)
  const growingKind = kinds.includes(undefined) ? undefined : kinds.includes('fixed') ? 'fixed' : 'percent'
  const weights = preferred.map((width, index) => (kinds[index] === growingKind ? Math.max(width, 0) : 0))
  const weight = sum(weights)
  const takers = kinds.filter((kind) => kind === growingKind).length
  return preferred.map((width, index) => {
    if (kinds[index] !== growingKind) return width
    return width + (weight > 0 ? (extra * (weights[index] ?? 0)) / weight : extra / takers)
  })
}

const kindOf = ({ fixed, percent }: ColumnWidths): 'percent' | 'fixed' | undefined =>
  percent !== undefined ? 'percent' : fixed !== undefined ? 'fixed' : undefined
