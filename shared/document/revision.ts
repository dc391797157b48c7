import type { Block, Inline } from './document.ts'
import type { RunProperties } from './properties.ts'

/** How text is marked that was inserted or deleted under tracked changes; the office suite prints both. */
export type Revision = 'inserted' | 'deleted'

/** The colour LibreOffice gives the first author. */
const color = 'C69200'
const known: Readonly<Record<Revision, WeakMap<RunProperties, RunProperties>>> = {
  inserted: new WeakMap(),
  deleted: new WeakMap(),
}

/** The look of changed text; the same object for the same run. */
export function revised(run: RunProperties, revision: Revision): RunProperties {
  const runs = known[revision]
  let changed = runs.get(run)
  if (changed === undefined) {
    changed =
      revision === 'inserted'
        ? { ...run, color, underline: { style: 'single' } }
        : { ...run, color, strike: 'single' }
    runs.set(run, changed)
  }
  return changed
}

/** Blocks with all their text marked as deleted. */
export function deletedBlocks(blocks: readonly Block[]): Block[] {
  return blocks.map((block) =>
    block.kind === 'paragraph'
      ? { ...block, inlines: block.inlines.map(deletedInline) }
      : {
          ...block,
          rows: block.rows.map((row) => ({
            ...row,
            cells: row.cells.map((cell) => ({ ...cell, blocks: deletedBlocks(cell.blocks) })),
          })),
        },
  )
}

const deletedInline = (inline: Inline): Inline =>
  'run' in inline ? { ...inline, run: revised(inline.run, 'deleted') } : inline
