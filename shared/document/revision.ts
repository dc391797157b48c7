import type { Block, Inline } from './document.ts'
import type { Color, RunProperties } from './properties.ts'

/** How text is marked that was changed while changes were tracked; the office suite prints what went, too. */
export type Revision = 'inserted' | 'deleted' | 'moved-here' | 'moved-away' | 'formatted'

/** The colours LibreOffice gives authors, in the order they first appear; the tenth begins again. */
const authorColors: readonly Color[] = [
  'C69200',
  '0646A2',
  '579D1C',
  '692B9D',
  'C5000B',
  '008080',
  '8C8400',
  '35556B',
  'D17600',
]
const movedColor = '008000'

const looks: Readonly<Record<Revision, RunProperties>> = {
  inserted: { underline: { style: 'single' } },
  deleted: { strike: 'single' },
  'moved-here': { color: movedColor, underline: { style: 'double' } },
  'moved-away': { color: movedColor, strike: 'double' },
  formatted: { bold: true },
}

const known = new WeakMap<RunProperties, Map<string, RunProperties>>()

/** The look of text changed by an author, by the author's place among all; the same object for the same run. */
export function revised(run: RunProperties, revision: Revision, author = 0): RunProperties {
  let changes = known.get(run)
  if (changes === undefined) known.set(run, (changes = new Map()))
  const color = authorColors[author % authorColors.length]!
  const key = `${revision} ${color}`
  let changed = changes.get(key)
  if (changed === undefined)
    changes.set(key, (changed = { ...run, color, ...looks[revision], changed: true }))
  return changed
}

/** The place of an author among those who changed the document. */
export function authorOf(authors: Map<string, number>, name: string | undefined): number {
  const key = name ?? ''
  const place = authors.get(key) ?? authors.size
  if (authors.size < 1000) authors.set(key, place)
  return place
}

/** Blocks with all their text marked as deleted. */
export function deletedBlocks(blocks: readonly Block[], author = 0): Block[] {
  return blocks.map((block) =>
    block.kind === 'paragraph'
      ? { ...block, inlines: block.inlines.map((inline) => deletedInline(inline, author)) }
      : {
          ...block,
          rows: block.rows.map((row) => ({
            ...row,
            cells: row.cells.map((cell) => ({ ...cell, blocks: deletedBlocks(cell.blocks, author) })),
          })),
        },
  )
}

const deletedInline = (inline: Inline, author: number): Inline =>
  'run' in inline ? { ...inline, run: revised(inline.run, 'deleted', author) } : inline
