import type { Block, Inline, NoteSettings } from '../../../../shared/document/document.ts'
import type { RunProperties } from '../../../../shared/document/properties.ts'
import type { XmlCursor } from '../../../../shared/document/xml-cursor.ts'
import { counterFormat } from './counters.ts'
import { runOf } from './run-styles.ts'
import type { InlineState } from './story.ts'
import type { OpenStyles } from './styles.ts'
import { integer } from './values.ts'

export type NoteKind = 'footnote' | 'endnote'

/** Configuration of footnotes or endnotes, text:notes-configuration (ODF 1.3 part 3, 16.32). */
export interface NoteRules extends NoteSettings {
  /** Text around the number in the note itself; the reference in the text shows the number alone. */
  readonly prefix: string
  readonly suffix: string
  /** Name of the text style of the number in the note. */
  readonly labelStyle?: string
  /** Name of the text style of the reference in the text. */
  readonly anchorStyle?: string
  /** Name of the page style of notes at the end of the document. */
  readonly master?: string
}

/** Configuration of notes that the document does not configure. */
export const plainNotes: Readonly<Record<NoteKind, NoteRules>> = {
  footnote: { format: 'decimal', start: 1, restart: 'continuous', place: 'page', prefix: '', suffix: '' },
  endnote: {
    format: 'lowerRoman',
    start: 1,
    restart: 'continuous',
    place: 'document',
    prefix: '',
    suffix: '',
  },
}

/** Reads text:notes-configuration, on which the cursor stands. In the file numbering starts from 0. */
export function readNotesConfiguration(cursor: XmlCursor, into: Map<NoteKind, NoteRules>): void {
  const kind = cursor.attribute('text:note-class') === 'endnote' ? 'endnote' : 'footnote'
  const plain = plainNotes[kind]
  const numbering = cursor.attribute('text:start-numbering-at')
  into.set(kind, {
    format: counterFormat(cursor, plain.format),
    start: (integer(cursor.attribute('text:start-value')) ?? 0) + 1,
    restart: numbering === 'page' ? 'page' : numbering === 'chapter' ? 'section' : 'continuous',
    place: cursor.attribute('text:footnotes-position') === 'document' ? 'document' : plain.place,
    prefix: cursor.attribute('style:num-prefix') ?? '',
    suffix: cursor.attribute('style:num-suffix') ?? '',
    labelStyle: cursor.attribute('text:citation-style-name'),
    anchorStyle: cursor.attribute('text:citation-body-style-name'),
    master: cursor.attribute('text:master-page-name'),
  })
}

const raised: RunProperties = { script: 'super' }

/** Formatting that the style of note references adds to the surrounding text; superscript by default. */
function anchorLook(styles: OpenStyles, name: string | undefined): RunProperties {
  const id = name === undefined ? undefined : `text/${name}`
  return id !== undefined && styles.styles.has(id) ? styles.flatRun(id) : raised
}

/** Reads text:note (6.3): stores its text in `Shared.notes` and returns the reference for the line. */
export function readNote(state: InlineState, run: RunProperties): Inline {
  const { story } = state
  const { cursor, shared, styles } = story
  const kind: NoteKind = cursor.attribute('text:note-class') === 'endnote' ? 'endnote' : 'footnote'
  const rules = styles.notes.get(kind) ?? plainNotes[kind]
  const key = `${kind}:${shared.notes.size + 1}`
  let label: string | undefined
  cursor.each((name) => {
    if (name === 'text:note-citation') label = cursor.attribute('text:label')
    else if (name === 'text:note-body') {
      const blocks = shared.readBlocks(story)
      const look = runOf({ ...story, scope: 's' }, rules.labelStyle)
      shared.notes.set(key, { kind, blocks: marked(blocks, look, label === undefined ? rules : undefined) })
    }
  })
  return { kind: 'note', note: key, run: { ...run, ...anchorLook(styles, rules.anchorStyle) }, mark: label }
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
  const mark: Inline = {
    kind: 'note-mark',
    run,
    ...(rules !== undefined && (rules.prefix !== '' || rules.suffix !== '')
      ? { prefix: rules.prefix, suffix: rules.suffix }
      : {}),
  }
  return [{ ...first, inlines: [mark, ...first.inlines] }, ...rest]
}
