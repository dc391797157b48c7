/**
 * What single fields show, as far as the file alone tells (ECMA-376-1 17.16.5): properties of the document, the day,
 * buttons and symbols, numbers of sequences, parts of the text that are named by a bookmark.
 */
import type { DocumentInformation, Field, Inline } from '../../../../shared/document/document.ts'
import type { RunProperties } from '../../../../shared/document/properties.ts'

/** A field instruction taken apart: name in capitals, arguments, switches (ECMA-376-1 17.16). */
export interface Instruction {
  readonly name: string
  readonly args: readonly string[]
  readonly switches: ReadonlyMap<string, string>
}

/** A reference to the text of a bookmark; filled in when all bookmarks have been read. */
export interface Reference {
  readonly bookmark: string
  /** The list that holds `marker` in place of what was saved. */
  readonly home: Inline[]
  readonly marker: Inline
  readonly saved: readonly Inline[]
  readonly run: RunProperties
}

/** What the fields of a document share. */
export interface FieldSources {
  /** The last number of each sequence. */
  readonly sequences: Map<string, number>
  /** Texts of bookmarks inside one paragraph, in the order they are read. */
  readonly bookmarks: Map<string, string>
  readonly references: Reference[]
  readonly information: () => DocumentInformation
  /** Tells once of a field that shows nothing. */
  readonly unknown: (name: string) => void
}

const properties: Readonly<Record<string, keyof DocumentInformation>> = {
  TITLE: 'title',
  SUBJECT: 'subject',
  KEYWORDS: 'keywords',
  COMMENTS: 'description',
}

/** Properties that are looked up anew, as LibreOffice does; the author and the like stay as they were saved. */
export function propertyText({ name, args }: Instruction, sources: FieldSources): string | undefined {
  const asked = name === 'DOCPROPERTY' ? (args[0] ?? '').toUpperCase() : name
  const key = name === 'DOCPROPERTY' || args.length === 0 ? properties[asked] : undefined
  return key === undefined ? undefined : sources.information()[key]
}

/** REF to text, not to a number, a place or a note. */
export function referencedBookmark({ name, args, switches }: Instruction): string | undefined {
  if (name !== 'REF' || args[0] === undefined) return undefined
  return ['\\n', '\\r', '\\w', '\\p', '\\f', '\\d', '\\t'].some((key) => switches.has(key))
    ? undefined
    : args[0]
}

/** Puts the present text of their bookmarks in place of references; equal text keeps the look it was saved in. */
export function fillReferences({ references, bookmarks }: FieldSources): void {
  for (const { bookmark, home, marker, saved, run } of references) {
    const at = home.indexOf(marker)
    if (at < 0) continue
    const text = bookmarks.get(bookmark)
    const before = saved.map((inline) => (inline.kind === 'text' ? inline.text : '')).join('')
    const kept = text === undefined || text === '' || text === before
    const link = saved.find((inline) => inline.kind === 'text')?.link
    home.splice(at, 1, ...(kept ? saved : [{ kind: 'text', text, run, link } as const]))
  }
}

/** Fields whose value the layout knows better than the file: places, days, numbers of paragraphs and notes. */
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

/** A date picture of Word (17.16.4.1) in the letters of Unicode's patterns. */
export function patternOf(picture: string): string {
  return picture.replace(/'[^']*'|AM\/PM|d+|M+|y+|H+|h+|m+|s+|[A-Za-z]+/gi, (piece) => {
    if (/^'|^(d{1,2}|M+|y+|H+|h+|m+|s+)$/.test(piece)) return piece
    if (/^am\/pm$/i.test(piece)) return 'a'
    if (/^d{3,}$/i.test(piece)) return 'E'.repeat(piece.length)
    if (/^[DY]+$/.test(piece))
      return piece.length > 2 && piece[0] === 'D' ? 'E'.repeat(piece.length) : piece.toLowerCase()
    return `'${piece}'`
  })
}

/** What a field without a saved result shows: the words of a button, a symbol. */
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

/** Fields that are there to be seen: without a saved result something is missing on the page. */
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
 * The number of a SEQ field, counted anew: what a template repeats was saved once. Undefined for other fields and for
 * sequences that hide or start over with a heading: those keep what was saved, and the next one goes on from there.
 */
export function sequenceNumber(
  { name, args, switches }: Instruction,
  sequences: Map<string, number>,
): SequenceNumber | undefined {
  const of = args[0]?.toLowerCase()
  const named = switches.get('\\*') ?? 'arabic'
  const format = sequenceFormats[named] ?? sequenceFormats[named.toLowerCase()]
  if (name !== 'SEQ' || of === undefined || format === undefined) return undefined
  if (switches.has('\\s') || args.length > 1) return undefined
  const last = sequences.get(of) ?? 0
  const start = Number.parseInt(switches.get('\\r') ?? '', 10)
  const value = Number.isFinite(start) ? start : switches.has('\\c') ? last : last + 1
  if (sequences.size < 1000 || sequences.has(of)) sequences.set(of, value)
  if (switches.has('\\h')) return undefined
  return { value, ...(format !== 'decimal' && { format }) }
}
