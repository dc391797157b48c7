/**
 * Reads ODP into the flow model: slides as headings with their text, tables, charts and notes. Read `shapes.ts` next.
 * Source: ODF 1.3 part 3.
 */
import type { FlowBlock } from '../../../../shared/flow/flow.ts'
import {
  blocksOfLines,
  flowOfSlides,
  type Slide,
  SlideBudget,
  type SlideItem,
  titleOfLines,
} from '../../../../shared/flow/from-slides.ts'
import { partsOfOdf } from '../../../../shared/office/opendocument/parts.ts'
import { exactLength } from '../../../../shared/office/opendocument/values.ts'
import { openVocabulary } from '../../../../shared/office/opendocument/vocabulary.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import type { FlowReader } from '../../../../shared/plugin/contract.ts'
import { XmlCursor, xmlText } from '../../../../shared/xml/cursor.ts'
import { type PageContext, readShape } from './shapes.ts'
import { inheritedValue, readStyles, type SlideStyles } from './styles.ts'
import { type OdpLines, readTextChild } from './text.ts'

/** The maximum number of slides. Further slides are omitted. */
const maxSlides = 20_000

export const odpReader: FlowReader = {
  read: (bytes, context) => readPresentation(partsOfOdf(bytes, context, 'odp')),
}

function readPresentation(parts: ReadFile): ReturnType<FlowReader['read']> {
  const budget = new SlideBudget()
  const styles: SlideStyles = { styles: new Map(), lists: new Map() }
  const height = readStylesPart(parts, styles)
  const text = xmlText(parts('content.xml') ?? new Uint8Array())
  const anchors = new Map(pageNames(text).map((name, at) => [name, `slide-${at + 1}`]))
  const objects = new Map<string, readonly FlowBlock[]>()
  const slides: Slide[] = []
  const cursor = new XmlCursor(text, openVocabulary)
  const visit = (name: string): void => {
    if (name === 'office:automatic-styles') readStyles(cursor, styles)
    else if (name === 'office:body' || name === 'office:presentation') cursor.each(visit)
    else if (name === 'draw:page') {
      if (slides.length >= maxSlides) {
        budget.lose('slides beyond the limit')
        return
      }
      const page = { cursor, budget, styles, anchors, parts, objects }
      const slide = readPage(page, `slide-${slides.length + 1}`)
      slides.push({ ...slide, ...(height !== undefined && { height }) })
    }
  }
  if (cursor.root()) cursor.each(visit)
  const title = readTitle(parts)
  const { flow, warnings } = flowOfSlides({ ...(title && { title }), slides, pictures: budget.pictures })
  return { value: flow, warnings: [...warnings, ...budget.warnings] }
}

/** The names of the pages in order, which links refer to. */
function pageNames(text: string): string[] {
  const names: string[] = []
  const cursor = new XmlCursor(text, openVocabulary)
  const visit = (name: string): void => {
    if (name === 'office:body' || name === 'office:presentation') cursor.each(visit)
    else if (name === 'draw:page') names.push(cursor.attribute('draw:name') ?? `page${names.length + 1}`)
  }
  if (cursor.root()) cursor.each(visit)
  return names
}

/** Reads styles.xml. Returns the height of a page in points. */
function readStylesPart(parts: ReadFile, styles: SlideStyles): number | undefined {
  const bytes = parts('styles.xml')
  const cursor = new XmlCursor(xmlText(bytes ?? new Uint8Array()), openVocabulary)
  let height: number | undefined
  const visit = (name: string): void => {
    if (name === 'office:styles') readStyles(cursor, styles)
    else if (name === 'office:automatic-styles' || name === 'style:page-layout') cursor.each(visit)
    else if (name === 'style:page-layout-properties')
      height ??= exactLength(cursor.attribute('fo:page-height'))
  }
  if (cursor.root()) cursor.each(visit)
  return height
}

function readTitle(parts: ReadFile): string {
  const bytes = parts('meta.xml')
  const cursor = new XmlCursor(xmlText(bytes ?? new Uint8Array()), openVocabulary)
  let title = ''
  const visit = (name: string): void => {
    if (name === 'office:meta') cursor.each(visit)
    else if (name === 'dc:title') title = cursor.text().trim()
  }
  if (cursor.root()) cursor.each(visit)
  return title
}

/** draw:page (10.2.4). */
function readPage(page: Omit<PageContext, 'onTitle' | 'onSubtitle'>, anchor: string): Slide {
  const { cursor, styles } = page
  const hidden =
    inheritedValue(styles, 'drawing-page', cursor.attribute('draw:style-name'), 'hidden') === true
  let title: Slide['title'] = []
  let opening = false
  const items: SlideItem[] = []
  let notes: readonly FlowBlock[] = []
  const context: PageContext = {
    ...page,
    onTitle: (lines) => {
      // A second title is ordinary text.
      if (title.length > 0) items.push({ blocks: blocksOfLines(lines) })
      else title = titleOfLines(lines)
    },
    onSubtitle: () => {
      opening = true
    },
  }
  let hasComments = false
  cursor.each((name) => {
    if (name === 'presentation:notes') notes = readNotes(page)
    else if (name === 'office:annotation') hasComments = true
    else {
      const item = readShape(context, name)
      if (item !== undefined) items.push(item)
    }
  })
  if (hasComments) page.budget.lose('comments, counted by slide')
  return { anchor, hidden, opening, title, items, notes }
}

/** presentation:notes (9.1.5): the text of its frame of notes, not its picture of the page. */
function readNotes(page: Omit<PageContext, 'onTitle' | 'onSubtitle'>): readonly FlowBlock[] {
  const { cursor } = page
  const text: OdpLines = { lines: [], size: 0 }
  cursor.each((name) => {
    if (name !== 'draw:frame' || cursor.attribute('presentation:class') !== 'notes') return
    if (cursor.attribute('presentation:placeholder') === 'true') return
    cursor.each((child) => {
      if (child === 'draw:text-box') cursor.each((inner) => void readTextChild(page, inner, text))
    })
  })
  return blocksOfLines(text.lines)
}
