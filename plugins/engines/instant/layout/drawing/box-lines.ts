import type { ParagraphBorders } from '../../../../../shared/document/properties.ts'
import { lineWidth } from '../../style/border-width.ts'
import type { Placed, Pt } from '../frame.ts'
import { borderLine } from '../table/border-line.ts'

/** Lines along the inside of a box. */
export function boxLines({ top, right, bottom, left }: ParagraphBorders, width: Pt, height: Pt): Placed[] {
  return [
    ...(top === undefined ? [] : borderLine(top, 0, lineWidth(top) / 2, width, 0)),
    ...(bottom === undefined
      ? []
      : borderLine(bottom, 0, height - lineWidth(bottom) / 2, width, 0, 'behind')),
    ...(left === undefined ? [] : borderLine(left, lineWidth(left) / 2, 0, 0, height)),
    ...(right === undefined ? [] : borderLine(right, width - lineWidth(right) / 2, 0, 0, height, 'behind')),
  ]
}
