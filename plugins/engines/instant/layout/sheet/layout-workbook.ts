/**
 * Lays out a workbook into pages. `calculate.ts` computes formulas without a stored result. Then, for each sheet, `grid.ts`
 * and `row-heights.ts` resolve the sizes of columns and rows, `print-area.ts` finds the printed area, `pages.ts` divides it
 * into pages, and `draw-block.ts` draws the cells of each page.
 */

import type {
  CellArea,
  Sheet,
  SheetHeaders,
  SheetPage,
  Workbook,
} from '../../../../../shared/document/sheet.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import { maxOf } from '../../../../../shared/extremes.ts'
import { columnName } from '../../../../../shared/office/sheet/reference.ts'
import type { Warning } from '../../../../../shared/plugin/values.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import { word } from '../../compat/word.ts'
import type { DocumentFonts } from '../../fonts/font-book.ts'
import type { ImageRef } from '../../images/image.ts'
import { createNumberPrinter } from '../../style/cell-number/print.ts'
import type { VectorPicture } from '../../vector/vector.ts'
import type { LayoutBudget } from '../context.ts'
import {
  type Frame,
  filledBox,
  type Page,
  type PathCommand,
  type Placed,
  type Pt,
  straightLine,
} from '../frame.ts'
import { withResults } from './calculate.ts'
import { assignCells, type CellOwners, type PrintedTable } from './cell-owners.ts'
import { withChartValues } from './chart-values.ts'
import { type Conditions, createConditions } from './conditions/conditions.ts'
import type { SheetContext } from './context.ts'
import { type Block, drawBlock } from './draw-block.ts'
import { drawLine } from './draw-cell.ts'
import { createDrawingPainter } from './drawing-context.ts'
import { type Anchored, anchorDrawings } from './drawings.ts'
import { withFittedColumns } from './fitted-columns.ts'
import { columnAxis, createGrid, type Grid, twips } from './grid.ts'
import { drawHeader, headerExtent } from './headers.ts'
import { createMerges, type Merges } from './merges.ts'
import { findOverflow, type Overflow } from './overflow.ts'
import { divide, type PageCells, pagesOf, type Span } from './pages.ts'
import { pagesWithContent, usedArea } from './print-area.ts'
import { rowAxis } from './row-heights.ts'
import { createSparklines, type Sparklines } from './sparklines.ts'
import { createTextMeasure } from './text.ts'

export interface WorkbookRequest {
  readonly workbook: Workbook
  readonly fonts: DocumentFonts
  readonly budget: LayoutBudget
  /** The time that headers show, in milliseconds since the epoch. */
  readonly now: number
  /** The raster image with this name in `workbook.media`; undefined if it cannot be decoded. */
  readonly image: (media: string) => ImageRef | undefined
  /** The vector picture with this name. */
  readonly vector: (media: string) => VectorPicture | undefined
  readonly warn: (warning: Warning) => void
  /** Receives what each drawn text belongs to, for a tagged PDF. */
  readonly owners?: CellOwners
}

/** A page before it is drawn, since drawing requires the total number of pages. */
interface PlannedPage {
  readonly plan: SheetPlan
  readonly cells: PageCells
  readonly factor: number
  readonly number: number
  /** The printed area, for a tagged PDF. */
  readonly table: PrintedTable
}

/** The state that the pages of a sheet share. */
interface SheetPlan {
  readonly sheet: Sheet
  readonly grid: Grid
  readonly merges: Merges
  readonly overflow: ReadonlyMap<number, readonly Overflow[]>
  readonly drawings: readonly Anchored[]
  readonly conditions: Conditions | undefined
  readonly sparklines: Sparklines | undefined
}

/** All pages of `workbookPages`. */
export const layoutWorkbook = (request: WorkbookRequest): Page[] => [...workbookPages(request)]

/**
 * Lays out a workbook. Pages are drawn when they are asked for, so that a painter need not keep them. Throws AppError
 * 'layout.too-many-pages' and whatever `budget.check` throws.
 */
export function* workbookPages(request: WorkbookRequest): Generator<Page> {
  const { fonts, budget, now, warn } = request
  const { date1904, generalDecimals } = request.workbook
  const numbers = createNumberPrinter({
    date1904,
    language: 'en-us',
    ...(generalDecimals !== undefined && { generalDecimals }),
  })
  const workbook = withChartValues(withResults(request.workbook, request), { numbers, budget, warn })
  const text = createTextMeasure(fonts, budget)
  const digitWidth = digitWidthOf(workbook, text.width)
  const spend = createCellBudget()
  const context: SheetContext = {
    workbook,
    fonts,
    text,
    paperText: createTextMeasure(fonts, budget, 'paper'),
    screenText: createTextMeasure(fonts, budget, 'screen'),
    numbers,
    texts: new Map(),
    digitWidth,
    budget,
    spend,
    now,
    draw: createDrawingPainter(request),
    warn,
  }
  const planned: PlannedPage[] = []
  for (const sheet of workbook.sheets)
    if (!sheet.hidden)
      planSheet(context, withHeaderExtent(context, withFittedColumns(context, onPaper(sheet))), planned)
  for (const page of planned) yield drawPage(context, page, planned.length, request.owners)
  if (planned.length > 0) return
  const [first] = workbook.sheets
  const { width, height } = first?.page ?? { width: 612, height: 792 }
  yield { frame: { width, height, items: [] } }
}

/** Maximum number of cells that are read while pages are drawn: four times the cells that a workbook may have. */
const maxDrawnCells = 4_000_000

/** Counts the cells that are read. Throws AppError 'layout.too-many-cells'. */
function createCellBudget(): SheetContext['spend'] {
  let left = maxDrawnCells
  return (cells) => {
    left -= cells
    if (left < 0) throw new AppError('layout.too-many-cells', { cells: maxDrawnCells })
  }
}

/** The width of a digit, rounded to twentieths of a point: the unit of column widths (observed in LibreOffice). */
function digitWidthOf({ defaultFont }: Workbook, width: SheetContext['text']['width']): Pt {
  const widest = maxOf([...'0123456789'].map((digit) => width(digit, defaultFont)))
  return Math.max(1, Math.round(widest * 20 - 0.01) / 20)
}

/** The sheet on the paper that it is printed on. */
function onPaper(sheet: Sheet): Sheet {
  const { page } = sheet
  if (page.turnsPaper !== true || word.landscapeTurnsPaper) return sheet
  return { ...sheet, page: { ...page, width: page.height, height: page.width } }
}

/** The sheet with margins that leave space for its headers and footers. */
function withHeaderExtent(context: SheetContext, sheet: Sheet): Sheet {
  const { margins, header, footer } = sheet.page
  const extent = (headers: SheetHeaders | undefined, start: Pt, margin: Pt): Pt =>
    headers === undefined ? margin : headerExtent(context, headers, start, margin).margin
  const top = extent(header, margins.header, margins.top)
  const bottom = extent(footer, margins.footer, margins.bottom)
  return { ...sheet, page: { ...sheet.page, margins: { ...margins, top, bottom } } }
}

function planSheet(context: SheetContext, sheet: Sheet, planned: PlannedPage[]): void {
  const columns = columnAxis(sheet, context.digitWidth)
  const rows = rowAxis(context, sheet, columns)
  const grid = createGrid(context, sheet, rows, columns)
  const merges = createMerges(sheet, context.budget)
  const drawings = anchorDrawings(sheet, rows, columns)
  const sparklines = createSparklines(context, sheet, merges)
  const objects = [...drawings, ...(sparklines?.areas ?? [])]
  const used = usedArea(context, grid, objects)
  if (used === undefined) return
  const overflow = findOverflow(context, grid, merges, used)
  const conditions = createConditions(context, sheet, grid)
  const plan: SheetPlan = { sheet, grid, merges, overflow, drawings, conditions, sparklines }
  const { page } = sheet
  const areas = page.areas.length > 0 ? page.areas : [extended(used, overflow)]
  let number = page.firstPage ?? (planned.at(-1)?.number ?? 0) + 1
  for (const area of areas) {
    const within = clipped(area, extended(used, overflow), page)
    if (within === undefined) continue
    const headings = headingSize(context, page)
    const division = divide({
      area: within,
      rows,
      columns,
      page,
      width: availableOn(page, 1).width,
      height: (factor) => availableOn(page, factor).height,
      headings,
      check: context.budget.check,
    })
    const numbers = pagesWithContent(context, { ...plan, drawings: objects }, division)
    const table: PrintedTable = { sheet, cells: new Map() }
    for (const cells of pagesOf(division, page, numbers)) {
      if (planned.length >= context.budget.pages) {
        throw new AppError('layout.too-many-pages', { pages: context.budget.pages })
      }
      planned.push({ plan, cells, factor: division.factor, number: number++, table })
    }
  }
}

/** Extends an area by the columns that text at its right edge overflows into. */
function extended(area: CellArea, overflow: ReadonlyMap<number, readonly Overflow[]>): CellArea {
  let { right } = area
  for (const list of overflow.values()) for (const { to } of list) right = Math.max(right, to)
  return { ...area, right }
}

/** Limits a print area of entire rows or columns to the used area of the sheet. */
function clipped(area: CellArea, used: CellArea, { areas }: SheetPage): CellArea | undefined {
  if (areas.length === 0) return area
  const bottom = area.bottom >= 1_048_575 ? Math.min(area.bottom, used.bottom) : area.bottom
  const right = area.right >= 16_383 ? Math.min(area.right, used.right) : area.right
  return bottom < area.top || right < area.left ? undefined : { ...area, bottom, right }
}

/** The width and height available for cells at a scale. */
function availableOn(page: SheetPage, factor: number): { width: Pt; height: Pt } {
  const { width, height, margins } = page
  const { top, bottom } = bodyMargins(page, factor)
  return {
    // Rounding the margins separately ensures that columns of whole twips fill a page that their declared widths fill.
    width: Math.max(10, twips(width) - twips(margins.left) - twips(margins.right)),
    height: Math.max(10, height - top - bottom),
  }
}

/** The margins above and below the cells. Headers and footers are scaled with them (observed in LibreOffice). */
function bodyMargins(
  { margins, header, footer }: SheetPage,
  factor: number,
): { readonly top: Pt; readonly bottom: Pt } {
  const scaled = (start: Pt, end: Pt): Pt => start + (end - start) * factor
  return {
    top: header === undefined ? margins.top : scaled(margins.header, margins.top),
    bottom: footer === undefined ? margins.bottom : scaled(margins.footer, margins.bottom),
  }
}

/** The size of the row and column headings (observed in LibreOffice). */
function headingSize({ workbook, text }: SheetContext, { headings }: SheetPage): { width: Pt; height: Pt } {
  if (!headings) return { width: 0, height: 0 }
  const { ascent, descent } = text.extent(workbook.defaultFont)
  return { width: text.width('00000', workbook.defaultFont) + 2, height: ascent + descent + 1 }
}

/** Draws one page: the blocks of repeated titles, then the body, and the header and footer. */
function drawPage(
  context: SheetContext,
  { plan, cells, factor, number, table }: PlannedPage,
  pages: number,
  owners: CellOwners | undefined,
): Page {
  const { page } = plan.sheet
  if (owners !== undefined) {
    if (owners.tables.at(-1) !== table) owners.tables.push(table)
    noteDrawings(owners, plan)
  }
  const block = (rows: Span, columns: Span): Block => {
    const isRepeated = rows !== cells.rows || columns !== cells.columns
    const assign = owners && assignCells(owners, table, { isRepeated })
    return drawBlock({
      context,
      ...plan,
      rows,
      columns,
      gridLines: page.gridLines,
      factor,
      ...(assign !== undefined && { assign }),
    })
  }
  const rowSpans = [...(cells.repeatedRows === undefined ? [] : [cells.repeatedRows]), cells.rows]
  const columnSpans = [...(cells.repeatedColumns === undefined ? [] : [cells.repeatedColumns]), cells.columns]
  const heading = headingSize(context, page)
  const items: Placed[] = []
  let y = heading.height
  let x = 0
  for (const rows of rowSpans) {
    x = heading.width
    let height = 0
    for (const columns of columnSpans) {
      const { items: blockItems, width, height: tall } = block(rows, columns)
      const frame: Frame = { width, height: tall, items: blockItems }
      items.push({ x, y, item: { kind: 'group', clip: true, clipPath: clipOf(frame), frame } })
      x += width
      height = tall
    }
    y += height
  }
  if (page.headings) pushAll(items, drawHeadings(context, plan.grid, rowSpans, columnSpans, heading))
  const available = availableOn(page, factor)
  const body = {
    x: page.margins.left + (page.centerAcross ? Math.max(0, (available.width - x * factor) / 2) : 0),
    y:
      bodyMargins(page, factor).top +
      (page.centerDown ? Math.max(0, (available.height - y * factor) / 2) : 0),
  }
  const group: Placed = {
    ...body,
    item: {
      kind: 'group',
      clip: false,
      frame: { width: x, height: y, items },
      ...(factor !== 1 && { transform: [factor, 0, 0, factor, 0, 0] as const }),
    },
  }
  const frame: Frame = {
    width: page.width,
    height: page.height,
    items: [group, ...drawHeaders(context, plan.sheet, { number, pages, factor }, available.width)],
  }
  return { frame }
}

/** Lists the drawings of a sheet, which its section holds after its tables. */
function noteDrawings({ drawn }: CellOwners, { sheet, drawings }: SheetPlan): void {
  if (drawn.has(sheet)) return
  drawn.set(sheet, new Set(drawings.flatMap(({ drawing: { drawing } }) => drawing ?? [])))
}

/** The outer half of a border at the edge of a block is outside of the block, so the clipping area is this much larger. */
const bleed: Pt = 1.5
const clipOf = ({ width, height }: Frame): readonly PathCommand[] => [
  ['R', -bleed, -bleed, width + 2 * bleed, height + 2 * bleed],
]

function drawHeaders(
  context: SheetContext,
  { name, page }: Sheet,
  { number, pages, factor }: { readonly number: number; readonly pages: number; readonly factor: number },
  width: Pt,
): Placed[] {
  const items: Placed[] = []
  const { margins } = page
  for (const [headers, isFooter] of [
    [page.header, false],
    [page.footer, true],
  ] as const) {
    if (headers === undefined) continue
    const isFirst = number === (page.firstPage ?? 1)
    const header =
      isFirst && headers.first ? headers.first : number % 2 === 0 && headers.even ? headers.even : headers.all
    const [start, margin] = isFooter ? [margins.footer, margins.bottom] : [margins.header, margins.top]
    const size = { width: width / factor, height: headerExtent(context, headers, start, margin).height }
    const drawn = drawHeader(context, header, size, { page: number, pages, sheet: name })
    const y = isFooter ? page.height - start - size.height * factor : start
    const frame: Frame = { ...size, items: drawn }
    const transform = factor === 1 ? {} : { transform: [factor, 0, 0, factor, 0, 0] as const }
    if (drawn.length > 0)
      items.push({ x: margins.left, y, item: { kind: 'group', clip: false, frame, ...transform } })
  }
  return items
}

/** Draws the row numbers and column letters in grey boxes. */
function drawHeadings(
  { workbook: { defaultFont }, text, budget, spend }: SheetContext,
  { rows, columns }: Grid,
  rowSpans: readonly Span[],
  columnSpans: readonly Span[],
  { width, height }: { readonly width: Pt; readonly height: Pt },
): Placed[] {
  const items: Placed[] = []
  const box = (x: Pt, y: Pt, w: Pt, h: Pt, label: string): void => {
    budget.check()
    if (w === 0 || h === 0) return
    spend(1)
    items.push(filledBox(x, y, w, h, 0xe0e0e0))
    for (const [dx, dy, ox, oy] of [
      [w, 0, 0, 0],
      [0, h, 0, 0],
      [w, 0, 0, h],
      [0, h, w, 0],
    ] as const)
      items.push(straightLine(x + ox, y + oy, dx, dy, { colour: 0x808080, width: 0.25 }))
    const [line] = text.lines([{ text: label, font: defaultFont }], undefined)
    if (line === undefined) return
    const top = (h - line.ascent - line.descent) / 2
    pushAll(items, drawLine(line, x + (w - line.width) / 2, y + top + line.ascent))
  }
  box(0, 0, width, height, '')
  let x = width
  for (const [first, last] of columnSpans)
    for (let column = first; column <= last; column++) {
      box(x, 0, columns.size(column), height, columnName(column + 1))
      x += columns.size(column)
    }
  let y = height
  for (const [first, last] of rowSpans)
    for (let row = first; row <= last; row++) {
      box(0, y, width, rows.size(row), String(row + 1))
      y += rows.size(row)
    }
  return items
}
