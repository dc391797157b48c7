import type { Block, Paragraph } from '../../../../shared/document/document.ts'
import { authorOf, deletedBlocks } from '../../../../shared/document/revision.ts'
import type { Story } from './story.ts'

/** Tracked changes by their ids, which the text refers to. */
export interface Changes {
  readonly deleted: Map<string, readonly Block[]>
  /** Insertions with the index of their author. */
  readonly inserted: Map<string, number>
  /** Insertions that are open at the current position, with the index of their author. */
  readonly open: Map<string, number>
  readonly authors: Map<string, number>
  /** Whether changes are shown, which is the default. */
  readonly shown: boolean
  /** Whether deleted text is being read, which may end in the middle of a line. */
  reading: boolean
}

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
export function readChanges(story: Story): void {
  const { cursor, shared } = story
  if (!shared.changes.shown) return
  shared.changes.reading = true
  cursor.each((name) => {
    if (name !== 'text:changed-region') return
    const id = cursor.attribute('xml:id') ?? cursor.attribute('text:id') ?? ''
    const { authors, deleted, inserted } = shared.changes
    cursor.each((kind) => {
      const author = authorOf(authors, /<dc:creator>([^<]*)</.exec(cursor.markup())?.[1])
      if (kind === 'text:insertion') inserted.set(id, author)
      else if (kind === 'text:deletion')
        deleted.set(id, deletedBlocks(shared.readBlocks(story, isInformation), author))
    })
  })
  shared.changes.reading = false
}

const isInformation = (name: string): boolean => name === 'office:change-info'

/** Opens or closes an insertion at text:change-start or text:change-end. */
export function markChange({ cursor, shared: { changes } }: Story, name: string): void {
  const id = cursor.attribute('text:change-id') ?? ''
  const author = changes.inserted.get(id)
  if (name === 'text:change-end') changes.open.delete(id)
  else if (author !== undefined) changes.open.set(id, author)
}

/** Returns the text deleted at the current text:change; empty when changes are not shown. */
export function deletedHere({ cursor, shared }: Story): readonly Block[] {
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
