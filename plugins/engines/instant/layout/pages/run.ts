/**
 * Turns sections into pages. The text of each section is filled into the columns of as many pages as it needs;
 * headers, footers and footnotes are added around it. The phases of one layout pass, in order:
 *
 *   open-page.ts      set-up of a page: geometry, height of its header and footer, what floats on it
 *   fill-section.ts   the text of one section, page after page
 *   columns.ts        the columns of one page
 *   close-page.ts     the footnotes of a page, numbers of its lines and notes
 *   endnotes.ts       the endnotes, on pages of their own
 *   finalize.ts       headers and footers, once the number of pages is known
 *
 * Every iteration places something, drops a block that fits no page, or ends with an error, so the loops end.
 */

import type { Section } from '../../../../../shared/document/section.ts'
import { maxOf } from '../../../../../shared/extremes.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import type { LayoutContext } from '../context.ts'
import type { Page } from '../frame.ts'
import { alignPage, closePage } from './close-page.ts'
import { placeEndnotes } from './endnotes.ts'
import { fillSection } from './fill-section.ts'
import { finalize } from './finalize.ts'
import { openPage } from './open-page.ts'
import { type PageRun, startRun } from './page-run.ts'

/** The result of one layout pass. */
export interface LaidPages {
  readonly pages: readonly Page[]
  /** The numbers of footnotes that restart on each page; the next layout pass shows them in the text. */
  readonly noteNumbers: ReadonlyMap<string, string>
}

/** Lays out all sections. Throws AppError 'layout.too-many-pages', or what the budget throws. */
export function layOutPages(context: LayoutContext): LaidPages {
  const run = startRun(context)
  run.sections.forEach((section, index) => {
    startSection(run, section, index)
    fillSection(run, section, index)
  })
  if (run.endnotes.length > 0) placeEndnotes(run)
  addSheets(run)
  alignPage(run)
  closePage(run)
  finishNotes(run)
  return { pages: finalize(run), noteNumbers: run.noteNumbers }
}

/** Continues on the open page for a continuous section of the same paper size, else opens a page. */
function startSection(run: PageRun, { properties }: Section, index: number): void {
  const { start, pageNumber, width, height } = properties
  const { page } = run
  const isSameSheet = page !== undefined && page.section.width === width && page.section.height === height
  if (start === 'continuous' && isSameSheet) return
  alignPage(run)
  closePage(run)
  openPage(run, index, { isFirst: true, number: pageNumber.start })
}

/** Adds the pages that the drawings anchored to pages by their number need. */
function addSheets(run: PageRun): void {
  const { document, budget, warn } = run.context
  const sheets = (document.onSheets ?? []).map(({ anchor }) => anchor?.sheet ?? 0)
  const last = Math.max(0, maxOf(sheets.filter((sheet) => sheet <= budget.pages)))
  if (sheets.some((sheet) => sheet > budget.pages))
    warn({ code: 'layout.block-dropped', message: 'Content that does not fit on any page was omitted.' })
  while (libreOffice.drawingsAddPages && run.closed.length + 1 < last) {
    budget.check()
    closePage(run)
    openPage(run, run.sections.length - 1, { isFirst: false })
  }
}

/** Gives footnotes that are still unfinished after the last page further pages. */
function finishNotes(run: PageRun): void {
  while (run.continuedNotes.length > 0) {
    const before = run.continuedNotes
    openPage(run, run.sections.length - 1, { isFirst: false })
    closePage(run)
    // A note without height is never placed, so stop when nothing changed.
    if (run.continuedNotes === before) break
  }
}
