import type { CellArea, SheetPage } from '../../../../../shared/document/sheet.ts'
import type { Pt } from '../frame.ts'
import type { Axis } from './grid.ts'

/** A range of rows or columns on one page, both ends included. */
export type Span = readonly [first: number, last: number]

/** The cells of one page. */
export interface PageCells {
  readonly rows: Span
  readonly columns: Span
  /** The titles that are repeated before them. */
  readonly repeatedRows?: Span
  readonly repeatedColumns?: Span
}

/** The pages of one area of a sheet, including empty ones. */
export interface Division {
  readonly rows: readonly Span[]
  readonly columns: readonly Span[]
  readonly factor: number
}

interface DivideRequest {
  readonly area: CellArea
  readonly rows: Axis
  readonly columns: Axis
  readonly page: SheetPage
  /**
   * The width and height available for cells on the paper, in pt. At a smaller scale, headers and footers leave more height.
   */
  readonly width: Pt
  readonly height: (factor: number) => Pt
  /** How wide and tall the headings of rows and columns are, pt. */
  readonly headings: { readonly width: Pt; readonly height: Pt }
  /** Called often; throws when the deadline has passed. */
  readonly check: () => void
}

/**
 * The smallest percentages that are tried when fitting to pages. LibreOffice halves the scale until the pages fit and takes 6 %
 * where 12 % is too large, without trying those between (observed in LibreOffice).
 */
const smallest = { tried: 12, last: 6 }

/** Divides an area into pages and finds the scale at which it fits. */
export function divide(request: DivideRequest): Division {
  const { scale } = request.page
  if ('factor' in scale) return divideAt(request, scale.factor, true, true)
  const { pagesWide, pagesTall, pagesAll } = { pagesWide: 0, pagesTall: 0, pagesAll: 0, ...scale }
  if (pagesWide === 0 && pagesTall === 0 && pagesAll === 0) return divideAt(request, 1, true, true)
  const at = (percent: number): Division => divideAt(request, percent / 100, pagesTall === 0, pagesWide === 0)
  const fits = ({ rows, columns }: Division): boolean =>
    (pagesWide === 0 || columns.length <= pagesWide) &&
    (pagesTall === 0 || rows.length <= pagesTall) &&
    (pagesAll === 0 || rows.length * columns.length <= pagesAll)
  const unscaled = at(100)
  if (fits(unscaled)) return unscaled
  if (!fits(at(smallest.tried))) return at(smallest.last)
  // Bisection finds the largest percentage that fits, since a smaller scale never needs more pages.
  let [low, high] = [smallest.tried, 100]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (fits(at(middle))) low = middle
    else high = middle
  }
  const largest = at(low)
  if (pagesTall !== 0 || largest.rows.length < 2) return largest
  // Prefer a slightly smaller scale if it saves a page (observed in LibreOffice).
  const smaller = at(Math.floor(low * 0.98))
  return smaller.rows.length < largest.rows.length ? smaller : largest
}

/**
 * Divides an area at one scale. Manual breaks are ignored in a direction that is fitted to pages (observed in LibreOffice).
 */
function divideAt(
  { area, rows, columns, page, width, height, headings, check }: DivideRequest,
  factor: number,
  rowBreaks: boolean,
  columnBreaks: boolean,
): Division {
  return {
    factor,
    rows: spansOf(rows, [area.top, area.bottom], {
      available: height(factor) / factor - headings.height,
      breaks: rowBreaks ? page.rowBreaks : [],
      repeated: page.repeatRows,
      check,
    }),
    columns: spansOf(columns, [area.left, area.right], {
      available: width / factor - headings.width,
      breaks: columnBreaks ? page.columnBreaks : [],
      repeated: page.repeatColumns,
      check,
    }),
  }
}

interface SpanRequest {
  readonly available: Pt
  readonly breaks: readonly number[]
  readonly repeated: Span | undefined
  readonly check: () => void
}

/** Visiting a row or column takes nanoseconds, so the deadline is checked only once in this many. */
const rowsBetweenChecks = 256

/** Sums of sizes are compared with this tolerance, pt. */
const tolerance = 0.05

/** Divides rows or columns at full pages and at manual breaks. Each page has at least one row and column. */
function spansOf(
  axis: Axis,
  [first, last]: Span,
  { available, breaks, repeated, check }: SpanRequest,
): Span[] {
  const spans: Span[] = []
  const manual = new Set(breaks)
  const titles = repeated === undefined ? 0 : axis.between(repeated[0], repeated[1] + 1)
  let start = first
  let used = 0
  for (let index = first; index <= last; index++) {
    if (index % rowsBetweenChecks === 0) check()
    const size = axis.size(index)
    // Repeated titles occupy space only on pages after the one that contains them.
    const isAfterTitles = repeated !== undefined && start > repeated[1]
    const limit = available - (isAfterTitles ? titles : 0)
    if (index > start && (manual.has(index) || (used + size > limit + tolerance && used > 0))) {
      spans.push([start, index - 1])
      start = index
      used = 0
    }
    used += size
  }
  if (last >= first) spans.push([start, last])
  return spans
}

/** The pages of a division with these numbers (`pagesWithContent`), in the order in which they are printed. */
export function pagesOf(
  { rows, columns }: Division,
  page: SheetPage,
  numbers: ReadonlySet<number>,
): PageCells[] {
  const across = (number: number): number => number % columns.length
  const down = (number: number): number => Math.floor(number / columns.length)
  const sorted = [...numbers].sort((a, b) => (page.order === 'down' ? across(a) - across(b) || a - b : a - b))
  const { repeatRows, repeatColumns } = page
  return sorted.flatMap((number) => {
    const [rowSpan, columnSpan] = [rows[down(number)], columns[across(number)]]
    if (rowSpan === undefined || columnSpan === undefined) return []
    return {
      rows: rowSpan,
      columns: columnSpan,
      ...(repeatRows !== undefined && rowSpan[0] > repeatRows[1] && { repeatedRows: repeatRows }),
      ...(repeatColumns !== undefined &&
        columnSpan[0] > repeatColumns[1] && { repeatedColumns: repeatColumns }),
    }
  })
}
