import type { Block } from '../../../../../shared/document/content.ts'
import type { HeaderFooterBox, PageVariants, Section } from '../../../../../shared/document/section.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import type { LayoutContext } from '../context.ts'
import { boxLines } from '../drawing/box-lines.ts'
import type { Exclusion } from '../flow/exclusion.ts'
import { fillAll } from '../flow/fill-all.ts'
import type { FilledRegion, PageGeometry } from '../flow/types.ts'
import { filledBox, type Placed, type Pt } from '../frame.ts'
import { colourOf } from '../inline/text-style.ts'

export type HeaderFooterKind = 'headers' | 'footers'

/**
 * The blocks of the header or footer of a page: the variant of its section, or of the nearest earlier section
 * that has one.
 */
export function variantOf(
  sections: readonly Section[],
  index: number,
  kind: HeaderFooterKind,
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
export interface LaidHeaderFooter {
  readonly filled: FilledRegion
  /** Obstacles for the text of the page. */
  readonly exclusions: readonly Exclusion[]
  /** Whether drawings, frames or tables are placed by their position on the page, so that another top moves them. */
  readonly hasFloats: boolean
  readonly height: Pt
}

/**
 * Lays out a header or footer at the width of the text. `y` is its top on the page, in points; anchored
 * drawings may be anywhere on the page.
 */
export function layHeaderFooter(
  context: LayoutContext,
  blocks: readonly Block[],
  geometry: PageGeometry,
  y: Pt,
  box?: HeaderFooterBox,
): LaidHeaderFooter | undefined {
  if (blocks.length === 0) return undefined
  if (box !== undefined) return boxedHeader(context, blocks, geometry, y, box)
  const width = geometry.pageWidth - geometry.marginLeft - geometry.marginRight
  const flow = context.flows.prepare(blocks, { width, inner: true, inHeaderFooter: true })
  const exclusions: Exclusion[] = []
  const { settings } = context.document
  const avoids = word.headersAvoidTheirFloats(settings)
  const filled = fillAll(context, flow, {
    height: Number.POSITIVE_INFINITY,
    top: libreOffice.sectionsStartWithSpace ? 'forced' : 'start',
    mustPlace: true,
    origin: { x: geometry.marginLeft, y },
    geometry,
    exclusions,
    overlaps: !avoids,
  })
  // If the text of the header itself avoids its floats, they are not obstacles for the text of the page.
  const obstacles = avoids ? [] : exclusions
  return {
    filled,
    exclusions: obstacles,
    hasFloats: filled.behind.length + filled.front.length + exclusions.length > 0,
    height: filled.height - (word.spaceEndsHeaders(settings) ? 0 : filled.trailing + filled.slack),
  }
}

/** A header or footer with a border or a background. */
function boxedHeader(
  context: LayoutContext,
  blocks: readonly Block[],
  geometry: PageGeometry,
  y: Pt,
  { lines, insets, left, right, minHeight, background }: HeaderFooterBox,
): LaidHeaderFooter | undefined {
  const inside: PageGeometry = {
    ...geometry,
    marginLeft: geometry.marginLeft + left + insets.left,
    marginRight: geometry.marginRight + right + insets.right,
  }
  const laid = layHeaderFooter(context, blocks, inside, y + insets.top)
  if (laid === undefined) return undefined
  const height = laid.height + insets.top + insets.bottom
  const width = geometry.pageWidth - geometry.marginLeft - geometry.marginRight - left - right
  const tall = Math.max(height, minHeight)
  const move = (items: readonly Placed[]): Placed[] =>
    items.map((item) => ({ ...item, x: item.x + left + insets.left, y: item.y + insets.top }))
  const drawn = boxLines(lines, width, tall).map((item) => ({ ...item, x: item.x + left }))
  const { filled } = laid
  return {
    ...laid,
    filled: {
      ...filled,
      behind: [
        ...(background === undefined ? [] : [filledBox(left, 0, width, tall, colourOf(background))]),
        ...move(filled.behind),
      ],
      items: [...drawn, ...move(filled.items)],
      front: move(filled.front),
    },
    height,
  }
}
