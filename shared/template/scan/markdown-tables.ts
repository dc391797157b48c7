/**
 * Tables of Markdown whose cells repeat, or that lose rows or columns. Their lines become rows with cells under the names that
 * HTML has for them, and the line of dashes becomes the list of columns. All other tables stay lines.
 * Source: template language 11.5, 12.5, 24.7; GitHub Flavored Markdown 4.10.
 */
import { pushAll } from '../../push-all.ts'
import type { TextToken, Token } from './tokens.ts'

const dashes = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/
const drops = /:(?:drop|keep)\((?:row|col|table)/

/**
 * Makes rows and cells of Markdown tables elements, where tags act on them. Returns the same tokens when there is no
 * table.
 */
export function markdownTables(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some((token) => token.kind === 'text' && token.raw.includes('|'))) return tokens
  const lines = linesOf(tokens)
  const result: Token[] = []
  for (let lineIndex = 0; lineIndex < lines.length; lineIndex += 1) {
    let end = lineIndex
    while (end < lines.length && isRow(lines[end]!)) end += 1
    const table = lines.slice(lineIndex, end)
    if (table.length < 2 || !dashes.test(textOf(table[1]!)) || !table.some(needsCells)) {
      pushAll(result, lines[lineIndex]!)
      continue
    }
    const { offset } = table[0]![0]!
    result.push({ kind: 'open', name: 'table', raw: '', offset })
    for (const [n, line] of table.entries())
      pushAll(result, n === 1 ? rowOf(line, 'colgroup', 'col') : rowOf(line, 'tr', 'td'))
    result.push({ kind: 'close', name: 'table', raw: '', offset })
    lineIndex = end - 1
  }
  return result
}

/** The tokens of each line, from its opening to its closing token. */
function linesOf(tokens: readonly Token[]): Token[][] {
  const lines: Token[][] = []
  for (const token of tokens) {
    if (lines.length === 0 || token.kind === 'open') lines.push([])
    lines.at(-1)!.push(token)
  }
  return lines
}

const textOf = (line: readonly Token[]): string =>
  line.map((token) => (token.kind === 'text' ? token.raw : token.kind === 'tag' ? 'x' : '')).join('')

const isRow = (line: readonly Token[]): boolean => textOf(line).trimStart().startsWith('|')

/** Whether a line needs cells: a loop begins and ends on it, or a tag drops something. */
function needsCells(line: readonly Token[]): boolean {
  let begun = false
  for (const token of line) {
    if (token.kind !== 'tag') continue
    if (drops.test(token.text)) return true
    if (/\+1[^\]]*\]/.test(token.text)) {
      if (begun) return true
    } else if (/\[[^\]=<>]*\bi\b|\[\w+\]/.test(token.text)) begun = true
  }
  return false
}

/** A line as a row. A cell is a bar with what follows up to the next bar. The last bar belongs to the row. */
function rowOf(line: readonly Token[], row: string, cell: string): Token[] {
  const tokens: Token[] = []
  let isInCell = false
  const closeCell = (offset: number) => {
    if (isInCell) tokens.push({ kind: 'close', name: cell, raw: '', offset })
    isInCell = false
  }
  const last = lastBar(line)
  for (const token of line) {
    if (token.kind === 'open') tokens.push({ ...token, name: row })
    else if (token.kind === 'close') {
      closeCell(token.offset)
      tokens.push({ ...token, name: row })
    } else if (token.kind !== 'text') tokens.push(token)
    else {
      for (const { start, stop } of parts(token.raw)) {
        const raw = token.raw.slice(start, stop)
        const offset = token.offset + start
        if (raw.startsWith('|')) {
          closeCell(offset)
          if (token !== last?.token || start !== last.at) {
            tokens.push({ kind: 'open', name: cell, raw: '', offset })
            isInCell = true
          }
        }
        tokens.push({ kind: 'text', raw, offset })
      }
    }
  }
  return tokens
}

/** The parts of a text that begin at its start or at a bar. */
function parts(raw: string): { start: number; stop: number }[] {
  const cellParts: { start: number; stop: number }[] = []
  let start = 0
  for (let position = 0; position <= raw.length; position += 1) {
    const isBar = raw[position] === '|' && raw[position - 1] !== '\\'
    if (position < raw.length && !isBar) continue
    if (position > start) cellParts.push({ start, stop: position })
    start = position
  }
  return cellParts
}

/** The bar at the end of a line; undefined when the line ends without one. */
function lastBar(line: readonly Token[]): { token: TextToken; at: number } | undefined {
  for (let n = line.length - 1; n >= 0; n -= 1) {
    const token = line[n]
    if (token === undefined) break
    if (token.kind === 'tag') return undefined
    if (token.kind !== 'text' || token.raw.trim() === '') continue
    const at = token.raw.trimEnd().length - 1
    return token.raw[at] === '|' && token.raw[at - 1] !== '\\' ? { token, at } : undefined
  }
  return undefined
}
