import type { NoteSettings } from '../../../document/section.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { integer } from '../values.ts'
import { counterFormat } from './counters.ts'

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
export const defaultNotes: Readonly<Record<NoteKind, NoteRules>> = {
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
  const defaults = defaultNotes[kind]
  const numbering = cursor.attribute('text:start-numbering-at')
  into.set(kind, {
    format: counterFormat(cursor, defaults.format),
    start: (integer(cursor.attribute('text:start-value')) ?? 0) + 1,
    restart: numbering === 'page' ? 'page' : numbering === 'chapter' ? 'section' : 'continuous',
    place: cursor.attribute('text:footnotes-position') === 'document' ? 'document' : defaults.place,
    prefix: cursor.attribute('style:num-prefix') ?? '',
    suffix: cursor.attribute('style:num-suffix') ?? '',
    labelStyle: cursor.attribute('text:citation-style-name'),
    anchorStyle: cursor.attribute('text:citation-body-style-name'),
    master: cursor.attribute('text:master-page-name'),
  })
}
