/** Monospaced lines, such as programs and their output, whose blanks and line ends are significant. */

import { minOf } from '../../../../shared/extremes.ts'
import type { FlowBlock } from '../../../../shared/flow/flow.ts'
import type { PdfLine } from './lines.ts'
import type { TextPosition } from './text-positions.ts'

/** Maximum distance between lines of one block, in font sizes; one empty line is kept. */
const maxGap = 3.2
const maxRow = 400 // characters

export const isCode = ({ inlines }: TextPosition): boolean =>
  inlines.every((inline) => inline.kind !== 'text' || inline.style.code === true || inline.text.trim() === '')

const isCodeLine = (line: PdfLine | undefined): line is PdfLine =>
  line?.segments.every((segment) => segment.positions.every(isCode)) === true

/** Counts the lines from here that are code. */
export function codeAt(lines: readonly PdfLine[], start: number): number {
  let end = start
  while (isCodeLine(lines[end])) {
    const [above, line] = [lines[end - 1], lines[end] as PdfLine]
    if (end > start && above !== undefined && line.y - above.y > maxGap * line.size) break
    end++
  }
  return end - start
}

/** Places characters in columns by their position. */
export function codeOf(lines: readonly PdfLine[]): FlowBlock {
  const positions = lines.flatMap((line) => line.segments.flatMap((segment) => segment.positions))
  const length = positions.reduce((sum, { text }) => sum + text.length, 0)
  const step = positions.reduce((sum, { width }) => sum + width, 0) / Math.max(length, 1)
  const left = minOf(positions.map(({ x }) => x))
  const rows = lines.map((line) => {
    let row = ''
    for (const { x, text } of line.segments.flatMap((segment) => segment.positions)) {
      const column = Math.min(Math.round((x - left) / step), maxRow)
      const blanks = Math.max(
        column - row.length,
        row === '' || row.endsWith(' ') || text.startsWith(' ') ? 0 : 1,
      )
      row += ' '.repeat(isTouching(row.length, column) ? 0 : blanks) + text
    }
    return row.trimEnd()
  })
  const text = rows.map((row, at) => (isAfterGap(lines, at) ? `\n${row}` : row)).join('\n')
  return { kind: 'code', text }
}

/** A fragment that starts where the text before it ends continues it. */
const isTouching = (end: number, column: number): boolean => end > 0 && column <= end

function isAfterGap(lines: readonly PdfLine[], at: number): boolean {
  const [above, line] = [lines[at - 1], lines[at]]
  return above !== undefined && line !== undefined && line.y - above.y > line.size * 2
}
