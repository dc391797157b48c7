import type { Block, Inline } from '../../../../shared/document/content.ts'
import { warn } from '../../../../shared/office/ooxml/drawing/part.ts'
import { readRelationships, targetOf } from '../../../../shared/office/ooxml/relationships.ts'
import { wordVocabulary } from '../../../../shared/office/ooxml/vocabulary.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import { XmlCursor, XmlFault, xmlText } from '../../../../shared/xml/cursor.ts'
import { attributeOf, replaceAttribute, replaceElements } from '../../../../shared/xml/elements.ts'
import { chunkText } from './chunk-text.ts'
import { FieldStack } from './fields.ts'
import type { Chunks, DocxPartContext } from './part-context.ts'

/** Maximum number of embedded documents that are read, over all levels. */
const maxChunks = 100
/** Maximum nesting of embedded documents. */
const maxDepth = 3
/** Maximum number of paragraphs read from an embedded document that is not a package. */
const maxLines = 20_000

/**
 * Reads w:altChunk (ECMA-376-1 17.17.2.1). A word processing package is read in the styles of this document,
 * as LibreOffice shows it. Of web pages, RTF and plain text, which LibreOffice omits, the text is read
 * without formatting. The cursor stands on the element.
 */
export function readChunk(part: DocxPartContext, add: (block: Block) => void): void {
  const { context, cursor, relationships } = part
  const target = relationships.get(cursor.attribute('r:id') ?? '')
  const bytes = target === undefined || target.external ? undefined : context.parts(target.target)
  const { chunks } = context
  if (bytes === undefined || chunks === undefined || chunks.count >= maxChunks || chunks.depth >= maxDepth) {
    reportMissingDocument(part)
    return
  }
  chunks.count += 1
  // 'PK' begins a zip file.
  const inner = bytes[0] === 0x50 && bytes[1] === 0x4b ? chunks.open(bytes) : undefined
  if (inner !== undefined) readEmbeddedPackage(part, chunks, inner, add)
  else readWords(part, bytes, target?.target ?? '', add)
}

/** Warns that an embedded document is not shown. */
export const reportMissingDocument = ({ context, partName }: DocxPartContext): void =>
  warn(
    context,
    'read.embedded-document',
    'An inserted document (w:altChunk or w:subDoc) is missing or cannot be read, so it is not drawn.',
    partName,
  )

/** Splits a line of text into text runs and tabs. */
const inlinesOf = (line: string): Inline[] =>
  line
    .split('\t')
    .flatMap((text, column): Inline[] => [
      ...(column > 0 ? [{ kind: 'tab', run: {} } as const] : []),
      ...(text === '' ? [] : [{ kind: 'text', text, run: {} } as const]),
    ])

function readWords(
  part: DocxPartContext,
  bytes: Uint8Array,
  name: string,
  add: (block: Block) => void,
): void {
  const lines = chunkText(bytes, name)
  if (lines === undefined) {
    reportMissingDocument(part)
    return
  }
  const { context, partName } = part
  warn(
    context,
    'read.embedded-text',
    'An inserted document (w:altChunk) is drawn as unformatted text.',
    partName,
  )
  for (const text of lines.slice(0, maxLines)) {
    if (--context.budget.blocks < 0) return
    add({ kind: 'paragraph', properties: {}, mark: {}, inlines: inlinesOf(text) })
  }
}

/** Reads an embedded package. If it is malformed, only a warning remains of it. */
function readEmbeddedPackage(
  part: DocxPartContext,
  chunks: Chunks,
  inner: ReadFile,
  add: (block: Block) => void,
): void {
  chunks.depth += 1
  try {
    readPackage(part, chunks, inner, add)
  } catch (fault) {
    if (!(fault instanceof XmlFault)) throw fault
    reportMissingDocument(part)
  } finally {
    chunks.depth -= 1
  }
}

function readPackage(
  part: DocxPartContext,
  chunks: Chunks,
  inner: ReadFile,
  add: (block: Block) => void,
): void {
  // Prefix the part names: both packages have parts such as word/media/image1.png, and media are keyed by
  // part name.
  const prefix = `chunk${chunks.count}/`
  const parts: ReadFile = (name) => inner(name.startsWith(prefix) ? name.slice(prefix.length) : name)
  const main = targetOf(readRelationships(parts, prefix), 'officeDocument') ?? `${prefix}word/document.xml`
  const body = parts(main)
  if (body === undefined) {
    reportMissingDocument(part)
    return
  }
  const relationships = readRelationships(parts, main)
  chunks.absorb(parts, relationships, prefix)
  const context = { ...part.context, parts }
  const xml = renumbered(xmlText(body), prefix)
  const cursor = new XmlCursor(xml, wordVocabulary)
  if (!cursor.root()) return
  const reading: DocxPartContext = {
    context,
    cursor,
    relationships,
    fields: new FieldStack(context.sources),
    partName: main,
    xml,
    tableDepth: part.tableDepth,
    preserveSpace: cursor.attribute('xml:space') === 'preserve',
  }
  const blocks: Block[] = []
  cursor.each((name) => {
    if (name !== 'w:body') return
    context.readBlocks(reading, (block) => {
      blocks.push(block)
      add(block)
    })
  })
  context.textParts.set(main, { part: main, xml, blocks })
}

/**
 * Renames the list ids of an embedded body to those under which its lists were added, and removes its note
 * references: their numbers refer to other notes in the outer document.
 */
const renumbered = (xml: string, prefix: string): string =>
  replaceElements(
    xml,
    ['w:numId', 'w:footnoteReference', 'w:endnoteReference'],
    (attributes, _content, { name }) => {
      if (name !== 'w:numId') return ''
      const id = attributeOf(attributes, 'w:val') ?? '0'
      // 0 takes a paragraph out of its list (17.9.18), in every document.
      return id === '0' ? undefined : `<w:numId${replaceAttribute(attributes, 'w:val', prefix + id)}/>`
    },
  )
