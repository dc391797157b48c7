import type { Block } from '../../../../../shared/document/document.ts'
import type { BandBox, PageVariants, Section } from '../../../../../shared/document/section.ts'
import type { LayoutContext } from '../context.ts'
import { boxLines } from '../drawing/box-lines.ts'
import { fillWhole } from '../flow/fill-whole.ts'
import type { Exclusion, Filled, Geometry } from '../flow/types.ts'
import { filledBox, type Placed, type Pt } from '../frame.ts'
import { colourOf } from '../inline/look.ts'

export type Band = 'headers' | 'footers'

/**
 * The blocks of the header or footer of a page: the variant of its section, or of the nearest earlier section
 * that has one.
 */
export function variantOf(
  sections: readonly Section[],
  index: number,
  kind: Band,
  page: { readonly first: boolean; readonly even: boolean },
): readonly Block[] {
  const { titlePage } = sections[index]!.properties
  const key: keyof PageVariants = titlePage && page.first ? 'first' : page.even ? 'even' : 'default'
  for (let i = index; i >= 0; i--) {
    const blocks = sections[i]![kind][key]
    if (blocks !== undefined) return blocks
  }
  return []
}

/** A header or footer after layout. Its items are positioned from its top left. */
export interface LaidBand {
  readonly filled: Filled
  /** Obstacles for the text of the page. */
  readonly exclusions: readonly Exclusion[]
  readonly height: Pt
}

/**
 * Lays out a header or footer at the width of the text. `y` is its top on the page, in points; anchored
 * drawings may be anywhere on the page.
 */
export function layBand(
  context: LayoutContext,
  blocks: readonly Block[],
  geometry: Geometry,
  y: Pt,
  box?: BandBox,
): LaidBand | undefined {
  if (blocks.length === 0) return undefined
  if (box !== undefined) return boxedHeader(context, blocks, geometry, y, box)
  const width = geometry.pageWidth - geometry.marginLeft - geometry.marginRight
  const flow = context.flows.prepare(blocks, { width, inner: true, inBand: true })
  const exclusions: Exclusion[] = []
  const { headersGoAround, spaceEndsBands } = context.document.settings
  const filled = fillWhole(context, flow, {
    height: Number.POSITIVE_INFINITY,
    top: 'start',
    mustPlace: true,
    origin: { x: geometry.marginLeft, y },
    geometry,
    exclusions,
    overlaps: headersGoAround !== true,
  })
  // When the text of the header avoids the floats in it, they are no obstacles for the text of the page.
  const kept = headersGoAround === true ? [] : exclusions
  return {
    filled,
    exclusions: kept,
    height: filled.height - (spaceEndsBands ? 0 : filled.trailing + filled.slack),
  }
}

/** A header or footer with a border or a background. */
function boxedHeader(
  context: LayoutContext,
  blocks: readonly Block[],
  geometry: Geometry,
  y: Pt,
  { lines, insets, left, right, least, ground }: BandBox,
): LaidBand | undefined {
  const inside: Geometry = {
    ...geometry,
    marginLeft: geometry.marginLeft + left + insets.left,
    marginRight: geometry.marginRight + right + insets.right,
  }
  const laid = layBand(context, blocks, inside, y + insets.top)
  if (laid === undefined) return undefined
  const height = laid.height + insets.top + insets.bottom
  const width = geometry.pageWidth - geometry.marginLeft - geometry.marginRight - left - right
  const tall = Math.max(height, least)
  const move = (items: readonly Placed[]): Placed[] =>
    items.map((item) => ({ ...item, x: item.x + left + insets.left, y: item.y + insets.top }))
  const drawn = boxLines(lines, width, tall).map((item) => ({ ...item, x: item.x + left }))
  const { filled } = laid
  return {
    ...laid,
    filled: {
      ...filled,
      behind: [
        ...(ground === undefined ? [] : [filledBox(left, 0, width, tall, colourOf(ground))]),
        ...move(filled.behind),
      ],
      items: [...drawn, ...move(filled.items)],
      front: move(filled.front),
    },
    height,
  }
}
