/** Estimates the widths that content needs from its text, because no fonts are available here. In points. */

import type { StyledElement } from '../../../../shared/css/cascade.ts'
import { textWidth } from '../../../../shared/images/text-width.ts'
import { isBold } from './odf/attributes.ts'
import { isText, type Tree } from './tree.ts'

export interface ContentWidths {
  readonly minContent: number // of the longest word
  readonly maxContent: number // of the longest line
}

const maxKids = 300
const maxText = 2000

export class Widths {
  readonly #tree: Tree
  readonly #pictureWidth: (styled: StyledElement) => number
  readonly #cache = new WeakMap<object, ContentWidths>()

  constructor(tree: Tree, pictureWidth: (styled: StyledElement) => number) {
    this.#tree = tree
    this.#pictureWidth = pictureWidth
  }

  /** The widths of an element with its padding and borders. */
  of(styled: StyledElement): ContentWidths {
    const cached = this.#cache.get(styled.element)
    if (cached !== undefined) return cached
    const { style } = styled
    const sum = (name: (side: string) => string) =>
      ['left', 'right'].reduce((total, side) => total + (style.length(name(side)) ?? 0), 0)
    const edges = sum((side) => `padding-${side}`) + sum((side) => `margin-${side}`) + 1
    const inner = this.#inside(styled)
    const declared = style.length('width')
    const widths =
      declared === undefined || styled.element.tagName === 'img'
        ? { minContent: inner.minContent + edges, maxContent: inner.maxContent + edges }
        : {
            minContent: Math.max(declared, inner.minContent) + edges,
            maxContent: Math.max(declared, inner.minContent) + edges,
          }
    this.#cache.set(styled.element, widths)
    return widths
  }

  #inside(styled: StyledElement): ContentWidths {
    const { tagName } = styled.element
    if (tagName === 'img' || tagName === 'svg') {
      const width = this.#pictureWidth(styled)
      return { minContent: width, maxContent: width }
    }
    if (styled.style.display === 'table-row') return this.#sum(styled)
    const row =
      styled.style.display.endsWith('flex') && !styled.style.word('flex-direction')?.startsWith('column')
    if (row) return this.#sum(styled)
    let [minContent, maxContent, line] = [0, 0, 0]
    const endLine = () => {
      maxContent = Math.max(maxContent, line)
      line = 0
    }
    for (const child of this.#tree.children(styled).slice(0, maxKids)) {
      if (isText(child)) {
        const text = this.#text(styled, child.value)
        minContent = Math.max(minContent, text.minContent)
        line += text.maxContent
        continue
      }
      if (child.element.tagName === 'br') {
        endLine()
        continue
      }
      const childWidths = this.of(child)
      minContent = Math.max(minContent, childWidths.minContent)
      if (this.#tree.isBlock(child)) {
        endLine()
        maxContent = Math.max(maxContent, childWidths.maxContent)
      } else line += childWidths.maxContent
    }
    endLine()
    return { minContent, maxContent }
  }

  #sum(styled: StyledElement): ContentWidths {
    return this.#tree.elements(styled).reduce(
      (total, child) => {
        const childWidths = this.of(child)
        return {
          minContent: total.minContent + childWidths.minContent,
          maxContent: total.maxContent + childWidths.maxContent,
        }
      },
      { minContent: 0, maxContent: 0 },
    )
  }

  #text({ style }: StyledElement, value: string): ContentWidths {
    const collapsed = value.slice(0, maxText).replace(/[ \t\r\n\f]+/g, ' ')
    const text = style.word('text-transform') === 'uppercase' ? collapsed.toUpperCase() : collapsed
    const bold = isBold(style)
    const spacing = style.length('letter-spacing') ?? 0
    const width = (part: string) => textWidth(part, style.size, bold) + spacing * part.length
    const maxContent = width(text)
    if (style.word('white-space') === 'nowrap') return { minContent: maxContent, maxContent }
    return {
      minContent: text.split(' ').reduce((widest, word) => Math.max(widest, width(word)), 0),
      maxContent,
    }
  }
}

export interface Track extends ContentWidths {
  /** A length, a fraction of the available width (0 to 1), or a weight for the remaining width. */
  readonly fixed?: number
  readonly fraction?: number
  readonly grow?: number
}

/**
 * Distributes the available width among columns. Source: CSS 2.2, 17.5.2.2, which leaves much to
 * implementations.
 */
export function columnWidths(tracks: readonly Track[], available: number): readonly number[] {
  const widths = tracks.map(({ fixed, fraction, minContent }) =>
    fixed !== undefined
      ? Math.max(fixed, Math.min(minContent, available / tracks.length))
      : fraction !== undefined
        ? fraction * available
        : undefined,
  )
  const used = widths.reduce<number>((sum, width) => sum + (width ?? 0), 0)
  const free = tracks.flatMap((track, at) => (widths[at] === undefined ? [{ track, at }] : []))
  const rest = Math.max(
    available - used,
    free.reduce((sum, { track }) => sum + Math.min(track.minContent, 20), 0),
  )
  const growing = free.reduce((sum, { track }) => sum + (track.grow ?? 0), 0)
  const minContent = free.reduce((sum, { track }) => sum + track.minContent, 0)
  const maxContent = free.reduce((sum, { track }) => sum + track.maxContent, 0)
  for (const { track, at } of free) {
    if (growing > 0) {
      const fixed = free.reduce(
        (sum, column) => sum + ((column.track.grow ?? 0) > 0 ? 0 : column.track.maxContent),
        0,
      )
      widths[at] =
        (track.grow ?? 0) > 0 ? (Math.max(rest - fixed, 0) * (track.grow ?? 0)) / growing : track.maxContent
    } else if (maxContent <= rest)
      widths[at] = maxContent === 0 ? rest / free.length : (track.maxContent / maxContent) * rest
    else if (minContent >= rest)
      widths[at] = minContent === 0 ? rest / free.length : (track.minContent / minContent) * rest
    else
      widths[at] =
        track.minContent +
        ((track.maxContent - track.minContent) / (maxContent - minContent)) * (rest - minContent)
  }
  const total = widths.reduce<number>((sum, width) => sum + (width ?? 0), 0)
  // Every column has a width, and together they fill the available width.
  const scale = total > 0 ? available / total : 1
  return widths.map((width) => Math.max((width ?? 0) * scale, 1))
}
