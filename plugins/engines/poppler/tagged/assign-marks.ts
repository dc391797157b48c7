/** Assigns the text and the pictures of a page to its marked content, by their positions. */

import { splitBefore } from '../text/split-positions.ts'
import type { PagePicture, PageText, TextPosition } from '../text/text-positions.ts'
import type { Mark, MarkedPage, MarkedPosition } from './marked-positions.ts'

export interface MarkedText {
  /** The texts of each mark, in page order. */
  readonly texts: ReadonlyMap<number, readonly TextPosition[]>
  readonly pictures: ReadonlyMap<number, readonly PagePicture[]>
  /** Pictures outside of any mark. */
  readonly unmarkedPictures: readonly PagePicture[]
  /**
   * Number of letters that have a mark, and of those that have none; letters of artifacts are included in neither.
   */
  readonly letters: { readonly marked: number; readonly unmarked: number }
}

/** Points. */
const rowHeight = 8
const tolerance = 1.5

export function assignMarks({ positions, pictures }: PageText, page: MarkedPage): MarkedText {
  const rows = rowsOf(page.texts)
  const texts = new Map<number, TextPosition[]>()
  const letters = { marked: 0, unmarked: 0 }
  for (const position of positions) {
    for (const { part, mark } of partsOf(position, rows)) {
      const count = part.text.replace(/\s/g, '').length
      if (mark === 'artifact') continue
      letters[mark === undefined ? 'unmarked' : 'marked'] += count
      if (mark !== undefined) append(texts, mark, part)
    }
  }
  const byMark = new Map<number, PagePicture[]>()
  const unmarkedPictures: PagePicture[] = []
  for (const picture of pictures) {
    const position = page.pictures.findLast((placed) => isIn(placed, picture))
    if (position === undefined || position.mark === undefined) unmarkedPictures.push(picture)
    else if (position.mark !== 'artifact') append(byMark, position.mark, picture)
  }
  return { texts, pictures: byMark, unmarkedPictures, letters }
}

function append<Value>(map: Map<number, Value[]>, mark: number, value: Value): void {
  const list = map.get(mark)
  if (list === undefined) map.set(mark, [value])
  else list.push(value)
}

function rowsOf(positions: readonly MarkedPosition[]): Map<number, MarkedPosition[]> {
  const rows = new Map<number, MarkedPosition[]>()
  for (const position of positions) append(rows, Math.floor(position.y / rowHeight), position)
  for (const row of rows.values()) row.sort((a, b) => a.x - b.x)
  return rows
}

/** Splits a text, which may span several marks, into the parts of each mark. */
function partsOf(
  position: TextPosition,
  rows: ReadonlyMap<number, readonly MarkedPosition[]>,
): { readonly part: TextPosition; readonly mark: Mark }[] {
  const words = position.words ?? []
  if (words.length === 0) return [{ part: position, mark: markAt(position, position.x, rows) }]
  const marks = words.map((word) => markAt(position, word.x, rows))
  const changes = marks.flatMap((mark, at) => (at > 0 && mark !== marks[at - 1] ? [at] : []))
  const parts = splitBefore(position, changes)
  return parts.map((part, at) => ({ part, mark: marks[at === 0 ? 0 : (changes[at - 1] ?? 0)] }))
}

/** The mark of the last text that begins at or before `x`, in the line of a position. */
function markAt(
  { y, height }: TextPosition,
  x: number,
  rows: ReadonlyMap<number, readonly MarkedPosition[]>,
): Mark {
  let nearest: MarkedPosition | undefined
  for (let row = Math.floor((y - 1) / rowHeight); row <= Math.floor((y + height + 1) / rowHeight); row++) {
    for (const position of rows.get(row) ?? []) {
      if (position.x > x + tolerance) break
      const isInLine = position.y >= y - 1 && position.y <= y + height + 1
      if (isInLine && (nearest === undefined || position.x >= nearest.x)) nearest = position
    }
  }
  return nearest?.mark
}

const isIn = (position: MarkedPosition, { x, y, width, height }: PagePicture): boolean =>
  position.x > x - 2 && position.x < x + width + 2 && position.y > y - 2 && position.y < y + height + 2
