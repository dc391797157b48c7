/**
 * Finds tags in a row of tokens. Editors cut a tag over several runs; the markup in between is moved out of it: behind
 * the tag, or before it where the tag ends a block. Source: template language 2.3.
 */
import { AppError } from '../../errors/app-error.ts'
import type { Limits } from '../limits.ts'
import type { FormatRules } from '../rules.ts'
import type { MarkupPiece, Piece, TagContext, TextPiece } from './pieces.ts'
import { TagReader } from './tag-text.ts'
import { decodeEntities, type Token } from './xml.ts'

export interface JoinInput {
  readonly text: string
  readonly part: string
  readonly tokens: readonly Token[]
  readonly rules: FormatRules
  readonly limits: Limits
  readonly context: TagContext // of running text
}

export function joinTags(input: JoinInput): Piece[] {
  const { text, tokens, limits, rules } = input
  const out: Piece[] = []
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
  const inStretch = (start: number, end: number, context: TagContext, markup?: true) => {
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

  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]!
    if (token.kind === 'open' && rules.deleted?.includes(token.name) === true) {
      index = asItIs(index)
      continue
    }
    if (token.kind === 'open' || token.kind === 'void') {
      element(token)
      continue
    }
    if (token.kind === 'close') {
      out.push({
        kind: 'close',
        name: token.name,
        raw: text.slice(token.start, token.end),
        offset: token.start,
      })
      continue
    }
    if (token.kind === 'comment') inStretch(token.start, token.end, 'comment', true)
    else if (token.kind === 'cdata') inStretch(token.start, token.end, 'cdata')
    else if (token.kind === 'instruction') addText(token.start, token.end, true)
    else index = running(index)
  }
  return out

  /** An element in which no tags are looked for. Returns its last token. */
  function asItIs(start: number): number {
    const end = Math.max(start, endOf(tokens, start))
    for (const { kind, name, start: from, end: to } of tokens.slice(start, end + 1)) {
      if (kind === 'open' || kind === 'close' || kind === 'void')
        out.push({ kind, name, raw: text.slice(from, to), offset: from })
      else addText(from, to, kind === 'comment' || kind === 'instruction' ? true : undefined)
    }
    return end
  }

  /** Text token `index` and, where a tag goes on behind it, the tokens it swallows. Returns the last one used. */
  function running(index: number): number {
    let token = tokens[index]!
    let from = token.start
    let at = text.indexOf('{', from)
    while (at >= 0 && at < token.end) {
      const found = readAcross(input, index, at + 1)
      if (found === undefined) {
        at = text.indexOf('{', at + 1)
        continue
      }
      addText(from, at)
      const between = tokens.slice(index + 1, found.token).filter(({ kind }) => kind !== 'text')
      const first = /:(show|hide)End(\(\))?$/.test(found.text)
      if (!first) addTag(found.text, at, input.context)
      moved(between)
      if (first) addTag(found.text, at, input.context)
      index = found.token
      token = tokens[index]!
      from = found.end
      at = text.indexOf('{', from)
    }
    addText(from, token.end)
    return index
  }

  /** Markup taken out of a tag, less what only editors need and runs that hold nothing any more. */
  function moved(between: readonly Token[]): void {
    const kept = between.filter(({ kind, name }) => kind === 'comment' || !rules.noise.includes(name))
    for (let at = 0; at < kept.length; at += 1) {
      const token = kept[at]!
      const end = token.kind === 'open' ? emptyRun(kept, at) : -1
      if (end >= 0) {
        at = end
        continue
      }
      if (token.kind === 'open' || token.kind === 'void') element(token)
      else if (token.kind === 'close') {
        out.push({
          kind: 'close',
          name: token.name,
          raw: text.slice(token.start, token.end),
          offset: token.start,
        })
      } else addText(token.start, token.end, true)
    }
  }

  /** The last token of the run that opens at `at` when the run lies whole in the list and says nothing; else -1. */
  function emptyRun(list: readonly Token[], at: number): number {
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

  function element(token: Token): void {
    const raw = text.slice(token.start, token.end)
    if (!raw.includes('{') && !/%7b/i.test(raw)) {
      out.push({ kind: token.kind as MarkupPiece['kind'], name: token.name, raw, offset: token.start })
      return
    }
    const before = out.length
    attributes(token)
    const parts = out.splice(before)
    if (!parts.some(({ kind }) => kind === 'tag')) {
      out.push({ kind: token.kind as MarkupPiece['kind'], name: token.name, raw, offset: token.start })
      return
    }
    const head = parts.shift() as TextPiece
    out.push({ kind: 'open', name: token.name, raw: head.raw, offset: head.offset })
    if (token.kind === 'void') {
      const tail = parts.pop() as TextPiece
      out.push(...parts, { kind: 'close', name: token.name, raw: tail.raw, offset: tail.offset })
    } else out.push(...parts)
  }

  /** An opening tag whose attribute values, or the space between them, hold tags. */
  function attributes(token: Token): void {
    let from = token.start
    let at = token.start + 1 + token.name.length
    const flush = (to: number) => {
      addText(from, to, true)
      from = to
    }
    while (at < token.end) {
      const code = text.charCodeAt(at)
      if (code !== 34 && code !== 39) {
        if (code === 123) {
          const found = readInside(text, at + 1, token.end, true)
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
      const name = /([^\s=]+)\s*=\s*$/.exec(text.slice(Math.max(token.start, at - 200), at))?.[1] ?? ''
      const address = rules.addresses?.test(name) === true
      if (address && /%7b/i.test(text.slice(at, end))) {
        flush(at + 1)
        percentEncoded(at + 1, end)
        from = end
      } else if (text.slice(at, end).includes('{')) {
        flush(at + 1)
        inStretch(at + 1, end, address ? 'address' : 'attribute', true)
        from = end
      }
      at = end + 1
    }
    flush(token.end)
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
  { text, tokens, limits, rules: { characters = {}, deleted = [] } }: JoinInput,
  first: number,
  start: number,
): { text: string; token: number; end: number } | undefined {
  const reader = new TagReader()
  for (let index = first; index < tokens.length; index += 1) {
    const token = tokens[index]!
    if (token.kind === 'open' && deleted.includes(token.name)) {
      index = Math.max(index, endOf(tokens, index))
      continue
    }
    if (token.kind === 'void' && Object.hasOwn(characters, token.name)) {
      if (reader.take(characters[token.name]!) === 'no') return undefined
    }
    if (token.kind !== 'text') continue
    for (let at = index === first ? start : token.start; at < token.end; ) {
      const { character, next } = characterAt(text, at, true)
      const step = reader.take(character)
      if (step === 'no') return undefined
      at = next
      if (step === 'end') return { text: reader.text, token: index, end: at }
      // What does not end soon is text that happens to begin like a tag.
      if (reader.length > limits.tagLength) return undefined
    }
  }
  return undefined
}

/** The index of the token that closes the element at `at`; `at` itself for one without content; -1 if it is missing. */
function endOf(list: readonly Token[], at: number): number {
  if (list[at]!.kind !== 'open') return at
  let depth = 0
  for (let n = at; n < list.length; n += 1) {
    if (list[n]!.kind === 'open') depth += 1
    if (list[n]!.kind === 'close' && --depth === 0) return n
  }
  return -1
}
