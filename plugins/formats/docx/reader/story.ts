import type { Block } from '../../../../shared/document/document.ts'
import type { RunProperties } from '../../../../shared/document/properties.ts'
import type { CellProperties } from '../../../../shared/document/table.ts'
import { XmlCursor, xmlText } from '../../../../shared/document/xml-cursor.ts'
import type { Warning } from '../../../../shared/plugin/contract.ts'
import type { Chunks } from './chunk.ts'
import type { BoundText } from './content-control.ts'
import type { DataStores } from './data-binding.ts'
import type { FieldSources } from './field-values.ts'
import { FieldStack } from './fields.ts'
import { type Parts, type Relationships, readRelationships } from './package.ts'
import type { ReadParagraphProperties } from './paragraph-properties.ts'
import type { ReadSection } from './section.ts'
import type { Theme } from './theme.ts'
import { wordVocabulary } from './vocabulary.ts'

/**
 * State shared by all parts of one document while they are read. The maps `runs`, `paragraphs` and `cells`
 * cache properties by the markup of w:rPr, w:pPr and w:tcPr.
 */
export interface ReaderContext {
  readonly parts: Parts
  readonly theme: Theme
  readonly media: Map<string, Uint8Array>
  readonly runs: Map<string, RunProperties>
  /** Original runs by the run that marks a tracked formatting change. */
  readonly formatted: WeakMap<RunProperties, RunProperties>
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
  readonly readBlocks: (story: Story, add: (block: Block) => void) => void
  /** Paragraphs and tables that may still be read. */
  readonly budget: { blocks: number; tables: number }
  /** State shared by fields. */
  readonly sources: FieldSources
  /** Data that content controls are bound to; absent while side parts are read. */
  readonly data?: DataStores
  /** Reads embedded documents; absent when the caller cannot open them. */
  readonly chunks?: Chunks
}

/** One part with text: the body, a header or footer, the notes. Fields may span its paragraphs. */
export interface Story {
  readonly context: ReaderContext
  readonly cursor: XmlCursor
  readonly relationships: Relationships
  readonly fields: FieldStack
  readonly part: string
  /** Number of tables around the current position. */
  tableDepth: number
  /** Whether xml:space="preserve" is set on the root element. */
  preserveSpace: boolean
  /** Called when a paragraph carries a section break. */
  onSection?: (section: ReadSection) => void
  /** The bound content control around the current position. */
  bound?: BoundText
}

/**
 * Creates the shared state of a document. The budgets of paragraphs and tables bound the memory that one
 * document can take; they are far above the length of real documents.
 */
export function newContext(
  parts: Parts,
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
    authors: new Map(),
    paragraphs: new Map(),
    cells: new Map(),
    warnings,
    budget: { blocks: 400_000, tables: 50_000 },
    sources: {
      sequences: new Map(),
      bookmarks: new Map(),
      references: [],
      information,
      unknown: (name) => {
        const message = `A field without a saved result shows nothing: ${name}.`
        warnings.set(`read.field ${name}`, { code: 'read.field', message })
      },
    },
  }
}

/** Opens a part with the cursor on its root element; undefined when the part is missing or has no element. */
export function openStory(context: ReaderContext, part: string): Story | undefined {
  const bytes = context.parts(part)
  if (bytes === undefined) return undefined
  const cursor = new XmlCursor(xmlText(bytes), wordVocabulary)
  if (!cursor.root()) return undefined
  return {
    context,
    cursor,
    relationships: readRelationships(context.parts, part),
    fields: new FieldStack(context.sources),
    part,
    tableDepth: 0,
    preserveSpace: cursor.attribute('xml:space') === 'preserve',
  }
}

/** Records a warning. The same code and message is kept only once, with its first location. */
export function warn(context: ReaderContext, code: string, message: string, where?: string): void {
  const key = `${code} ${message}`
  if (!context.warnings.has(key)) context.warnings.set(key, { code, message, where })
}

/**
 * Adds the picture of a relationship to Document.media and returns its name; '' with a warning when it is not
 * in the package.
 */
export function mediaOf(story: Story, relationship: string | undefined): string {
  const target = relationship === undefined ? undefined : story.relationships.get(relationship)
  if (target === undefined || target.external) {
    warn(story.context, 'read.picture-missing', 'A picture is not stored in the file.', story.part)
    return ''
  }
  const { media, parts } = story.context
  if (media.has(target.target)) return target.target
  const bytes = parts(target.target)
  if (bytes === undefined) {
    warn(story.context, 'read.picture-missing', 'A picture is not stored in the file.', story.part)
    return ''
  }
  media.set(target.target, bytes)
  return target.target
}

/**
 * Reads the blocks of the current element as separate text: fields and bound controls around it do not apply
 * inside.
 */
export function readInnerBlocks(story: Story): Block[] {
  const blocks: Block[] = []
  const inner: Story = {
    ...story,
    fields: new FieldStack(story.context.sources),
    onSection: undefined,
    bound: undefined,
  }
  story.context.readBlocks(inner, (block) => blocks.push(block))
  return blocks
}
