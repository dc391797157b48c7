import {
  type Field,
  type Inline,
  type Link,
  mathInline,
  rubyOf,
} from '../../../../shared/document/document.ts'
import type { RunProperties } from '../../../../shared/document/properties.ts'
import { readEqField } from './eq-field.ts'
import {
  type FieldSources,
  type Instruction,
  isVisible,
  propertyText,
  referencedBookmark,
  referenceField,
  sequenceNumber,
  textWithoutResult,
} from './field-values.ts'

/** Switches that are followed by a value. */
const valued = new Set([
  '\\*',
  '\\@',
  '\\#',
  '\\l',
  '\\o',
  '\\t',
  '\\b',
  '\\s',
  '\\d',
  '\\c',
  '\\e',
  '\\f',
  '\\p',
  '\\r',
])

export function parseInstruction(text: string): Instruction {
  const words = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map((match) => ({
    text: match[1] === undefined ? match[2]! : match[1].replace(/\\(["\\])/g, '$1'),
    quoted: match[1] !== undefined,
  }))
  const args: string[] = []
  const switches = new Map<string, string>()
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!
    if (word.quoted || !word.text.startsWith('\\')) args.push(word.text)
    else {
      const next = words[i + 1]
      const takes = valued.has(word.text.toLowerCase()) && next !== undefined && !next.text.startsWith('\\')
      switches.set(word.text.toLowerCase(), takes ? next.text : '')
      if (takes) i++
    }
  }
  return { name: (words[0]?.text ?? '').toUpperCase(), args, switches }
}

interface OpenField {
  instruction: string
  phase: 'instruction' | 'result'
  parsed?: Instruction
  link?: Link
  /** Set for a field the layout fills in: what its result said goes here instead of the text. */
  live?: { field: Omit<Field, 'text'>; text: string; run?: RunProperties }
  /** Set for a field whose value is known here: its saved result is passed over. */
  value?: { readonly text: string; run?: RunProperties }
  first: RunProperties
  form?: FormField
  shown?: boolean // the saved result has text
  /** Set for a reference to a bookmark: what was saved waits until the text of the bookmark is known. */
  reference?: { readonly bookmark: string; readonly saved: Inline[] }
}

/** What a legacy form field holds: a box that is ticked or not, the entry of a list that is chosen. */
export interface FormField {
  readonly check?: boolean
  readonly choice?: string
}

/** Fields inside fields beyond this are not told apart. */
const deepestField = 64

/** The fields that are open at a place of the text, innermost last. */
export class FieldStack {
  readonly #open: OpenField[] = []
  #tooDeep = 0
  readonly #sources: FieldSources

  constructor(sources: FieldSources) {
    this.#sources = sources
  }

  begin(run: RunProperties, form: FormField): void {
    if (this.#open.length >= deepestField) this.#tooDeep++
    else this.#open.push({ instruction: '', phase: 'instruction', first: run, form })
  }

  instruction(text: string): void {
    const top = this.#open.at(-1)
    if (top?.phase === 'instruction' && top.instruction.length < 20_000) top.instruction += text
  }

  separate(): void {
    const top = this.#open.at(-1)
    if (top === undefined || top.phase === 'result') return
    this.#understand(top)
    top.phase = 'result'
  }

  /** Ends the innermost field; what it shows goes to `home` unless a field around it takes it. */
  end(home: Inline[]): void {
    if (this.#tooDeep > 0) {
      this.#tooDeep--
      return
    }
    const top = this.#open.pop()
    if (top === undefined) return
    if (top.phase === 'instruction') this.#understand(top)
    const { reference } = top
    if (reference === undefined) {
      const inline = this.#shown(top)
      if (inline !== undefined && !this.swallow(inline)) home.push(inline)
      return
    }
    const marker: Inline = { kind: 'text', text: '', run: top.first }
    if (this.swallow(marker)) return
    home.push(marker)
    const { bookmark, saved } = reference
    const run = saved.find((inline) => inline.kind === 'text')?.run ?? top.first
    this.#sources.references.push({ bookmark, home, marker, saved, run })
  }

  /** A paragraph ends: what references saved until here stays in it. */
  flush(home: Inline[]): void {
    for (const field of this.#open) {
      if (field.reference === undefined) continue
      home.push(...field.reference.saved)
      field.reference = undefined
    }
  }

  /** What the field shows in place of its saved result; undefined when that stays. */
  #shown(top: OpenField): Inline | undefined {
    const name = top.parsed?.name ?? ''
    const text = (words: string, run = top.first): Inline => ({
      kind: 'text',
      text: words,
      run,
      link: this.link,
    })
    if (name === 'FORMCHECKBOX' && top.form?.check !== undefined)
      return text(top.form.check ? '\u2612' : '\u2610')
    if (name === 'FORMDROPDOWN' && top.form?.choice !== undefined && top.shown !== true)
      return text(top.form.choice)
    if (top.value !== undefined) return text(top.value.text, top.value.run)
    if (top.live !== undefined) {
      const { field, text: saved, run = top.first } = top.live
      return { kind: 'field', field: { ...field, text: saved }, run, link: this.link }
    }
    if (top.shown === true || top.parsed === undefined) return undefined
    if (name === 'EQ') {
      const equation = equationOf(top.instruction, top.first, this.link)
      if (equation !== undefined) return equation
    }
    const words = textWithoutResult(top.parsed, top.instruction)
    if (words === undefined) {
      if (top.phase === 'instruction' && isVisible(name)) this.#sources.unknown(name)
      return undefined
    }
    const { face } = words
    if (face === undefined) return text(words.text)
    const fonts = { ascii: face, other: face, eastAsia: face, complex: face }
    return text(words.text, { ...top.first, fonts })
  }

  /** True when text here belongs to an instruction, or to a result that the layout makes anew. */
  swallow(inline: Inline): boolean {
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const field = this.#open[i]!
      if (field.phase === 'instruction') return true
      if (inline.kind === 'text') field.shown = true
      if (field.reference !== undefined) {
        if (field.reference.saved.length < 10_000) field.reference.saved.push(inline)
        return true
      }
      if (field.value !== undefined) {
        if (inline.kind === 'text') field.value.run ??= inline.run
        return inline.kind !== 'bookmark'
      }
      if (field.live !== undefined) {
        if (inline.kind === 'text') {
          field.live.text += inline.text
          field.live.run ??= inline.run
        }
        return inline.kind !== 'bookmark'
      }
    }
    return false
  }

  get link(): Link | undefined {
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const link = this.#open[i]!.link
      if (link !== undefined) return link
    }
    return undefined
  }

  get inContents(): boolean {
    return this.#open.some((field) => field.parsed?.name === 'TOC' || field.parsed?.name === 'INDEX')
  }

  #understand(field: OpenField): void {
    const parsed = parseInstruction(field.instruction)
    field.parsed = parsed
    if (parsed.name === 'HYPERLINK') field.link = linkOf(parsed)
    const bookmark = referencedBookmark(parsed)
    if (bookmark !== undefined) field.reference = { bookmark, saved: [] }
    const { live, text } = knownField(parsed, this.#sources, this.inContents)
    if (text !== undefined) field.value = { text }
    if (live !== undefined) field.live = { field: live, text: '' }
  }
}

/** An EQ field without a saved result, which Word never keeps. */
function equationOf(instruction: string, run: RunProperties, link: Link | undefined): Inline | undefined {
  const read = readEqField(instruction)
  if (read?.kind === 'ruby') return rubyOf(read.base, read.above, run, link)
  return read === undefined
    ? undefined
    : mathInline(read.math, { run, link, size: run.size, color: run.color })
}

/** What is known of a field before its saved result is read: its text, or that the layout fills it in. */
function knownField(
  parsed: Instruction,
  sources: FieldSources,
  inContents: boolean,
): { readonly live?: Omit<Field, 'text'>; readonly text?: string } {
  const number = sequenceNumber(parsed, sources.sequences)
  if (number?.format !== undefined) return { live: { name: 'number', ...number } }
  const text = number === undefined ? propertyText(parsed, sources) : String(number.value)
  if (text !== undefined) return { text }
  const live = liveField(parsed, inContents)
  return live === undefined ? {} : { live }
}

/** Fields whose value the layout knows better than the file. A contents table keeps the numbers it was saved with. */
export function liveField(instruction: Instruction, inContents: boolean): Omit<Field, 'text'> | undefined {
  const format =
    pageFormats[(instruction.switches.get('\\*') ?? '').toLowerCase()] ??
    caseSensitiveFormat(instruction.switches.get('\\*'))
  switch (instruction.name) {
    case 'PAGE':
      return { name: 'page', format }
    case 'NUMPAGES':
      return { name: 'pages', format }
    case 'SECTIONPAGES':
      return { name: 'section-pages', format }
    case 'SECTION':
      return { name: 'section', format }
    case 'PAGEREF':
      return inContents ? undefined : { name: 'page-of', of: instruction.args[0], format }
    default:
      return referenceField(instruction)
  }
}

const pageFormats: Readonly<Record<string, string>> = {
  arabic: 'decimal',
  arabicdash: 'numberInDash',
  ordinal: 'ordinal',
  cardtext: 'cardinalText',
  ordtext: 'ordinalText',
  hex: 'hex',
}
/** 'roman' against 'ROMAN': the case is the meaning. */
function caseSensitiveFormat(text: string | undefined): string | undefined {
  switch (text) {
    case 'roman':
      return 'lowerRoman'
    case 'ROMAN':
    case 'Roman':
      return 'upperRoman'
    case 'alphabetic':
      return 'lowerLetter'
    case 'ALPHABETIC':
    case 'Alphabetic':
      return 'upperLetter'
    default:
      return undefined
  }
}

/** HYPERLINK "address" \l "bookmark". */
export function linkOf(instruction: Instruction): Link | undefined {
  const anchor = instruction.switches.get('\\l')
  const href = instruction.args[0]
  if (href === undefined || href === '') return anchor === undefined ? undefined : { anchor }
  return { href: anchor === undefined ? href : `${href}#${anchor}` }
}
