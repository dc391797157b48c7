/**
 * The page box: what `@page` specifies, otherwise A4 with the default margins of browsers. Source: CSS Paged Media 3, 4 and
 * 6.
 */
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

/** The default margin of browsers: 1 cm in whole points. */
const defaultMargin: Pt = 28
/** Chromium rounds the default paper size up to whole points plus a small amount. */
const roundedUp = (length: Pt): Pt => Math.ceil(length) + 0.001
/** Margins leave at least this content width and height, in pt. */
const minContentLength = 20

/** The caller's options for the paper, in pt. `@page` rules take precedence. */
export interface PrintOptions {
  readonly paper?: { readonly width: Pt; readonly height: Pt }
  readonly landscape?: boolean
  readonly margin?: { readonly [side in keyof Edges]?: Pt | undefined }
  readonly background?: boolean
  /** The enlargement of the content; 1 is its natural size. */
  readonly scale?: number
}

/** The paper size if `@page` specifies none: that of the caller, in the orientation that either of them requests. */
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
 * Resolves the page box in pt. The content area begins at a whole pixel and its size is rounded up to whole pixels, so it may
 * extend into the margin by less than a pixel (observed in Chromium).
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
