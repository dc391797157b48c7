import type { Field, Inline, Link } from '../../../../shared/document/document.ts'
import type { RunProperties } from '../../../../shared/document/properties.ts'

/** A field instruction taken apart: name in capitals, arguments, switches (ECMA-376-1 17.16). */
export interface Instruction {
  readonly name: string
  readonly args: readonly string[]
  readonly switches: ReadonlyMap<string, string>
}

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
}

/** What a legacy form field holds: a box that is ticked or not, the entry of a list that is chosen. */
export interface FormField {
  readonly check?: boolean
  readonly choice?: string
}

/** The fields that are open at a place of the text, innermost last. */
export class FieldStack {
  readonly #open: OpenField[] = []
  readonly #sequences: Map<string, number>

  constructor(sequences: Map<string, number>) {
    this.#sequences = sequences
  }

  begin(run: RunProperties, form: FormField): void {
    if (this.#open.length < 64) this.#open.push({ instruction: '', phase: 'instruction', first: run, form })
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

  /** Ends the innermost field; returns what the layout must fill in, if it is such a field. */
  end(): Inline | undefined {
    const top = this.#open.pop()
    if (top === undefined) return undefined
    if (top.phase === 'instruction') this.#understand(top)
    const name = top.parsed?.name
    if (name === 'FORMCHECKBOX' && top.form?.check !== undefined)
      return this.#told({ kind: 'text', text: top.form.check ? '\u2612' : '\u2610', run: top.first })
    if (name === 'FORMDROPDOWN' && top.form?.choice !== undefined && top.shown !== true)
      return this.#told({ kind: 'text', text: top.form.choice, run: top.first })
    if (top.value !== undefined)
      return this.#told({
        kind: 'text',
        text: top.value.text,
        run: top.value.run ?? top.first,
        link: this.link,
      })
    if (top.live === undefined) return undefined
    const inline: Inline = {
      kind: 'field',
      field: { ...top.live.field, text: top.live.text },
      run: top.live.run ?? top.first,
      link: this.link,
    }
    return this.#told(inline)
  }

  /** Unless it belongs to a field around it. */
  #told(inline: Inline): Inline | undefined {
    return this.swallow(inline) ? undefined : inline
  }

  /** True when text here belongs to an instruction, or to a result that the layout makes anew. */
  swallow(inline: Inline): boolean {
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const field = this.#open[i]!
      if (field.phase === 'instruction') return true
      if (inline.kind === 'text') field.shown = true
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
    const number = sequenceNumber(parsed, this.#sequences)
    if (number !== undefined) field.value = { text: String(number) }
    const live = liveField(parsed, this.inContents)
    if (live !== undefined) field.live = { field: live, text: '' }
  }
}

/**
 * The number of a SEQ field, counted anew: what a template repeats was saved once. Undefined for other fields and for
 * sequences that hide, start over with a heading or are not written in figures: those keep what was saved.
 */
export function sequenceNumber(
  { name, args, switches }: Instruction,
  sequences: Map<string, number>,
): number | undefined {
  const of = args[0]?.toLowerCase()
  const format = (switches.get('\\*') ?? 'arabic').toLowerCase()
  if (name !== 'SEQ' || of === undefined || (format !== 'arabic' && format !== 'mergeformat'))
    return undefined
  if (switches.has('\\h') || switches.has('\\s') || args.length > 1) return undefined
  const last = sequences.get(of) ?? 0
  const start = Number.parseInt(switches.get('\\r') ?? '', 10)
  const number = Number.isFinite(start) ? start : switches.has('\\c') ? last : last + 1
  if (sequences.size < 1000 || sequences.has(of)) sequences.set(of, number)
  return number
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
      return undefined
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
