/** Splits text that poppler joined across the border between two cells or columns. */
import type { FlowInline } from '../../../../shared/flow/flow.ts'
import type { TextPosition } from './text-positions.ts'
import type { WordExtent } from './word-boxes.ts'

/** The parts of a text between borders (x, ascending). It is split between words, or at the nearest blanks. */
export function splitAt(position: TextPosition, borders: readonly number[]): readonly TextPosition[] {
  const inside = borders.filter((x) => x > position.x + 1 && x < position.x + position.width - 1)
  if (inside.length === 0) return [position]
  if (position.words !== undefined) return splitBetweenWords(position, position.words, inside)
  const weights = Array.from(position.text, widthOf)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const blanks: { readonly at: number; readonly x: number }[] = []
  let reached = 0
  let at = 0
  for (const [index, character] of Array.from(position.text).entries()) {
    const middle = position.x + (position.width * (reached + (weights[index] as number) / 2)) / total
    if (/\s/.test(character)) blanks.push({ at, x: middle })
    reached += weights[index] as number
    at += character.length
  }
  const cuts: { readonly at: number; readonly x: number }[] = []
  for (const border of inside) {
    const nearest = blanks
      .filter((blank) => blank.at > (cuts.at(-1)?.at ?? -1))
      .toSorted((a, b) => Math.abs(a.x - border) - Math.abs(b.x - border))[0]
    // A word that crosses a border belongs to neither side alone.
    if (nearest !== undefined && Math.abs(nearest.x - border) < position.size * 2)
      cuts.push({ at: nearest.at, x: border })
  }
  return partsOf(position, cuts)
}

/** The approximate width of a character relative to the line. */
function widthOf(character: string): number {
  if (/[iljtfrI.,:;'|!()[\] ]/.test(character)) return 0.5
  if (/[mwMW@%]/.test(character)) return 1.5
  return /[\u2e80-\uffef]/.test(character) ? 1.8 : 1
}

function partsOf(
  position: TextPosition,
  cuts: readonly { readonly at: number; readonly x: number }[],
): readonly TextPosition[] {
  const ends = [...cuts, { at: position.text.length, x: position.x + position.width }]
  let from = 0
  let x = position.x
  return ends.flatMap((end) => {
    const text = position.text.slice(from, end.at)
    const part: TextPosition = {
      ...position,
      x,
      width: end.x - x,
      text,
      inlines: cut(position.inlines, from, end.at),
    }
    from = end.at
    x = end.x
    return text.trim() === '' ? [] : [part]
  })
}

function splitBetweenWords(
  position: TextPosition,
  words: readonly WordExtent[],
  borders: readonly number[],
): readonly TextPosition[] {
  const firsts = borders.map((border) => words.findIndex(({ x, right }) => (x + right) / 2 > border))
  return splitBefore(position, firsts)
}

/** Splits a text before the words of these indices. */
export function splitBefore(position: TextPosition, indices: readonly number[]): readonly TextPosition[] {
  const { words = [] } = position
  const starts = [0, ...new Set(indices.filter((at) => at > 0 && at < words.length))]
  if (starts.length === 1) return [position]
  return starts.flatMap((start, at): readonly TextPosition[] => {
    const part = words.slice(start, starts[at + 1] ?? words.length)
    const [first, last] = [part[0], part.at(-1)]
    if (first === undefined || last === undefined) return []
    return [
      {
        ...position,
        x: first.x,
        width: last.right - first.x,
        text: position.text.slice(first.from, last.to),
        inlines: cut(position.inlines, first.from, last.to),
        words: part.map((word) => ({ ...word, from: word.from - first.from, to: word.to - first.from })),
      },
    ]
  })
}

function cut(inlines: readonly FlowInline[], from: number, to: number): readonly FlowInline[] {
  let at = 0
  return inlines.flatMap((inline): readonly FlowInline[] => {
    // A note or a picture follows the text before it.
    if (inline.kind !== 'text') return at <= to && (at > from || at === 0) ? [inline] : []
    const text = inline.text.slice(Math.max(from - at, 0), Math.max(to - at, 0))
    at += inline.text.length
    return text === '' ? [] : [{ ...inline, text }]
  })
}

/** A text without its first `length` characters. */
export function withoutStart(position: TextPosition, length: number): TextPosition {
  const { words, ...rest } = position
  const wordsOfPart = words
    ?.filter((word) => word.to > length)
    .map((word) => ({ ...word, from: Math.max(word.from - length, 0), to: word.to - length }))
  return {
    ...rest,
    text: position.text.slice(length),
    inlines: cut(position.inlines, length, position.text.length),
    ...(wordsOfPart !== undefined && { words: wordsOfPart }),
  }
}
