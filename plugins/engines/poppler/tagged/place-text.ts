/** Assigns the text and the pictures of a page to its marked content, by their positions. */

import { splitBefore } from '../text/split-positions.ts'
import type { PageText, PlacedPicture, TextPosition } from '../text/text-positions.ts'
import type { Mark, MarkedPage, MarkedPlace } from './marked-places.ts'

export interface MarkedText {
  /** The texts of each mark, in the order in which they stand on the page. */
  readonly texts: ReadonlyMap<number, readonly TextPosition[]>
  readonly pictures: ReadonlyMap<number, readonly PlacedPicture[]>
  /** Pictures that are marked as nothing. */
  readonly unmarkedPictures: readonly PlacedPicture[]
  /** How many letters are marked with a number, and with nothing; those of artifacts count as neither. */
  readonly letters: { readonly marked: number; readonly unmarked: number }
}

/** Points. */
const rowHeight = 8
const tolerance = 1.5

export function placeText({ positions, pictures }: PageText, page: MarkedPage): MarkedText {
  const rows = rowsOf(page.texts)
  const texts = new Map<number, TextPosition[]>()
  const letters = { marked: 0, unmarked: 0 }
  for (const position of positions) {
    for (const { part, mark } of partsOf(position, rows)) {
      const count = part.text.replace(/\s/g, '').length
      if (mark === 'artifact') continue
      letters[mark === undefined ? 'unmarked' : 'marked'] += count
      if (mark !== undefined) put(texts, mark, part)
    }
  }
  const placed = new Map<number, PlacedPicture[]>()
  const unmarkedPictures: PlacedPicture[] = []
  for (const picture of pictures) {
    const place = page.pictures.findLast((one) => isIn(one, picture))
    if (place === undefined || place.mark === undefined) unmarkedPictures.push(picture)
    else if (place.mark !== 'artifact') put(placed, place.mark, picture)
  }
  return { texts, pictures: placed, unmarkedPictures, letters }
}

function put<Value>(map: Map<number, Value[]>, mark: number, value: Value): void {
  const list = map.get(mark)
  if (list === undefined) map.set(mark, [value])
  else list.push(value)
}

function rowsOf(places: readonly MarkedPlace[]): Map<number, MarkedPlace[]> {
  const rows = new Map<number, MarkedPlace[]>()
  for (const place of places) put(rows, Math.floor(place.y / rowHeight), place)
  for (const row of rows.values()) row.sort((a, b) => a.x - b.x)
  return rows
}

/** The parts of a text that are marked differently: it may run over several marks. */
function partsOf(
  position: TextPosition,
  rows: ReadonlyMap<number, readonly MarkedPlace[]>,
): { readonly part: TextPosition; readonly mark: Mark }[] {
  const words = position.words ?? []
  if (words.length === 0) return [{ part: position, mark: markAt(position, position.x, rows) }]
  const marks = words.map((word) => markAt(position, word.x, rows))
  const changes = marks.flatMap((mark, at) => (at > 0 && mark !== marks[at - 1] ? [at] : []))
  const parts = splitBefore(position, changes)
  return parts.map((part, at) => ({ part, mark: marks[at === 0 ? 0 : (changes[at - 1] ?? 0)] }))
}

/** The mark of the last text that begins at `x` or before it, in the line of a position. */
function markAt(
  { y, height }: TextPosition,
  x: number,
  rows: ReadonlyMap<number, readonly MarkedPlace[]>,
): Mark {
  let nearest: MarkedPlace | undefined
  for (let row = Math.floor((y - 1) / rowHeight); row <= Math.floor((y + height + 1) / rowHeight); row++) {
    for (const place of rows.get(row) ?? []) {
      if (place.x > x + tolerance) break
      const isInLine = place.y >= y - 1 && place.y <= y + height + 1
      if (isInLine && (nearest === undefined || place.x >= nearest.x)) nearest = place
    }
  }
  return nearest?.mark
}

const isIn = (place: MarkedPlace, { x, y, width, height }: PlacedPicture): boolean =>
  place.x > x - 2 && place.x < x + width + 2 && place.y > y - 2 && place.y < y + height + 2
