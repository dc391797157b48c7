import type { NoteSettings } from '../../../../../shared/document/section.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import { formatCounter } from '../../style/number-format.ts'
import type { LayoutContext } from '../context.ts'
import {
  type FilledRegion,
  type FillRequest,
  type FlowPosition,
  flowStart,
  type PageGeometry,
  type PreparedFlow,
} from '../flow/types.ts'
import { filledBox, type Placed, type Pt } from '../frame.ts'

/** Adds the separator line above the notes and the space around it to a height or position. */
const withSeparator = (value: Pt): Pt =>
  value + libreOffice.noteSeparator.gap * 2 + libreOffice.noteSeparator.weight

/** The maximum fraction of a page that footnotes occupy; the rest of them moves to the next page. */
const maxPageFraction = 0.8

/** The heights of a note, or of what remains of one, in points. */
interface NoteBox {
  /** Without the space after its last paragraph and without what line spacing adds to its last line. */
  readonly height: Pt
  /** The part of the height that is space above its first paragraph. */
  readonly before: Pt
  /** The space after its last paragraph. */
  readonly after: Pt
  /** The height that line spacing adds to its last line. */
  readonly slack: Pt
}
/** The space after the last line of a note. It counts only when another note follows. */
type Trail = Pick<NoteBox, 'after' | 'slack'>
/** A note laid out at one width. */
interface PreparedNote extends NoteBox {
  readonly flow: PreparedFlow
  /** The height of its first line; measured when it is first needed. */
  first?: Pt
}

const trailOf = ({ trailing, slack }: FilledRegion): Trail => ({ after: trailing, slack })

/** A note that continues at the bottom of the next page, and the position where it does. */
export interface ContinuedNote {
  readonly key: string
  readonly at: FlowPosition
}

/**
 * The footnotes of a document at one width. Heights are measured before the notes are placed, because they limit the
 * height of the text.
 */
export class Footnotes {
  readonly #context: LayoutContext
  readonly #width: Pt
  readonly #notes = new Map<string, PreparedNote>()

  constructor(context: LayoutContext, width: Pt) {
    this.#context = context
    this.#width = width
  }

  /**
   * The height in points of these notes at the bottom of a page, including the separator; 0 without notes.
   */
  height(keys: readonly string[], continued: readonly ContinuedNote[], bodyHeight: Pt): Pt {
    const total = this.#stacked(this.#boxes(keys, continued))
    return total === 0 ? 0 : Math.min(bodyHeight * maxPageFraction, withSeparator(total))
  }

  /** The height in points that lets these notes begin: the last one shows only its first line. */
  minHeight(keys: readonly string[], continued: readonly ContinuedNote[]): Pt {
    const boxes = this.#boxes(keys, continued)
    const last = keys.findLast(isFootnote)
    if (last !== undefined) {
      const note = this.#note(last)
      boxes[boxes.length - 1] = { ...note, height: this.#firstLine(note) }
    }
    const total = this.#stacked(boxes)
    return total === 0 ? 0 : withSeparator(total)
  }

  #boxes(keys: readonly string[], continued: readonly ContinuedNote[]): NoteBox[] {
    const boxes = continued.map((entry) => this.#remainder(entry))
    for (const key of keys) if (isFootnote(key)) boxes.push(this.#note(key))
    return boxes
  }

  /** The height of notes one below the other. */
  #stacked(boxes: readonly NoteBox[]): Pt {
    let total = 0
    let above: Trail = { after: 0, slack: 0 }
    for (const box of boxes) {
      total += this.#between(above, box.before) + box.height
      above = box
    }
    return libreOffice.lastNoteEndsWithText ? total : total + above.slack + above.after
  }

  /** The space between a note and the next one, whose space before merges with the space after the first. */
  #between({ after, slack }: Trail, before: Pt): Pt {
    return slack + word.spaceBetweenNotes(after, before, this.#context.document.settings)
  }

  #firstLine(note: PreparedNote): Pt {
    note.first ??= this.#context.flows.fill(note.flow, flowStart, { ...measureRequest, height: 0 }).height
    return Math.min(note.height, note.first)
  }

  /** Places notes from `top` down to `bottom`. Returns what did not fit. */
  place(
    keys: readonly string[],
    continued: readonly ContinuedNote[],
    box: { readonly left: Pt; readonly top: Pt; readonly bottom: Pt; readonly geometry: PageGeometry },
    items: Placed[],
  ): ContinuedNote[] {
    const entries = [...continued, ...keys.filter(isFootnote).map((key) => ({ key, at: flowStart }))]
    if (entries.length === 0) return []
    const { gap, weight, share } = libreOffice.noteSeparator
    items.push(filledBox(box.left, box.top + gap, this.#width * share, weight, 0))
    let y = withSeparator(box.top)
    const left: ContinuedNote[] = []
    let above: Trail = { after: 0, slack: 0 }
    for (const entry of entries) {
      if (left.length > 0) {
        left.push(entry)
        continue
      }
      y += this.#between(above, entry.at === flowStart ? this.#note(entry.key).before : 0)
      const filled = this.#context.flows.fill(this.#note(entry.key).flow, entry.at, {
        height: Math.max(0, box.bottom - y + 0.1),
        top: 'start',
        mustPlace: entries[0] === entry,
        origin: { x: box.left, y },
        geometry: box.geometry,
        exclusions: [],
      })
      for (const list of [filled.behind, filled.items, filled.front]) {
        for (const item of list) items.push({ x: box.left + item.x, y: y + item.y, item: item.item })
      }
      above = trailOf(filled)
      y += filled.height - above.after - above.slack
      if (filled.next !== undefined) left.push({ key: entry.key, at: filled.next })
    }
    return left
  }

  /** The heights of what remains of a note. */
  #remainder(continued: ContinuedNote): NoteBox {
    const filled = this.#context.flows.fill(this.#note(continued.key).flow, continued.at, measureRequest)
    const { after, slack } = trailOf(filled)
    return { height: filled.height - after - slack, before: 0, after, slack }
  }

  /** A note, laid out when it is first needed. */
  #note(key: string): PreparedNote {
    let note = this.#notes.get(key)
    if (note === undefined) {
      const blocks = this.#context.document.notes.get(key)?.blocks ?? []
      const flow = this.#context.flows.prepare(blocks, { width: this.#width, note: key, inner: true })
      const filled = this.#context.flows.fill(flow, flowStart, measureRequest)
      const { after, slack } = trailOf(filled)
      const first = flow.blocks[0]
      const before = first?.kind === 'paragraph' && !first.style.spaceBeforeAuto ? first.style.spaceBefore : 0
      note = { flow, height: filled.height - after - slack, before, after, slack }
      this.#notes.set(key, note)
    }
    return note
  }
}

/**
 * Numbers the footnotes that restart on each page, in the order of the text. Notes already numbered keep
 * their number.
 */
export function numberNotes(
  keys: readonly string[],
  perPage: ReadonlyMap<string, NoteSettings>,
  numbers: Map<string, string>,
): void {
  let number: number | undefined
  for (const key of keys) {
    const settings = perPage.get(key)
    if (settings === undefined || numbers.has(key)) continue
    number = number === undefined ? settings.start : number + 1
    numbers.set(key, formatCounter(number, settings.format))
  }
}

/** Whether the key of a note is that of a footnote; readers prefix keys with the kind. */
export const isFootnote = (key: string): boolean => key.startsWith('footnote')

/** A region without limit, for measuring. */
const measureRequest: FillRequest = {
  height: Number.POSITIVE_INFINITY,
  top: 'start',
  mustPlace: true,
  origin: { x: 0, y: 0 },
  geometry: {
    pageWidth: 0,
    pageHeight: 0,
    marginLeft: 0,
    marginRight: 0,
    marginTop: 0,
    marginBottom: 0,
    odd: true,
  },
  exclusions: [],
}
