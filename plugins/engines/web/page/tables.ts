/** Tables of a page: the grid, its widths, and lines where cells share them. Source: CSS 2.2, 17. */
import { type Blocks, boxTable, type Context, tableLayout } from './block-tools.ts'
import type { Styled } from './css/cascade.ts'
import { attributeOf } from './css/selector.ts'
import type { Style } from './css/style.ts'
import { type Box, boxOf, type Line, lineOf, type Side, sides } from './odf/looks.ts'
import { pt, type TableCell, type TableRow } from './odf/nodes.ts'
import { isBlank, type Kid } from './tree.ts'
import { columnWidths, type Track } from './widths.ts'

const longestSpan = 1000
const mostColumns = 500
/** Places of a table that no cell begins in: a few spans must not ask for millions. */
const mostPlaces = 250_000
/** So many rows say how wide the columns want to be. */
const mostMeasured = 200

interface Slot {
  readonly cell: Styled
  readonly columns: number
  rows: number
}
interface GridRow {
  readonly row: Styled | undefined
  readonly group: Styled | undefined
  readonly slots: (Slot | 'covered' | undefined)[]
}
interface Grid {
  readonly rows: readonly GridRow[]
  readonly columns: number
  readonly headerRows: number
}

export function tableOf(blocks: Blocks, one: Styled, context: Context): void {
  const captions = blocks.tree.elements(one).filter((kid) => kid.style.display === 'table-caption')
  const below = (caption: Styled) => caption.style.word('caption-side') === 'bottom'
  for (const caption of captions) if (!below(caption)) blocks.block(caption, context)
  const grid = gridOf(blocks, one)
  if (grid.rows.length > 0 && grid.columns > 0) writeTable(blocks, one, grid, context)
  for (const caption of captions) if (below(caption)) blocks.block(caption, context)
}

function writeTable(blocks: Blocks, one: Styled, grid: Grid, context: Context): void {
  const { style } = one
  const [only] = grid.rows
  const slot = only?.slots[0]
  const single = grid.rows.length === 1 && grid.columns === 1 && slot !== undefined && slot !== 'covered'
  const own = boxOf(style, context.width)
  const room = context.width - context.left - context.right
  const said = style.length('width', room)
  const { fitted, tracks } = tracksOf(blocks, one, grid, room)
  const width = Math.min(Math.max(said ?? fitted, 20), room)
  const place = placeOf(style, context, width)
  const widths = columnWidths(tracks, width)
  if (single) {
    // The cell of a table that only gives its contents a place is that place.
    const box = cellBox(one, grid, 0, 0, own, width)
    const bare = box.background === undefined && sides.every((side) => box.lines[side] === undefined)
    if (bare && style.word('direction') !== 'rtl') {
      blocks.children(slot.cell, blocks.tree.kids(slot.cell), {
        ...context,
        left: place + box.padding.left,
        right: context.width - place - width + box.padding.right,
        around: context.around,
      })
      return
    }
    blocks.emitTable(
      boxTable(place, width, blocks.cell(slot.cell, width, context, { box, align: alignOf(slot.cell) })),
    )
    return
  }
  const blank = emptyCell(blocks, one, context, own)
  const rows = grid.rows.map((line, y): TableRow => {
    const cells = line.slots.map((at, x): TableCell | 'covered' => {
      if (at === 'covered') return 'covered'
      const around = (at?.columns ?? 1) > 1 ? widths.slice(x, x + (at?.columns ?? 1)) : [widths[x] ?? 20]
      const wide = around.reduce((sum, each) => sum + each, 0)
      if (at === undefined) return blank
      const box = cellBox(one, grid, y, x, own, wide)
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
    layout: tableLayout(place, width, rtl),
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
  ].map((one) => one?.style.length('height') ?? 0)
  const height = Math.max(...heights)
  const together = row?.style.word('break-inside') === 'avoid' ? 'always' : 'auto'
  return new Map([
    ['fo:keep-together', together],
    ...(height > 0 ? ([['style:min-row-height', pt(height)]] as const) : []),
  ])
}

function placeOf(style: Style, { width, left, right }: Context, wide: number): number {
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

function alignOf({ style }: Styled): string {
  const align = style.word('vertical-align')
  const around = align === 'inherit' || align === undefined ? 'middle' : align
  return around === 'middle' ? 'middle' : around === 'bottom' ? 'bottom' : 'top'
}

function emptyCell(blocks: Blocks, one: Styled, context: Context, own: Box): TableCell {
  const line = own.lines.top
  return {
    layout: new Map(
      sides.map((side) => [
        `fo:border-${side}`,
        line === undefined ? 'none' : `${pt(line.width)} ${line.style} #${line.color}`,
      ]),
    ),
    columns: 1,
    rows: 1,
    nodes: [blocks.empty(one.style, { ...context, left: 0, right: 0, base: 'Table_20_Contents' })],
  }
}

/** Rows in the order that they are shown: heads first, feet last. */
function gridOf(blocks: Blocks, table: Styled): Grid {
  const { tree } = blocks
  const [head, body, foot]: GridRow[][] = [[], [], []]
  const rowsOf = (group: Styled | undefined, kids: readonly Kid[], into: GridRow[]) => {
    for (const kid of kids) {
      if (isBlank(kid) || !('style' in kid)) continue
      if (kid.style.display === 'table-row') into.push({ row: kid, group, slots: [] })
    }
  }
  const into = { 'table-header-group': head, 'table-footer-group': foot } as Readonly<
    Record<string, GridRow[]>
  >
  const loose: Styled[] = []
  for (const kid of tree.elements(table)) {
    const { display } = kid.style
    if (display === 'table-row') body?.push({ row: kid, group: undefined, slots: [] })
    else if (/^table-(?:row|header|footer)-group$/.test(display))
      rowsOf(kid, tree.kids(kid), into[display] ?? (body as GridRow[]))
    else if (display === 'table-cell') loose.push(kid)
  }
  const rows = [...(head ?? []), ...(body ?? []), ...(foot ?? [])]
  const cellsOf = ({ row }: GridRow) =>
    row === undefined ? loose : tree.elements(row).filter((cell) => cell.style.display === 'table-cell')
  if (loose.length > 0) rows.push({ row: undefined, group: undefined, slots: [] })
  let columns = 0
  let places = mostPlaces
  for (const [y, line] of rows.entries()) {
    let x = 0
    for (const cell of cellsOf(line)) {
      while (line.slots[x] !== undefined) x++
      if (x >= mostColumns) break
      let wide = Math.min(spanOf(cell, 'colspan'), mostColumns - x)
      let high = Math.min(spanOf(cell, 'rowspan') || rows.length - y, rows.length - y)
      if (wide * high > 1) places -= wide * high
      if (places < 0) [wide, high] = [1, 1]
      for (let below = 0; below < high; below++)
        for (let across = 0; across < wide; across++)
          (rows[y + below] as GridRow).slots[x + across] = 'covered'
      line.slots[x] = { cell, columns: wide, rows: high }
      x += wide
    }
    columns = Math.max(columns, line.slots.length)
  }
  for (const { slots } of rows) while (slots.length < columns && places-- > 0) slots.push(undefined)
  const spanning = (head ?? []).some((line, y) =>
    line.slots.some((slot) => typeof slot === 'object' && y + slot.rows > (head?.length ?? 0)),
  )
  return { rows, columns, headerRows: spanning ? 0 : (head?.length ?? 0) }
}

function spanOf({ element }: Styled, name: 'colspan' | 'rowspan'): number {
  const span = Number(attributeOf(element, name) ?? 1)
  if (!Number.isSafeInteger(span) || span < 0) return 1
  return Math.min(name === 'rowspan' ? span : Math.max(span, 1), longestSpan)
}

/** What each column wants, and how wide the table is where nothing is said. */
function tracksOf(
  blocks: Blocks,
  one: Styled,
  grid: Grid,
  room: number,
): { tracks: readonly Track[]; fitted: number } {
  const said = columnElements(blocks, one)
  const fixedLayout = one.style.word('table-layout') === 'fixed'
  const tracks = Array.from({ length: grid.columns }, (_, x): Track => {
    let [least, most] = [8, 8]
    let fixed: number | undefined
    let share: number | undefined
    const ask = (style: Style | undefined) => {
      const value = style?.get('width')?.trim()
      const part = /^([\d.]+)%$/.exec(value ?? '')?.[1]
      if (part !== undefined) share = Math.max(share ?? 0, Math.min(Number(part) / 100, 1))
      else {
        const length = style?.length('width')
        if (length !== undefined && length > 0) fixed = Math.max(fixed ?? 0, length)
      }
    }
    ask(said[x])
    for (const [y, { slots }] of grid.rows.slice(0, mostMeasured).entries()) {
      const slot = slots[x]
      if (slot === undefined || slot === 'covered' || slot.columns > 1) continue
      const wanted = blocks.widths.of(slot.cell)
      least = Math.max(least, wanted.least * 1.05 + 1)
      most = Math.max(most, wanted.most * 1.05 + 1)
      if (!fixedLayout || y === 0) ask(slot.cell.style)
    }
    return {
      least,
      most: Math.max(most, least),
      ...(share !== undefined
        ? { share }
        : fixed !== undefined && { fixed: Math.max(fixed, fixedLayout ? 0 : least) }),
      ...(fixedLayout && { least: 0, most: 100 }),
    }
  })
  spanned(blocks, grid, tracks)
  const shares = tracks.reduce((sum, track) => sum + (track.share ?? 0), 0)
  const rest = tracks.reduce(
    (sum, track) => sum + (track.share === undefined ? (track.fixed ?? track.most) : 0),
    0,
  )
  const inside = tracks.reduce((most, track) => Math.max(most, track.share ? track.most / track.share : 0), 0)
  const fitted = shares === 0 ? rest : Math.max(inside, shares < 0.99 ? rest / (1 - shares) : room)
  return {
    tracks:
      shares > 1
        ? tracks.map((track) => ({ ...track, ...(track.share && { share: track.share / shares }) }))
        : tracks,
    fitted,
  }
}

/** Cells over several columns ask for what these lack. */
function spanned(blocks: Blocks, grid: Grid, tracks: Track[]): void {
  for (const { slots } of grid.rows.slice(0, mostMeasured))
    for (const [x, slot] of slots.entries()) {
      if (slot === undefined || slot === 'covered' || slot.columns === 1) continue
      const own = tracks.slice(x, x + slot.columns)
      const { least, most } = blocks.widths.of(slot.cell)
      const lacks = (of: 'least' | 'most', wanted: number) =>
        Math.max(0, wanted - own.reduce((sum, track) => sum + Math.max(track.fixed ?? 0, track[of]), 0)) /
        slot.columns
      const [more, further] = [lacks('least', least), lacks('most', most)]
      for (const [at, track] of own.entries())
        tracks[x + at] = {
          ...track,
          least: track.least + more,
          most: Math.max(track.most + further, track.least + more),
        }
    }
}

function columnElements(blocks: Blocks, table: Styled): readonly Style[] {
  const styles: Style[] = []
  const add = (column: Styled) => {
    const span = Math.min(Number(attributeOf(column.element, 'span') ?? 1) || 1, mostColumns - styles.length)
    for (let at = 0; at < span; at++) styles.push(column.style)
  }
  for (const kid of blocks.tree.elements(table)) {
    if (kid.style.display === 'table-column') add(kid)
    else if (kid.style.display === 'table-column-group') {
      const inner = blocks.tree.elements(kid).filter((one) => one.style.display === 'table-column')
      if (inner.length > 0) inner.forEach(add)
      else add(kid)
    }
  }
  return styles
}

const opposite: Readonly<Record<Side, Side>> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' }

/** The look of a cell: its own lines, or the strongest of those that meet there. */
function cellBox(table: Styled, grid: Grid, y: number, x: number, own: Box, width: number): Box {
  const slot = grid.rows[y]?.slots[x] as Slot
  const line = grid.rows[y] as GridRow
  const box = boxOf(slot.cell.style, width)
  const background =
    box.background ??
    line.row?.style.color('background-color') ??
    line.group?.style.color('background-color') ??
    own.background
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
          inner ?? (edge[side] ? own.lines[side] : touches?.style && lineOf(touches.style, opposite[side])),
        ]
      }
      const beside = neighbour(grid, y, x, slot, side)
      const upright = side === 'left' || side === 'right'
      const rows = upright
        ? []
        : [
            ...rowLines(grid, side === 'top' ? y : last.y, side),
            ...rowLines(grid, side === 'top' ? y - 1 : last.y + 1, opposite[side]),
          ]
      const outer = upright && edge[side] && line.row !== undefined ? [lineOf(line.row.style, side)] : []
      return [
        side,
        strongest([
          inner,
          beside && lineOf(beside.style, opposite[side]),
          ...rows,
          ...outer,
          edge[side] ? own.lines[side] : undefined,
        ]),
      ]
    }),
  ) as Record<Side, Line | undefined>
  return { background, lines, padding: box.padding }
}

function neighbour(grid: Grid, y: number, x: number, slot: Slot, side: Side): Styled | undefined {
  const at = { top: [y - 1, x], bottom: [y + slot.rows, x], left: [y, x - 1], right: [y, x + slot.columns] }[
    side
  ] as [number, number]
  const found = grid.rows[at[0]]?.slots[at[1]]
  return found === undefined || found === 'covered' ? undefined : found.cell
}

function rowLines(grid: Grid, y: number, side: Side): readonly (Line | undefined)[] {
  const line = grid.rows[y]
  if (line === undefined) return []
  const { row, group } = line
  const ends = side === 'top' ? grid.rows[y - 1]?.group !== group : grid.rows[y + 1]?.group !== group
  return [row && lineOf(row.style, side), ends && group !== undefined ? lineOf(group.style, side) : undefined]
}

/** The widest wins; of equals the one that was named first (CSS 2.2, 17.6.2.1). */
function strongest(lines: readonly (Line | undefined)[]): Line | undefined {
  return lines.reduce(
    (best, line) => (line !== undefined && line.width > (best?.width ?? 0) ? line : best),
    undefined,
  )
}
