/** Positions in a stack of pages or columns, and the state of a pagination. All functions take and return pt. */
import { AppError } from '../../../../../shared/errors/app-error.ts'
import type { LayoutBudget } from '../context.ts'
import type { Pt } from '../frame.ts'
import type { BreakRule, Fragment } from './fragment.ts'

/** A fragment with its position in the stack of pages. */
export interface PagedFragment {
  readonly fragment: Fragment
  readonly x: Pt
  readonly top: Pt
  bottom: Pt
  readonly children: readonly PagedFragment[]
  /** The positions of copies of `repeatedFooter`. */
  readonly footers?: readonly Pt[]
  /** The columns that stand in the place of the children. */
  readonly columns?: PagedColumns
}

/** The content of a multi-column box in a stack of columns, which are paginated like pages. */
export interface PagedColumns {
  readonly content: PagedFragment
  readonly stack: ColumnStack
  /** For each column, its top left corner in the stack of pages. */
  readonly places: readonly { readonly x: Pt; readonly y: Pt }[]
}

/** A stack of columns. Column `n` begins at `n * pitch` and is `heights[n]` high; the last height holds for all that follow. */
export interface ColumnStack {
  readonly pitch: Pt
  readonly heights: readonly Pt[]
  /** How many of the last heights alternate for all that follow; absent: 1. */
  readonly period?: number
}

/** Sums of rounded lengths may exceed the page height by this much. */
export const tolerance = 0.01

export type WholeColumns = Pick<PagedColumns, 'content' | 'stack'>

export interface Pager {
  readonly height: Pt
  /** Set if the pages are columns, or have different heights: they may be less high than their distance `height`. */
  readonly stack?: ColumnStack
  /** Whether the pages are columns. */
  readonly inColumns: boolean
  readonly budget: LayoutBudget
  /** The height of the repeated table headers on each page. */
  reserved: Pt
  /** The height of the repeated table footers on each page. */
  reservedBelow: Pt
  readonly unbreakableStarts: WeakMap<Fragment, Pt>
  /** The columns that stand on one page, without their places, which alone depend on where they stand. */
  readonly wholeColumns: WeakMap<Fragment, WholeColumns>
}

export const pageAt = (y: Pt, height: Pt): number => Math.floor((y + tolerance) / height)

/** The start of the next page or column. Throws AppError 'layout.too-many-pages'. */
export function startOfNext(pager: Pager, y: Pt): Pt {
  const page = pageAt(y, pager.height) + 1
  if (page >= pager.budget.pages) throw new AppError('layout.too-many-pages', { pages: pager.budget.pages })
  return page * pager.height + pager.reserved
}
export const isAtStart = (pager: Pager, y: Pt): boolean =>
  y - pageAt(y, pager.height) * pager.height <= pager.reserved + tolerance
export const fits = (pager: Pager, y: Pt, size: Pt): boolean => y + size <= endOfPage(pager, y) + tolerance

/** The lower edge of the page or column at `y`, above the repeated table footers. */
export function endOfPage({ height, stack, reservedBelow }: Pager, y: Pt): Pt {
  const page = pageAt(y, height)
  return page * height + (stack === undefined ? height : columnHeight(stack, page)) - reservedBelow
}

export function columnHeight({ heights, pitch, period = 1 }: ColumnStack, column: number): Pt {
  const beyond = column - heights.length
  return heights[beyond < 0 ? column : heights.length - period + (beyond % period)] ?? pitch
}

export const isForcedBreak = (pager: Pager, rule: BreakRule | undefined): boolean =>
  rule === 'page' || (rule === 'column' && pager.inColumns)
