/** How wide things want to be: estimated from their text, as no fonts are at hand. In points. */
import { textWidth } from '../../../../shared/images/text-width.ts'
import type { Styled } from './css/cascade.ts'
import { isBold } from './odf/looks.ts'
import { isText, type Tree } from './tree.ts'

export interface Wanted {
  readonly least: number // of the longest word
  readonly most: number // of the longest line
}

const mostKids = 300
const mostText = 2000

export class Widths {
  readonly #tree: Tree
  readonly #pictureWidth: (one: Styled) => number
  readonly #known = new WeakMap<object, Wanted>()

  constructor(tree: Tree, pictureWidth: (one: Styled) => number) {
    this.#tree = tree
    this.#pictureWidth = pictureWidth
  }

  /** With its own padding and lines. */
  of(one: Styled): Wanted {
    const known = this.#known.get(one.element)
    if (known !== undefined) return known
    const { style } = one
    const sum = (name: (side: string) => string) =>
      ['left', 'right'].reduce((total, side) => total + (style.length(name(side)) ?? 0), 0)
    const around = sum((side) => `padding-${side}`) + sum((side) => `margin-${side}`) + 1
    const inner = this.#inside(one)
    const said = style.length('width')
    const wanted =
      said === undefined || one.element.tagName === 'img'
        ? { least: inner.least + around, most: inner.most + around }
        : { least: Math.max(said, inner.least) + around, most: Math.max(said, inner.least) + around }
    this.#known.set(one.element, wanted)
    return wanted
  }

  #inside(one: Styled): Wanted {
    const { tagName } = one.element
    if (tagName === 'img' || tagName === 'svg') {
      const width = this.#pictureWidth(one)
      return { least: width, most: width }
    }
    if (one.style.display === 'table-row') return this.#sum(one)
    const row = one.style.display.endsWith('flex') && !one.style.word('flex-direction')?.startsWith('column')
    if (row) return this.#sum(one)
    let [least, most, line] = [0, 0, 0]
    const endLine = () => {
      most = Math.max(most, line)
      line = 0
    }
    for (const kid of this.#tree.kids(one).slice(0, mostKids)) {
      if (isText(kid)) {
        const text = this.#text(one, kid.value)
        least = Math.max(least, text.least)
        line += text.most
        continue
      }
      if (kid.element.tagName === 'br') {
        endLine()
        continue
      }
      const wanted = this.of(kid)
      least = Math.max(least, wanted.least)
      if (this.#tree.isBlock(kid)) {
        endLine()
        most = Math.max(most, wanted.most)
      } else line += wanted.most
    }
    endLine()
    return { least, most }
  }

  #sum(one: Styled): Wanted {
    return this.#tree.elements(one).reduce(
      (total, kid) => {
        const wanted = this.of(kid)
        return { least: total.least + wanted.least, most: total.most + wanted.most }
      },
      { least: 0, most: 0 },
    )
  }

  #text({ style }: Styled, value: string): Wanted {
    const plain = value.slice(0, mostText).replace(/[ \t\r\n\f]+/g, ' ')
    const text = style.word('text-transform') === 'uppercase' ? plain.toUpperCase() : plain
    const bold = isBold(style)
    const spacing = style.length('letter-spacing') ?? 0
    const width = (part: string) => textWidth(part, style.size, bold) + spacing * part.length
    const most = width(text)
    if (style.word('white-space') === 'nowrap') return { least: most, most }
    return { least: text.split(' ').reduce((least, word) => Math.max(least, width(word)), 0), most }
  }
}

export interface Track extends Wanted {
  /** A length, a share of the whole (0 to 1), or what is left over. */
  readonly fixed?: number
  readonly share?: number
  readonly grow?: number
}

/** Room for columns that have `whole` together. Source: CSS 2.2, 17.5.2.2, which leaves much to us. */
export function columnWidths(tracks: readonly Track[], whole: number): readonly number[] {
  const widths = tracks.map(({ fixed, share, least }) =>
    fixed !== undefined
      ? Math.max(fixed, Math.min(least, whole / tracks.length))
      : share !== undefined
        ? share * whole
        : undefined,
  )
  const taken = widths.reduce<number>((sum, width) => sum + (width ?? 0), 0)
  const free = tracks.flatMap((track, at) => (widths[at] === undefined ? [{ track, at }] : []))
  const rest = Math.max(
    whole - taken,
    free.reduce((sum, { track }) => sum + Math.min(track.least, 20), 0),
  )
  const growing = free.reduce((sum, { track }) => sum + (track.grow ?? 0), 0)
  const least = free.reduce((sum, { track }) => sum + track.least, 0)
  const most = free.reduce((sum, { track }) => sum + track.most, 0)
  for (const { track, at } of free) {
    if (growing > 0) {
      const fixed = free.reduce((sum, one) => sum + ((one.track.grow ?? 0) > 0 ? 0 : one.track.most), 0)
      widths[at] =
        (track.grow ?? 0) > 0 ? (Math.max(rest - fixed, 0) * (track.grow ?? 0)) / growing : track.most
    } else if (most <= rest) widths[at] = most === 0 ? rest / free.length : (track.most / most) * rest
    else if (least >= rest) widths[at] = least === 0 ? rest / free.length : (track.least / least) * rest
    else widths[at] = track.least + ((track.most - track.least) / (most - least)) * (rest - least)
  }
  const total = widths.reduce<number>((sum, width) => sum + (width ?? 0), 0)
  // No column goes without, and all of them fill what there is.
  const scale = total > 0 ? whole / total : 1
  return widths.map((width) => Math.max((width ?? 0) * scale, 1))
}
