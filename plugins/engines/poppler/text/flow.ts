/**
 * Converts the text of a PDF to a flow: reading order, headings, lists, tables, pictures. See `lines.ts` and
 * `blocks.ts`.
 */

import { maxOf, minOf } from '../../../../shared/extremes.ts'
import type { Flow, FlowBlock, FlowInline, FlowPage } from '../../../../shared/flow/flow.ts'
import { plainText } from '../../../../shared/flow/flow.ts'
import { blocksOf, type ColumnEdges, type Typography } from './blocks.ts'
import { borderedTables } from './bordered-tables.ts'
import { withBullets } from './bullets.ts'
import { isCode } from './code-lines.ts'
import { continued } from './continued-tables.ts'
import { withoutRunning } from './headers-footers.ts'
import { linesOf, type PdfLine } from './lines.ts'
import { inReadingOrder } from './reading-order.ts'
import { type Barrier, type Region, regionsOf } from './regions.ts'
import type { RotatedLine } from './rotated-lines.ts'
import type { DocumentText, PagePicture, PageText } from './text-positions.ts'

export interface ReadText {
  readonly flow: Flow
  /** The blocks of each page, for outputs that keep pages separate. */
  readonly pages: readonly (readonly FlowBlock[])[]
}

/** Text that is larger than the rest by this factor is a heading. */
const headingFactor = 1.12
const maxHeadingSizes = 5

export function readFlow({ pages, pictures }: DocumentText): ReadText {
  const clean = withoutRunning(pages).map(withBullets)
  const typography = typographyOf(clean)
  const blocksByPage = clean.map((page) => blocksOfPage(page, typography))
  const blocks: FlowBlock[] = []
  for (const [at, page] of blocksByPage.entries()) {
    const before = clean[at - 1]
    if (before !== undefined && endsEarly(before) && blocks.length > 0) blocks.push({ kind: 'page-break' })
    join(blocks, page)
  }
  return { flow: flowOf(blocks, { pages: clean, pictures }), pages: blocksByPage }
}

/** The flow of blocks with the title and the page set-up of their document. */
export function flowOf(
  blocks: readonly FlowBlock[],
  { pages, pictures }: Pick<DocumentText, 'pages' | 'pictures'>,
): Flow {
  const title = blocks.find((block) => block.kind === 'heading')
  return {
    ...(title?.kind === 'heading' && { title: plainText(title.inlines).trim() }),
    page: pageOf(pages[0] as PageText, pages),
    blocks,
    pictures,
  }
}

export function typographyOf(pages: readonly PageText[]): Typography {
  const lengths = new Map<number, number>()
  for (const { positions } of pages)
    for (const { size, text } of positions) lengths.set(size, (lengths.get(size) ?? 0) + text.length)
  const sizes = [...lengths].toSorted((a, b) => b[1] - a[1])
  const size = sizes[0]?.[0] ?? 10
  const total = sizes.reduce((sum, [, length]) => sum + length, 0)
  const headings = sizes
    .filter(([candidate, length]) => candidate > size * headingFactor && length < total * 0.3)
    .map(([size]) => size)
    .toSorted((a, b) => b - a)
  // Sizes that are nearly equal are one level.
  const levels = headings.filter((heading, at) => at === 0 || (headings[at - 1] as number) - heading > 0.6)
  return {
    size,
    headings: levels.slice(0, maxHeadingSizes),
    ...(isMonospaced(pages) && { monospaced: true }),
  }
}

/** Whether most of the text is monospaced, so that a monospaced face does not indicate code. */
function isMonospaced(pages: readonly PageText[]): boolean {
  const positions = pages.flatMap((page) => page.positions)
  const length = (lines: typeof positions) => lines.reduce((sum, { text }) => sum + text.length, 0)
  return length(positions.filter(isCode)) * 2 > length(positions)
}

/** Content among the lines of a page that is not text. */
interface PositionedContent {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly block: FlowBlock
}

function blocksOfPage(page: PageText, typography: Typography): readonly FlowBlock[] {
  const blocks: FlowBlock[] = []
  const tables = borderedTables(page.positions, page.rulings ?? [], typography)
  const positions = page.positions.filter(
    (position) => !tables.some((table) => table.positions.has(position)),
  )
  const rotatedLines = (page.rotatedLines ?? []).map(lineContent)
  const contents: readonly PositionedContent[] = [
    ...tables,
    ...page.pictures.map(pictureContent),
    ...rotatedLines,
  ]
  for (const region of regionsOf(positions, contents, barriersOf(page)))
    join(blocks, blocksOfRegion(region, typography))
  return blocks
}

/** Lines across the page: what is above and below them is not one column. */
function barriersOf({ rulings = [] }: PageText): readonly Barrier[] {
  return rulings.filter(({ across }) => across).map(({ at, from, to }) => ({ y: at, x: from, right: to }))
}

function blocksOfRegion(
  { positions, contents }: Region<PositionedContent>,
  typography: Typography,
): readonly FlowBlock[] {
  const blocks: FlowBlock[] = []
  const middleOf = ({ y, height }: PositionedContent) => y + height / 2
  const waiting = contents.toSorted((a, b) => middleOf(b) - middleOf(a))
  const lines = linesOf(positions)
  const frame = frameOf(lines)
  let from = 0
  for (const [at, line] of lines.entries()) {
    const isDue = (content: PositionedContent | undefined) =>
      content !== undefined && middleOf(content) < line.y + line.size / 2
    if (!isDue(waiting.at(-1))) continue
    add(blocks, blocksOf(lines.slice(from, at), typography, frame))
    while (isDue(waiting.at(-1))) blocks.push((waiting.pop() as PositionedContent).block)
    from = at
  }
  add(blocks, blocksOf(lines.slice(from), typography, frame))
  return [...blocks, ...waiting.toReversed().map(({ block }) => block)]
}

function pictureContent({ name, ...box }: PagePicture): PositionedContent {
  const { width, height } = box
  const block: FlowBlock = {
    kind: 'paragraph',
    inlines: [{ kind: 'picture', picture: name, text: '', width, height }],
  }
  return { ...box, block }
}

/** A line with another direction than the page is inserted at its position. */
function lineContent({ text, kind: _, ...box }: RotatedLine): PositionedContent {
  const inlines = inReadingOrder([{ kind: 'text', text: text.trim(), style: {} }])
  return { ...box, block: { kind: 'paragraph', inlines } }
}

export function frameOf(lines: readonly PdfLine[]): ColumnEdges {
  if (lines.length === 0) return { left: 0, right: 0 }
  return {
    left: minOf(lines.map((line) => line.x)),
    right: maxOf(lines.map((line) => line.right)),
  }
}

/** Joins a paragraph or a table that a page break or the end of a column split. */
function join(blocks: FlowBlock[], next: readonly FlowBlock[]): void {
  const last = blocks.at(-1)
  const [first, ...rest] = next
  const table = continued(last, first)
  if (table !== undefined) {
    blocks[blocks.length - 1] = table
    add(blocks, rest)
    return
  }
  if (last?.kind === 'paragraph' && first?.kind === 'paragraph' && last.align === first.align) {
    const [end, start] = [plainText(last.inlines), plainText(first.inlines)]
    if (end.length > 40 && /[\p{L}\p{Nd},;\u2013-]$/u.test(end) && /^\p{Ll}/u.test(start)) {
      blocks[blocks.length - 1] = { ...last, inlines: [...withoutHyphen(last.inlines), ...first.inlines] }
      add(blocks, rest)
      return
    }
  }
  add(blocks, next)
}

/** The start of a paragraph, ready for the rest of it: a divided word loses its hyphen. */
function withoutHyphen(inlines: readonly FlowInline[]): readonly FlowInline[] {
  const last = inlines.at(-1)
  if (last?.kind === 'text' && /\p{L}[-\u00ad]$/u.test(last.text))
    return [...inlines.slice(0, -1), { ...last, text: last.text.slice(0, -1) }]
  return [...inlines, { kind: 'text', text: ' ', style: {} }]
}

function add(blocks: FlowBlock[], more: readonly FlowBlock[]): void {
  for (const block of more) {
    const last = blocks.at(-1)
    // Joins a list that a column or page break split.
    const goesOn =
      last?.kind === 'list' &&
      block.kind === 'list' &&
      last.ordered &&
      block.ordered &&
      block.start > 1 &&
      block.start === last.start + last.items.length
    if (goesOn) blocks[blocks.length - 1] = { ...last, items: [...last.items, ...block.items] }
    else blocks.push(block)
  }
}

export function endsEarly({ height, positions, pictures }: PageText): boolean {
  const bottoms = [...positions, ...pictures].map((box) => box.y + box.height)
  return bottoms.reduce((max, bottom) => Math.max(max, bottom), 0) < height * 0.7
}

/** The margins, derived from the text within the limits of printers. */
function pageOf({ width, height }: PageText, pages: readonly PageText[]): FlowPage {
  const smallest = (values: readonly number[], typical: number) =>
    Math.round(
      Math.min(Math.max(values.length === 0 ? typical : minOf(values), 28), Math.min(width, height) / 5),
    )
  const positions = pages.flatMap((page) => page.positions.slice(0, 2000))
  const edges = (of: (position: (typeof positions)[number]) => number) => positions.slice(0, 20_000).map(of)
  return {
    width,
    height,
    margin: {
      left: smallest(
        edges((position) => position.x),
        56,
      ),
      right: smallest(
        edges((position) => width - position.x - position.width),
        56,
      ),
      top: smallest(
        edges((position) => position.y),
        56,
      ),
      bottom: smallest(
        edges((position) => height - position.y - position.height),
        56,
      ),
    },
  }
}
