/**
 * Text formats, in which a line is what repeats. Each line becomes an element whose closing tag is its line end, so that loops
 * over lines and inside a line are found by the same levels as in markup. Source: template language 24.7.
 */
import { AppError } from '../../errors/app-error.ts'
import type { Limits } from '../../limits.ts'
import { decodeEntities } from '../../xml/scan.ts'
import type { FormatRules } from '../rules.ts'
import { attributeContext, maxTag, openAutolink, openTagIn } from './attribute-context.ts'
import { readInside } from './tags.ts'
import type { TagContext, Token } from './tokens.ts'

/** Scans a text without markup: each line becomes an element `line`, so that lines can repeat. */
export function scanLines(text: string, limits: Limits, context: TagContext, rules?: FormatRules): Token[] {
  const tokens: Token[] = []
  let tagCount = 0
  let from = 0
  let lineOpen = false
  const line: LineState = { start: 0, table: false, quotes: 0 }
  const openLine = (offset: number) => {
    if (!lineOpen) tokens.push({ kind: 'open', name: 'line', raw: '', offset })
    lineOpen = true
  }
  const addText = (start: number, end: number) => {
    while (start < end) {
      openLine(start)
      const lineFeed = text.indexOf('\n', start)
      if (lineFeed < 0 || lineFeed >= end) {
        tokens.push({ kind: 'text', raw: text.slice(start, end), offset: start })
        return
      }
      const lineEnd = lineFeed > start && text[lineFeed - 1] === '\r' ? lineFeed - 1 : lineFeed
      if (lineEnd > start) tokens.push({ kind: 'text', raw: text.slice(start, lineEnd), offset: start })
      tokens.push({ kind: 'close', name: 'line', raw: text.slice(lineEnd, lineFeed + 1), offset: lineEnd })
      lineOpen = false
      start = lineFeed + 1
    }
  }
  for (let position = text.indexOf('{'); position >= 0; position = text.indexOf('{', position)) {
    const tag = readInside(text, position + 1, Math.min(text.length, position + 1 + limits.tagLength), false)
    if (tag === undefined) {
      position += 1
      continue
    }
    if (++tagCount > limits.tags) throw new AppError('template.tag.too-many', { limit: limits.tags })
    addText(from, position)
    updateLine(text, from, position, line, context === 'json')
    openLine(position)
    tokens.push({
      kind: 'tag',
      text: tag.text,
      offset: position,
      context:
        (rules && inlineContext(text, position, tag.end, rules)) ??
        contextAt(text, position, tag.end, context, line),
    })
    from = position = tag.end
  }
  addText(from, text.length)
  if (lineOpen) tokens.push({ kind: 'close', name: 'line', raw: '', offset: text.length })
  return tokens
}

/**
 * The context of a tag in JSON: inside a string, or an entire value. Elsewhere a tag writes a part of the markup, such
 * as the comma between two items. Source: RFC 8259, 2 and 7.
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
 * The context of a tag inside an HTML tag in a line of Markdown; undefined for any other tag (CommonMark 0.31, 6.6). An
 * unquoted attribute value is escaped as strictly as a name. An address in angle brackets is not an HTML tag (6.5).
 */
function inlineContext(text: string, start: number, end: number, rules: FormatRules): TagContext | undefined {
  const following = text.slice(end, end + maxTag)
  // A "<" without a matching ">" is text, and so is code in backticks.
  if (!/^(?:\{[^{}]*\}|[^<>{]|\{(?![dc$#]))*>/.test(following)) return undefined
  const line = text.slice(text.lastIndexOf('\n', start) + 1, start)
  if (line.split('`').length % 2 === 0) return undefined
  const before = text.slice(Math.max(0, start - maxTag), start)
  // Template tags before this one in the same address may hold blanks.
  if (openAutolink(before.replace(/\{[^{}\n]*\}/g, '')) !== undefined) return undefined
  const openTag = openTagIn(before)
  if (openTag === undefined) return undefined
  if (openTag.value === undefined)
    return /[\s>/]/.test(text[end] ?? '>') && /\s/.test(text[start - 1]!) ? 'bare' : 'name'
  const { attribute, quote, text: value } = openTag.value
  if (quote === '') return 'name'
  const { context, code } = attributeContext(rules, openTag.element, attribute)
  if (code === undefined) return context
  code.read(decodeEntities(value))
  const close = text.indexOf(quote, end)
  return `${code.contextBefore(text.slice(end, close < 0 ? end : close))}-in-attribute`
}

/** The maximum number of blanks between a tag and the punctuation of JSON before or after it. */
const maxBlanks = 200

/** How a value is escaped at a tag: as a whole field of CSV, in a part of a field, inside a field in quotes, in a row of a Markdown table. */
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
  return line.quotes % 2 === 1 ? 'quoted' : 'csv-part'
}

/** The state of the line that is being scanned, up to the last tag. */
interface LineState {
  start: number // offset of the line
  table: boolean // it begins with a bar
  quotes: number // how many double quotes it has so far
}

/** Updates the state of the line with the text [from, to), which is outside of tags. `escapes`: backslashes escape. */
function updateLine(text: string, from: number, to: number, line: LineState, escapes: boolean): void {
  for (let position = from; position < to; position += 1) {
    const code = text.charCodeAt(position)
    if (code === 10) {
      line.start = position + 1
      line.quotes = 0
      line.table = false
    } else if (code === 92) {
      // In a string of JSON a backslash escapes the next character.
      if (escapes) position += 1
    } else if (code === 34) line.quotes += 1
    else if (code === 124 && text.slice(line.start, position).trim() === '') line.table = true
  }
}
