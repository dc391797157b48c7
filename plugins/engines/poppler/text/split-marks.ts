/** Poppler joins words that stand close, also across the border between two cells. */
import type { FlowInline } from '../../../../shared/flow/flow.ts'
import type { Mark } from './marks.ts'

/** The parts of a mark between some borders (x, ascending). It parts at the blanks nearest to them. */
export function splitAt(mark: Mark, borders: readonly number[]): readonly Mark[] {
  const inside = borders.filter((x) => x > mark.x + 1 && x < mark.x + mark.width - 1)
  if (inside.length === 0) return [mark]
  const weights = Array.from(mark.text, widthOf)
  const total = weights.reduce((sum, one) => sum + one, 0)
  const blanks: { readonly at: number; readonly x: number }[] = []
  let reached = 0
  let at = 0
  for (const [index, character] of Array.from(mark.text).entries()) {
    const middle = mark.x + (mark.width * (reached + (weights[index] as number) / 2)) / total
    if (/\s/.test(character)) blanks.push({ at, x: middle })
    reached += weights[index] as number
    at += character.length
  }
  const cuts: { readonly at: number; readonly x: number }[] = []
  for (const border of inside) {
    const nearest = blanks
      .filter((one) => one.at > (cuts.at(-1)?.at ?? -1))
      .toSorted((a, b) => Math.abs(a.x - border) - Math.abs(b.x - border))[0]
    // A word that is drawn over a border belongs to neither side alone.
    if (nearest !== undefined && Math.abs(nearest.x - border) < mark.size * 2)
      cuts.push({ at: nearest.at, x: border })
  }
  return partsOf(mark, cuts)
}

/** About what a character takes of the width of a line. */
function widthOf(character: string): number {
  if (/[iljtfrI.,:;'|!()[\] ]/.test(character)) return 0.5
  if (/[mwMW@%]/.test(character)) return 1.5
  return /[\u2e80-\uffef]/.test(character) ? 1.8 : 1
}

function partsOf(mark: Mark, cuts: readonly { readonly at: number; readonly x: number }[]): readonly Mark[] {
  const ends = [...cuts, { at: mark.text.length, x: mark.x + mark.width }]
  let from = 0
  let x = mark.x
  return ends.flatMap((end) => {
    const text = mark.text.slice(from, end.at)
    const part: Mark = { ...mark, x, width: end.x - x, text, inlines: cut(mark.inlines, from, end.at) }
    from = end.at
    x = end.x
    return text.trim() === '' ? [] : [part]
  })
}

function cut(inlines: readonly FlowInline[], from: number, to: number): readonly FlowInline[] {
  let at = 0
  return inlines.flatMap((one): readonly FlowInline[] => {
    if (one.kind !== 'text') return [one]
    const text = one.text.slice(Math.max(from - at, 0), Math.max(to - at, 0))
    at += one.text.length
    return text === '' ? [] : [{ ...one, text }]
  })
}
