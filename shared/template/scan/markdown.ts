/**
 * Scans Markdown: lines, and blocks of HTML between them. A block of HTML begins with a line that starts with a block element
 * and ends at an empty line. Tags inside it are in markup, as in a page. Source: template language 24.7; CommonMark 0.31, 4.6
 * (kind 6).
 */
import type { Limits } from '../../limits.ts'
import type { FormatRules } from '../rules.ts'
import { lexHtml } from './html.ts'
import { scanLines } from './lines.ts'
import { markdownTables } from './markdown-tables.ts'
import { findTags } from './tags.ts'
import type { Token } from './tokens.ts'

const blockElements = new Set(
  'address article aside blockquote center details dialog div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header main menu nav ol p section summary table ul'.split(
    ' ',
  ),
)
const indentation = /^ {0,3}/
const blockName = /[a-z][a-z\d]*(?=[\s/>]|$)/iy
/** Elements whose content is not Markdown up to their own end tag (CommonMark 0.31, 4.6, kind 1). */
const codeBlock = /^ {0,3}<(script|pre|style|textarea)(?=[\s>]|$)/i
const fence = /^ {0,3}(`{3,}|~{3,})/

/** Throws as the scanners of lines and of markup do. */
export function scanMarkdown(text: string, name: string, rules: FormatRules, limits: Limits): Token[] {
  const blocks = htmlBlocks(text)
  if (blocks.length === 0) return [...markdownTables(scanLines(text, limits, 'markdown', rules))]
  const allTokens: Token[] = []
  const add = (tokens: readonly Token[], offset: number) => {
    for (const token of tokens) allTokens.push({ ...token, offset: token.offset + offset })
  }
  let from = 0
  for (const { start, stop } of blocks) {
    add(markdownTables(scanLines(text.slice(from, start), limits, 'markdown', rules)), from)
    const block = text.slice(start, stop)
    const lexemes = lexHtml(block, name, limits)
    const tokens = findTags({ text: block, part: name, lexemes, rules, limits, context: 'text' })
    add(withLineEnds(tokens), start)
    from = stop
  }
  add(markdownTables(scanLines(text.slice(from), limits, 'markdown', rules)), from)
  return allTokens
}

/**
 * Moves the end of a line into the element that ends on it. When the element is removed, the remaining empty line would
 * end the block.
 */
function withLineEnds(tokens: readonly Token[]): readonly Token[] {
  const result: Token[] = []
  for (const token of tokens) {
    const previous = result.at(-1)
    const isEnd = token.kind === 'text' && token.markup === undefined && /^[ \t]*\r?\n[ \t]*$/.test(token.raw)
    if (isEnd && previous?.kind === 'close')
      result[result.length - 1] = { ...previous, raw: previous.raw + token.raw }
    else result.push(token)
  }
  return result
}

function beginsHtml(line: string): boolean {
  const start = indentation.exec(line)?.[0].length ?? 0
  if (line[start] !== '<') return false
  blockName.lastIndex = start + 1
  return blockElements.has(blockName.exec(line)?.[0].toLowerCase() ?? '')
}

/** The blocks of HTML that contain tags. All others are copied as lines. */
function htmlBlocks(text: string): readonly { readonly start: number; readonly stop: number }[] {
  const blocks: { start: number; stop: number }[] = []
  let blockStart: number | undefined
  /** Matches the end of the open block; without it, an empty line ends the block. */
  let ending: RegExp | undefined
  let fenced: string | undefined
  const endBlock = (stop: number) => {
    if (blockStart !== undefined && text.slice(blockStart, stop).includes('{'))
      blocks.push({ start: blockStart, stop })
    blockStart = undefined
  }
  for (let position = 0; position < text.length; ) {
    const feed = text.indexOf('\n', position)
    const nextLine = feed < 0 ? text.length : feed + 1
    const line = text.slice(position, nextLine)
    const marker = fence.exec(line)?.[1]
    if (blockStart === undefined && marker !== undefined) {
      if (fenced === undefined) fenced = marker
      else if (marker[0] === fenced[0] && marker.length >= fenced.length) fenced = undefined
    } else if (blockStart !== undefined && ending === undefined && line.trim() === '') endBlock(position)
    else if (blockStart === undefined && fenced === undefined) {
      const code = codeBlock.exec(line)?.[1]
      if (code !== undefined || beginsHtml(line)) blockStart = position
      ending = code === undefined ? undefined : new RegExp(`</${code}\\s*>`, 'i')
    }
    if (blockStart !== undefined && ending?.test(line) === true) {
      endBlock(nextLine)
      ending = undefined
    }
    position = nextLine
  }
  endBlock(text.length)
  return blocks
}
