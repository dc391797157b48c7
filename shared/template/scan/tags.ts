/**
 * Finds tags in a list of lexemes. Word processors cut a tag over several runs. The markup inside it is moved out: behind the
 * tag, or before it where the tag ends a block. Source: template language 2.3.
 */
import { AppError } from '../../errors/app-error.ts'
import type { Limits } from '../limits.ts'
import type { FormatRules } from '../rules.ts'
import { TagReader } from './tag-text.ts'
import type { ElementToken, TagContext, TextToken, Token } from './tokens.ts'
import { decodeEntities, type Lexeme } from './xml.ts'

export interface FindTagsInput {
  readonly text: string
  readonly part: string
  readonly lexemes: readonly Lexeme[]
  readonly rules: FormatRules
  readonly limits: Limits
  readonly context: TagContext // of running text
}

/** Throws AppError 'template.tag.too-many' and 'template.tag.too-long'. */
export const findTags = (input: FindTagsInput): Token[] => new TagFinder(input).tokens()

class TagFinder {
  readonly #input: FindTagsInput
  readonly #out: Token[] = []
  /** How many tags were found, which is bounded. */
  #tags = 0

  constructor(input: FindTagsInput) {
    this.#input = input
  }

  tokens(): Token[] {
    const { lexemes, rules } = this.#input
    for (let index = 0; index < lexemes.length; index += 1) {
      const lexeme = lexemes[index]!
      const { kind, name, start, end } = lexeme
      if (kind === 'open' && rules.deleted?.includes(name) === true) index = this.#deleted(index)
      else if (kind === 'open' || kind === 'void') this.#element(lexeme)
      else if (kind === 'close') this.#markup(lexeme)
      else if (kind === 'comment') this.#segment(start, end, 'comment', true)
      else if (kind === 'cdata') this.#segment(start, end, 'cdata')
      else if (kind === 'instruction') this.#text(start, end, true)
      else index = this.#running(index)
    }
    return this.#out
  }

  #tag(content: string, offset: number, context: TagContext): void {
    const { limits } = this.#input
    this.#tags += 1
    if (this.#tags > limits.tags) throw new AppError('template.tag.too-many', { limit: limits.tags })
    if (content.length > limits.tagLength)
      throw new AppError('template.tag.too-long', { limit: limits.tagLength })
    this.#out.push({ kind: 'tag', text: content, offset, context })
  }

  #text(start: number, end: number, markup?: true): void {
    if (end <= start) return
    const token = { kind: 'text', raw: this.#input.text.slice(start, end), offset: start } as const
    this.#out.push(markup ? { ...token, markup } : token)
  }

  /** An opening or closing tag of markup, as it is written. */
  #markup({ kind, name, start, end }: Lexeme): void {
    const raw = this.#input.text.slice(start, end)
    this.#out.push({ kind: kind as ElementToken['kind'], name, raw, offset: start })
  }

  /** Text in which a tag never goes on behind the end: attribute values, comments, character sections. */
  #segment(start: number, end: number, context: TagContext, markup?: true): void {
    const { text } = this.#input
    const decode = context === 'attribute' || context === 'address'
    let from = start
    for (let at = text.indexOf('{', start); at >= 0 && at < end; at = text.indexOf('{', at)) {
      const found = readInside(text, at + 1, end, decode)
      if (found === undefined) {
        at += 1
        continue
      }
      this.#text(from, at, markup)
      this.#tag(found.text, at, context)
      at = found.end
      from = found.end
    }
    this.#text(from, end, markup)
  }

  /** A deleted element, in which no tags are looked for. Returns its last lexeme. */
  #deleted(start: number): number {
    const { lexemes } = this.#input
    const end = Math.max(start, endOf(lexemes, start))
    for (const lexeme of lexemes.slice(start, end + 1)) {
      const { kind } = lexeme
      if (kind === 'open' || kind === 'close' || kind === 'void') this.#markup(lexeme)
      else
        this.#text(lexeme.start, lexeme.end, kind === 'comment' || kind === 'instruction' ? true : undefined)
    }
    return end
  }

  /** Text lexeme `index` and, where a tag goes on behind it, the lexemes it swallows. Returns the last one used. */
  #running(index: number): number {
    const { text, lexemes, context } = this.#input
    let lexeme = lexemes[index]!
    let from = lexeme.start
    let at = text.indexOf('{', from)
    while (at >= 0 && at < lexeme.end) {
      const found = readAcross(this.#input, index, at + 1)
      if (found === undefined) {
        at = text.indexOf('{', at + 1)
        continue
      }
      this.#text(from, at)
      const between = lexemes.slice(index + 1, found.lexeme).filter(({ kind }) => kind !== 'text')
      // What is moved out of a tag that ends a block still belongs to the block.
      const endsBlock = /:(show|hide)End(\(\))?$/.test(found.text)
      if (!endsBlock) this.#tag(found.text, at, context)
      this.#moved(between)
      if (endsBlock) this.#tag(found.text, at, context)
      index = found.lexeme
      lexeme = lexemes[index]!
      from = found.end
      at = text.indexOf('{', from)
    }
    this.#text(from, lexeme.end)
    return index
  }

  /** Markup taken out of a tag, without what only editors need and without runs that hold nothing any more. */
  #moved(between: readonly Lexeme[]): void {
    const { noise } = this.#input.rules
    const kept = between.filter(({ kind, name }) => kind === 'comment' || !noise.includes(name))
    for (let at = 0; at < kept.length; at += 1) {
      const lexeme = kept[at]!
      const end = lexeme.kind === 'open' ? this.#emptyRun(kept, at) : -1
      if (end >= 0) at = end
      else if (lexeme.kind === 'open' || lexeme.kind === 'void') this.#element(lexeme)
      else if (lexeme.kind === 'close') this.#markup(lexeme)
      else this.#text(lexeme.start, lexeme.end, true)
    }
  }

  /** The last lexeme of the run that opens at `at`, when the run lies whole in the list and holds no content; else -1. */
  #emptyRun(list: readonly Lexeme[], at: number): number {
    const { runs = {} } = this.#input.rules
    const own = list[at]!.name
    const run = Object.hasOwn(runs, own) ? runs[own] : undefined
    if (run === undefined) return -1
    let depth = 0
    for (let n = at; n < list.length; n += 1) {
      const { kind, name } = list[n]!
      if (kind === 'open') depth += 1
      if (kind === 'close' && --depth === 0) return n
      const inProperties = run.properties.includes(name) ? endOf(list, n) : n
      if (inProperties < 0) return -1
      if (inProperties > n) {
        n = inProperties
        depth -= 1
        continue
      }
      if (n > at && !run.text.includes(name) && !run.properties.includes(name)) return -1
    }
    return -1
  }

  /** An opening tag, cut into several tokens when its attributes hold tags. */
  #element(lexeme: Lexeme): void {
    const { kind, name, start, end } = lexeme
    const raw = this.#input.text.slice(start, end)
    if (!raw.includes('{') && !/%7b/i.test(raw)) {
      this.#markup(lexeme)
      return
    }
    const before = this.#out.length
    this.#attributes(lexeme)
    const parts = this.#out.splice(before)
    if (!parts.some((part) => part.kind === 'tag')) {
      this.#markup(lexeme)
      return
    }
    const head = parts.shift() as TextToken
    this.#out.push({ kind: 'open', name, raw: head.raw, offset: head.offset })
    if (kind === 'void') {
      const tail = parts.pop() as TextToken
      this.#out.push(...parts, { kind: 'close', name, raw: tail.raw, offset: tail.offset })
    } else this.#out.push(...parts)
  }

  /** The parts of an opening tag whose attribute values, or the space between them, hold tags. */
  #attributes({ name: element, start, end: stop }: Lexeme): void {
    const { text, rules } = this.#input
    let from = start
    let at = start + 1 + element.length
    const flush = (to: number) => {
      this.#text(from, to, true)
      from = to
    }
    while (at < stop) {
      const code = text.charCodeAt(at)
      if (code !== 34 && code !== 39) {
        const found = code === 123 ? readInside(text, at + 1, stop, true) : undefined
        if (found === undefined) {
          at += 1
          continue
        }
        flush(at)
        this.#tag(found.text, at, /\s/.test(text[at - 1]!) ? 'bare' : 'attribute')
        at = from = found.end
        continue
      }
      const end = text.indexOf(code === 34 ? '"' : "'", at + 1)
      const name = /([^\s=]+)\s*=\s*$/.exec(text.slice(Math.max(start, at - 200), at))?.[1] ?? ''
      const isAddress = rules.addresses?.test(name) === true
      if (isAddress && /%7b/i.test(text.slice(at, end))) {
        flush(at + 1)
        this.#percentEncoded(at + 1, end)
        from = end
      } else if (text.slice(at, end).includes('{')) {
        flush(at + 1)
        this.#segment(at + 1, end, isAddress ? 'address' : 'attribute', true)
        from = end
      }
      at = end + 1
    }
    flush(stop)
  }

  /** An address whose tags an editor has percent-encoded: `%7Bd.url%7D`. */
  #percentEncoded(start: number, end: number): void {
    const value = this.#input.text.slice(start, end)
    let from = 0
    for (const match of value.matchAll(/%7b(.*?)%7d/gi)) {
      const content = readContent(decodePercent(decodeEntities(match[1]!)))
      if (content === undefined) continue
      this.#text(start + from, start + match.index, true)
      this.#tag(content, start + match.index, 'address')
      from = match.index + match[0].length
    }
    this.#text(start + from, end, true)
  }
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A tag's content as it is parsed, or undefined when the text is none. */
function readContent(content: string): string | undefined {
  const reader = new TagReader()
  for (const character of content) if (reader.take(character) !== 'more') return undefined
  return reader.take('}') === 'end' ? reader.text : undefined
}

const entity = /&(?:#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,4});/iy

/** One character of markup text: an entity is decoded. */
function characterAt(text: string, at: number, decode: boolean): { character: string; next: number } {
  if (decode && text.charCodeAt(at) === 38) {
    entity.lastIndex = at
    const found = entity.exec(text)
    if (found !== null) return { character: decodeEntities(found[0]), next: at + found[0].length }
  }
  return { character: text[at]!, next: at + 1 }
}

/** Reads a tag that must end before `end`. */
export function readInside(
  text: string,
  start: number,
  end: number,
  decode: boolean,
): { text: string; end: number } | undefined {
  const reader = new TagReader()
  for (let at = start; at < end; ) {
    const { character, next } = characterAt(text, at, decode)
    const step = reader.take(character)
    if (step === 'no') return undefined
    at = next
    if (step === 'end') return { text: reader.text, end: at }
  }
  return undefined
}

/** Reads a tag that may go on in later text tokens. */
function readAcross(
  { text, lexemes, limits, rules: { characters = {}, deleted = [] } }: FindTagsInput,
  first: number,
  start: number,
): { text: string; lexeme: number; end: number } | undefined {
  const reader = new TagReader()
  for (let index = first; index < lexemes.length; index += 1) {
    const lexeme = lexemes[index]!
    if (lexeme.kind === 'open' && deleted.includes(lexeme.name)) {
      index = Math.max(index, endOf(lexemes, index))
      continue
    }
    if (lexeme.kind === 'void' && Object.hasOwn(characters, lexeme.name)) {
      if (reader.take(characters[lexeme.name]!) === 'no') return undefined
    }
    if (lexeme.kind !== 'text') continue
    for (let at = index === first ? start : lexeme.start; at < lexeme.end; ) {
      const { character, next } = characterAt(text, at, true)
      const step = reader.take(character)
      if (step === 'no') return undefined
      at = next
      if (step === 'end') return { text: reader.text, lexeme: index, end: at }
      // What does not end soon is text that happens to begin like a tag.
      if (reader.length > limits.tagLength) return undefined
    }
  }
  return undefined
}

/** The index of the token that closes the element at `at`; `at` itself for one without content; -1 if it is missing. */
function endOf(list: readonly Lexeme[], at: number): number {
  if (list[at]!.kind !== 'open') return at
  let depth = 0
  for (let n = at; n < list.length; n += 1) {
    if (list[n]!.kind === 'open') depth += 1
    if (list[n]!.kind === 'close' && --depth === 0) return n
  }
  return -1
}
