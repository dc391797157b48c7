/**
 * Finds tags in a list of lexemes. Word processors split a tag over several runs. The markup inside it is moved out: after
 * the tag, or before it if the tag ends a block. Source: template language 2.3.
 */

import { entryOf } from '../../entry-of.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Limits } from '../../limits.ts'
import { pushAll } from '../../push-all.ts'
import { decodeEntities, type Lexeme } from '../../xml/scan.ts'
import type { FormatRules } from '../rules.ts'
import { type AttributeContext, attributeContext, scheme } from './attribute-context.ts'
import { type CodeReader, codeOf, ScriptReader } from './code.ts'
import { TagReader } from './tag-text.ts'
import type { ElementToken, TagContext, TextToken, Token } from './tokens.ts'

/** The input of the search for tags: the lexemes of a part and the rules of its format. */
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
  /** The number of tags so far, which is limited. */
  #tags = 0
  /** Reads the script or the style sheet that is being scanned. */
  #code: CodeReader | undefined
  /** Inside an opening tag whose name is a template tag, which the lexemes do not show. */
  #unnamed = false

  constructor(input: FindTagsInput) {
    this.#input = input
  }

  tokens(): Token[] {
    const { lexemes, rules } = this.#input
    for (let index = 0; index < lexemes.length; index += 1) {
      const lexeme = lexemes[index]
      if (lexeme === undefined) break
      const { kind, name, start, end } = lexeme
      if (kind === 'open' && rules.deleted?.includes(name) === true) index = this.#deleted(index)
      else if (kind === 'open' || kind === 'void') {
        this.#element(lexeme)
        if (kind === 'open' && rules.scripted === true)
          this.#code = codeOf(name, this.#input.text.slice(start, end))
      } else if (kind === 'close') {
        this.#markup(lexeme)
        this.#code = undefined
      } else if (kind === 'comment') this.#segment(start, end, { context: 'comment' }, true)
      else if (kind === 'cdata')
        this.#segment(start, end, { context: 'cdata', ...(this.#code && { code: this.#code }) })
      else if (kind === 'instruction') this.#text(start, end, true)
      else index = this.#runningText(index)
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

  /** Fixed text of a script or a style sheet before a tag. A "<" that the value would continue as markup is written as code. */
  #codeText(start: number, end: number, code: CodeReader, markup?: true): void {
    const raw = this.#input.text.slice(start, end)
    code.read(decodeEntities(raw))
    const lessThan = /<(?=[/!]?[\w-]*$)/.exec(raw)
    if (lessThan === null) this.#text(start, end, markup)
    else {
      const safe = raw.slice(0, lessThan.index) + code.lessThan + raw.slice(lessThan.index + 1)
      this.#out.push({ kind: 'text', raw: safe, offset: start, ...(markup && { markup }) })
    }
  }

  /** Text in which a tag cannot continue beyond the end: attribute values, comments, CDATA sections. */
  #segment(start: number, end: number, { context, code }: AttributeContext, markup?: true): void {
    const { text } = this.#input
    const inAttribute = context !== 'comment' && context !== 'cdata'
    let from = start
    /** After its scheme, an address may be a script. */
    let reader = code
    for (
      let position = text.indexOf('{', start);
      position >= 0 && position < end;
      position = text.indexOf('{', position)
    ) {
      const tag = readInside(text, position + 1, end, inAttribute)
      if (tag === undefined) {
        position += 1
        continue
      }
      reader ??= context === 'address' ? scriptBehind(text.slice(start, position)) : undefined
      if (reader === undefined) this.#text(from, position, markup)
      else this.#codeText(from, position, reader, markup)
      const codeContext = reader?.contextBefore(decodeEntities(text.slice(tag.end, end)))
      const inAddress = context === 'address' ? 'address' : 'attribute'
      if (codeContext === undefined) this.#tag(tag.text, position, context)
      else this.#tag(tag.text, position, inAttribute ? `${codeContext}-in-${inAddress}` : codeContext)
      position = tag.end
      from = tag.end
    }
    if (reader === undefined) this.#text(from, end, markup)
    else this.#codeText(from, end, reader, markup)
  }

  /** Copies a deleted element without looking for tags in it. Returns the index of its last lexeme. */
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

  /** Reads the text lexeme at `index`, and the lexemes after it that a tag extends over. Returns the index of the last one read. */
  #runningText(index: number): number {
    const { text, lexemes } = this.#input
    let lexeme = lexemes[index]!
    let from = lexeme.start
    let position = text.indexOf('{', from)
    while (position >= 0 && position < lexeme.end) {
      const tag = readAcross(this.#input, index, position + 1)
      if (tag === undefined) {
        position = text.indexOf('{', position + 1)
        continue
      }
      if (this.#code === undefined) this.#text(from, position)
      else this.#codeText(from, position, this.#code)
      const context = this.#contextAt(from, position, tag.end)
      const between = lexemes.slice(index + 1, tag.lexeme).filter(({ kind }) => kind !== 'text')
      // Content that is moved out of a tag that ends a block still belongs to the block.
      const endsBlock = /:(show|hide)End(\(\))?$/.test(tag.text)
      if (!endsBlock) this.#tag(tag.text, position, context)
      this.#moved(between)
      if (endsBlock) this.#tag(tag.text, position, context)
      index = tag.lexeme
      lexeme = lexemes[index]!
      from = tag.end
      position = text.indexOf('{', from)
    }
    if (this.#code === undefined) this.#text(from, lexeme.end)
    else this.#codeText(from, lexeme.end, this.#code)
    if (this.#unnamed && text.slice(from, lexeme.end).includes('>')) this.#unnamed = false
    return index
  }

  /** How the value of a tag in running text is escaped. `from`: where the fixed text before it begins. */
  #contextAt(from: number, start: number, end: number): TagContext {
    const { text, rules, context } = this.#input
    if (rules.scripted !== true) return context
    if (this.#code !== undefined) {
      const next = text.indexOf('<', end)
      return this.#code.contextBefore(text.slice(end, next < 0 ? text.length : next))
    }
    if (/<\/?$/.test(text.slice(Math.max(0, start - 2), start))) {
      this.#unnamed = true
      return 'element'
    }
    if (this.#unnamed && text.slice(from, start).includes('>')) this.#unnamed = false
    return this.#unnamed ? 'attribute' : context
  }

  /** Writes markup that was moved out of a tag, without editor noise and without runs that became empty. */
  #moved(between: readonly Lexeme[]): void {
    const { noise } = this.#input.rules
    const remaining = between.filter(({ kind, name }) => kind === 'comment' || !noise.includes(name))
    for (let index = 0; index < remaining.length; index += 1) {
      const lexeme = remaining[index]
      if (lexeme === undefined) break
      const end = lexeme.kind === 'open' ? this.#emptyRun(remaining, index) : -1
      if (end >= 0) index = end
      else if (lexeme.kind === 'open' || lexeme.kind === 'void') this.#element(lexeme)
      else if (lexeme.kind === 'close') this.#markup(lexeme)
      else this.#text(lexeme.start, lexeme.end, true)
    }
  }

  /** The last lexeme of the run that begins at `start`, if the list contains all of it and it has no content; else -1. */
  #emptyRun(list: readonly Lexeme[], start: number): number {
    const { runs = {} } = this.#input.rules
    const name = list[start]!.name
    const run = entryOf(runs, name)
    if (run === undefined) return -1
    let depth = 0
    for (let n = start; n < list.length; n += 1) {
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
      if (n > start && !run.text.includes(name) && !run.properties.includes(name)) return -1
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
    const outputLength = this.#out.length
    this.#attributes(lexeme)
    const parts = this.#out.splice(outputLength)
    if (!parts.some((part) => part.kind === 'tag')) {
      this.#markup(lexeme)
      return
    }
    const head = parts.shift() as TextToken
    this.#out.push({ kind: 'open', name, raw: head.raw, offset: head.offset })
    if (kind === 'void') {
      const tail = parts.pop() as TextToken
      pushAll(this.#out, [...parts, { kind: 'close', name, raw: tail.raw, offset: tail.offset }])
    } else pushAll(this.#out, parts)
  }

  /**
   * The parts of an opening tag whose attribute values, or the space between them, hold tags.
   * Source: WHATWG HTML, 13.2.5.32 to 13.2.5.39.
   */
  #attributes({ name: element, start, end: stop }: Lexeme): void {
    const { text } = this.#input
    const cursor: Cursor = { from: start, at: start + 1 + element.length, stop }
    this.#name(cursor, false)
    while (cursor.at < stop) {
      if (/[\s/>]/.test(text[cursor.at]!)) {
        cursor.at += 1
        continue
      }
      const nameStart = cursor.at
      this.#name(cursor, true)
      const name = text.slice(nameStart, cursor.at)
      equals.lastIndex = cursor.at
      if (!equals.test(text) || equals.lastIndex >= stop) continue
      cursor.at = equals.lastIndex
      const context = attributeContext(this.#input.rules, element, name)
      if (/["']/.test(text[cursor.at]!)) this.#quotedValue(cursor, context)
      else this.#unquotedValue(cursor, context)
    }
    this.#flush(cursor, stop)
  }

  #flush(cursor: Cursor, to: number): void {
    this.#text(cursor.from, to, true)
    cursor.from = to
  }

  /** Reads a name and the tags in it. `isAttributeName`: the cursor is at the beginning of the name of an attribute. */
  #name(cursor: Cursor, isAttributeName: boolean): void {
    const { text } = this.#input
    const { at: start, stop } = cursor
    const tags: { readonly text: string; readonly at: number; readonly end: number }[] = []
    let fixed = 0
    while (cursor.at < stop && (cursor.at === start ? /[^\s/>]/ : /[^\s/>=]/).test(text[cursor.at]!)) {
      const tag = text[cursor.at] === '{' ? readInside(text, cursor.at + 1, stop, true) : undefined
      if (tag !== undefined) tags.push({ ...tag, at: cursor.at })
      else fixed += 1
      cursor.at = tag?.end ?? cursor.at + 1
    }
    if (tags.length === 0) return
    equals.lastIndex = cursor.at
    const isUnquoted = isAttributeName && fixed === 0 && !equals.test(text)
    for (const tag of tags) {
      this.#flush(cursor, tag.at)
      this.#tag(tag.text, tag.at, isUnquoted ? 'bare' : 'name')
      cursor.from = tag.end
    }
  }

  #quotedValue(cursor: Cursor, context: AttributeContext): void {
    const { text } = this.#input
    const start = cursor.at + 1
    const closingQuote = text.indexOf(text[cursor.at]!, start)
    const end = closingQuote < 0 || closingQuote > cursor.stop ? cursor.stop : closingQuote
    const value = text.slice(start, end)
    const isEncoded = context.context === 'address' && /%7b/i.test(value)
    if (isEncoded || value.includes('{')) {
      this.#flush(cursor, start)
      if (isEncoded) this.#percentEncoded(start, end)
      else this.#segment(start, end, context, true)
      cursor.from = end
    }
    cursor.at = Math.min(end + 1, cursor.stop)
  }

  /**
   * A value without quotes is written in quotes where it holds tags: a blank in a value from data would end it, and an empty one
   * has no end.
   */
  #unquotedValue(cursor: Cursor, context: AttributeContext): void {
    const { text } = this.#input
    const { at: start, stop } = cursor
    let end = start
    let fixed = ''
    let tags = 0
    while (end < stop && !/[\s>]/.test(text[end]!)) {
      const tag = text[end] === '{' ? readInside(text, end + 1, stop, true) : undefined
      if (tag === undefined) fixed += text[end]
      else tags += 1
      end = tag?.end ?? end + 1
    }
    // HTML counts a slash before the end of the tag as part of the value, but authors who write one mean an element without
    // content.
    if (text[end - 1] === '/' && end === stop - 1) end -= 1
    cursor.at = end
    if (tags === 0) return
    this.#flush(cursor, start)
    const quote = ['"', "'"].find((candidate) => !fixed.includes(candidate)) ?? ''
    const before = this.#out.pop() as TextToken
    this.#out.push({ ...before, raw: before.raw + quote })
    this.#segment(start, end, quote === '' ? { context: 'name' } : context, true)
    if (quote !== '') this.#out.push({ kind: 'text', raw: quote, offset: end, markup: true })
    cursor.from = end
  }

  /**
   * An address whose tags an editor has percent-encoded: `%7Bd.url%7D`. Some editors encode the path but not the braces of
   * the query, so the text between encoded tags is searched for others.
   */
  #percentEncoded(start: number, end: number): void {
    const value = this.#input.text.slice(start, end)
    let from = 0
    for (const match of value.matchAll(/%7b(.*?)%7d/gi)) {
      const content = readContent(decodePercent(decodeEntities(match[1] ?? '')))
      if (content === undefined) continue
      this.#segment(start + from, start + match.index, { context: 'address' }, true)
      this.#tag(content, start + match.index, 'address')
      from = match.index + match[0].length
    }
    this.#segment(start + from, end, { context: 'address' }, true)
  }
}

/** A position in an opening tag. */
interface Cursor {
  /** The start of the fixed text that is not part of a token yet. */
  from: number
  at: number
  readonly stop: number // the end of the opening tag
}

const equals = /\s*=\s*/y

/** A reader for the script in an address that begins with `javascript:`; undefined for any other address. */
function scriptBehind(address: string): CodeReader | undefined {
  return scheme.test(decodeEntities(address).replace(/[\u0000-\u0020]/g, '')) ? new ScriptReader() : undefined
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The text of a tag as it is parsed, or undefined when the content is not that of a tag. */
function readContent(content: string): string | undefined {
  const reader = new TagReader()
  for (const character of content) if (reader.take(character) !== 'more') return undefined
  return reader.take('}') === 'end' ? reader.text : undefined
}

const entity = /&(?:#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,4});/iy

/** One character of markup text: an entity is decoded. */
function characterAt(text: string, position: number, decode: boolean): { character: string; next: number } {
  if (decode && text.charCodeAt(position) === 38) {
    entity.lastIndex = position
    const match = entity.exec(text)
    if (match !== null) return { character: decodeEntities(match[0]), next: position + match[0].length }
  }
  return { character: text[position]!, next: position + 1 }
}

/** Reads a tag that must end before `end`. */
export function readInside(
  text: string,
  start: number,
  end: number,
  decode: boolean,
): { text: string; end: number } | undefined {
  const reader = new TagReader()
  for (let position = start; position < end; ) {
    const { character, next } = characterAt(text, position, decode)
    const outcome = reader.take(character)
    if (outcome === 'no') return undefined
    position = next
    if (outcome === 'end') return { text: reader.text, end: position }
  }
  return undefined
}

/** Reads a tag that may continue in later text tokens. */
function readAcross(
  { text, lexemes, limits, rules: { characters = {}, deleted = [] } }: FindTagsInput,
  first: number,
  start: number,
): { text: string; lexeme: number; end: number } | undefined {
  const reader = new TagReader()
  for (let index = first; index < lexemes.length; index += 1) {
    const lexeme = lexemes[index]
    if (lexeme === undefined) break
    if (lexeme.kind === 'open' && deleted.includes(lexeme.name)) {
      index = Math.max(index, endOf(lexemes, index))
      continue
    }
    const begins = lexeme.kind === 'void' || lexeme.kind === 'open'
    if (begins && Object.hasOwn(characters, lexeme.name)) {
      if (reader.take(entryOf(characters, lexeme.name)!) === 'no') return undefined
    }
    if (lexeme.kind !== 'text') continue
    for (let position = index === first ? start : lexeme.start; position < lexeme.end; ) {
      const { character, next } = characterAt(text, position, true)
      const outcome = reader.take(character)
      if (outcome === 'no') return undefined
      position = next
      if (outcome === 'end') return { text: reader.text, lexeme: index, end: position }
      // Text without an end within the limit merely happens to begin like a tag.
      if (reader.length > limits.tagLength) return undefined
    }
  }
  return undefined
}

/** The index of the lexeme that closes the element at `start`; `start` for an element without content; -1 if missing. */
function endOf(list: readonly Lexeme[], start: number): number {
  if (list[start]!.kind !== 'open') return start
  let depth = 0
  for (let n = start; n < list.length; n += 1) {
    if (list[n]!.kind === 'open') depth += 1
    if (list[n]!.kind === 'close' && --depth === 0) return n
  }
  return -1
}
