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

export interface JoinInput {
  readonly text: string
  readonly part: string
  readonly lexemes: readonly Lexeme[]
  readonly rules: FormatRules
  readonly limits: Limits
  readonly context: TagContext // of running text
}

export function joinTags(input: JoinInput): Token[] {
  const { text, lexemes, limits, rules } = input
  const out: Token[] = []
  let tags = 0
  const addTag = (content: string, offset: number, context: TagContext) => {
    tags += 1
    if (tags > limits.tags) throw new AppError('template.tag.too-many', { limit: limits.tags })
    if (content.length > limits.tagLength)
      throw new AppError('template.tag.too-long', { limit: limits.tagLength })
    out.push({ kind: 'tag', text: content, offset, context })
  }
  const addText = (start: number, end: number, markup?: true) => {
    if (end > start)
      out.push(
        markup
          ? { kind: 'text', raw: text.slice(start, end), offset: start, markup }
          : { kind: 'text', raw: text.slice(start, end), offset: start },
      )
  }
  /** Tags that lie whole inside one stretch: attributes, comments. */
  const inSegment = (start: number, end: number, context: TagContext, markup?: true) => {
    let from = start
    for (let at = text.indexOf('{', start); at >= 0 && at < end; at = text.indexOf('{', at)) {
      const found = readInside(text, at + 1, end, context === 'attribute' || context === 'address')
      if (found === undefined) {
        at += 1
        continue
      }
      addText(from, at, markup)
      addTag(found.text, at, context)
      at = found.end
      from = found.end
    }
    addText(from, end, markup)
  }

  for (let index = 0; index < lexemes.length; index += 1) {
    const lexeme = lexemes[index]!
    if (lexeme.kind === 'open' && rules.deleted?.includes(lexeme.name) === true) {
      index = asItIs(index)
      continue
    }
    if (lexeme.kind === 'open' || lexeme.kind === 'void') {
      element(lexeme)
      continue
    }
    if (lexeme.kind === 'close') {
      out.push({
        kind: 'close',
        name: lexeme.name,
        raw: text.slice(lexeme.start, lexeme.end),
        offset: lexeme.start,
      })
      continue
    }
    if (lexeme.kind === 'comment') inSegment(lexeme.start, lexeme.end, 'comment', true)
    else if (lexeme.kind === 'cdata') inSegment(lexeme.start, lexeme.end, 'cdata')
    else if (lexeme.kind === 'instruction') addText(lexeme.start, lexeme.end, true)
    else index = running(index)
  }
  return out

  /** An element in which no tags are looked for. Returns its last token. */
  function asItIs(start: number): number {
    const end = Math.max(start, endOf(lexemes, start))
    for (const { kind, name, start: from, end: to } of lexemes.slice(start, end + 1)) {
      if (kind === 'open' || kind === 'close' || kind === 'void')
        out.push({ kind, name, raw: text.slice(from, to), offset: from })
      else addText(from, to, kind === 'comment' || kind === 'instruction' ? true : undefined)
    }
    return end
  }

  /** Text token `index` and, where a tag goes on behind it, the tokens it swallows. Returns the last one used. */
  function running(index: number): number {
    let lexeme = lexemes[index]!
    let from = lexeme.start
    let at = text.indexOf('{', from)
    while (at >= 0 && at < lexeme.end) {
      const found = readAcross(input, index, at + 1)
      if (found === undefined) {
        at = text.indexOf('{', at + 1)
        continue
      }
      addText(from, at)
      const between = lexemes.slice(index + 1, found.lexeme).filter(({ kind }) => kind !== 'text')
      const first = /:(show|hide)End(\(\))?$/.test(found.text)
      if (!first) addTag(found.text, at, input.context)
      moved(between)
      if (first) addTag(found.text, at, input.context)
      index = found.lexeme
      lexeme = lexemes[index]!
      from = found.end
      at = text.indexOf('{', from)
    }
    addText(from, lexeme.end)
    return index
  }

  /** Markup taken out of a tag, less what only editors need and runs that hold nothing any more. */
  function moved(between: readonly Lexeme[]): void {
    const kept = between.filter(({ kind, name }) => kind === 'comment' || !rules.noise.includes(name))
    for (let at = 0; at < kept.length; at += 1) {
      const lexeme = kept[at]!
      const end = lexeme.kind === 'open' ? emptyRun(kept, at) : -1
      if (end >= 0) {
        at = end
        continue
      }
      if (lexeme.kind === 'open' || lexeme.kind === 'void') element(lexeme)
      else if (lexeme.kind === 'close') {
        out.push({
          kind: 'close',
          name: lexeme.name,
          raw: text.slice(lexeme.start, lexeme.end),
          offset: lexeme.start,
        })
      } else addText(lexeme.start, lexeme.end, true)
    }
  }

  /** The last token of the run that opens at `at` when the run lies whole in the list and says nothing; else -1. */
  function emptyRun(list: readonly Lexeme[], at: number): number {
    const run = Object.hasOwn(rules.runs ?? {}, list[at]!.name) ? rules.runs![list[at]!.name] : undefined
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

  function element(lexeme: Lexeme): void {
    const raw = text.slice(lexeme.start, lexeme.end)
    if (!raw.includes('{') && !/%7b/i.test(raw)) {
      out.push({ kind: lexeme.kind as ElementToken['kind'], name: lexeme.name, raw, offset: lexeme.start })
      return
    }
    const before = out.length
    attributes(lexeme)
    const parts = out.splice(before)
    if (!parts.some(({ kind }) => kind === 'tag')) {
      out.push({ kind: lexeme.kind as ElementToken['kind'], name: lexeme.name, raw, offset: lexeme.start })
      return
    }
    const head = parts.shift() as TextToken
    out.push({ kind: 'open', name: lexeme.name, raw: head.raw, offset: head.offset })
    if (lexeme.kind === 'void') {
      const tail = parts.pop() as TextToken
      out.push(...parts, { kind: 'close', name: lexeme.name, raw: tail.raw, offset: tail.offset })
    } else out.push(...parts)
  }

  /** An opening tag whose attribute values, or the space between them, hold tags. */
  function attributes(lexeme: Lexeme): void {
    let from = lexeme.start
    let at = lexeme.start + 1 + lexeme.name.length
    const flush = (to: number) => {
      addText(from, to, true)
      from = to
    }
    while (at < lexeme.end) {
      const code = text.charCodeAt(at)
      if (code !== 34 && code !== 39) {
        if (code === 123) {
          const found = readInside(text, at + 1, lexeme.end, true)
          if (found !== undefined) {
            flush(at)
            addTag(found.text, at, /\s/.test(text[at - 1]!) ? 'bare' : 'attribute')
            at = from = found.end
            continue
          }
        }
        at += 1
        continue
      }
      const end = text.indexOf(code === 34 ? '"' : "'", at + 1)
      const name = /([^\s=]+)\s*=\s*$/.exec(text.slice(Math.max(lexeme.start, at - 200), at))?.[1] ?? ''
      const address = rules.addresses?.test(name) === true
      if (address && /%7b/i.test(text.slice(at, end))) {
        flush(at + 1)
        percentEncoded(at + 1, end)
        from = end
      } else if (text.slice(at, end).includes('{')) {
        flush(at + 1)
        inSegment(at + 1, end, address ? 'address' : 'attribute', true)
        from = end
      }
      at = end + 1
    }
    flush(lexeme.end)
  }

  /** `%7Bd.url%7D` and what else an editor encodes in an address. */
  function percentEncoded(start: number, end: number): void {
    const value = text.slice(start, end)
    let from = 0
    for (const match of value.matchAll(/%7b(.*?)%7d/gi)) {
      const content = readContent(decodePercent(decodeEntities(match[1]!)))
      if (content === undefined) continue
      addText(start + from, start + match.index, true)
      addTag(content, start + match.index, 'address')
      from = match.index + match[0].length
    }
    addText(start + from, end, true)
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
  { text, lexemes, limits, rules: { characters = {}, deleted = [] } }: JoinInput,
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
