/** Breaks the segments of a paragraph into line boxes. Source: CSS Text 3, 5; CSS Inline 3, 3 to 5. */
import { measure } from '../../text/shape.ts'
import type { Pt } from '../frame.ts'
import type { LayoutBox, LinesBox } from './box.ts'
import type { FormattingPosition, IntrinsicWidths, PlacedBox, WebContext } from './context.ts'
import { bordersOf, borderWidths, marginOf, paddingOf } from './dimensions.ts'
import { drawLine } from './draw-line.ts'
import { FloatArea, type Interval } from './floats.ts'
import type { Fragment, OutOfFlowFragment } from './fragment.ts'
import { placeholderOf } from './positioned.ts'
import { type Paragraph, paragraphOf, type Segment } from './segments.ts'

/** A segment that has been put on a line. */
export interface LinePart {
  readonly segment: Segment
  readonly width: Pt
  readonly placed?: PlacedBox
}

export interface FilledLine {
  readonly parts: readonly LinePart[]
  readonly width: Pt
  readonly isLast: boolean // the last line of the paragraph, or one that ends with a forced break
}

/** Lays out the inline content of a block at this width. */
export function layoutLines(
  context: WebContext,
  box: LinesBox,
  width: Pt,
  space?: FormattingPosition,
): Fragment {
  const paragraph = paragraphOf(context, box)
  const indent = box.style.length('text-indent', width) ?? 0
  const children: Fragment[] = []
  const outOfFlow = new OutOfFlowItems(context, width, space)
  let y = 0
  let at = 0
  let pending: LinePart | undefined
  while (at < paragraph.segments.length || pending !== undefined) {
    context.budget.check(4)
    const shift = children.length === 0 ? indent : 0
    const free = outOfFlow.free(y, paragraph.strut.lineHeight)
    const available = free.right - free.left
    const filled = fillLine(context, paragraph, {
      at,
      width: available - shift,
      pending,
      containingWidth: width,
    })
    if (
      outOfFlow.place(filled.line, y, available - shift, {
        after: children.length,
        height: paragraph.strut.lineHeight,
      })
    )
      continue
    if (available < width && filled.line.width > available - shift + tolerance) {
      const next = outOfFlow.nextEdge(y)
      if (next !== undefined) {
        y = next
        continue
      }
    }
    pending = filled.pending
    at = filled.at
    const isEmpty = !filled.line.parts.some(({ segment }) => drawsLine(segment))
    if (isEmpty && at >= paragraph.segments.length && children.length > 0) break
    const line = drawLine(context, paragraph, withEllipsis(box, filled.line, available - shift), {
      width: available - shift,
      align: alignOf(box, paragraph.rightToLeft, filled.line.isLast),
      collapsed: isEmpty,
    })
    children.push({ ...line, x: free.left + (paragraph.rightToLeft ? 0 : shift), y })
    y += line.height
  }
  const style = box.style
  const [first, last] = [children[0], children.at(-1)]
  return {
    kind: 'lines',
    x: 0,
    y: 0,
    width,
    height: y,
    children,
    ...(outOfFlow.fragments.length > 0 && { outOfFlow: outOfFlow.fragments }),
    orphans: countOf(style.get('orphans')),
    widows: countOf(style.get('widows')),
    ...(first?.baseline !== undefined && { baseline: first.y + first.baseline }),
    ...(last?.baseline !== undefined && { lastBaseline: last.y + last.baseline }),
  }
}

/** The floats and positioned boxes among the inline content of one paragraph. */
class OutOfFlowItems {
  readonly fragments: OutOfFlowFragment[] = []
  readonly #context: WebContext
  readonly #width: Pt
  readonly #space: FormattingPosition | undefined
  /** Segments whose boxes have been placed. A line that is filled again because of a float skips them. */
  readonly #placed = new Set<Segment>()

  constructor(context: WebContext, width: Pt, space: FormattingPosition | undefined) {
    this.#context = context
    this.#width = width
    this.#space = space
  }

  /** The interval of the line that floats leave free. */
  free(y: Pt, height: Pt): Interval {
    const space = this.#space
    if (space === undefined || space.floats.isEmpty) return { left: 0, right: this.#width }
    const sides = { left: space.x, right: space.x + this.#width }
    const { left, right } = space.floats.interval(space.y + y, height, sides)
    return { left: left - space.x, right: right - space.x }
  }

  nextEdge(y: Pt): Pt | undefined {
    const next = this.#space?.floats.nextEdge(this.#space.y + y)
    return next === undefined ? undefined : next - (this.#space?.y ?? 0)
  }

  /**
   * Places the out-of-flow boxes of a filled line. Returns true if a float narrows the line, so that the line must be filled
   * again.
   */
  place(
    { parts }: FilledLine,
    y: Pt,
    available: Pt,
    { after, height }: { after: number; height: Pt },
  ): boolean {
    let x = 0
    for (const { segment, width } of parts) {
      const { box } = segment
      x += width
      if (segment.kind !== 'out-of-flow' || box?.kind !== 'out-of-flow' || this.#placed.has(segment)) continue
      this.#placed.add(segment)
      if (box.placement === 'absolute' || box.placement === 'fixed') {
        this.fragments.push({ fragment: placeholderOf(this.#context, box, x, y), after })
        continue
      }
      const space = this.#space ?? { floats: new FloatArea(), x: 0, y: 0 }
      // A float that does not fit next to the preceding text of the line begins below it.
      const fits =
        x === 0 || x + this.#context.intrinsicWidths(this.#context, box).maxContent <= available + tolerance
      const fragment = this.#context.placeFloat(this.#context, box, this.#width, fits ? y : y + height, space)
      this.fragments.push({ fragment, after })
      if (fits) return true
    }
    return false
  }
}

const countOf = (value: string | undefined): number => Math.min(Math.max(Number(value ?? 2) || 2, 1), 50)

const drawsLine = ({ kind, collapses }: Segment): boolean =>
  kind === 'text' ||
  kind === 'tab' ||
  kind === 'atomic' ||
  kind === 'break' ||
  kind === 'marker' ||
  (kind === 'space' && !collapses)

function alignOf(
  { style }: LinesBox,
  rightToLeft: boolean,
  isLast: boolean,
): 'left' | 'right' | 'center' | 'justify' {
  const last = isLast ? (style.word('text-align-last') ?? 'auto') : 'auto'
  const value = (last === 'auto' ? (style.word('text-align') ?? 'start') : last).replace('-webkit-', '')
  if (value === 'center' || value === 'justify' || value === 'left' || value === 'right') return value
  return (value === 'end') !== rightToLeft ? 'right' : 'left'
}

/** The width of a segment on a line that is filled up to `x`. */
function segmentWidth(
  context: WebContext,
  segment: Segment,
  x: Pt,
  containingWidth: Pt,
): { width: Pt; placed?: PlacedBox } {
  const { kind, font, state } = segment
  if (kind === 'open' || kind === 'close') {
    const { style } = state
    const side = (kind === 'open') === (style.word('direction') !== 'rtl') ? 'left' : 'right'
    const border = borderWidths(bordersOf(style))[side]
    return {
      width: (marginOf(style, containingWidth)[side] ?? 0) + border + paddingOf(style, containingWidth)[side],
    }
  }
  if (kind === 'atomic' && segment.box !== undefined) {
    const placed = layoutAtomicInline(context, segment.box, containingWidth)
    const { margin, fragment } = placed
    return { width: margin.left + fragment.width + margin.right, placed }
  }
  if (kind !== 'tab') return { width: segment.width }
  const step = (Number(state.style.get('tab-size') ?? 8) || 8) * measure(' ', font.shaping)
  return { width: step <= 0 ? 0 : (Math.floor(x / step + 1e-6) + 1) * step - x }
}

/**
 * Lays out an atomic inline box. The result is cached, because a box that does not fit on one line is tried again on the
 * next.
 */
function layoutAtomicInline(context: WebContext, box: LayoutBox, containingWidth: Pt): PlacedBox {
  const cached = context.atomicInlines.get(box)
  if (cached?.containingWidth === containingWidth) return cached.placed
  const placed = context.layoutIndependent(context, box, containingWidth, true)
  context.atomicInlines.set(box, { containingWidth, placed })
  return placed
}

interface LineStart {
  readonly at: number
  readonly width: Pt
  /** The rest of a word that was broken at the end of the previous line. */
  readonly pending: LinePart | undefined
  /** The width of the containing block, which percentages refer to. */
  readonly containingWidth: Pt
}

interface LineEnd {
  readonly line: FilledLine
  readonly at: number
  readonly pending: LinePart | undefined
}

/** Widths differ by rounding. A line that is wider than the space by less than this is not broken. */
const tolerance = 0.01

function fillLine(context: WebContext, { segments }: Paragraph, start: LineStart): LineEnd {
  const parts: LinePart[] = []
  let x = 0 // including trailing spaces
  let { at } = start
  let fitting: { readonly parts: number; readonly at: number } | undefined
  if (start.pending !== undefined) {
    const cut = cutWord(start.pending, start.width, true)
    parts.push(cut.head)
    x += cut.head.width
    if (cut.tail !== undefined) return { line: lineOf(parts, false), at, pending: cut.tail }
    if (start.pending.segment.breakAfter) fitting = { parts: 1, at }
  }
  for (; at < segments.length; at++) {
    const segment = segments[at]
    if (segment === undefined) break
    if (segment.kind === 'break') {
      parts.push({ segment, width: 0 })
      return { line: lineOf(parts, true), at: at + 1, pending: undefined }
    }
    const isLeading =
      segment.kind === 'space' && segment.collapses && !parts.some((part) => drawsLine(part.segment))
    if (isLeading) continue
    const { width, placed } = segmentWidth(context, segment, x, start.containingWidth)
    const isOver = segment.kind !== 'space' && x + width > start.width + tolerance && width > 0
    if (isOver) {
      const breaksWords =
        /^(?:break-word|anywhere)$/.test(
          segment.state.style.word('overflow-wrap') ?? segment.state.style.word('word-wrap') ?? '',
        ) || /^break-/.test(segment.state.style.word('word-break') ?? '')
      const breaksAll = segment.state.style.word('word-break') === 'break-all'
      if (segment.kind === 'text' && breaksWords && (fitting === undefined || breaksAll)) {
        const cut = cutWord(
          { segment, width },
          start.width - x,
          !parts.some((part) => drawsLine(part.segment)),
        )
        if (cut.head.width > 0) {
          parts.push(cut.head)
          return { line: lineOf(parts, false), at: at + 1, pending: cut.tail }
        }
      }
      if (fitting !== undefined) {
        const line = lineOf(parts.slice(0, fitting.parts), false)
        return { line, at: fitting.at, pending: undefined }
      }
    }
    parts.push({ segment, width, ...(placed !== undefined && { placed }) })
    x += width
    if (canBreakAfter(segments, at) && hyphenFits(segment, start.width - x))
      fitting = { parts: parts.length, at: at + 1 }
  }
  return { line: lineOf(parts, true), at, pending: undefined }
}

/** The closing edge of an inline element stays with the content before it. */
function canBreakAfter(segments: readonly Segment[], at: number): boolean {
  const segment = segments[at]
  const next = segments[at + 1]
  if (next?.kind === 'close') return false
  if (segment?.kind !== 'close') return segment?.breakAfter === true
  for (let before = at - 1; before >= 0; before--) {
    const previous = segments[before]
    if (previous?.kind === 'close' || previous?.kind === 'open') continue
    return previous?.breakAfter === true
  }
  return false
}

/** The limit of characters on one line. It bounds the work of breaking a very long word. */
const maxLettersOnLine = 5000

/** Breaks a word where the line is full. With `must`, at least one character stays on the line. */
function cutWord(
  part: LinePart,
  width: Pt,
  must: boolean,
): { readonly head: LinePart; readonly tail?: LinePart } {
  const { segment } = part
  if (part.width <= width + tolerance) return { head: part }
  const shaping = { ...segment.font.shaping, face: segment.face }
  const letters = [...segment.text.slice(0, maxLettersOnLine)]
  let [low, high] = [must ? 1 : 0, letters.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (measure(letters.slice(0, middle).join(''), shaping) <= width + tolerance) low = middle
    else high = middle - 1
  }
  const head = letters.slice(0, low).join('')
  const tail = segment.text.slice(head.length)
  if (tail === '') return { head: part }
  const size = head === '' ? 0 : measure(head, shaping)
  // Measuring the remainder again on every line would make a word of a million characters quadratic.
  const rest = tail.length > maxLettersOnLine ? Math.max(0, part.width - size) : measure(tail, shaping)
  return {
    head: { segment: { ...segment, text: head, width: size, breakAfter: true }, width: size },
    tail: { segment: { ...segment, text: tail, width: rest }, width: rest },
  }
}

/** The hyphen that becomes visible where a line ends after this segment, with its width; empty if none does. */
function hyphenAfter({ text, font, face }: Segment): { readonly text: string; readonly width: Pt } {
  if (!text.endsWith(softHyphen)) return { text: '', width: 0 }
  const hyphen = face.file.characters.has(0x2010) ? '\u2010' : '-'
  return { text: hyphen, width: measure(hyphen, { ...font.shaping, face }) }
}
const hyphenFits = (segment: Segment, width: Pt): boolean => {
  const hyphen = hyphenAfter(segment)
  // Spaces at the end of a line take no width, so they never prevent a break.
  return hyphen.text === '' || hyphen.width <= width + tolerance
}
const softHyphen = '\u00ad'

/** Shows the soft hyphen at the end of a line (CSS Text 3, 6.1). */
function withHyphen(parts: LinePart[]): void {
  const at = parts.findLastIndex(({ segment }) => drawsLine(segment))
  const part = parts[at]
  if (part === undefined) return
  const { segment } = part
  const hyphen = hyphenAfter(segment)
  if (hyphen.text === '') return
  const width = part.width + hyphen.width
  parts[at] = { segment: { ...segment, text: segment.text.slice(0, -1) + hyphen.text, width }, width }
}

/** Ends a line that its block cuts off with an ellipsis where the block asks for it (CSS Overflow 3, 5.1). */
function withEllipsis({ style }: LinesBox, line: FilledLine, width: Pt): FilledLine {
  if (line.width <= width + tolerance || style.word('text-overflow') !== 'ellipsis') return line
  const isVisible = (style.word('overflow') ?? 'visible') === 'visible'
  const from = line.parts.find(({ segment }) => segment.kind === 'text')?.segment
  if (isVisible || from === undefined || style.word('direction') === 'rtl') return line
  const ellipsis = measure('\u2026', { ...from.font.shaping, face: from.face })
  const parts: LinePart[] = []
  let left = width - ellipsis
  for (const part of line.parts) {
    if (part.width > left + tolerance) {
      const { head } = part.segment.kind === 'text' ? cutWord(part, left, parts.length === 0) : { head: part }
      if (part.segment.kind === 'text' && head.width > 0) parts.push(head)
      left -= head === part ? 0 : head.width
      break
    }
    parts.push(part)
    left -= part.width
  }
  parts.push({ segment: { ...from, text: '\u2026', width: ellipsis }, width: ellipsis })
  return { parts, width: width - left, isLast: line.isLast }
}

/** Creates the line, without the collapsible spaces at its end. */
function lineOf(parts: readonly LinePart[], isLast: boolean): FilledLine {
  const kept = [...parts]
  if (!isLast) withHyphen(kept)
  for (let at = kept.length - 1; at >= 0; at--) {
    const segment = kept[at]?.segment
    if (segment === undefined) break
    if (segment.kind === 'space' && segment.collapses) kept.splice(at, 1)
    else if (drawsLine(segment) && segment.kind !== 'break') break
  }
  let width = 0
  let hanging = 0
  for (const { width: segmentWidth, segment } of kept) {
    width += segmentWidth
    hanging = segment.kind === 'space' ? hanging + segmentWidth : segmentWidth > 0 ? 0 : hanging
  }
  return { parts: kept, width: width - hanging, isLast }
}

/** The min-content and max-content widths of inline content. */
export function intrinsicLines(
  context: WebContext,
  box: LinesBox,
  widthsOf: (segment: Segment) => IntrinsicWidths,
): IntrinsicWidths {
  const { segments } = paragraphOf(context, box)
  let [minContent, maxContent, word, line, spaces] = [0, 0, 0, 0, 0]
  for (let at = 0; at < segments.length; at++) {
    const segment = segments[at]
    if (segment === undefined) break
    if (segment.kind === 'break') {
      minContent = Math.max(minContent, word)
      maxContent = Math.max(maxContent, line)
      ;[word, line, spaces] = [0, 0, 0]
      continue
    }
    const widths =
      segment.kind === 'atomic' || segment.kind === 'out-of-flow'
        ? widthsOf(segment)
        : sameWidth(segmentWidth(context, segment, line, 0).width)
    if (segment.kind === 'space' && segment.collapses) spaces += line === 0 ? 0 : widths.maxContent
    else {
      line += spaces + widths.maxContent
      word += widths.minContent
      spaces = 0
    }
    if (canBreakAfter(segments, at)) {
      minContent = Math.max(minContent, word)
      word = 0
    } else if (segment.kind === 'space' && segment.collapses) word += widths.minContent
  }
  return { minContent: Math.max(minContent, word), maxContent: Math.max(maxContent, line) }
}

const sameWidth = (width: Pt): IntrinsicWidths => ({ minContent: width, maxContent: width })
