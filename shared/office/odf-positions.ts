/** Where a tag of an OpenDocument file stands: the cell of a sheet, the page of a presentation. */
import type { Position } from '../template/positions.ts'
import type { Token } from '../template/scan/tokens.ts'
import { around } from './line-breaks.ts'
import { columnName } from './sheet/reference.ts'

/** The opening tag that begins at a token, up to the first tag or computed token in it. */
function tagAt(tokens: readonly Token[], at: number): string {
  let raw = ''
  for (let n = at; n < tokens.length && n < at + 8; n += 1) {
    const token = tokens[n]!
    if (token.kind === 'computed' || token.kind === 'tag') continue
    raw += token.raw
    if (raw.endsWith('>')) break
  }
  return raw
}

const named = (tokens: readonly Token[], at: number, attribute: string): string | undefined =>
  at < 0 ? undefined : new RegExp(`\\s${attribute}="([^"]*)"`).exec(tagAt(tokens, at))?.[1]

/** How many of `names` stand before and at `last`, counting those that stand for several. */
function count(
  tokens: readonly Token[],
  parent: Int32Array,
  from: number,
  last: number,
  names: readonly string[],
): number {
  let number = 0
  for (let at = from + 1; at <= last; at += 1) {
    const token = tokens[at]!
    if ((token.kind !== 'open' && token.kind !== 'void') || !names.includes(token.name)) continue
    // Tables inside of cells count for themselves.
    if (around(tokens, parent, at, ['table:table']) !== around(tokens, parent, last, ['table:table']))
      continue
    number +=
      at === last ? 1 : Number(/number-(?:rows|columns)-repeated="(\d+)"/.exec(tagAt(tokens, at))?.[1] ?? 1)
  }
  return number
}

export const pageOf: Position = (tokens, parent, at) => {
  const name = named(tokens, around(tokens, parent, at, ['draw:page']), 'draw:name')
  return name === undefined ? undefined : `page ${name}`
}

export const cellOf: Position = (tokens, parent, at) => {
  const cell = around(tokens, parent, at, ['table:table-cell', 'table:covered-table-cell'])
  const row = around(tokens, parent, at, ['table:table-row'])
  const table = around(tokens, parent, at, ['table:table'])
  if (cell < 0 || row < 0 || table < 0) return undefined
  const column = count(tokens, parent, row, cell, ['table:table-cell', 'table:covered-table-cell'])
  const reference = `${columnName(column)}${count(tokens, parent, table, row, ['table:table-row'])}`
  const name = named(tokens, table, 'table:name')
  return name === undefined ? `cell ${reference}` : `cell ${reference} of sheet ${name}`
}
