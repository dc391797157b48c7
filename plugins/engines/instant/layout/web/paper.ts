/** The paper of a page: what `@page` says, otherwise A4 with the margin of browsers. Source: CSS Paged Media 3, 4 and 6. */
import type { Declaration } from '../../../../../shared/css/declarations.ts'
import { pageStyleOf, sizeOfPaper } from '../../../../../shared/css/paper.ts'
import type { Pt } from '../frame.ts'
import type { Edges } from './fragment.ts'
import { pixel, toPixel } from './text-font.ts'

export interface Paper {
  readonly width: Pt
  readonly height: Pt
  readonly margin: Edges
  readonly content: { readonly width: Pt; readonly height: Pt }
}

/** 1 cm in whole points, as browsers have it by default. */
const defaultMargin: Pt = 28
/** The paper of a print without a size of its own is rounded up to whole points, and a bit more (observed in Chromium). */
const roundedUp = (length: Pt): Pt => Math.ceil(length) + 0.001
/** A page without space for content takes no text. */
const minContentLength = 20

/** What a caller asks for the paper, in pt; a style sheet of the page takes precedence. */
export interface PrintOptions {
  readonly paper?: { readonly width: Pt; readonly height: Pt }
  readonly landscape?: boolean
  readonly margin?: { readonly [side in keyof Edges]?: Pt | undefined }
  readonly background?: boolean
  /** How much larger than usual the page is printed. */
  readonly scale?: number
}

/** The paper of a page that names none: that of the caller, in the direction that either of them asks for. */
function requestedSize(
  size: string,
  { paper, landscape = false }: PrintOptions,
  usual: readonly [Pt, Pt],
): readonly [Pt, Pt] {
  const [width, height] = paper === undefined ? usual : [paper.width, paper.height]
  const turns =
    size === ''
      ? landscape
      : /landscape/.test(size)
        ? width < height
        : width > height && /portrait/.test(size)
  return turns ? [height, width] : [width, height]
}

/**
 * Content begins at a whole pixel and has a size of whole pixels, which is rounded up, so that it may reach into the margin by a
 * part of a pixel (observed in Chromium).
 */
export function paperOf(rules: readonly Declaration[], print: PrintOptions = {}): Paper {
  const style = pageStyleOf(rules)
  const size = style.word('size') ?? ''
  const isUsual = !/\d|letter|legal|ledger/.test(size)
  const [width, height] = isUsual ? requestedSize(size, print, sizeOfPaper(style)) : sizeOfPaper(style)
  const [across, down] = isUsual ? [roundedUp(width), roundedUp(height)] : [width, height]
  const margin = (side: keyof Edges) => {
    const paperLength = side === 'top' || side === 'bottom' ? height : width
    const length = style.length(`margin-${side}`, paperLength) ?? print.margin?.[side] ?? defaultMargin
    return Math.min(Math.max(0, length), (paperLength - minContentLength) / 2)
  }
  const edges = { top: margin('top'), right: margin('right'), bottom: margin('bottom'), left: margin('left') }
  const pixelsUp = (length: Pt): Pt => Math.ceil(length / pixel - 1e-4) * pixel
  return {
    width,
    height,
    margin: {
      top: toPixel(edges.top),
      right: toPixel(edges.right),
      bottom: toPixel(edges.bottom),
      left: toPixel(edges.left),
    },
    content: {
      width: pixelsUp(across - edges.left - edges.right),
      height: pixelsUp(down - edges.top - edges.bottom),
    },
  }
}
