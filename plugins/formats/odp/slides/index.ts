/**
 * Reads OpenDocument presentations into the deck model: styles.xml with the masters, then the pages of content.xml. Read
 * `pages.ts` next; `text-cascade.ts` resolves the formatting of text. Styles, text and outlines are read by
 * `shared/office/opendocument/text`. Source: ODF 1.3 part 3.
 */
import type { Deck, Slide } from '../../../../shared/document/deck.ts'
import { addLettersOfDrawing, createLetterCounts } from '../../../../shared/document/letters.ts'
import { readInformation } from '../../../../shared/office/opendocument/information.ts'
import { readSwitches } from '../../../../shared/office/opendocument/switches.ts'
import { drawingState } from '../../../../shared/office/opendocument/text/drawing-state.ts'
import { readEmbeddedFonts } from '../../../../shared/office/opendocument/text/embedded-fonts.ts'
import {
  finishFills,
  type OdfPartContext,
  type Shared,
} from '../../../../shared/office/opendocument/text/part-context.ts'
import { unreadLetters } from '../../../../shared/office/opendocument/text/source-letters.ts'
import {
  OpenStyles,
  readFaces,
  readStyleContainer,
} from '../../../../shared/office/opendocument/text/styles.ts'
import { reportUndrawn } from '../../../../shared/office/opendocument/text/undrawn.ts'
import { openVocabulary } from '../../../../shared/office/opendocument/vocabulary.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import type { Outcome } from '../../../../shared/plugin/values.ts'
import { XmlCursor, XmlFault, xmlText } from '../../../../shared/xml/cursor.ts'
import { refused } from './context.ts'
import { type DeckParts, readDeckPart, readDeclaration, readSlide } from './pages.ts'
import { TextCascade } from './text-cascade.ts'

/** The maximum number of slides that are read. The layout allows far fewer pages. */
const maxSlides = 20_000

/** The XML of the files of a presentation. For a flat document it is the same text for all of them. */
interface Sources {
  readonly styles: string
  readonly content: string
  readonly settings: string
  readonly meta: string
}

/**
 * Reads a presentation. `parts` returns the entries of the package by name. Throws AppError 'convert.document' if there is no
 * readable slide; other damage becomes a warning.
 */
export function readDeck(parts: ReadFile): Outcome<Deck> {
  const text = (name: string): string => xmlText(parts(name) ?? new Uint8Array())
  const sources = {
    styles: text('styles.xml'),
    content: text('content.xml'),
    settings: text('settings.xml'),
    meta: text('meta.xml'),
  }
  return orRefuse(() => read(parts, sources))
}

/** Like `readDeck`, for a document in one XML file (ODF 1.3 part 3, 3.1). */
export function readFlatDeck(xml: string): Outcome<Deck> {
  return orRefuse(() => read(() => undefined, { styles: xml, content: xml, settings: xml, meta: xml }))
}

function orRefuse(make: () => Outcome<Deck>): Outcome<Deck> {
  try {
    return make()
  } catch (fault) {
    if (!(fault instanceof XmlFault)) throw fault
    throw refused(fault.message)
  }
}

function read(parts: ReadFile, sources: Sources): Outcome<Deck> {
  const styles = new OpenStyles()
  const shared = drawingState(parts)
  const deckParts: DeckParts = {
    masters: new Map(),
    sizes: new Map(),
    templates: new Map(),
    footers: new Map(),
  }
  const masterPart = readStylesPart(sources.styles, styles, shared, deckParts)
  const names = pageNames(sources.content)
  const anchors = new Map(names.map((name, at) => [name, `slide-${at + 1}`]))
  const cascade = new TextCascade(styles, shared.lists, anchors)
  reportUndrawn(shared, [sources.styles, sources.content])
  const cursor = new XmlCursor(sources.content, openVocabulary)
  if (!cursor.root()) throw refused('it has no content part')
  const part: OdfPartContext = { cursor, scope: 'c', styles, shared }
  const reading = { part, cascade, anchors, budget: { shapes: 100_000 }, lines: { ignoreFont: false } }
  const slides: Slide[] = []
  let index = 0
  const visit = (name: string): void => {
    if (name === 'office:font-face-decls') readFaces(cursor, styles)
    else if (name === 'office:automatic-styles') readStyleContainer(cursor, styles, 'c', true)
    else if (name === 'office:body' || name === 'office:presentation') cursor.each(visit)
    else if (name.endsWith('-decl')) readDeclaration(cursor, name, deckParts)
    else if (name === 'draw:page' && index < maxSlides) {
      const id = `slide-${index + 1}`
      const slide = readSlide({ parts: deckParts, reading, masterPart }, index++, id)
      if (slide !== undefined) slides.push(slide)
    }
  }
  cursor.each(visit)
  if (index === 0) throw refused('it has no slides')
  if (slides.length === 0) throw refused('it has no slide that is shown')
  finishFills(shared, styles)
  const fonts = readEmbeddedFonts(parts, [sources.styles, sources.content])
  // Slides that are not shown are not in the model, so that only the text of all slides can be compared.
  const letters = slides.length < index ? 0 : unreadOf(slides, sources.content)
  return {
    value: {
      slides,
      numbering: cascade.numbering,
      run: { size: 18, kernFrom: 0 },
      defaultTab: 72,
      firstNumber: 1,
      // A setting of LibreOffice: whether the spaces between two paragraphs add up.
      paragraphGap: readSwitches(sources.settings).get('ParagraphSummation') === 'true' ? 'add' : 'collapse',
      fonts,
      media: shared.media,
      information: readInformation(sources.meta),
      ...(letters > 0 && { unread: [{ part: 'content.xml', letters }] }),
    },
    warnings: [...shared.warnings.values()],
  }
}

/** How many letters of the pages are in no shape of a slide. */
function unreadOf(slides: readonly Slide[], content: string): number {
  const read = createLetterCounts()
  for (const { shapes } of slides) for (const { drawing } of shapes) addLettersOfDrawing(read, drawing)
  return unreadLetters(content, 'office:presentation', read)
}

/** Reads styles.xml and returns the part that contains the masters. */
function readStylesPart(xml: string, styles: OpenStyles, shared: Shared, parts: DeckParts): OdfPartContext {
  const cursor = new XmlCursor(xml, openVocabulary)
  const part: OdfPartContext = { cursor, scope: 's', styles, shared }
  if (!cursor.root()) return part
  const readPart = (name: string): void => readDeckPart(part, name, parts)
  cursor.each((name) => {
    if (name === 'office:font-face-decls') readFaces(cursor, styles)
    else if (name === 'office:styles') readStyleContainer(cursor, styles, 's', false, readPart)
    else if (name === 'office:automatic-styles') readStyleContainer(cursor, styles, 's', true, readPart)
    else if (name === 'office:master-styles') cursor.each(readPart)
  })
  return part
}

/** The names of the pages in order, which links refer to. A page without a name is named by its number. */
function pageNames(text: string): string[] {
  const names: string[] = []
  const cursor = new XmlCursor(text, openVocabulary)
  const visit = (name: string): void => {
    if (name === 'office:body' || name === 'office:presentation') cursor.each(visit)
    else if (name === 'draw:page' && names.length < maxSlides)
      names.push(cursor.attribute('draw:name') ?? `page${names.length + 1}`)
  }
  if (cursor.root()) cursor.each(visit)
  return names
}
