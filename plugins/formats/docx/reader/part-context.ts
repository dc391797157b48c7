import type { Block } from '../../../../shared/document/content.ts'
import type { RunProperties } from '../../../../shared/document/properties.ts'
import type { SectionProperties } from '../../../../shared/document/section.ts'
import type { CellProperties } from '../../../../shared/document/table-properties.ts'
import { type Relationships, readRelationships } from '../../../../shared/office/ooxml/relationships.ts'
import type { Theme } from '../../../../shared/office/ooxml/theme.ts'
import { wordVocabulary } from '../../../../shared/office/ooxml/vocabulary.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import type { Warning } from '../../../../shared/plugin/values.ts'
import { XmlCursor, xmlText } from '../../../../shared/xml/cursor.ts'
import type { DataStores } from './data-binding.ts'
import type { FieldSources } from './field-values.ts'
import { FieldStack } from './fields.ts'
import type { OpenFormField } from './form-control.ts'
import type { ReadParagraphProperties } from './paragraph-properties.ts'
import type { TextPart } from './source-letters.ts'

/**
 * State shared by all parts of one document while they are read. The maps `runs`, `paragraphs` and `cells`
 * cache properties by the markup of w:rPr, w:pPr and w:tcPr.
 */
export interface ReaderContext {
  readonly parts: ReadFile
  readonly theme: Theme
  readonly media: Map<string, Uint8Array>
  readonly runs: Map<string, RunProperties>
  /** Original runs by the run that marks a tracked formatting change. */
  readonly formatted: WeakMap<RunProperties, RunProperties>
  /** Runs of links in a table of contents by the run with the style of links. */
  readonly contentsRuns: WeakMap<RunProperties, RunProperties>
  /** Ids of the styles of links. */
  readonly linkStyles: Set<string>
  /** Index of each author of tracked changes, in order of first appearance. */
  readonly authors: Map<string, number>
  readonly paragraphs: Map<string, ReadParagraphProperties>
  readonly cells: Map<string, CellProperties>
  /** Warnings by code and message. */
  readonly warnings: Map<string, Warning>
  /**
   * Reads the blocks inside the current element. Passed in, because drawings contain blocks and blocks
   * contain drawings, which would make the modules import each other.
   */
  readonly readBlocks: (part: DocxPartContext, add: (block: Block) => void) => void
  /** Paragraphs and tables that may still be read. */
  readonly budget: { blocks: number; tables: number }
  /** State shared by fields. */
  readonly sources: FieldSources
  /** The headers, footers, notes and embedded documents read so far, by the names of their parts. */
  readonly textParts: Map<string, TextPart>
  /** Data that content controls are bound to; absent while side parts are read. */
  readonly data?: DataStores
  /** Reads embedded documents; absent when the caller cannot open them. */
  readonly chunks?: Chunks
}

/** One part with text: the body, a header or footer, the notes. Fields may span its paragraphs. */
export interface DocxPartContext {
  readonly context: ReaderContext
  readonly cursor: XmlCursor
  readonly relationships: Relationships
  readonly fields: FieldStack
  readonly partName: string
  readonly xml: string
  /** Number of tables around the current position. */
  tableDepth: number
  /** Whether xml:space="preserve" is set on the root element. */
  preserveSpace: boolean
  /** Called when a paragraph carries a section break. */
  onSection?: (section: ReadSection) => void
  /** The bound content control around the current position. */
  bound?: BoundText
  /** Whether a content control of plain text is around the current position. */
  isPlainText?: boolean
  /** The field of a form that the content control around the current position is. */
  control?: OpenFormField | undefined
}

/**
 * Creates the shared state of a document. The budgets of paragraphs and tables bound the memory that one
 * document can take; they are far above the length of real documents.
 */
export function newContext(
  parts: ReadFile,
  theme: Theme,
  readBlocks: ReaderContext['readBlocks'],
  information: FieldSources['information'],
): ReaderContext {
  const warnings: ReaderContext['warnings'] = new Map()
  return {
    parts,
    theme,
    readBlocks,
    media: new Map(),
    runs: new Map(),
    formatted: new WeakMap(),
    contentsRuns: new WeakMap(),
    linkStyles: new Set(),
    authors: new Map(),
    paragraphs: new Map(),
    cells: new Map(),
    warnings,
    budget: { blocks: 400_000, tables: 50_000 },
    textParts: new Map(),
    sources: {
      sequences: new Map(),
      bookmarks: new Map(),
      references: [],
      information,
      unknown: (name) => {
        const message = `A field without a stored result is empty: ${name}.`
        warnings.set(`read.field ${name}`, { code: 'read.field', message })
      },
    },
  }
}

/** Opens a part with the cursor on its root element; undefined when the part is missing or has no element. */
export function openPart(context: ReaderContext, partName: string): DocxPartContext | undefined {
  const bytes = context.parts(partName)
  if (bytes === undefined) return undefined
  const xml = xmlText(bytes)
  const cursor = new XmlCursor(xml, wordVocabulary)
  if (!cursor.root()) return undefined
  return {
    xml,
    context,
    cursor,
    relationships: readRelationships(context.parts, partName),
    fields: new FieldStack(context.sources),
    partName,
    tableDepth: 0,
    preserveSpace: cursor.attribute('xml:space') === 'preserve',
  }
}

/**
 * Reads the blocks of the current element as separate text: fields and bound controls around it do not apply
 * inside.
 */
export function readInnerBlocks(part: DocxPartContext): Block[] {
  const blocks: Block[] = []
  const inner: DocxPartContext = {
    ...part,
    fields: new FieldStack(part.context.sources),
    onSection: undefined,
    bound: undefined,
    isPlainText: false,
  }
  part.context.readBlocks(inner, (block) => blocks.push(block))
  return blocks
}

/** The state for reading embedded documents; the counters are shared by all levels. */
export interface Chunks {
  /** Opens an embedded package under the same limits; undefined when the bytes are not a package. */
  readonly open: (bytes: Uint8Array) => ReadFile | undefined
  /** Adds styles and lists that the outer document lacks; list ids get `prefix`. */
  readonly absorb: (parts: ReadFile, relationships: Relationships, prefix: string) => void
  /** Embedded documents read so far. */
  count: number
  /** Current nesting of embedded documents. */
  depth: number
}

/** The value of a bound plain-text control, which replaces its saved text. */
export interface BoundText {
  readonly value: string
  /** Whether the value has already been put in place of the first text. */
  used: boolean
}

/** The set-up of a section, and the relationship ids of the parts with its headers and footers. */
export interface ReadSection {
  readonly properties: SectionProperties
  readonly headers: Readonly<Partial<Record<'default' | 'first' | 'even', string>>>
  readonly footers: Readonly<Partial<Record<'default' | 'first' | 'even', string>>>
}
