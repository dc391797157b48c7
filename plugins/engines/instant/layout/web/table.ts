/** Table layout: column widths, then rows with the heights of their cells. Source: CSS 2.2, 17.5; CSS Tables 3. */
import { maxOf } from '../../../../../shared/extremes.ts'
import type { Placed, Pt } from '../frame.ts'
import type { RowBox, TableBox } from './box.ts'
import type { WebContext } from './context.ts'
import {
  bordersOf,
  borderWidths,
  boxPaintOf,
  breakRule,
  contentSize,
  edgesHeight,
  edgesWidth,
  keepsInside,
  paddingOf,
} from './dimensions.ts'
import { type Fragment, withContentMoved } from './fragment.ts'
import { cellEdges, columnWidths, spacingOf, type TableSpacing } from './table-columns.ts'
import { collapsedBorders, type GridCell, gridOf, type TableGrid } from './table-grid.ts'

interface Geometry {
  readonly grid: TableGrid
  readonly spacing: TableSpacing
  readonly widths: readonly Pt[]
  readonly collapsed: ReturnType<typeof collapsedBorders> | undefined
}

/** Lays out a table with its captions. */
export function layoutTable(context: WebContext, table: TableBox, width: Pt): Fragment {
  const grid = gridOf(table)
  const spacing = spacingOf(table, width)
  const widths = columnWidths(context, withCaptionWidth(context, table, width), width)
  const collapsed = spacing.collapses ? collapsedBorders(table, grid) : undefined
  const geometry = { grid, spacing, widths, collapsed }
  const full = widths.reduce(
    (sum, value) => sum + value + spacing.across,
    spacing.across + edgesWidth(spacing.edges),
  )
  const rows = layoutRows(context, table, geometry, full)
  const bottom = rows.at(-1)
  const inner = bottom === undefined ? spacing.edges.top : bottom.y + bottom.height + spacing.down
  const height = Math.max(inner + spacing.edges.bottom, table.style.length('height') ?? 0)
  const boxPaint = spacing.collapses ? backgroundOf(table) : boxPaintOf(table.style)
  const countOf = (group: RowBox['group']): number => table.rows.filter((row) => row.group === group).length
  const body: Fragment = {
    kind: 'box',
    x: 0,
    y: 0,
    width: full,
    height,
    children: rows,
    ...(boxPaint !== undefined && { boxPaint }),
    ...baselineOf(table, rows),
    ...headerOf(rows, countOf('head'), full),
    ...footerOf(rows, countOf('foot'), full),
  }
  return withCaptions(context, table, body)
}

/** A table is at least as wide as the longest words of its captions (CSS 2.2, 17.4). */
function withCaptionWidth(context: WebContext, table: TableBox, width: Pt): TableBox {
  const least = maxOf(table.captions.map((caption) => context.intrinsicWidths(context, caption).minContent))
  if (least <= 0) return table
  const widths = columnWidths(context, table, width)
  const { across, edges } = spacingOf(table, width)
  const full = widths.reduce((sum, value) => sum + value + across, across + edgesWidth(edges))
  if (full >= least) return table
  return {
    ...table,
    style: table.style.extended([
      ['width', `${least}pt`],
      ['box-sizing', 'border-box'],
    ]),
  }
}

/**
 * A table in a line stands on the bottom of the content of its first row, because cells are not aligned at their baselines on
 * paper (CSS 2.2, 17.5.3; observed in Chromium).
 */
function baselineOf({ style }: TableBox, rows: readonly Fragment[]): Pick<Fragment, 'baseline'> {
  const [first] = rows
  if (style.display !== 'inline-table' || first === undefined) return {}
  const bottoms = first.children.flatMap(({ y, children }) =>
    children.map((content) => y + content.y + content.height),
  )
  return bottoms.length === 0 ? {} : { baseline: first.y + maxOf(bottoms) }
}

function backgroundOf({ style }: TableBox) {
  const background = boxPaintOf(style)?.background
  return background === undefined ? undefined : { background }
}

/** The header rows are repeated on each page, with the distance to the row below them. */
function headerOf(rows: readonly Fragment[], heads: number, width: Pt): Pick<Fragment, 'repeatedHeader'> {
  const [first] = rows
  const below = rows[heads]
  if (heads === 0 || first === undefined || below === undefined) return {}
  const height = below.y - first.y
  const children = rows.slice(0, heads).map((row) => ({ ...row, y: row.y - first.y }))
  return { repeatedHeader: { kind: 'leaf', x: first.x, y: 0, width, height, children } }
}

/** The footer rows are repeated on each page, with their distance from the row above them. */
function footerOf(rows: readonly Fragment[], foots: number, width: Pt): Pick<Fragment, 'repeatedFooter'> {
  const above = rows[rows.length - foots - 1]
  const last = rows.at(-1)
  if (foots === 0 || above === undefined || last === undefined) return {}
  const from = above.y + above.height
  const children = rows.slice(-foots).map((row) => ({ ...row, y: row.y - from }))
  const height = last.y + last.height - from
  return { repeatedFooter: { kind: 'leaf', x: last.x, y: 0, width, height, children } }
}

function layoutRows(context: WebContext, table: TableBox, geometry: Geometry, full: Pt): readonly Fragment[] {
  const { grid, spacing } = geometry
  const cells = grid.cells.map((cell) => ({ cell, ...layoutCell(context, cell, geometry) }))
  const heights = table.rows.map(({ style }) => style.length('height') ?? 0)
  for (const { cell, fragment } of cells)
    if (cell.rows === 1) heights[cell.row] = Math.max(heights[cell.row] ?? 0, fragment.height)
  growSpannedRows(table, cells, heights, spacing)
  const byRow = new Map<number, ({ readonly cell: GridCell } & CellLayout)[]>()
  for (const layout of cells) {
    const list = byRow.get(layout.cell.row)
    if (list === undefined) byRow.set(layout.cell.row, [layout])
    else list.push(layout)
  }
  const keeps = (index: number): boolean =>
    (geometry.grid.at[index] ?? []).some(
      (cell) =>
        cell !== undefined &&
        cell.row + cell.rows - 1 > index &&
        keepsInside(table.rows[cell.row]?.style ?? table.style),
    )
  let y = spacing.edges.top + spacing.down
  return table.rows.map((row, index): Fragment => {
    const height = heights[index] ?? 0
    const members = byRow.get(index) ?? []
    const children = members.map(({ cell, fragment, contentHeight }) => {
      let spannedHeight = spacing.down * (cell.rows - 1)
      for (let at = index; at < index + cell.rows; at++) spannedHeight += heights[at] ?? 0
      const left = leftOf(cell, geometry)
      const x = table.style.word('direction') === 'rtl' ? full - left - fragment.width : left
      return alignedCell(cell, fragment, { contentHeight, spannedHeight, x })
    })
    const background =
      boxPaintOf(row.style)?.background ?? (row.groupStyle && boxPaintOf(row.groupStyle)?.background)
    const fragment: Fragment = {
      kind: 'row',
      x: 0,
      y,
      width: full,
      height,
      children:
        background === undefined
          ? children
          : children.map((child) => ({ ...child, boxPaint: { background, ...child.boxPaint } })),
      avoidBreakInside: keepsInside(row.style) || row.group === 'head',
      ...loneEdgeOf(members),
      breakBefore: breakRule(row.style, 'break-before'),
      // A page break after this row would cut a cell that spans into the next one.
      breakAfter:
        row.group === 'head' || (keeps(index) && index < table.rows.length - 1)
          ? 'avoid'
          : breakRule(row.style, 'break-after'),
    }
    y += height + spacing.down
    return fragment
  })
}

/**
 * Gives rows the height that the cells which span them need: those without a declared height grow in proportion to their heights.
 * Source: CSS Tables 3, 4.
 */
function growSpannedRows(
  { rows }: TableBox,
  cells: readonly ({ readonly cell: GridCell } & CellLayout)[],
  heights: Pt[],
  spacing: TableSpacing,
): void {
  const spanning = cells.filter(({ cell }) => cell.rows > 1).toSorted((a, b) => a.cell.rows - b.cell.rows)
  for (const { cell, fragment } of spanning) {
    const spanned = Array.from({ length: cell.rows }, (_, index) => cell.row + index)
    const sum = spanned.reduce((total, row) => total + (heights[row] ?? 0), spacing.down * (cell.rows - 1))
    const more = fragment.height - sum
    if (more <= 0) continue
    const filled = spanned.filter((row) => (heights[row] ?? 0) > 0)
    const free = filled.filter((row) => !hasHeight(rows[row]))
    const growing = free.length > 0 ? free : filled
    const weight = growing.reduce((total, row) => total + (heights[row] ?? 0), 0)
    for (const row of growing) heights[row] = (heights[row] ?? 0) + (more * (heights[row] ?? 0)) / weight
    const last = cell.row + cell.rows - 1
    if (growing.length === 0) heights[last] = (heights[last] ?? 0) + more
  }
}

/** The ends of the contents of the cells of a row, without and with the padding below. */
function loneEdgeOf(members: readonly CellLayout[]): Pick<Fragment, 'loneEdge'> {
  const from = maxOf(members.map(({ contentHeight, bottomEdge }) => contentHeight - bottomEdge))
  const to = maxOf(members.map(({ contentHeight }) => contentHeight))
  return to > from ? { loneEdge: { from, to } } : {}
}

/** Whether a row or one of its cells that span no other has a height. */
const hasHeight = (row: RowBox | undefined): boolean =>
  row !== undefined &&
  [row.style, ...row.cells.filter(({ rows }) => rows === 1).map(({ box }) => box.style)].some(
    (style) => (style.length('height') ?? 0) > 0,
  )

function leftOf({ column }: GridCell, { spacing, widths }: Geometry): Pt {
  let x = spacing.edges.left + spacing.across
  for (let at = 0; at < column; at++) x += (widths[at] ?? 0) + spacing.across
  return x
}

interface CellLayout {
  readonly fragment: Fragment
  /** The height of the content with padding and borders, which may be less than the declared height. */
  readonly contentHeight: Pt
  readonly bottomEdge: Pt
}

function layoutCell(
  context: WebContext,
  cell: GridCell,
  { spacing, widths, collapsed }: Geometry,
): CellLayout {
  let width = spacing.across * (cell.columns - 1)
  for (let at = cell.column; at < cell.column + cell.columns; at++) width += widths[at] ?? 0
  const edges = cellEdges(cell, width, collapsed)
  const { box } = cell.cell
  const inner = Math.max(0, width - edgesWidth(edges))
  const fragment = context.layoutCellContent(context, box, inner)
  const style = box.style
  const cellBorder = borderWidths(bordersOf(style))
  const padding = paddingOf(style, width)
  // The content was laid out with the cell's own padding and borders. Collapsed borders have other widths.
  const contentHeight = fragment.height - edgesHeight(cellBorder) - edgesHeight(padding) + edgesHeight(edges)
  const [left, top] = [edges.left - cellBorder.left - padding.left, edges.top - cellBorder.top - padding.top]
  // In quirks mode the height of a cell includes its padding and borders (Quirks Mode Standard, 3.6).
  const declared =
    style.word('-cell-height') === 'outer'
      ? undefined
      : contentSize(style, 'height', undefined, edgesHeight(edges))
  const minHeight = declared === undefined ? (style.length('height') ?? 0) : declared + edgesHeight(edges)
  const paint = boxPaintOf(style)
  const borders = collapsed?.get(cell)
  const cellFragment: Fragment = {
    ...withContentMoved(fragment, left, top),
    x: 0,
    y: 0,
    width,
    height: Math.max(contentHeight, minHeight),
    ...(collapsed !== undefined && {
      boxPaint: {
        ...(paint?.background !== undefined && { background: paint.background }),
        borders: borders ?? {},
        centred: true,
      },
    }),
    ...(fragment.baseline !== undefined && { baseline: fragment.baseline + top }),
  }
  return { fragment: cellFragment, contentHeight, bottomEdge: edges.bottom }
}

/** Cells are not aligned at their baselines on paper (observed in Chromium). */
function alignOf({ cell }: GridCell): 'top' | 'middle' | 'bottom' {
  const value = cell.box.style.word('vertical-align')
  const resolved = value === undefined ? cell.box.style.parent?.word('vertical-align') : value
  if (resolved === 'middle' || resolved === 'bottom') return resolved
  return value === undefined && resolved !== 'top' ? 'middle' : 'top'
}

/** Extends a cell to the height of its rows and aligns its content by `vertical-align`. */
function alignedCell(
  cell: GridCell,
  fragment: Fragment,
  {
    contentHeight,
    spannedHeight,
    x,
  }: {
    readonly contentHeight: Pt
    readonly spannedHeight: Pt
    readonly x: Pt
  },
): Fragment {
  const align = alignOf(cell)
  const free = Math.max(0, spannedHeight - contentHeight)
  const down = align === 'middle' ? free / 2 : align === 'bottom' ? free : 0
  return { ...withContentMoved(fragment, 0, down), x, height: Math.max(spannedHeight, fragment.height) }
}

function withCaptions(context: WebContext, table: TableBox, body: Fragment): Fragment {
  const { style } = table
  const items: Placed[] = table.id === undefined ? [] : [{ x: 0, y: 0, item: { kind: 'mark', id: table.id } }]
  const outer = {
    breakBefore: breakRule(style, 'break-before'),
    breakAfter: breakRule(style, 'break-after'),
    avoidBreakInside: keepsInside(style),
    ...(items.length > 0 && { items }),
  }
  if (table.captions.length === 0) return { ...body, ...outer }
  const children: Fragment[] = []
  let y = 0
  const stack = (fragment: Fragment, above: Pt, below: Pt) => {
    children.push({ ...fragment, y: y + above })
    y += above + fragment.height + below
  }
  const isBelow = (caption: (typeof table.captions)[number]) =>
    caption.style.word('caption-side') === 'bottom'
  const addCaption = (caption: (typeof table.captions)[number]) => {
    const { fragment, margin } = context.layoutIndependent(context, caption, body.width, false)
    stack(fragment, margin.top, margin.bottom)
  }
  for (const caption of table.captions) if (!isBelow(caption)) addCaption(caption)
  stack(body, 0, 0)
  for (const caption of table.captions) if (isBelow(caption)) addCaption(caption)
  return { kind: 'box', x: 0, y: 0, width: body.width, height: y, children, ...outer }
}
