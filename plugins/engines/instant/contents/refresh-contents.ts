/**
 * Rebuilds the tables of contents of a document from its headings. The entries refer to their headings by
 * bookmarks, so their page numbers are found by the layout like those of any other reference.
 */
import type { Block, Inline, Paragraph } from '../../../../shared/document/content.ts'
import { type ContentsTable, contentsEmpty } from '../../../../shared/document/contents.ts'
import type { Document } from '../../../../shared/document/document.ts'
import type { Table } from '../../../../shared/document/table.ts'
import type { Outcome, Warning } from '../../../../shared/plugin/values.ts'
import { countLabels } from '../style/labels.ts'
import { createStyler } from '../style/styler.ts'
import { composeEntries } from './compose-entries.ts'
import { listHeadings } from './list-headings.ts'

/**
 * The document with new tables of contents. Tables that cannot be worked out from headings keep their entries,
 * with a warning; those of their page numbers that are references are still computed.
 */
export function refreshContents(document: Document): Outcome<Document> {
  const tables = tablesOf(document)
  if (tables.size === 0) return { value: document, warnings: [] }
  const styler = createStyler(document)
  const labels = countLabels(document, styler)
  const headings = listHeadings(document, styler, labels)
  const withBookmarks = new Map<Paragraph, Paragraph>(
    headings.map(({ paragraph, bookmark, isNew }) => [
      paragraph,
      isNew
        ? { ...paragraph, inlines: [{ kind: 'bookmark', name: bookmark }, ...paragraph.inlines] }
        : paragraph,
    ]),
  )
  const entries = new Map<ContentsTable, readonly Paragraph[]>()
  for (const [table, paragraphs] of tables) {
    // A table that is deleted in a tracked change is shown as it was.
    if (table.fixed === undefined && !paragraphs.some(isDeleted))
      entries.set(table, composeEntries({ document, styler, table, paragraphs, headings }))
  }
  // The entries of a table that has none yet follow its title.
  const isEmpty = (table: ContentsTable): boolean => tables.get(table)?.length === 0
  const rewrite = (blocks: readonly Block[]): Block[] =>
    rewriteBlocks(blocks, { entries, withBookmarks, isEmpty })
  const sections = document.sections.map((section) => ({ ...section, blocks: rewrite(section.blocks) }))
  return { value: { ...document, sections }, warnings: warningsOf([...tables.keys()], entries) }
}

const isDeleted = ({ inlines }: Paragraph): boolean =>
  inlines.some(
    (inline) => inline.kind === 'text' && inline.run.changed === true && inline.run.strike === 'single',
  )

/** The tables of contents of the body with their present entries, in order. */
function tablesOf({ sections }: Document): Map<ContentsTable, Paragraph[]> {
  const tables = new Map<ContentsTable, Paragraph[]>()
  const visit = (blocks: readonly Block[]): void => {
    for (const block of blocks) {
      if (block.kind === 'table')
        for (const row of block.rows) for (const cell of row.cells) visit(cell.blocks)
      else if (block.contents !== undefined) {
        const cached = tables.get(block.contents)
        if (cached === undefined) tables.set(block.contents, [block])
        else cached.push(block)
      } else if (block.contentsAfter !== undefined && !tables.has(block.contentsAfter))
        tables.set(block.contentsAfter, [])
    }
  }
  for (const { blocks } of sections) visit(blocks)
  return tables
}

/** The changes to a document: the new entries of its tables, and headings that get a bookmark. */
interface Changes {
  readonly entries: ReadonlyMap<ContentsTable, readonly Paragraph[]>
  /** Headings with a bookmark, by the paragraph as it was. */
  readonly withBookmarks: ReadonlyMap<Paragraph, Paragraph>
  readonly isEmpty: (table: ContentsTable) => boolean
}

/** Replaces the entries of tables of contents and the paragraphs of headings, at any depth. */
function rewriteBlocks(blocks: readonly Block[], changes: Changes): Block[] {
  const { entries, withBookmarks, isEmpty } = changes
  const done = new Set<ContentsTable>()
  const entriesOf = (table: ContentsTable): readonly Paragraph[] => {
    if (done.has(table)) return []
    done.add(table)
    return entries.get(table) ?? []
  }
  return blocks.flatMap((block): readonly Block[] => {
    if (block.kind === 'table') return [withinCells(block, (inner) => rewriteBlocks(inner, changes))]
    const { contents, contentsAfter } = block
    if (contents !== undefined) return entries.has(contents) ? entriesOf(contents) : [withNewPages(block)]
    const paragraph = withBookmarks.get(block) ?? block
    const follows = contentsAfter !== undefined && isEmpty(contentsAfter)
    return follows ? [paragraph, ...entriesOf(contentsAfter)] : [paragraph]
  })
}

const withinCells = (table: Table, rewrite: (blocks: readonly Block[]) => Block[]): Table => ({
  ...table,
  rows: table.rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell) => ({ ...cell, blocks: rewrite(cell.blocks) })),
  })),
})

/** An entry whose text stays, with page references that are computed. */
function withNewPages(paragraph: Paragraph): Paragraph {
  const inlines = paragraph.inlines.map(
    (inline): Inline =>
      inline.kind === 'field' && inline.field.saved === true
        ? { ...inline, field: { ...inline.field, saved: false, format: inline.field.format ?? 'page' } }
        : inline,
  )
  return { ...paragraph, inlines }
}

/** The messages about tables that keep their entries. */
const reasons = {
  figures: 'A list of figures or tables keeps its stored entries',
  index: 'An index keeps its stored entries',
  marks: 'A table of contents built from marked entries keeps its stored entries',
  part: 'A table of contents for a part of the document keeps its stored entries',
} as const

function warningsOf(
  tables: readonly ContentsTable[],
  entries: ReadonlyMap<ContentsTable, readonly Paragraph[]>,
): Warning[] {
  const kinds = new Set(tables.flatMap(({ fixed }) => (fixed === undefined ? [] : [fixed])))
  const kept = [...kinds].map((kind) => ({
    code: 'layout.contents-kept',
    message: `${reasons[kind]}. Engine L updates them.`,
  }))
  const isEmpty = (list: readonly Paragraph[]) => list.every(({ inlines }) => inlines.length === 0)
  return [...entries.values()].some(isEmpty) ? [...kept, contentsEmpty] : kept
}
