/** Describes the position of a tag in an OpenDocument file: the cell of a sheet, the page of a presentation. */

import type { DescribePosition } from '../template/rules.ts'
import type { Token } from '../template/scan/tokens.ts'
import { attributeOf } from '../xml/elements.ts'
import { enclosing } from './line-breaks.ts'
import { columnName } from './sheet/reference.ts'

/** The opening tag that begins at a token, up to the first tag or computed token in it. */
function tagAt(tokens: readonly Token[], start: number): string {
  let raw = ''
  for (let n = start; n < tokens.length && n < start + 8; n += 1) {
    const token = tokens[n]
    if (token === undefined) break
    if (token.kind === 'computed' || token.kind === 'tag') continue
    raw += token.raw
    if (raw.endsWith('>')) break
  }
  return raw
}

const named = (tokens: readonly Token[], element: number, attribute: string): string | undefined =>
  element < 0 ? undefined : attributeOf(tagAt(tokens, element), attribute)

/** The number of elements with these names up to and including `last`. Repeated ones count as often as they repeat. */
function count(
  tokens: readonly Token[],
  parent: Int32Array,
  from: number,
  last: number,
  names: readonly string[],
): number {
  let number = 0
  for (let index = from + 1; index <= last; index += 1) {
    const token = tokens[index]
    if (token === undefined) break
    if ((token.kind !== 'open' && token.kind !== 'void') || !names.includes(token.name)) continue
    // Tables inside cells are counted separately.
    if (
      enclosing(tokens, parent, index, ['table:table']) !== enclosing(tokens, parent, last, ['table:table'])
    )
      continue
    const tag = index === last ? '' : tagAt(tokens, index)
    const repeated =
      attributeOf(tag, 'table:number-rows-repeated') ?? attributeOf(tag, 'table:number-columns-repeated')
    number += Number(repeated ?? 1)
  }
  return number
}

/** Names the slide around a tag: 'page Introduction'. */
export const pageOf: DescribePosition = (tokens, parent, index) => {
  const name = named(tokens, enclosing(tokens, parent, index, ['draw:page']), 'draw:name')
  return name === undefined ? undefined : `page ${name}`
}

/** Names the cell around a tag: 'cell B2 of sheet Prices'. Repeated rows and cells count as often as they repeat. */
export const cellOf: DescribePosition = (tokens, parent, index) => {
  const cell = enclosing(tokens, parent, index, ['table:table-cell', 'table:covered-table-cell'])
  const row = enclosing(tokens, parent, index, ['table:table-row'])
  const table = enclosing(tokens, parent, index, ['table:table'])
  if (cell < 0 || row < 0 || table < 0) return undefined
  const column = count(tokens, parent, row, cell, ['table:table-cell', 'table:covered-table-cell'])
  const reference = `${columnName(column)}${count(tokens, parent, table, row, ['table:table-row'])}`
  const name = named(tokens, table, 'table:name')
  return name === undefined ? `cell ${reference}` : `cell ${reference} of sheet ${name}`
}
