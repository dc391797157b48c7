import { entryOf } from '../../../../../shared/entry-of.ts'
import { backdropItems } from '../drawing/background.ts'
import { filledBox, type Page, type Placed, type Pt } from '../frame.ts'
import { colourOf } from '../inline/text-style.ts'
import { withChangeBars } from './change-bars.ts'
import type { LaidHeaderFooter } from './header.ts'
import { blocksOf } from './open-page.ts'
import { footerTop, type OpenPage } from './page.ts'
import { pageBorders } from './page-borders.ts'
import type { ClosedPage, PageRun } from './page-run.ts'

/** Finishes the closed pages. This comes last, since headers may show the number of pages and their headings. */
export function finalize(run: PageRun): Page[] {
  run.context.values.pages = run.closed.length
  return run.closed.map((closed) => finishPage(run, closed))
}

/** Adds background, header, footer, borders and change bars to a page, and gives it its label. */
function finishPage(run: PageRun, closed: ClosedPage): Page {
  const { context } = run
  const { page, text } = closed
  const { section } = page
  const label = { style: entryOf(labelStyles, page.format) ?? 'decimal', number: Math.max(1, page.number) }
  if (closed.isBlank === true) {
    return { frame: { width: section.width, height: section.height, items: [] }, label, isBlank: true }
  }
  const edges = layHeaderAndFooter(run, closed)
  const items = [
    ...backgroundOf(run, page),
    ...edges.behind,
    ...page.behind,
    ...edges.items,
    ...text,
    ...edges.front,
    ...page.front,
    ...pageBorders(page, context.document.settings, edges.present),
  ]
  return {
    frame: {
      width: section.width,
      height: section.height,
      items: withChangeBars(items, page.geometry.marginLeft),
    },
    label,
  }
}

/** The items of the header and footer of one page, in page coordinates. */
interface HeaderAndFooter {
  readonly behind: Placed[]
  readonly items: Placed[]
  readonly front: Placed[]
  /** Whether the page has blocks for a header and for a footer. */
  readonly present: { readonly header: boolean; readonly footer: boolean }
}

/** Lays out the header and footer of a page; their fields show the values of this page. */
function layHeaderAndFooter(run: PageRun, { page, headings }: ClosedPage): HeaderAndFooter {
  const { context, headersAndFooters, chapters } = run
  const { values } = context
  const { section, geometry } = page
  const { margins, headerBoxes: boxes } = section
  values.page = page.number
  values.pageFormat = page.format
  values.section = page.sectionIndex + 1
  values.sectionPages = run.pagesInSection[page.sectionIndex] ?? 0
  const header = blocksOf(run, page, 'headers')
  const footer = blocksOf(run, page, 'footers')
  const present = { header: header.length > 0, footer: footer.length > 0 }
  const laid: HeaderAndFooter = { behind: [], items: [], front: [], present }
  values.chapter = (level) => chapters.of(headings, 'header', level)
  const { header: top } = margins
  addEdge(laid, page, headersAndFooters.lay(header, geometry, top, boxes?.header), top)
  context.record.headersAndFooters.add(header).add(footer)
  values.chapter = (level) => chapters.of(headings, 'footer', level)
  const measured = headersAndFooters.lay(footer, geometry, 0, boxes?.footer)
  if (measured !== undefined) {
    const y = footerTop(section, geometry.marginBottom, measured.height)
    addEdge(laid, page, headersAndFooters.lay(footer, geometry, y, boxes?.footer), y)
  }
  values.chapter = undefined
  return laid
}

/** Adds a header or footer with its top at `y`. */
function addEdge(
  to: HeaderAndFooter,
  { geometry }: OpenPage,
  laid: LaidHeaderFooter | undefined,
  y: Pt,
): void {
  if (laid === undefined) return
  const addItems = (list: readonly Placed[], into: Placed[]): void => {
    for (const item of list) into.push({ x: geometry.marginLeft + item.x, y: y + item.y, item: item.item })
  }
  addItems(laid.filled.behind, to.behind)
  addItems(laid.filled.items, to.items)
  addItems(laid.filled.front, to.front)
}

/** The page label styles of PDF for the number formats of documents. */
const labelStyles: Readonly<Record<string, NonNullable<Page['label']>['style']>> = {
  decimal: 'decimal',
  lowerRoman: 'roman',
  upperRoman: 'ROMAN',
  lowerLetter: 'alpha',
  upperLetter: 'ALPHA',
}

/** The background colour and picture of a page. */
function backgroundOf({ context }: PageRun, { section }: OpenPage): Placed[] {
  const { width, height, backdrop, backdropInsets: inside } = section
  const { left = 0, top = 0, right = 0, bottom = 0 } = inside ?? {}
  const box = { x: left, y: top, width: width - left - right, height: height - top - bottom }
  const color = section.background ?? context.document.settings.background
  return [
    ...(color === undefined ? [] : [filledBox(0, 0, width, height, colourOf(color))]),
    ...(backdrop === undefined ? [] : backdropItems(context, backdrop, box)),
  ]
}
