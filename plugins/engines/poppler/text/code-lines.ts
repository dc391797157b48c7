/** Lines in a face of a typewriter: programs and what they print, whose blanks and line ends mean something. */

import type { FlowBlock } from '../../../../shared/flow/flow.ts'
import { leastOf } from './extent.ts'
import type { Line } from './lines.ts'
import type { Mark } from './marks.ts'

/** Lines of one block follow each other within this, in font sizes; one empty line is kept. */
const widestGap = 3.2
const widestRow = 400 // characters

export const isCode = ({ inlines }: Mark): boolean =>
  inlines.every((one) => one.kind !== 'text' || one.style.code === true || one.text.trim() === '')

const isCodeLine = (line: Line | undefined): line is Line =>
  line?.pieces.every((piece) => piece.marks.every(isCode)) === true

/** How many lines from here are code. */
export function codeAt(lines: readonly Line[], start: number): number {
  let end = start
  while (isCodeLine(lines[end])) {
    const [above, line] = [lines[end - 1], lines[end] as Line]
    if (end > start && above !== undefined && line.y - above.y > widestGap * line.size) break
    end++
  }
  return end - start
}

/** Characters in columns, as they stand. */
export function codeOf(lines: readonly Line[]): FlowBlock {
  const marks = lines.flatMap((line) => line.pieces.flatMap((piece) => piece.marks))
  const length = marks.reduce((sum, { text }) => sum + text.length, 0)
  const step = marks.reduce((sum, { width }) => sum + width, 0) / Math.max(length, 1)
  const left = leastOf(marks.map(({ x }) => x))
  const rows = lines.map((line) => {
    let row = ''
    for (const { x, text } of line.pieces.flatMap((piece) => piece.marks)) {
      const column = Math.min(Math.round((x - left) / step), widestRow)
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

/** What stands where the text before it ends goes on with it. */
const isTouching = (end: number, column: number): boolean => end > 0 && column <= end

function isAfterGap(lines: readonly Line[], at: number): boolean {
  const [above, line] = [lines[at - 1], lines[at]]
  return above !== undefined && line !== undefined && line.y - above.y > line.size * 2
}
