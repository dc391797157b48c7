/**
 * Lays out a web page. Takes its document tree and returns pages and an outline. The stages in order: styles (`shared/css`),
 * box tree (`build-boxes.ts`), fragments in one column (`block.ts`, `lines.ts`, `table.ts`), pagination (`paginate.ts`),
 * drawing (`draw-pages.ts`).
 */
import type { Element, Root } from 'hast'
import { Cascade, type StyledElement, userAgentRules } from '../../../../../shared/css/cascade.ts'
import { maxOf } from '../../../../../shared/extremes.ts'
import type { DocumentFonts, FontRequest } from '../../fonts/font-book.ts'
import type { OutlineEntry, Page, Pt } from '../frame.ts'
import { layoutBox, layoutCellContent, layoutIndependentBox, layoutSizedItem, placeFloat } from './block.ts'
import type { BlockBox } from './box.ts'
import type { BoxBuild } from './box-build.ts'
import { browserQuirks, browserStyles } from './browser-styles.ts'
import { buildBlock } from './build-boxes.ts'
import type { WebContext } from './context.ts'
import { Counters } from './counters.ts'
import { colourOf } from './dimensions.ts'
import { drawPages } from './draw-pages.ts'
import { type Fragment, noEdges } from './fragment.ts'
import { contentWidths, intrinsicWidths } from './intrinsic.ts'
import { drawMarginBoxes, marginBoxesOf } from './margin-boxes.ts'
import { neededFonts } from './needed-fonts.ts'
import { mixesNamedPages } from './page-names.ts'
import { paginate } from './paginate.ts'
import { kindsOf, type Papers, type PrintOptions, papersOf, samePageOf, samplePages } from './paper.ts'
import { placeAbsoluteBoxes, placeFixed } from './positioned.ts'
import type { WebSource } from './read-page.ts'
import { createJudge } from './supported.ts'
import { recordUndrawnRules, recordUndrawnStyle } from './undrawn.ts'
import { WebMedia } from './web-media.ts'

/** The box tree of a page. Building it needs no fonts, so that hosts can fetch the required ones before layout. */
export interface BoxedPage {
  readonly box: BlockBox
  readonly cascade: Cascade
  readonly media: ReadonlyMap<string, Uint8Array>
  readonly outline: readonly OutlineEntry[]
  /** The features that the page uses and this layout does not draw. */
  readonly undrawn: Set<string>
  readonly language: string | undefined
  /** Whether the page has floats. */
  readonly floats: boolean
  readonly quirkLines: boolean
}

const rules = {
  plain: userAgentRules(browserStyles, false),
  quirks: userAgentRules(browserStyles + browserQuirks, true),
}

/** Builds the box tree of a page. */
export function boxPage(source: WebSource, check: () => void, print?: PrintOptions): BoxedPage {
  const defaults = source.quirks ? rules.quirks : rules.plain
  const cascade = new Cascade(source.sheet, source.quirks, defaults, createJudge())
  const media = new WebMedia()
  const undrawn = new Set<string>(source.scripts ? ['scripts'] : [])
  const papers = papersOf(cascade.page, cascade.pageKinds, print)
  if (papers.otherWidth) undrawn.add('pages of other widths')
  const { width, height } = papers.at(0).content
  const asked = 1 / (print?.scale ?? 1)
  cascade.viewport = { width: width * asked, height: height * asked }
  if (source.outsideSheets) undrawn.add('style sheets outside of the page')
  if (source.running) undrawn.add('headers and footers of the page')
  recordUndrawnRules(source.sheet, cascade.skipped, undrawn)
  const build: BoxBuild = {
    cascade,
    media,
    headings: [],
    check,
    undrawn,
    quirks: source.quirks,
    depth: 0,
    counters: new Counters(),
    floats: false,
    block: buildBlock,
  }
  const root = rootOf(cascade, source.root)
  build.counters.apply(root.style)
  recordUndrawnStyle(root.style, build)
  const box = buildBlock(build, root)
  if (mixesNamedPages(box, cascade)) undrawn.add('named pages')
  return {
    box,
    cascade,
    media: media.files,
    outline: build.headings,
    undrawn,
    language: source.language,
    floats: build.floats,
    quirkLines: source.quirkLines,
  }
}

function rootOf(cascade: Cascade, root: Root): StyledElement {
  const element = root.children.find(
    (child): child is Element => child.type === 'element' && child.tagName === 'html',
  )
  if (element === undefined) throw new Error('A page has a root.')
  return cascade.styled({ element, parent: undefined, siblings: [element], index: 0 }, undefined)
}

export interface PageLayoutRequest
  extends Pick<WebContext, 'fonts' | 'budget' | 'image' | 'vector' | 'owners'> {
  readonly page: BoxedPage
  readonly print?: PrintOptions
}

export function layoutPage({
  page,
  print,
  fonts,
  budget,
  image,
  vector,
  owners,
}: PageLayoutRequest): readonly Page[] {
  const context: WebContext = {
    ...{ fonts, budget, image, vector },
    ...(owners !== undefined && { owners }),
    language: page.language,
    paragraphs: new Map(),
    widths: new Map(),
    atomicInlines: new Map(),
    hasFloats: page.floats,
    quirkLines: page.quirkLines,
    pending: { unplacedBoxes: 0, relayoutDepth: 0, columnDepth: 0 },
    resolvedPlaceholders: new WeakSet(),
    placeFloat: (own, box, width, y, space) => placeFloat(own, box, width, y, space, { left: 0, top: 0 }),
    layoutIndependent: layoutIndependentBox,
    layoutCellContent,
    layoutSizedItem,
    intrinsicWidths,
    contentWidths,
  }
  const { page: rules, pageKinds } = page.cascade
  const papers = papersOf(rules, pageKinds, print)
  const paper = papers.common
  // Print scaling enlarges the page, so the layout uses a narrower paper.
  const asked = 1 / (print?.scale ?? 1)
  const width = paper.content.width * asked
  let column = columnOf(context, page.box, width)
  // Like browsers, lay out content that overflows the paper on a wider one and scale it down.
  const shrink = Math.min(overflowRight(column) / width, maxShrink)
  const scale = shrink > 1 + shrinkTolerance ? shrink * asked : asked
  if (scale > asked) column = columnOf(context, page.box, paper.content.width * scale)
  const sheet = { width: paper.content.width * scale, height: paper.content.height * scale }
  const fixed = placeFixed(context, column, sheet)
  const heights = papers.heights.heights.map((height) => height * scale)
  const stack = { ...papers.heights, heights, pitch: maxOf(heights) }
  const placed = paginate(column, stack, budget)
  const background = sheetColour(page.box)
  const pages = drawPages(placed, stack, budget, { paper: papers.at, scale, background, fixed })
  return withMarginBoxes(context, pages, papers, page)
}

function withMarginBoxes(
  context: WebContext,
  pages: readonly Page[],
  papers: Papers,
  { cascade, box }: BoxedPage,
): readonly Page[] {
  const bySample = samplePages.map((page) =>
    marginBoxesOf(
      [
        cascade.marginBoxes,
        ...kindsOf(page).flatMap((kind) => cascade.pageKinds.get(kind)?.marginBoxes ?? []),
      ],
      box.style,
    ),
  )
  if (bySample.every((boxes) => boxes.length === 0)) return pages
  return pages.map((page, index) => {
    const boxes = bySample[samePageOf(index)] ?? []
    const items = drawMarginBoxes(context, boxes, papers.at(index), index + 1, pages.length)
    return { ...page, frame: { ...page.frame, items: [...page.frame.items, ...items] } }
  })
}

/** The limit of this scaling (observed in Chromium). */
const maxShrink = 1.5
const shrinkTolerance = 0.0001

function columnOf(context: WebContext, box: BlockBox, width: Pt): Fragment {
  context.pending.unplacedBoxes = 0
  const { fragment, above } = layoutBox(context, box, width)
  fragment.y = above.positive + above.negative
  const { y, height } = fragment
  const root: Fragment = { kind: 'box', x: 0, y: 0, width, height: y + height, children: [fragment] }
  return placeAbsoluteBoxes(context, root, noEdges)
}

/** The right edge of the overflow of a fragment, from its left edge. */
function overflowRight(fragment: Fragment): Pt {
  let reach =
    fragment.kind === 'lines' || fragment.textExtent !== undefined
      ? (fragment.textExtent ?? 0)
      : fragment.width
  if (fragment.clips === true) return reach
  for (const child of fragment.children) reach = Math.max(reach, child.x + overflowRight(child))
  for (const { fragment: positioned } of fragment.outOfFlow ?? [])
    reach = Math.max(reach, positioned.x + overflowRight(positioned))
  return reach
}

/** The background of the root element or the body is propagated to the canvas (CSS Backgrounds 3, 2.11). */
function sheetColour({ style, children }: BlockBox): number | undefined {
  const body = children.find((child) => child.kind === 'block')
  const colour = colourOf(style, 'background-color') ?? (body && colourOf(body.style, 'background-color'))
  return colour === 0xffffff ? undefined : colour
}

/** The font families and characters of a page, for hosts that fetch fonts. */
export const pageFontRequests = (page: BoxedPage, fonts: Pick<DocumentFonts, 'has'>): FontRequest[] =>
  neededFonts(page.box, fonts, page.language)
