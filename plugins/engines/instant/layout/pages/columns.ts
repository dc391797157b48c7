/** Fills the columns of one page with text, and balances them where the section asks for it. */

import type { SectionProperties } from '../../../../../shared/document/section.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import type { LayoutContext } from '../context.ts'
import { breakLines } from '../flow/break-lines.ts'
import {
  type FilledRegion,
  type FillRequest,
  type FlowPosition,
  insetWidth,
  type PreparedFlow,
  widthOf,
} from '../flow/types.ts'
import { filledBox, type Placed, type Pt } from '../frame.ts'
import { colourOf } from '../inline/text-style.ts'
import { isFootnote } from './notes.ts'
import { type OpenPage, textWidth } from './page.ts'
import { footnotesAt, type PageRun } from './page-run.ts'

/** A set of columns to fill on one page. */
export interface ColumnSet {
  /** The left edge of each column, from the margin, and its width. */
  readonly boxes: readonly { readonly x: Pt; readonly width: Pt }[]
  readonly flowFor: (width: Pt) => PreparedFlow
  readonly position: FlowPosition
  /** The flow that `position` refers to; absent for that of the first column. */
  readonly flow?: PreparedFlow
  readonly top: FillRequest['top']
  readonly balanced: boolean
  /** The space above all columns; absent when each column has its own. */
  readonly lead?: Pt
  readonly inset?: SectionProperties['inset']
}

/** Where the text continues after a set of columns. */
export interface ColumnsFilled {
  /** Undefined when all blocks are placed. */
  readonly next: FlowPosition | undefined
  /** The flow that `next` refers to. */
  readonly flow: PreparedFlow
  /** A manual page break ended the columns. */
  readonly broke: boolean
}

/** The result of filling a set of columns once, before it is added to the page. */
interface ColumnAttempt {
  readonly columns: readonly FilledColumn[]
  /** The boxes of the floats placed in this attempt. */
  readonly exclusions: OpenPage['exclusions']
  readonly next: FlowPosition | undefined
  readonly flow: PreparedFlow
  readonly broke?: 'page' | 'column'
  /** The height of the tallest column, without the space after it. */
  readonly height: Pt
  /**
   * The bottom of the text in all columns. Footnotes may overlap what line spacing adds below the last line, so that part
   * does not count.
   */
  readonly textEnd: Pt
  readonly after: Pt
}

interface FilledColumn {
  readonly filled: FilledRegion
  /** The left edge of the column, from the margin. */
  readonly x: Pt
}

/** Fills one set of columns on the open page and adds the result to it. */
export function fillColumns(run: PageRun, page: OpenPage, set: ColumnSet): ColumnsFilled {
  if (set.lead !== undefined) {
    page.y += set.lead
    page.after = 0
  }
  const start = page.y
  const available = page.bodyBottom - start
  const unbalanced = attempt(run, page, set, available)
  const isBalanced = set.balanced && unbalanced.next === undefined && unbalanced.broke === undefined
  const best = isBalanced ? balance(run, page, set, available, unbalanced) : unbalanced
  for (const { filled, x } of best.columns) {
    const left = page.geometry.marginLeft + x
    move(filled.behind, page.behind, left, start)
    move(filled.items, page.items, left, start)
    move(filled.front, page.front, left, start)
    for (const note of filled.notes) (isFootnote(note) ? page.notes : run.endnotes).push(note)
  }
  pushAll(page.exclusions, best.exclusions)
  page.y = start + best.height
  page.after = best.after
  page.textEnd = Math.max(page.textEnd, start + best.textEnd)
  const { inset } = set
  if (inset?.background !== undefined && best.height > 0) {
    const left = page.geometry.marginLeft + inset.left
    const colour = colourOf(inset.background)
    page.behind.push(filledBox(left, start, insetWidth(textWidth(page), inset), best.height, colour))
  }
  drawSeparators(page, set, start, best.height)
  return { next: best.next, flow: best.flow, broke: best.broke === 'page' }
}

/** Copies items from a column to the page, moved by an offset. */
function move(list: readonly Placed[], into: Placed[], left: Pt, top: Pt): void {
  for (const item of list) into.push({ x: left + item.x, y: top + item.y, item: item.item })
}

/** Fills the columns once, each at most `height` tall, without changing the page. */
function attempt(run: PageRun, page: OpenPage, set: ColumnSet, height: Pt): ColumnAttempt {
  const { context } = run
  // Content must be placed only on an empty page at full height; shorter attempts serve for balancing.
  const isEmpty = page.y - (set.lead ?? 0) <= page.bodyTop + 0.01
  const mustPlace = isEmpty && height >= page.bodyBottom - page.y - 0.01
  const columns: FilledColumn[] = []
  const exclusions = [...page.exclusions]
  let { position, top } = set
  let next: FlowPosition | undefined = position
  let broke: 'page' | 'column' | undefined
  let tallest = 0
  let textEnd = 0
  let { after } = page
  let notes: readonly string[] = page.notes
  let flow = set.flow ?? set.flowFor(set.boxes[0]!.width)
  for (const box of set.boxes) {
    const columnFlow = set.flowFor(box.width)
    if (columnFlow !== flow) position = translatePosition(context, flow, columnFlow, position)
    flow = columnFlow
    const filled = context.flows.fill(flow, position, {
      height,
      top,
      above: top === 'after' ? page.after : undefined,
      mustPlace,
      isColumn: set.boxes.length > 1,
      origin: { x: page.geometry.marginLeft + box.x, y: page.y },
      geometry: page.geometry,
      exclusions,
      notes: noteSpace(run, page, notes, height),
    })
    columns.push({ filled, x: box.x })
    notes = [...notes, ...filled.notes]
    if (filled.height - filled.trailing >= tallest) {
      tallest = filled.height - filled.trailing
      after = filled.trailing
    }
    textEnd = Math.max(textEnd, filled.height - filled.trailing - filled.slack)
    next = filled.next
    broke = filled.broke
    if (next === undefined || broke === 'page') break
    position = next
    top = broke === 'column' ? 'forced' : 'natural'
  }
  const isStuck = mustPlace && broke === undefined && columns.every(({ filled }) => filled.empty)
  return {
    columns,
    exclusions: exclusions.slice(page.exclusions.length),
    next: next !== undefined && isStuck ? afterDropped(context, flow, position) : next,
    flow,
    broke,
    height: tallest,
    textEnd,
    after,
  }
}

/**
 * Drops the block at a position, since it does not fit even an empty page and would be tried forever. Returns
 * the position after it; undefined when it was the last one.
 */
function afterDropped(
  context: LayoutContext,
  { blocks }: PreparedFlow,
  { block }: FlowPosition,
): FlowPosition | undefined {
  context.warn({
    code: 'layout.block-dropped',
    message: 'Content that does not fit on any page was omitted.',
  })
  return block + 1 < blocks.length ? { block: block + 1, line: 0 } : undefined
}

/**
 * The height that footnotes need in a column of this height, whose page already has the notes `placed`. Notes are
 * at the bottom of the page, so columns that end above it already leave space for them.
 */
function noteSpace(
  run: PageRun,
  page: OpenPage,
  placed: readonly string[],
  height: Pt,
): FillRequest['notes'] {
  const footnotes = footnotesAt(run, textWidth(page))
  const bodyHeight = page.bodyBottom - page.bodyTop
  const spare = page.bodyBottom - page.y - height
  const { continuedNotes: noteRest } = run
  return {
    height: (more) => Math.max(0, footnotes.height([...placed, ...more], noteRest, bodyHeight) - spare),
    minHeight: (more) => Math.max(0, footnotes.minHeight([...placed, ...more], noteRest) - spare),
  }
}

/** How often a height is tried: halving a page of any height fourteen times leaves less than half a point. */
const maxHalvings = 14

/**
 * Balances columns: finds the smallest height at which everything still fits, by bisection to half a point.
 * The interval is halved in every iteration, so the loop ends.
 */
function balance(
  run: PageRun,
  page: OpenPage,
  set: ColumnSet,
  available: Pt,
  unbalanced: ColumnAttempt,
): ColumnAttempt {
  let low = 0
  let high = Math.min(available, unbalanced.height)
  let best = unbalanced
  for (let halving = 0; halving < maxHalvings && high - low > 0.5; halving++) {
    const middle = (low + high) / 2
    const candidate = attempt(run, page, set, middle)
    if (candidate.next === undefined) {
      best = candidate
      high = middle
    } else low = middle
  }
  return best
}

/** Draws the lines between columns. */
function drawSeparators(page: OpenPage, set: ColumnSet, top: Pt, height: Pt): void {
  if (!page.section.columns.separator || height <= 0) return
  for (let i = 1; i < set.boxes.length; i++) {
    const before = set.boxes[i - 1]!
    const after = set.boxes[i]!
    const [first, second] = before.x < after.x ? [before, after] : [after, before]
    const x = page.geometry.marginLeft + (first.x + first.width + second.x) / 2
    page.items.push(filledBox(x - 0.25, top, 0.5, height, 0))
  }
}

/**
 * Translates a position into the flow of another width: lines already placed are kept and the rest is broken
 * anew.
 */
function translatePosition(
  context: LayoutContext,
  from: PreparedFlow,
  to: PreparedFlow,
  position: FlowPosition,
): FlowPosition {
  const block = to.blocks[position.block]
  const before = from.blocks[position.block]
  if (position.line === 0 || block?.kind !== 'paragraph' || before?.kind !== 'paragraph') return position
  const done = (before.around ?? before.lines)?.slice(0, position.line) ?? []
  const segment = done.at(-1)?.to ?? 0
  block.around = [...done, ...breakLines(context, block, widthOf(to, block), segment, undefined)]
  return position
}
