/**
 * Footnotes, endnotes and comments of text that repeats. They are in separate parts and are referred to by number. Each is
 * written at the position of its reference, with the items of the loops around it, and each copy gets its own number. Source:
 * template language 2.4 and 11.3; ECMA-376-1, 17.11 and 17.13.4.
 */

import { collector } from '../../../../shared/office/collect.ts'
import type { Repeat, RepeatSource } from '../../../../shared/office/opc/open.ts'
import { inOneTag } from '../../../../shared/template/media/tokens.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import type { ElementToken, Token } from '../../../../shared/template/scan/tokens.ts'
import { type RenderScope, type ScopeKey, scopeKey } from '../../../../shared/template/scope.ts'
import type { TemplatePart } from '../../../../shared/template/template-part.ts'
import {
  attributeOf,
  replaceAttribute,
  replaceElements,
  replaceTags,
  withoutAttributes,
} from '../../../../shared/xml/elements.ts'

const body = 'word/document.xml'
const kinds = [
  { part: 'word/footnotes.xml', element: 'w:footnote', reference: 'w:footnoteReference', range: '' },
  { part: 'word/endnotes.xml', element: 'w:endnote', reference: 'w:endnoteReference', range: '' },
  {
    part: 'word/comments.xml',
    element: 'w:comment',
    reference: 'w:commentReference',
    range: 'w:commentRange',
  },
] as const

/** The elements without content that refer to notes or bound commented text. */
const referenceNames = kinds.flatMap(({ reference, range }) =>
  range === '' ? [reference] : [reference, `${range}Start`, `${range}End`],
)

type NotePartKind = (typeof kinds)[number]

/** The notes of one part of the template. */
interface NotesPart {
  readonly kind: NotePartKind
  readonly part: TemplatePart
  readonly texts: ReadonlyMap<string, string> // number -> the note's markup
  readonly highest: number
  readonly key: ScopeKey<WrittenNotes>
}

/** The notes of one part that a render has written so far. */
interface WrittenNotes {
  /** Number in the template -> how many copies have been written. */
  readonly copies: Map<string, number>
  readonly texts: string[]
  /** Comments whose commented text has begun and not ended: number in the template -> number of the copy. */
  readonly open: Map<string, string>
  /** The highest number in use, for the next copy. */
  last: number
  /** The number of the note whose text is being written. */
  current: string
}

/** Returns undefined if no note can repeat in this document. */
export function repeatNotes({ parts }: RepeatSource): Repeat | undefined {
  const document = parts.find(({ name }) => name === body)
  if (document === undefined || !document.text.includes('+1')) return undefined
  const notesParts = kinds.flatMap((kind): NotesPart[] => {
    const part = parts.find(({ name }) => name === kind.part)
    if (part === undefined || !document.text.includes(`<${kind.reference} `)) return []
    const texts = new Map<string, string>()
    let highest = 0
    replaceElements(part.text, kind.element, (attributes, content) => {
      const id = idOf(attributes)
      highest = Math.max(highest, Number(id) || 0)
      // Separators are referred to by the settings, not by the text.
      if (id !== undefined && content !== undefined && attributeOf(attributes, 'w:type') === undefined)
        texts.set(id, `<${kind.element}${attributes}>${content}</${kind.element}>`)
      return undefined
    })
    return texts.size === 0 ? [] : [{ kind, part, texts, highest, key: scopeKey(`notes of ${part.name}`) }]
  })
  if (notesParts.length === 0) return undefined
  const behind = new Set<string>(notesParts.map(({ part }) => part.name))
  return {
    // The text of a note must precede the parts that depend on it.
    parts: [
      ...parts.filter(({ name }) => !behind.has(name)),
      ...parts.filter(({ name }) => behind.has(name)),
    ],
    finish: () => undefined,
    prepare(part, tokens, rules) {
      if (part === body)
        return inOneTag(tokens, referenceNames).flatMap((token) => references(token, notesParts, rules))
      const notesPart = notesParts.find((each) => each.part.name === part)
      if (notesPart === undefined) return tokens
      const [first] = tokens
      return first?.kind === 'open' && first.name === notesPart.kind.element
        ? numbered(tokens, notesPart)
        : rest(tokens, notesPart)
    },
  }
}

const idOf = (raw: string): string | undefined => attributeOf(raw, 'w:id')
const withId = (raw: string, id: string): string => replaceAttribute(raw, 'w:id', id)

/** Removes the paragraph ids of a note, which copies must not share ([MS-DOCX] 2.6.2.3). */
const withoutIdentity = (note: string): string =>
  replaceTags(note, (tag) =>
    tag.includes(' w14:')
      ? withoutAttributes(tag, (name) => name === 'w14:paraId' || name === 'w14:textId')
      : tag,
  )

const writtenIn = (scope: RenderScope, notesPart: NotesPart): WrittenNotes =>
  scope.obtain(notesPart.key, () => ({
    copies: new Map(),
    texts: [],
    open: new Map(),
    last: notesPart.highest,
    current: '',
  }))

/** The number of the next copy of a note. The first copy keeps the original number. */
function next(written: WrittenNotes, id: string): string {
  const copies = written.copies.get(id) ?? 0
  written.copies.set(id, copies + 1)
  if (copies === 0) return id
  written.last += 1
  return String(written.last)
}

/** A token that refers to a note, or begins or ends the text of a comment. */
function references(token: Token, notesParts: readonly NotesPart[], rules: FormatRules): Token[] {
  if (token.kind !== 'void') return [token]
  for (const notesPart of notesParts) {
    const { reference, range } = notesPart.kind
    const id = idOf(token.raw)
    if (id === undefined || !notesPart.texts.has(id)) continue
    if (token.name === reference) return noteReference(token, id, notesPart, rules)
    if (range === '' || !token.name.startsWith(range)) continue
    const begins = token.name.endsWith('Start')
    const compute = (scope: RenderScope) => {
      const written = writtenIn(scope, notesPart)
      if (begins) written.open.set(id, next(written, id))
      return withId(token.raw, written.open.get(id) ?? id)
    }
    return [{ kind: 'computed', offset: token.offset, compute }]
  }
  return [token]
}

function noteReference(token: ElementToken, id: string, notesPart: NotesPart, rules: FormatRules): Token[] {
  const { name, offset } = token
  const text = notesPart.texts.get(id)!
  const inside: Token = {
    kind: 'computed',
    offset,
    compute: () => '',
    embedded: {
      packages: [{ format: 'docx', rules, parts: [{ name: notesPart.part.name, syntax: 'xml', text }] }],
      write(scope, [fill]) {
        const written = writtenIn(scope, notesPart)
        const first = !written.copies.has(id) || (written.open.has(id) && written.copies.get(id) === 1)
        written.current = written.open.get(id) ?? next(written, id)
        written.open.delete(id)
        const { writer, texts } = collector()
        fill!(writer, scope)
        const note = texts.get(notesPart.part.name) ?? text
        written.texts.push(first ? note : withoutIdentity(note))
        return withId(token.raw.slice(`<${name}`.length, -2), written.current)
      },
    },
  }
  return [{ kind: 'open', name, raw: `<${name}`, offset }, inside, { kind: 'close', name, raw: '/>', offset }]
}

/** The tokens of a note for one reference, with the number of this copy. */
function numbered(tokens: readonly Token[], notesPart: NotesPart): Token[] {
  const [first, ...others] = tokens as [ElementToken, ...Token[]]
  const compute = (scope: RenderScope) => withId(first.raw, writtenIn(scope, notesPart).current)
  return [{ ...first, raw: '' }, { kind: 'computed', offset: first.offset, compute }, ...others]
}

/** The remaining tokens of the part. The notes that references write are inserted at the position of the first of them. */
function rest(tokens: readonly Token[], notesPart: NotesPart): Token[] {
  const out: Token[] = []
  let depth = 0
  let isWritten = false
  for (const token of tokens) {
    const element = token.kind === 'open' && token.name === notesPart.kind.element
    if (depth === 0 && element && notesPart.texts.has(idOf(token.raw) ?? '')) {
      depth = 1
      if (!isWritten) {
        const compute = (scope: RenderScope) => writtenIn(scope, notesPart).texts.join('')
        out.push({ kind: 'computed', offset: token.offset, compute })
      }
      isWritten = true
    } else if (depth > 0) {
      if (token.kind === 'open') depth += 1
      else if (token.kind === 'close') depth -= 1
    } else out.push(token)
  }
  return out
}
