/**
 * Values of fields that follow from the file alone (ECMA-376-1 17.16.5): document properties, dates, buttons
 * and symbols, sequence numbers, and text of bookmarks.
 */

import type { Field, Inline } from '../../../../shared/document/content.ts'
import type { DocumentInformation } from '../../../../shared/document/document.ts'
import type { RunProperties } from '../../../../shared/document/properties.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { spliceAll } from '../../../../shared/push-all.ts'

/**
 * A parsed field instruction (ECMA-376-1 17.16.2): name in capitals, arguments, and switches with their
 * values ('' for none).
 */
export interface Instruction {
  readonly name: string
  readonly args: readonly string[]
  readonly switches: ReadonlyMap<string, string>
}

/** A REF field, resolved by `fillReferences` once all bookmarks have been read. */
export interface FieldReference {
  readonly bookmark: string
  /** The list that contains `marker`, an empty text at the position of the field. */
  readonly home: Inline[]
  readonly marker: Inline
  /** The result saved in the file, which is used when the bookmark has no text. */
  readonly saved: readonly Inline[]
  readonly run: RunProperties
}

/** State shared by all fields of a document. */
export interface FieldSources {
  /** The last number of each SEQ sequence, by its name in lower case. */
  readonly sequences: Map<string, number>
  /** Text of bookmarks that lie inside one paragraph, by name. */
  readonly bookmarks: Map<string, string>
  readonly references: FieldReference[]
  readonly information: () => DocumentInformation
  /** Warns about a field that shows nothing, once for each field name. */
  readonly unknown: (name: string) => void
}

/** Fields that show a document property (17.16.5). */
const properties: Readonly<Record<string, keyof DocumentInformation>> = {
  TITLE: 'title',
  SUBJECT: 'subject',
  KEYWORDS: 'keywords',
  COMMENTS: 'description',
}

/**
 * Current value of a document property field, as LibreOffice updates it; undefined for other fields. The
 * author and similar properties keep their saved text.
 */
export function propertyText({ name, args }: Instruction, sources: FieldSources): string | undefined {
  const property = name === 'DOCPROPERTY' ? (args[0] ?? '').toUpperCase() : name
  const key = name === 'DOCPROPERTY' || args.length === 0 ? entryOf(properties, property) : undefined
  return key === undefined ? undefined : sources.information()[key]
}

/**
 * Name of the bookmark whose text a REF field shows (17.16.5.51); undefined when it refers to a number,
 * position or note.
 */
export function referencedBookmark({ name, args, switches }: Instruction): string | undefined {
  if (name !== 'REF' || args[0] === undefined) return undefined
  return ['\\n', '\\r', '\\w', '\\p', '\\f', '\\d', '\\t'].some((key) => switches.has(key))
    ? undefined
    : args[0]
}

/**
 * Replaces the markers of all references with the current text of their bookmarks. When the text is
 * unchanged, the saved result with its formatting is kept.
 */
export function fillReferences({ references, bookmarks }: FieldSources): void {
  for (const { bookmark, home, marker, saved, run } of references) {
    const at = home.indexOf(marker)
    if (at < 0) continue
    const text = bookmarks.get(bookmark)
    const before = saved.map((inline) => (inline.kind === 'text' ? inline.text : '')).join('')
    const keepsSaved = text === undefined || text === '' || text === before
    const link = saved.find((inline) => inline.kind === 'text')?.link
    spliceAll(home, at, 1, keepsSaved ? saved : [{ kind: 'text', text, run, link } as const])
  }
}

/**
 * Fields whose value is computed at layout time: notes, dates, and list labels of bookmarked paragraphs.
 * Undefined for other fields.
 */
export function referenceField({ name, args, switches }: Instruction): Omit<Field, 'text'> | undefined {
  const of = args[0]
  if (name === 'NOTEREF' && of !== undefined) return { name: 'note-of', of }
  if (name === 'REF' && of !== undefined) {
    if (['\\n', '\\r', '\\w'].some((key) => switches.has(key))) return { name: 'label-of', of }
    return undefined
  }
  if (name !== 'DATE' && name !== 'TIME') return undefined
  const picture = switches.get('\\@')
  return {
    name: 'moment',
    ...(picture !== undefined && { pattern: patternOf(picture) }),
    time: name === 'TIME',
  }
}

/** Translates a date picture (17.16.4.1) into a Unicode date pattern (UTS 35). */
function patternOf(picture: string): string {
  return picture.replace(/'[^']*'|AM\/PM|d+|M+|y+|H+|h+|m+|s+|[A-Za-z]+/gi, (match) => {
    if (/^'|^(d{1,2}|M+|y+|H+|h+|m+|s+)$/.test(match)) return match
    if (/^am\/pm$/i.test(match)) return 'a'
    if (/^d{3,}$/i.test(match)) return 'E'.repeat(match.length)
    if (/^[DY]+$/.test(match))
      return match.length > 2 && match[0] === 'D' ? 'E'.repeat(match.length) : match.toLowerCase()
    return `'${match}'`
  })
}

/** Text of fields that have no saved result: the label of a button, or a symbol with its font. */
export function textWithoutResult(
  { name, args, switches }: Instruction,
  instruction: string,
): { readonly text: string; readonly face?: string } | undefined {
  if (name === 'MACROBUTTON' || name === 'GOTOBUTTON')
    return { text: instruction.trim().replace(/^\S+\s+\S+\s*/, '') }
  if (name !== 'SYMBOL') return undefined
  const code = /^0x/i.test(args[0] ?? '') ? Number.parseInt(args[0]!, 16) : Number.parseInt(args[0] ?? '', 10)
  if (!(code > 31 && code < 0xd800)) return { text: args[0]?.slice(0, 1) ?? '' }
  const face = switches.get('\\f')
  return { text: String.fromCharCode(code), ...(face !== undefined && face !== '' && { face }) }
}

/**
 * Fields that normally show something: without a saved result something is missing on the page, which is
 * worth a warning.
 */
const visible = new Set([
  'AUTONUM',
  'AUTONUMLGL',
  'AUTONUMOUT',
  'BARCODE',
  'DISPLAYBARCODE',
  'EQ',
  'INCLUDEPICTURE',
  'INCLUDETEXT',
  'LISTNUM',
  'MERGEBARCODE',
  'TOC',
])
export const isVisible = (name: string): boolean => visible.has(name)

export type SequenceNumber = { readonly value: number; readonly format?: string }

/**
 * General formatting switches (17.16.4.3) to ST_NumberFormat; the case of the name selects the case of the
 * letters.
 */
const sequenceFormats: Readonly<Record<string, string | undefined>> = {
  arabic: 'decimal',
  mergeformat: 'decimal',
  charformat: 'decimal',
  ROMAN: 'upperRoman',
  Roman: 'upperRoman',
  roman: 'lowerRoman',
  ALPHABETIC: 'upperLetter',
  Alphabetic: 'upperLetter',
  alphabetic: 'lowerLetter',
}

/**
 * Computes the number of a SEQ field (17.16.5.56), because a template may repeat a field that was saved once.
 * Undefined for other fields, and for sequences that are hidden or restart at headings: those keep the saved
 * result, and the next field continues from the count.
 */
export function sequenceNumber(
  { name, args, switches }: Instruction,
  sequences: Map<string, number>,
): SequenceNumber | undefined {
  const of = args[0]?.toLowerCase()
  const named = switches.get('\\*') ?? 'arabic'
  const format = entryOf(sequenceFormats, named) ?? entryOf(sequenceFormats, named.toLowerCase())
  if (name !== 'SEQ' || of === undefined || format === undefined) return undefined
  if (switches.has('\\s') || args.length > 1) return undefined
  const last = sequences.get(of) ?? 0
  const start = Number.parseInt(switches.get('\\r') ?? '', 10)
  const value = Number.isFinite(start) ? start : switches.has('\\c') ? last : last + 1
  if (sequences.size < 1000 || sequences.has(of)) sequences.set(of, value)
  if (switches.has('\\h')) return undefined
  return { value, ...(format !== 'decimal' && { format }) }
}
