import type { Inset } from '../../../../../shared/document/box.ts'
import { word } from '../../compat/word.ts'
import type { LayoutContext } from '../context.ts'
import type { Placed, Pt } from '../frame.ts'
import type { Exclusion } from './exclusion.ts'
import type { Pin, RegionFloats } from './floats.ts'
import type { FillRequest, FlowPosition, PreparedFlow } from './types.ts'

/**
 * One pass over one region: what it is filled with, and what has been placed so far. Everything that changes
 * during the pass is in `cursor`, and in the lists, which only grow until `restore` takes something back.
 * Positions are in points from the top left of the region.
 */
export interface Region {
  readonly context: LayoutContext
  readonly flow: PreparedFlow
  /** The position in the flow at which the region begins. */
  readonly from: FlowPosition
  readonly request: FillRequest
  readonly cursor: FillCursor
  /** Items in the order of the text. */
  readonly items: Placed[]
  /** Items behind the text. */
  readonly behind: Placed[]
  /** Items in front of the text. */
  readonly front: Placed[]
  /** Keys of the notes that the placed lines and tables refer to, in order; they reduce the height for text. */
  readonly notes: string[]
  /**
   * The list of the request itself, shared by all regions of the page: floats placed here are seen by the
   * next region.
   */
  readonly exclusions: Exclusion[]
  readonly floats: RegionFloats
  /** Backgrounds of the blocks placed so far, in order; `compose` joins those of one section. */
  readonly backgrounds: SectionBackground[]
  /**
   * One snapshot for each block started, so that `compose` can take back paragraphs that keep with the next
   * one.
   */
  readonly starts: Snapshot[]
}

/** Where the next block begins. Every function in `distribute/` moves it on by what it placed. */
export interface FillCursor {
  /** The bottom of what was placed last, without the space after it. */
  y: Pt
  /** The space after the block placed last, not yet part of `y`; it merges with the space before the next block. */
  after: Pt
  /**
   * The height that the line spacing adds below the text of the last line; this part may stick out at the bottom of a
   * page.
   */
  slack: Pt
  /** The height that the line spacing of the last paragraph adds to a line of its own font. */
  fontSlack: Pt
  /** The top of the block placed last, where its background begins. */
  top: Pt
  /**
   * Whether a paragraph or table was placed. Floats do not count: what comes after them is still at the top.
   */
  placed: boolean
}

/**
 * The part of a region that a block may use. It is the region itself, or what the margins of a section of the
 * text leave of it.
 */
export interface FillArea {
  /** The request of the region, whose origin is at the left edge of the area. */
  readonly request: FillRequest
  readonly width: Pt
}

/** The background of one block inside a section with margins, between two positions in the region. */
export interface SectionBackground {
  readonly block: number
  readonly inset: Inset
  readonly top: Pt
  readonly bottom: Pt
}

/** The state of a region before a block is placed. Lists are stored as their lengths, since they only grow. */
export interface Snapshot {
  readonly block: number
  readonly y: Pt
  readonly items: number
  readonly behind: number
  readonly front: number
  readonly exclusions: number
  readonly notes: number
  readonly after: Pt
  readonly slack: Pt
  readonly fontSlack: Pt
}

/** The reason why a pass over a region ended. */
export type FillStop =
  /** All blocks are placed. */
  | { readonly kind: 'end' }
  /** The region is full: before the block at `next`, or within it. */
  | { readonly kind: 'full'; readonly next: FlowPosition }
  /** The text asks for a page or column break. */
  | { readonly kind: 'break'; readonly at: 'page' | 'column'; readonly next: FlowPosition }
  /** A float covers text that was placed before its anchor, so the region has to be filled again. */
  | { readonly kind: 'relayout' }

/** An empty region. `pins` are the floats whose positions an earlier pass found; their boxes are obstacles already. */
export function openRegion(
  context: LayoutContext,
  flow: PreparedFlow,
  from: FlowPosition,
  request: FillRequest,
  pins: ReadonlyMap<object, Pin>,
): Region {
  return {
    context,
    flow,
    from,
    request,
    cursor: { y: 0, after: request.above ?? 0, slack: 0, fontSlack: 0, top: 0, placed: false },
    items: [],
    behind: [],
    front: [],
    notes: [],
    exclusions: request.exclusions,
    floats: { pins, back: new Map(), seen: new Set(), reach: 0 },
    backgrounds: [],
    starts: [],
  }
}

export function takeSnapshot(region: Region, block: number): Snapshot {
  return {
    block,
    y: region.cursor.y,
    items: region.items.length,
    behind: region.behind.length,
    front: region.front.length,
    exclusions: region.exclusions.length,
    notes: region.notes.length,
    after: region.cursor.after,
    slack: region.cursor.slack,
    fontSlack: region.cursor.fontSlack,
  }
}

/** Takes back everything that was placed since the snapshot. */
export function restore(region: Region, to: Snapshot): void {
  const { cursor, backgrounds } = region
  cursor.y = to.y
  cursor.after = to.after
  cursor.slack = to.slack
  cursor.fontSlack = to.fontSlack
  region.items.length = to.items
  region.behind.length = to.behind
  region.front.length = to.front
  region.exclusions.length = to.exclusions
  region.notes.length = to.notes
  while ((backgrounds.at(-1)?.block ?? -1) >= to.block) backgrounds.pop()
}

/** A break before or after a block, unless it divides nothing in this region. */
export function breakIn(
  { context, request }: Region,
  at: 'page' | 'column' | undefined,
): 'page' | 'column' | undefined {
  const isIgnored =
    at === 'column' && request.isColumn !== true && word.columnBreaksNeedColumns(context.document.settings)
  return isIgnored ? undefined : at
}

/**
 * Absorbs the rounding errors of floating point in the sum of a page of line heights, in points. It is far less than a
 * twentieth of a point, the unit of heights: a line that is one twentieth too low does not fit.
 */
const tolerance = 0.001

/** The height available for lines, given the notes placed so far and those that come next. */
export function heightLimit({ request, notes: placed }: Region, notes: readonly string[]): Pt {
  const { height, notes: noteSpace } = request
  if (noteSpace === undefined) return height + tolerance
  return height - noteSpace.height(notes.length === 0 ? placed : [...placed, ...notes]) + tolerance
}

/** The height available for a line whose note may continue at the bottom of the next page. */
export function openingLimit({ request, notes: placed }: Region, notes: readonly string[]): Pt {
  const { height, notes: noteSpace } = request
  if (noteSpace === undefined) return height + tolerance
  return height - noteSpace.minHeight([...placed, ...notes]) + tolerance
}
