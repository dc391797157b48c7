import type { Hyphenation } from '../../style/computed.ts'
import { measure, type TextStyle } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import type { Pt } from '../frame.ts'
import type { Piece } from './content.ts'

/** The shortest word that is hyphenated, in letters (observed in LibreOffice). */
const minWordLength = 5

/** A word and the text segments it consists of, from `from` up to `to`. */
interface Word {
  readonly from: number
  readonly to: number
  readonly text: string
}

/**
 * Hyphenates the word that the text segment `at` belongs to, so that its first part and a hyphen fit.
 *
 * first  the first segment of the line
 * room   the width that the segments before `at` leave of the line, in points
 * Returns the index of the segment after the hyphen, having divided `pieces`; undefined when the word is not
 * divided.
 */
export function divideWord(
  context: LayoutContext,
  pieces: Piece[],
  { at, first, room, rules }: { at: number; first: number; room: Pt; rules: Hyphenation },
): number | undefined {
  const word = wordAround(pieces, at, first)
  if (word === undefined) return undefined
  const { look } = pieces[word.from]!
  const match = /^\P{L}*([\p{L}\p{M}'’]+)\P{L}*$/u.exec(word.text)
  const letters = match?.[1]
  if (letters === undefined || letters.length < minWordLength) return undefined
  if (!rules.capitals && letters === letters.toUpperCase()) return undefined
  const hyphenator = context.hyphenators?.(look.run.language)
  if (hyphenator === undefined) return undefined
  const lead = word.text.indexOf(letters)
  const places = hyphenator
    .divide(letters)
    .filter((place) => place >= rules.remain && letters.length - place >= rules.push)
  let left = room
  for (let i = word.from; i < at; i++) left += pieces[i]!.width
  for (const place of places.toReversed()) {
    const behind = cutAt(pieces, word, lead + place, left)
    if (behind !== undefined) return behind
  }
  return undefined
}

/**
 * The text segments of one word, which may change its text style midway. A word with soft hyphens by the
 * author is not hyphenated further.
 */
function wordAround(pieces: readonly Piece[], at: number, first: number): Word | undefined {
  const belongs = (piece: Piece | undefined): boolean =>
    piece?.kind === 'text' || (piece?.kind === 'soft-hyphen' && piece.automatic === true)
  let from = at
  while (from > first && belongs(pieces[from - 1]) && !ends(pieces[from - 1]!)) from--
  let to = at + 1
  while (belongs(pieces[to]) && !ends(pieces[to - 1]!)) to++
  const soft = (piece: Piece | undefined): boolean =>
    piece?.kind === 'soft-hyphen' && piece.automatic !== true
  if (soft(pieces[from - 1]) || soft(pieces[to])) return undefined
  const text = pieces.slice(from, to).map((piece) => (piece.kind === 'text' ? piece.text : ''))
  return { from, to, text: text.join('') }
}

/**
 * Whether a word ends after a segment. A line may also end after a hyphen that hyphenation added, but the
 * word continues there.
 */
const ends = (piece: Piece): boolean => piece.breakAfter && piece.automatic !== true

/**
 * Divides a word after `place` letters when that part and a hyphen fit the width `room`. Returns the index
 * after the hyphen.
 */
function cutAt(pieces: Piece[], word: Word, place: number, room: Pt): number | undefined {
  let start = 0
  let width = 0
  for (let i = word.from; i < word.to; i++) {
    const piece = pieces[i]!
    if (piece.kind !== 'text') continue
    const end = start + piece.text.length
    if (place > end) {
      width += piece.width
      start = end
      continue
    }
    const style = styleOf(piece)
    const head = piece.text.slice(0, place - start)
    const tail = piece.text.slice(place - start)
    if (width + measure(`${head}-`, style) > room) return undefined
    const hyphen: Piece = {
      ...piece,
      kind: 'soft-hyphen',
      text: '\u00ad',
      width: measure('-', style),
      breakAfter: true,
      automatic: true,
    }
    if (tail === '') {
      if (pieces[i + 1]?.kind === 'soft-hyphen') return i + 2
      pieces.splice(i + 1, 0, hyphen)
      return i + 2
    }
    pieces.splice(i, 1, { ...piece, text: head, width: measure(head, style), breakAfter: false }, hyphen, {
      ...piece,
      text: tail,
      width: measure(tail, style),
    })
    return i + 2
  }
  return undefined
}

/** The text style of a segment with its own face and direction. */
function styleOf(piece: Piece): TextStyle {
  const style = piece.face === piece.look.face ? piece.look.style : { ...piece.look.style, face: piece.face }
  return (piece.level & 1) === 1 ? { ...style, rtl: true } : style
}
