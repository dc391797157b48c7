/**
 * Cells that span several rows, such as `rowspan` in HTML. If some of these rows repeat or vanish, the span changes: it
 * becomes a computed token, and the rows are counted in the measuring pass. Source: template language 11.3.
 */

import { type AxisLine, TableAxis } from '../axis.ts'
import { nest } from '../nest/tree.ts'
import type { FormatRules } from '../rules.ts'
import { type RenderScope, scopeKey } from '../scope.ts'
import type { ElementToken, Recorder, Token } from './tokens.ts'

type Spans = NonNullable<FormatRules['spans']>

/** Tags that may repeat or remove a row. */
const structural = /\[|\$|:(?:drop|keep)\(|:(?:show|hide)Begin/
const maxRows = 10_000_000

interface SpannedRow {
  readonly open: number
  readonly number: number // in its table, from 1
}
interface SpannedTable {
  readonly start: number
  readonly stop: number
  readonly rows: SpannedRow[]
  readonly lines: AxisLine[]
  readonly spanning: { readonly at: number; readonly row: number; readonly count: number }[]
}

/** Makes the numbers of cells that span rows computed tokens, where a loop may repeat the rows that they span. */
export function followRowSpans(tokens: readonly Token[], rules: FormatRules): readonly Token[] {
  const { spans } = rules
  if (spans === undefined || !tokens.some((token) => spanOf(token, spans) > 1)) return tokens
  const moving = tablesOf(tokens, spans).filter(
    ({ start, stop, spanning }) =>
      spanning.length > 0 &&
      tokens.slice(start, stop).some((token) => token.kind === 'tag' && structural.test(token.text)),
  )
  if (moving.length === 0) return tokens
  const replaced = new Map<number, Token[]>()
  for (const table of moving) {
    const count = new Counter(table.lines)
    table.rows.forEach(({ open }, index) => {
      const token = tokens[open] as ElementToken
      const beginning = index === 0 ? [count.begin()] : []
      replaced.set(open, [...beginning, ...withComputed(token, `<${token.name}`.length, count.row(index), 0)])
    })
    for (const { at: index, row, count: templateCount } of table.spanning) {
      const token = tokens[index] as ElementToken
      const number = attributeIn(token.raw, spans.attribute)!
      const value: Token = {
        kind: 'computed',
        offset: token.offset,
        compute: (scope) => String(count.now(scope, row, templateCount)),
      }
      replaced.set(index, withComputed(token, number.start, value, number.end - number.start))
    }
  }
  return tokens.flatMap((token, index) => replaced.get(index) ?? [token])
}

/** Counts the rows of one table. Each copy of the table is counted separately. */
class Counter {
  readonly #lines: readonly AxisLine[]
  readonly #recorder: Recorder
  /** The rows of the copy that is being measured or written, and the event of the latest row (-1 before the first). */
  readonly #current = scopeKey<{ readonly axis: TableAxis; event: number }>('rows of a table')
  /** The measured copies that are still to be written, in order. The last one stays, for tables that are written again. */
  readonly #copies = scopeKey<TableAxis[]>('copies of a table')

  constructor(lines: readonly AxisLine[]) {
    this.#lines = lines
    this.#recorder = {
      enter: (scope, loop) => scope.get(this.#current)?.axis.enter(loop),
      leave: (scope) => scope.get(this.#current)?.axis.leave(),
    }
  }

  /** The token at which a copy of the table begins. */
  begin(): Token {
    return {
      kind: 'computed',
      offset: 0,
      hidden: true,
      compute: (scope) => {
        const copies = scope.require(this.#copies)
        scope.set(this.#current, { axis: copies.length > 1 ? copies.shift()! : copies[0]!, event: -1 })
        return ''
      },
      measure: (scope) => {
        const axis = new TableAxis(this.#lines, maxRows, 'rows')
        scope.obtain(this.#copies, () => []).push(axis)
        scope.set(this.#current, { axis, event: -1 })
      },
    }
  }

  row(index: number): Token {
    return {
      kind: 'computed',
      offset: 0,
      compute: (scope) => {
        scope.require(this.#current).event += 1
        return ''
      },
      measure: (scope) => scope.get(this.#current)?.axis.step(index),
      recorder: this.#recorder,
    }
  }

  now(scope: RenderScope, row: number, templateCount: number): number {
    const state = scope.get(this.#current)
    const span = state?.axis.resolve(row, row + templateCount - 1, state.event)
    return span === undefined ? templateCount : span.to - span.from + 1
  }
}

function tablesOf(tokens: readonly Token[], spans: Spans): SpannedTable[] {
  const { match } = nest(tokens)
  const tables: SpannedTable[] = []
  const openTables: SpannedTable[] = []
  tokens.forEach((token, index) => {
    while (openTables.length > 0 && openTables.at(-1)!.stop <= index) openTables.pop()
    if (token.kind !== 'open' && token.kind !== 'void') return
    const table = openTables.at(-1)
    if (token.kind === 'open' && token.name === spans.table) {
      const table: SpannedTable = {
        start: index,
        stop: (match[index] ?? 0) + 1,
        rows: [],
        lines: [],
        spanning: [],
      }
      tables.push(table)
      openTables.push(table)
    } else if (table !== undefined && token.name === spans.row) {
      const number = table.rows.length + 1
      table.rows.push({ open: index, number })
      table.lines.push({ first: number, count: 1 })
    } else if (table !== undefined && table.rows.length > 0) {
      const count = spanOf(token, spans)
      if (count > 1) table.spanning.push({ at: index, row: table.rows.length, count })
    }
  })
  return tables
}

function spanOf(token: Token, { cells, attribute }: Spans): number {
  if ((token.kind !== 'open' && token.kind !== 'void') || !cells.includes(token.name)) return 1
  const number = attributeIn(token.raw, attribute)
  return number === undefined ? 1 : Number(token.raw.slice(number.start, number.end))
}

function attributeIn(raw: string, name: string): { start: number; end: number } | undefined {
  const match = new RegExp(`\\s${name}\\s*=\\s*["']?(\\d{1,6})`, 'i').exec(raw)
  if (match === null) return undefined
  const end = match.index + match[0].length
  return { start: end - (match[1] ?? '').length, end }
}

/** An opening tag in which a computed token replaces `length` characters from `start` on. */
function withComputed(token: ElementToken, start: number, computed: Token, length: number): Token[] {
  const { name, offset, raw } = token
  const tail = raw.slice(start + length)
  const head: Token = { kind: 'open', name, raw: raw.slice(0, start), offset }
  if (token.kind === 'open') return [head, computed, ...(tail === '' ? [] : [markupRest(tail, offset)])]
  return [head, computed, markupRest(tail.slice(0, -2), offset), { kind: 'close', name, raw: '/>', offset }]
}

const markupRest = (raw: string, offset: number): Token => ({ kind: 'text', raw, offset, markup: true })
