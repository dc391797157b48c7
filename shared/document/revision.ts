import type { Block, Inline } from './content.ts'
import type { Color } from './paint.ts'
import type { RunProperties } from './properties.ts'

/** Kinds of tracked changes. As in LibreOffice's output, deleted text is kept and struck through. */
export type Revision = 'inserted' | 'deleted' | 'moved-here' | 'moved-away' | 'formatted'

/**
 * Colours that LibreOffice assigns to the authors in order of first appearance; they repeat after the ninth.
 */
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

/** Formatting that marks each kind of change; `color` is that of the author unless set here. */
const formatting: Readonly<Record<Revision, RunProperties>> = {
  inserted: { underline: { style: 'single' } },
  deleted: { strike: 'single' },
  'moved-here': { color: movedColor, underline: { style: 'double' } },
  'moved-away': { color: movedColor, strike: 'double' },
  formatted: { bold: true },
}

/**
 * Marked runs by original run, so that equal runs stay the same object, which keeps the layout's caches
 * effective.
 */
const cache = new WeakMap<RunProperties, Map<string, RunProperties>>()

/**
 * Formatting of a run changed by an author. `author` is the index returned by `authorOf`. The same input run
 * yields the same object.
 */
export function revised(run: RunProperties, revision: Revision, author = 0): RunProperties {
  let changes = cache.get(run)
  if (changes === undefined) cache.set(run, (changes = new Map()))
  const color = authorColors[author % authorColors.length]!
  const key = `${revision} ${color}`
  let changed = changes.get(key)
  if (changed === undefined)
    changes.set(key, (changed = { ...run, color, ...formatting[revision], changed: true }))
  return changed
}

/**
 * Index of an author in order of first appearance. Only the first 1000 authors are stored, so that a document
 * cannot grow the map without bound.
 */
export function authorOf(authors: Map<string, number>, name: string | undefined): number {
  const key = name ?? ''
  const authorIndex = authors.get(key) ?? authors.size
  if (authors.size < 1000) authors.set(key, authorIndex)
  return authorIndex
}

/** Copies the blocks with all their text marked as deleted, tables included. */
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
