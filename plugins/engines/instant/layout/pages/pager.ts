/**
 * Turns sections into pages. The text of each section is filled into the columns of as many pages as it
 * needs; headers, footers and footnotes are added around it. Every iteration places something, drops a block
 * that fits no page, or ends with an error, so the loops end.
 */
import type { Block } from '../../../../../shared/document/document.ts'
import type {
  BandBox,
  PageTurns,
  Section,
  SectionProperties,
} from '../../../../../shared/document/section.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import type { LayoutContext } from '../context.ts'
import { backdropItems } from '../drawing/ground.ts'
import { sharedSpace, spaceAtTop } from '../flow/fill.ts'
import { innerRequest, placeOnSheet } from '../flow/floats.ts'
import { breakLines } from '../flow/paragraph.ts'
import {
  type Filled,
  type FillRequest,
  type Flow,
  flowStart,
  insetWidth,
  type Position,
  type Prepared,
  widthOf,
} from '../flow/types.ts'
import { filledBox, type Page, type Placed, type Pt } from '../frame.ts'
import { colourOf } from '../inline/look.ts'
import { withChangeBars } from './change-bars.ts'
import { Chapters } from './chapters.ts'
import { type LaidBand, layBand, variantOf } from './header.ts'
import { LineCounter } from './line-numbers.ts'
import { Footnotes, isFootnote, type NoteRest, numberNotes } from './notes.ts'
import { columnsOf, geometryOf, type OpenPage } from './page.ts'
import { pageBorders } from './page-borders.ts'

type Top = FillRequest['top']

/**
 * One layout pass over the sections. A page is open while text is filled into it; closing it places its
 * footnotes. Headers and footers are drawn last, since they may show the number of pages.
 */
export class Pager {
  readonly #context: LayoutContext
  readonly #sections: readonly Section[]
  /** One function for each closed page that adds its header and footer. They run when all pages are known. */
  readonly #finished: (() => Page)[] = []
  /** Keys of the endnotes that the text refers to, in order. */
  readonly #endnotes: string[] = []
  /** The footnotes by the width of the text area. */
  readonly #footnotes = new Map<Pt, Footnotes>()
  /** Headers and footers laid out before, by blocks and page geometry; see `#headerOrFooter`. */
  readonly #headersAndFooters = new Map<readonly Block[], Map<string, LaidBand>>()
  readonly #lines: LineCounter
  readonly #chapters = new Chapters()
  /** The numbers of footnotes that restart on each page; the next layout pass shows them in the text. */
  readonly noteMarks = new Map<string, string>()
  /** The page being filled. */
  #page: OpenPage | undefined
  /** The displayed number of the page opened last. */
  #number = 0
  /** How many pages of the current page style precede the open page. */
  #turn = 0
  /** Footnotes that continue on the next page. */
  #noteRest: NoteRest[] = []
  /** The number of pages of each section, by its index. */
  #pagesInSection: number[] = []

  constructor(context: LayoutContext) {
    this.#context = context
    this.#lines = new LineCounter(context)
    this.#sections = context.document.sections
  }

  /** Lays out all sections. Throws AppError 'layout.too-many-pages', or what the budget throws. */
  run(): Page[] {
    this.#sections.forEach((section, index) => {
      this.#startSection(section, index)
      this.#fillSection(section, index)
    })
    if (this.#endnotes.length > 0) this.#placeEndnotes()
    this.#fillUpSheets()
    this.#closePage()
    // Footnotes that are still unfinished after the last page get further pages.
    while (this.#noteRest.length > 0) {
      const before = this.#noteRest
      this.#openPage(this.#sections.length - 1, false)
      this.#closePage()
      // A note without height is never placed, so stop when nothing changed.
      if (this.#noteRest === before) break
    }
    // Headers come last, since only now the number of pages is known.
    this.#context.values.pages = this.#finished.length
    return this.#finished.map((finish) => finish())
  }

  /**
   * Continues on the open page for a continuous section of the same paper size, else opens a page of the
   * right parity.
   */
  #startSection(section: Section, index: number): void {
    const { properties } = section
    const { start, pageNumber } = properties
    const page = this.#page
    const sameSheet =
      page !== undefined &&
      page.section.width === properties.width &&
      page.section.height === properties.height
    if (page !== undefined && start === 'continuous' && sameSheet) return
    this.#closePage()
    if (pageNumber.start !== undefined) this.#number = pageNumber.start - 1
    const next = this.#number + 1
    if ((start === 'even-page' && next % 2 !== 0) || (start === 'odd-page' && next % 2 === 0)) this.#number++
    this.#openPage(index, true)
  }

  /**
   * Opens a page. `first` says that it begins its section, `apart` replaces the section as the source of its
   * set-up.
   */
  #openPage(index: number, first: boolean, apart?: Section): OpenPage {
    const { context } = { context: this.#context }
    if (this.#finished.length >= context.budget.pages) {
      throw new AppError('layout.too-many-pages', { pages: context.budget.pages })
    }
    this.#number++
    const { properties, pages } = this.#sections[index]!
    this.#turn = first ? 0 : this.#turn + 1
    const own = apart ?? turnOf(pages, this.#turn)
    const section = own?.properties ?? (first ? properties : (properties.following ?? properties))
    const geometry = geometryOf(section, this.#number, context.document.settings.mirrorMargins)
    const { values } = context
    values.page = this.#number
    values.pageFormat = section.pageNumber.format
    values.section = index + 1
    const even = context.document.settings.evenAndOddHeaders && this.#number % 2 === 0
    const blocks = { first, even }
    const [sections, at] = own === undefined ? [this.#sections, index] : [[own], 0]
    const heading = variantOf(sections, at, 'headers', blocks)
    const header = this.#headerOrFooter(heading, geometry, section.margins.header, section.bands?.header)
    const footing = variantOf(sections, at, 'footers', blocks)
    const footer = this.#headerOrFooter(footing, geometry, 0, section.bands?.footer)
    const { margins } = section
    const top =
      margins.top < 0 || header === undefined
        ? geometry.marginTop
        : Math.max(geometry.marginTop, margins.header + header.height + (margins.headerGap ?? 0))
    const bottomSpace =
      margins.bottom < 0 || footer === undefined
        ? geometry.marginBottom
        : Math.max(geometry.marginBottom, margins.footer + footer.height + (margins.footerGap ?? 0))
    const bodyTop = Math.min(top, section.height - 36)
    // The text of the page avoids what floats in its header and footer.
    const exclusions = [...(header?.exclusions ?? [])]
    if (footer !== undefined && footer.exclusions.length > 0) {
      const y = footerTop(section, bottomSpace, footer.height)
      exclusions.push(
        ...(this.#headerOrFooter(footing, geometry, y, section.bands?.footer)?.exclusions ?? []),
      )
    }
    const spare = gridSpare(section, section.height - bottomSpace - bodyTop)
    const page: OpenPage = {
      section,
      sectionIndex: index,
      number: this.#number,
      format: section.pageNumber.format,
      firstOfSection: first,
      own,
      geometry: { ...geometry, marginTop: bodyTop, marginBottom: bottomSpace },
      bodyTop: bodyTop + spare,
      bodyBottom: Math.max(bodyTop + 18, section.height - bottomSpace) - spare,
      behind: [],
      items: [],
      front: [],
      exclusions,
      notes: [],
      y: bodyTop + spare,
      after: 0,
      textEnd: bodyTop + spare,
    }
    this.#page = page
    this.#placeOnSheet(page)
    this.#pagesInSection[index] = (this.#pagesInSection[index] ?? 0) + 1
    return page
  }

  /** Places the drawings that are anchored to this page by its number. */
  #placeOnSheet(page: OpenPage): void {
    const sheet = this.#finished.length + 1
    const drawings = this.#context.document.onSheets?.filter(({ anchor }) => anchor?.sheet === sheet) ?? []
    if (drawings.length === 0) return
    const { geometry } = page
    const origin = { x: geometry.marginLeft, y: page.bodyTop }
    const [behind, front]: [Placed[], Placed[]] = [[], []]
    const request = { ...innerRequest(geometry, origin), exclusions: page.exclusions }
    placeOnSheet(this.#context, drawings, { width: textWidth(page), request, behind, front })
    const move = (list: readonly Placed[], into: Placed[]): void => {
      for (const item of list) into.push({ ...item, x: origin.x + item.x, y: origin.y + item.y })
    }
    move(behind, page.behind)
    move(front, page.front)
  }

  /**
   * Observed in LibreOffice: a document has at least as many pages as the drawings anchored to pages need.
   */
  #fillUpSheets(): void {
    const { document, budget } = this.#context
    const sheets = (document.onSheets ?? []).map(({ anchor }) => anchor?.sheet ?? 0)
    const last = Math.max(0, ...sheets.filter((sheet) => sheet <= budget.pages))
    if (sheets.some((sheet) => sheet > budget.pages))
      this.#context.warn({
        code: 'layout.block-dropped',
        message: 'Something that fits no page was left out.',
      })
    while (this.#finished.length + 1 < last) {
      budget.check()
      this.#closePage()
      this.#openPage(this.#sections.length - 1, false)
    }
  }

  /**
   * A header or footer. One without page number fields is laid out once and shared by all pages of the same
   * geometry.
   */
  #headerOrFooter(
    blocks: readonly Block[],
    geometry: OpenPage['geometry'],
    y: Pt,
    box: BandBox | undefined,
  ): LaidBand | undefined {
    if (blocks.length === 0) return undefined
    const key = `${geometry.pageWidth} ${geometry.pageHeight} ${geometry.marginLeft} ${geometry.marginRight} ${y}`
    const cached = this.#headersAndFooters.get(blocks)?.get(key)
    if (cached !== undefined) return cached
    const { used } = this.#context.values
    const before = { ...used }
    used.page = false
    used.pages = false
    const laid = layBand(this.#context, blocks, geometry, y, box)
    if (laid !== undefined && !used.page && !used.pages) {
      let list = this.#headersAndFooters.get(blocks)
      if (list === undefined) this.#headersAndFooters.set(blocks, (list = new Map()))
      list.set(key, laid)
    }
    // Headers are drawn when all pages are known, so their fields require no further layout pass.
    used.page = before.page
    used.pages = before.pages
    return laid
  }

  /**
   * Ends the open page: places its footnotes, numbers its lines and notes, and queues its header and footer.
   */
  #closePage(): void {
    const page = this.#page
    if (page === undefined) return
    this.#page = undefined
    this.#placeNotes(page)
    numberNotes(page.notes, this.#context.labels.perPage, this.noteMarks)
    const text = this.#lines.number(page.items)
    const headings = this.#chapters.add(page.items, this.#context.outline)
    const sectionPages = this.#pagesInSection
    const even = this.#context.document.settings.evenAndOddHeaders && page.number % 2 === 0
    this.#finished.push(() => {
      const { values } = this.#context
      values.page = page.number
      values.pageFormat = page.format
      values.section = page.sectionIndex + 1
      values.sectionPages = sectionPages[page.sectionIndex] ?? 1
      const variant = { first: page.firstOfSection, even }
      const behind: Placed[] = []
      const headerItems: Placed[] = []
      const front: Placed[] = []
      const add = (laid: LaidBand | undefined, y: Pt): void => {
        if (laid === undefined) return
        const place = (list: readonly Placed[], into: Placed[]): void => {
          for (const item of list)
            into.push({ x: page.geometry.marginLeft + item.x, y: y + item.y, item: item.item })
        }
        place(laid.filled.behind, behind)
        place(laid.filled.items, headerItems)
        place(laid.filled.front, front)
      }
      const { margins, bands: boxes } = page.section
      const blocksOf = (kind: 'headers' | 'footers'): readonly Block[] =>
        page.own === undefined
          ? variantOf(this.#sections, page.sectionIndex, kind, variant)
          : variantOf([page.own], 0, kind, variant)
      values.chapter = (level) => this.#chapters.of(headings, 'header', level)
      add(
        this.#headerOrFooter(blocksOf('headers'), page.geometry, margins.header, boxes?.header),
        margins.header,
      )
      const footer = blocksOf('footers')
      this.#context.record.bands.add(blocksOf('headers')).add(footer)
      values.chapter = (level) => this.#chapters.of(headings, 'footer', level)
      const measured = this.#headerOrFooter(footer, page.geometry, 0, boxes?.footer)
      if (measured !== undefined) {
        const y = footerTop(page.section, page.geometry.marginBottom, measured.height)
        add(this.#headerOrFooter(footer, page.geometry, y, boxes?.footer), y)
      }
      values.chapter = undefined
      const items = [
        ...backgroundOf(page, this.#context),
        ...behind,
        ...page.behind,
        ...headerItems,
        ...text,
        ...front,
        ...page.front,
        ...pageBorders(page, this.#context.document.settings, {
          header: blocksOf('headers').length > 0,
          footer: footer.length > 0,
        }),
      ]
      return {
        frame: {
          width: page.section.width,
          height: page.section.height,
          items: withChangeBars(items, page.geometry.marginLeft),
        },
        label: { style: labelStyles[page.format] ?? 'decimal', number: Math.max(1, page.number) },
      }
    })
  }

  #notesAt(width: Pt): Footnotes {
    let notes = this.#footnotes.get(width)
    if (notes === undefined) this.#footnotes.set(width, (notes = new Footnotes(this.#context, width)))
    return notes
  }

  /** Places the footnotes at the bottom of the page and keeps what does not fit for the next one. */
  #placeNotes(page: OpenPage): void {
    if (page.notes.length === 0 && this.#noteRest.length === 0) return
    const width = textWidth(page)
    const notes = this.#notesAt(width)
    const height = notes.height(page.notes, this.#noteRest, page.bodyBottom - page.bodyTop)
    if (height === 0) return
    // A note that is split begins directly below the text.
    const top = Math.max(page.textEnd, page.bodyBottom - height)
    this.#noteRest = notes.place(
      page.notes,
      this.#noteRest,
      { left: page.geometry.marginLeft, top, bottom: page.bodyBottom, geometry: page.geometry },
      page.items,
    )
  }

  /**
   * Fills the text of a section into pages. Each iteration fills the columns of one page; `#attempt`
   * guarantees that the position advances.
   */
  #fillSection(section: Section, index: number): void {
    const { properties } = section
    if (section.blocks.length === 0) return
    const flows = new Map<Pt, Flow>()
    const flowFor = (width: Pt): Flow => {
      let flow = flows.get(width)
      if (flow === undefined) {
        flow = this.#context.flows.prepare(section.blocks, {
          width,
          grid: properties.grid?.linePitch,
          ...(properties.lineNumbers !== undefined &&
            properties.lineNumbers.every > 0 && { lineNumbers: properties.lineNumbers }),
        })
        flows.set(width, flow)
      }
      return flow
    }
    let position: Position | undefined = flowStart
    let flow: Flow | undefined
    let top: Top = this.#page!.y > this.#page!.bodyTop ? 'after' : 'start'
    while (position !== undefined) {
      this.#context.budget.check()
      const page = this.#page!
      const active = page.sectionIndex === index && !page.firstOfSection ? page.section : properties
      const places = columnsInside(active, textWidth(page), properties.inset)
      const balanced = places.length > 1 && this.#balances(properties, index)
      let lead: Pt | undefined
      const shared = places.length > 1 && active.columns.ofPage !== true
      if (shared && position.line === 0 && position.table === undefined) {
        lead = this.#spaceAbove(flowFor(places[0]!.width).blocks[position.block], page, top)
        top = 'natural'
      }
      const round = this.#fillColumns(page, {
        places,
        flowFor,
        position,
        flow,
        top,
        balanced,
        lead,
        inset: properties.inset,
      })
      position = round.next
      flow = round.flow
      // A break after the last block belongs to the next section, however that section would start by itself.
      if (position !== undefined && position.block >= flow.blocks.length) {
        if (round.broke && index + 1 < this.#sections.length) this.#closePage()
        position = undefined
      }
      if (position === undefined) break
      top = round.broke ? 'forced' : 'natural'
      this.#closePage()
      this.#openPage(index, false)
    }
  }

  /**
   * The space above a set of columns. Observed in LibreOffice: all columns start below the space before the
   * first paragraph.
   */
  #spaceAbove(first: Prepared | undefined, page: OpenPage, top: Top): Pt {
    const { settings } = this.#context.document
    const style = first?.kind === 'paragraph' ? first.style : undefined
    const before = style?.spaceBefore ?? 0
    return top === 'after'
      ? sharedSpace(page.after, before, settings)
      : spaceAtTop(before, style?.spaceBeforeAuto === true, top, settings)
  }

  /** Whether columns are balanced: by declaration, or because more text follows on the same page. */
  #balances(properties: SectionProperties, index: number): boolean {
    const following = this.#sections[index + 1]
    if (properties.columns.balanced !== undefined) return properties.columns.balanced
    return following !== undefined && following.properties.start === 'continuous'
  }

  /** Fills one set of columns on the open page and adds the result to it. */
  #fillColumns(page: OpenPage, set: ColumnSet): { next: Position | undefined; flow: Flow; broke: boolean } {
    if (set.lead !== undefined) {
      page.y += set.lead
      page.after = 0
    }
    const start = page.y
    const available = page.bodyBottom - start
    const whole = this.#attempt(page, set, available)
    let best = whole
    if (set.balanced && whole.next === undefined && whole.broke === undefined)
      best = this.#evenOut(page, set, available, whole)
    for (const { filled, x } of best.columns) {
      const left = page.geometry.marginLeft + x
      const move = (list: readonly Placed[], into: Placed[]): void => {
        for (const item of list) into.push({ x: left + item.x, y: start + item.y, item: item.item })
      }
      move(filled.behind, page.behind)
      move(filled.items, page.items)
      move(filled.front, page.front)
      for (const note of filled.notes) (isFootnote(note) ? page.notes : this.#endnotes).push(note)
    }
    page.exclusions.push(...best.exclusions)
    page.y = start + best.height
    page.after = best.after
    page.textEnd = Math.max(page.textEnd, page.y)
    const { inset } = set
    if (inset?.ground !== undefined && best.height > 0) {
      const left = page.geometry.marginLeft + inset.left
      const colour = colourOf(inset.ground)
      page.behind.push(filledBox(left, start, insetWidth(textWidth(page), inset), best.height, colour))
    }
    this.#separators(page, set, start, best.height)
    return { next: best.next, flow: best.flow, broke: best.broke === 'page' }
  }

  /** Fills the columns once, each at most `height` tall, without changing the page. */
  #attempt(page: OpenPage, set: ColumnSet, height: Pt): Attempt {
    // Only on an empty page at full height must something be placed; shorter attempts serve for balancing.
    const empty = page.y - (set.lead ?? 0) <= page.bodyTop + 0.01
    const mustPlace = empty && height >= page.bodyBottom - page.y - 0.01
    const columns: { filled: Filled; x: Pt }[] = []
    const exclusions = [...page.exclusions]
    let { position, top } = set
    let next: Position | undefined = position
    let broke: 'page' | 'column' | undefined
    let tallest = 0
    let after = page.after
    let notes = page.notes
    const bodyHeight = page.bodyBottom - page.bodyTop
    // Footnotes are at the bottom of the page. Columns that end above it already leave space for them.
    const above = (needed: Pt): Pt => Math.max(0, needed - (page.bodyBottom - page.y - height))
    let flow = set.flow ?? set.flowFor(set.places[0]!.width)
    for (const place of set.places) {
      const columnFlow = set.flowFor(place.width)
      if (columnFlow !== flow) position = carryOver(this.#context, flow, columnFlow, position)
      flow = columnFlow
      const footnotes = this.#notesAt(textWidth(page))
      const held = notes
      const filled = this.#context.flows.fill(flow, position, {
        height,
        top,
        above: top === 'after' ? page.after : undefined,
        mustPlace,
        origin: { x: page.geometry.marginLeft + place.x, y: page.y },
        geometry: page.geometry,
        exclusions,
        notes: {
          height: (more) => above(footnotes.height([...held, ...more], this.#noteRest, bodyHeight)),
          least: (more) => above(footnotes.least([...held, ...more], this.#noteRest)),
        },
      })
      columns.push({ filled, x: place.x })
      notes = [...notes, ...filled.notes]
      if (filled.height - filled.trailing >= tallest) {
        tallest = filled.height - filled.trailing
        after = filled.trailing
      }
      next = filled.next
      broke = filled.broke
      if (next === undefined || broke === 'page') break
      position = next
      top = broke === 'column' ? 'forced' : 'natural'
    }
    const stuck =
      next !== undefined && broke === undefined && columns.every(({ filled }) => filled.empty) && mustPlace
    // The block does not fit even an empty page, so it is dropped, with a warning, instead of being tried
    // forever.
    if (stuck) {
      this.#context.warn({
        code: 'layout.block-dropped',
        message: 'Something that fits no page was left out.',
      })
      next = { block: position.block + 1, line: 0 }
      if (next.block >= flow.blocks.length) next = undefined
    }
    return {
      columns,
      exclusions: exclusions.slice(page.exclusions.length),
      next,
      flow,
      broke,
      height: tallest,
      after,
    }
  }

  /**
   * Balances columns: finds the smallest height at which everything still fits by bisection, to half a point.
   * Fourteen steps are enough for any page height.
   */
  #evenOut(page: OpenPage, set: ColumnSet, available: Pt, whole: Attempt): Attempt {
    let low = 0
    let high = Math.min(available, whole.height)
    let best = whole
    for (let round = 0; round < 14 && high - low > 0.5; round++) {
      const middle = (low + high) / 2
      const attempt = this.#attempt(page, set, middle)
      if (attempt.next === undefined) {
        best = attempt
        high = middle
      } else low = middle
    }
    return best
  }

  /** Draws the lines between columns. */
  #separators(page: OpenPage, set: ColumnSet, top: Pt, height: Pt): void {
    if (!page.section.columns.separator || height <= 0) return
    for (let i = 1; i < set.places.length; i++) {
      const before = set.places[i - 1]!
      const after = set.places[i]!
      const [first, second] = before.x < after.x ? [before, after] : [after, before]
      const x = page.geometry.marginLeft + (first.x + first.width + second.x) / 2
      page.items.push(filledBox(x - 0.25, top, 0.5, height, 0))
    }
  }

  /** Places the endnotes on pages of their own (observed in LibreOffice). */
  #placeEndnotes(): void {
    const index = this.#sections.length - 1
    const keys = [...new Set(this.#endnotes)]
    const section = this.#context.document.endnotePage ?? endnotePage(this.#sections[index]!.properties)
    this.#closePage()
    let page = this.#openPage(index, false, section)
    const width = textWidth(page)
    for (const key of keys) {
      const blocks = this.#context.document.notes.get(key)?.blocks ?? []
      const flow = this.#context.flows.prepare(blocks, { width, note: key, inner: true })
      let position: Position | undefined = flowStart
      while (position !== undefined) {
        this.#context.budget.check()
        const round = this.#fillColumns(page, {
          places: [{ x: 0, width }],
          flowFor: () => flow,
          position,
          top: 'after',
          balanced: false,
        })
        position = round.next
        if (position === undefined) break
        this.#closePage()
        page = this.#openPage(index, false, section)
      }
    }
  }
}

/**
 * The page set-up for endnotes: the paper of the last section with margins of two centimetres and no headers.
 */
function endnotePage(section: SectionProperties): Section {
  const margin = (2 * 72) / 2.54
  const margins = {
    top: margin,
    right: margin,
    bottom: margin,
    left: margin,
    header: margin,
    footer: margin,
    gutter: 0,
  }
  const columns = { count: 1, gap: 0, separator: false }
  return {
    properties: { ...section, margins, columns, borders: undefined, grid: undefined },
    headers: { default: [], first: [], even: [] },
    footers: { default: [], first: [], even: [] },
    blocks: [],
  }
}

/**
 * The page set-up `turn` pages after the first page of a page style; undefined for that of the section. After
 * the last set-up the sequence repeats from `again`.
 */
function turnOf(pages: PageTurns | undefined, turn: number): Section | undefined {
  if (pages === undefined || turn === 0) return undefined
  const { sets, again } = pages
  return sets[turn < sets.length ? turn : again + ((turn - again) % (sets.length - again))]
}

/** A set of columns to fill on one page. */
interface ColumnSet {
  /** The left edge of each column, from the margin, and its width. */
  readonly places: readonly { readonly x: Pt; readonly width: Pt }[]
  readonly flowFor: (width: Pt) => Flow
  readonly position: Position
  /** The flow that `position` refers to; absent for that of the first column. */
  readonly flow?: Flow
  readonly top: Top
  readonly balanced: boolean
  /** The space above all columns; absent when each column has its own. */
  readonly lead?: Pt
  readonly inset?: SectionProperties['inset']
}

/** The result of filling a set of columns once. */
interface Attempt {
  readonly columns: readonly { readonly filled: Filled; readonly x: Pt }[]
  /** The boxes of the floats placed in this attempt. */
  readonly exclusions: OpenPage['exclusions']
  readonly next: Position | undefined
  readonly flow: Flow
  readonly broke?: 'page' | 'column'
  /** The height of the tallest column, without the space after it. */
  readonly height: Pt
  readonly after: Pt
}

/**
 * The top of a footer: at its distance from the bottom of the page, or at its distance from the text. `space`
 * is the height below the text, `own` that of the footer.
 */
function footerTop({ height, margins }: SectionProperties, space: Pt, own: Pt): Pt {
  if (margins.footerSpacing === undefined) return height - margins.footer - own
  return height - space + Math.max(0, Math.min(margins.footerSpacing, space - margins.footer - own))
}

/**
 * Observed in LibreOffice: the lines of a document grid are centred on the page, so half of the remaining
 * height is above.
 */
function gridSpare({ grid }: SectionProperties, height: Pt): Pt {
  if (grid === undefined || grid.linePitch <= 0 || height < grid.linePitch) return 0
  return (height % grid.linePitch) / 2
}

/** The columns of a section, inside its margins if it has some. */
function columnsInside(
  section: SectionProperties,
  width: Pt,
  inset: SectionProperties['inset'],
): ReturnType<typeof columnsOf> {
  if (inset === undefined) return columnsOf(section, width)
  return columnsOf(section, insetWidth(width, inset)).map((place) => ({ ...place, x: place.x + inset.left }))
}

/** The width between the margins of a page. */
const textWidth = (page: OpenPage): Pt =>
  page.geometry.pageWidth - page.geometry.marginLeft - page.geometry.marginRight

/**
 * Translates a position into the flow of another width: lines already placed are kept and the rest is broken
 * anew.
 */
function carryOver(context: LayoutContext, from: Flow, to: Flow, position: Position): Position {
  const block = to.blocks[position.block]
  const before = from.blocks[position.block]
  if (position.line === 0 || block?.kind !== 'paragraph' || before?.kind !== 'paragraph') return position
  const done = (before.around ?? before.lines)?.slice(0, position.line) ?? []
  const piece = done.at(-1)?.to ?? 0
  block.around = [...done, ...breakLines(context, block, widthOf(to, block), piece, undefined)]
  return position
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
function backgroundOf({ section }: OpenPage, context: LayoutContext): Placed[] {
  const { width, height, backdrop, backdropInsets: inside } = section
  const { left = 0, top = 0, right = 0, bottom = 0 } = inside ?? {}
  const box = { x: left, y: top, width: width - left - right, height: height - top - bottom }
  const color = section.background ?? context.document.settings.background
  return [
    ...(color === undefined ? [] : [filledBox(0, 0, width, height, colourOf(color))]),
    ...(backdrop === undefined ? [] : backdropItems(context, backdrop, box)),
  ]
}
