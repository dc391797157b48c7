import type { Block, Paragraph } from '../../../document/content.ts'
import { authorOf, deletedBlocks } from '../../../document/revision.ts'
import { elementIn } from '../../../xml/elements.ts'
import { decodeEntities } from '../../../xml/scan.ts'
import type { Changes, OdfPartContext } from './part-context.ts'

export const noChanges = (shown: boolean): Changes => ({
  deleted: new Map(),
  inserted: new Map(),
  open: new Map(),
  authors: new Map(),
  shown,
  reading: false,
})

/**
 * Reads text:tracked-changes (ODF 1.3 part 3, 5.5.1), on which the cursor stands: deleted text, and the
 * authors of insertions.
 */
export function readChanges(part: OdfPartContext): void {
  const { cursor, shared } = part
  if (!shared.changes.shown) return
  shared.changes.reading = true
  cursor.each((name) => {
    if (name !== 'text:changed-region') return
    const id = cursor.attribute('xml:id') ?? cursor.attribute('text:id') ?? ''
    const { authors, deleted, inserted } = shared.changes
    cursor.each((kind) => {
      const creator = elementIn(cursor.markup(), 'dc:creator')?.content
      const author = authorOf(authors, creator && decodeEntities(creator))
      if (kind === 'text:insertion') inserted.set(id, author)
      else if (kind === 'text:deletion')
        deleted.set(id, deletedBlocks(shared.readBlocks(part, isInformation), author))
    })
  })
  shared.changes.reading = false
}

const isInformation = (name: string): boolean => name === 'office:change-info'

/** Opens or closes an insertion at text:change-start or text:change-end. */
export function recordChangePosition({ cursor, shared: { changes } }: OdfPartContext, name: string): void {
  const id = cursor.attribute('text:change-id') ?? ''
  const author = changes.inserted.get(id)
  if (name === 'text:change-end') changes.open.delete(id)
  else if (author !== undefined) changes.open.set(id, author)
}

/** Returns the text deleted at the current text:change; empty when changes are not shown. */
export function deletedHere({ cursor, shared }: OdfPartContext): readonly Block[] {
  return shared.changes.deleted.get(cursor.attribute('text:change-id') ?? '') ?? []
}

/**
 * Divides a paragraph at deleted text that spans several paragraphs: the first deleted one completes what
 * came before, the last one begins the rest. `before` is the paragraph so far; `done` are complete blocks,
 * `rest` the inlines to continue with.
 */
export function spliceDeleted(
  before: Paragraph,
  deleted: readonly Block[],
): { readonly done: readonly Block[]; readonly rest: Paragraph['inlines'] } {
  const [first, ...others] = deleted
  if (first === undefined) return { done: [], rest: before.inlines }
  if (first.kind === 'paragraph' && others.length === 0)
    return { done: [], rest: [...before.inlines, ...first.inlines] }
  const last = others.at(-1)
  const opened: Block[] =
    first.kind === 'paragraph'
      ? [
          {
            ...(before.inlines.length === 0 ? first : before),
            inlines: [...before.inlines, ...first.inlines],
          },
        ]
      : before.inlines.length === 0
        ? [first]
        : [before, first]
  if (last?.kind !== 'paragraph') return { done: [...opened, ...others], rest: [] }
  return { done: [...opened, ...others.slice(0, -1)], rest: last.inlines }
}
