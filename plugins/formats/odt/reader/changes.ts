import type { Block, Paragraph } from '../../../../shared/document/document.ts'
import { authorOf, deletedBlocks } from '../../../../shared/document/revision.ts'
import type { Story } from './story.ts'

/** What tracked changes took out of the text and put into it, by the names the text calls them by. */
export interface Changes {
  readonly deleted: Map<string, readonly Block[]>
  /** Insertions, and the places of their authors among all. */
  readonly inserted: Map<string, number>
  /** Insertions that have begun and not ended at this place of the text, with their authors. */
  readonly open: Map<string, number>
  readonly authors: Map<string, number>
  /** The office shows them unless the document says otherwise. */
  readonly shown: boolean
  /** What was deleted is being read: its end may be the middle of a line. */
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

/** text:tracked-changes (ODF 1.3 part 3, 5.5.1). The cursor stands on it. */
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

/** text:change-start and text:change-end of what was inserted. */
export function markChange({ cursor, shared: { changes } }: Story, name: string): void {
  const id = cursor.attribute('text:change-id') ?? ''
  const author = changes.inserted.get(id)
  if (name === 'text:change-end') changes.open.delete(id)
  else if (author !== undefined) changes.open.set(id, author)
}

/** What was deleted where the cursor stands; none when changes are not shown. */
export function deletedHere({ cursor, shared }: Story): readonly Block[] {
  return shared.changes.deleted.get(cursor.attribute('text:change-id') ?? '') ?? []
}

/**
 * Splits a paragraph at several paragraphs that were deleted from it: the first of them ends what came before, the
 * last begins what is to come. `before` is the paragraph so far.
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
