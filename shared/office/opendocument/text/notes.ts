import type { Block, Inline } from '../../../document/content.ts'
import type { RunProperties } from '../../../document/properties.ts'
import { elementIn } from '../../../xml/elements.ts'
import { decodeEntities } from '../../../xml/scan.ts'
import { defaultNotes, type NoteKind, type NoteRules } from './notes-configuration.ts'
import type { OdfInlineState } from './part-context.ts'
import { runOf } from './run-styles.ts'
import type { OpenStyles } from './styles.ts'

const raised: RunProperties = { script: 'super' }

/** Formatting that the style of note references adds to the surrounding text; superscript by default. */
function anchorStyle(styles: OpenStyles, name: string | undefined): RunProperties {
  const id = name === undefined ? undefined : `text/${name}`
  return id !== undefined && styles.styles.has(id) ? styles.flatRun(id) : raised
}

/** Reads text:note (6.3): stores its text in `Shared.notes` and returns the reference for the line. */
export function readNote(state: OdfInlineState, run: RunProperties): Inline {
  const { part } = state
  const { cursor, shared, styles } = part
  const kind: NoteKind = cursor.attribute('text:note-class') === 'endnote' ? 'endnote' : 'footnote'
  const rules = styles.notes.get(kind) ?? defaultNotes[kind]
  const key = `${kind}:${shared.notes.size + 1}`
  let label: string | undefined
  cursor.each((name) => {
    if (name === 'text:note-citation') label = cursor.attribute('text:label')
    else if (name === 'text:note-body') {
      const blocks = shared.readBlocks(part)
      const labelStyle = runOf({ ...part, scope: 's' }, rules.labelStyle)
      shared.notes.set(key, {
        kind,
        blocks: marked(blocks, labelStyle, label === undefined ? rules : undefined),
      })
    }
  })
  return { kind: 'note', note: key, run: { ...run, ...anchorStyle(styles, rules.anchorStyle) }, mark: label }
}

/** Reads office:annotation (14.1): stores its text in `Shared.comments` and returns its place in the line. */
export function readComment({ part }: OdfInlineState): Inline {
  const { cursor, shared } = part
  const key = String(shared.comments.size + 1)
  const author = decodeEntities(elementIn(cursor.markup(), 'dc:creator')?.content ?? '').trim()
  const blocks = shared.readBlocks(part)
  shared.comments.set(key, { ...(author !== '' && { author }), blocks })
  return { kind: 'bookmark', name: `comment ${key}`, comment: key }
}

/**
 * Adds the number before the text of the note; `rules` is undefined for a custom label, which has no prefix
 * or suffix.
 */
function marked(
  blocks: readonly Block[],
  run: RunProperties,
  rules: NoteRules | undefined,
): readonly Block[] {
  const [first, ...rest] = blocks
  if (first?.kind !== 'paragraph') return blocks
  const noteNumber: Inline = {
    kind: 'note-mark',
    run,
    ...(rules !== undefined && (rules.prefix !== '' || rules.suffix !== '')
      ? { prefix: rules.prefix, suffix: rules.suffix }
      : {}),
  }
  return [{ ...first, inlines: [noteNumber, ...first.inlines] }, ...rest]
}
