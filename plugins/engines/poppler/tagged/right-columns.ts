import { maxOf, minOf } from '../../../../shared/extremes.ts'
import type { FlowBlock, FlowRow } from '../../../../shared/flow/flow.ts'

/** The horizontal extent of the text of each cell of a row; undefined for an empty cell. */
export type CellExtents = readonly ({ readonly x: number; readonly right: number } | undefined)[]

/**
 * Columns whose texts share their right edge but not their left one are right-aligned; tables with spans are not
 * changed.
 */
export function withRightColumns(
  rows: readonly FlowRow[],
  extents: readonly CellExtents[],
): readonly FlowRow[] {
  const width = rows[0]?.cells.length ?? 0
  const hasNoSpans = rows.every(
    ({ cells }) => cells.length === width && cells.every((cell) => cell.columns === 1),
  )
  if (!hasNoSpans) return rows
  const spread = (values: readonly number[]) => maxOf(values) - minOf(values)
  const isRight = Array.from({ length: width }, (_, at) => {
    const columnExtents = extents.flatMap((row) => row[at] ?? [])
    return (
      columnExtents.length > 1 &&
      spread(columnExtents.map((extent) => extent.right)) < 3 &&
      spread(columnExtents.map((extent) => extent.x)) > 4
    )
  })
  if (!isRight.includes(true)) return rows
  const rightAligned = (block: FlowBlock): FlowBlock =>
    block.kind === 'paragraph' && block.align === undefined ? { ...block, align: 'right' } : block
  return rows.map((row) => ({
    cells: row.cells.map((cell, at) =>
      isRight[at] === true ? { ...cell, blocks: cell.blocks.map(rightAligned) } : cell,
    ),
  }))
}
