/** Writes the tables of a page: the grid, its widths, and borders that cells share. Source: CSS 2.2, 17. */

import type { StyledElement } from '../../../../shared/css/cascade.ts'
import { attributeOf } from '../../../../shared/css/selector.ts'
import type { ComputedStyle } from '../../../../shared/css/style.ts'
import { maxOf } from '../../../../shared/extremes.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import { type BlockContext, type Blocks, boxTable, tableLayout } from './block-tools.ts'
import { type BorderLine, type BoxStyle, boxOf, lineOf, type Side, sides } from './odf/attributes.ts'
import { pt, type TableCell, type TableRow } from './odf/nodes.ts'
import type { Tree } from './tree.ts'
import { columnWidths, type Track } from './widths.ts'

const maxSpan = 1000
const maxColumns = 500
/** Maximum number of grid positions in which no cell begins, because a few spans could create millions. */
const maxEmptySlots = 250_000
/** Number of rows that are measured to find the widths of columns. */
const maxMeasuredRows = 200

interface Slot {
  readonly cell: StyledElement
  readonly columns: number
  rows: number
}
interface GridRow {
  readonly row: StyledElement | undefined
  readonly group: StyledElement | undefined
  readonly cells: readonly StyledElement[]
  readonly slots: (Slot | 'covered' | undefined)[]
}
interface TableGrid {
  readonly rows: readonly GridRow[]
  readonly columns: number
  readonly headerRows: number
}

export function tableOf(blocks: Blocks, styled: StyledElement, context: BlockContext): void {
  const captions = blocks.tree.elements(styled).filter((child) => child.style.display === 'table-caption')
  const below = (caption: StyledElement) => caption.style.word('caption-side') === 'bottom'
  for (const caption of captions) if (!below(caption)) blocks.block(caption, context)
  const grid = gridOf(blocks, styled)
  if (grid.rows.length > 0 && grid.columns > 0) writeTable(blocks, styled, grid, context)
  for (const caption of captions) if (below(caption)) blocks.block(caption, context)
}

function writeTable(blocks: Blocks, styled: StyledElement, grid: TableGrid, context: BlockContext): void {
  const { style } = styled
  const [only] = grid.rows
  const slot = only?.slots[0]
  const single = grid.rows.length === 1 && grid.columns === 1 && slot !== undefined && slot !== 'covered'
  const tableBox = boxOf(style, context.width)
  const available = context.width - context.left - context.right
  const declared = style.length('width', available)
  const { fitted, tracks } = tracksOf(blocks, styled, grid, available)
  const width = Math.min(Math.max(declared ?? fitted, 20), available)
  const left = leftEdge(style, context, width)
  const widths = columnWidths(tracks, width)
  if (single) {
    // The only cell of a table without borders is written as the blocks that it contains.
    const box = cellBox(styled, grid, 0, 0, tableBox, width)
    const isUnframed = box.background === undefined && sides.every((side) => box.lines[side] === undefined)
    if (isUnframed && style.word('direction') !== 'rtl') {
      blocks.children(slot.cell, blocks.tree.children(slot.cell), {
        ...context,
        left: left + box.padding.left,
        right: context.width - left - width + box.padding.right,
        inherited: context.inherited,
      })
      return
    }
    blocks.emitTable(
      boxTable(left, width, blocks.cell(slot.cell, width, context, { box, align: alignOf(slot.cell) })),
    )
    return
  }
  const blank = emptyCell(blocks, styled, context, tableBox)
  const rows = grid.rows.map((line, y): TableRow => {
    const cells = line.slots.map((at, x): TableCell | 'covered' => {
      if (at === 'covered') return 'covered'
      const spannedWidths =
        (at?.columns ?? 1) > 1 ? widths.slice(x, x + (at?.columns ?? 1)) : [widths[x] ?? 20]
      const wide = spannedWidths.reduce((sum, each) => sum + each, 0)
      if (at === undefined) return blank
      const box = cellBox(styled, grid, y, x, tableBox, wide)
      return blocks.cell(at.cell, wide, context, {
        columns: at.columns,
        rows: at.rows,
        box,
        base: 'Table_20_Contents',
        align: alignOf(at.cell),
      })
    })
    return { layout: rowLayout(line), cells }
  })
  const rtl = style.word('direction') === 'rtl'
  blocks.emitTable({
    kind: 'table',
    layout: tableLayout(left, width, rtl),
    columns: widths,
    rows,
    headerRows: grid.headerRows >= rows.length ? 0 : grid.headerRows,
  })
}

function rowLayout({ row, slots }: GridRow): Map<string, string> {
  const heights = [
    row,
    ...slots.map((slot) =>
      slot === undefined || slot === 'covered' || slot.rows > 1 ? undefined : slot.cell,
    ),
  ].map((element) => element?.style.length('height') ?? 0)
  const height = maxOf(heights)
  const together = row?.style.word('break-inside') === 'avoid' ? 'always' : 'auto'
  return new Map([
    ['fo:keep-together', together],
    ...(height > 0 ? ([['style:min-row-height', pt(height)]] as const) : []),
  ])
}

function leftEdge(style: ComputedStyle, { width, left, right }: BlockContext, wide: number): number {
  const free = Math.max(width - left - right - wide, 0)
  const [before, after] = [style.get('margin-left'), style.get('margin-right')]
  const float = style.word('float')
  if (float === 'right') return left + free
  if (before === 'auto' && after === 'auto') return left + free / 2
  if (before === 'auto') return left + free
  const inherited = style.parent?.word('-block-align')
  if (inherited === 'center' && before === undefined) return left + free / 2
  if (inherited === 'right' && before === undefined) return left + free
  return left + Math.min(Math.max(0, style.length('margin-left', width) ?? 0), free)
}

function alignOf({ style }: StyledElement): string {
  const align = style.word('vertical-align')
  const vertical = align === 'inherit' || align === undefined ? 'middle' : align
  return vertical === 'middle' ? 'middle' : vertical === 'bottom' ? 'bottom' : 'top'
}

function emptyCell(
  blocks: Blocks,
  styled: StyledElement,
  context: BlockContext,
  tableBox: BoxStyle,
): TableCell {
  const line = tableBox.lines.top
  return {
    layout: new Map(
      sides.map((side) => [
        `fo:border-${side}`,
        line === undefined ? 'none' : `${pt(line.width)} ${line.style} #${line.color}`,
      ]),
    ),
    columns: 1,
    rows: 1,
    nodes: [blocks.empty(styled.style, { ...context, left: 0, right: 0, base: 'Table_20_Contents' })],
  }
}

/** The rows in the order of display, heads first, feet last, with their cells in the slots. */
function gridOf({ tree }: Blocks, table: StyledElement): TableGrid {
  const { rows, headerRows } = rowsOf(tree, table)
  let columns = 0
  let emptySlots = maxEmptySlots
  for (const [y, { cells, slots }] of rows.entries()) {
    let x = 0
    for (const cell of cells) {
      while (slots[x] !== undefined) x++
      if (x >= maxColumns) break
      let columnSpan = Math.min(spanOf(cell, 'colspan'), maxColumns - x)
      let rowSpan = Math.min(spanOf(cell, 'rowspan') || rows.length - y, rows.length - y)
      if (columnSpan * rowSpan > 1) emptySlots -= columnSpan * rowSpan
      if (emptySlots < 0) [columnSpan, rowSpan] = [1, 1]
      for (const row of rows.slice(y, y + rowSpan))
        for (let covered = x; covered < x + columnSpan; covered++) row.slots[covered] = 'covered'
      slots[x] = { cell, columns: columnSpan, rows: rowSpan }
      x += columnSpan
    }
    columns = Math.max(columns, slots.length)
  }
  for (const { slots } of rows) while (slots.length < columns && emptySlots-- > 0) slots.push(undefined)
  // Rows of which a cell reaches into the body cannot be repeated on every page.
  const reachesBody = rows
    .slice(0, headerRows)
    .some(({ slots }, y) => slots.some((slot) => typeof slot === 'object' && y + slot.rows > headerRows))
  return { rows, columns, headerRows: reachesBody ? 0 : headerRows }
}

/** The rows of a table in the order of display, without slots. Cells outside of rows form a row at the end. */
function rowsOf(tree: Tree, table: StyledElement): { rows: GridRow[]; headerRows: number } {
  const [head, body, foot]: [GridRow[], GridRow[], GridRow[]] = [[], [], []]
  const looseCells: StyledElement[] = []
  const rowOf = (row: StyledElement, group?: StyledElement): GridRow => ({
    row,
    group,
    cells: tree.elements(row).filter(({ style }) => style.display === 'table-cell'),
    slots: [],
  })
  const rowsOfGroup = (group: StyledElement): GridRow[] =>
    tree
      .elements(group)
      .filter(({ style }) => style.display === 'table-row')
      .map((row) => rowOf(row, group))
  for (const child of tree.elements(table)) {
    switch (child.style.display) {
      case 'table-header-group':
        pushAll(head, rowsOfGroup(child))
        break
      case 'table-row-group':
        pushAll(body, rowsOfGroup(child))
        break
      case 'table-footer-group':
        pushAll(foot, rowsOfGroup(child))
        break
      case 'table-row':
        body.push(rowOf(child))
        break
      case 'table-cell':
        looseCells.push(child)
        break
      default:
    }
  }
  const rows = [...head, ...body, ...foot]
  if (looseCells.length > 0) rows.push({ row: undefined, group: undefined, cells: looseCells, slots: [] })
  return { rows, headerRows: head.length }
}

function spanOf({ element }: StyledElement, name: 'colspan' | 'rowspan'): number {
  const span = Number(attributeOf(element, name) ?? 1)
  if (!Number.isSafeInteger(span) || span < 0) return 1
  return Math.min(name === 'rowspan' ? span : Math.max(span, 1), maxSpan)
}

/** The widths that each column needs, and the width of the table when none is declared. */
function tracksOf(
  blocks: Blocks,
  styled: StyledElement,
  grid: TableGrid,
  available: number,
): { tracks: readonly Track[]; fitted: number } {
  const declared = columnElements(blocks, styled)
  const fixedLayout = styled.style.word('table-layout') === 'fixed'
  const tracks = Array.from({ length: grid.columns }, (_, x): Track => {
    let [minContent, maxContent] = [8, 8]
    let fixed: number | undefined
    let fraction: number | undefined
    const readWidth = (style: ComputedStyle | undefined) => {
      const value = style?.get('width')?.trim()
      const part = /^([\d.]+)%$/.exec(value ?? '')?.[1]
      if (part !== undefined) fraction = Math.max(fraction ?? 0, Math.min(Number(part) / 100, 1))
      else {
        const length = style?.length('width')
        if (length !== undefined && length > 0) fixed = Math.max(fixed ?? 0, length)
      }
    }
    readWidth(declared[x])
    for (const [y, { slots }] of grid.rows.slice(0, maxMeasuredRows).entries()) {
      const slot = slots[x]
      if (slot === undefined || slot === 'covered' || slot.columns > 1) continue
      const content = blocks.widths.of(slot.cell)
      minContent = Math.max(minContent, content.minContent * 1.05 + 1)
      maxContent = Math.max(maxContent, content.maxContent * 1.05 + 1)
      if (!fixedLayout || y === 0) readWidth(slot.cell.style)
    }
    return {
      minContent: minContent,
      maxContent: Math.max(maxContent, minContent),
      ...(fraction !== undefined
        ? { fraction }
        : fixed !== undefined && { fixed: Math.max(fixed, fixedLayout ? 0 : minContent) }),
      ...(fixedLayout && { minContent: 0, maxContent: 100 }),
    }
  })
  spanned(blocks, grid, tracks)
  const shares = tracks.reduce((sum, track) => sum + (track.fraction ?? 0), 0)
  const rest = tracks.reduce(
    (sum, track) => sum + (track.fraction === undefined ? (track.fixed ?? track.maxContent) : 0),
    0,
  )
  const inside = tracks.reduce(
    (max, track) => Math.max(max, track.fraction ? track.maxContent / track.fraction : 0),
    0,
  )
  const fitted = shares === 0 ? rest : Math.max(inside, shares < 0.99 ? rest / (1 - shares) : available)
  return {
    tracks:
      shares > 1
        ? tracks.map((track) => ({ ...track, ...(track.fraction && { fraction: track.fraction / shares }) }))
        : tracks,
    fitted,
  }
}

/** Cells that span several columns require the width that these columns lack. */
function spanned(blocks: Blocks, grid: TableGrid, tracks: Track[]): void {
  for (const { slots } of grid.rows.slice(0, maxMeasuredRows))
    for (const [x, slot] of slots.entries()) {
      if (slot === undefined || slot === 'covered' || slot.columns === 1) continue
      const slotTracks = tracks.slice(x, x + slot.columns)
      const { minContent, maxContent } = blocks.widths.of(slot.cell)
      const lacks = (of: 'minContent' | 'maxContent', required: number) =>
        Math.max(
          0,
          required - slotTracks.reduce((sum, track) => sum + Math.max(track.fixed ?? 0, track[of]), 0),
        ) / slot.columns
      const [more, further] = [lacks('minContent', minContent), lacks('maxContent', maxContent)]
      for (const [at, track] of slotTracks.entries())
        tracks[x + at] = {
          ...track,
          minContent: track.minContent + more,
          maxContent: Math.max(track.maxContent + further, track.minContent + more),
        }
    }
}

function columnElements(blocks: Blocks, table: StyledElement): readonly ComputedStyle[] {
  const styles: ComputedStyle[] = []
  const add = (column: StyledElement) => {
    const span = Math.min(Number(attributeOf(column.element, 'span') ?? 1) || 1, maxColumns - styles.length)
    for (let at = 0; at < span; at++) styles.push(column.style)
  }
  for (const child of blocks.tree.elements(table)) {
    if (child.style.display === 'table-column') add(child)
    else if (child.style.display === 'table-column-group') {
      const inner = blocks.tree.elements(child).filter((element) => element.style.display === 'table-column')
      if (inner.length > 0) inner.forEach(add)
      else add(child)
    }
  }
  return styles
}

const opposite: Readonly<Record<Side, Side>> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' }

/** The borders and background of a cell. Of the borders that meet at an edge the winning one is used. */
function cellBox(
  table: StyledElement,
  grid: TableGrid,
  y: number,
  x: number,
  tableBox: BoxStyle,
  width: number,
): BoxStyle {
  const slot = grid.rows[y]?.slots[x] as Slot
  const line = grid.rows[y] as GridRow
  const box = boxOf(slot.cell.style, width)
  const background =
    box.background ??
    line.row?.style.color('background-color') ??
    line.group?.style.color('background-color') ??
    tableBox.background
  const collapse = table.style.word('border-collapse') === 'collapse'
  const last = { y: y + slot.rows - 1, x: x + slot.columns - 1 }
  const edge = {
    top: y === 0,
    bottom: last.y === grid.rows.length - 1,
    left: x === 0,
    right: last.x === grid.columns - 1,
  }
  const lines = Object.fromEntries(
    sides.map((side) => {
      const inner = box.lines[side]
      if (!collapse) {
        const touches = table.style.get('border-spacing')?.startsWith('0')
          ? neighbour(grid, y, x, slot, side)
          : undefined
        return [
          side,
          inner ??
            (edge[side] ? tableBox.lines[side] : touches?.style && lineOf(touches.style, opposite[side])),
        ]
      }
      const adjacent = neighbour(grid, y, x, slot, side)
      const isVertical = side === 'left' || side === 'right'
      const rows = isVertical
        ? []
        : [
            ...rowLines(grid, side === 'top' ? y : last.y, side),
            ...rowLines(grid, side === 'top' ? y - 1 : last.y + 1, opposite[side]),
          ]
      const outer = isVertical && edge[side] && line.row !== undefined ? [lineOf(line.row.style, side)] : []
      return [
        side,
        strongest([
          inner,
          adjacent && lineOf(adjacent.style, opposite[side]),
          ...rows,
          ...outer,
          edge[side] ? tableBox.lines[side] : undefined,
        ]),
      ]
    }),
  ) as Record<Side, BorderLine | undefined>
  return { background, lines, padding: box.padding }
}

function neighbour(grid: TableGrid, y: number, x: number, slot: Slot, side: Side): StyledElement | undefined {
  const at = { top: [y - 1, x], bottom: [y + slot.rows, x], left: [y, x - 1], right: [y, x + slot.columns] }[
    side
  ] as [number, number]
  const adjacent = grid.rows[at[0]]?.slots[at[1]]
  return adjacent === undefined || adjacent === 'covered' ? undefined : adjacent.cell
}

function rowLines(grid: TableGrid, y: number, side: Side): readonly (BorderLine | undefined)[] {
  const line = grid.rows[y]
  if (line === undefined) return []
  const { row, group } = line
  const ends = side === 'top' ? grid.rows[y - 1]?.group !== group : grid.rows[y + 1]?.group !== group
  return [row && lineOf(row.style, side), ends && group !== undefined ? lineOf(group.style, side) : undefined]
}

/** The widest border wins; of equal ones the first (CSS 2.2, 17.6.2.1). */
function strongest(lines: readonly (BorderLine | undefined)[]): BorderLine | undefined {
  return lines.reduce(
    (best, line) => (line !== undefined && line.width > (best?.width ?? 0) ? line : best),
    undefined,
  )
}
