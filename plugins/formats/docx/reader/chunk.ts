import type { Block, Inline } from '../../../../shared/document/document.ts'
import { XmlCursor, XmlFault, xmlText } from '../../../../shared/document/xml-cursor.ts'
import { chunkText } from './chunk-text.ts'
import { FieldStack } from './fields.ts'
import { type Parts, type Relationships, readRelationships, targetOf } from './package.ts'
import { type Story, warn } from './story.ts'
import { wordVocabulary } from './vocabulary.ts'

const mostChunks = 100
const deepestChunk = 3
const mostLines = 20_000

/** What a document needs to take in others. */
export interface Chunks {
  /** A package within the package; undefined where the bytes are none. Its own limits hold. */
  readonly open: (bytes: Uint8Array) => Parts | undefined
  /** Styles and lists that the document does not have; lists go by `prefix` and their number. */
  readonly absorb: (parts: Parts, relationships: Relationships, prefix: string) => void
  count: number
  depth: number
}

/**
 * w:altChunk (ECMA-376-1 17.17.2.1): the text of a word processing package in the styles of this document, as LibreOffice
 * shows it; of web pages, RTF and plain text, which LibreOffice leaves out, the words. The cursor stands on the element.
 */
export function readChunk(story: Story, add: (block: Block) => void): void {
  const { context, cursor, relationships } = story
  const target = relationships.get(cursor.attribute('r:id') ?? '')
  const bytes = target === undefined || target.external ? undefined : context.parts(target.target)
  const { chunks } = context
  if (
    bytes === undefined ||
    chunks === undefined ||
    chunks.count >= mostChunks ||
    chunks.depth >= deepestChunk
  ) {
    tellMissing(story)
    return
  }
  chunks.count += 1
  const inner = bytes[0] === 0x50 && bytes[1] === 0x4b ? chunks.open(bytes) : undefined
  if (inner !== undefined) readWhole(story, chunks, inner, add)
  else readWords(story, bytes, target?.target ?? '', add)
}

export const tellMissing = ({ context, part }: Story): void =>
  warn(context, 'read.embedded-document', 'An embedded document is left out.', part)

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
  for (const text of lines.slice(0, mostLines)) {
    if (--context.budget.blocks < 0) return
    add({ kind: 'paragraph', properties: {}, mark: {}, inlines: inlinesOf(text) })
  }
}

/** A broken one costs itself and a warning, not the document. */
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
  // Parts go by names of their own: both packages have a word/media/image1.png.
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

/** The lists of a package by their new names. Its notes stay behind: the document has others of their numbers. */
const ownNumbers = (xml: string, prefix: string): string =>
  xml
    .replace(/(<w:numId\s[^>]*?w:val=["'])([1-9]\d*)/g, `$1${prefix}$2`)
    .replace(/<w:(?:footnote|endnote)Reference\b[^>]*\/>/g, '')
