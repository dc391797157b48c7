/**
 * Conditions on markup: blocks between begin and end tags, and elements that are dropped or kept. Both become guards:
 * sets of tokens that are written only when a condition allows it. Source: template language 12.4 and 12.5.
 */
import { entryOf } from '../../entry-of.ts'
import { type TableIndex, tableOf } from '../nest/table.ts'
import type { ElementTree } from '../nest/tree.ts'
import type { CallNode } from '../parse/ast.ts'
import type { Token } from '../scan/tokens.ts'
import { columnOf, type NarrowedCell, type TokenRange } from './columns.ts'
import type { BoundLoops, Loop } from './loops.ts'
import { type BindContext, locationOf, shorten, tagOf, type ValueTag } from './part.ts'

/** A condition and the tokens it governs. */
export interface Guard {
  readonly tag: ValueTag
  readonly calls: readonly CallNode[] // without the structure formatter
  /** The result of the condition for which the tokens are written. */
  readonly keepsWhen: boolean
  readonly ranges: readonly TokenRange[]
  /** Where the condition is evaluated: its loops are those around this token. */
  readonly at: number
  /** The markup that replaces the tokens when they are dropped. */
  readonly standIn: StandIn | undefined
  readonly block: boolean
  /**
   * Set for a block if one of its tags is alone in its element while the other shares its element with content: both elements
   * remain.
   */
  readonly uneven?: { readonly end: ValueTag }
  /** Set for a column: the cells that lose it and stay. */
  readonly narrowed?: readonly NarrowedCell[]
}

export interface StandIn {
  readonly before: number // the token in front of which it is written
  readonly markup: string
}

const begins = new Set(['showBegin', 'hideBegin'])
const ends = new Set(['showEnd', 'hideEnd'])
const drops = new Set(['drop', 'keep'])

const maxBlockDepth = 100
/**
 * The maximum number of dropped columns. Each of them requires a pass over its table, so the product must be
 * bounded.
 */
const maxColumns = 2_000
/** The maximum number of elements that one tag drops together. */
const maxElements = 1_000
/** The maximum number of paragraphs examined next to a dropped one, to find out whether its cell keeps another. */
const maxSiblings = 200

const lastCall = (tag: ValueTag): string => tag.calls.at(-1)?.name ?? ''

export const isGuardTag = (tag: ValueTag): boolean => {
  const last = lastCall(tag)
  return begins.has(last) || ends.has(last) || drops.has(last)
}

/**
 * Finds all guards and reports blocks that do not close. Tags in the markers of loops do not become guards.
 */
export function findGuards(
  context: BindContext,
  tags: readonly ValueTag[],
  { loops, removed }: BoundLoops,
): Guard[] {
  const { report, tree } = context
  const guards: Guard[] = []
  const openBlocks: ValueTag[] = []
  const content = contentBefore(tree.tokens)
  let columns = 0
  const standIns = new Map<number, StandIn | undefined>()
  for (const tag of tags) {
    if (removed[tag.at] === 1) continue
    const last = lastCall(tag)
    if (begins.has(last)) {
      openBlocks.push(tag)
      if (openBlocks.length > maxBlockDepth) {
        report.add('template.block.too-deep', { limit: maxBlockDepth }, locationOf(context, tag.at))
        return []
      }
    } else if (ends.has(last)) {
      const begin = openBlocks.pop()
      if (begin === undefined)
        report.add('template.tag.unopened', { tag: tagOf(tag.token) }, locationOf(context, tag.at))
      else guards.push(blockGuard(tree, content, begin, tag))
    } else if (drops.has(last)) {
      if (argumentText(tag.calls.at(-1), 0) === 'col' && ++columns > maxColumns) {
        report.add('template.tag.too-many', { limit: maxColumns }, locationOf(context, tag.at))
        break
      }
      const guard = dropGuard(context, tag, { loops, standIns })
      if (guard !== undefined) guards.push(guard)
    }
  }
  for (const tag of openBlocks) reportUnclosed(context, tag)
  // Outer blocks come first, so that the tokens inside share one list of guards.
  return guards.sort((a, b) => a.tag.at - b.tag.at)
}

function reportUnclosed(context: BindContext, tag: ValueTag): void {
  const end = lastCall(tag).replace('Begin', 'End')
  const path = /^[^:]*/.exec(tag.token.text)?.[0] ?? ''
  context.report.add(
    'template.tag.unclosed',
    { tag: tagOf(tag.token), expected: `{${shorten(path)}:${end}}` },
    locationOf(context, tag.at),
  )
}

/** A block governs its tokens, except the opening and closing tags of elements that are only partly inside it. */
function blockGuard(tree: ElementTree, content: Int32Array, begin: ValueTag, end: ValueTag): Guard {
  const { start, stop, uneven } = extendedRange(tree, content, begin.at, end.at)
  const ranges: TokenRange[] = []
  let from = start
  for (let index = start; index < stop; index += 1) {
    const partner = tree.matchOf(index)
    if (partner < 0 || (partner >= start && partner < stop)) continue
    if (index > from) ranges.push({ start: from, stop: index })
    index = tree.endOfOpening(index)
    from = index + 1
  }
  if (stop > from) ranges.push({ start: from, stop })
  return {
    tag: begin,
    calls: begin.calls.slice(0, -1),
    keepsWhen: lastCall(begin) === 'showBegin',
    ranges,
    at: begin.at,
    standIn: undefined,
    block: true,
    ...(uneven && { uneven: { end } }),
  }
}

/**
 * Extends the range of a block by the elements that removing it would leave empty: those that contain nothing before the
 * begin tag and close inside, and those that open inside and contain nothing after the end tag. The range is extended only if
 * both kinds exist, so that the removed markup is balanced. Source: template language 12.4, 1.
 */
function extendedRange(
  tree: ElementTree,
  content: Int32Array,
  begin: number,
  end: number,
): TokenRange & { readonly uneven: boolean } {
  const hasContent = (from: number, to: number) => (content[to] ?? 0) > (content[from] ?? 0)
  let start = begin
  let beginShares = false
  for (let open = tree.parentOf(begin); open >= 0 && tree.matchOf(open) < end; open = tree.parentOf(open)) {
    beginShares ||= hasContent(open + 1, begin)
    start = open
  }
  let stop = end + 1
  let endShares = false
  for (let open = tree.parentOf(end); open >= 0 && open > begin; open = tree.parentOf(open)) {
    endShares ||= hasContent(end + 1, tree.matchOf(open))
    stop = tree.matchOf(open) + 1
  }
  const isAlone = start < begin && stop > end + 1 && beginShares !== endShares
  return beginShares || endShares
    ? { start: begin, stop: end + 1, uneven: isAlone }
    : { start, stop, uneven: false }
}

/** The number of tokens with content before each token: text, or a tag that prints. */
function contentBefore(tokens: readonly Token[]): Int32Array {
  const counts = new Int32Array(tokens.length + 1)
  let count = 0
  tokens.forEach((token, index) => {
    const prints =
      token.kind === 'tag' &&
      token.hidden !== true &&
      !/:(?:show|hide)(?:Begin|End)(?:\(\))?$|:(?:drop|keep)\(/.test(token.text)
    const isVisibleText = token.kind === 'text' && token.markup === undefined && /\S/.test(token.raw)
    if (prints || isVisibleText) count += 1
    counts[index + 1] = count
  })
  return counts
}

function dropGuard(
  context: BindContext,
  tag: ValueTag,
  { loops, standIns }: { loops: readonly Loop[]; standIns: Map<number, StandIn | undefined> },
): Guard | undefined {
  const { rules, tree, report, format } = context
  const call = tag.calls.at(-1)
  const kind = argumentText(call, 0)
  const names = entryOf(rules.elements, kind)
  if (names === undefined) {
    const allowed = Object.keys(rules.elements).join(', ') || 'none'
    const details = { tag: tagOf(tag.token), element: kind, format, known: allowed }
    report.add('template.element.unknown', details, locationOf(context, tag.at))
    return undefined
  }
  const open = dropped(tree, tag.at, names)
  if (open < 0) {
    const details = { tag: tagOf(tag.token), element: kind }
    report.add('template.element.missing', details, locationOf(context, tag.at))
    return undefined
  }
  if (kind === 'col' && asksItemsOfColumns(tree, loops, tag, open)) {
    report.add('template.element.column', { tag: tagOf(tag.token) }, locationOf(context, tag.at))
    return undefined
  }
  const count = Math.trunc(Number(argumentText(call, 1))) || 1
  const stop = behindElements(tree, open, names, Math.min(maxElements, Math.max(1, count)))
  if (kind === 'p' && !standIns.has(open)) standIns.set(open, standInFor(context, open, stop))
  const column = kind === 'col' && rules.grid !== undefined ? columnOf(context, open, rules.grid) : undefined
  return {
    tag,
    calls: tag.calls.slice(0, -1),
    keepsWhen: call?.name === 'keep',
    ranges: column?.ranges ?? [{ start: open, stop }],
    // A column is evaluated once for all rows, even if some of them repeat.
    at: column === undefined ? open : tableOf(context, open),
    standIn: standIns.get(open),
    block: false,
    ...(column !== undefined && { narrowed: column.narrowed }),
  }
}

/**
 * Whether a loop repeats the column of the tag and the condition reads the items of that loop. A column is one decision for all
 * rows, so such a tag would remove the columns of all items as soon as it removes that of one.
 */
function asksItemsOfColumns(tree: ElementTree, loops: readonly Loop[], tag: ValueTag, cell: number): boolean {
  const row = tree.parentOf(cell)
  return loops.some(
    ({ key, start, stop }) =>
      start > row &&
      start <= cell &&
      stop > cell &&
      stop <= tree.matchOf(row) &&
      tag.iterated.some((array) => array.key === key),
  )
}

/** The element to drop. `names` lists the wrapper of a shape, which exists only for it, before the shape itself. */
function dropped(tree: ElementTree, index: number, names: readonly string[]): number {
  for (const name of names) {
    const open = tree.ancestor(index, [name])
    if (open >= 0) return open
  }
  return -1
}

/**
 * The index after `count` elements with these names, starting with the one at `open` and within the same
 * parent.
 */
function behindElements(tree: ElementTree, open: number, names: readonly string[], count: number): number {
  let stop = tree.indexAfter(open)
  let elementsLeft = count - 1
  for (let index = stop; elementsLeft > 0 && index < tree.tokens.length; index = tree.indexAfter(index)) {
    if (tree.tokens[index]?.kind === 'close') break
    if (names.includes(tree.nameOf(index) ?? '')) {
      elementsLeft -= 1
      stop = tree.indexAfter(index)
    }
  }
  return stop
}

const argumentText = (call: CallNode | undefined, index: number): string => {
  const arg = call?.args[index]
  return arg?.kind === 'text' ? arg.text : ''
}

/**
 * The markup that must remain when a paragraph is dropped: a section break, or an empty paragraph at the end of
 * a cell.
 */
function standInFor({ rules, tree }: TableIndex, open: number, stop: number): StandIn | undefined {
  const { keepInParagraph, emptyParagraph } = rules
  if (keepInParagraph !== undefined) {
    for (let index = open; index < stop; index += 1) {
      if (tree.nameOf(index) !== keepInParagraph.element) continue
      const replacement = tree.raw(index, tree.indexAfter(index))
      return { before: open, markup: keepInParagraph.before + replacement + keepInParagraph.after }
    }
  }
  const holder = tree.parentOf(open)
  const holderName = tree.nameOf(holder)
  if (emptyParagraph === undefined || holderName === undefined || !emptyParagraph.in.includes(holderName))
    return undefined
  const filled = rules.filled?.[holderName]
  let hasOthers = false
  let siblingsLeft = maxSiblings
  for (
    let sibling = holder + 1;
    sibling < tree.matchOf(holder) && siblingsLeft > 0;
    sibling = tree.indexAfter(sibling)
  ) {
    siblingsLeft -= 1
    const name = tree.nameOf(sibling) ?? ''
    const isParagraph = rules.paragraphs.includes(name)
    // No replacement is needed when another paragraph always remains.
    if (isParagraph && (sibling < open || sibling >= stop) && !hasDrop(tree, sibling)) return undefined
    const isProperties = filled?.skip.includes(name) === true
    if (!isParagraph && !isProperties && tree.tokens[sibling]?.kind === 'open') hasOthers = true
  }
  // In a holder that contains only paragraphs, its rule `filled` ensures that one remains.
  if (filled?.instead !== undefined && !hasOthers) return undefined
  return { before: open, markup: emptyParagraph.markup }
}

function hasDrop(tree: ElementTree, element: number): boolean {
  return tree.tokens
    .slice(element, Math.max(element, tree.matchOf(element)))
    .some((token) => token.kind === 'tag' && /:(drop|keep)\(/.test(token.text))
}
