import type { NoteSettings } from '../../../../../shared/document/document.ts'
import { formatNumber } from '../../style/number-format.ts'
import type { LayoutContext } from '../context.ts'
import {
  type Filled,
  type FillRequest,
  type Flow,
  flowStart,
  type Geometry,
  type Position,
} from '../flow/types.ts'
import { filledBox, type Placed, type Pt } from '../frame.ts'

/** Room above and below the line between text and notes: observed in LibreOffice, about 0.1 cm each. */
const separatorGap = 2.85
const separatorWeight = 0.5
/** Notes take at most this share of a page; what is left of them goes to the next. */
const mostOfPage = 0.8

/** A note, or what is left of one, among others. */
interface NoteBox {
  readonly height: Pt // without the space after its last paragraph and what spacing adds to its last line
  readonly before: Pt // of the height, the space above its first paragraph
  readonly after: Pt
  readonly slack: Pt // what spacing adds to its last line
}
type Trail = Pick<NoteBox, 'after' | 'slack'>
interface PreparedNote extends NoteBox {
  readonly flow: Flow
  first?: Pt // height of its first line
}

const trailOf = ({ trailing, slack }: Filled): Trail => ({ after: trailing, slack })

/** A note that goes on at the foot of the next page. */
export interface NoteRest {
  readonly key: string
  readonly at: Position
}

/** Foot notes of a document at one width: heights are known before they are placed. */
export class Footnotes {
  readonly #context: LayoutContext
  readonly #width: Pt
  readonly #notes = new Map<string, PreparedNote>()

  constructor(context: LayoutContext, width: Pt) {
    this.#context = context
    this.#width = width
  }

  /** Height of these notes at the foot of a page, separator included; 0 for none. */
  height(keys: readonly string[], rest: readonly NoteRest[], bodyHeight: Pt): Pt {
    const total = this.#stacked(this.#boxes(keys, rest))
    return total === 0 ? 0 : Math.min(bodyHeight * mostOfPage, total + separatorGap * 2 + separatorWeight)
  }

  /** Least height that lets these notes begin: the last one shows its first line. */
  least(keys: readonly string[], rest: readonly NoteRest[]): Pt {
    const boxes = this.#boxes(keys, rest)
    const last = keys.findLast(isFootnote)
    if (last !== undefined) {
      const note = this.#note(last)
      boxes[boxes.length - 1] = { ...note, height: this.#firstLine(note) }
    }
    const total = this.#stacked(boxes)
    return total === 0 ? 0 : total + separatorGap * 2 + separatorWeight
  }

  #boxes(keys: readonly string[], rest: readonly NoteRest[]): NoteBox[] {
    const boxes = rest.map((entry) => this.#restOf(entry))
    for (const key of keys) if (isFootnote(key)) boxes.push(this.#note(key))
    return boxes
  }

  /** Notes one below the other. Observed in LibreOffice: the space after the last one is not kept. */
  #stacked(boxes: readonly NoteBox[]): Pt {
    let total = 0
    let above: Trail = { after: 0, slack: 0 }
    for (const box of boxes) {
      total += this.#between(above, box.before) + box.height
      above = box
    }
    return total
  }

  /** What the space after a note adds above one that brings its own space before. */
  #between({ after, slack }: Trail, before: Pt): Pt {
    const gap = this.#context.document.settings.paragraphGap === 'add' ? after : Math.max(0, after - before)
    return slack + gap
  }

  #firstLine(note: PreparedNote): Pt {
    note.first ??= this.#context.flows.fill(note.flow, flowStart, { ...measureRequest, height: 0 }).height
    return Math.min(note.height, note.first)
  }

  /** Places notes from `top` down to `bottom`; returns what did not fit. */
  place(
    keys: readonly string[],
    rest: readonly NoteRest[],
    box: { readonly left: Pt; readonly top: Pt; readonly bottom: Pt; readonly geometry: Geometry },
    items: Placed[],
  ): NoteRest[] {
    const entries = [...rest, ...keys.filter(isFootnote).map((key) => ({ key, at: flowStart }))]
    if (entries.length === 0) return []
    items.push(filledBox(box.left, box.top + separatorGap, this.#width * 0.25, separatorWeight, 0))
    let y = box.top + separatorGap * 2 + separatorWeight
    const left: NoteRest[] = []
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

  #restOf(rest: NoteRest): NoteBox {
    const filled = this.#context.flows.fill(this.#note(rest.key).flow, rest.at, measureRequest)
    const { after, slack } = trailOf(filled)
    return { height: filled.height - after - slack, before: 0, after, slack }
  }

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

/** Numbers those foot notes of a page that begin anew on each, in the order of the text. */
export function numberNotes(
  keys: readonly string[],
  perPage: ReadonlyMap<string, NoteSettings>,
  marks: Map<string, string>,
): void {
  let number: number | undefined
  for (const key of keys) {
    const settings = perPage.get(key)
    if (settings === undefined || marks.has(key)) continue
    number = number === undefined ? settings.start : number + 1
    marks.set(key, formatNumber(number, settings.format))
  }
}

export const isFootnote = (key: string): boolean => key.startsWith('footnote')

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
