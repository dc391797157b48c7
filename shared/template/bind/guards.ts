/**
 * Conditions on markup: blocks between begin and end tags, and elements that are dropped or kept. Both become sets of
 * pieces that are written only when a condition allows it. Source: template language 12.4 and 12.5.
 */
import type { CallNode } from '../parse/ast.ts'
import { columnOf, type Narrowed, tableOf } from './columns.ts'
import { type PartContext, placeOf, shorten, tagOf, type ValueTag } from './part.ts'

/** A condition and the pieces it governs. */
export interface Guard {
  readonly tag: ValueTag
  readonly calls: readonly CallNode[] // without the structure formatter
  /** The truth of the condition that shows the pieces. */
  readonly wanted: boolean
  readonly ranges: readonly { readonly start: number; readonly stop: number }[]
  /** Where the condition is judged: its loops are those around this piece. */
  readonly at: number
  /** What is written in place of the pieces. */
  readonly instead: { readonly before: number; readonly markup: string } | undefined
  readonly block: boolean
  /** Set for a column: the cells that lose it and stay. */
  readonly narrowed?: readonly Narrowed[]
}

const begins = new Set(['showBegin', 'hideBegin'])
const ends = new Set(['showEnd', 'hideEnd'])
const drops = new Set(['drop', 'keep'])

const blockDepth = 100
/** Tags that drop columns, elements dropped at once, paragraphs looked at beside a dropped one. */
const maxColumns = 2_000
const maxElements = 1_000
const maxSiblings = 200

export const isGuardTag = (tag: ValueTag): boolean => {
  const last = tag.calls.at(-1)?.name ?? ''
  return begins.has(last) || ends.has(last) || drops.has(last)
}

export function findGuards(context: PartContext, tags: readonly ValueTag[], removed: Uint8Array): Guard[] {
  const guards: Guard[] = []
  const stack: ValueTag[] = []
  const content = contentBefore(context.tokens)
  let columns = 0
  const standIns = new Map<number, Guard['instead']>()
  for (const tag of tags) {
    if (removed[tag.at] === 1) continue
    const last = tag.calls.at(-1)?.name ?? ''
    if (begins.has(last)) {
      stack.push(tag)
      if (stack.length > blockDepth) {
        context.report.add('template.block.too-deep', { limit: blockDepth }, placeOf(context, tag.at))
        return []
      }
    } else if (ends.has(last)) {
      const begin = stack.pop()
      if (begin === undefined) {
        context.report.add('template.tag.unopened', { tag: tagOf(tag.token) }, placeOf(context, tag.at))
      } else guards.push(blockGuard(context, content, begin, tag))
    } else if (drops.has(last)) {
      // Each looks at the whole table.
      if (argumentText(tag.calls.at(-1)!, 0) === 'col' && ++columns > maxColumns) {
        context.report.add('template.tag.too-many', { limit: maxColumns }, placeOf(context, tag.at))
        break
      }
      const guard = dropGuard(context, tag, standIns)
      if (guard !== undefined) guards.push(guard)
    }
  }
  for (const tag of stack) {
    const end = tag.calls.at(-1)!.name.replace('Begin', 'End')
    const path = /^[^:]*/.exec(tag.token.text)![0]
    context.report.add(
      'template.tag.unclosed',
      { tag: tagOf(tag.token), expected: `{${shorten(path)}:${end}}` },
      placeOf(context, tag.at),
    )
  }
  // Outer blocks first: what stands under them then shares its list of guards.
  return guards.sort((a, b) => a.tag.at - b.tag.at)
}

function blockGuard(context: PartContext, content: Int32Array, begin: ValueTag, end: ValueTag): Guard {
  const { match } = context
  const { start, stop } = swallowed(context, content, begin.at, end.at)
  const ranges: { start: number; stop: number }[] = []
  let from = start
  for (let at = start; at < stop; at += 1) {
    const partner = match[at]!
    if (partner < 0 || (partner >= start && partner < stop)) continue
    if (at > from) ranges.push({ start: from, stop: at })
    at = endOfOpening(context.tokens, at)
    from = at + 1
  }
  if (stop > from) ranges.push({ start: from, stop })
  return {
    tag: begin,
    calls: begin.calls.slice(0, -1),
    wanted: begin.calls.at(-1)!.name === 'showBegin',
    ranges,
    at: begin.at,
    instead: undefined,
    block: true,
  }
}

/** The last piece of the opening tag that begins at a piece: attributes with tags or computed values follow it. */
function endOfOpening(tokens: PartContext['tokens'], at: number): number {
  const open = tokens[at]!
  if (open.kind !== 'open' || open.raw.endsWith('>')) return at
  for (let n = at + 1; n < tokens.length; n += 1) {
    const token = tokens[n]!
    if (token.kind === 'text' && token.markup === true && token.raw.endsWith('>')) return n
    if (token.kind !== 'text' && token.kind !== 'tag' && token.kind !== 'computed') return n - 1
  }
  return at
}

/**
 * The range, grown at each end over the elements that would be left empty: those that hold nothing before the begin and
 * close inside, those that open inside and hold nothing behind the end.
 */
function swallowed(
  context: PartContext,
  content: Int32Array,
  begin: number,
  end: number,
): { start: number; stop: number } {
  const { match, parent } = context
  let start = begin
  for (let open = parent[begin]!; open >= 0 && match[open]! < end; open = parent[open]!) {
    if (content[start]! > content[open + 1]!) {
      start = begin
      break
    }
    start = open
  }
  let stop = end + 1
  for (let open = parent[end]!; open >= 0 && open > begin; open = parent[open]!) {
    if (content[match[open]!]! > content[stop]!) {
      stop = end + 1
      break
    }
    stop = match[open]! + 1
  }
  return { start, stop }
}

/** Number of pieces with content before each piece: text, or a tag that prints. */
function contentBefore(tokens: PartContext['tokens']): Int32Array {
  const counts = new Int32Array(tokens.length + 1)
  tokens.forEach((token, at) => {
    const prints =
      token.kind === 'tag' &&
      token.hidden !== true &&
      !/:(?:show|hide)(?:Begin|End)(?:\(\))?$|:(?:drop|keep)\(/.test(token.text)
    const words = token.kind === 'text' && token.markup === undefined && /\S/.test(token.raw)
    counts[at + 1] = counts[at]! + (prints || words ? 1 : 0)
  })
  return counts
}

function dropGuard(
  context: PartContext,
  tag: ValueTag,
  standIns: Map<number, Guard['instead']>,
): Guard | undefined {
  const { rules, tokens, match, parent, report, format } = context
  const call = tag.calls.at(-1)!
  const kind = argumentText(call, 0)
  const names = Object.hasOwn(rules.elements, kind) ? rules.elements[kind]! : undefined
  if (names === undefined) {
    const known = Object.keys(rules.elements).join(', ') || 'none'
    report.add(
      'template.element.unknown',
      { tag: tagOf(tag.token), element: kind, format, known },
      placeOf(context, tag.at),
    )
    return undefined
  }
  // Where a shape is wrapped in something that exists for it alone, the wrapper is named first.
  let open = -1
  for (let n = 0; n < names.length && open < 0; n += 1) {
    open = parent[tag.at]!
    while (open >= 0 && (tokens[open] as { name: string }).name !== names[n]) open = parent[open]!
  }
  if (open < 0) {
    report.add('template.element.missing', { tag: tagOf(tag.token), element: kind }, placeOf(context, tag.at))
    return undefined
  }
  const wantedCount = Math.min(maxElements, Math.max(1, Math.trunc(Number(argumentText(call, 1))) || 1))
  let stop = match[open]! + 1
  for (let left = wantedCount - 1, at = stop; left > 0 && at < tokens.length; ) {
    const token = tokens[at]!
    if (token.kind === 'close') break
    const end = token.kind === 'open' ? match[at]! + 1 : at + 1
    if ((token.kind === 'open' || token.kind === 'void') && names.includes(token.name)) {
      left -= 1
      stop = end
    }
    at = end
  }
  if (kind === 'p' && !standIns.has(open)) standIns.set(open, standIn(context, open, stop))
  const column = kind === 'col' && rules.grid !== undefined ? columnOf(context, open) : undefined
  return {
    tag,
    calls: tag.calls.slice(0, -1),
    wanted: call.name === 'keep',
    ranges: column?.ranges ?? [{ start: open, stop }],
    // A column is there once for all rows, also where some of them repeat.
    at: column === undefined ? open : tableOf(context, open),
    instead: standIns.get(open),
    block: false,
    ...(column !== undefined && { narrowed: column.narrowed }),
  }
}

const argumentText = (call: CallNode, at: number): string => {
  const arg = call.args[at]
  return arg?.kind === 'text' ? arg.text : ''
}

/** What must stay when a paragraph goes: a section break, or an empty paragraph at the end of a cell. */
function standIn(context: PartContext, open: number, stop: number): Guard['instead'] {
  const { rules, tokens, match, parent } = context
  const { keepInParagraph, emptyParagraph } = rules
  if (keepInParagraph !== undefined) {
    for (let at = open; at < stop; at += 1) {
      const token = tokens[at]!
      if (token.kind !== 'open' && token.kind !== 'void') continue
      if (token.name !== keepInParagraph.element) continue
      const raw = tokens
        .slice(at, (match[at]! < 0 ? at : match[at]!) + 1)
        .map((inside) => ('raw' in inside ? inside.raw : ''))
        .join('')
      return { before: open, markup: keepInParagraph.before + raw + keepInParagraph.after }
    }
  }
  const holder = tokens[parent[open]!]
  if (emptyParagraph === undefined || holder?.kind !== 'open' || !emptyParagraph.in.includes(holder.name))
    return undefined
  // Another paragraph that is always there makes the stand-in needless.
  const refilled = rules.filled?.[holder.name]?.instead !== undefined
  let others = false
  let left = maxSiblings
  for (
    let at = parent[open]! + 1;
    at < match[parent[open]!]! && left > 0;
    at = match[at]! >= 0 ? match[at]! + 1 : at + 1
  ) {
    left -= 1
    const token = tokens[at]!
    const paragraph =
      (token.kind === 'open' || token.kind === 'void') && rules.paragraphs.includes(token.name)
    if (paragraph && (at < open || at >= stop) && !hasDrop(tokens, at, match[at]!)) return undefined
    const properties = 'name' in token && rules.filled?.[holder.name]?.skip.includes(token.name) === true
    if (!paragraph && !properties && token.kind === 'open') others = true
  }
  // Where paragraphs are all there is, the holder itself sees to it that one is left.
  if (refilled && !others) return undefined
  return { before: open, markup: emptyParagraph.markup }
}

function hasDrop(tokens: PartContext['tokens'], from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const token = tokens[at]!
    if (token.kind === 'tag' && /:(drop|keep)\(/.test(token.text)) return true
  }
  return false
}
