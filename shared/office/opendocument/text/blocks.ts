import type { Inset } from '../../../document/box.ts'
import type { Block, Inline, Paragraph } from '../../../document/content.ts'
import type { ListPosition, ParagraphProperties, RunProperties } from '../../../document/properties.ts'
import type { Table } from '../../../document/table.ts'
import { entryOf } from '../../../entry-of.ts'
import { pushAll, spliceAll } from '../../../push-all.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { backgroundColor, integer, length } from '../values.ts'
import { deletedHere, readChanges, recordChangePosition, spliceDeleted } from './changes.ts'
import { fixedTable, indexElements, readContentsSource } from './contents.ts'
import { drawingElements, readDrawing } from './drawing.ts'
import { readForms } from './forms.ts'
import { headingLevel, outlinePosition, styleOfHeading } from './headings.ts'
import { readInlines } from './inline.ts'
import {
  directIndent,
  indentInList,
  type ListItem,
  listPosition,
  openItem,
  openList,
  openNumbered,
} from './list-places.ts'
import { labelMark, noSpans } from './paragraph-mark.ts'
import { type OdfInlineState, type OdfPartContext, warn } from './part-context.ts'
import { runOf } from './run-styles.ts'
import type { OpenStyle } from './styles.ts'
import { readTable } from './table.ts'

/**
 * Receives the blocks of a text. `page` is called before a block that starts a page style, with the block when it is a
 * table; `section` at the start of a text section: it returns the function that ends the section.
 */
export interface BlockSink {
  add(block: Block): void
  page?(master: string, number: number | undefined, table?: Table): void
  section?(style: OpenStyle | undefined, inset: Inset | undefined): (() => void) | undefined
}

/**
 * Reads the blocks inside the current element. `other` is called first for each child and returns true if it
 * has read the child itself.
 */
export function readBlocks(part: OdfPartContext, other?: (name: string) => boolean): Block[] {
  const blocks: Block[] = []
  const sink: BlockSink = { add: (block) => blocks.push(block) }
  const { shared } = part
  const { inset, section } = shared
  shared.inset = undefined
  shared.section = undefined
  part.cursor.each((name) => {
    if (other?.(name) !== true) readBlock(part, name, sink, undefined)
  })
  shared.inset = inset
  shared.section = section
  return blocks
}

/** Passes the blocks inside the current element to `sink`; `list` is the list item around them. */
export function readInto(part: OdfPartContext, sink: BlockSink, list: ListItem | undefined): void {
  part.cursor.each((name) => readBlock(part, name, sink, list))
}

/** Reads one block-level element (5.1). */
function readBlock(part: OdfPartContext, name: string, sink: BlockSink, list: ListItem | undefined): void {
  const { cursor, shared } = part
  switch (name) {
    case 'text:p':
    case 'text:h':
      if (--shared.budget.blocks < 0) {
        warn(
          shared,
          'read.too-long',
          'The document has too many paragraphs; those after the limit are not drawn.',
        )
      } else readParagraph(part, name === 'text:h', sink, list)
      break
    case 'text:list':
      readList(part, sink, list)
      break
    case 'table:table':
      readTableBlock(part, sink)
      break
    case 'text:numbered-paragraph':
      readInto(part, sink, openNumbered(part))
      break
    case 'text:section':
      if (!isHidden(cursor)) readSection(part, sink)
      break
    case 'office:forms':
      readForms(part)
      break
    case 'text:tracked-changes':
      readChanges(part)
      break
    case 'text:change':
      for (const block of deletedHere(part)) sink.add(block)
      break
    case 'text:change-start':
    case 'text:change-end':
      recordChangePosition(part, name)
      break
    case 'text:index-body':
      readInto(part, sink, undefined)
      break
    case 'text:index-title':
      readIndexTitle(part, sink)
      break
    default:
      if (name in indexElements) readIndex(part, sink, name)
      else if (drawingElements.has(name)) readBetweenParagraphs(part, name)
  }
}

/** Reads a table of contents or an index. Its entries carry its description. */
function readIndex(part: OdfPartContext, sink: BlockSink, name: string): void {
  const { shared } = part
  const outside = shared.contents
  let table = fixedTable(entryOf(indexElements, name))
  readSection(part, sink, (child) => {
    if (child === 'text:table-of-content-source') table = readContentsSource(part)
    shared.contents = table
    return child === 'text:index-body'
  })
  shared.contents = outside
}

/** Reads the title of an index, which is not one of its entries. */
function readIndexTitle(part: OdfPartContext, sink: BlockSink): void {
  const { shared } = part
  const { contents } = shared
  shared.contents = undefined
  shared.contentsAfter = contents
  readSection(part, sink)
  shared.contentsAfter = undefined
  shared.contents = contents
}

function readTableBlock(part: OdfPartContext, sink: BlockSink): void {
  const { cursor, shared, styles, scope } = part
  const style = styles.find(scope, 'table', cursor.attribute('table:style-name'))
  const number = style === undefined ? undefined : pageNumber(part, style)
  const table = readTable(part)
  if (style?.masterPage !== undefined) sink.page?.(style.masterPage, number, table)
  if (table !== undefined) sink.add(within(shared, table))
}

/** Whether text:display hides a section; a condition counts as it was when the file was saved. */
function isHidden(cursor: XmlCursor): boolean {
  const display = cursor.attribute('text:display')
  return display === 'none' || (display === 'condition' && cursor.attribute('text:is-hidden') === 'true')
}

/**
 * Reads a drawing between paragraphs, which should be anchored to the page. The next paragraph of the text carries
 * it, not one inside the drawing itself.
 */
function readBetweenParagraphs(part: OdfPartContext, name: string): void {
  const waiting = pendingDrawings(part).splice(0)
  const anchor = part.cursor.attribute('text:anchor-type')
  const drawing = readDrawing(part, name)
  const list = pendingDrawings(part)
  spliceAll(list, 0, 0, waiting)
  if (drawing?.anchor?.sheet !== undefined) part.shared.onSheets.push(drawing)
  else if (drawing !== undefined)
    list.push({ kind: 'drawing', drawing, run: {}, ...(anchor !== 'page' && { beforeParagraph: true }) })
}

/**
 * Reads a text section or an index (ODF 1.3 part 3, 5.4 and 8). Observed in LibreOffice: only the margins of
 * the innermost section apply. `only` selects the children that are read.
 */
function readSection(part: OdfPartContext, sink: BlockSink, only?: (child: string) => boolean): void {
  const { cursor, shared, styles, scope } = part
  const style = styles.find(scope, 'section', cursor.attribute('text:style-name'))
  const { inset: outside, section } = shared
  shared.inset = insetOf(styles, style)
  shared.section = ++shared.sectionCount
  const end = sink.section?.(style, shared.inset)
  // Columns are laid out inside the margins of their section, so their blocks are not indented again.
  if (end !== undefined) shared.inset = undefined
  else if (sink.section === undefined && (style?.columns?.count ?? 1) > 1)
    warn(
      shared,
      'read.columns',
      'Columns inside a cell, a header, a footer or a note are set as a single column.',
    )
  const notes = shared.notes.size
  if (only === undefined) readInto(part, sink, undefined)
  else
    cursor.each((element) => {
      if (only(element)) readInto(part, sink, undefined)
    })
  if (shared.notes.size > notes && style?.attributes.has('text:notes-configuration') === true)
    warn(
      shared,
      'read.section-notes',
      'Notes that a section collects at its end are placed with the other notes of the document.',
    )
  end?.()
  shared.inset = outside
  shared.section = section
}

/** Indents and background of a text section; undefined when it has none. */
function insetOf(styles: OdfPartContext['styles'], style: OpenStyle | undefined): Inset | undefined {
  const side = (name: string): number =>
    Math.max(0, length(styles.attribute(style, `fo:margin-${name}`)) ?? 0)
  const [left, right] = [side('left'), side('right')]
  const backgroundFill = backgroundColor(styles.attribute(style, 'fo:background-color'))
  const fill = backgroundFill === 'none' ? undefined : backgroundFill
  if (left === 0 && right === 0 && fill === undefined) return undefined
  return { left, right, background: fill }
}

/** Adds the number, indents and background of the current text section to a block. */
const within = <Kind extends Block>({ inset, section }: OdfPartContext['shared'], block: Kind): Kind =>
  section === undefined ? block : { ...block, section, ...(inset !== undefined && { inset }) }

/** Drawings that wait for the next paragraph, by document. */
const pending = new WeakMap<object, Inline[]>()
function pendingDrawings(part: OdfPartContext): Inline[] {
  let list = pending.get(part.shared)
  if (list === undefined) pending.set(part.shared, (list = []))
  return list
}

function pageNumber(part: OdfPartContext, style: OpenStyle): number | undefined {
  return integer(part.styles.attribute(style, 'style:page-number'))
}

/** text:p or text:h (5.1.2, 5.1.3). */
function readParagraph(
  part: OdfPartContext,
  heading: boolean,
  sink: BlockSink,
  list: ListItem | undefined,
): void {
  const { cursor, styles, scope } = part
  const name = cursor.attribute('text:style-name') ?? (heading ? styleOfHeading(part) : undefined)
  const style = styles.find(scope, 'paragraph', name)
  const level = headingLevel(part, heading, style)
  // A heading in a list without a known style is numbered by the outline.
  const outlined = list === undefined || (heading && list.list.id === '')
  const position = outlined
    ? outlinePosition(part, level, style, list?.list.style === 'Outline')
    : listPosition(part, list)
  const master = masterOf(part, style)
  if (master !== undefined) sink.page?.(master, style === undefined ? undefined : pageNumber(part, style))
  let properties = propertiesOf(part, name, { style, position, level, list })
  const state: OdfInlineState = {
    part,
    inlines: pendingDrawings(part).splice(0),
    run: runOf(part, undefined),
    spaced: true,
    spans: noSpans(),
    splice: ({ inlines }) => {
      const before: Paragraph = { kind: 'paragraph', properties, mark: emptyRun, inlines: inlines.splice(0) }
      const { done, rest } = spliceDeleted(before, deletedHere(part))
      for (const block of done) sink.add(block)
      // The text after the deleted paragraphs continues the same list item.
      if (done.length > 0 && properties.list !== undefined)
        properties = { ...properties, list: { ...properties.list, unnumbered: true } }
      pushAll(inlines, rest)
    },
  }
  readInlines(state)
  if (state.hidden === true) return
  const { shared } = part
  const { contents, contentsAfter } = shared
  const paragraph: Paragraph = {
    kind: 'paragraph',
    properties,
    mark: markOf(state, properties),
    inlines: state.inlines,
    ...(contents !== undefined && { contents }),
    ...(contentsAfter !== undefined && { contentsAfter }),
  }
  sink.add(within(shared, paragraph))
}

const emptyRun = {}

/** The formatting of the mark: that of the label of a list, or in presentations of a paragraph without text. */
function markOf(state: OdfInlineState, { list }: ParagraphProperties): RunProperties {
  if (state.part.shared.emptySpansCount)
    return state.inlines.length === 0 ? (state.emptyRun ?? emptyRun) : emptyRun
  return (list === undefined ? undefined : labelMark(state)) ?? emptyRun
}

/**
 * The page style that a paragraph starts: that of its style, or of the parent of an automatic style. Common
 * styles do not inherit it.
 */
function masterOf(part: OdfPartContext, style: OpenStyle | undefined): string | undefined {
  if (style?.masterPage !== undefined) return style.masterPage
  const parent = style?.basedOn === undefined ? undefined : part.styles.styles.get(style.basedOn)
  return style?.automatic === true ? parent?.masterPage : undefined
}

/** Paragraph properties by document and key, so that equal paragraphs share one object. */
const cache = new WeakMap<object, Map<string, ParagraphProperties>>()

interface ParagraphContext {
  readonly style: OpenStyle | undefined
  readonly position: ListPosition | undefined
  readonly level: number | undefined
  readonly list: ListItem | undefined
}

function propertiesOf(
  part: OdfPartContext,
  name: string | undefined,
  { style, position, level, list }: ParagraphContext,
): ParagraphProperties {
  const id = part.styles.id(part.scope, 'paragraph', name)
  const key = `${id ?? ''} ${level ?? ''} ${position === undefined ? '' : JSON.stringify(position)}`
  let cachedProperties = cache.get(part.shared)
  if (cachedProperties === undefined) cache.set(part.shared, (cachedProperties = new Map()))
  let properties = cachedProperties.get(key)
  if (properties === undefined) {
    const indent =
      list !== undefined
        ? indentInList(part.styles, style, list)
        : position === undefined
          ? undefined
          : directIndent(part.styles, style)
    properties = {
      style: id,
      ...(position === undefined ? {} : { list: position }),
      ...(indent === undefined ? {} : { indent }),
      ...(level === undefined ? {} : { outlineLevel: Math.min(8, level - 1) }),
    }
    cachedProperties.set(key, properties)
  }
  return properties
}

/** text:list with its items (5.3). */
function readList(part: OdfPartContext, sink: BlockSink, outer: ListItem | undefined): void {
  const list = openList(part, outer)
  part.cursor.each((name) => {
    if (name === 'text:list-item' || name === 'text:list-header')
      readInto(part, sink, openItem(part, list, name))
  })
}
