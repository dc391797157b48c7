/**
 * Expands columns and cells with a repetition count in tables whose columns a tag may drop or repeat, so that each can be
 * dropped or repeated separately. Source: ODF 1.3 part 3, 9.1.6 and 19.675.
 */
import { pushAll } from '../push-all.ts'
import type { ElementToken, Token } from '../template/scan/tokens.ts'
import { attributeOf, withoutAttribute } from '../xml/elements.ts'

const sideways = /\+1[^\]]*\]|\$|:(?:drop|keep)\(col/
const repeatable = /^table:(?:table-column|table-cell|covered-table-cell)$/
const repeated = 'table:number-columns-repeated'
/** Calc ends each row with a cell that fills the sheet. A higher count is such formatting and contains no tag. */
const maxExpanded = 200

/** Expands repeated columns and cells. Returns the same tokens when no tag can drop or repeat a column. */
export function expandColumns(tokens: readonly Token[]): readonly Token[] {
  const tables: number[] = []
  const tablesToExpand = new Set<number>()
  const holders = new Map<number, number>() // repeated element -> table
  tokens.forEach((token, index) => {
    if (token.kind === 'open' && token.name === 'table:table') tables.push(index)
    else if (token.kind === 'close' && token.name === 'table:table') tables.pop()
    else if (token.kind === 'tag' && tables.length > 0 && sideways.test(token.text))
      tablesToExpand.add(tables.at(-1)!)
    else if (isRepeated(token) && tables.length > 0) holders.set(index, tables.at(-1)!)
  })
  if (tablesToExpand.size === 0 || holders.size === 0) return tokens
  const result: Token[] = []
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (token === undefined) break
    const table = holders.get(index)
    const isExpanded = table !== undefined && tablesToExpand.has(table)
    const count = isExpanded ? Number(attributeOf((token as ElementToken).raw, repeated)) : 1
    if (!(count >= 2 && count <= maxExpanded)) {
      result.push(token)
      continue
    }
    const stop = endOf(tokens, index)
    const first = token as ElementToken
    const single = [
      { ...first, raw: withoutAttribute(first.raw, repeated) },
      ...tokens.slice(index + 1, stop),
    ]
    for (let n = 0; n < count; n += 1) pushAll(result, single)
    index = stop - 1
  }
  return result
}

const isRepeated = (token: Token): token is ElementToken =>
  (token.kind === 'open' || token.kind === 'void') &&
  repeatable.test(token.name) &&
  attributeOf(token.raw, repeated) !== undefined

function endOf(tokens: readonly Token[], start: number): number {
  if (tokens[start]!.kind !== 'open') return start + 1
  let depth = 0
  for (let n = start; n < tokens.length; n += 1) {
    const { kind } = tokens[n]!
    if (kind === 'open') depth += 1
    else if (kind === 'close') depth -= 1
    if (depth === 0) return n + 1
  }
  return start + 1
}
