/** Joins a table with its continuation on the next page, where its head is repeated. */
import type { FlowBlock, FlowRow, FlowTable } from '../../../../shared/flow/flow.ts'
import { plainText } from '../../../../shared/flow/flow.ts'

/** Tolerance for the widths of columns of one table, as fractions of the total width. */
const maxDeviation = 0.03

/**
 * Returns both as one table; undefined when they are two. A repeated head is dropped; a different head starts
 * another table.
 */
export function continued(one: FlowBlock | undefined, next: FlowBlock | undefined): FlowTable | undefined {
  if (one?.kind !== 'table' || next?.kind !== 'table' || one.direction !== next.direction) return undefined
  if (!sameWidths(one.widths, next.widths)) return undefined
  const repeatsHeader = one.headerRows > 0 && one.rows.length > one.headerRows && sameHeader(one, next)
  if (!repeatsHeader && next.headerRows > 0) return undefined
  const rows = repeatsHeader ? next.rows.slice(one.headerRows) : next.rows
  return rows.length === 0 ? undefined : { ...one, rows: [...one.rows, ...rows] }
}

function sameWidths(one: readonly number[] | undefined, next: readonly number[] | undefined): boolean {
  if (one === undefined || next === undefined || one.length !== next.length || one.length < 2) return false
  const total = one.reduce((sum, width) => sum + width, 0)
  return one.every((width, at) => Math.abs(width - (next[at] ?? 0)) <= total * maxDeviation)
}

function sameHeader(one: FlowTable, next: FlowTable): boolean {
  const head = (table: FlowTable) => table.rows.slice(0, one.headerRows).map(wordsOf).join('\n')
  return next.headerRows === one.headerRows && head(one) === head(next)
}

function wordsOf({ cells }: FlowRow): string {
  return cells
    .map(({ blocks, columns, rows }) => {
      const words = blocks.map((block) =>
        block.kind === 'paragraph' ? plainText(block.inlines).trim() : block.kind,
      )
      return `${columns} ${rows} ${words.join(' ')}`
    })
    .join('\t')
}
