/**
 * The bind pass connects the tags of a part to loops and conditions. Its result is the tree with, for each
 * token, the innermost loop around it and the guards that apply to it. No later pass looks for loops or
 * conditions again.
 */
import { spanOf, type WrittenNumber } from '../nest/table.ts'
import { mergedCells } from './columns.ts'
import type { ReadPart } from './embedded.ts'
import { gridLoops, type WideCell } from './grid.ts'
import { findGuards, type Guard } from './guards.ts'
import { findLoops, type Loop, loopOfTokens } from './loops.ts'
import { type BindContext, locationOf, tagOf, type ValueTag } from './part.ts'
import type { EnclosingLoop } from './paths.ts'
import { isSetTag, reduces } from './tag-kinds.ts'

/** The tags of a part, parsed. */
export interface PartTags {
  readonly values: readonly ValueTag[]
  readonly translations: ReadonlyMap<number, string> // token -> key
  /**
   * Arrays whose items are read by attribute somewhere in the template. Their markers without an attribute
   * print nothing.
   */
  readonly objectArrays: ReadonlySet<string>
  readonly embedded?: ReadPart['embedded']
}

/** A part with the loops and guards of its tokens. It is plain data: loops and guards are referred to by index. */
export interface ScopedPart {
  readonly context: BindContext
  readonly tags: PartTags
  readonly loops: readonly Loop[]
  readonly loopOf: Int32Array // innermost loop around each token, -1 outside
  readonly removed: Uint8Array // 1 for tokens of loop markers
  readonly guards: readonly Guard[]
  readonly guardsOf: readonly (readonly number[])[] // per token, outer guards first
  /** Token -> the guards whose replacement markup is written before it. */
  readonly standIns: ReadonlyMap<number, readonly number[]>
  /**
   * Loop -> the guards and flags that are evaluated again for each of its items. The numbers of flags follow
   * those of the guards.
   */
  readonly resets: ReadonlyMap<number, readonly number[]>
  readonly flags: number
  /** Entry in a table's list of columns, or covered cell -> the loop that repeats it. */
  readonly gridLoops: ReadonlyMap<number, Loop>
  /** Cells that lose columns, by their first token. A cell that loses all its columns is removed. */
  readonly narrowed: ReadonlyMap<number, CellColumns>
  /** The token with the column span of a cell -> the number that replaces it. */
  readonly widths: ReadonlyMap<number, WrittenNumber & { readonly columns: CellColumns }>
  /** The token that begins a cell merged over repeated rows -> the flag that is set once the cell has begun. */
  readonly mergedCells: ReadonlyMap<number, number>
}

/**
 * The column span of a cell: `span`, minus the columns that conditions drop, plus those that loops add for each
 * item.
 */
export interface CellColumns {
  readonly span: number
  readonly dropped: readonly { readonly condition: number; readonly by: number }[]
  readonly grows: readonly Loop[]
}

/**
 * The maximum number of entries in `guardsOf`. Without it, many blocks around many tokens would cost their
 * product.
 */
const maxGuardEntries = 4_000_000

/** Reports loops and blocks that do not close or overlap. `takeSlot` numbers the loops of a whole template. */
export function bindPart(context: BindContext, tags: PartTags, takeSlot: () => number): ScopedPart {
  const { tree } = context
  const acting = tags.values.filter((tag) => !isSetTag(tag))
  const { loops, removed } = findLoops(context, acting, reduces, takeSlot)
  const grid = gridLoops(context, loops)
  for (const { start, stop } of grid.removed) removed.fill(1, start, stop)
  const loopOf = loopOfTokens(loops, tree.tokens.length)
  const guards = findGuards(context, acting, { loops, removed })
  const resets = new Map<number, number[]>()
  const reset = (loop: number, id: number) => {
    const ids = resets.get(loop)
    if (ids === undefined) resets.set(loop, [id])
    else ids.push(id)
  }
  guards.forEach((guard, id) => {
    for (const loop of loopsFrom(loops, homeOf(guard, loopOf))) reset(loop.index, id)
  })
  const bound = { context, tags, loops, loopOf, removed, guards }
  const { guardsOf, standIns } = spreadGuards(bound)
  const merged = mergedAcrossLoops(bound, guards.length)
  for (const { home, flag } of merged) if (home >= 0) reset(home, flag)
  return {
    ...bound,
    guardsOf,
    standIns,
    resets,
    flags: merged.length,
    gridLoops: grid.loops,
    ...cellColumns(context, guards, grid.wide),
    mergedCells: new Map(merged.map(({ at, flag }) => [at, flag])),
  }
}

type BoundPart = Pick<ScopedPart, 'context' | 'tags' | 'loops' | 'loopOf' | 'removed' | 'guards'>

/** The loop in which a guard is evaluated, the innermost one around all of its tokens; -1 outside of all loops. */
export const homeOf = (guard: Guard, loopOf: Int32Array): number => loopOf[guard.at] ?? -1

/** The loop with this index and those around it, innermost first. Empty for -1. */
export function loopsFrom(loops: readonly Loop[], index: number): Loop[] {
  const enclosing: Loop[] = []
  for (let loop = loops[index]; loop !== undefined; loop = loop.parent) enclosing.push(loop)
  return enclosing
}

/**
 * The loops that the tags in a loop can refer to, outermost first: those around the part, those around the
 * loop, and itself.
 */
export const enclosingLoops = ({ context, loops }: BoundPart, index: number): EnclosingLoop[] => [
  ...(context.outerLoops ?? []),
  ...loopsFrom(loops, index).reverse(),
]

/** Lists the guards that apply to each token. Neighbouring tokens usually have the same guards and then share one list. */
function spreadGuards(bound: BoundPart): Pick<ScopedPart, 'guardsOf' | 'standIns'> {
  const { context, guards } = bound
  const { report, limits, part, tree } = context
  const noGuards: readonly number[] = []
  const guardsOf: (readonly number[])[] = new Array(tree.tokens.length).fill(noGuards)
  const standIns = new Map<number, number[]>()
  let entries = 0
  for (const [id, guard] of guards.entries()) {
    let outerGuards: readonly number[] | undefined
    let withGuard: readonly number[] = noGuards
    for (const { start, stop } of guard.ranges) {
      for (let index = start; index < stop; index += 1) {
        const current = guardsOf[index] ?? noGuards
        if (current !== outerGuards) {
          outerGuards = current
          withGuard = [...current, id]
          entries += withGuard.length
        }
        guardsOf[index] = withGuard
      }
      entries += stop - start
    }
    if (guard.standIn !== undefined)
      standIns.set(guard.standIn.before, [...(standIns.get(guard.standIn.before) ?? []), id])
    if (entries > maxGuardEntries) {
      report.add('template.tag.too-many', { limit: limits.tags }, { part })
      return { guardsOf: guardsOf.fill(noGuards), standIns }
    }
  }
  if (!report.failed) for (const guard of guards) checkEdges(bound, guard)
  return { guardsOf, standIns }
}

/** Reports a block that begins inside a loop and ends outside it, or the other way round. */
function checkEdges({ context, loops, loopOf }: BoundPart, guard: Guard): void {
  // A column may have cells in loops over rows, and its condition applies to all of them.
  if (guard.narrowed !== undefined) return
  const home = homeOf(guard, loopOf)
  for (const { start, stop } of guard.ranges) {
    for (let token = start; token < stop; token += 1) {
      const index = loopOf[token] ?? -1
      if (index === home) continue
      // The loop that is a direct child of the guard's own loop must be entirely inside the range.
      const loop = loopsFrom(loops, index).find(({ parent }) => (parent?.index ?? -1) === home)
      if (loop !== undefined && loop.start >= start && loop.stop <= stop) {
        token = loop.stop - 1
        continue
      }
      context.report.add(
        'template.block.overlap',
        { tag: tagOf(guard.tag.token) },
        locationOf(context, guard.tag.at),
      )
      break
    }
  }
}

/** Computes the columns that cells lose to conditions and gain from loops over columns. */
function cellColumns(
  context: BindContext,
  guards: readonly Guard[],
  wide: readonly WideCell[],
): Pick<ScopedPart, 'narrowed' | 'widths'> {
  const narrowed = new Map<number, CellColumns>()
  guards.forEach(({ narrowed: cells = [] }, condition) => {
    for (const { cell, span, by } of cells) {
      const columns = narrowed.get(cell) ?? { span, dropped: [], grows: [] }
      narrowed.set(cell, { ...columns, dropped: [...columns.dropped, { condition, by }] })
    }
  })
  const widthOf = new Map([...narrowed].map(([cell, columns]) => [cell, columns]))
  for (const { cell, span, lost, loops } of wide) {
    if (spanOf(context, cell) === undefined) continue
    const unwidened = narrowed.get(cell) ?? { span, dropped: [] }
    const columns: CellColumns = { ...unwidened, span: unwidened.span - lost, grows: loops }
    widthOf.set(cell, columns)
    if (narrowed.has(cell)) narrowed.set(cell, columns)
  }
  const widths = [...widthOf].flatMap(([cell, columns]) => {
    const width = spanOf(context, cell)
    return width === undefined ? [] : [[width.at, { ...width, columns }] as const]
  })
  return { narrowed, widths: new Map(widths) }
}

/**
 * Cells merged over rows that repeat. A merged cell that covers the marker of a loop covers all copies of its
 * row: the first copy begins it and the others continue it. Where the cell shows an item of the loop, each item
 * begins a cell of its own.
 */
function mergedAcrossLoops(
  { context, tags, loops, loopOf, removed }: BoundPart,
  firstFlag: number,
): { readonly at: number; readonly home: number; readonly flag: number }[] {
  if (loops.length === 0) return []
  const merged: { at: number; home: number; flag: number }[] = []
  for (const { at, cell, row, below } of mergedCells(context)) {
    if (below.length === 0 || removed[at] === 1) continue
    const stop = context.tree.matchOf(cell)
    const shows = (loop: Loop) =>
      tags.values.some(
        (tag) => tag.at > cell && tag.at < stop && tag.iterated.some(({ key }) => key === loop.key),
      )
    const covers = (loop: Loop) =>
      below.some((rowBelow) => rowBelow >= loop.marker.start && rowBelow < loop.marker.stop)
    const rowLoop = loopOf[row] ?? -1
    const home = loopsFrom(loops, rowLoop).find((loop) => !covers(loop) || shows(loop))?.index ?? -1
    if (home !== rowLoop) merged.push({ at, home, flag: firstFlag + merged.length })
  }
  return merged
}
