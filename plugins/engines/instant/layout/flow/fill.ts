import type { DocumentSettings, Inset } from '../../../../../shared/document/document.ts'
import type { LayoutContext } from '../context.ts'
import { filledBox, type Placed, type Pt } from '../frame.ts'
import { type Line, multiplied, wholePercent } from '../inline/line.ts'
import { colourOf } from '../inline/look.ts'
import { ownLine } from '../ownership.ts'
import { fillTable } from '../table/fill-table.ts'
import type { PreparedTable, TableFilled } from '../table/types.ts'
import { type Pin, placeAnchors, placeFloatTable, placeFrame, type RegionFloats } from './floats.ts'
import { breakLines, edgesOf, linesOf, obstaclesOf, paintBox } from './paragraph.ts'
import {
  type Exclusion,
  type Filled,
  type FillRequest,
  type Flow,
  insetWidth,
  type Position,
  type Prepared,
  type PreparedParagraph,
} from './types.ts'

/**
 * Absorbs rounding errors in the sum of a page of line heights, in points, so that they do not push the last
 * line out.
 */
const tolerance = 0.06

/** The state before a block is placed. Lists are stored as their lengths, since they only grow. */
interface Snapshot {
  readonly block: number
  readonly y: Pt
  readonly items: number
  readonly behind: number
  readonly front: number
  readonly exclusions: number
  readonly notes: number
  readonly after: Pt
}

/**
 * The background of one block inside a section with margins; `top` and `bottom` are positions in the region.
 */
interface SectionBackground {
  readonly block: number
  readonly inset: Inset
  readonly top: Pt
  readonly bottom: Pt
}

/**
 * Places blocks into one region until it is full.
 *
 * from     the position to continue at; `flowStart` for the start
 * request  the region: its height, what is above it, and what notes and floats do to it
 * Returns what was placed and the position to continue at. Each call places something or reports `empty`;
 * with `mustPlace` it always places something, even if that overflows the region.
 *
 * A float may cover text that was placed before its anchor. The pass then stops, and the next one starts with
 * the box of the float pinned, so that the text avoids it from the start. The loop ends because a float is
 * pinned only once, and after `maxPasses` at the latest.
 */
export function fillFlow(context: LayoutContext, flow: Flow, from: Position, request: FillRequest): Filled {
  const known = request.exclusions.length
  const pins = new Map<object, Pin>()
  for (let pass = 0; pass < maxPasses; pass++) {
    const filler = new Filler(context, flow, from, request, {
      pins,
      back: new Map(),
      seen: new Set(),
      reach: 0,
    })
    const filled = filler.run(pass + 1 < maxPasses)
    const lost = [...pins.keys()].some((key) => !filler.floats.seen.has(key))
    if (filled !== 'again' && !lost) return filled
    request.exclusions.length = known
    // A float can push its own anchor to the next page. Pinning it there would loop forever, so give up on
    // pins and let the text run where a pass without them puts it.
    if (lost && filled !== 'again') break
    for (const [key, pin] of filler.floats.back) pins.set(key, pin)
    for (const pin of pins.values()) request.exclusions.push(pin.box)
  }
  request.exclusions.length = known
  const floats: RegionFloats = { pins: new Map(), back: new Map(), seen: new Set(), reach: 0 }
  return new Filler(context, flow, from, request, floats).run(false) as Filled
}

/**
 * How often a region is filled, at most. Each pass pins at least one more float that reaches back over earlier
 * text. With a lower limit, pages with many such floats overlap their text.
 */
const maxPasses = 6

/** One pass over the blocks of one region. All positions are in points from the top left of the region. */
class Filler {
  readonly #context: LayoutContext
  readonly #flow: Flow
  readonly #from: Position
  /**
   * The region. While a block of a section with margins is placed, its origin is moved to the left edge of
   * that section.
   */
  #request: FillRequest
  /** The width for the current block: that of the flow, or less inside a section with margins. */
  #width: Pt
  /** Backgrounds of the blocks placed so far, in order; `#backgroundBoxes` joins those of one section. */
  readonly #backgrounds: SectionBackground[] = []
  /** What is drawn in the order of the text. */
  readonly #items: Placed[] = []
  /** What is drawn behind the text. */
  readonly #behind: Placed[] = []
  /** What is drawn in front of the text. */
  readonly #front: Placed[] = []
  /**
   * Keys of the notes that the placed lines and tables refer to, in order; the pager makes space for them.
   */
  readonly #notes: string[] = []
  /**
   * One snapshot for each block started, so that `#full` can take back paragraphs that keep with the next
   * one.
   */
  readonly #starts: Snapshot[] = []
  /**
   * The list of the request itself, shared by all regions of the page: floats placed here are seen by the
   * next region.
   */
  readonly #exclusions: Exclusion[]
  /** What floats; read by `fillFlow` after the pass. */
  readonly floats: RegionFloats
  /** The bottom of what was placed last, without the space after it. */
  #y: Pt = 0
  /**
   * The space after the block placed last, not yet part of `#y`; it merges with the space before the next
   * block.
   */
  #after: Pt = 0
  /**
   * What the line spacing adds below the text of the last line; this part may stick out at the bottom of a
   * page.
   */
  #slack: Pt = 0
  /** The top of the block placed last, where its background begins. */
  #top: Pt = 0
  /**
   * Whether a paragraph or table was placed. Floats do not count: what comes after them is still at the top.
   */
  #placed = false

  constructor(
    context: LayoutContext,
    flow: Flow,
    from: Position,
    request: FillRequest,
    floats: RegionFloats,
  ) {
    this.floats = floats
    this.#context = context
    this.#flow = flow
    this.#from = from
    this.#request = request
    this.#width = flow.width
    this.#exclusions = request.exclusions
    this.#after = request.above ?? 0
  }

  /** Returns 'again' when a float covers text that was placed before it and `anew` allows another pass. */
  run(anew: boolean): Filled | 'again' {
    const { blocks } = this.#flow
    let position: Position = this.#from
    while (position.block < blocks.length) {
      this.#context.budget.check()
      const block = blocks[position.block]!
      this.#starts.push(this.#snapshot(position.block))
      const outcome =
        block.within === undefined
          ? this.#block(block, position)
          : this.#inside(block, position, block.within)
      if (anew && this.floats.back.size > 0 && this.#request.overlaps !== true) return 'again'
      if (outcome.kind === 'full') return this.#full(outcome.next)
      if (outcome.kind === 'broke') return this.#result(outcome.next, outcome.at)
      position = { block: position.block + 1, line: 0 }
    }
    return this.#result(undefined)
  }

  #block(block: Prepared, position: Position): Outcome {
    switch (block.kind) {
      case 'paragraph':
        return this.#paragraph(block, position)
      case 'table':
        return this.#table(block, position)
      default:
        return this.#floating(block)
    }
  }

  /** Places a block of a section with margins: a narrower region, which may have a background of its own. */
  #inside(block: Prepared, position: Position, inset: Inset): Outcome {
    const request = this.#request
    const { origin } = request
    const start = this.#starts.at(-1)!
    this.#request = { ...request, origin: { x: origin.x + inset.left, y: origin.y } }
    this.#width = insetWidth(this.#flow.width, inset)
    const outcome = this.#block(block, position)
    this.#request = request
    this.#width = this.#flow.width
    for (const [list, from] of [
      [this.#items, start.items],
      [this.#behind, start.behind],
      [this.#front, start.front],
    ] as const) {
      for (let i = from; i < list.length; i++) list[i] = { ...list[i]!, x: list[i]!.x + inset.left }
    }
    if (inset.ground !== undefined && this.#y > this.#top)
      this.#backgrounds.push({ block: position.block, inset, top: this.#top, bottom: this.#y })
    return outcome
  }

  /** One background for all consecutive blocks of a section, including the spaces between them. */
  #backgroundBoxes(): Placed[] {
    const boxes: Placed[] = []
    for (let i = 0; i < this.#backgrounds.length; i++) {
      const { inset, top, block } = this.#backgrounds[i]!
      let last = i
      while (
        this.#backgrounds[last + 1]?.inset === inset &&
        this.#backgrounds[last + 1]!.block === block + (last + 1 - i)
      )
        last++
      i = last
      const width = insetWidth(this.#flow.width, inset)
      boxes.push(
        filledBox(inset.left, top, width, this.#backgrounds[last]!.bottom - top, colourOf(inset.ground!)),
      )
    }
    return boxes
  }

  #snapshot(block: number): Snapshot {
    return {
      block,
      y: this.#y,
      items: this.#items.length,
      behind: this.#behind.length,
      front: this.#front.length,
      exclusions: this.#exclusions.length,
      notes: this.#notes.length,
      after: this.#after,
    }
  }

  /** Takes back everything that was placed since the snapshot. */
  #restore(to: Snapshot): void {
    this.#y = to.y
    this.#after = to.after
    this.#slack = 0
    this.#items.length = to.items
    this.#behind.length = to.behind
    this.#front.length = to.front
    this.#exclusions.length = to.exclusions
    this.#notes.length = to.notes
    while (this.#backgrounds.length > 0 && this.#backgrounds.at(-1)!.block >= to.block)
      this.#backgrounds.pop()
  }

  /**
   * Ends a region that is full at `next`. Paragraphs that are to keep with what follows move along with it.
   */
  #full(next: Position): Filled {
    let index = this.#starts.length - 1
    const isUnsplit = next.line === 0 && next.table === undefined && next.block === this.#starts[index]?.block
    if (!isUnsplit) return this.#result(next)
    let first = index
    while (first > 0 && keepsNext(this.#flow.blocks[this.#starts[first - 1]!.block]!)) first--
    // A chain that fills the entire region cannot move, so it is broken where the region ends.
    const movable =
      first > 0 && (this.#starts[first]!.block > this.#from.block || this.#request.top === 'after')
    if (movable) index = first
    const to = this.#starts[index]!
    if (index === 0 && this.#request.mustPlace) return this.#result(next)
    this.#restore(to)
    return this.#result(to.block === this.#from.block ? this.#from : { block: to.block, line: 0 })
  }

  /** What was placed so far; `next` is undefined when all blocks are placed. */
  #result(next: Position | undefined, broke?: 'page' | 'column'): Filled {
    return {
      items: this.#items,
      behind: this.#backgrounds.length === 0 ? this.#behind : [...this.#backgroundBoxes(), ...this.#behind],
      front: this.#front,
      height: this.#y + this.#after,
      trailing: this.#after,
      slack: this.#slack,
      next,
      broke,
      notes: this.#notes,
      reach: this.floats.reach,
      empty:
        this.#items.length === 0 && this.#y === 0 && this.#front.length === 0 && this.#behind.length === 0,
    }
  }

  /** The height available for lines, given the notes placed so far and those that come next. */
  #limit(notes: readonly string[]): Pt {
    const { height, notes: noteSpace } = this.#request
    if (noteSpace === undefined) return height + tolerance
    return (
      height - noteSpace.height(notes.length === 0 ? this.#notes : [...this.#notes, ...notes]) + tolerance
    )
  }

  /**
   * The extra space above the first line of a paragraph that is moved below an obstacle: what multiple line
   * spacing adds to the lines of this paragraph and of the previous one (observed in LibreOffice).
   */
  #moved(block: PreparedParagraph): Pt {
    return (linesOf(this.#context, block, this.#width)[0]?.slack ?? 0) + (this.#placed ? this.#slack : 0)
  }

  /** The height available for a line whose note may continue at the bottom of the next page. */
  #opening(notes: readonly string[]): Pt {
    const { height, notes: noteSpace } = this.#request
    if (noteSpace === undefined) return height + tolerance
    return height - noteSpace.least([...this.#notes, ...notes]) + tolerance
  }

  /**
   * The space above a block: at the top of a region it may be dropped, elsewhere it merges with the space
   * after the block above.
   */
  #gap(before: Pt, automatic: boolean): Pt {
    const { settings } = this.#context.document
    const { top } = this.#request
    if (!this.#placed && top !== 'after') return spaceAtTop(before, automatic, top, settings)
    return sharedSpace(this.#after, before, settings)
  }

  /** Places the lines of a paragraph that fit, with its borders, background and drawings. */
  #paragraph(block: PreparedParagraph, position: Position): Outcome {
    const { style } = block
    const started = position.line > 0
    const first = !this.#placed
    if (
      style.breakBefore !== undefined &&
      !started &&
      position.broken !== true &&
      !(first && this.#request.top !== 'after')
    ) {
      return { kind: 'broke', at: style.breakBefore, next: { ...position, broken: true } }
    }
    const previous = this.#flow.blocks[position.block - 1]
    const same = previous?.kind === 'paragraph' && previous.style.named === style.named
    if (same && previous.style.contextualSpacing && this.#placed) this.#after = 0
    // Automatic spacing is dropped between the items of one list.
    const listed =
      previous?.kind === 'paragraph' &&
      style.list !== undefined &&
      previous.style.list?.list === style.list.list
    if (listed && previous.style.spaceAfterAuto && this.#placed) this.#after = 0
    const opensCell = first && this.#request.partsAnywhere === true
    const dropped = !opensCell && ((same && style.contextualSpacing) || (listed && style.spaceBeforeAuto))
    const before = dropped ? 0 : style.spaceBefore
    // Observed in LibreOffice: a paragraph that continues in a cell on the next page keeps its space above.
    const dropsSpaceAbove = started && !opensCell
    let gap = dropsSpaceAbove ? 0 : this.#spaced(this.#gap(before, style.spaceBeforeAuto), previous, block)
    const pushes = this.#context.document.settings.floatsPushBlocks === true
    const cleared = started ? undefined : this.#clearObstacle(this.#y + gap)
    const leading = pushes && !started ? this.#moved(block) : 0
    if (cleared !== undefined) gap = Math.max(0, (pushes ? gap + leading : before) - cleared)
    const edges = edgesOf(block)
    const joined = block.joinsAbove && !started && this.#placed ? gap : 0
    const head = started ? edges.cutTop : edges.top
    // Observed in LibreOffice: the space shared with the previous paragraph does not belong to this one.
    const shared = this.#placed && (pushes || cleared === undefined) ? this.#after : 0
    const own = Math.max(0, gap - shared) + edges.top
    const place = this.#lay(block, position, this.#y + gap + head, {
      own,
      above: pushes ? gap + head : 0,
      leading,
    })
    const { lines, tops } = place
    const top = place.y - head
    this.#top = top
    const last = position.block === this.#flow.blocks.length - 1
    const fit = this.#fitting(block, lines, tops, position.line, {
      edge: edges.bottom,
      cutEdge: edges.cutBottom,
      after: last ? 0 : style.spaceAfter,
      // Observed in LibreOffice: a paragraph that keeps with the next one is not split either.
      keeps: !last && style.keepNext,
    })
    if (fit.count === 0) {
      if (this.#placed || !this.#request.mustPlace) return { kind: 'full', next: position }
      fit.count = 1
    }
    const breaks = lines.findIndex(
      (line, index) => index < fit.count && (line.broke === 'page' || line.broke === 'column'),
    )
    const count = breaks >= 0 ? breaks + 1 : fit.count
    const done = count === lines.length
    const boxed = (style.borders ?? style.shading ?? style.backdrop ?? style.shadow) !== undefined
    const boxAt = this.#items.length
    if (block.mark !== undefined && !started)
      this.#items.push({ x: 0, y: top, item: { kind: 'mark', id: block.mark } })
    let bottom = top + head
    if (lines.some(({ items }) => items.length > 0)) this.#items.push(paragraphItem(block))
    for (let i = 0; i < count; i++) {
      const line = lines[i]!
      const y = tops[i]! + line.ascent
      for (const item of line.items) this.#items.push({ x: item.x, y: y + item.y, item: item.item })
      if (block.lineNumbers !== undefined)
        this.#items.push({ x: 0, y, item: { kind: 'mark', id: '', line: block.lineNumbers } })
      if (line.changed || changedAt(block, previous, i + place.start === 0, line === lines.at(-1)))
        this.#items.push({ x: 0, y: tops[i]!, item: { kind: 'mark', id: '', changed: line.height } })
      bottom = tops[i]! + line.height
      if (line.notes.length > 0) this.#notes.push(...line.notes)
    }
    bottom += done ? edges.bottom : edges.cutBottom
    if (boxed) {
      const box: Placed[] = []
      paintBox(
        this.#context,
        block,
        { top: top - joined, bottom, width: this.#width, first: !started, last: done },
        box,
      )
      this.#items.splice(boxAt, 0, ...box)
    }
    this.#y = bottom
    this.#slack = boxed ? 0 : (lines[count - 1]?.slack ?? 0)
    this.#placed = true
    this.#after = done ? style.spaceAfter : 0
    const next: Position = done
      ? { block: position.block + 1, line: 0 }
      : { block: position.block, line: place.start + count, broken: true }
    if (breaks >= 0) {
      const at = lines[breaks]!.broke as 'page' | 'column'
      return { kind: 'broke', at, next: done ? { ...next, broken: true } : next }
    }
    if (!done) return { kind: 'full', next: { ...next, broken: undefined } }
    if (style.breakAfter !== undefined && next.block < this.#flow.blocks.length) {
      return { kind: 'broke', at: style.breakAfter, next: { ...next, broken: true } }
    }
    return { kind: 'ok' }
  }

  /**
   * Moves `#y` below an obstacle that covers the full width, since a paragraph starts below it. Returns
   * undefined when there is no such obstacle, else the distance that the obstacle itself keeps at its bottom,
   * which counts as part of the space above the paragraph.
   */
  #clearObstacle(y: Pt): Pt | undefined {
    if (this.#exclusions.length === 0 || this.#request.overlaps === true) return undefined
    const { origin } = this.#request
    const place = obstaclesOf(this.#exclusions, origin.x, origin.y, this.#width)(y, 1)
    if (place === undefined || place.y <= y + 0.05) return undefined
    this.#y = place.y
    const above = this.#exclusions.find((box) => Math.abs(box.bottom - origin.y - place.y) < 0.1)
    return above?.gap ?? 0
  }

  /**
   * Lays out the remaining lines of a paragraph from `y` on, beside obstacles where there are any. Returns
   * the lines, the top of each in the region, the index of the first one in the paragraph, and the y at which
   * they begin.
   *
   * own      the part of the space above that is not shared with the previous paragraph
   * above    all of that space: it moves along when an obstacle pushes the first line down
   * leading  what line spacing adds above; it moves along too, unless a narrow interval beside the obstacle
   * was free
   */
  #lay(
    block: PreparedParagraph,
    position: Position,
    y: Pt,
    { own, above, leading }: { readonly own: Pt; readonly above: Pt; readonly leading: Pt },
  ): { lines: readonly Line[]; tops: Pt[]; start: number; y: Pt } {
    const { origin } = this.#request
    const width = this.#width
    if (position.line === 0 && block.anchors.length > 0) {
      placeAnchors(this.#context, block, {
        y,
        width,
        gap: own,
        request: this.#request,
        behind: this.#behind,
        front: this.#front,
        floats: this.floats,
      })
    }
    if (position.line === 0 && block.dropped !== undefined) this.#dropLetters(block, block.dropped, y)
    const { all, lines } = this.#remaining(block, position)
    const reach = lines.reduce((total, line) => total + line.height, y)
    const hit =
      this.#request.overlaps !== true &&
      this.#exclusions.some(
        (box) =>
          box.bottom > origin.y + y &&
          box.top < origin.y + reach &&
          box.right > origin.x &&
          box.left < origin.x + width,
      )
    const tops: Pt[] = []
    if (!hit) {
      let at = y
      for (const line of lines) {
        tops.push(at)
        at += line.height
      }
      return { lines, tops, start: position.line, y }
    }
    const from = lines[0]?.from ?? 0
    const obstacles = obstaclesOf(this.#exclusions, origin.x, origin.y, width)
    let around = breakLines(this.#context, block, width, from, { y, obstacles, tops })
    const first = tops[0] ?? y
    if (position.line === 0 && first > y + 0.05 && above + leading > 0) {
      const ink = Math.max(1, (lines[0]?.height ?? 0) - (lines[0]?.slack ?? 0))
      const narrow = (obstacles(y, ink)?.y ?? y) <= y + 0.05
      y = first + above + (narrow ? 0 : leading)
      tops.length = 0
      around = breakLines(this.#context, block, width, from, { y, obstacles, tops })
    }
    // Lines on later pages continue from the segment at which these lines end.
    block.around = [...all.slice(0, position.line), ...around]
    return { lines: around, tops, start: position.line, y }
  }

  /** Draws the drop cap of a paragraph and keeps its box free of text. */
  #dropLetters(block: PreparedParagraph, dropped: NonNullable<PreparedParagraph['dropped']>, y: Pt): void {
    const { style } = block
    const letters = dropped(this.#width)
    if (letters === undefined) return
    const { origin } = this.#request
    const x = style.rightToLeft ? this.#width - style.indentStart - letters.width : style.indentStart
    const items = letters.items.map((item) => ({ ...item, x: x + item.x, y: y + item.y }))
    this.#front.push(paragraphItem(block), ...items)
    const { ownership } = this.#context
    if (ownership !== undefined) ownLine(ownership, items, block.source.inlines, style)
    const left = origin.x + x
    const top = origin.y + y
    this.#exclusions.push({
      left,
      top,
      right: left + letters.width,
      bottom: top + letters.height,
      side: 'both',
    })
  }

  /**
   * The lines still to be placed. Lines that follow some set beside an obstacle are broken again, since on
   * this page the obstacle may be absent. `all` also contains the lines already placed.
   */
  #remaining(
    block: PreparedParagraph,
    position: Position,
  ): { readonly all: readonly Line[]; readonly lines: readonly Line[] } {
    const width = this.#width
    if (position.line === 0) {
      block.around = undefined
      const all = linesOf(this.#context, block, width)
      return { all, lines: all }
    }
    const { around } = block
    if (around === undefined) {
      const all = linesOf(this.#context, block, width)
      return { all, lines: all.slice(position.line) }
    }
    const from = around[position.line]?.from ?? around.at(-1)?.to ?? 0
    const lines = breakLines(this.#context, block, width, from, undefined)
    block.around = [...around.slice(0, position.line), ...lines]
    return { all: block.around, lines }
  }

  /**
   * How many lines fit, given widows, orphans and lines kept together. In cells the space below a paragraph
   * that is followed by more text belongs to its last line (observed in LibreOffice).
   */
  #fitting(
    block: PreparedParagraph,
    lines: readonly Line[],
    tops: readonly Pt[],
    done: number,
    { edge, cutEdge, after, keeps }: FitRequest,
  ): { count: number } {
    const { style } = block
    const notes: string[] = []
    let count = 0
    while (count < lines.length) {
      const line = lines[count]!
      for (const note of line.notes) notes.push(note)
      // Where a paragraph is split, its borders close the box and open it again (observed in LibreOffice).
      const ends = count === lines.length - 1
      const under = ends ? edge : cutEdge
      const space = ends && this.#request.partsAnywhere === true && (count > 0 || this.#placed) ? after : 0
      const bottom = tops[count]! + line.height + space + (under > 0 ? under : -line.slack)
      if (bottom > (line.notes.length > 0 ? this.#opening(notes) : this.#limit(notes))) break
      count++
      if (line.broke === 'page' || line.broke === 'column') return { count }
    }
    if (count === lines.length || this.#request.partsAnywhere === true) return { count }
    if ((style.keepLines || keeps) && done === 0 && this.#placed) return { count: 0 }
    if (count === 0) return { count: 0 }
    const left = lines.length - count
    if (left < style.widows) count = Math.max(0, lines.length - style.widows)
    if (done === 0 && count < Math.min(style.orphans, lines.length)) count = 0
    return { count }
  }

  /**
   * The space above a block plus what line spacing adds to it; nothing is added at the top of a page.
   *
   * Observed in LibreOffice: two paragraphs are separated by the larger of their leadings. Documents with the
   * setting `sharedLineSpace` also count what multiple line spacing adds: below the first paragraph as much
   * as the height of its own letters gives, or above the second.
   */
  #spaced(gap: Pt, previous: Prepared | undefined, block?: PreparedParagraph): Pt {
    if (!this.#placed && this.#request.top !== 'after') return gap
    const { settings } = this.#context.document
    const pair = block === undefined ? [] : [block]
    if (previous?.kind === 'paragraph') pair.push(previous)
    if (settings.sharedLineSpace !== true) return gap + Math.max(0, ...pair.map(leadingOf))
    const larger = Math.max(0, ...pair.map(lineSpaceOf))
    return (settings.paragraphGap === 'add' ? gap + larger : Math.max(gap, larger)) - this.#slack
  }

  /**
   * Fills the part of a table that this region holds, below or to the right of pictures that it would
   * overlap. Observed in LibreOffice: when the rows that fit below a picture would fit above it without
   * touching it, they are placed above.
   */
  #clearTable(
    block: PreparedTable,
    position: Position,
    start: Pt,
  ): { readonly filled: TableFilled; readonly top: Pt; readonly left: Pt } {
    const fill = (top: Pt, height: Pt): TableFilled =>
      fillTable(this.#context, block, position.table, {
        height,
        mustPlace: this.#request.mustPlace && !this.#placed,
        noteLimit:
          this.#request.notes === undefined
            ? undefined
            : (notes) => Math.min(height, this.#limit(notes) - top),
      })
    const end = this.#limit([])
    let top = start
    let left = 0
    let filled = fill(top, end - top)
    if (this.#exclusions.length === 0 || this.#request.overlaps === true) return { filled, top, left }
    for (let pass = 0; pass < 16 && !filled.empty; pass++) {
      const box = this.#pictureIn(block, left, top, filled.height)
      if (box === undefined) break
      if (box.tables?.to === 'behind' && left === 0) left = box.right - this.#request.origin.x - block.left
      else {
        top = box.bottom - this.#request.origin.y
        filled = fill(top, end - top)
      }
    }
    const cut = top > start && filled.next !== undefined && !filled.empty
    if (cut && this.#pictureIn(block, left, start, filled.height) === undefined)
      return { filled: fill(start, filled.height + 0.01), top: start, left }
    return { filled, top, left }
  }

  /**
   * The first picture that tables avoid and that a table at this position would overlap; undefined when there
   * is none.
   */
  #pictureIn(block: PreparedTable, left: Pt, top: Pt, height: Pt): Exclusion | undefined {
    const { origin } = this.#request
    const start = origin.x + left + block.left
    const end = start + block.width
    return this.#exclusions.find(
      (box) =>
        box.tables !== undefined &&
        box.bottom > origin.y + top + 0.05 &&
        box.top < origin.y + top + height - 0.05 &&
        (box.side === 'none'
          ? box.right > origin.x && box.left < origin.x + this.#width
          : box.tables.right > start + 0.05 && box.tables.left < end - 0.05),
    )
  }

  /** Places the rows of a table that fit; a floating table is placed beside the text. */
  #table(block: PreparedTable, position: Position): Outcome {
    const { properties } = block
    if (
      properties.breakBefore !== undefined &&
      position.table === undefined &&
      position.broken !== true &&
      this.#placed
    ) {
      return { kind: 'broke', at: properties.breakBefore, next: { ...position, broken: true } }
    }
    if (block.floats && position.table === undefined) {
      const floated = placeFloatTable(this.#context, block, {
        y: this.#y + this.#after,
        width: this.#width,
        gap: 0,
        request: this.#request,
        behind: this.#behind,
        front: this.#front,
        floats: this.floats,
      })
      if (floated !== undefined) {
        this.#notes.push(...floated)
        return { kind: 'ok' }
      }
    }
    const previous = this.#flow.blocks[position.block - 1]
    const gap =
      position.table === undefined ? this.#spaced(this.#gap(properties.spaceBefore ?? 0, false), previous) : 0
    const { filled, top, left } = this.#clearTable(block, position, this.#y + gap)
    this.#top = top
    if (filled.empty) return { kind: 'full', next: position }
    // A table that may not be split moves to the next page, unless nothing else is above it.
    const cut = filled.next !== undefined && position.table === undefined
    if (cut && properties.cantSplit === true && this.#placed) return { kind: 'full', next: position }
    for (const item of filled.items) this.#items.push({ x: left + item.x, y: top + item.y, item: item.item })
    this.#notes.push(...filled.notes)
    this.#y = top + filled.height
    this.#slack = 0
    this.#placed = true
    this.#after = filled.next === undefined ? (properties.spaceAfter ?? 0) : 0
    if (filled.next !== undefined)
      return { kind: 'full', next: { block: position.block, line: 0, table: filled.next } }
    if (properties.breakAfter !== undefined) {
      return {
        kind: 'broke',
        at: properties.breakAfter,
        next: { block: position.block + 1, line: 0, broken: true },
      }
    }
    return { kind: 'ok' }
  }

  /** Places a text frame. It takes no height in the flow; the text below flows around it. */
  #floating(block: Extract<Prepared, { kind: 'floating' }>): Outcome {
    const notes = placeFrame(this.#context, block, {
      y: this.#y + this.#after,
      width: this.#width,
      gap: 0,
      request: this.#request,
      behind: this.#behind,
      front: this.#front,
      floats: this.floats,
    })
    this.#notes.push(...notes)
    return { kind: 'ok' }
  }
}

/** Marks the beginning of a paragraph among the drawn items, for the audit of the text and for tagged PDF. */
const paragraphItem = ({ source }: PreparedParagraph): Placed => ({
  x: 0,
  y: 0,
  item: { kind: 'paragraph', inlines: source.inlines },
})

/** The fixed leading of a paragraph, 0 when its line spacing is of another kind. */
const leadingOf = ({ style: { line } }: PreparedParagraph): Pt => (line.rule === 'leading' ? line.value : 0)

/** What line spacing adds to a line in the font of the paragraph style. */
function lineSpaceOf(block: PreparedParagraph): Pt {
  const { line } = block.style
  if (line.rule !== 'multiple') return leadingOf(block)
  const { ascent, descent } = block.content().base
  return Math.max(0, multiplied(ascent + descent, wholePercent(line.value)) - ascent - descent)
}

/** The space between two blocks, by the setting of the document: the sum of both, or the larger one. */
export function sharedSpace(after: Pt, before: Pt, { paragraphGap }: DocumentSettings): Pt {
  return paragraphGap === 'add' ? after + before : Math.max(after, before)
}

/** What remains of the space before a block at the top of a page. */
export function spaceAtTop(
  before: Pt,
  automatic: boolean,
  top: FillRequest['top'],
  { spaceAtPageTop }: DocumentSettings,
): Pt {
  const dropped = top === 'natural' || (top === 'start' && automatic) || spaceAtPageTop === 'drop'
  return dropped ? 0 : before
}

interface FitRequest {
  /** Height of the border below the last line. */
  readonly edge: Pt
  /** Height of the border below a line where the paragraph is split. */
  readonly cutEdge: Pt
  /** Space after the paragraph, when more text follows. */
  readonly after: Pt
  /** The paragraph keeps with the next one. */
  readonly keeps: boolean
}

/**
 * What became of a block: placed, the region ended before or within it, or it asked for a page or column
 * break.
 */
type Outcome =
  | { readonly kind: 'ok' }
  | { readonly kind: 'full'; readonly next: Position }
  | { readonly kind: 'broke'; readonly at: 'page' | 'column'; readonly next: Position }

/**
 * Whether a block moves along with the block after it. Floats always do, since they belong to the text that
 * follows.
 */
function keepsNext(block: Prepared): boolean {
  if (block.kind === 'paragraph') return block.style.keepNext
  return block.kind === 'table' ? block.properties.keepNext === true : true
}

/**
 * Whether a line shows a change of its paragraph: to its formatting, or to where one paragraph ends and the
 * next begins.
 */
function changedAt(
  { source }: PreparedParagraph,
  previous: Prepared | undefined,
  first: boolean,
  last: boolean,
): boolean {
  if (source.changed !== undefined && (source.changed === 'whole' || last)) return true
  return first && previous?.kind === 'paragraph' && previous.source.changed === 'end'
}
