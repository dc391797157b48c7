/**
 * Text formats, in which a line is what repeats. Each line becomes an element whose closing tag is its line end, so that loops
 * over lines and inside a line are found by the same levels as in markup. Source: template language 24.7.
 */
import { AppError } from '../../errors/app-error.ts'
import type { Limits } from '../../limits.ts'
import { decodeEntities } from '../../xml/scan.ts'
import type { FormatRules } from '../rules.ts'
import { attributePlace, maxTag, openTagIn } from './places.ts'
import { readInside } from './tags.ts'
import type { TagContext, Token } from './tokens.ts'

/** Scans a text without markup: each line becomes an element `line`, so that lines can repeat. */
export function scanLines(text: string, limits: Limits, context: TagContext, rules?: FormatRules): Token[] {
  const out: Token[] = []
  let tags = 0
  let from = 0
  let lineOpen = false
  const line: LineState = { start: 0, table: false, quotes: 0 }
  const open = (offset: number) => {
    if (!lineOpen) out.push({ kind: 'open', name: 'line', raw: '', offset })
    lineOpen = true
  }
  const addText = (start: number, end: number) => {
    while (start < end) {
      open(start)
      const lineFeed = text.indexOf('\n', start)
      if (lineFeed < 0 || lineFeed >= end) {
        out.push({ kind: 'text', raw: text.slice(start, end), offset: start })
        return
      }
      const ends = lineFeed > start && text[lineFeed - 1] === '\r' ? lineFeed - 1 : lineFeed
      if (ends > start) out.push({ kind: 'text', raw: text.slice(start, ends), offset: start })
      out.push({ kind: 'close', name: 'line', raw: text.slice(ends, lineFeed + 1), offset: ends })
      lineOpen = false
      start = lineFeed + 1
    }
  }
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at)) {
    const found = readInside(text, at + 1, Math.min(text.length, at + 1 + limits.tagLength), false)
    if (found === undefined) {
      at += 1
      continue
    }
    if (++tags > limits.tags) throw new AppError('template.tag.too-many', { limit: limits.tags })
    addText(from, at)
    follow(text, from, at, line, context === 'json')
    open(at)
    out.push({
      kind: 'tag',
      text: found.text,
      offset: at,
      context:
        (rules && inlineContext(text, at, found.end, rules)) ?? contextAt(text, at, found.end, context, line),
    })
    from = at = found.end
  }
  addText(from, text.length)
  if (lineOpen) out.push({ kind: 'close', name: 'line', raw: '', offset: text.length })
  return out
}

/**
 * In JSON: inside a string, or as a whole value. Elsewhere a tag writes a part of the markup, such as the comma between two
 * items. Source: RFC 8259, 2 and 7.
 */
function jsonContext(text: string, start: number, end: number, line: LineState): TagContext {
  if (line.quotes % 2 === 1) return 'json'
  const before =
    text
      .slice(Math.max(0, start - maxBlanks), start)
      .trimEnd()
      .at(-1) ?? ''
  const next = text.slice(end, end + maxBlanks).trimStart()[0] ?? ''
  return /^[:,[]?$/.test(before) && /^[,}\]]?$/.test(next) ? 'json-value' : 'plain'
}

/**
 * The place of a tag inside an HTML tag that stands in a line of Markdown; undefined for any other (CommonMark 0.31, 6.6).
 * A value without quotes is held to what a name may be.
 */
function inlineContext(text: string, at: number, end: number, rules: FormatRules): TagContext | undefined {
  const rest = text.slice(end, end + maxTag)
  // A "<" that no ">" answers is text, and so is code in backticks.
  if (!/^(?:\{[^{}]*\}|[^<>{]|\{(?![dc$#]))*>/.test(rest)) return undefined
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at)
  if (line.split('`').length % 2 === 0) return undefined
  const open = openTagIn(text.slice(Math.max(0, at - maxTag), at))
  if (open === undefined) return undefined
  if (open.value === undefined)
    return /[\s>/]/.test(text[end] ?? '>') && /\s/.test(text[at - 1]!) ? 'bare' : 'name'
  const { attribute, quote, text: value } = open.value
  if (quote === '') return 'name'
  const { context, code } = attributePlace(rules, open.element, attribute)
  if (code === undefined) return context
  code.read(decodeEntities(value))
  const close = text.indexOf(quote, end)
  return `${code.place(text.slice(end, close < 0 ? end : close))}-in-attribute`
}

/** How many blanks may stand between a tag and the sign of JSON before or behind it. */
const maxBlanks = 200

/** How a value is escaped at a tag: as a whole field of CSV, inside a field in quotes, in a row of a Markdown table. */
function contextAt(
  text: string,
  start: number,
  end: number,
  context: TagContext,
  line: LineState,
): TagContext {
  if (context === 'plain') return context
  if (context === 'json') return jsonContext(text, start, end, line)
  if (context === 'markdown') return line.table ? 'markdown' : 'plain'
  const before = start === line.start ? '' : (text[start - 1] ?? '')
  const next = text[end]
  const fieldStarts = before === '' || /[,;\t|\uFEFF]/.test(before)
  const fieldEnds = next === undefined || /[,;\t|\r\n]/.test(next)
  if (fieldStarts && fieldEnds) return 'csv'
  return line.quotes % 2 === 1 ? 'quoted' : 'plain'
}

/** What is known of the line that is being scanned, up to the last tag. */
interface LineState {
  start: number // offset of the line
  table: boolean // it begins with a bar
  quotes: number // how many double quotes it has so far
}

/** Takes the text from `from` to `to`, which is outside of tags, into the state of the line. `escapes`: by backslashes. */
function follow(text: string, from: number, to: number, line: LineState, escapes: boolean): void {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 10) {
      line.start = at + 1
      line.quotes = 0
      line.table = false
    } else if (code === 92) {
      // In a string of JSON a backslash takes the next character with it.
      if (escapes) at += 1
    } else if (code === 34) line.quotes += 1
    else if (code === 124 && text.slice(line.start, at).trim() === '') line.table = true
  }
}
