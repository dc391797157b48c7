/** What stands side by side (flex, grid, floats, columns of inline blocks) as tables without lines. */
import { type Blocks, type Context, tableLayout } from './block-tools.ts'
import type { Styled } from './css/cascade.ts'
import { words } from './css/declarations.ts'
import type { Style } from './css/style.ts'
import type { TableCell } from './odf/nodes.ts'
import { isBlank, isText, type Kid, type Tree } from './tree.ts'
import { columnWidths, type Track } from './widths.ts'

const mostColumns = 24
/** Estimated widths are nearly right. */
const slack = 1.08

/** The blocks from here on that share a line, and where the last of them stands. */
export function besideEachOther(
  tree: Tree,
  kids: readonly Kid[],
  from: number,
): { readonly members: readonly Styled[]; readonly last: number } | undefined {
  const first = kids[from] as Styled
  const kind = besideKind(first)
  if (kind === undefined) return undefined
  const members: Styled[] = []
  let last = from
  for (let at = from; at < kids.length && members.length < mostColumns; at++) {
    const kid = kids[at] as Kid
    if (isBlank(kid)) continue
    if (isText(kid) || !tree.isBlock(kid) || besideKind(kid) !== kind) break
    if (members.length > 0 && (kid.style.word('clear') ?? 'none') !== 'none') break
    members.push(kid)
    last = at
  }
  if (members.length < 2) return undefined
  const right = members.filter((one) => one.style.word('float') === 'right')
  const left = members.filter((one) => one.style.word('float') !== 'right')
  return { members: [...left, ...right.toReversed()], last }
}

function besideKind({ style }: Styled): 'float' | 'inline' | undefined {
  const float = style.word('float')
  if (float === 'left' || float === 'right') return 'float'
  return style.display === 'inline-block' ? 'inline' : undefined
}

/** Members side by side, in several rows where there are too many for one. `style`: of what is around them. */
export function rowOf(blocks: Blocks, members: readonly Styled[], style: Style, context: Context): void {
  const { left } = context
  const whole = Math.max(context.width - left - context.right, 20)
  const gap = style.length('column-gap', whole) ?? 0
  const grid = style.display === 'grid' ? gridTracks(style, whole, members.length) : undefined
  const rows = grid === undefined ? wrapped(blocks, members, style, whole) : chunks(members, grid.length)
  const align = { center: 'middle', 'flex-end': 'bottom', end: 'bottom' }[style.word('align-items') ?? '']
  for (const row of rows) {
    const tracks = grid ?? row.map((one) => trackOf(blocks, one, whole))
    const { widths, before, between } = spread(tracks.slice(0, row.length), style, whole, gap)
    const columns: number[] = []
    const cells: TableCell[] = []
    for (const [at, one] of row.entries()) {
      const apart = at === 0 ? 0 : (between[at - 1] ?? 0)
      if (apart > 1) {
        columns.push(apart)
        cells.push({ ...blocks.gap(style, context), columns: 1, rows: 1 })
      }
      const width = widths[at] ?? 20
      columns.push(width)
      cells.push(blocks.cell(one, width, context, align === undefined ? {} : { align }))
    }
    const rtl = style.word('direction') === 'rtl'
    const total = columns.reduce((sum, one) => sum + one, 0)
    blocks.emitTable({
      kind: 'table',
      layout: tableLayout(left + before, total, rtl),
      columns,
      rows: [{ layout: new Map([['fo:keep-together', 'auto']]), cells }],
      headerRows: 0,
    })
  }
}

function trackOf(blocks: Blocks, one: Styled, whole: number): Track {
  const { style } = one
  const wanted = blocks.widths.of(one)
  const most = wanted.most * slack + 2
  const least = wanted.least * slack
  const basis = style.get('flex-basis') ?? 'auto'
  const said =
    (basis === 'auto' || basis === 'content' ? undefined : style.get('flex-basis')) ?? style.get('width')
  const grow = Number(style.get('flex-grow') ?? 0) || 0
  const share = /^([\d.]+)%$/.exec(said?.trim() ?? '')?.[1]
  if (share !== undefined && Number(share) > 0) return { least, most, share: Number(share) / 100 }
  if (grow > 0) return { least, most, grow }
  const fixed = style.measure(said, whole)
  return fixed === undefined || fixed <= 0 ? { least, most } : { least, most, fixed }
}

/** Widths, the room before the first of them, and the room behind each. */
function spread(tracks: readonly Track[], style: Style, whole: number, gap: number): Spread {
  const count = tracks.length
  const gaps = Array.from({ length: Math.max(count - 1, 0) }, () => gap)
  const room = Math.max(whole - gap * gaps.length, 20)
  const flexible = tracks.some((track) => track.grow !== undefined)
  const wanted = tracks.map(({ fixed, share, most }) => fixed ?? (share === undefined ? most : share * whole))
  const free = room - wanted.reduce((sum, one) => sum + one, 0)
  if (flexible || free <= 0) return { widths: columnWidths(tracks, room), before: 0, between: gaps }
  const justify = style.word('justify-content') ?? 'flex-start'
  if (justify.startsWith('space-'))
    return { widths: wanted, before: 0, between: gaps.map((one) => one + free / gaps.length) }
  if (justify === 'center') return { widths: wanted, before: free / 2, between: gaps }
  if (justify === 'flex-end' || justify === 'end' || justify === 'right')
    return { widths: wanted, before: free, between: gaps }
  // Floats at both sides: what is free lies between them.
  if (!/flex|grid/.test(style.display))
    return {
      widths: wanted,
      before: 0,
      between: gaps.map((one, at) => (at === count - 2 ? one + free : one)),
    }
  return { widths: wanted, before: 0, between: gaps }
}

interface Spread {
  readonly widths: readonly number[]
  readonly before: number
  readonly between: readonly number[]
}

/** Rows of a container that lets its members wrap; one row of any other. */
function wrapped(
  blocks: Blocks,
  members: readonly Styled[],
  style: Style,
  whole: number,
): readonly (readonly Styled[])[] {
  const may = style.word('flex-wrap')?.startsWith('wrap') || !/flex$/.test(style.display)
  if (!may) return chunks(members, mostColumns)
  const rows: Styled[][] = [[]]
  let used = 0
  for (const one of members) {
    const { fixed, share, most } = trackOf(blocks, one, whole)
    const width = share === undefined ? Math.min(fixed ?? most, whole) : share * whole
    const row = rows.at(-1) as Styled[]
    if (row.length > 0 && (used + width > whole * 1.02 || row.length >= mostColumns)) {
      rows.push([one])
      used = width
    } else {
      row.push(one)
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

/** Source: CSS Grid Layout Level 1, 7.2. Lines with names and areas are not read. */
function gridTracks(style: Style, whole: number, members: number): readonly Track[] {
  const template = (style.get('grid-template-columns') ?? '').replace(/\[[^\]]*\]/g, ' ')
  const expanded = template.replace(
    /repeat\(\s*([\w-]+)\s*,((?:[^()]|\([^()]*\))*)\)/g,
    (_, count, track) => {
      const least = /minmax\(\s*([^,]+),/.exec(String(track))?.[1] ?? String(track)
      const fits = Math.max(
        1,
        Math.floor(whole / Math.max(style.measure(least.trim(), whole) ?? whole / 3, 20)),
      )
      const times = /^\d+$/.test(String(count)) ? Number(count) : Math.min(fits, members)
      return Array.from({ length: Math.min(Math.max(times, 1), mostColumns) }, () => String(track)).join(' ')
    },
  )
  const tracks = words(expanded)
    .slice(0, mostColumns)
    .map((word): Track => {
      const size = /^minmax\([^,]*,(.*)\)$/.exec(word)?.[1]?.trim() ?? word
      const parts = /^([\d.]+)fr$/.exec(size)?.[1]
      if (parts !== undefined) return { least: 20, most: whole, grow: Number(parts) || 1 }
      const fixed = style.measure(size, whole)
      return fixed === undefined || fixed <= 0
        ? { least: 20, most: whole / 3, grow: 1 }
        : { least: 0, most: fixed, fixed }
    })
  return tracks.length === 0 ? [{ least: 20, most: whole, grow: 1 }] : tracks
}
