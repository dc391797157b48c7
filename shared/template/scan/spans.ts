/**
 * Cells that cover rows below them: where some of these rows repeat or vanish, the number of rows follows. Rows are
 * counted in a first pass over loops and conditions. Source: template language 11.3.
 */
import { Axis, type Line } from '../../office/sheet/axis.ts'
import { linkPieces } from '../analyze/part.ts'
import type { FormatRules } from '../rules.ts'
import type { MarkupPiece, Notes, Piece, Recorder } from './pieces.ts'

type Spans = NonNullable<FormatRules['spans']>

/** Tags that may repeat or remove a row. */
const structural = /\[|\$|:(?:drop|keep)\(|:(?:show|hide)Begin/
const rowsAtMost = 10_000_000

interface Row {
  readonly open: number
  readonly number: number // in its table, from 1
}
interface Table {
  readonly start: number
  readonly stop: number
  readonly rows: Row[]
  readonly lines: Line[]
  readonly spanning: { readonly at: number; readonly row: number; readonly count: number }[]
}

export function followSpans(pieces: readonly Piece[], rules: FormatRules): readonly Piece[] {
  const { spans } = rules
  if (spans === undefined || !pieces.some((piece) => spanOf(piece, spans) > 1)) return pieces
  const moving = tablesOf(pieces, spans).filter(
    ({ start, stop, spanning }) =>
      spanning.length > 0 &&
      pieces.slice(start, stop).some((piece) => piece.kind === 'tag' && structural.test(piece.text)),
  )
  if (moving.length === 0) return pieces
  const replaced = new Map<number, Piece[]>()
  for (const table of moving) {
    const count = new Counter(table.lines)
    table.rows.forEach(({ open }, index) => {
      const piece = pieces[open] as MarkupPiece
      const before = index === 0 ? [count.begin()] : []
      replaced.set(open, [...before, ...withComputed(piece, `<${piece.name}`.length, count.row(index), 0)])
    })
    for (const { at, row, count: written } of table.spanning) {
      const piece = pieces[at] as MarkupPiece
      const found = attributeIn(piece.raw, spans.attribute)!
      const value: Piece = {
        kind: 'computed',
        offset: piece.offset,
        compute: (notes) => String(count.now(notes, row, written)),
      }
      replaced.set(at, withComputed(piece, found.start, value, found.end - found.start))
    }
  }
  return pieces.flatMap((piece, at) => replaced.get(at) ?? [piece])
}

/** Counts the rows of one table, anew for each copy of it. */
class Counter {
  readonly #lines: readonly Line[]
  readonly #recorder: Recorder

  constructor(lines: readonly Line[]) {
    this.#lines = lines
    this.#recorder = {
      enter: (notes, loop) => this.#state(notes)?.axis.enter(loop),
      leave: (notes) => this.#state(notes)?.axis.leave(),
    }
  }

  #state(notes: Notes): { axis: Axis; event: number } | undefined {
    return notes.get(this) as { axis: Axis; event: number } | undefined
  }

  /** A copy of the table begins. */
  begin(): Piece {
    const copies = this.#lines
    return {
      kind: 'computed',
      offset: 0,
      hidden: true,
      compute: (notes) => {
        const waiting = notes.get(copies) as Axis[]
        notes.set(this, { axis: waiting.length > 1 ? waiting.shift()! : waiting[0]!, event: -1 })
        return ''
      },
      measure: (notes) => {
        const axis = new Axis(this.#lines, rowsAtMost, 'rows')
        const waiting = notes.get(copies) as Axis[] | undefined
        if (waiting === undefined) notes.set(copies, [axis])
        else waiting.push(axis)
        notes.set(this, { axis, event: -1 })
      },
    }
  }

  row(index: number): Piece {
    return {
      kind: 'computed',
      offset: 0,
      compute: (notes) => {
        this.#state(notes)!.event += 1
        return ''
      },
      measure: (notes) => this.#state(notes)?.axis.step(index),
      recorder: this.#recorder,
    }
  }

  now(notes: Notes, row: number, written: number): number {
    const state = this.#state(notes)
    const span = state?.axis.resolve(row, row + written - 1, state.event)
    return span === undefined ? written : span.to - span.from + 1
  }
}

function tablesOf(pieces: readonly Piece[], spans: Spans): Table[] {
  const { match } = linkPieces(pieces)
  const done: Table[] = []
  const open: Table[] = []
  pieces.forEach((piece, at) => {
    while (open.length > 0 && open.at(-1)!.stop <= at) open.pop()
    if (piece.kind !== 'open' && piece.kind !== 'void') return
    const table = open.at(-1)
    if (piece.kind === 'open' && piece.name === spans.table) {
      const made: Table = { start: at, stop: match[at]! + 1, rows: [], lines: [], spanning: [] }
      done.push(made)
      open.push(made)
    } else if (table !== undefined && piece.name === spans.row) {
      const number = table.rows.length + 1
      table.rows.push({ open: at, number })
      table.lines.push({ first: number, count: 1 })
    } else if (table !== undefined && table.rows.length > 0) {
      const count = spanOf(piece, spans)
      if (count > 1) table.spanning.push({ at, row: table.rows.length, count })
    }
  })
  return done
}

function spanOf(piece: Piece, { cells, attribute }: Spans): number {
  if ((piece.kind !== 'open' && piece.kind !== 'void') || !cells.includes(piece.name)) return 1
  const found = attributeIn(piece.raw, attribute)
  return found === undefined ? 1 : Number(piece.raw.slice(found.start, found.end))
}

function attributeIn(raw: string, name: string): { start: number; end: number } | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*["']?(\\d{1,6})`, 'i').exec(raw)
  if (found === null) return undefined
  const end = found.index + found[0].length
  return { start: end - found[1]!.length, end }
}

/** An opening tag with a computed piece in place of `length` characters from `at` on. */
function withComputed(piece: MarkupPiece, at: number, computed: Piece, length: number): Piece[] {
  const { name, offset, raw } = piece
  const tail = raw.slice(at + length)
  const head: Piece = { kind: 'open', name, raw: raw.slice(0, at), offset }
  if (piece.kind === 'open') return [head, computed, ...(tail === '' ? [] : [rest(tail, offset)])]
  return [head, computed, rest(tail.slice(0, -2), offset), { kind: 'close', name, raw: '/>', offset }]
}

const rest = (raw: string, offset: number): Piece => ({ kind: 'text', raw, offset, markup: true })
