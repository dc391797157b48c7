/** Joins a table with its continuation on the next page, where its head is repeated. */
import type { FlowBlock, FlowRow, FlowTable } from '../../../../shared/flow/flow.ts'
import { plainText } from '../../../../shared/flow/flow.ts'

/** Tolerance for the widths of columns of one table, as fractions of the total width. */
const maxDeviation = 0.03

/**
 * Returns both as one table; undefined when they are two. A repeated head is dropped; a different head starts
 * another table.
 */
export function continued(
  previous: FlowBlock | undefined,
  next: FlowBlock | undefined,
): FlowTable | undefined {
  if (previous?.kind !== 'table' || next?.kind !== 'table' || previous.direction !== next.direction)
    return undefined
  if (!sameWidths(previous.widths, next.widths)) return undefined
  const repeatsHeader =
    previous.headerRows > 0 && previous.rows.length > previous.headerRows && sameHeader(previous, next)
  if (!repeatsHeader && next.headerRows > 0) return undefined
  const rows = repeatsHeader ? next.rows.slice(previous.headerRows) : next.rows
  return rows.length === 0 ? undefined : { ...previous, rows: [...previous.rows, ...rows] }
}

function sameWidths(previous: readonly number[] | undefined, next: readonly number[] | undefined): boolean {
  if (previous === undefined || next === undefined || previous.length !== next.length || previous.length < 2)
    return false
  const total = previous.reduce((sum, width) => sum + width, 0)
  return previous.every((width, at) => Math.abs(width - (next[at] ?? 0)) <= total * maxDeviation)
}

function sameHeader(previous: FlowTable, next: FlowTable): boolean {
  const head = (table: FlowTable) => table.rows.slice(0, previous.headerRows).map(wordsOf).join('\n')
  return next.headerRows === previous.headerRows && head(previous) === head(next)
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
