import { word } from '../../compat/word.ts'
import { numberNotes } from './notes.ts'
import { type OpenPage, textWidth } from './page.ts'
import { footnotesAt, type PageRun } from './page-run.ts'

/** Ends the open page, if there is one: places its footnotes and numbers its lines and notes. */
export function closePage(run: PageRun): void {
  const { page, context } = run
  if (page === undefined) return
  run.page = undefined
  placeNotes(run, page)
  numberNotes(page.notes, context.labels.perPage, run.noteNumbers)
  const text = run.lines.number(page.items)
  run.closed.push({ page, text, headings: run.chapters.add(page.items, context.outline) })
}

/**
 * Applies the vertical alignment of a section (centre or bottom) to its last page. Drawings beside the text keep their
 * position. Vertically justified text of the last page begins at the top.
 */
export function alignPage(run: PageRun): void {
  const { page } = run
  if (page === undefined || !word.sectionsAlignText) return
  const { verticalAlign } = page.section
  if (verticalAlign !== 'center' && verticalAlign !== 'bottom') return
  const area = page.bodyBottom - page.bodyTop
  const notes = footnotesAt(run, textWidth(page)).height(page.notes, run.continuedNotes, area)
  const free = page.bodyBottom - notes - page.textEnd
  const down = verticalAlign === 'center' ? free / 2 : free
  if (down <= 0) return
  page.items.forEach((item, index) => {
    page.items[index] = { ...item, y: item.y + down }
  })
  page.textEnd += down
}

/** Places the footnotes at the bottom of the page and keeps what does not fit for the next one. */
function placeNotes(run: PageRun, page: OpenPage): void {
  if (page.notes.length === 0 && run.continuedNotes.length === 0) return
  const notes = footnotesAt(run, textWidth(page))
  const height = notes.height(page.notes, run.continuedNotes, page.bodyBottom - page.bodyTop)
  if (height === 0) return
  // A note that is split begins directly below the text.
  const top = Math.max(page.textEnd, page.bodyBottom - height)
  const { geometry, bodyBottom: bottom } = page
  const box = { left: geometry.marginLeft, top, bottom, geometry }
  run.continuedNotes = notes.place(page.notes, run.continuedNotes, box, page.items)
}
