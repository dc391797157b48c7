/**
 * Makes pieces ready for text that repeats inside a paragraph. Editors cut runs anywhere, so `a {d.l[i].n}, {d.l[i+1].n} b`
 * may stand in one run or in five. Runs are split around such markers: the words before, between and after them then
 * belong to what the author sees, not to what the editor cut. Also tells text elements to keep their blanks.
 */
import type { FormatRules } from '../rules.ts'
import type { MarkupPiece, Piece } from './pieces.ts'

export function prepareInline(pieces: readonly Piece[], rules: FormatRules): readonly Piece[] {
  const split = rules.runs === undefined ? pieces : splitRuns(pieces, rules)
  return rules.keepBlanks === undefined ? split : keepBlanks(split, rules.keepBlanks)
}

/** What a tag's brackets say about loops, read in one pass. */
function marks(text: string): 'begins' | 'ends' | undefined {
  let found: 'begins' | undefined
  for (let open = text.indexOf('['); open >= 0; open = text.indexOf('[', open + 1)) {
    const close = text.indexOf(']', open)
    if (close < 0) return found
    for (const part of text.slice(open + 1, close).split(',')) {
      const word = part.trim()
      if (word.startsWith('i+1') || word.startsWith('I+1')) return 'ends'
      if (word === 'i' || word === 'I') found = 'begins'
    }
    open = close
  }
  return found
}

interface Marker {
  readonly at: number
  readonly ends: boolean
  readonly run: number // index of the opening tag of its run
}

function splitRuns(pieces: readonly Piece[], rules: FormatRules): readonly Piece[] {
  const before = new Set<number>()
  const after = new Set<number>()
  const stack: number[] = []
  let markers: Marker[] = []
  const settle = () => {
    if (markers.some(({ ends }) => ends) && new Set(markers.map(({ run }) => run)).size > 1) {
      for (const { at, ends } of markers) {
        before.add(at)
        if (ends) after.add(at)
      }
    }
    markers = []
  }
  pieces.forEach((piece, at) => {
    if (piece.kind === 'open') {
      if (rules.paragraphs.includes(piece.name)) settle()
      stack.push(at)
    } else if (piece.kind === 'close') {
      stack.pop()
      if (rules.paragraphs.includes(piece.name)) settle()
    } else if (piece.kind === 'tag' && piece.context === 'text') {
      const says = marks(piece.text)
      if (says === undefined) return
      const run = stack.findLast((open) => Object.hasOwn(rules.runs!, (pieces[open] as MarkupPiece).name))
      if (run !== undefined) markers.push({ at, ends: says === 'ends', run })
    }
  })
  if (before.size === 0) return pieces
  const out: Piece[] = []
  const open: number[] = []
  pieces.forEach((piece, at) => {
    if (before.has(at) && says(pieces, open, at, rules)) out.push(...seam(pieces, open, rules))
    out.push(piece)
    if (piece.kind === 'open') open.push(at)
    else if (piece.kind === 'close') open.pop()
    if (after.has(at) && pieces[at + 1]?.kind !== 'close') out.push(...seam(pieces, open, rules))
  })
  return out
}

/** Whether the run has text or a tag before piece `at`. */
function says(pieces: readonly Piece[], open: readonly number[], at: number, rules: FormatRules): boolean {
  const run = open.findLast((index) => Object.hasOwn(rules.runs!, (pieces[index] as MarkupPiece).name))
  if (run === undefined) return false
  for (let n = run + 1; n < at; n += 1) {
    const piece = pieces[n]!
    if (piece.kind === 'tag' || (piece.kind === 'text' && piece.markup === undefined)) return true
  }
  return false
}

/** Ends the run and begins another one like it. */
function seam(pieces: readonly Piece[], open: readonly number[], rules: FormatRules): Piece[] {
  const depth = open.findLastIndex((index) => Object.hasOwn(rules.runs!, (pieces[index] as MarkupPiece).name))
  if (depth < 0) return []
  const inside = open.slice(depth)
  const run = inside[0]!
  const { properties } = rules.runs![(pieces[run] as MarkupPiece).name]!
  const closing: Piece[] = [...inside].reverse().map((index) => {
    const { name, offset } = pieces[index] as MarkupPiece
    return { kind: 'close', name, raw: `</${name}>`, offset }
  })
  const opening: Piece[] = []
  for (const index of inside) {
    opening.push(pieces[index]!)
    if (index !== run) continue
    // The properties stand first in the run.
    let level = 0
    for (let n = run + 1; n < pieces.length; n += 1) {
      const piece = pieces[n]!
      if (level === 0 && !('name' in piece && properties.includes(piece.name))) break
      opening.push(piece)
      if (piece.kind === 'open') level += 1
      else if (piece.kind === 'close') level -= 1
    }
  }
  return [...closing, ...opening]
}

/**
 * Text elements that begin or end with a blank, or with a value that may, get the attribute that keeps it: a tag that
 * was cut out of them often leaves a blank at the edge.
 */
function keepBlanks(
  pieces: readonly Piece[],
  attributes: Readonly<Record<string, string>>,
): readonly Piece[] {
  const out = [...pieces]
  let open = -1
  pieces.forEach((piece, at) => {
    if (piece.kind === 'open') open = Object.hasOwn(attributes, piece.name) ? at : -1
    else if (piece.kind === 'close') open = -1
    else if (open >= 0 && (piece.kind === 'tag' || (piece.kind === 'text' && /^\s|\s$/.test(piece.raw)))) {
      const element = out[open] as MarkupPiece
      const [name = ''] = attributes[element.name]!.split('=')
      if (!element.raw.includes(name) && element.raw.endsWith('>')) {
        out[open] = { ...element, raw: `${element.raw.slice(0, -1)} ${attributes[element.name]!}>` }
      }
      open = -1
    }
  })
  return out
}
