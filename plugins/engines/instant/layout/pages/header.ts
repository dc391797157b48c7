import type { Block } from '../../../../../shared/document/document.ts'
import type { PageVariants, Section } from '../../../../../shared/document/section.ts'
import type { LayoutContext } from '../context.ts'
import { type Exclusion, type Filled, flowStart, type Geometry } from '../flow/types.ts'
import type { Pt } from '../frame.ts'

export type Band = 'headers' | 'footers'

/** The header or footer of a page: its own variant, or that of the nearest section before which has one. */
export function variantOf(
  sections: readonly Section[],
  index: number,
  band: Band,
  page: { readonly first: boolean; readonly even: boolean },
): readonly Block[] {
  const { titlePage } = sections[index]!.properties
  const key: keyof PageVariants = titlePage && page.first ? 'first' : page.even ? 'even' : 'default'
  for (let i = index; i >= 0; i--) {
    const blocks = sections[i]![band][key]
    if (blocks !== undefined) return blocks
  }
  return []
}

export interface LaidBand {
  readonly filled: Filled
  readonly exclusions: readonly Exclusion[] // what the text of the page goes around
  readonly height: Pt
}

/** Lays out a header or footer at the width of the text; its drawings may stand anywhere on the page. */
export function layBand(
  context: LayoutContext,
  blocks: readonly Block[],
  geometry: Geometry,
  y: Pt,
): LaidBand | undefined {
  if (blocks.length === 0) return undefined
  const width = geometry.pageWidth - geometry.marginLeft - geometry.marginRight
  const flow = context.flows.prepare(blocks, { width, inner: true })
  const exclusions: Exclusion[] = []
  const filled = context.flows.fill(flow, flowStart, {
    height: Number.POSITIVE_INFINITY,
    top: 'start',
    mustPlace: true,
    origin: { x: geometry.marginLeft, y },
    geometry,
    exclusions,
    overlaps: true,
  })
  const { spaceEndsBands } = context.document.settings
  return { filled, exclusions, height: filled.height - (spaceEndsBands ? 0 : filled.trailing + filled.slack) }
}
