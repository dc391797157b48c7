import type { Hyphenation } from '../../style/computed.ts'
import { measure, type TextStyle } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import type { Pt } from '../frame.ts'
import type { Piece } from './content.ts'

/** Shortest word that is divided (observed in LibreOffice). */
const shortestWord = 5

interface Word {
  readonly from: number // pieces
  readonly to: number
  readonly text: string
}

/**
 * Divides the word that piece `at` belongs to, so that its first part and a hyphen fit.
 *
 * before  what the pieces before `at` leave of the line, in pt
 * Returns the index of the piece behind the hyphen, having cut the pieces; undefined when the word stays whole.
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
  if (letters === undefined || letters.length < shortestWord) return undefined
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

/** The pieces of one word, which may change its look half-way. One with soft hyphens of its own is left to them. */
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

/** A line may end behind every hyphen, of its own or of ours: only the former ends a word. */
const ends = (piece: Piece): boolean => piece.breakAfter && piece.automatic !== true

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

function styleOf(piece: Piece): TextStyle {
  const style = piece.face === piece.look.face ? piece.look.style : { ...piece.look.style, face: piece.face }
  return (piece.level & 1) === 1 ? { ...style, rtl: true } : style
}
