/** Draws the paginated fragments on pages. Within a fragment, the background comes before the content. */
import type { LayoutBudget } from '../context.ts'
import { type Colour, filledBox, type Page, type Placed, type Pt } from '../frame.ts'
import { cornersOf, roundedOutline } from './corners.ts'
import { drawBox } from './draw-box.ts'
import { type BoxPaint, type ColumnSet, type Edges, type Effect, type Fragment, noEdges } from './fragment.ts'
import { type ColumnStack, columnHeight, type PagedColumns, type PagedFragment, pageAt } from './pager.ts'
import type { Paper } from './paper.ts'

interface Sheets {
  /** The offsets that are added to all positions on a page, by its index. */
  readonly margin: (page: number) => Pick<Edges, 'left' | 'top'>
  readonly stack: ColumnStack // the content areas of the pages, or the columns that are drawn instead
  readonly items: Placed[][]
  readonly budget: LayoutBudget
}

interface PageDrawing {
  /** The paper of a page, by its index. */
  readonly paper: (page: number) => Paper
  /** The ratio of the layout width to the paper width. */
  readonly scale: number
  /** The background colour of the page area. */
  readonly background: Colour | undefined
  /** The fixed positioned boxes, drawn on every page from the top left corner of its content area. */
  readonly fixed: readonly Fragment[]
}

/** Draws all pages. */
export function drawPages(
  root: PagedFragment,
  stack: ColumnStack,
  budget: LayoutBudget,
  { paper: paperAt, scale, background, fixed }: PageDrawing,
): readonly Page[] {
  const margin = (page: number): Edges => (scale === 1 ? paperAt(page).margin : noEdges)
  const sheets: Sheets = { margin, stack, items: [[]], budget }
  draw(sheets, root)
  const count = sheets.items.length
  for (const fragment of fixed)
    for (let page = 0; page < count; page++)
      drawOn(sheets, page, fragment, fragment.x, page * stack.pitch + fragment.y)
  return sheets.items.map((items, index): Page => {
    const paper = paperAt(index)
    const behind = background === undefined ? [] : [sheetBackground(paper, background)]
    const content = scale === 1 ? items : [shrunk(items, paper, scale)]
    return { frame: { width: paper.width, height: paper.height, items: [...behind, ...content] } }
  })
}

/** The canvas background. It ends at the page margins (observed in Chromium). */
const sheetBackground = ({ margin, content }: Paper, colour: Colour): Placed =>
  filledBox(margin.left, margin.top, content.width, content.height, colour)

/** Scales content that was laid out on wider paper down to the paper. */
function shrunk(items: readonly Placed[], { margin, content }: Paper, scale: number): Placed {
  const frame = { width: content.width * scale, height: content.height * scale, items }
  const transform = [1 / scale, 0, 0, 1 / scale, 0, 0] as const
  return { x: margin.left, y: margin.top, item: { kind: 'group', frame, clip: false, transform } }
}

function sheet({ items }: Sheets, index: number): Placed[] {
  while (items.length <= index) items.push([])
  return items[index] ?? []
}

function add(sheets: Sheets, page: number, x: Pt, y: Pt, items: readonly Placed[]): void {
  if (items.length === 0) return
  const margin = sheets.margin(page)
  const target = sheet(sheets, page)
  const [left, top] = [margin.left + x, margin.top + y - page * sheets.stack.pitch]
  for (const item of items) target.push({ ...item, x: item.x + left, y: item.y + top })
}

function draw(sheets: Sheets, placed: PagedFragment): void {
  const { fragment } = placed
  const clip = fragment.clips === true && (fragment.clipRadii !== undefined || overflows(fragment))
  if (fragment.effect === undefined && !clip) drawContent(sheets, placed)
  else drawAsGroup(sheets, placed, { ...fragment.effect, clip })
}

/** Whether a child of a box reaches beyond its edges. */
function overflows({ width, height, children, outOfFlow = [] }: Fragment): boolean {
  const reaches = (child: Fragment): boolean =>
    child.x < -tolerance ||
    child.y < -tolerance ||
    child.x + Math.max(child.width, child.textExtent ?? 0) > width + tolerance ||
    child.y + child.height > height + tolerance ||
    child.children.some(
      (inner) => inner.textExtent !== undefined && child.x + inner.textExtent > width + tolerance,
    )
  return children.some(reaches) || outOfFlow.some(({ fragment }) => reaches(fragment))
}
const tolerance: Pt = 0.1

/** Draws a box with an effect, or one that clips its content, as one group on each page. */
function drawAsGroup(
  sheets: Sheets,
  placed: PagedFragment,
  effect: Effect & { readonly clip: boolean },
): void {
  const grouped: Sheets = { ...sheets, items: [] }
  drawContent(grouped, placed)
  const { width, height, clipRadii } = placed.fragment
  // A box on several pages has its corners on the first and the last one, so it is clipped as a rectangle.
  const isWhole = grouped.items.filter((items) => items.length > 0).length === 1
  const clipPath = clipRadii !== undefined &&
    isWhole && { clipPath: roundedOutline(0, 0, width, height, cornersOf(clipRadii, width, height)) }
  grouped.items.forEach((items, page) => {
    if (items.length === 0) return
    const margin = sheets.margin(page)
    const x = margin.left + placed.x
    const y = margin.top + placed.top - page * sheets.stack.pitch
    const inside = items.map((drawnItem) => ({ ...drawnItem, x: drawnItem.x - x, y: drawnItem.y - y }))
    const frame = { width, height, items: inside }
    sheet(sheets, page).push({ x, y, item: { kind: 'group', frame, ...effect, ...clipPath } })
  })
}

function drawContent(sheets: Sheets, placed: PagedFragment): void {
  sheets.budget.check()
  const { fragment, x, top, children, columns } = placed
  if (fragment.boxPaint !== undefined) drawBoxParts(sheets, placed, fragment.boxPaint)
  if (fragment.items !== undefined) add(sheets, pageAt(top, sheets.stack.pitch), x, top, fragment.items)
  if (fragment.repeatedHeader !== undefined) drawHeader(sheets, placed, fragment.repeatedHeader)
  for (const child of children) draw(sheets, child)
  const { repeatedFooter } = fragment
  if (repeatedFooter !== undefined)
    for (const y of placed.footers ?? []) drawCopy(sheets, repeatedFooter, x + repeatedFooter.x, y)
  if (columns !== undefined && fragment.columnSet !== undefined)
    drawColumns(sheets, columns, fragment.columnSet, fragment.children[0]?.width ?? 0)
}

/** Draws each column in its place, with a rule between it and the column to its left. */
function drawColumns(
  sheets: Sheets,
  { content, stack, places }: PagedColumns,
  { step, rule }: ColumnSet,
  width: Pt,
): void {
  const drawn: Sheets = { ...sheets, margin: () => noEdges, stack, items: [] }
  draw(drawn, content)
  places.forEach(({ x, y }, index) => {
    const page = pageAt(y, sheets.stack.pitch)
    const items = drawn.items[index]
    if (items === undefined) return
    if (rule !== undefined && places[index - 1]?.y === y) {
      const middle = x - (step - width) / 2
      const line = drawBox({ borders: { left: rule } }, 0, 0, 0, columnHeight(stack, index))
      add(sheets, page, middle - rule.width / 2, y, line)
    }
    add(sheets, page, x, y, items)
  })
}

/** Repeats the header rows of a table on each page after the first. */
function drawHeader(sheets: Sheets, { top, bottom, x }: PagedFragment, header: Fragment): void {
  const { pitch } = sheets.stack
  if (header.height >= pitch / 4) return
  const last = pageAt(Math.max(top, bottom - 0.1), pitch)
  for (let page = pageAt(top, pitch) + 1; page <= last; page++)
    drawCopy(sheets, header, x + header.x, page * pitch)
}

/** Draws a repeated fragment, without its named destinations. */
const drawCopy = (sheets: Sheets, fragment: Fragment, x: Pt, y: Pt): void =>
  drawOn(sheets, pageAt(y, sheets.stack.pitch), fragment, x, y)

function drawOn(sheets: Sheets, page: number, fragment: Fragment, x: Pt, y: Pt): void {
  if (fragment.boxPaint !== undefined)
    add(sheets, page, x, y, drawBox(fragment.boxPaint, 0, 0, fragment.width, fragment.height))
  if (fragment.items !== undefined)
    add(
      sheets,
      page,
      x,
      y,
      fragment.items.filter(({ item }) => item.kind !== 'mark'),
    )
  for (const child of fragment.children) drawOn(sheets, page, child, x + child.x, y + child.y)
  for (const { fragment: positioned } of fragment.outOfFlow ?? [])
    drawOn(sheets, page, positioned, x + positioned.x, y + positioned.y)
}

/** Draws a box that spans pages in parts, without a border where it was cut. */
function drawBoxParts(sheets: Sheets, { fragment, x, top, bottom }: PagedFragment, paint: BoxPaint): void {
  const { pitch } = sheets.stack
  const first = pageAt(top, pitch)
  const last = Math.max(first, pageAt(bottom - 0.05, pitch))
  if (first === last) {
    add(sheets, first, x, top, drawBox(paint, 0, 0, fragment.width, bottom - top))
    return
  }
  for (let page = first; page <= last; page++) {
    const from = Math.max(top, page * pitch)
    const to = Math.min(bottom, page * pitch + columnHeight(sheets.stack, page))
    const { top: above, bottom: below, ...across } = paint.borders ?? {}
    const borders = {
      ...across,
      ...(page === first && above && { top: above }),
      ...(page === last && below && { bottom: below }),
    }
    const { radii: _radii, shadows: _shadows, ...plain } = paint
    add(sheets, page, x, from, drawBox({ ...plain, borders }, 0, 0, fragment.width, to - from))
  }
}
