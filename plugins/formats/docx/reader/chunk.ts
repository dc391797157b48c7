import type { Block, Inline } from '../../../../shared/document/document.ts'
import { XmlCursor, XmlFault, xmlText } from '../../../../shared/document/xml-cursor.ts'
import { chunkText } from './chunk-text.ts'
import { FieldStack } from './fields.ts'
import { type Parts, type Relationships, readRelationships, targetOf } from './package.ts'
import { type Story, warn } from './story.ts'
import { wordVocabulary } from './vocabulary.ts'

/** Maximum number of embedded documents that are read, over all levels. */
const maxChunks = 100
/** Maximum nesting of embedded documents. */
const maxDepth = 3
/** Maximum number of paragraphs read from an embedded document that is not a package. */
const maxLines = 20_000

/** What reading embedded documents requires; the counters are shared by all levels. */
export interface Chunks {
  /** Opens an embedded package under the same limits; undefined when the bytes are not a package. */
  readonly open: (bytes: Uint8Array) => Parts | undefined
  /** Adds styles and lists that the outer document lacks; list ids get `prefix`. */
  readonly absorb: (parts: Parts, relationships: Relationships, prefix: string) => void
  /** Embedded documents read so far. */
  count: number
  /** Current nesting of embedded documents. */
  depth: number
}

/**
 * Reads w:altChunk (ECMA-376-1 17.17.2.1). A word processing package is read in the styles of this document,
 * as LibreOffice shows it. Of web pages, RTF and plain text, which LibreOffice omits, the text is read
 * without formatting. The cursor stands on the element.
 */
export function readChunk(story: Story, add: (block: Block) => void): void {
  const { context, cursor, relationships } = story
  const target = relationships.get(cursor.attribute('r:id') ?? '')
  const bytes = target === undefined || target.external ? undefined : context.parts(target.target)
  const { chunks } = context
  if (bytes === undefined || chunks === undefined || chunks.count >= maxChunks || chunks.depth >= maxDepth) {
    tellMissing(story)
    return
  }
  chunks.count += 1
  // 'PK' begins a zip file.
  const inner = bytes[0] === 0x50 && bytes[1] === 0x4b ? chunks.open(bytes) : undefined
  if (inner !== undefined) readWhole(story, chunks, inner, add)
  else readWords(story, bytes, target?.target ?? '', add)
}

/** Warns that an embedded document is not shown. */
export const tellMissing = ({ context, part }: Story): void =>
  warn(context, 'read.embedded-document', 'An embedded document is left out.', part)

/** Splits a line of text into text runs and tabs. */
const inlinesOf = (line: string): Inline[] =>
  line
    .split('\t')
    .flatMap((text, column): Inline[] => [
      ...(column > 0 ? [{ kind: 'tab', run: {} } as const] : []),
      ...(text === '' ? [] : [{ kind: 'text', text, run: {} } as const]),
    ])

function readWords(story: Story, bytes: Uint8Array, name: string, add: (block: Block) => void): void {
  const lines = chunkText(bytes, name)
  if (lines === undefined) {
    tellMissing(story)
    return
  }
  const { context, part } = story
  warn(context, 'read.embedded-text', 'An embedded document is shown as plain text.', part)
  for (const text of lines.slice(0, maxLines)) {
    if (--context.budget.blocks < 0) return
    add({ kind: 'paragraph', properties: {}, mark: {}, inlines: inlinesOf(text) })
  }
}

/** Reads an embedded package. If it is malformed, only a warning remains of it. */
function readWhole(story: Story, chunks: Chunks, inner: Parts, add: (block: Block) => void): void {
  chunks.depth += 1
  try {
    readPackage(story, chunks, inner, add)
  } catch (fault) {
    if (!(fault instanceof XmlFault)) throw fault
    tellMissing(story)
  } finally {
    chunks.depth -= 1
  }
}

function readPackage(story: Story, chunks: Chunks, inner: Parts, add: (block: Block) => void): void {
  // Prefix the part names: both packages have parts such as word/media/image1.png, and media are keyed by
  // part name.
  const prefix = `chunk${chunks.count}/`
  const parts: Parts = (name) => inner(name.startsWith(prefix) ? name.slice(prefix.length) : name)
  const main = targetOf(readRelationships(parts, prefix), 'officeDocument') ?? `${prefix}word/document.xml`
  const body = parts(main)
  if (body === undefined) {
    tellMissing(story)
    return
  }
  const relationships = readRelationships(parts, main)
  chunks.absorb(parts, relationships, prefix)
  const context = { ...story.context, parts }
  const cursor = new XmlCursor(ownNumbers(xmlText(body), prefix), wordVocabulary)
  if (!cursor.root()) return
  const reading: Story = {
    context,
    cursor,
    relationships,
    fields: new FieldStack(context.sources),
    part: main,
    tableDepth: story.tableDepth,
    preserveSpace: cursor.attribute('xml:space') === 'preserve',
  }
  cursor.each((name) => {
    if (name === 'w:body') context.readBlocks(reading, add)
  })
}

/**
 * Renames the list ids of an embedded body to those under which its lists were added, and removes its note
 * references: their numbers refer to other notes in the outer document.
 */
const ownNumbers = (xml: string, prefix: string): string =>
  xml
    .replace(/(<w:numId\s[^>]*?w:val=["'])([1-9]\d*)/g, `$1${prefix}$2`)
    .replace(/<w:(?:footnote|endnote)Reference\b[^>]*\/>/g, '')
