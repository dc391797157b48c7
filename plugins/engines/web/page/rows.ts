/** Writes blocks beside each other (flex, grid, floats, inline blocks) as tables without borders. */

import type { StyledElement } from '../../../../shared/css/cascade.ts'
import { partsOf } from '../../../../shared/css/declarations.ts'
import type { ComputedStyle } from '../../../../shared/css/style.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { type BlockContext, type Blocks, tableLayout } from './block-tools.ts'
import type { TableCell } from './odf/nodes.ts'
import { isBlank, isText, type StyledChild, type Tree } from './tree.ts'
import { columnWidths, type Track } from './widths.ts'

const maxColumns = 24
/** Factor for estimated widths, which may be slightly too small. */
const slack = 1.08

/** Returns the blocks from `from` on that share a line, and the index of the last of them. */
export function blocksOnOneLine(
  tree: Tree,
  children: readonly StyledChild[],
  from: number,
): { readonly members: readonly StyledElement[]; readonly last: number } | undefined {
  const first = children[from] as StyledElement
  const kind = rowKind(first)
  if (kind === undefined) return undefined
  const members: StyledElement[] = []
  let last = from
  for (let at = from; at < children.length && members.length < maxColumns; at++) {
    const child = children[at] as StyledChild
    if (isBlank(child)) continue
    if (isText(child) || !tree.isBlock(child) || rowKind(child) !== kind) break
    if (members.length > 0 && (child.style.word('clear') ?? 'none') !== 'none') break
    members.push(child)
    last = at
  }
  if (members.length < 2) return undefined
  const right = members.filter((member) => member.style.word('float') === 'right')
  const left = members.filter((member) => member.style.word('float') !== 'right')
  return { members: [...left, ...right.toReversed()], last }
}

function rowKind({ style }: StyledElement): 'float' | 'inline' | undefined {
  const float = style.word('float')
  if (float === 'left' || float === 'right') return 'float'
  return style.display === 'inline-block' ? 'inline' : undefined
}

/**
 * Writes members beside each other, in several rows when there are too many for one. `style` is that of their
 * container.
 */
export function rowOf(
  blocks: Blocks,
  members: readonly StyledElement[],
  style: ComputedStyle,
  context: BlockContext,
): void {
  const { left } = context
  const rowWidth = Math.max(context.width - left - context.right, 20)
  const gap = style.length('column-gap', rowWidth) ?? 0
  const grid = style.display === 'grid' ? gridTracks(style, rowWidth, members.length) : undefined
  const rows = grid === undefined ? wrapped(blocks, members, style, rowWidth) : chunks(members, grid.length)
  const align = entryOf(
    { center: 'middle', 'flex-end': 'bottom', end: 'bottom' },
    style.word('align-items') ?? '',
  )
  for (const row of rows) {
    const tracks = grid ?? row.map((item) => trackOf(blocks, item, rowWidth))
    const { widths, before, between } = spread(tracks.slice(0, row.length), style, rowWidth, gap)
    const columns: number[] = []
    const cells: TableCell[] = []
    for (const [at, item] of row.entries()) {
      const space = at === 0 ? 0 : (between[at - 1] ?? 0)
      if (space > 1) {
        columns.push(space)
        cells.push({ ...blocks.gap(style, context), columns: 1, rows: 1 })
      }
      const width = widths[at] ?? 20
      columns.push(width)
      cells.push(blocks.cell(item, width, context, align === undefined ? {} : { align }))
    }
    const rtl = style.word('direction') === 'rtl'
    const total = columns.reduce((sum, column) => sum + column, 0)
    blocks.emitTable({
      kind: 'table',
      layout: tableLayout(left + before, total, rtl),
      columns,
      rows: [{ layout: new Map([['fo:keep-together', 'auto']]), cells }],
      headerRows: 0,
    })
  }
}

function trackOf(blocks: Blocks, styled: StyledElement, rowWidth: number): Track {
  const { style } = styled
  const content = blocks.widths.of(styled)
  const maxContent = content.maxContent * slack + 2
  const minContent = content.minContent * slack
  const basis = style.get('flex-basis') ?? 'auto'
  const declared =
    (basis === 'auto' || basis === 'content' ? undefined : style.get('flex-basis')) ?? style.get('width')
  const grow = Number(style.get('flex-grow') ?? 0) || 0
  const percentage = /^([\d.]+)%$/.exec(declared?.trim() ?? '')?.[1]
  if (percentage !== undefined && Number(percentage) > 0)
    return { minContent, maxContent, fraction: Number(percentage) / 100 }
  if (grow > 0) return { minContent, maxContent, grow }
  const fixed = style.measure(declared, rowWidth)
  return fixed === undefined || fixed <= 0 ? { minContent, maxContent } : { minContent, maxContent, fixed }
}

/** Returns the widths, the space before the first of them, and the space after each. */
function spread(tracks: readonly Track[], style: ComputedStyle, rowWidth: number, gap: number): RowSpread {
  const count = tracks.length
  const gaps = Array.from({ length: Math.max(count - 1, 0) }, () => gap)
  const available = Math.max(rowWidth - gap * gaps.length, 20)
  const flexible = tracks.some((track) => track.grow !== undefined)
  const basis = tracks.map(
    ({ fixed, fraction, maxContent }) => fixed ?? (fraction === undefined ? maxContent : fraction * rowWidth),
  )
  const free = available - basis.reduce((sum, width) => sum + width, 0)
  if (flexible || free <= 0) return { widths: columnWidths(tracks, available), before: 0, between: gaps }
  const justify = style.word('justify-content') ?? 'flex-start'
  if (justify.startsWith('space-'))
    return { widths: basis, before: 0, between: gaps.map((gap) => gap + free / gaps.length) }
  if (justify === 'center') return { widths: basis, before: free / 2, between: gaps }
  if (justify === 'flex-end' || justify === 'end' || justify === 'right')
    return { widths: basis, before: free, between: gaps }
  // With floats on both sides, the free space is between them.
  if (!/flex|grid/.test(style.display))
    return {
      widths: basis,
      before: 0,
      between: gaps.map((gap, at) => (at === count - 2 ? gap + free : gap)),
    }
  return { widths: basis, before: 0, between: gaps }
}

interface RowSpread {
  readonly widths: readonly number[]
  readonly before: number
  readonly between: readonly number[]
}

/** Splits the members of a container that may wrap into rows; other containers have one row. */
function wrapped(
  blocks: Blocks,
  members: readonly StyledElement[],
  style: ComputedStyle,
  rowWidth: number,
): readonly (readonly StyledElement[])[] {
  const may = style.word('flex-wrap')?.startsWith('wrap') || !/flex$/.test(style.display)
  if (!may) return chunks(members, maxColumns)
  const rows: StyledElement[][] = [[]]
  let used = 0
  for (const member of members) {
    const { fixed, fraction, maxContent } = trackOf(blocks, member, rowWidth)
    const width = fraction === undefined ? Math.min(fixed ?? maxContent, rowWidth) : fraction * rowWidth
    const row = rows.at(-1) as StyledElement[]
    if (row.length > 0 && (used + width > rowWidth * 1.02 || row.length >= maxColumns)) {
      rows.push([member])
      used = width
    } else {
      row.push(member)
      used += width
    }
  }
  return rows
}

function chunks<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  )
}

/**
 * Parses the columns of a grid. Named lines and areas are not supported. Source: CSS Grid Layout Level 1,
 * 7.2.
 */
function gridTracks(style: ComputedStyle, rowWidth: number, members: number): readonly Track[] {
  const template = (style.get('grid-template-columns') ?? '').replace(/\[[^\]]*\]/g, ' ')
  const expanded = template.replace(
    /repeat\(\s*([\w-]+)\s*,((?:[^()]|\([^()]*\))*)\)/g,
    (_, count, track) => {
      const minimum = /minmax\(\s*([^,]+),/.exec(String(track))?.[1] ?? String(track)
      const fits = Math.max(
        1,
        Math.floor(rowWidth / Math.max(style.measure(minimum.trim(), rowWidth) ?? rowWidth / 3, 20)),
      )
      const times = /^\d+$/.test(String(count)) ? Number(count) : Math.min(fits, members)
      return Array.from({ length: Math.min(Math.max(times, 1), maxColumns) }, () => String(track)).join(' ')
    },
  )
  const tracks = partsOf(expanded)
    .slice(0, maxColumns)
    .map((word): Track => {
      const size = /^minmax\([^,]*,(.*)\)$/.exec(word)?.[1]?.trim() ?? word
      const parts = /^([\d.]+)fr$/.exec(size)?.[1]
      if (parts !== undefined) return { minContent: 20, maxContent: rowWidth, grow: Number(parts) || 1 }
      const fixed = style.measure(size, rowWidth)
      return fixed === undefined || fixed <= 0
        ? { minContent: 20, maxContent: rowWidth / 3, grow: 1 }
        : { minContent: 0, maxContent: fixed, fixed }
    })
  return tracks.length === 0 ? [{ minContent: 20, maxContent: rowWidth, grow: 1 }] : tracks
}
