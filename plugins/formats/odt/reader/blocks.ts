import type { Block, Inline, Inset, Paragraph } from '../../../../shared/document/document.ts'
import type { ListPlace, ParagraphProperties } from '../../../../shared/document/properties.ts'
import { deletedHere, markChange, readChanges, spliceDeleted } from './changes.ts'
import { readDrawing } from './drawing.ts'
import { readForms } from './forms.ts'
import { headingLevel, placeInOutline } from './headings.ts'
import { readInlines } from './inline.ts'
import { indentInList, type ListItem, openItem, openList, ownIndent, placeInList } from './list-places.ts'
import { runOf } from './run-styles.ts'
import { type InlineState, type Story, warn } from './story.ts'
import type { OpenStyle } from './styles.ts'
import { readTable } from './table.ts'
import { ground, integer, length } from './values.ts'

/**
 * Receives the blocks of a text. `page` is called before a block that starts a page style, `section` at the
 * start of a text section; it returns the function that ends the section.
 */
export interface BlockSink {
  add(block: Block): void
  page?(master: string, number: number | undefined): void
  section?(style: OpenStyle | undefined, inset: Inset | undefined): (() => void) | undefined
}

/**
 * Reads the blocks inside the current element. `other` is called first for each child and returns true if it
 * has read the child itself.
 */
export function readBlocks(story: Story, other?: (name: string) => boolean): Block[] {
  const blocks: Block[] = []
  const sink: BlockSink = { add: (block) => blocks.push(block) }
  const { shared } = story
  const outside = shared.inset
  shared.inset = undefined
  story.cursor.each((name) => {
    if (other?.(name) !== true) readBlock(story, name, sink, undefined)
  })
  shared.inset = outside
  return blocks
}

/** Passes the blocks inside the current element to `sink`; `list` is the list item around them. */
export function readInto(story: Story, sink: BlockSink, list: ListItem | undefined): void {
  story.cursor.each((name) => readBlock(story, name, sink, list))
}

/** Reads one block-level element (5.1). */
function readBlock(story: Story, name: string, sink: BlockSink, list: ListItem | undefined): void {
  const { cursor, shared, styles, scope } = story
  switch (name) {
    case 'text:p':
    case 'text:h':
      if (--shared.budget.blocks < 0) {
        warn(shared, 'read.too-long', 'The document has too many paragraphs; the rest is left out.')
      } else readParagraph(story, name === 'text:h', sink, list)
      break
    case 'text:list':
      readList(story, sink, list)
      break
    case 'table:table': {
      const style = styles.find(scope, 'table', cursor.attribute('table:style-name'))
      if (style?.masterPage !== undefined) sink.page?.(style.masterPage, pageNumber(story, style))
      const table = readTable(story)
      if (table !== undefined) sink.add(within(shared, table))
      break
    }
    case 'text:numbered-paragraph':
      readInto(story, sink, undefined)
      break
    case 'text:section': {
      if (cursor.attribute('text:display') === 'none') break
      if (cursor.attribute('text:display') === 'condition' && cursor.attribute('text:is-hidden') === 'true')
        break
      readSection(story, sink)
      break
    }
    case 'office:forms':
      readForms(story)
      break
    case 'text:tracked-changes':
      readChanges(story)
      break
    case 'text:change':
      for (const block of deletedHere(story)) sink.add(block)
      break
    case 'text:change-start':
    case 'text:change-end':
      markChange(story, name)
      break
    case 'text:index-body':
      readInto(story, sink, undefined)
      break
    case 'text:index-title':
      readSection(story, sink)
      break
    case 'text:table-of-content':
    case 'text:alphabetical-index':
    case 'text:illustration-index':
    case 'text:table-index':
    case 'text:object-index':
    case 'text:user-index':
    case 'text:bibliography':
      readSection(story, sink, (part) => part === 'text:index-body')
      break
    case 'draw:frame':
    case 'draw:custom-shape':
    case 'draw:rect':
    case 'draw:line':
    case 'draw:g':
    case 'draw:ellipse':
    case 'draw:circle':
    case 'draw:path':
    case 'draw:polygon':
    case 'draw:polyline':
    case 'draw:connector':
    case 'draw:caption':
    case 'draw:regular-polygon':
    case 'draw:measure':
    case 'draw:a':
    case 'draw:control': {
      // Drawings between paragraphs are anchored to the page. The next paragraph of the text carries them,
      // not one inside the drawing itself.
      const held = pendingDrawings(story).splice(0)
      const drawing = readDrawing(story, name)
      const list = pendingDrawings(story)
      list.unshift(...held)
      if (drawing?.anchor?.sheet !== undefined) shared.onSheets.push(drawing)
      else if (drawing !== undefined) list.push({ kind: 'drawing', drawing, run: {} })
      break
    }
  }
}

/**
 * Reads a text section or an index (ODF 1.3 part 3, 5.4 and 8). Observed in LibreOffice: only the margins of
 * the innermost section apply. `only` selects the children that are read.
 */
function readSection(story: Story, sink: BlockSink, only?: (part: string) => boolean): void {
  const { cursor, shared, styles, scope } = story
  const style = styles.find(scope, 'section', cursor.attribute('text:style-name'))
  const outside = shared.inset
  shared.inset = insetOf(styles, style)
  const end = sink.section?.(style, shared.inset)
  // Columns are laid out inside the margins of their section, so their blocks are not indented again.
  if (end !== undefined) shared.inset = undefined
  else if (sink.section === undefined && (style?.columns?.count ?? 1) > 1)
    warn(shared, 'read.columns', 'Columns in a cell, a header or a note are set one below the other.')
  const notes = shared.notes.size
  if (only === undefined) readInto(story, sink, undefined)
  else
    cursor.each((part) => {
      if (only(part)) readInto(story, sink, undefined)
    })
  if (shared.notes.size > notes && style?.attributes.has('text:notes-configuration') === true)
    warn(shared, 'read.section-notes', 'Notes that a section gathers at its end stand where the others do.')
  end?.()
  shared.inset = outside
}

/** Indents and background of a text section; undefined when it has none. */
function insetOf(styles: Story['styles'], style: OpenStyle | undefined): Inset | undefined {
  const side = (name: string): number =>
    Math.max(0, length(styles.attribute(style, `fo:margin-${name}`)) ?? 0)
  const [left, right] = [side('left'), side('right')]
  const behind = ground(styles.attribute(style, 'fo:background-color'))
  const fill = behind === 'none' ? undefined : behind
  if (left === 0 && right === 0 && fill === undefined) return undefined
  return { left, right, ground: fill }
}

/** Adds the indents and background of the current text section to a block. */
const within = <Kind extends Block>({ inset }: Story['shared'], block: Kind): Kind =>
  inset === undefined ? block : { ...block, inset }

/** Drawings that wait for the next paragraph, by document. */
const pending = new WeakMap<object, Inline[]>()
function pendingDrawings(story: Story): Inline[] {
  let list = pending.get(story.shared)
  if (list === undefined) pending.set(story.shared, (list = []))
  return list
}

function pageNumber(story: Story, style: OpenStyle): number | undefined {
  return integer(story.styles.attribute(style, 'style:page-number'))
}

/** text:p or text:h (5.1.2, 5.1.3). */
function readParagraph(story: Story, heading: boolean, sink: BlockSink, list: ListItem | undefined): void {
  const { cursor, styles, scope } = story
  const name = cursor.attribute('text:style-name')
  const style = styles.find(scope, 'paragraph', name)
  const level = headingLevel(story, heading, style)
  // A heading in a list without a known style is numbered by the outline.
  const outlined = list === undefined || (heading && list.list.id === '')
  const place = outlined
    ? placeInOutline(story, level, style, list?.list.style === 'Outline')
    : placeInList(story, list)
  const master = masterOf(story, style)
  if (master !== undefined) sink.page?.(master, style === undefined ? undefined : pageNumber(story, style))
  let properties = propertiesOf(story, name, { style, place, level, list })
  const state: InlineState = {
    story,
    inlines: pendingDrawings(story).splice(0),
    run: runOf(story, undefined),
    spaced: true,
    splice: ({ inlines }) => {
      const before: Paragraph = { kind: 'paragraph', properties, mark: emptyRun, inlines: inlines.splice(0) }
      const { done, rest } = spliceDeleted(before, deletedHere(story))
      for (const block of done) sink.add(block)
      // The text after the deleted paragraphs continues the same list item.
      if (done.length > 0 && properties.list !== undefined)
        properties = { ...properties, list: { ...properties.list, unnumbered: true } }
      inlines.push(...rest)
    },
  }
  readInlines(state)
  if (state.hidden === true) return
  const paragraph: Paragraph = { kind: 'paragraph', properties, mark: emptyRun, inlines: state.inlines }
  sink.add(within(story.shared, paragraph))
}

const emptyRun = {}

/**
 * The page style that a paragraph starts: that of its style, or of the parent of an automatic style. Common
 * styles do not inherit it.
 */
function masterOf(story: Story, style: OpenStyle | undefined): string | undefined {
  if (style?.masterPage !== undefined) return style.masterPage
  const parent = style?.basedOn === undefined ? undefined : story.styles.styles.get(style.basedOn)
  return style?.automatic === true ? parent?.masterPage : undefined
}

/** Paragraph properties by document and key, so that equal paragraphs share one object. */
const cache = new WeakMap<object, Map<string, ParagraphProperties>>()

interface ParagraphPlace {
  readonly style: OpenStyle | undefined
  readonly place: ListPlace | undefined
  readonly level: number | undefined
  readonly list: ListItem | undefined
}

function propertiesOf(
  story: Story,
  name: string | undefined,
  { style, place, level, list }: ParagraphPlace,
): ParagraphProperties {
  const id = story.styles.id(story.scope, 'paragraph', name)
  const key = `${id ?? ''} ${level ?? ''} ${place === undefined ? '' : JSON.stringify(place)}`
  let known = cache.get(story.shared)
  if (known === undefined) cache.set(story.shared, (known = new Map()))
  let properties = known.get(key)
  if (properties === undefined) {
    const own =
      list !== undefined
        ? indentInList(story.styles, style, list)
        : place === undefined
          ? undefined
          : ownIndent(story.styles, style)
    properties = {
      style: id,
      ...(place === undefined ? {} : { list: place }),
      ...(own === undefined ? {} : { indent: own }),
      ...(level === undefined ? {} : { outlineLevel: Math.min(8, level - 1) }),
    }
    known.set(key, properties)
  }
  return properties
}

/** text:list with its items (5.3). */
function readList(story: Story, sink: BlockSink, outer: ListItem | undefined): void {
  const list = openList(story, outer)
  story.cursor.each((name) => {
    if (name === 'text:list-item' || name === 'text:list-header')
      readInto(story, sink, openItem(story, list, name))
  })
}
