/** The text of a PDF as it flows: reading order, headings, lists, tables, pictures. See `lines.ts` and `blocks.ts`. */

import type { Flow, FlowBlock, FlowPage } from '../../../../shared/flow/flow.ts'
import { plainText } from '../../../../shared/flow/flow.ts'
import type { AsideLine } from './aside.ts'
import { blocksOf, type Frame, type Look } from './blocks.ts'
import { borderedTables } from './bordered-tables.ts'
import { withBullets } from './bullets.ts'
import { isCode } from './code-lines.ts'
import { continued } from './continued-tables.ts'
import { leastOf, mostOf } from './extent.ts'
import { columnsOf, type Line, linesOf, withoutRunning } from './lines.ts'
import type { DocumentMarks, PageMarks, PlacedPicture } from './marks.ts'
import { inReadingOrder } from './reading-order.ts'

export interface ReadText {
  readonly flow: Flow
  /** Blocks of each page, for outputs that keep pages apart. */
  readonly pages: readonly (readonly FlowBlock[])[]
}

/** Text this much larger than the rest is a heading. */
const headingFactor = 1.12
const mostHeadingSizes = 5

/** `pause` is called between pages. */
export async function readFlow(
  { pages, pictures }: DocumentMarks,
  pause: () => Promise<void>,
): Promise<ReadText> {
  const clean: PageMarks[] = []
  for (const page of withoutRunning(pages)) {
    clean.push(withBullets(page))
    await pause()
  }
  const look = lookOf(clean)
  const made: (readonly FlowBlock[])[] = []
  for (const page of clean) {
    made.push(blocksOfPage(page, look))
    await pause()
  }
  const blocks: FlowBlock[] = []
  for (const [at, page] of made.entries()) {
    const before = clean[at - 1]
    if (before !== undefined && endsEarly(before) && blocks.length > 0) blocks.push({ kind: 'page-break' })
    join(blocks, page)
  }
  const first = pages[0] as PageMarks
  const title = blocks.find((block) => block.kind === 'heading')
  return {
    flow: {
      ...(title?.kind === 'heading' && { title: plainText(title.inlines).trim() }),
      page: pageOf(first, clean),
      blocks,
      pictures,
    },
    pages: made,
  }
}

function lookOf(pages: readonly PageMarks[]): Look {
  const lengths = new Map<number, number>()
  for (const { marks } of pages)
    for (const { size, text } of marks) lengths.set(size, (lengths.get(size) ?? 0) + text.length)
  const sizes = [...lengths].toSorted((a, b) => b[1] - a[1])
  const size = sizes[0]?.[0] ?? 10
  const total = sizes.reduce((sum, [, length]) => sum + length, 0)
  const headings = sizes
    .filter(([one, length]) => one > size * headingFactor && length < total * 0.3)
    .map(([one]) => one)
    .toSorted((a, b) => b - a)
  // Sizes that are nearly equal are one level.
  const levels = headings.filter((one, at) => at === 0 || (headings[at - 1] as number) - one > 0.6)
  return { size, headings: levels.slice(0, mostHeadingSizes), ...(isTyped(pages) && { typed: true }) }
}

/** Most of it is in a face of a typewriter: that tells nothing of a part. */
function isTyped(pages: readonly PageMarks[]): boolean {
  const marks = pages.flatMap((page) => page.marks)
  const length = (ones: typeof marks) => ones.reduce((sum, { text }) => sum + text.length, 0)
  return length(marks.filter(isCode)) * 2 > length(marks)
}

/** What stands among the lines of a page. */
interface Placed {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly block: FlowBlock
}

function blocksOfPage(page: PageMarks, look: Look): readonly FlowBlock[] {
  const blocks: FlowBlock[] = []
  const tables = borderedTables(page.marks, page.rulings ?? [], look)
  const marks = page.marks.filter((mark) => !tables.some((table) => table.marks.has(mark)))
  const aside = (page.aside ?? []).map(placedLine)
  let waiting: readonly Placed[] = [...tables, ...page.pictures.map(placedPicture), ...aside].toSorted(
    (a, b) => a.y + a.height / 2 - (b.y + b.height / 2),
  )
  const columns = columnsOf({ ...page, marks }, [...tables, ...page.pictures])
  for (const column of columns) {
    const lines = linesOf(column)
    const frame = frameOf(lines)
    let from = 0
    for (const [at, line] of lines.entries()) {
      const isDue = (one: Placed) =>
        one.y + one.height / 2 < line.y + line.size / 2 && (columns.length === 1 || stands(one, frame))
      const due = waiting.filter(isDue)
      if (due.length === 0) continue
      waiting = waiting.filter((one) => !isDue(one))
      add(blocks, blocksOf(lines.slice(from, at), look, frame))
      for (const { block } of due) blocks.push(block)
      from = at
    }
    add(blocks, blocksOf(lines.slice(from), look, frame))
  }
  return [...blocks, ...waiting.map((one) => one.block)]
}

function stands({ x, width }: Placed, { left, right }: Frame): boolean {
  const middle = x + width / 2
  return middle > left && middle < right
}

function placedPicture({ name, ...place }: PlacedPicture): Placed {
  const { width, height } = place
  const block: FlowBlock = {
    kind: 'paragraph',
    inlines: [{ kind: 'picture', picture: name, text: '', width, height }],
  }
  return { ...place, block }
}

/** A line that is turned another way than the page is read where it stands, upright. */
function placedLine({ text, kind: _, ...place }: AsideLine): Placed {
  const inlines = inReadingOrder([{ kind: 'text', text: text.trim(), style: {} }])
  return { ...place, block: { kind: 'paragraph', inlines } }
}

function frameOf(lines: readonly Line[]): Frame {
  if (lines.length === 0) return { left: 0, right: 0 }
  return {
    left: leastOf(lines.map((line) => line.x)),
    right: mostOf(lines.map((line) => line.right)),
  }
}

/** A paragraph and a table that a page cut in two are one again. */
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
    if (end.length > 40 && /[\p{L},;]$/u.test(end) && /^\p{Ll}/u.test(start)) {
      blocks[blocks.length - 1] = {
        ...last,
        inlines: [...last.inlines, { kind: 'text', text: ' ', style: {} }, ...first.inlines],
      }
      add(blocks, rest)
      return
    }
  }
  add(blocks, next)
}

function add(blocks: FlowBlock[], more: readonly FlowBlock[]): void {
  for (const block of more) {
    const last = blocks.at(-1)
    // A list that a column or a page cut in two.
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

function endsEarly({ height, marks, pictures }: PageMarks): boolean {
  const bottoms = [...marks, ...pictures].map((one) => one.y + one.height)
  return bottoms.reduce((most, one) => Math.max(most, one), 0) < height * 0.7
}

/** Margins as the text shows them, within what a printer can do. */
function pageOf({ width, height }: PageMarks, pages: readonly PageMarks[]): FlowPage {
  const least = (values: readonly number[], usual: number) =>
    Math.round(
      Math.min(Math.max(values.length === 0 ? usual : leastOf(values), 28), Math.min(width, height) / 5),
    )
  const marks = pages.flatMap((page) => page.marks.slice(0, 2000))
  const edges = (of: (mark: (typeof marks)[number]) => number) => marks.slice(0, 20_000).map(of)
  return {
    width,
    height,
    margin: {
      left: least(
        edges((mark) => mark.x),
        56,
      ),
      right: least(
        edges((mark) => width - mark.x - mark.width),
        56,
      ),
      top: least(
        edges((mark) => mark.y),
        56,
      ),
      bottom: least(
        edges((mark) => height - mark.y - mark.height),
        56,
      ),
    },
  }
}
