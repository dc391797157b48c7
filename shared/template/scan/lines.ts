/**
 * Text formats, in which a line is what repeats. Each line becomes an element whose closing tag is its line end, so that loops
 * over lines and inside a line are found by the same levels as in markup. Source: template language 24.7.
 */
import { AppError } from '../../errors/app-error.ts'
import type { Limits } from '../limits.ts'
import { readInside } from './tags.ts'
import type { TagContext, Token } from './tokens.ts'

export function scanLines(text: string, limits: Limits, context: TagContext): Token[] {
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
    follow(text, from, at, line)
    open(at)
    out.push({
      kind: 'tag',
      text: found.text,
      offset: at,
      context: contextAt(text, at, found.end, context, line),
    })
    from = at = found.end
  }
  addText(from, text.length)
  if (lineOpen) out.push({ kind: 'close', name: 'line', raw: '', offset: text.length })
  return out
}

/** How a value is escaped at a tag: as a whole field of CSV, inside a field in quotes, in a row of a Markdown table. */
function contextAt(
  text: string,
  start: number,
  end: number,
  context: TagContext,
  line: LineState,
): TagContext {
  if (context === 'plain') return context
  if (context === 'markdown') return line.table ? 'markdown' : 'plain'
  const before = start === line.start ? '' : text[start - 1]!
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

/** Takes the text from `from` to `to`, which is outside of tags, into the state of the line. */
function follow(text: string, from: number, to: number, line: LineState): void {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 10) {
      line.start = at + 1
      line.quotes = 0
      line.table = false
    } else if (code === 34) line.quotes += 1
    else if (code === 124 && text.slice(line.start, at).trim() === '') line.table = true
  }
}
