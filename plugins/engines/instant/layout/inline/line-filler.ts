import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import { borderInset, sameBorder } from '../../style/border-width.ts'
import { measure } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import type { Pt } from '../frame.ts'
import { divideWord } from './divide.ts'
import { hangingWidth } from './hanging.ts'
import { nextStop, type ResolvedTabStop, widthToStop } from './tabs.ts'
import type { InlineContent, LineRequest, TabPart, TextSegment, TextStyle } from './types.ts'

/** The part of a line that begins at its start or after a tab. */
interface OpenSegment {
  start: Pt
  from: number
  stop?: ResolvedTabStop
  tabAt?: Pt
  tab?: TextSegment
}

/**
 * Decides how many text segments fit one line. `take` is called for each segment in order, then `end` and
 * `parts` once.
 */
export class LineFiller {
  readonly #context: LayoutContext
  readonly #request: LineRequest
  /** The start of the text, from the start edge. */
  readonly #left: Pt
  /** The end of the available width, from the start edge. */
  readonly #right: Pt
  /** How far the indents are moved, when they count from the far edge of a float. */
  readonly #shift: Pt
  /** The parts of the line separated by tabs; the last one is being filled. */
  readonly #open: OpenSegment[] = []
  /** The current position, from the start edge. */
  #x: Pt
  /** Where the open portion of text begins, and a segment of it; absent after a tab or an object. */
  #portionStart: Pt
  #portion: TextSegment | undefined
  /** The segment before which the line can end, as found last; -1 when there is none yet. */
  #lastBreak = -1
  /** How many tab parts existed at that break; later ones are dropped when the line ends there. */
  #segmentsAtBreak = 1
  /** The manual break that ends the line. */
  #broke: 'line' | 'page' | 'column' | undefined
  /** The text style of the bordered text that is still open; its border needs space at its end. */
  #bordered: TextStyle | undefined

  constructor(context: LayoutContext, request: LineRequest) {
    this.#context = context
    this.#request = request
    const { style, width, interval, content } = request
    // Text below a label that has a line of its own is indented as the first line is (observed in LibreOffice).
    const before = content.segments[request.from - 1]
    const first = request.from === 0 || (before?.kind === 'break' && before.label !== undefined)
    const indentLeft = style.indentStart + (first ? style.indentFirst : 0)
    const rtl = style.rightToLeft
    // Intervals are given from the left edge, lines count from the start edge.
    const intervalStart =
      interval === undefined ? Number.NEGATIVE_INFINITY : rtl ? width - interval.right : interval.left
    const intervalEnd =
      interval === undefined ? Number.POSITIVE_INFINITY : rtl ? width - interval.left : interval.right
    this.#shift = interval?.indents === true ? intervalStart : 0
    this.#left = Math.max(indentLeft + this.#shift, intervalStart)
    this.#right = Math.min(width - style.indentEnd, intervalEnd)
    let start = this.#left
    if (request.from === 0 && content.labelAlign !== 'left') start -= labelShift(content)
    this.#x = start
    this.#portionStart = start
    this.#open.push({ start, from: request.from })
  }

  /** Adds segment `at`. Returns 'break' when the line ends with it, 'full' when it does not fit. */
  take(at: number): 'ok' | 'break' | 'full' {
    const segment = this.#request.content.segments[at]!
    this.#enterPortion(segment)
    if (segment.textStyle.run.border !== undefined || this.#bordered !== undefined) this.#enter(segment)
    switch (segment.kind) {
      case 'space':
        this.#x += segment.width
        if (segment.breakAfter) this.#rememberBreak(at + 1)
        return 'ok'
      case 'tab':
        return this.#takeTab(at, segment)
      case 'break':
        this.#broke = segment.at ?? 'line'
        return 'break'
      case 'mark':
        return 'ok'
      case 'soft-hyphen':
        if (this.#x + segment.width <= this.#right) this.#rememberBreak(at + 1)
        return 'ok'
      default:
        return this.#takeBox(at, segment)
    }
  }

  /** Ends the portion of text before a segment that does not continue it, and rounds its width. */
  #enterPortion(segment: TextSegment): void {
    if (segment.kind === 'mark' || segment.kind === 'soft-hyphen') return
    const text = segment.kind === 'text' || segment.kind === 'space' ? segment : undefined
    const open = this.#portion
    if (text !== undefined && open !== undefined && continues(open, text)) return
    if (open !== undefined)
      this.#x =
        this.#portionStart + libreOffice.portionWidth(this.#x - this.#portionStart + uncountedSpacing(open))
    this.#portionStart = this.#x
    this.#portion = text
  }

  /** Adds the width of a border where bordered text begins or ends. */
  #enter(segment: TextSegment): void {
    if (segment.kind === 'mark' || segment.kind === 'soft-hyphen') return
    const textStyle = segment.kind === 'text' || segment.kind === 'space' ? segment.textStyle : undefined
    if (sameBorder(this.#bordered?.run.border, textStyle?.run.border)) return
    for (const edge of [this.#bordered, textStyle]) if (edge !== undefined) this.#x += borderInset(edge.run)
    this.#bordered = textStyle
  }

  /**
   * Adds text or an inline object. When it does not fit, it is hyphenated, split at a slash, moved, or split
   * anywhere.
   */
  #takeBox(at: number, segment: TextSegment): 'ok' | 'full' {
    const border = this.#bordered === undefined ? 0 : borderInset(this.#bordered.run)
    const { kerningAtEnd = 0 } = segment
    const end = this.#x + segment.width + kerningAtEnd + uncountedSpacing(segment) + border
    const isTooWide = !libreOffice.portionFits(this.#portionStart, end, this.#right)
    if (isTooWide && !this.#fitsBeforeTab(end) && !this.#fitsWithoutMark(at, end)) {
      if (segment.kind === 'text' && this.#divide(at)) return 'full'
      if (segment.kind === 'text' && this.#endAtSlash(at, segment)) return 'full'
      if (this.#lastBreak >= 0 || this.#request.yields === true) return 'full'
      if (at > this.#request.from && this.#x > this.#left && segment.kind === 'object') return 'full'
      if (this.#splitSegment(at, segment)) return 'ok'
      if (segment.kind === 'text' && this.#endBefore(at)) return 'full'
    }
    this.#x += segment.width
    if (segment.breakAfter) this.#rememberBreak(at + 1)
    return 'ok'
  }

  /** Whether segment `at`, which would end at `end`, fits when the mark at its end stands in the margin. */
  #fitsWithoutMark(at: number, end: Pt): boolean {
    const { content, style } = this.#request
    if (!style.eastAsian.hangingPunctuation) return false
    const hanging = hangingWidth(content.segments, at)
    return hanging > 0 && libreOffice.portionFits(this.#portionStart, end - hanging, this.#right)
  }

  /** Ends the line between two parts of one word, where not one letter of the second part fits. */
  #endBefore(at: number): boolean {
    if (at === this.#request.from || this.#x <= this.#left + 0.05) return false
    this.#rememberBreak(at)
    return true
  }

  /** Ends the line within the word that segment `at` belongs to. Returns whether that was possible. */
  #divide(at: number): boolean {
    const { style, content, from, hyphens = 0 } = this.#request
    const rules = style.hyphenation
    if (rules === undefined || (rules.ladder > 0 && hyphens >= rules.ladder)) return false
    const available = this.#right - this.#x
    const next = divideWord(this.#context, content.segments, {
      at,
      first: from,
      available: available,
      rules,
    })
    if (next !== undefined) this.#rememberBreak(next)
    return next !== undefined
  }

  /**
   * Ends the line at a slash of an address, the last one that fits together with the letter after it. When a space
   * precedes the address, which is not overlong, the line ends there instead: an address that is alone on the line is then
   * split anywhere.
   */
  #endAtSlash(at: number, segment: TextSegment): boolean {
    const { content, from } = this.#request
    const { segments } = content
    const { text } = segment
    const style =
      segment.face === segment.textStyle.face
        ? segment.textStyle.shaping
        : { ...segment.textStyle.shaping, face: segment.face }
    const available = this.#right - this.#x
    const last = Math.min(text.length - 2, lettersWithin(segment, available))
    let end = text.lastIndexOf('/', last) + 1
    const isInsideNumber = (): boolean =>
      staysWithSlash.test(text[end]!) || (digit.test(text[end]!) && digit.test(text[end - 2] ?? ''))
    while (end > 0 && (isInsideNumber() || measure(text.slice(0, end + 1), style) > available))
      end = end > 1 ? text.lastIndexOf('/', end - 2) + 1 : 0
    if (end === 0) return false
    let letters = end
    let start = at
    // A list label is no text: the paragraph begins after it.
    const begins = (): boolean => start === 0 || segments[start - 1]!.label !== undefined
    while (letters < libreOffice.minSplitAddress && !begins() && !isBlank(segments[start - 1]!)) {
      start--
      if (segments[start]!.kind === 'tab' && start >= from) return false
      letters += segments[start]!.text.length
    }
    if (!begins() && letters < libreOffice.minSplitAddress) {
      this.#lastBreak = -1
      if (start > from) this.#rememberBreak(start)
      return start > from
    }
    const head = text.slice(0, end)
    const width = measure(head, style)
    segments.splice(
      at,
      1,
      { ...segment, text: head, width, breakAfter: true },
      { ...segment, text: text.slice(end), width: Math.max(0, segment.width - width) },
    )
    this.#x += width
    this.#rememberBreak(at + 1)
    return true
  }

  /**
   * Text before a right or centred tab stop was measured when the tab was placed, so it fits. It does not begin on a
   * twentieth of a point.
   */
  #fitsBeforeTab(end: Pt): boolean {
    const open = this.#open.at(-1)!
    if (open.stop === undefined) return false
    const { align, at } = open.stop
    if (align !== 'left' && end <= this.#right + 0.05) return true
    return align !== 'left' && (at > this.#right || (align === 'center' && at > this.#right - 0.02))
  }

  /**
   * Splits a word that is wider than the line where the width ends; the rest becomes a segment of its own.
   * Returns true when it was split; the caller then ends the line after segment `at`.
   */
  #splitSegment(at: number, segment: TextSegment): boolean {
    const { segments } = this.#request.content
    if (segment.kind !== 'text' || segment.text.length < 2) return false
    const available = this.#right - this.#x
    const style =
      segment.face === segment.textStyle.face
        ? segment.textStyle.shaping
        : { ...segment.textStyle.shaping, face: segment.face }
    let low = 1
    let high = Math.max(1, Math.min(segment.text.length - 1, lettersWithin(segment, available)))
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (measure(segment.text.slice(0, middle), style) <= available) low = middle
      else high = middle - 1
    }
    if (isLowSurrogate(segment.text, low)) low = low > 1 ? low - 1 : low + 1
    if (low >= segment.text.length) return false
    const head = segment.text.slice(0, low)
    const width = measure(head, style)
    if (width > available && at > this.#request.from && this.#x > this.#left) return false
    segments.splice(
      at,
      1,
      { ...segment, text: head, width, breakAfter: true },
      { ...segment, text: segment.text.slice(low), width: Math.max(0, segment.width - width) },
    )
    this.#x += width
    this.#rememberBreak(at + 1)
    return true
  }

  /** Moves to the next tab stop and opens a new part of the line there. */
  #takeTab(at: number, segment: TextSegment): 'ok' | 'full' {
    const { width } = this.#request
    const next =
      segment.to === undefined ? this.#nextStop() : positioned(segment.to, this.#left, this.#right, width)
    const inside = word.tabsStayInsideMargin(this.#context.document.settings) && next.align !== 'left'
    const stop = inside && next.at > this.#right ? { ...next, at: this.#right } : next
    // A tab stop after the end of the line starts a new line, like a word that does not fit; but not after a tab that went
    // past the end already.
    const breaks = libreOffice.tabsMoveWithWord && at > this.#request.from && segment.label === undefined
    if (breaks) this.#rememberBreak(at)
    const isFull = this.#x > this.#left + 0.05 && this.#x <= this.#right + 0.05
    if (breaks && isFull && stop.align === 'left' && stop.at > this.#right + 0.05) return 'full'
    const following =
      stop.align === 'left' || stop.align === 'list'
        ? 0
        : widthToStop(this.#request.content.segments, at + 1, stop)
    const target = stop.align === 'center' ? stop.at - following / 2 : stop.at - following
    const tabAt = this.#x
    this.#x = Math.max(this.#x, stop.align === 'left' || stop.align === 'list' ? stop.at : target)
    this.#portionStart = this.#x
    this.#open.push({ start: this.#x, from: at + 1, stop, tabAt, tab: segment })
    if (!breaks) this.#rememberBreak(at + 1)
    return 'ok'
  }

  /** The next tab stop. A hanging indent moves along with the interval, other stops do not. */
  #nextStop(): ResolvedTabStop {
    const { style } = this.#request
    const { settings } = this.#context.document
    const hangs = style.indentFirst < 0 && this.#x + 0.05 < style.indentStart + this.#shift
    if (this.#shift === 0 || !hangs) return nextStop(style, this.#x, settings)
    const stop = nextStop(style, this.#x - this.#shift, settings)
    return { ...stop, at: stop.at + this.#shift }
  }

  /** Remembers that the line can end before segment `at`. */
  #rememberBreak(at: number): void {
    this.#lastBreak = at
    this.#segmentsAtBreak = this.#open.length
  }

  /** Ends the line at its last break opportunity and returns the index after its last segment. */
  end(at: number): { to: number; broke?: 'line' | 'page' | 'column' } {
    const { segments } = this.#request.content
    if (this.#broke !== undefined || at >= segments.length) return { to: at, broke: this.#broke }
    if (this.#request.yields === true && this.#lastBreak <= this.#request.from)
      return { to: this.#request.from }
    let to = this.#lastBreak > this.#request.from ? this.#lastBreak : Math.max(at, this.#request.from + 1)
    if (this.#lastBreak > this.#request.from) this.#open.length = Math.max(1, this.#segmentsAtBreak)
    // Spaces hang over the end of the line; bookmarks stay with what follows them.
    while (
      to < segments.length &&
      (segments[to]!.kind === 'space' ||
        (segments[to]!.kind === 'mark' && segments[to]!.drawing === undefined))
    )
      to++
    if (segments[to]?.kind === 'break' && segments[to]!.at === 'line') return { to: to + 1, broke: 'line' }
    return { to }
  }

  /** The parts of the finished line, which ends before segment `to`. */
  parts(to: number): TabPart[] {
    const { segments } = this.#request.content
    return this.#open.map((open, index) => {
      const end = this.#open[index + 1]?.from ?? to
      const inside = segments.slice(open.from, Math.min(to, index + 1 < this.#open.length ? end - 1 : end))
      const { tab, stop } = open
      return {
        start: open.start,
        segments: inside,
        ...(tab !== undefined &&
          stop !== undefined && { tab: { from: open.tabAt ?? 0, leader: stop.leader, segment: tab } }),
      }
    })
  }
}

/** The letter spacing that does not count after the last letter of a portion, in points. */
const uncountedSpacing = ({ kind, textStyle }: TextSegment): Pt =>
  kind === 'text' || kind === 'space' ? libreOffice.unspacedEnd(textStyle.run.letterSpacing) : 0

/** Whether two segments are parts of one portion of text. */
const continues = (open: TextSegment, next: TextSegment): boolean =>
  open.textStyle === next.textStyle &&
  open.face === next.face &&
  open.level === next.level &&
  open.link === next.link &&
  open.control === next.control

/** Whether a segment separates words. */
const isBlank = ({ kind }: TextSegment): boolean => kind === 'space' || kind === 'break'

const digit = /\d/

/** Characters that stay with the slash before them; a slash between digits does not end a line either. */
const staysWithSlash = /[/)\]}!?,.:;"'\u2019\u201d\u00bb]/

/**
 * An upper bound of the letters of a segment that can fit: twice as many as letters of average width. It
 * saves measuring the rest of a very long word.
 */
const lettersWithin = ({ text, width }: TextSegment, available: Pt): number =>
  Math.ceil((available / Math.max(0.01, width)) * text.length * 2) + 4

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}

/** The stop of a tab with an explicit alignment, relative to the indents or to the margins. */
function positioned(to: NonNullable<TextSegment['to']>, left: Pt, right: Pt, width: Pt): ResolvedTabStop {
  const start = to.from === 'indent' ? left : 0
  const end = to.from === 'indent' ? right : width
  const at = to.align === 'center' ? (start + end) / 2 : to.align === 'right' ? end : start
  return { at, align: to.align, leader: to.leader ?? 'none' }
}

/** How far a right or centred list label reaches before its position. */
function labelShift(content: InlineContent): Pt {
  let width = 0
  for (const segment of content.segments) {
    if (segment.label !== 'text') break
    width += segment.width
  }
  return content.labelAlign === 'right' ? width : width / 2
}
