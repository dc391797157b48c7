import type { PageSequence, Section, SectionProperties } from '../../../../../shared/document/section.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import type { Exclusion } from '../flow/exclusion.ts'
import { innerRequest, placeOnPage } from '../flow/floats.ts'
import type { Placed, Pt } from '../frame.ts'
import { variantOf } from './header.ts'
import { footerTop, geometryOf, type OpenPage, textWidth } from './page.ts'
import type { ClosedPage, PageRun } from './page-run.ts'

/** The page to open. */
export interface OpenRequest {
  /** The page begins its section. */
  readonly isFirst: boolean
  /** Replaces the section as the source of the page set-up: a page of endnotes. */
  readonly replacement?: Section
  /** The page number at which the count restarts; absent: the count continues. */
  readonly number?: number | undefined
}

/**
 * Opens a page of the section with this index, after a blank one when it would be on the wrong side of the sheet. The
 * page before it must be closed. Throws AppError 'layout.too-many-pages'.
 */
export function openPage(run: PageRun, index: number, request: OpenRequest): OpenPage {
  const { isFirst, replacement } = request
  const { context, sections } = run
  const { settings } = context.document
  const { properties, pages } = sections[index]!
  run.pageInStyle = isFirst ? 0 : run.pageInStyle + 1
  run.pagesInSection[index] = (run.pagesInSection[index] ?? 0) + 1
  const setUp = replacement ?? setUpOf(pages, run.pageInStyle)
  const section = setUp?.properties ?? (isFirst ? properties : (properties.following ?? properties))
  run.number = nextNumber(run, section, request)
  if (run.closed.length >= context.budget.pages)
    throw new AppError('layout.too-many-pages', { pages: context.budget.pages })
  const { values } = context
  values.page = run.number
  values.pageFormat = section.pageNumber.format
  values.section = index + 1
  const page = emptyPage(run, {
    section,
    sectionIndex: index,
    number: run.number,
    format: section.pageNumber.format,
    firstOfSection: isFirst,
    isEven: settings.evenAndOddHeaders && run.number % 2 === 0,
    replacement: setUp,
  })
  run.page = page
  placeDrawings(run, page)
  return page
}

/** The number of the next page, which a blank page precedes where it must be on the other side of the sheet. */
function nextNumber(run: PageRun, section: SectionProperties, { isFirst, number }: OpenRequest): number {
  const { closed, context } = run
  const bySheet = word.sidesFollowSheets(context.document.settings)
  const next = number ?? run.number + 1
  const requiredParity =
    bySheet && number !== undefined ? parityOf(number) : requiredParityOf(section, isFirst)
  // The first page is on the side that its number selects.
  const sheet = (closed[0]?.page.number ?? next) + closed.length
  if (requiredParity === undefined || requiredParity === parityOf(bySheet ? sheet : next)) return next
  if (closed.length > 0) closed.push(blankPage(run, bySheet ? run.number + 1 : next))
  return bySheet && number !== undefined ? number : next + 1
}

/** Whether a page has an odd or an even number. */
type Parity = 'odd' | 'even'
const parityOf = (number: number): Parity => (number % 2 === 0 ? 'even' : 'odd')

/** The parity that a page style requires of all its pages, or that a section requires of its first page. */
function requiredParityOf({ start, side }: SectionProperties, isFirst: boolean): Parity | undefined {
  if (isFirst && (start === 'odd-page' || start === 'even-page')) return start === 'odd-page' ? 'odd' : 'even'
  return side === undefined ? undefined : side === 'right' ? 'odd' : 'even'
}

/** An empty page of the same size as the previous one. */
function blankPage(run: PageRun, number: number): ClosedPage {
  const { page } = run.closed.at(-1)!
  const noContent = { behind: [], items: [], front: [], exclusions: [], notes: [] }
  return {
    page: { ...page, ...noContent, number },
    text: [],
    headings: run.chapters.add([], run.context.outline),
    isBlank: true,
  }
}

/** The properties of a page before its content is known. */
type PageSetUp = Pick<
  OpenPage,
  'section' | 'sectionIndex' | 'number' | 'format' | 'firstOfSection' | 'isEven' | 'replacement'
>

/** The page before any text is placed, with the height that its header and footer leave between the margins. */
function emptyPage(run: PageRun, setUp: PageSetUp): OpenPage {
  const { section } = setUp
  const { margins, headerBoxes: boxes } = section
  const geometry = geometryOf(section, setUp.number, run.context.document.settings.mirrorMargins)
  const headerBlocks = blocksOf(run, setUp, 'headers')
  const footerBlocks = blocksOf(run, setUp, 'footers')
  const header = run.headersAndFooters.lay(headerBlocks, geometry, margins.header, boxes?.header)
  const footer = run.headersAndFooters.lay(footerBlocks, geometry, 0, boxes?.footer)
  const top =
    margins.top < 0 || header === undefined
      ? geometry.marginTop
      : Math.max(geometry.marginTop, margins.header + header.height + (margins.headerGap ?? 0))
  const bottomSpace =
    margins.bottom < 0 || footer === undefined
      ? geometry.marginBottom
      : Math.max(geometry.marginBottom, margins.footer + footer.height + (margins.footerGap ?? 0))
  const bodyTop = Math.min(top, section.height - minBodyHeight)
  // The text of the page avoids the floats of its header and footer.
  const exclusions: Exclusion[] = [...(header?.exclusions ?? [])]
  if (footer !== undefined && footer.exclusions.length > 0) {
    const y = footerTop(section, bottomSpace, footer.height)
    const laid = run.headersAndFooters.lay(footerBlocks, geometry, y, boxes?.footer)
    pushAll(exclusions, laid?.exclusions ?? [])
  }
  const hasNotes = run.context.document.notes.size > 0
  const spare = gridSpare(section, section.height - bottomSpace - bodyTop, hasNotes)
  return {
    ...setUp,
    geometry: { ...geometry, marginTop: bodyTop, marginBottom: bottomSpace },
    bodyTop: bodyTop + spare,
    bodyBottom: Math.max(bodyTop + minBodyHeight / 2, section.height - bottomSpace) - spare,
    behind: [],
    items: [],
    front: [],
    exclusions,
    notes: [],
    y: bodyTop + spare,
    after: 0,
    textEnd: bodyTop + spare,
  }
}

/** The blocks of the header or footer of a page. */
export function blocksOf(
  { sections }: PageRun,
  page: Pick<OpenPage, 'sectionIndex' | 'firstOfSection' | 'isEven' | 'replacement'>,
  kind: 'headers' | 'footers',
): ReturnType<typeof variantOf> {
  const variant = { first: page.firstOfSection, even: page.isEven }
  return page.replacement === undefined
    ? variantOf(sections, page.sectionIndex, kind, variant)
    : variantOf([page.replacement], 0, kind, variant)
}

/**
 * The minimum height of the text area in points. A tall header leaves this much above the bottom of the page; a tall footer
 * leaves half of it to the text.
 */
const minBodyHeight = 36

/** Places the drawings that are anchored to this page by its number. */
function placeDrawings({ context, closed }: PageRun, page: OpenPage): void {
  const sheet = closed.length + 1
  const drawings = context.document.onSheets?.filter(({ anchor }) => anchor?.sheet === sheet) ?? []
  if (drawings.length === 0) return
  const { geometry } = page
  const origin = { x: geometry.marginLeft, y: page.bodyTop }
  const [behind, front]: [Placed[], Placed[]] = [[], []]
  const request = { ...innerRequest(geometry, origin), exclusions: page.exclusions }
  placeOnPage(context, drawings, { width: textWidth(page), request, behind, front })
  const move = (list: readonly Placed[], into: Placed[]): void => {
    for (const item of list) into.push({ ...item, x: origin.x + item.x, y: origin.y + item.y })
  }
  move(behind, page.behind)
  move(front, page.front)
}

/**
 * The page set-up of page `index` of a page style; undefined for that of the section. After the last set-up the
 * sequence repeats from `repeatFrom`.
 */
function setUpOf(pages: PageSequence | undefined, index: number): Section | undefined {
  if (pages === undefined || index === 0) return undefined
  const { sets, repeatFrom } = pages
  return sets[index < sets.length ? index : repeatFrom + ((index - repeatFrom) % (sets.length - repeatFrom))]
}

/** The space above the lines of a document grid; 0 when there is none or not even one line fits. */
function gridSpare({ grid }: SectionProperties, height: Pt, hasNotes: boolean): Pt {
  if (grid === undefined || grid.linePitch <= 0 || height < grid.linePitch) return 0
  return libreOffice.spaceAboveGrid(height, grid.linePitch, hasNotes)
}
