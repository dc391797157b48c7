import { libreOffice } from '../../../compat/libreoffice.ts'
import { word } from '../../../compat/word.ts'
import type { Pt } from '../../frame.ts'
import { heightLimit, openingLimit, type Region } from '../region.ts'
import type { PreparedParagraph } from '../types.ts'
import type { LaidLines } from './lines.ts'

/** The space and borders below the lines of a paragraph, and whether the lines may be separated. */
export interface FitRequest {
  /** Height of the border below the last line. */
  readonly edge: Pt
  /** Height of the border below a line where the paragraph is split. */
  readonly cutEdge: Pt
  /** Space after the paragraph, when more text follows. */
  readonly after: Pt
  /** The paragraph is not split when it can move to the next region. */
  readonly keepsTogether: boolean
}

/** How many of the lines stay in the region, given its height, widows, orphans and lines kept together. */
export function countFitting(
  region: Region,
  { style }: PreparedParagraph,
  laid: LaidLines,
  fit: FitRequest,
): number {
  const { lines, start } = laid
  const { count, isBroken } = countWithin(region, laid, fit)
  const isSplit = count < lines.length
  if (isBroken || !isSplit || region.request.partsAnywhere === true || count === 0) return count
  const isStart = start === 0
  if (fit.keepsTogether && isStart && region.cursor.placed) return 0
  const isWidowed = lines.length - count < style.widows
  const remaining = isWidowed ? Math.max(0, lines.length - style.widows) : count
  const orphans = word.loneLinesStay ? style.orphans : Math.max(2, style.orphans)
  return isStart && remaining < Math.min(orphans, lines.length) ? 0 : remaining
}

/**
 * How many lines fit the height of the region, up to a page or column break (`isBroken`).
 */
function countWithin(
  region: Region,
  { lines, tops }: LaidLines,
  { edge, cutEdge, after }: FitRequest,
): { readonly count: number; readonly isBroken: boolean } {
  const { request, cursor } = region
  const carriesSpace = libreOffice.cellLinesCarrySpaceBelow && request.partsAnywhere === true
  const notes: string[] = []
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]
    if (line === undefined) break
    for (const note of line.notes) notes.push(note)
    const isLast = index === lines.length - 1
    const under = isLast ? edge : cutEdge
    const space = isLast && carriesSpace && (index > 0 || cursor.placed) ? after : 0
    const hanging = libreOffice.lineSpaceHangsOverPage ? line.slack : 0
    const bottom = (tops[index] ?? 0) + line.height + space + under - hanging
    if (bottom > (line.notes.length > 0 ? openingLimit(region, notes) : heightLimit(region, notes)))
      return { count: index, isBroken: false }
    if (line.broke === 'page' || line.broke === 'column') return { count: index + 1, isBroken: true }
  }
  return { count: lines.length, isBroken: false }
}
