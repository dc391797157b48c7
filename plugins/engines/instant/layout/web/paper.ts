/**
 * The page box: what `@page` specifies, otherwise A4 with the default margins of browsers. Source: CSS Paged Media 3, 4 and
 * 6.
 */
import type { Declaration } from '../../../../../shared/css/declarations.ts'
import { pageStyleOf, sizeOfPaper } from '../../../../../shared/css/paper.ts'
import type { PageKind, PageRule } from '../../../../../shared/css/sheet.ts'
import type { Pt } from '../frame.ts'
import type { Edges } from './fragment.ts'
import type { ColumnStack } from './pager.ts'
import { pixel, toPixel } from './text-font.ts'

export interface Paper {
  readonly width: Pt
  readonly height: Pt
  readonly margin: Edges
  readonly content: { readonly width: Pt; readonly height: Pt }
}

/** The papers of a document whose first, left and right pages may differ. */
export interface Papers {
  /** The paper of a page, by its index. */
  readonly at: (page: number) => Paper
  /** The paper whose content area has the width that the document is laid out in. */
  readonly common: Paper
  /** The heights of the content areas. */
  readonly heights: Pick<ColumnStack, 'heights' | 'period'>
  /** Whether the rules of a page ask for another width, which is not applied. */
  readonly otherWidth: boolean
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

/** Two opposite margins, reduced in proportion where they leave too little of the paper. */
function fitted(before: Pt, after: Pt, paperLength: Pt): readonly [Pt, Pt] {
  const share = Math.min(1, (paperLength - minContentLength) / Math.max(before + after, pixel))
  return [before * share, after * share]
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
    return Math.max(0, length)
  }
  const [top, bottom] = fitted(margin('top'), margin('bottom'), height)
  const [left, right] = fitted(margin('left'), margin('right'), width)
  const edges = { top, right, bottom, left }
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

/** The kinds of a page, by its index: what a later one declares takes precedence (CSS Paged Media 3, 3.4). */
export const kindsOf = (page: number): readonly PageKind[] =>
  page === 0 ? ['right', 'first'] : page % 2 === 0 ? ['right'] : ['left']

/** The indexes of the first page, a left page and a right page. */
export const samplePages: readonly number[] = [0, 1, 2]
/** The page of `samplePages` that is of the same kinds. */
export const samePageOf = (page: number): number => (page === 0 ? 0 : 2 - (page % 2))

/**
 * Resolves the papers of all pages. Pages whose content area would have another width keep the margins and the size of the
 * common paper, since the document is laid out in one width.
 */
export function papersOf(
  rules: readonly Declaration[],
  kinds: ReadonlyMap<PageKind, PageRule>,
  print: PrintOptions = {},
): Papers {
  const common = paperOf(rules, print)
  if (kinds.size === 0)
    return { at: () => common, common, heights: { heights: [common.content.height] }, otherWidth: false }
  const requested = samplePages.map((page) =>
    paperOf([...rules, ...kindsOf(page).flatMap((kind) => kinds.get(kind)?.declarations ?? [])], print),
  )
  const fits = ({ content }: Paper): boolean => Math.abs(content.width - common.content.width) < pixel / 2
  const papers = requested.map((paper) => (fits(paper) ? paper : common))
  return {
    at: (page) => papers[samePageOf(page)] ?? common,
    common,
    heights: { heights: papers.map(({ content }) => content.height), period: 2 },
    otherWidth: !requested.every(fits),
  }
}
