/**
 * Reads ODT parts into the document model. `readOdt` reads styles.xml, then content.xml: its automatic styles
 * first, then the text. A new section of the model begins where a paragraph style names a page style, and at
 * text sections with columns.
 */

import type { Block } from '../../../../shared/document/content.ts'
import type { Document, DocumentSettings, UnreadText } from '../../../../shared/document/document.ts'
import { addLettersOf, addLettersOfDrawing, createLetterCounts } from '../../../../shared/document/letters.ts'
import type {
  LineNumbers,
  PageSequence,
  Section,
  SectionProperties,
} from '../../../../shared/document/section.ts'
import type { Table } from '../../../../shared/document/table.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { readInformation } from '../../../../shared/office/opendocument/information.ts'
import { configuration, readSwitches } from '../../../../shared/office/opendocument/switches.ts'
import { type BlockSink, readBlocks, readInto } from '../../../../shared/office/opendocument/text/blocks.ts'
import { noChanges } from '../../../../shared/office/opendocument/text/changes.ts'
import { readEmbeddedFonts } from '../../../../shared/office/opendocument/text/embedded-fonts.ts'
import { defaultNotes } from '../../../../shared/office/opendocument/text/notes-configuration.ts'
import { pageSequenceOf, sectionOf } from '../../../../shared/office/opendocument/text/pages.ts'
import {
  finishFills,
  type OdfPartContext,
  type Shared,
} from '../../../../shared/office/opendocument/text/part-context.ts'
import { unreadLetters } from '../../../../shared/office/opendocument/text/source-letters.ts'
import {
  OpenStyles,
  readFaces,
  readMasters,
  readStyleContainer,
} from '../../../../shared/office/opendocument/text/styles.ts'
import { reportUndrawn } from '../../../../shared/office/opendocument/text/undrawn.ts'
import { openVocabulary } from '../../../../shared/office/opendocument/vocabulary.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import type { Outcome } from '../../../../shared/plugin/values.ts'
import { XmlCursor, XmlFault, xmlText } from '../../../../shared/xml/cursor.ts'
import { elementIn, tagsIn } from '../../../../shared/xml/elements.ts'

/**
 * Reads an OpenDocument text package; `parts` returns its entries by name.
 * Throws AppError 'convert.document' when there is no readable text; anything else that is malformed becomes
 * a warning. Source: OpenDocument 1.3.
 */
export function readOdt(parts: ReadFile): Outcome<Document> {
  try {
    return read(parts)
  } catch (fault) {
    if (!(fault instanceof XmlFault)) throw fault
    throw refused(fault.message)
  }
}

/** The content of a template that has none. */
const emptyText =
  '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><office:body><office:text/></office:body></office:document-content>'

const refused = (because: string): AppError =>
  new AppError('convert.document', { engine: 'The reader', from: 'odt', because })

function read(parts: ReadFile): Outcome<Document> {
  const content = parts('content.xml')
  const named = parts('styles.xml')
  const kind = xmlText(parts('mimetype') ?? new Uint8Array())
  // A template may contain only styles. LibreOffice opens it as one empty page.
  const hasOnlyStyles = content === undefined && named !== undefined && kind.includes('opendocument.text')
  if (content === undefined && !hasOnlyStyles) throw refused('it has no content part')
  const text = content === undefined ? emptyText : xmlText(content)
  const styles = new OpenStyles()
  styles.withinMargins = endsAtMargins(parts)
  const settingsBytes = parts('settings.xml')
  const switches = readSwitches(settingsBytes === undefined ? '' : xmlText(settingsBytes))
  const shared: Shared = {
    parts,
    media: new Map(),
    lists: new Map(),
    lastList: new Map(),
    byListId: new Map(),
    notes: new Map(),
    comments: new Map(),
    warnings: new Map(),
    budget: { blocks: 400_000 },
    readBlocks,
    template: kind.includes('template'),
    controls: new Map(),
    movesShapesOntoPage: switches.get('DoNotCaptureDrawObjsOnPage') !== 'true',
    changes: noChanges(switches.get('ShowRedlineChanges') !== 'false'),
    hasContentsEntries: text.includes('toc-mark'),
    onSheets: [],
    emptySpansCount: false,
    spansEndParagraphs: switches.get('ApplyParagraphMarkFormatToNumbering') === 'true',
    tableDepth: 0,
    sectionCount: 0,
  }
  const stylesText = named === undefined ? '' : xmlText(named)
  if (named !== undefined) readStylesPart(stylesText, styles, shared)
  if (tagsIn(text, 'office:text').next().done === true) throw refused('its content is of another format')
  reportUndrawn(shared, [stylesText, text])
  const sections = readContent(text, styles, shared)
  finishFills(shared, styles)
  const unread = findUnread({ text, stylesText, sections, styles, shared })
  return {
    value: {
      styles: {
        styles: styles.styles,
        defaults: { paragraph: styles.defaultParagraph, run: styles.defaultRun },
        defaultParagraph: styles.styles.has('paragraph/Standard') ? 'paragraph/Standard' : undefined,
      },
      numbering: shared.lists,
      sections: numbered(sections, styles.lineNumbers),
      notes: shared.notes,
      ...(unread.length > 0 && { unread }),
      ...(shared.comments.size > 0 && { comments: shared.comments }),
      endnotePage: endnotePage(styles),
      ...(shared.onSheets.length > 0 && { onSheets: shared.onSheets }),
      fonts: readEmbeddedFonts(parts, [stylesText, text]),
      genericFonts: styles.genericFonts,
      media: shared.media,
      settings: readSettings(parts, styles, switches),
      information: readInformation(xmlText(parts('meta.xml') ?? new Uint8Array())),
    },
    warnings: [...shared.warnings.values()],
  }
}

/** Finds the parts of which letters are in no block. */
function findUnread(read: {
  readonly text: string
  readonly stylesText: string
  readonly sections: readonly Section[]
  readonly styles: OpenStyles
  readonly shared: Shared
}): UnreadText[] {
  const { text, stylesText, sections, styles, shared } = read
  const [ofText, ofPages] = [createLetterCounts(), createLetterCounts()]
  for (const { blocks } of sections) addLettersOf(ofText, blocks)
  for (const { blocks } of shared.notes.values()) addLettersOf(ofText, blocks)
  for (const drawing of shared.onSheets) addLettersOfDrawing(ofText, drawing)
  for (const { headers, footers } of styles.masters.values())
    for (const blocks of [...Object.values(headers), ...Object.values(footers)]) addLettersOf(ofPages, blocks)
  return [
    { part: 'content.xml', letters: unreadLetters(text, 'office:text', ofText) },
    { part: 'styles.xml', letters: unreadLetters(stylesText, 'office:master-styles', ofPages) },
  ].filter(({ letters }) => letters > 0)
}

/** Applies the line numbering, which ODF configures for the whole document, to all sections. */
function numbered(sections: readonly Section[], lineNumbers: LineNumbers | undefined): readonly Section[] {
  if (lineNumbers === undefined) return sections
  return sections.map((section) => ({ ...section, properties: { ...section.properties, lineNumbers } }))
}

/** The page set-up of endnotes, from the page style that their configuration names (16.32). */
function endnotePage({ notes, layouts, masters }: OpenStyles): Section | undefined {
  const name = notes.get('endnote')?.master
  const master = name === undefined ? undefined : masters.get(name)
  if (master === undefined) return undefined
  const { properties, headers, footers } = sectionOf(layouts, master, undefined)
  return { properties, headers, footers, blocks: [] }
}

/** Reads styles.xml: font faces, common styles, automatic styles of headers and footers, and page styles. */
function readStylesPart(xml: string, styles: OpenStyles, shared: Shared): void {
  const cursor = new XmlCursor(xml, openVocabulary)
  if (!cursor.root()) return
  const part: OdfPartContext = { cursor, scope: 's', styles, shared }
  cursor.each((name) => {
    if (name === 'office:font-face-decls') readFaces(cursor, styles)
    else if (name === 'office:styles') readStyleContainer(cursor, styles, 's', false)
    else if (name === 'office:automatic-styles') readStyleContainer(cursor, styles, 's', true)
    else if (name === 'office:master-styles') readMasters(cursor, styles, () => readBlocks(part))
  })
}

/** Reads content.xml: font faces, automatic styles and the text. */
function readContent(xml: string, styles: OpenStyles, shared: Shared): Section[] {
  const cursor = new XmlCursor(xml, openVocabulary)
  if (!cursor.root()) throw refused('its content part is empty')
  const part: OdfPartContext = { cursor, scope: 'c', styles, shared }
  const builder = new SectionBuilder(styles)
  cursor.each((name) => {
    if (name === 'office:font-face-decls') readFaces(cursor, styles)
    else if (name === 'office:automatic-styles') readStyleContainer(cursor, styles, 'c', true)
    else if (name === 'office:body') {
      cursor.each((kind) => {
        if (kind === 'office:text') readInto(part, builder, undefined)
      })
    }
  })
  return builder.finish()
}

/** Divides the stream of blocks into sections where the page style or the columns change. */
class SectionBuilder implements BlockSink {
  readonly #styles: OpenStyles
  readonly #sections: Section[] = []
  /** Blocks of the section being built. */
  #blocks: Block[] = []
  /** Name of the page style in force. */
  #master: string
  /** Columns of the text section around the current position; undefined: those of the page. */
  #columns: SectionProperties['columns'] | undefined
  /** Indents and background of that text section. */
  #inset: SectionProperties['inset']
  /** How the section being built starts. */
  #start: SectionProperties['start'] = 'next-page'
  /** Page number at which the section being built starts. */
  #number: number | undefined

  constructor(styles: OpenStyles) {
    this.#styles = styles
    this.#master = styles.masters.has('Standard') ? 'Standard' : (styles.masters.keys().next().value ?? '')
  }

  add(block: Block): void {
    this.#blocks.push(block)
  }

  /**
   * Called before a paragraph or table that starts a new page style. Observed in LibreOffice: the first page of a text that
   * begins with a nested table has the default page style, whatever the outer table specifies.
   */
  page(master: string, number: number | undefined, table?: Table): void {
    const isFirst = this.#blocks.length === 0 && this.#sections.length === 0
    if (isFirst && table?.rows[0]?.cells[0]?.blocks[0]?.kind === 'table') return
    if (!isFirst) this.#close()
    this.#master = master
    this.#start = 'next-page'
    this.#number = number !== undefined && number > 0 ? number : undefined
  }

  /**
   * Called at the start of a text section. Returns the function that ends it, or undefined when the section
   * needs no columns of its own.
   */
  section(...[style, inset]: Parameters<NonNullable<BlockSink['section']>>): (() => void) | undefined {
    const columns = style?.columns
    const single = columns === undefined || columns.count < 2
    // A section inside columns is laid out separately and spans them all, even with a single column.
    if (single && this.#columns === undefined) return undefined
    this.#close()
    const [outer, outside] = [this.#columns, this.#inset]
    this.#inset = inset
    this.#columns = single
      ? { count: 1, gap: 0, separator: false }
      : { ...columns, balanced: style?.attributes.get('text:dont-balance-text-columns') !== 'true' }
    this.#start = this.#sections.length === 0 ? 'next-page' : 'continuous'
    return () => {
      this.#close()
      this.#columns = outer
      this.#inset = outside
      this.#start = 'continuous'
    }
  }

  finish(): Section[] {
    if (this.#blocks.length > 0 || this.#sections.length === 0) this.#push()
    return this.#sections
  }

  #close(): void {
    if (this.#blocks.length > 0) this.#push()
  }

  /** Adds the section being built, with the page style in force. */
  #push(): void {
    const { masters, layouts } = this.#styles
    const master = masters.get(this.#master)
    const next = master?.next === undefined ? undefined : masters.get(master.next)
    const pages = pageSequenceOf(layouts, masters, master)
    const { properties, headers, footers } = sectionOf(
      layouts,
      master,
      pages === undefined ? next : undefined,
    )
    this.#sections.push({
      properties: {
        ...properties,
        start: this.#start,
        columns: this.#columns ?? properties.columns,
        ...(this.#inset !== undefined && { inset: this.#inset }),
        following:
          properties.following === undefined || this.#columns === undefined
            ? properties.following
            : { ...properties.following, columns: this.#columns },
        pageNumber: { ...properties.pageNumber, start: this.#number },
      },
      headers,
      footers,
      blocks: this.#blocks,
      ...(pages !== undefined && { pages: withColumns(pages, this.#columns) }),
    })
    this.#blocks = []
    this.#number = undefined
  }
}

/** Applies the columns of a text section to each page set-up of a sequence. */
function withColumns(
  { sets, repeatFrom }: PageSequence,
  columns: SectionProperties['columns'] | undefined,
): PageSequence {
  if (columns === undefined) return { sets, repeatFrom }
  return {
    repeatFrom,
    sets: sets.map((set) => ({ ...set, properties: { ...set.properties, columns } })),
  }
}

/**
 * The layout rules of the document: LibreOffice's compatibility switches with its defaults for absent ones.
 * Where a default depends on `configured`, files without any switches use the rules of a new document, and
 * files with some but not this one those of older versions.
 */
function readSettings(
  parts: ReadFile,
  styles: OpenStyles,
  switches: ReadonlyMap<string, string>,
): DocumentSettings {
  const configured = switches.has(configuration)
  const is = (name: string, otherwise: boolean): boolean =>
    (switches.get(name) ?? String(otherwise)) === 'true'
  const tab = styles.defaultParagraph.defaultTab
  return {
    defaultTab: tab !== undefined && tab > 0 ? tab : 35.4,
    tabsFromIndent: is('TabsRelativeToIndent', true),
    evenAndOddHeaders: [...styles.masters.values()].some(
      (master) => master.headers.even !== undefined || master.footers.even !== undefined,
    ),
    paragraphGap: is('AddParaTableSpacing', true) ? 'add' : 'collapse',
    // Without any switches LibreOffice uses the rules of a new document, where the leading of the font face
    // belongs to the line height.
    externalLeading:
      is('AddExternalLeading', !configured) && !is('UnxForceZeroExtLeading', configured && isAncient(parts)),
    sharedLineSpace: is('UseFormerLineSpacing', configured),
    firstLinesShrink: is('PropLineSpacingShrinksFirstLine', !configured),
    spaceAtPageTop: is('AddParaTableSpacingAtStart', true) ? 'drop-after-natural-break' : 'drop',
    tableIndentFromText: false,
    spaceAtCellEnd: is('AddParaSpacingToTableCells', !configured),
    lineSpaceAtCellEnd: is('AddParaLineSpacingToTableCells', !configured),
    spaceEndsHeaders: is('HeaderSpacingBelowLastPara', false),
    justifyBrokenLines: !is('DoNotJustifyLinesWithManualBreak', false),
    blanksEndParagraphs: !is('MsWordCompTrailingBlanks', false),
    blanksHaveNoHeight: is('IgnoreTabsAndBlanksForLineCalculation', false),
    togglesCancel: false,
    bordersInside: !is('InvertBorderSpacing', false),
    indentsHoldBorders: is('IgnoreFirstLineIndentInNumbering', configured),
    columnBreaksNeedColumns: true,
    headersGoAround: is('UseFormerTextWrapping', configured),
    paddingWithoutBorders: is('AllowPaddingWithoutBorders', true),
    tabsInsideMargin: !is('TabOverMargin', false),
    smallCapitals: is('SmallCapsPercentage66', configured) ? 0.66 : 0.8,
    sharedCellMargins: false,
    hyphenate:
      styles.defaultParagraph.hyphenate === true ||
      [...styles.styles.values()].some(({ paragraph }) => paragraph.hyphenate === true),
    footnotes: styles.notes.get('footnote') ?? defaultNotes.footnote,
    endnotes: styles.notes.get('endnote') ?? defaultNotes.endnote,
    mirrorMargins: false,
    sidesFollowSheets: true,
  }
}

/**
 * Whether page backgrounds end at the margins. Observed in LibreOffice: since version 6.3 they reach the
 * edges.
 */
function endsAtMargins(parts: ReadFile): boolean {
  const old = /^(?:(?:Apache_)?OpenOffice|OOo-dev|LibreOffice(?:Dev)?\/(?:[3-5]\.|6\.[0-2]\.))/
  return old.test(generatorOf(parts))
}

/** The program that wrote the document (ODF 1.3 part 3, 4.3.2.1); '' when it is not declared. */
function generatorOf(parts: ReadFile): string {
  const bytes = parts('meta.xml')
  return bytes === undefined ? '' : (elementIn(xmlText(bytes), 'meta:generator')?.content ?? '')
}

/**
 * Whether an early version wrote the document. Observed in LibreOffice: such documents keep line heights
 * without leading.
 */
function isAncient(parts: ReadFile): boolean {
  const first = /^(?:OpenOffice\.org\/[12]|OOo-dev\/[12]|Star(?:Office|Suite)\/[1-8](?!\d))/
  return first.test(generatorOf(parts))
}
