import { type Field, type Inline, mathInline, rubyOf } from '../../../../shared/document/content.ts'
import type { ContentsTable } from '../../../../shared/document/contents.ts'
import type { Link, RunProperties } from '../../../../shared/document/properties.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import { readContentsField } from './contents-field.ts'
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
import type { LegacyField, OpenFormField } from './form-control.ts'

/** Switches that take a value (17.16.5). Their value is the next word, unless that is a switch itself. */
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
/** Switches that take a value in a table of contents only; in references \\n is a flag. */
const ofContents = new Set(['\\n', '\\a'])

/**
 * Parses a field instruction such as `REF name \h`. Quoted arguments may contain escaped quotes and
 * backslashes.
 */
export function parseInstruction(text: string): Instruction {
  const words = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map((match) => ({
    text: match[1] === undefined ? (match[2] ?? '') : match[1].replace(/\\(["\\])/g, '$1'),
    quoted: match[1] !== undefined,
  }))
  const name = (words[0]?.text ?? '').toUpperCase()
  const args: string[] = []
  const switches = new Map<string, string>()
  for (let i = 1; i < words.length; i++) {
    const word = words[i]
    if (word === undefined) break
    if (word.quoted || !word.text.startsWith('\\')) args.push(word.text)
    else {
      const next = words[i + 1]
      const takesValue = valued.has(word.text.toLowerCase()) || (name === 'TOC' && ofContents.has(word.text))
      const takes = takesValue && next !== undefined && !next.text.startsWith('\\')
      switches.set(word.text.toLowerCase(), takes ? next.text : '')
      if (takes) i++
    }
  }
  return { name, args, switches }
}

/**
 * A field between its begin and end characters (17.16.18): first its instruction is collected, then, after
 * the separator, its saved result.
 */
interface OpenField {
  instruction: string
  phase: 'instruction' | 'result'
  parsed?: Instruction
  link?: Link
  /** Set for a field that layout computes. `text` and `run` collect the saved result. */
  live?: { field: Omit<Field, 'text'>; text: string; run?: RunProperties }
  /**
   * Set for a field whose value is known while reading; the saved result is dropped, but its formatting is
   * used.
   */
  value?: { readonly text: string; run?: RunProperties }
  /** Formatting of the begin character, used where the result has none. */
  first: RunProperties
  /** Whether the saved result stays as it is, unless it depends on the page. */
  locked: boolean
  form?: LegacyField
  hasText?: boolean // whether the saved result has text
  /** Set for a reference to a bookmark. The saved result is kept until the text of the bookmark is known. */
  reference?: { readonly bookmark: string; readonly saved: Inline[] }
  /** Set for a table of contents or an index. */
  contents?: ContentsTable | undefined
}

/** Maximum nesting of fields. Deeper ones are only counted, so that begin and end characters stay matched. */
const maxDepth = 64

/**
 * The fields that are open at the current position of the text, innermost last. The reader calls `begin`,
 * `instruction`, `separate` and `end` for the field characters, and offers every inline to `swallow` in
 * between.
 */
export class FieldStack {
  readonly #open: OpenField[] = []
  /** Open fields beyond `maxDepth`. */
  #tooDeep = 0
  readonly #sources: FieldSources
  /** The last table of contents whose instruction was read, until `takeContents` hands it over. */
  #begun: ContentsTable | undefined

  constructor(sources: FieldSources) {
    this.#sources = sources
  }

  /** Opens a field; `run` formats its begin character. The saved result of a locked field is kept (w:fldLock). */
  begin(run: RunProperties, form: LegacyField, locked: boolean): void {
    if (this.#open.length >= maxDepth) this.#tooDeep++
    else this.#open.push({ instruction: '', phase: 'instruction', first: run, form, locked })
  }

  /** Whether the current position is in an instruction, whose text and paragraph marks are not part of the text. */
  get inInstruction(): boolean {
    return this.#open.some(({ phase }) => phase === 'instruction')
  }

  /**
   * Adds text to the instruction of the innermost field. The length is limited, since a field may never end.
   */
  instruction(text: string): void {
    const top = this.#open.at(-1)
    if (top?.phase === 'instruction' && top.instruction.length < 20_000) top.instruction += text
  }

  /** Handles the separator: the instruction is complete and the saved result begins. */
  separate(): void {
    const top = this.#open.at(-1)
    if (top === undefined || top.phase === 'result') return
    this.#understand(top)
    top.phase = 'result'
  }

  /** Ends the innermost field. Its result is added to `home`, unless an enclosing field takes it. */
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
      const inline = this.#computed(top)
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

  /**
   * Called at the end of a paragraph. References that are still open keep their saved result in this
   * paragraph.
   */
  flush(home: Inline[]): void {
    for (const field of this.#open) {
      if (field.reference === undefined) continue
      pushAll(home, field.reference.saved)
      field.reference = undefined
    }
  }

  /** Computes what the field shows instead of its saved result; undefined when the saved result is kept. */
  #computed(top: OpenField): Inline | undefined {
    const name = top.parsed?.name ?? ''
    const text = (words: string, run = top.first): Inline => ({
      kind: 'text',
      text: words,
      run,
      link: this.link,
    })
    if (name === 'FORMCHECKBOX' && top.form?.check !== undefined)
      return {
        ...text(top.form.check ? '\u2612' : '\u2610', { ...top.first, isFormBox: true }),
        ...(top.form.form !== undefined && { control: top.form.form.field }),
      }
    if (name === 'FORMDROPDOWN' && top.form?.choice !== undefined && top.hasText !== true)
      return chosen(top.form, text(top.form.choice))
    if (top.value !== undefined) return text(top.value.text, top.value.run)
    if (top.live !== undefined) {
      const { field, text: saved, run = top.first } = top.live
      return { kind: 'field', field: { ...field, text: saved }, run, link: this.link }
    }
    if (top.hasText === true || top.parsed === undefined) return undefined
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

  /**
   * Returns whether an inline at this position is not part of the text: because it belongs to an instruction,
   * or to a saved result that is replaced. Bookmarks in such results are kept.
   */
  swallow(inline: Inline): boolean {
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const field = this.#open[i]
      if (field === undefined) break
      if (field.phase === 'instruction') return true
      if (inline.kind === 'text') field.hasText = true
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

  /** The link of the innermost HYPERLINK field around the current position. */
  get link(): Link | undefined {
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const link = this.#open[i]!.link
      if (link !== undefined) return link
    }
    return undefined
  }

  /** The legacy form field whose result is at the current position. */
  get control(): OpenFormField | undefined {
    const top = this.#open.at(-1)
    return top?.phase === 'result' ? top.form?.form : undefined
  }

  /** The table of contents or index around the current position. */
  get contents(): ContentsTable | undefined {
    return this.#open.find((field) => field.contents !== undefined)?.contents
  }

  /** The table of contents that began since the last call; at most one in each paragraph. */
  takeContents(): ContentsTable | undefined {
    const begun = this.#begun
    this.#begun = undefined
    return begun
  }

  /** Parses the complete instruction and decides how the field gets its result. */
  #understand(field: OpenField): void {
    const parsed = parseInstruction(field.instruction)
    field.parsed = parsed
    if (parsed.name === 'HYPERLINK') field.link = linkOf(parsed)
    field.contents = readContentsField(parsed)
    this.#begun = field.contents ?? this.#begun
    const bookmark = referencedBookmark(parsed)
    if (bookmark !== undefined && !field.locked) field.reference = { bookmark, saved: [] }
    const { live, text } = resolveField(parsed, this.#sources, this.contents !== undefined)
    if (text !== undefined && (!field.locked || silent.has(parsed.name))) field.value = { text }
    if (live !== undefined && !(field.locked && live.name === 'moment'))
      field.live = { field: live, text: '' }
  }
}

/** The selected entry of a list as the content of its field. */
function chosen({ form, choice = '' }: LegacyField, inline: Inline): Inline {
  if (form === undefined) return inline
  form.field.value = choice
  return { ...inline, control: form.field } as Inline
}

/** The equation of an EQ field; Word never saves a result for these fields. */
function equationOf(instruction: string, run: RunProperties, link: Link | undefined): Inline | undefined {
  const read = readEqField(instruction)
  if (read?.kind === 'ruby') return rubyOf(read.base, read.above, run, link)
  return read === undefined
    ? undefined
    : mathInline(read.math, { run, link, size: run.size, color: run.color })
}

/** Fields that give a bookmark its text and show nothing where they stand, although a result is saved (17.16.5.57, 17.16.5.3). */
const silent: ReadonlySet<string> = new Set(['SET', 'ASK'])

/**
 * Determines a field's value from its instruction: its text, or that layout computes it; neither when the
 * saved result is kept.
 */
function resolveField(
  parsed: Instruction,
  sources: FieldSources,
  inContents: boolean,
): { readonly live?: Omit<Field, 'text'>; readonly text?: string } {
  if (silent.has(parsed.name)) return { text: '' }
  const number = sequenceNumber(parsed, sources.sequences)
  if (number?.format !== undefined) return { live: { name: 'number', ...number } }
  const text = number === undefined ? propertyText(parsed, sources) : String(number.value)
  if (text !== undefined) return { text }
  const live = liveField(parsed, inContents)
  return live === undefined ? {} : { live }
}

/**
 * Returns the field to be computed at layout time; undefined for others. Page references inside a table of
 * contents keep their saved numbers.
 */
export function liveField(instruction: Instruction, inContents: boolean): Omit<Field, 'text'> | undefined {
  const format =
    entryOf(pageFormats, (instruction.switches.get('\\*') ?? '').toLowerCase()) ??
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
      return { name: 'page-of', of: instruction.args[0], format, ...(inContents && { saved: true }) }
    default:
      return referenceField(instruction)
  }
}

/** General formatting switches (17.16.4.3), in lower case, to ST_NumberFormat. */
const pageFormats: Readonly<Record<string, string>> = {
  arabic: 'decimal',
  arabicdash: 'numberInDash',
  ordinal: 'ordinal',
  cardtext: 'cardinalText',
  ordtext: 'ordinalText',
  hex: 'hex',
}
/** Formatting switches whose case matters: 'roman' and 'ROMAN' differ. */
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

/** The link of a field HYPERLINK "address" \l "bookmark" (17.16.5.25). */
export function linkOf(instruction: Instruction): Link | undefined {
  const anchor = instruction.switches.get('\\l')
  const href = instruction.args[0]
  if (href === undefined || href === '') return anchor === undefined ? undefined : { anchor }
  return { href: anchor === undefined ? href : `${href}#${anchor}` }
}
