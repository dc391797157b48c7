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

/** What all parts of one document share while they are read. */
export interface ReaderContext {
  readonly parts: Parts
  readonly theme: Theme
  readonly media: Map<string, Uint8Array>
  readonly runs: Map<string, RunProperties>
  /** Runs as they are without the mark that their formatting was changed, by the marked one. */
  readonly formatted: WeakMap<RunProperties, RunProperties>
  /** Who changed the text, in the order they appear. */
  readonly authors: Map<string, number>
  readonly paragraphs: Map<string, ReadParagraphProperties>
  readonly cells: Map<string, CellProperties>
  readonly warnings: Map<string, Warning>
  /** How the blocks inside an element are read: given from outside, since drawings hold blocks and blocks drawings. */
  readonly readBlocks: (story: Story, add: (block: Block) => void) => void
  readonly budget: { blocks: number; tables: number }
  /** What fields ask for. */
  readonly sources: FieldSources
  /** What content controls are bound to; absent where none shows. */
  readonly data?: DataStores
  /** How documents within the document are read. */
  readonly chunks?: Chunks
}

/** One text of the document: the body, a header, the notes. Fields may span its paragraphs. */
export interface Story {
  readonly context: ReaderContext
  readonly cursor: XmlCursor
  readonly relationships: Relationships
  readonly fields: FieldStack
  readonly part: string
  tableDepth: number
  preserveSpace: boolean
  /** Called where a paragraph ends a section. */
  onSection?: (section: ReadSection) => void
  /** The control around the place that is read. */
  bound?: BoundText
}

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

/** Opens a part and stands on its root element; undefined when it is missing or has none. */
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

/** Each warning is kept once: what is missing matters, not how often. */
export function warn(context: ReaderContext, code: string, message: string, where?: string): void {
  const key = `${code} ${message}`
  if (!context.warnings.has(key)) context.warnings.set(key, { code, message, where })
}

/** The picture behind a relationship: its name in Document.media, '' when it cannot be had. */
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

/** The blocks of the current element, read as a text of their own: fields do not reach in or out. */
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
