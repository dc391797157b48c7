/**
 * The exact boxes of words. pdftohtml joins words across gaps as wide as a line is high, which is wider than the gap
 * between two columns; `pdftotext -bbox` returns the box of each word in the same coordinates.
 */
import { decodeEntities } from '../../../../shared/xml/scan.ts'
import { inputName, type PdfJob, runPoppler } from '../document.ts'
import type { TextPosition } from './text-positions.ts'

/** A word and its box, in points from the top left corner of the page. */
export interface WordBox {
  readonly x: number
  readonly y: number
  readonly right: number
  readonly bottom: number
  readonly text: string
}

/** A word of a text position: its horizontal range, and its characters from `from` up to `to`. */
export interface WordExtent {
  readonly x: number
  readonly right: number
  readonly from: number
  readonly to: number
}

const maxWords = 4_000_000
/** Height of the rows of the index, in points. Words are found by their centres, so that rounding does not matter. */
const rowHeight = 6
const tolerance = 1

/** The words of each page; none when they cannot be read, since text without them is better than none. */
export async function readWordBoxes(job: PdfJob): Promise<readonly (readonly WordBox[])[]> {
  const { code, stdout } = await runPoppler(job, 'pdftotext', ['-bbox', inputName, '-'])
  return code === 0 ? wordBoxesOf(new TextDecoder().decode(stdout)) : []
}

/** Reads the output of `pdftotext -bbox`. */
export function wordBoxesOf(output: string): readonly (readonly WordBox[])[] {
  const pages: WordBox[][] = []
  const words = /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)<\/word>/g
  let count = 0
  for (const page of output.split(/<page\b/).slice(1)) {
    const boxes: WordBox[] = []
    for (const [, x, y, right, bottom, text = ''] of page.matchAll(words)) {
      if (++count > maxWords) return []
      const box = { x: Number(x), y: Number(y), right: Number(right), bottom: Number(bottom), text }
      if (box.right > box.x && box.bottom > box.y) boxes.push(box)
    }
    pages.push(boxes)
  }
  return pages
}

/**
 * Returns the positions with the extents of their words. If text and boxes disagree, a position is returned
 * unchanged.
 */
export function withWords(
  positions: readonly TextPosition[],
  boxes: readonly WordBox[],
): readonly TextPosition[] {
  if (boxes.length === 0) return positions
  const rows = new Map<number, WordBox[]>()
  for (const box of boxes) {
    const row = Math.floor((box.y + box.bottom) / 2 / rowHeight)
    const list = rows.get(row)
    if (list === undefined) rows.set(row, [box])
    else list.push(box)
  }
  for (const row of rows.values()) row.sort((a, b) => a.x - b.x)
  return positions.map((position) => {
    const words = extentsOf(position, boxesIn(rows, position))
    return words === undefined ? position : { ...position, words }
  })
}

function boxesIn(rows: ReadonlyMap<number, readonly WordBox[]>, position: TextPosition): readonly WordBox[] {
  const boxes: WordBox[] = []
  const [top, bottom] = [position.y - tolerance, position.y + position.height + tolerance]
  const [left, right] = [position.x - tolerance, position.x + position.width + tolerance]
  const last = Math.min(Math.floor(bottom / rowHeight), Math.floor(top / rowHeight) + 200)
  for (let at = Math.floor(top / rowHeight); at <= last; at++) {
    const row = rows.get(at) ?? []
    for (let next = firstFrom(row, left); next < row.length; next++) {
      const box = row[next] as WordBox
      if (box.x > right) break
      const middle = (box.y + box.bottom) / 2
      const size = box.bottom - box.y
      if (box.right <= right && middle > top && middle < bottom && size > position.height * 0.6)
        boxes.push(box)
    }
  }
  return boxes.toSorted((a, b) => a.x - b.x)
}

/** The index of the first box that begins at `x` or later. */
function firstFrom(row: readonly WordBox[], x: number): number {
  let [low, high] = [0, row.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((row[middle] as WordBox).x < x) low = middle + 1
    else high = middle
  }
  return low
}

function extentsOf({ text }: TextPosition, boxes: readonly WordBox[]): readonly WordExtent[] | undefined {
  if (boxes.length === 0) return undefined
  const tokens = [...text.matchAll(/\S+/g)].map(({ index, 0: { length } }) => ({
    from: index,
    to: index + length,
  }))
  // Text from right to left is in visual order here and in logical order there, so only the number of words agrees.
  if (tokens.length === boxes.length)
    return tokens.map((token, at) => {
      const { x, right } = boxes[at] as WordBox
      return { ...token, x, right }
    })
  return extentsByLetters(text, boxes)
}

/** The two programs separate words differently, but have the same letters. */
function extentsByLetters(text: string, boxes: readonly WordBox[]): readonly WordExtent[] | undefined {
  const extents: WordExtent[] = []
  let at = 0
  for (const { x, right, text: raw } of boxes) {
    const word = decodeEntities(raw)
    while (/\s/.test(text[at] ?? '')) at++
    const from = at
    for (const character of word) {
      while (/\s/.test(text[at] ?? '')) at++
      if (!text.startsWith(character, at)) return undefined
      at += character.length
    }
    extents.push({ x, right, from, to: at })
  }
  return text.slice(at).trim() === '' ? extents : undefined
}
