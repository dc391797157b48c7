/**
 * Reads DOCX parts into the document model. `readDocx` opens the parts in the order in which they depend on
 * each other: settings and theme, styles, numbering, notes, body, then the headers and footers that sections
 * refer to. Each file of this folder covers one subject; `blocks.ts` reads the text.
 */

import { derived } from '../../../../shared/derived.ts'
import type { Block, DocumentComment, Note, Paragraph } from '../../../../shared/document/content.ts'
import type { Document, DocumentInformation } from '../../../../shared/document/document.ts'
import type { Numbering } from '../../../../shared/document/numbering.ts'
import type { PageVariants, Section } from '../../../../shared/document/section.ts'
import type { Style } from '../../../../shared/document/styles.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { mediaOf, warn } from '../../../../shared/office/ooxml/drawing/part.ts'
import { readInformation } from '../../../../shared/office/ooxml/information.ts'
import {
  type Relationships,
  readRelationships,
  targetOf,
} from '../../../../shared/office/ooxml/relationships.ts'
import { withEffects } from '../../../../shared/office/ooxml/shadow.ts'
import { emptyTheme, readTheme } from '../../../../shared/office/ooxml/theme.ts'
import { color } from '../../../../shared/office/ooxml/values.ts'
import { wordVocabulary } from '../../../../shared/office/ooxml/vocabulary.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import type { Outcome } from '../../../../shared/plugin/values.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import { XmlCursor, XmlFault, xmlText } from '../../../../shared/xml/cursor.ts'
import { attributeOf, tagsIn } from '../../../../shared/xml/elements.ts'
import { readBlock, readBlocks } from './blocks.ts'
import { DataStores } from './data-binding.ts'
import { readEmbeddedFonts } from './embedded-fonts.ts'
import { fillReferences } from './field-values.ts'
import { readGenericFonts } from './generic-fonts.ts'
import { readNumbering } from './numbering.ts'
import { withOddAndEven } from './odd-and-even.ts'
import { splitAtPageBreaks } from './page-breaks.ts'
import {
  type Chunks,
  type DocxPartContext,
  newContext,
  openPart,
  type ReaderContext,
  type ReadSection,
} from './part-context.ts'
import { defaultSection, readSection, withGutterAtTop } from './section.ts'
import { defaultReading, readReadingSettings, readSettings, unsetSettings, wordSettings } from './settings.ts'
import { findUnread } from './source-letters.ts'
import { emptyStyles, noStyles, readStyles } from './styles.ts'

/** The elements of tracked insertions, deletions and moves (ECMA-376-1 17.13.5). */
const changes = ['w:ins', 'w:del', 'w:moveFrom', 'w:moveTo']

/**
 * Reads a word processing package.
 * parts: its entries by name.
 * open: opens packages embedded in it (w:altChunk); without it they are omitted.
 * Throws AppError 'convert.document' when there is no readable body; anything else that is malformed becomes
 * a warning. Source: ECMA-376-1, transitional and strict.
 */
export function readDocx(parts: ReadFile, open?: Chunks['open']): Outcome<Document> {
  try {
    return read(parts, open)
  } catch (fault) {
    if (!(fault instanceof XmlFault)) throw fault
    throw refused(fault.message)
  }
}

/** Whether a part has another root element than a document. One that cannot be read is reported by its reader. */
function isOfAnotherKind(body: Uint8Array): boolean {
  try {
    const cursor = new XmlCursor(xmlText(body.subarray(0, rootBytes)), wordVocabulary)
    return cursor.root() && cursor.name.slice(cursor.name.indexOf(':') + 1) !== 'document'
  } catch (error) {
    if (error instanceof XmlFault) return false
    throw error
  }
}

/** The bytes that a root element with its namespaces fits into. */
const rootBytes = 8_192

/** The error for a package that is not a readable document. */
const refused = (because: string): AppError =>
  new AppError('convert.document', { engine: 'The reader', from: 'docx', because })

function read(parts: ReadFile, open: Chunks['open'] | undefined): Outcome<Document> {
  const main = targetOf(readRelationships(parts, ''), 'officeDocument') ?? 'word/document.xml'
  const body = parts(main)
  if (body === undefined) throw refused('it has no document part')
  if (isOfAnotherKind(body)) throw refused('its content is of another format')
  const relationships = readRelationships(parts, main)
  const related = (type: string): Uint8Array | undefined => {
    const target = targetOf(relationships, type)
    return target === undefined ? undefined : parts(target)
  }
  // The document information, read when the first field needs it.
  let cached: DocumentInformation | undefined
  const information = (): DocumentInformation =>
    (cached ??= tolerant(context, 'properties', {}, () => readInformation(parts)))
  // The theme depends on the settings and everything else on the theme, so a first context without a theme
  // collects the warnings of both.
  const context: ReaderContext = newContext(parts, emptyTheme, readBlocks, information)
  const { languages, keepsEmpty, gutterAtTop, hidesChanges } = tolerant(
    context,
    'settings',
    defaultReading,
    () => readPart(related('settings'), 'reading', [], readReadingSettings) ?? defaultReading,
  )
  const theme = tolerant(
    context,
    'theme',
    emptyTheme,
    () =>
      readPart(related('theme'), 'theme', [languages], (xml) =>
        withEffects(readTheme(xml, languages), xml),
      ) ?? emptyTheme,
  )
  const themed: ReaderContext = { ...context, theme, data: new DataStores(parts, main) }
  const declaredStyles = tolerant(
    themed,
    'styles',
    emptyStyles,
    () => readPart(related('styles'), 'styles', [theme], (xml) => readStyles(xml, theme)) ?? noStyles,
  )
  // Embedded documents add their styles and lists to those of this document, which other documents may share.
  const styles = { ...declaredStyles, styles: new Map(declaredStyles.styles) }
  for (const [id, { name }] of styles.styles)
    if (name === 'hyperlink' || name === 'followedhyperlink') context.linkStyles.add(id)
  const declaredLists = tolerant(themed, 'numbering', new Map<string, Numbering>(), () => {
    const target = targetOf(relationships, 'numbering')
    const part = target === undefined ? undefined : openPart(themed, target)
    if (part === undefined || target === undefined) return new Map()
    const read = () => readNumbering(part.xml, theme, declaredStyles, (id) => mediaOf(part, id) || undefined)
    // Reading pictures of bullets adds them to the media of this document.
    if (part.xml.includes('numPicBullet')) return read()
    return readPart(parts(target), 'numbering', [theme, declaredStyles], read) ?? new Map()
  })
  const numbering = new Map(declaredLists)
  const settings = tolerant(
    themed,
    'settings',
    wordSettings,
    () => readPart(related('settings'), 'settings', [], readSettings) ?? unsetSettings,
  )
  const notes = new Map<string, Note>()
  for (const kind of ['footnote', 'endnote'] as const) {
    tolerant(themed, kind, undefined, () =>
      readNotes(themed, targetOf(relationships, `${kind}s`), kind, notes),
    )
  }
  const comments = new Map<string, DocumentComment>()
  tolerant(themed, 'comment', undefined, () =>
    readComments(themed, targetOf(relationships, 'comments'), comments),
  )
  const chunks = open && {
    open,
    absorb: absorbing(themed, { styles: styles.styles, numbering }),
    count: 0,
    depth: 0,
  }
  const withChunks = chunks === undefined ? themed : { ...themed, chunks }
  const { sections: read, background, pictured, xml } = readBody(withChunks, main)
  const placed = gutterAtTop ? read.map(withGutterAtTop) : read
  if (hidesChanges && changes.some((name) => tagsIn(xml, name).next().done === false))
    warn(themed, 'read.hidden-changes', 'Tracked changes that the document does not show are drawn.')
  if (pictured && settings.showsBackground === true)
    warn(themed, 'read.page-background', 'The picture or gradient of the page background is not drawn.')
  fillReferences(themed.sources)
  const sections = withOddAndEven(splitAtPageBreaks(placed, keepsEmpty), settings.evenAndOddHeaders)
  const blocks = sections.flatMap((section) => section.blocks)
  const unread = findUnread([{ part: main, xml, blocks }, ...themed.textParts.values()])
  return {
    value: {
      styles,
      numbering,
      sections,
      notes,
      ...(unread.length > 0 && { unread }),
      ...(comments.size > 0 && { comments }),
      fonts: tolerant(themed, 'font table', [], () => {
        const table = targetOf(relationships, 'fontTable')
        return table === undefined ? [] : readEmbeddedFonts(parts, table)
      }),
      genericFonts: tolerant(themed, 'font table', new Map(), () => {
        return readPart(related('fontTable'), 'generic fonts', [], readGenericFonts) ?? new Map()
      }),
      media: themed.media,
      settings:
        background === undefined || settings.showsBackground !== true
          ? settings
          : { ...settings, background },
      information: information(),
    },
    warnings: [...themed.warnings.values()],
  }
}

/**
 * Returns the function that adds the styles and lists of an embedded document to those of this one. Styles of
 * the outer document take precedence; lists are added under a prefix.
 */
const absorbing =
  (
    context: ReaderContext,
    outer: { readonly styles: Map<string, Style>; readonly numbering: Map<string, Numbering> },
  ): Chunks['absorb'] =>
  (parts, relationships, prefix) => {
    const part = (type: string): string | undefined => {
      const target = targetOf(relationships, type)
      const bytes = target === undefined ? undefined : parts(target)
      return bytes === undefined ? undefined : xmlText(bytes)
    }
    const [stylesXml, numberingXml] = [part('styles'), part('numbering')]
    const inner = stylesXml === undefined ? emptyStyles : readStyles(stylesXml, context.theme)
    for (const [id, style] of inner.styles)
      if (!outer.styles.has(id) && outer.styles.size < maxStyles) outer.styles.set(id, style)
    if (numberingXml === undefined || outer.numbering.size > maxLists) return
    const lists = readNumbering(numberingXml, context.theme, inner, () => undefined)
    for (const [id, list] of lists) outer.numbering.set(`${prefix}${id}`, list)
  }
/** Maximum number of styles, over all embedded documents. */
const maxStyles = 20_000
/** Maximum number of list definitions, over all embedded documents. */
const maxLists = 50_000

/** What `read` makes of the text of a part and of `inputs`; undefined without the part. See `derived` for `kind`. */
function readPart<T>(
  part: Uint8Array | undefined,
  kind: string,
  inputs: readonly unknown[],
  read: (xml: string) => T,
): T | undefined {
  return part === undefined ? undefined : derived(part, kind, inputs, () => read(xmlText(part)))
}

/**
 * Runs `read` and falls back to `otherwise` with a warning when a secondary part is not readable XML, so that
 * the rest of the document can still be rendered.
 */
function tolerant<T>(context: ReaderContext, what: string, otherwise: T, read: () => T): T {
  try {
    return read()
  } catch (fault) {
    if (!(fault instanceof XmlFault)) throw fault
    warn(context, 'read.part-broken', `The ${what} part cannot be read: ${fault.message}.`)
    return otherwise
  }
}

/**
 * Reads w:body (17.2.2) into sections. A section ends at the paragraph whose w:pPr carries its w:sectPr; the
 * last w:sectPr is a child of w:body (17.6.17, 17.6.18).
 */
function readBody(
  context: ReaderContext,
  main: string,
): { sections: Section[]; background?: string; pictured: boolean; xml: string } {
  const part = openPart(context, main)
  if (part === undefined) throw refused('its document part is empty')
  const sections: Section[] = []
  let blocks: Block[] = []
  let last: ReadSection = { properties: defaultSection, headers: {}, footers: {} }
  let background: string | undefined
  let pictured = false
  // Set by `onSection` while the last paragraph of a section is read; the section is closed once that
  // paragraph is added.
  let pending: ReadSection | undefined
  const close = (section: ReadSection): void => {
    sections.push({
      properties: section.properties,
      headers: readVariants(context, part.relationships, section.headers),
      footers: readVariants(context, part.relationships, section.footers),
      blocks,
    })
    blocks = []
  }
  const reading: DocxPartContext = {
    ...part,
    onSection: (section) => {
      pending = section
    },
  }
  const add = (block: Block): void => {
    blocks.push(block)
    // The paragraph with the w:sectPr is the last one of its section.
    if (pending !== undefined && reading.tableDepth === 0) {
      if (onlyCarriesSection(blocks)) blocks.pop()
      else if (block.kind === 'paragraph' && block.inlines.length === 0)
        blocks[blocks.length - 1] = withoutLabel(block)
      close(pending)
      pending = undefined
    }
  }
  part.cursor.each((name) => {
    if (name === 'w:background') {
      background = color(part.cursor.attribute('w:color'))
      if ([...tagsIn(part.cursor.markup(), 'v:fill')].some(isPictured)) pictured = true
    }
    if (name !== 'w:body') return
    const { cursor } = part
    cursor.each((child) => {
      if (child === 'w:sectPr')
        last = readSection(cursor, context.theme, (code, message) => warn(context, code, message))
      else readBlock(reading, child, add)
    })
  })
  close(last)
  return { pictured, sections, background: background === 'auto' ? undefined : background, xml: part.xml }
}

/** Whether a v:fill has a picture, a pattern or a gradient (ECMA-376-4, 19.1.2.5), none of which is drawn. */
const isPictured = (fill: string): boolean =>
  attributeOf(fill, 'r:id') !== undefined ||
  attributeOf(fill, 'o:relid') !== undefined ||
  !(attributeOf(fill, 'type') ?? 'solid').startsWith('solid')

/**
 * Whether the last block is an empty paragraph that only carries a section break. Measured in LibreOffice: such a paragraph
 * takes no height, unless its section begins with a table or the paragraph before it is in a frame.
 */
function onlyCarriesSection(blocks: readonly Block[]): boolean {
  const last = blocks.at(-1)
  if (last?.kind !== 'paragraph' || last.inlines.length > 0 || blocks.length < 2) return false
  const before = blocks.at(-2)
  const followsFrame = before?.kind === 'paragraph' && before.properties.frame !== undefined
  return blocks[0]?.kind !== 'table' && !followsFrame
}

/** Observed in Word and LibreOffice: an empty paragraph that carries a section break is no item of its list. */
function withoutLabel(paragraph: Paragraph): Paragraph {
  const { properties } = paragraph
  if (properties.list === undefined && properties.style === undefined) return paragraph
  return { ...paragraph, properties: { ...properties, list: { list: '', level: 0 } } }
}

/** Reads the parts of the headers or footers that a section refers to (17.10.2, 17.10.5). */
function readVariants(
  context: ReaderContext,
  relationships: Relationships,
  references: ReadSection['headers'],
): PageVariants {
  const variants: Writable<PageVariants> = {}
  for (const key of ['default', 'first', 'even'] as const) {
    const id = references[key]
    const target = id === undefined ? undefined : relationships.get(id)?.target
    if (target === undefined) continue
    variants[key] = tolerant(context, target, [], () => {
      const part = openPart(context, target)
      const blocks: Block[] = []
      if (part === undefined) return blocks
      readBlocks(part, (block) => blocks.push(block))
      context.textParts.set(target, { part: target, xml: part.xml, blocks })
      return blocks
    })
  }
  return variants
}

/** Reads the comments part (17.13.4). */
function readComments(
  context: ReaderContext,
  partName: string | undefined,
  comments: Map<string, DocumentComment>,
): void {
  const part = partName === undefined ? undefined : openPart(context, partName)
  if (part === undefined) return
  part.cursor.each((name) => {
    const id = part.cursor.attribute('w:id')
    if (name !== 'w:comment' || id === undefined) return
    const author = part.cursor.attribute('w:author')?.trim()
    const blocks: Block[] = []
    readBlocks(part, (block) => blocks.push(block))
    comments.set(id, { ...(author !== undefined && author !== '' && { author }), blocks })
  })
}

/**
 * Reads the footnotes or endnotes part into `notes` (17.11). Separators and continuation notices have a
 * w:type and are skipped.
 */
function readNotes(
  context: ReaderContext,
  partName: string | undefined,
  kind: Note['kind'],
  notes: Map<string, Note>,
): void {
  const part = partName === undefined ? undefined : openPart(context, partName)
  if (part === undefined || partName === undefined) return
  const all: Block[] = []
  part.cursor.each((name) => {
    if (name !== `w:${kind}`) return
    const id = part.cursor.attribute('w:id')
    const type = part.cursor.attribute('w:type')
    if (id === undefined || (type !== undefined && type !== 'normal')) return
    const blocks: Block[] = []
    readBlocks(part, (block) => blocks.push(block))
    notes.set(`${kind}:${id}`, { kind, blocks })
    pushAll(all, blocks)
  })
  context.textParts.set(partName, { part: partName, xml: part.xml, blocks: all })
}
