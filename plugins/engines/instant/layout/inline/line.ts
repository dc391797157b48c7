import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { LineSpacing, TabStop } from '../../../../../shared/document/properties.ts'
import { borderRoom, sameBorder } from '../../style/border-width.ts'
import type { ComputedParagraph } from '../../style/computed.ts'
import { measure } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import type { Placed, Pt } from '../frame.ts'
import type { Content, Piece } from './content.ts'
import { divideWord } from './divide.ts'
import { finishLine } from './finish.ts'
import { type Look, snap } from './look.ts'
import { nextStop, type Stop } from './tabs.ts'

/** A finished line box. Items are positioned from the left edge of the region and the baseline. */
export interface Line {
  readonly items: readonly Placed[]
  readonly height: Pt
  /** From the top of the line to the baseline. */
  readonly ascent: Pt
  /**
   * The part of the height that multiple line spacing adds below the text. Observed in LibreOffice: it may
   * stick out at the bottom of a page.
   */
  readonly slack: Pt
  /** The first text segment of the line, and below the one after the last. */
  readonly from: number
  readonly to: number
  /** The manual break that ends the line. */
  readonly broke?: 'line' | 'page' | 'column'
  /** Keys of the notes that the line refers to. */
  readonly notes: readonly string[]
  /** The line ends within a word. */
  readonly hyphenated?: boolean
  /** The line contains a tracked change. */
  readonly changed: boolean
}

/** A free interval of a line, from the left edge of the region. */
export interface Room {
  readonly left: Pt
  readonly right: Pt
  /** Indents count from the start of the interval instead of the start of the region. */
  readonly indents?: boolean
}

/** What one line is made from. `from` is the first text segment. */
export interface LineRequest {
  readonly content: Content
  readonly style: ComputedParagraph
  readonly from: number
  readonly width: Pt
  readonly room?: Room
  /** When not even one word fits the interval, consume nothing instead of splitting a word. */
  readonly yields?: boolean
  readonly grid?: Pt
  /** How many of the lines right before this one end within a word. */
  readonly hyphens?: number
  /** The colour behind the text, from which an automatic text colour follows. */
  readonly ground?: string
}

/** The text segments between two tabs. Positions count from the start edge. */
export interface Segment {
  readonly start: Pt
  readonly pieces: readonly Piece[]
  /** The tab before these segments, which reaches from `from` to their start. */
  readonly tab?: { readonly from: Pt; readonly leader: TabStop['leader']; readonly piece: Piece }
}

const single: LineSpacing = { rule: 'multiple', value: 1 }

/**
 * Fills one line from the text segment `from` on. Consumes at least one segment unless none is left or it
 * yields.
 */
export function fillLine(context: LayoutContext, request: LineRequest): Line {
  const { content, style, from } = request
  const { pieces } = content
  const filler = new LineFiller(context, request)
  let at = from
  while (at < pieces.length) {
    const taken = filler.take(at)
    if (taken === 'full') break
    at++
    if (taken === 'break') break
  }
  const { to, broke } = filler.end(at)
  // Leading separates lines; above the first line it is part of the space before the paragraph.
  const spacing = style.line.rule === 'leading' && from === 0 ? single : style.line
  const metrics = measureLine(context, content, from, to, spacing, request.grid)
  const notes: string[] = []
  for (let i = from; i < to; i++) {
    const { note } = pieces[i]!
    if (note !== undefined && note !== notes.at(-1)) notes.push(note)
  }
  const justified = broke === 'line' && context.document.settings.justifyBrokenLines
  const last = to >= pieces.length || (broke !== undefined && !justified)
  // Observed in LibreOffice: trailing spaces count before a manual line break, and at the end of a paragraph
  // except in documents of Word.
  const { blanksEndParagraphs } = context.document.settings
  const keepsBlanks = broke === 'line' || (to >= pieces.length && blanksEndParagraphs === true)
  const { width, room, ground } = request
  const segments = filler.segments(to)
  const line = { content, style, width, room, ground, segments, last, keepsBlanks, metrics }
  const items = finishLine(context, line)
  const hyphenated = to > from && pieces[to - 1]!.kind === 'soft-hyphen'
  const { height, ascent, slack = 0 } = metrics
  const changed = holdsChange(pieces, from, to)
  return { items, height, ascent, slack, from, to, broke, notes, hyphenated, changed }
}

/** Whether any segment of the line belongs to a tracked change. */
function holdsChange(pieces: readonly Piece[], from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (pieces[i]!.look.run.changed) return true
  return false
}

/** From this many letters on, an address is split at the end of a line instead of moved to the next one. */
const minSplitLength = 66
const digit = /\d/
/** Characters that stay with the slash before them; a slash between digits does not end a line either. */
const unparted = /[/)\]}!?,.:;"'\u2019\u201d\u00bb]/

/**
 * An upper bound of the letters of a segment that can fit: twice as many as letters of average width. It
 * saves measuring the rest of a very long word.
 */
const lettersWithin = ({ text, width }: Piece, available: Pt): number =>
  Math.ceil((available / Math.max(0.01, width)) * text.length * 2) + 4

/** The part of a line that begins at its start or after a tab. */
interface Open {
  start: Pt
  from: number
  stop?: Stop
  tabAt?: Pt
  tab?: Piece
}

/**
 * Decides how many text segments one line takes. `take` is called for each segment in order, then `end` and
 * `segments` once.
 */
class LineFiller {
  readonly #context: LayoutContext
  readonly #request: LineRequest
  /** The start of the text, from the start edge. */
  readonly #left: Pt
  /** The end of the available width, from the start edge. */
  readonly #right: Pt
  /** How far the indents are moved, when they count from the far edge of a float. */
  readonly #shift: Pt
  /** The parts of the line separated by tabs; the last one is being filled. */
  readonly #open: Open[] = []
  /** The current position, from the start edge. */
  #x: Pt
  /** The segment before which the line can end, as found last; -1 when there is none yet. */
  #lastBreak = -1
  /** How many tab parts existed at that break; later ones are dropped when the line ends there. */
  #segmentsAtBreak = 1
  /** The manual break that ends the line. */
  #broke: 'line' | 'page' | 'column' | undefined
  /** The text style of the bordered text that is still open; its border needs space at its end. */
  #bordered: Look | undefined

  constructor(context: LayoutContext, request: LineRequest) {
    this.#context = context
    this.#request = request
    const { style, width, room, content } = request
    const first = request.from === 0
    const indentLeft = style.indentStart + (first ? style.indentFirst : 0)
    const rtl = style.rightToLeft
    // Intervals are given from the left edge, lines count from the start edge.
    const intervalStart = room === undefined ? Number.NEGATIVE_INFINITY : rtl ? width - room.right : room.left
    const intervalEnd = room === undefined ? Number.POSITIVE_INFINITY : rtl ? width - room.left : room.right
    this.#shift = room?.indents === true ? intervalStart : 0
    this.#left = Math.max(indentLeft + this.#shift, intervalStart)
    this.#right = Math.min(width - style.indentEnd, intervalEnd)
    let start = this.#left
    if (first && content.labelAlign !== 'left') start -= labelShift(content)
    this.#x = start
    this.#open.push({ start, from: request.from })
  }

  /** Adds segment `at`. Returns 'break' when the line ends with it, 'full' when it does not fit. */
  take(at: number): 'ok' | 'break' | 'full' {
    const piece = this.#request.content.pieces[at]!
    if (piece.look.run.border !== undefined || this.#bordered !== undefined) this.#enter(piece)
    switch (piece.kind) {
      case 'space':
        this.#x += piece.width
        if (piece.breakAfter) this.#mark(at + 1)
        return 'ok'
      case 'tab':
        return this.#takeTab(at, piece)
      case 'break':
        this.#broke = piece.at ?? 'line'
        return 'break'
      case 'mark':
        return 'ok'
      case 'soft-hyphen':
        if (this.#x + piece.width <= this.#right) this.#mark(at + 1)
        return 'ok'
      default:
        return this.#takeBox(at, piece)
    }
  }

  /** Adds the width of a border where bordered text begins or ends. */
  #enter(piece: Piece): void {
    if (piece.kind === 'mark' || piece.kind === 'soft-hyphen') return
    const look = piece.kind === 'text' || piece.kind === 'space' ? piece.look : undefined
    if (sameBorder(this.#bordered?.run.border, look?.run.border)) return
    for (const edge of [this.#bordered, look]) if (edge !== undefined) this.#x += borderRoom(edge.run)
    this.#bordered = look
  }

  /**
   * Adds text or an inline object. When it does not fit, it is hyphenated, split at a slash, moved, or split
   * anywhere.
   */
  #takeBox(at: number, piece: Piece): 'ok' | 'full' {
    const end = this.#x + piece.width + (this.#bordered === undefined ? 0 : borderRoom(this.#bordered.run))
    // The tolerance of 0.03 pt: measured widths agree with LibreOffice no closer than that.
    if (end > this.#right + 0.03 && !this.#fitsBeforeTab()) {
      if (piece.kind === 'text' && this.#divide(at)) return 'full'
      if (piece.kind === 'text' && this.#endAtSlash(at, piece)) return 'full'
      if (this.#lastBreak >= 0 || this.#request.yields === true) return 'full'
      if (at > this.#request.from && this.#x > this.#left && piece.kind === 'object') return 'full'
      if (this.#splitPiece(at, piece)) return 'ok'
    }
    this.#x += piece.width
    if (piece.breakAfter) this.#mark(at + 1)
    return 'ok'
  }

  /** Ends the line within the word that segment `at` belongs to. Returns whether that was possible. */
  #divide(at: number): boolean {
    const { style, content, from, hyphens = 0 } = this.#request
    const rules = style.hyphenation
    if (rules === undefined || (rules.ladder > 0 && hyphens >= rules.ladder)) return false
    const available = this.#right - this.#x
    const behind = divideWord(this.#context, content.pieces, { at, first: from, room: available, rules })
    if (behind !== undefined) this.#mark(behind)
    return behind !== undefined
  }

  /**
   * Ends the line at a slash of an address, the last one that fits. Observed in LibreOffice: when the address
   * begins on this line and is not overlong, the line ends before the address instead.
   */
  #endAtSlash(at: number, piece: Piece): boolean {
    const { pieces } = this.#request.content
    const { text } = piece
    const style =
      piece.face === piece.look.face ? piece.look.style : { ...piece.look.style, face: piece.face }
    const available = this.#right - this.#x
    const last = Math.min(text.length - 2, lettersWithin(piece, available))
    let end = text.lastIndexOf('/', last) + 1
    const whole = (): boolean =>
      unparted.test(text[end]!) || (digit.test(text[end]!) && digit.test(text[end - 2] ?? ''))
    while (end > 0 && (whole() || measure(text.slice(0, end), style) > available))
      end = end > 1 ? text.lastIndexOf('/', end - 2) + 1 : 0
    if (end === 0) return false
    let letters = end
    let start = at
    while (start > this.#request.from && pieces[start - 1]!.kind !== 'space') {
      start--
      if (pieces[start]!.kind === 'tab') return false
      letters += pieces[start]!.text.length
    }
    if (start > this.#request.from && letters < minSplitLength) {
      this.#mark(start)
      return true
    }
    const head = text.slice(0, end)
    const width = measure(head, style)
    pieces.splice(
      at,
      1,
      { ...piece, text: head, width, breakAfter: true },
      { ...piece, text: text.slice(end), width: Math.max(0, piece.width - width) },
    )
    this.#x += width
    this.#mark(at + 1)
    return true
  }

  /** Text before a right or centred tab stop was measured when the tab was placed, so it fits. */
  #fitsBeforeTab(): boolean {
    const open = this.#open.at(-1)!
    if (open.stop === undefined) return false
    const { align, at } = open.stop
    return align !== 'left' && (at > this.#right || (align === 'center' && at > this.#right - 0.02))
  }

  /**
   * Splits a word that is wider than the line where the width ends; the rest becomes a segment of its own.
   * Returns true when it was split; the caller then ends the line after segment `at`.
   */
  #splitPiece(at: number, piece: Piece): boolean {
    const { pieces } = this.#request.content
    if (piece.kind !== 'text' || piece.text.length < 2) return false
    const available = this.#right - this.#x
    const style =
      piece.face === piece.look.face ? piece.look.style : { ...piece.look.style, face: piece.face }
    let low = 1
    let high = Math.max(1, Math.min(piece.text.length - 1, lettersWithin(piece, available)))
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (measure(piece.text.slice(0, middle), style) <= available) low = middle
      else high = middle - 1
    }
    if (isLowSurrogate(piece.text, low)) low = low > 1 ? low - 1 : low + 1
    if (low >= piece.text.length) return false
    const head = piece.text.slice(0, low)
    const width = measure(head, style)
    if (width > available && at > this.#request.from && this.#x > this.#left) return false
    pieces.splice(
      at,
      1,
      { ...piece, text: head, width, breakAfter: true },
      { ...piece, text: piece.text.slice(low), width: Math.max(0, piece.width - width) },
    )
    this.#x += width
    this.#mark(at + 1)
    return true
  }

  /** Moves to the next tab stop and opens a new part of the line there. */
  #takeTab(at: number, piece: Piece): 'ok' | 'full' {
    const { width } = this.#request
    const next =
      piece.to === undefined ? this.#nextStop() : positioned(piece.to, this.#left, this.#right, width)
    const inside = this.#context.document.settings.tabsInsideMargin === true && next.align !== 'left'
    const stop = inside && next.at > this.#right ? { ...next, at: this.#right } : next
    // A tab stop behind the end of the line starts a new line, like a word that does not fit. Observed in
    // LibreOffice: a tab moves to the next line together with what follows it, except at the start of a line.
    const breaks = at > this.#request.from && piece.label === undefined
    if (breaks) this.#mark(at)
    if (breaks && stop.align === 'left' && stop.at > this.#right + 0.05 && this.#x > this.#left + 0.05)
      return 'full'
    const following = stop.align === 'left' || stop.align === 'list' ? 0 : this.#widthToStop(at + 1, stop)
    const target = stop.align === 'center' ? stop.at - following / 2 : stop.at - following
    const tabAt = this.#x
    this.#x = Math.max(this.#x, stop.align === 'left' || stop.align === 'list' ? stop.at : target)
    this.#open.push({ start: this.#x, from: at + 1, stop, tabAt, tab: piece })
    if (!breaks) this.#mark(at + 1)
    return 'ok'
  }

  /** The next tab stop. A hanging indent moves along with the interval, other stops do not. */
  #nextStop(): Stop {
    const { style } = this.#request
    const { settings } = this.#context.document
    const hangs = style.indentFirst < 0 && this.#x + 0.05 < style.indentStart + this.#shift
    if (this.#shift === 0 || !hangs) return nextStop(style, this.#x, settings)
    const stop = nextStop(style, this.#x - this.#shift, settings)
    return { ...stop, at: stop.at + this.#shift }
  }

  /** The width of what follows a tab, up to the next tab; for a decimal stop up to the decimal sign. */
  #widthToStop(from: number, stop: Stop): Pt {
    const { pieces } = this.#request.content
    let width = 0
    for (let i = from; i < pieces.length; i++) {
      const piece = pieces[i]!
      if (piece.kind === 'tab' || piece.kind === 'break') break
      if (stop.align === 'decimal' && piece.kind === 'text') {
        const sign = decimalSign(piece.text, stop.decimal)
        if (sign >= 0) return width + measure(piece.text.slice(0, sign), piece.look.style)
      }
      if (piece.kind === 'text' || piece.kind === 'object' || piece.kind === 'space') width += piece.width
    }
    return width
  }

  /** Remembers that the line can end before segment `at`. */
  #mark(at: number): void {
    this.#lastBreak = at
    this.#segmentsAtBreak = this.#open.length
  }

  /** Ends the line at its last break opportunity and returns the index after its last segment. */
  end(at: number): { to: number; broke?: 'line' | 'page' | 'column' } {
    const { pieces } = this.#request.content
    if (this.#broke !== undefined || at >= pieces.length) return { to: at, broke: this.#broke }
    if (this.#request.yields === true && this.#lastBreak <= this.#request.from)
      return { to: this.#request.from }
    let to = this.#lastBreak > this.#request.from ? this.#lastBreak : Math.max(at, this.#request.from + 1)
    if (this.#lastBreak > this.#request.from) this.#open.length = Math.max(1, this.#segmentsAtBreak)
    // Spaces hang over the end of the line; bookmarks stay with what follows them.
    while (
      to < pieces.length &&
      (pieces[to]!.kind === 'space' || (pieces[to]!.kind === 'mark' && pieces[to]!.drawing === undefined))
    )
      to++
    if (pieces[to]?.kind === 'break' && pieces[to]!.at === 'line') return { to: to + 1, broke: 'line' }
    return { to }
  }

  /** The parts of the finished line, which ends before segment `to`. */
  segments(to: number): Segment[] {
    const { pieces } = this.#request.content
    return this.#open.map((open, index) => {
      const end = this.#open[index + 1]?.from ?? to
      const inside = pieces.slice(open.from, Math.min(to, index + 1 < this.#open.length ? end - 1 : end))
      const { tab, stop } = open
      return {
        start: open.start,
        pieces: inside,
        ...(tab !== undefined &&
          stop !== undefined && { tab: { from: open.tabAt ?? 0, leader: stop.leader, piece: tab } }),
      }
    })
  }
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}

/**
 * The index of the decimal sign: the given one, or a point or comma followed by digits only; -1 when absent.
 */
function decimalSign(text: string, sign: string | undefined): number {
  if (sign !== undefined) return text.indexOf(sign)
  const match = /[.,](?=\d*$)/.exec(text)
  return match === null ? -1 : match.index
}

/** The stop of a tab with an explicit alignment, relative to the indents or to the margins. */
function positioned(to: NonNullable<Piece['to']>, left: Pt, right: Pt, width: Pt): Stop {
  const start = to.from === 'indent' ? left : 0
  const end = to.from === 'indent' ? right : width
  const at = to.align === 'center' ? (start + end) / 2 : to.align === 'right' ? end : start
  return { at, align: to.align, leader: to.leader ?? 'none' }
}

/** How far a right or centred list label reaches before its position. */
function labelShift(content: Content): Pt {
  let width = 0
  for (const piece of content.pieces) {
    if (piece.label !== 'text') break
    width += piece.width
  }
  return content.labelAlign === 'right' ? width : width / 2
}

/** The height of a line and where its baseline is, in points. */
export interface LineMetrics {
  readonly height: Pt
  readonly ascent: Pt
  /** Of the text itself, without line spacing: the extent of highlights and run borders. */
  readonly textAscent: Pt
  readonly textDescent: Pt
  readonly slack?: Pt
}

/** The height and baseline of the segments from `from` up to `to`, by the line spacing of the paragraph. */
function measureLine(
  context: LayoutContext,
  content: Content,
  from: number,
  to: number,
  spacing: LineSpacing,
  grid: Pt | undefined,
): LineMetrics {
  let ascent = 0
  let descent = 0
  let found = false
  let textHeight = 0
  /** The height of the tallest object that is aligned to the line instead of the baseline. */
  let tallest = 0
  let aligned: Drawing['lineAlign']
  /** The text style of the tallest space or tab. */
  let blank: Look | undefined
  const { blanksHaveNoHeight } = context.document.settings
  const { pieces } = content
  for (let i = from; i < to; i++) {
    const piece = pieces[i]!
    if (piece.kind === 'mark') continue
    if (blanksHaveNoHeight && (piece.kind === 'space' || piece.kind === 'tab')) {
      if (blank === undefined || piece.look.ascent > blank.ascent) blank = piece.look
      continue
    }
    // Observed in LibreOffice: a break is as tall as what it ends, spaces included, whatever its own text
    // style.
    if (piece.kind === 'break' && (found || blank !== undefined)) {
      if (!found) ({ ascent, descent } = blank!)
      found = true
      continue
    }
    if (piece.kind === 'object') {
      const { drawing } = piece
      const height = (drawing?.height ?? 0) + (drawing?.extent?.top ?? 0) + (drawing?.extent?.bottom ?? 0)
      found = true
      if (drawing?.lineAlign !== undefined) {
        if (height > tallest) ({ lineAlign: aligned } = drawing)
        tallest = Math.max(tallest, height)
        if (drawing.lineShare !== undefined) {
          ascent = Math.max(ascent, content.base.ascent)
          descent = Math.max(descent, content.base.descent)
        }
        continue
      }
      const drop = drawing?.drop ?? 0
      ascent = Math.max(ascent, height - drop + piece.look.run.raise)
      descent = Math.max(descent, drop)
      continue
    }
    ascent = Math.max(ascent, piece.look.ascent)
    descent = Math.max(descent, piece.look.descent)
    textHeight = Math.max(textHeight, piece.look.ascent + piece.look.descent)
    found = true
  }
  if (!found) ({ ascent, descent } = content.hasText ? content.base : content.mark)
  const more = tallest - ascent - descent
  if (more > 0) {
    ascent += aligned === 'bottom' ? more : aligned === 'center' ? more / 2 : 0
    descent += aligned === 'bottom' ? 0 : aligned === 'center' ? more / 2 : more
  }
  if (textHeight === 0) textHeight = content.base.ascent + content.base.descent
  return spaced(context, { ascent, descent, textHeight, opens: from === 0 }, spacing, grid)
}

/**
 * Multiple line spacing as LibreOffice stores it: converted to hundredths of a millimetre (423 for a single
 * line), then to an integer percentage. 278/240 becomes 115, 259/240 becomes 108.
 */
export const wholePercent = (multiple: number): number =>
  Math.max(1, Math.floor((Math.round((multiple * 240 * 127) / 72) * 100) / 423))

/** A height in points times an integer percentage, rounded down to twentieths of a point. */
export const multiplied = (height: Pt, percent: number): Pt =>
  Math.floor((Math.round(height * 20) * percent) / 100 + 0.001) / 20

/** A line before line spacing is applied. `textHeight` is that of its tallest text, without objects. */
export interface Natural {
  readonly ascent: Pt
  readonly descent: Pt
  readonly textHeight: Pt
  /** It is the first line of its paragraph. */
  readonly opens?: boolean
}

/** Applies a line spacing rule (exact, at least, leading, multiple) or the line pitch of a document grid. */
export function spaced(
  context: LayoutContext,
  { ascent, descent, textHeight, opens }: Natural,
  spacing: LineSpacing,
  grid: Pt | undefined,
): LineMetrics {
  const natural = ascent + descent
  const text = { textAscent: ascent, textDescent: descent }
  if (grid !== undefined && spacing.rule !== 'exact') {
    const factor = spacing.rule === 'multiple' ? Math.max(1, spacing.value) : 1
    const minHeight = spacing.rule === 'at-least' ? Math.max(natural, spacing.value) : natural
    const height = Math.max(1, Math.ceil(minHeight / grid - 0.01)) * grid * factor
    return { height, ascent: ascent + (height - natural) / 2, ...text }
  }
  switch (spacing.rule) {
    // Text that is taller than its line is not clipped; it overlaps its neighbours, as in every word
    // processor.
    case 'exact':
      return { height: spacing.value, ascent: snap(spacing.value * 0.8), ...text }
    case 'at-least': {
      const height = Math.max(natural, spacing.value)
      return { height, ascent: ascent + height - natural, ...text }
    }
    case 'leading':
      return { height: natural + spacing.value, ascent: ascent + spacing.value, ...text }
    case 'multiple': {
      const percent = wholePercent(spacing.value)
      // A multiple above one scales the text, not objects in it (observed in LibreOffice).
      const scaled = percent > 100 ? Math.min(natural, textHeight) : natural
      const height = natural - scaled + multiplied(scaled, percent)
      if (percent < 100 && opens === true) {
        // Observed in LibreOffice: the first line of a paragraph keeps four fifths of its height above the
        // baseline, in older documents all of it.
        return context.document.settings.firstLinesShrink === false
          ? { height: natural, ascent, ...text }
          : { height, ascent: snap(height * 0.8), ...text }
      }
      if (percent <= 100) return { height, ascent: ascent - (natural - height), ...text }
      const above = context.document.settings.proportionalSpacing === 'above'
      return above
        ? { height, ascent: ascent + height - natural, ...text }
        : { height, ascent, slack: height - natural, ...text }
    }
    default:
      return spacing.rule satisfies never
  }
}
