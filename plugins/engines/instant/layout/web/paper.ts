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

/** 1 cm in whole points and then in whole pixels, as browsers have it by default. */
const usualMargin = 37 * pixel
/** A page without space for content takes no text. */
const leastContent = 20

export function paperOf(rules: readonly Declaration[]): Paper {
  const style = pageStyleOf(rules)
  const [width, height] = sizeOfPaper(style)
  const margin = (side: keyof Edges) => {
    const whole = side === 'top' || side === 'bottom' ? height : width
    const given = style.length(`margin-${side}`, whole)
    const length = given === undefined ? usualMargin : toPixel(given)
    return Math.min(Math.max(0, length), (whole - leastContent) / 2)
  }
  const edges = { top: margin('top'), right: margin('right'), bottom: margin('bottom'), left: margin('left') }
  return {
    width,
    height,
    margin: edges,
    content: {
      width: toPixel(width) - edges.left - edges.right,
      height: toPixel(height) - edges.top - edges.bottom,
    },
  }
}
