import { libreOffice } from '../../compat/libreoffice.ts'
import type { Hyphenation } from '../../style/computed.ts'
import { measure, type ShapingStyle } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import type { Pt } from '../frame.ts'
import type { TextSegment } from './types.ts'

/** A word and the text segments it consists of, from `from` up to `to`. */
interface WordRange {
  readonly from: number
  readonly to: number
  readonly text: string
}

/**
 * Hyphenates the word that the text segment `at` belongs to, so that its first part and a hyphen fit.
 *
 *   first      the first segment of the line
 *   available  the width that the segments before `at` leave of the line, in points
 * Returns the index of the segment after the hyphen, having divided `segments`; undefined when the word is not
 * divided.
 */
export function divideWord(
  context: LayoutContext,
  segments: TextSegment[],
  { at, first, available, rules }: { at: number; first: number; available: Pt; rules: Hyphenation },
): number | undefined {
  const word = wordAround(segments, at, first)
  if (word === undefined) return undefined
  const { textStyle } = segments[word.from]!
  const match = /^\P{L}*([\p{L}\p{M}'’]+)\P{L}*$/u.exec(word.text)
  const letters = match?.[1]
  if (letters === undefined || letters.length < libreOffice.minHyphenatedWord) return undefined
  if (!rules.capitals && letters === letters.toUpperCase()) return undefined
  const hyphenator = context.hyphenators?.(textStyle.run.language)
  if (hyphenator === undefined) return undefined
  const lead = word.text.indexOf(letters)
  const positions = hyphenator
    .divide(letters)
    .filter((position) => position >= rules.remain && letters.length - position >= rules.push)
  let left = available
  for (let i = word.from; i < at; i++) left += segments[i]!.width
  for (const position of positions.toReversed()) {
    const next = cutAt(segments, word, lead + position, left)
    if (next !== undefined) return next
  }
  return undefined
}

/**
 * The text segments of one word, which may change its text style midway. A word with soft hyphens by the
 * author is not hyphenated further.
 */
function wordAround(segments: readonly TextSegment[], at: number, first: number): WordRange | undefined {
  const belongs = (segment: TextSegment | undefined): boolean =>
    segment?.kind === 'text' || (segment?.kind === 'soft-hyphen' && segment.automatic === true)
  let from = at
  while (from > first && belongs(segments[from - 1]) && !ends(segments[from - 1]!)) from--
  let to = at + 1
  while (belongs(segments[to]) && !ends(segments[to - 1]!)) to++
  const soft = (segment: TextSegment | undefined): boolean =>
    segment?.kind === 'soft-hyphen' && segment.automatic !== true
  if (soft(segments[from - 1]) || soft(segments[to])) return undefined
  const text = segments.slice(from, to).map((segment) => (segment.kind === 'text' ? segment.text : ''))
  return { from, to, text: text.join('') }
}

/**
 * Whether a word ends after a segment. A line may also end after a hyphen that hyphenation added, but the
 * word continues there.
 */
const ends = (segment: TextSegment): boolean => segment.breakAfter && segment.automatic !== true

/**
 * Divides a word after `position` letters when that part and a hyphen fit the width `available`. Returns the index
 * after the hyphen.
 */
function cutAt(
  segments: TextSegment[],
  word: WordRange,
  position: number,
  available: Pt,
): number | undefined {
  let start = 0
  let width = 0
  for (let i = word.from; i < word.to; i++) {
    const segment = segments[i]
    if (segment === undefined) break
    if (segment.kind !== 'text') continue
    const end = start + segment.text.length
    if (position > end) {
      width += segment.width
      start = end
      continue
    }
    const style = styleOf(segment)
    const head = segment.text.slice(0, position - start)
    const tail = segment.text.slice(position - start)
    if (width + measure(`${head}-`, style) > available) return undefined
    const hyphen: TextSegment = {
      ...segment,
      kind: 'soft-hyphen',
      text: '\u00ad',
      width: measure('-', style),
      breakAfter: true,
      automatic: true,
    }
    if (tail === '') {
      if (segments[i + 1]?.kind === 'soft-hyphen') return i + 2
      segments.splice(i + 1, 0, hyphen)
      return i + 2
    }
    segments.splice(
      i,
      1,
      { ...segment, text: head, width: measure(head, style), breakAfter: false },
      hyphen,
      {
        ...segment,
        text: tail,
        width: measure(tail, style),
      },
    )
    return i + 2
  }
  return undefined
}

/** The text style of a segment with its own face and direction. */
function styleOf(segment: TextSegment): ShapingStyle {
  const style =
    segment.face === segment.textStyle.face
      ? segment.textStyle.shaping
      : { ...segment.textStyle.shaping, face: segment.face }
  return (segment.level & 1) === 1 ? { ...style, rtl: true } : style
}
