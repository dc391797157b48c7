import type { Border } from '../../../../../shared/document/properties.ts'
import { lineWidth } from '../../style/border-width.ts'
import type { Placed, Pt } from '../frame.ts'
import { borderLine } from '../table/border-line.ts'

/** The part of a border box that one run draws. Neighbours that share the box omit the side between them. */
export interface BorderBox {
  readonly x: Pt
  readonly width: Pt
  readonly top: Pt
  readonly height: Pt
  readonly left: boolean
  readonly right: boolean
}

/** The lines of the border around a run, in points. */
export function borderBox(border: Border, box: BorderBox): Placed[] {
  const half = lineWidth(border) / 2
  const { x, width, top, height } = box
  return [
    ...borderLine(border, x, top + half, width, 0),
    ...borderLine(border, x, top + height - half, width, 0, 'behind'),
    ...(box.left ? borderLine(border, x + half, top, 0, height) : []),
    ...(box.right ? borderLine(border, x + width - half, top, 0, height, 'behind') : []),
  ]
}
