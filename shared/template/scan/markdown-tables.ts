/**
 * Tables of Markdown whose cells repeat, or that lose rows or columns: their lines become rows with cells, under the
 * names that HTML has for them, and the line of dashes the list of their columns. Other tables are lines like any.
 * Source: template language 11.5, 12.5, 24.7; GitHub Flavored Markdown 4.10.
 */
import type { Piece, TextPiece } from './pieces.ts'

const dashes = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/
const drops = /:(?:drop|keep)\((?:row|col|table)/

export function markdownTables(pieces: readonly Piece[]): readonly Piece[] {
  if (!pieces.some((piece) => piece.kind === 'text' && piece.raw.includes('|'))) return pieces
  const lines = linesOf(pieces)
  const out: Piece[] = []
  for (let at = 0; at < lines.length; at += 1) {
    let end = at
    while (end < lines.length && isRow(lines[end]!)) end += 1
    const table = lines.slice(at, end)
    if (table.length < 2 || !dashes.test(textOf(table[1]!)) || !table.some(needsCells)) {
      out.push(...lines[at]!)
      continue
    }
    const { offset } = table[0]![0]!
    out.push({ kind: 'open', name: 'table', raw: '', offset })
    for (const [n, line] of table.entries())
      out.push(...(n === 1 ? rowOf(line, 'colgroup', 'col') : rowOf(line, 'tr', 'td')))
    out.push({ kind: 'close', name: 'table', raw: '', offset })
    at = end - 1
  }
  return out
}

/** Each with its opening and closing piece. */
function linesOf(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = []
  for (const piece of pieces) {
    if (lines.length === 0 || piece.kind === 'open') lines.push([])
    lines.at(-1)!.push(piece)
  }
  return lines
}

const textOf = (line: readonly Piece[]): string =>
  line.map((piece) => (piece.kind === 'text' ? piece.raw : piece.kind === 'tag' ? 'x' : '')).join('')

const isRow = (line: readonly Piece[]): boolean => textOf(line).trimStart().startsWith('|')

/** A tag that ends a loop behind one that begins it, on one line; a tag that drops. */
function needsCells(line: readonly Piece[]): boolean {
  let begun = false
  for (const piece of line) {
    if (piece.kind !== 'tag') continue
    if (drops.test(piece.text)) return true
    if (/\+1[^\]]*\]/.test(piece.text)) {
      if (begun) return true
    } else if (/\[[^\]=<>]*\bi\b|\[\w+\]/.test(piece.text)) begun = true
  }
  return false
}

/** A line as a row: a cell is a bar and what follows up to the next one; the last bar belongs to the row. */
function rowOf(line: readonly Piece[], row: string, cell: string): Piece[] {
  const out: Piece[] = []
  let inside = false
  const close = (offset: number) => {
    if (inside) out.push({ kind: 'close', name: cell, raw: '', offset })
    inside = false
  }
  const last = lastBar(line)
  for (const piece of line) {
    if (piece.kind === 'open') out.push({ ...piece, name: row })
    else if (piece.kind === 'close') {
      close(piece.offset)
      out.push({ ...piece, name: row })
    } else if (piece.kind !== 'text') out.push(piece)
    else {
      for (const { start, stop } of parts(piece.raw)) {
        const raw = piece.raw.slice(start, stop)
        const offset = piece.offset + start
        if (raw.startsWith('|')) {
          close(offset)
          if (piece !== last?.piece || start !== last.at) {
            out.push({ kind: 'open', name: cell, raw: '', offset })
            inside = true
          }
        }
        out.push({ kind: 'text', raw, offset })
      }
    }
  }
  return out
}

/** Stretches that begin at the start of a text or at a bar in it. */
function parts(raw: string): { start: number; stop: number }[] {
  const found: { start: number; stop: number }[] = []
  let start = 0
  for (let at = 0; at <= raw.length; at += 1) {
    const isBar = raw[at] === '|' && raw[at - 1] !== '\\'
    if (at < raw.length && !isBar) continue
    if (at > start) found.push({ start, stop: at })
    start = at
  }
  return found
}

/** The bar that ends a line, where one does. */
function lastBar(line: readonly Piece[]): { piece: TextPiece; at: number } | undefined {
  for (let n = line.length - 1; n >= 0; n -= 1) {
    const piece = line[n]!
    if (piece.kind === 'tag') return undefined
    if (piece.kind !== 'text' || piece.raw.trim() === '') continue
    const at = piece.raw.trimEnd().length - 1
    return piece.raw[at] === '|' && piece.raw[at - 1] !== '\\' ? { piece, at } : undefined
  }
  return undefined
}
