import type { Link } from '../../../../../shared/document/document.ts'
import type { Face } from '../../fonts/face.ts'
import { borderRoom, sameBorder } from '../../style/border-width.ts'
import type { ComputedParagraph } from '../../style/computed.ts'
import { visualOrder } from '../../text/bidi.ts'
import { clustersOf, countStretchable, expandClusters, expandSpaces, widerAtEnd } from '../../text/justify.ts'
import { measure, shape } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import type { Colour, GlyphRun, GlyphsItem, Placed, Pt } from '../frame.ts'
import type { Ownership } from '../ownership.ts'
import type { Content, Piece } from './content.ts'
import { decorate, decorateGap } from './decoration.ts'
import { effectsOf, emphasise } from './effects.ts'
import type { LineMetrics, Room, Segment } from './line.ts'
import { colourOf, type Look, snap } from './look.ts'
import { spreadLetters } from './spread.ts'
import { leaderCharacters } from './tabs.ts'

/** A line whose text segments are chosen. Everything is in points. */
export interface FinishRequest {
  readonly content: Content
  readonly style: ComputedParagraph
  readonly width: Pt
  readonly room: Room | undefined
  readonly ground: string | undefined
  readonly segments: readonly Segment[]
  /** The last line of the paragraph, or one that ends with a manual break; it is not justified. */
  readonly last: boolean
  /** Trailing spaces count as text, since a manual break or the end of the paragraph follows them. */
  readonly keepsBlanks: boolean
  readonly metrics: LineMetrics
}

/** Neighbouring segments with the same text style, which become one run of glyphs. */
interface Group {
  readonly look: Look
  readonly face: Face
  readonly level: number
  readonly link: Link | undefined
  /** An object or bookmark instead of text. */
  readonly box: Piece | undefined
  /** The number or bullet of a list. */
  readonly label: boolean
  /** Grows while segments are joined. */
  text: string
  /** The shaped text; set when the group is complete, and replaced when it is justified. */
  run: GlyphRun | undefined
  /** The width of the run with its border; changes along with `run`. */
  width: Pt
  /** The width of a border on each side, included in `width`; absent where the neighbour shares the box. */
  before?: Pt
  behind?: Pt
}

/**
 * Shapes, aligns and justifies the text of a line. Positions are from the left edge of the region and the
 * baseline.
 */
export function finishLine(context: LayoutContext, request: FinishRequest): Placed[] {
  const { segments, style, width, room } = request
  const items: Placed[] = []
  const last = segments.length - 1
  const lastSegment = segments[last]!
  const groups = segments.map((segment, index) => shapeGroups(segment, index === last, request.keepsBlanks))
  const end = lineEnd(style, width, room)
  // Trailing spaces that do not fit hang over the end of the line after all.
  let blanksKept = request.keepsBlanks
  if (blanksKept && lastSegment.start + sum(groups[last]!) > end + 0.03) {
    blanksKept = false
    groups[last] = shapeGroups(lastSegment, true, false)
  }
  const used = lastSegment.start + sum(groups[last]!)
  const free = end - used
  const justifies = style.align === 'justify' && (!request.last || style.alignLast === 'justify')
  let shift = 0
  if (style.align === 'end') shift = free
  else if (style.align === 'center') shift = free / 2
  else if (justifies || style.align === 'distribute') {
    const spread = request.last && segments.length === 1 && style.justifySingleWord
    if (!spread || !spreadLetters(groups[last]!, free)) justifyGroups(groups[last]!, free)
  } else if (style.align === 'justify' && style.alignLast === 'center') shift = free / 2
  // Text never starts before its line: what is too wide begins at the start edge.
  if (shift < 0) shift = Math.min(0, style.align === 'start' ? 0 : shift)
  // Observed in LibreOffice: tab stops move along with an aligned line.
  if (segments.length > 1) shift = Math.max(0, shift)
  segments.forEach((segment, index) => {
    const start = segment.start + shift
    if (segment.tab !== undefined) placeTab(context, segment.tab, shift, start, request, items)
    place(context, groups[index]!, start, request, items)
  })
  if (context.ownership !== undefined && !blanksKept) {
    const space = endingSpace(lastSegment, style.rightToLeft)
    const at = lastSegment.start + shift + sum(groups[last]!)
    if (space !== undefined)
      items.push({ ...space, x: style.rightToLeft ? width - at - space.item.run.width : at })
  }
  return items
}

/**
 * The space that hangs over the end of a line, for tagged PDF: a screen reader does not see where lines end,
 * and this space separates the words.
 */
function endingSpace(
  { pieces }: Segment,
  rtl: boolean,
): (Placed & { readonly item: GlyphsItem }) | undefined {
  const piece = pieces.at(-1)
  if (piece === undefined || piece.kind !== 'space') return undefined
  const run = shape(' ', rtl ? { ...piece.look.style, rtl } : piece.look.style)
  return { x: 0, y: -piece.look.rise, item: { kind: 'glyphs', run, colour: piece.look.colour } }
}

/** The end of the line, counted from the start edge. */
function lineEnd(style: ComputedParagraph, width: Pt, room: Room | undefined): Pt {
  const own = width - style.indentEnd
  if (room === undefined) return own
  return Math.min(own, style.rightToLeft ? width - room.left : room.right)
}

const sum = (groups: readonly Group[]): Pt => groups.reduce((total, group) => total + group.width, 0)

/**
 * Joins the segments between two tab stops into groups and shapes them. Trailing spaces and unused soft
 * hyphens are dropped.
 */
function shapeGroups(segment: Segment, isLast: boolean, keepsBlanks: boolean): Group[] {
  const { pieces } = segment
  let end = pieces.length
  if (isLast) while (end > 0 && hangs(pieces[end - 1]!)) end--
  const groups: Group[] = []
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i]!
    if ((i >= end && piece.kind === 'space' && !keepsBlanks) || (piece.kind === 'text' && piece.text === ''))
      continue
    if (piece.kind === 'soft-hyphen') {
      if (isLast && i === end - 1 && pieces.length > 1) groups.push(textGroup(piece, '-'))
      continue
    }
    if ((piece.kind !== 'text' && piece.kind !== 'space') || piece.text === '') {
      if (piece.kind !== 'break') groups.push(boxGroup(piece))
      continue
    }
    const open = groups.at(-1)
    if (
      open !== undefined &&
      open.box === undefined &&
      open.look === piece.look &&
      open.face === piece.face &&
      open.level === piece.level &&
      open.label === (piece.label === 'text') &&
      open.link === piece.link
    ) {
      open.text += piece.text
    } else groups.push(textGroup(piece, piece.text))
  }
  for (const group of groups) {
    if (group.box !== undefined) continue
    const style =
      group.face === group.look.face ? group.look.style : { ...group.look.style, face: group.face }
    group.run = shape(group.text, (group.level & 1) === 1 ? { ...style, rtl: true } : style)
    group.width = group.run.width
  }
  borderGroups(groups)
  return groups
}

/** Adds the width of borders at the ends of each run of text with equal borders. */
function borderGroups(all: readonly Group[]): void {
  if (all.every(({ look }) => look.run.border === undefined)) return
  const groups = all.filter(({ run }) => run !== undefined)
  groups.forEach((group, index) => {
    const { border } = group.look.run
    if (border === undefined) return
    const edge = borderRoom(group.look.run)
    if (!sameBorder(groups[index - 1]?.look.run.border, border)) group.before = edge
    if (!sameBorder(groups[index + 1]?.look.run.border, border)) group.behind = edge
    group.width += (group.before ?? 0) + (group.behind ?? 0)
  })
}

/** Whether a segment may hang over the end of a line. */
const hangs = (piece: Piece): boolean =>
  piece.kind === 'space' || piece.kind === 'break' || (piece.kind === 'mark' && piece.drawing === undefined)

const emptyGroup = (piece: Piece, box?: Piece): Group => ({
  look: piece.look,
  face: piece.face,
  level: piece.level,
  link: piece.link,
  box,
  label: piece.label === 'text',
  text: '',
  run: undefined,
  width: 0,
})
const boxGroup = (piece: Piece): Group => {
  const group = emptyGroup(piece, piece)
  if (piece.kind === 'object' || piece.kind === 'space') group.width = piece.width
  return group
}
const textGroup = (piece: Piece, text: string): Group => {
  const group = emptyGroup(piece)
  group.text = text
  return group
}

/**
 * Justifies a line: distributes the free width evenly over its spaces, and in scripts without spaces over all
 * characters but the last of the line. Observed in LibreOffice: a change from Latin text to such a script
 * counts as a space, too.
 */
function justifyGroups(groups: readonly Group[], free: Pt): void {
  if (free <= 0) return
  const last = groups.findLastIndex(({ run }) => run !== undefined)
  const isKorean = groups.some(({ text }) => hangul.test(text)) // Korean separates words by spaces
  const growsByCharacter = ({ look, run }: Group): boolean =>
    run !== undefined && look.kind === 'east-asian' && !isKorean
  const places = groups.map((group, index) => {
    if (group.run === undefined) return 0
    if (growsByCharacter(group)) return clustersOf(group.run) - (index === last ? 1 : 0)
    const next = groups[index + 1]
    return countStretchable(group.text) + (next !== undefined && growsByCharacter(next) ? 1 : 0)
  })
  const total = places.reduce((sum, count) => sum + count, 0)
  if (total <= 0) return
  const each = free / total
  for (const [index, group] of groups.entries()) {
    if (group.run === undefined || places[index] === 0) continue
    const isByCharacter = growsByCharacter(group)
    group.run = isByCharacter
      ? expandClusters(group.run, each, index === last)
      : expandSpaces(group.run, each)
    const between = isByCharacter ? 0 : places[index]! - countStretchable(group.text)
    if (between > 0) group.run = widerAtEnd(group.run, each)
    group.width = group.run.width + (group.before ?? 0) + (group.behind ?? 0)
  }
}

const hangul = /[\u1100-\u11ff\uac00-\ud7a3]/

/** Positions the groups of one tab segment in visual order and draws them. */
function place(
  context: LayoutContext,
  groups: readonly Group[],
  start: Pt,
  request: FinishRequest,
  items: Placed[],
): void {
  const total = sum(groups)
  const { style, width, content } = request
  let x = style.rightToLeft ? width - start - total : start
  const order =
    content.bidi && groups.length > 1 ? visualOrder(groups.map((group) => group.level)) : undefined
  for (let i = 0; i < groups.length; i++) {
    const group = groups[order === undefined ? i : order[i]!]!
    const before = items.length
    if (group.box !== undefined) placeBox(context, group.box, x, request, items)
    else if (group.run !== undefined && !group.look.run.unprinted) {
      const { look } = group
      const colour = colourIn(look, request)
      const { run, before, behind } = group
      const left = x + (before ?? 0)
      decorate(
        look,
        { x: left, width: run.width, colour, metrics: request.metrics, run, before, behind },
        items,
        () => {
          const place = { x: left, y: -look.rise }
          items.push(...effectsOf(look, place, group.run!, colour))
          if (look.run.emphasis !== undefined)
            items.push(...emphasise(look, look.run.emphasis, place, group.run!, colour))
        },
      )
    }
    if (style.textAlign !== undefined && group.box === undefined) {
      const y = offBaseline(group.look, style.textAlign, request.metrics)
      for (let i = before; y !== 0 && i < items.length; i++) items[i] = { ...items[i]!, y: items[i]!.y + y }
    }
    if (group.link !== undefined && group.width > 0) {
      const href = group.link.href ?? `#${group.link.anchor ?? ''}`
      const height = request.metrics.textAscent + request.metrics.textDescent
      items.push({
        x,
        y: -request.metrics.textAscent,
        item: { kind: 'link', href, width: group.width, height },
      })
    }
    if (context.ownership !== undefined) own(context.ownership, group, items.slice(before))
    x += group.width
  }
}

/** The colour of text; an automatic one depends on the background. */
const colourIn = (look: Look, { ground }: FinishRequest): Colour =>
  look.run.color === 'auto' && ground !== undefined
    ? colourOf('auto', look.run.shading ?? look.run.highlight ?? ground)
    : look.colour

/** The distance of vertically aligned text from the baseline, downward in points. */
function offBaseline(
  { ascent, descent }: Look,
  at: 'top' | 'center' | 'bottom',
  { textAscent, textDescent }: LineMetrics,
): Pt {
  const [up, down] = [textAscent - ascent, textDescent - descent]
  return at === 'top' ? -up : at === 'bottom' ? down : (down - up) / 2
}

/** Records which items belong to a label or a link, for tagged PDF. */
function own({ labels, links }: Ownership, { label, link }: Group, items: readonly Placed[]): void {
  for (const { item } of items) {
    if (label) labels.add(item)
    if (link !== undefined) links.set(item, link)
  }
}

/** Draws an inline object, or records the position of a bookmark. */
function placeBox(
  context: LayoutContext,
  piece: Piece,
  x: Pt,
  request: FinishRequest,
  items: Placed[],
): void {
  if (piece.mark !== undefined) {
    items.push({ x, y: -request.metrics.textAscent, item: { kind: 'mark', id: piece.mark } })
    return
  }
  const { drawing } = piece
  if (drawing === undefined || piece.kind !== 'object') return
  const bottom = drawing.extent?.bottom ?? 0
  const top = footOf(drawing, request.metrics) - drawing.height - bottom - piece.look.run.raise
  const left = x + (drawing.extent?.left ?? 0)
  for (const placed of context.flows.draw(drawing, drawing.width, drawing.height)) {
    items.push({ x: left + placed.x, y: top + placed.y, item: placed.item })
  }
}

/** The bottom of an inline object relative to the baseline, downward in points. */
function footOf(drawing: NonNullable<Piece['drawing']>, { textAscent, textDescent }: LineMetrics): Pt {
  const height = drawing.height + (drawing.extent?.top ?? 0) + (drawing.extent?.bottom ?? 0)
  switch (drawing.lineAlign) {
    case 'top':
      return height - textAscent
    case 'center':
      return (height + textDescent - textAscent) / 2
    case 'bottom':
      return textDescent
    default:
      return drawing.drop ?? 0
  }
}

/**
 * Draws the space up to a tab stop: decorated like the text around it and filled with a leader. `start` is
 * where the tab ends.
 */
function placeTab(
  context: LayoutContext,
  tab: NonNullable<Segment['tab']>,
  shift: Pt,
  start: Pt,
  request: FinishRequest,
  items: Placed[],
): void {
  const { look, label } = tab.piece
  const from = tab.from + shift
  const width = start - from
  const leader = (): void => {
    const first = items.length
    placeLeader(tab, { from, start }, request, items)
    for (const { item } of items.slice(first)) context.ownership?.leaders.add(item)
  }
  // The tab after a number or bullet belongs neither to the label nor to the text.
  if (label !== undefined || width <= 0 || look.run.unprinted) leader()
  else {
    const x = request.style.rightToLeft ? request.width - start : from
    decorateGap(look, { x, width, colour: colourIn(look, request), metrics: request.metrics }, items, leader)
  }
}

/**
 * Draws the leader characters that fill the space up to a tab stop. At most 2000, so that a tiny font stays
 * cheap.
 */
function placeLeader(
  { leader, piece }: NonNullable<Segment['tab']>,
  { from, start }: { readonly from: Pt; readonly start: Pt },
  request: FinishRequest,
  items: Placed[],
): void {
  const character = leaderCharacters[leader]
  if (character === '') return
  const { look } = piece
  // Observed in LibreOffice: widths are multiples of a twentieth of a point, and underscores get one more
  // character so that no gap remains.
  const one = snap(measure(character, look.style))
  const fittingCount = one > 0 ? Math.min(2000, Math.floor((start - from) / one + 0.001)) : 0
  const count = fittingCount > 0 && character === '_' ? fittingCount + 1 : fittingCount
  if (count <= 0) return
  const natural = measure(character, look.style)
  const width = leaderWidth({ available: start - from, count, natural, size: look.style.size })
  const spread = count > 1 ? (width - count * natural) / (count - 1) : 0
  const letterSpacing = (look.style.letterSpacing ?? 0) + spread
  const run = shape(character.repeat(count), { ...look.style, letterSpacing, ligatures: false })
  const x = request.style.rightToLeft ? request.width - from - run.width : from
  items.push({ x, y: -look.rise, item: { kind: 'glyphs', run, colour: look.colour } })
}

/**
 * The width of a leader in points.
 *
 * Observed in LibreOffice: the remaining width is distributed between the characters in tenths of a point.
 * Each step is then rounded to thousandths of the font size, down when it is wider than the character. The
 * characters therefore end a little before the tab stop, the more so the more there are.
 */
function leaderWidth({
  available,
  count,
  natural,
  size,
}: {
  readonly available: Pt
  readonly count: number
  readonly natural: Pt
  readonly size: Pt
}): Pt {
  const naturalUnits = Math.floor((natural * 1000) / size + 0.001)
  const step = Math.floor((available / count) * 10 + 0.001) / 10
  const wider = Math.min(count - 1, Math.round((available - count * step) * 10))
  const advance = (at: Pt): number => naturalUnits - Math.trunc(0.5 - ((at * 1000) / size - naturalUnits))
  const sum = (count - 1 - wider) * advance(step) + wider * advance(step + 0.1) + naturalUnits
  return (sum * size) / 1000
}
