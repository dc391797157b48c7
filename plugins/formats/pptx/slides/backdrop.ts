import type { Slide } from '../../../../shared/document/deck.ts'
import { readPaint } from '../../../../shared/office/ooxml/colors.ts'
import { type FillProperties, readFill } from '../../../../shared/office/ooxml/drawing/shape-properties.ts'
import { integer } from '../../../../shared/office/ooxml/values.ts'
import type { SlidePart } from './part.ts'
import { themeFill } from './theme-style.ts'

/** The background of a slide, behind all shapes. */
export type Backdrop = Pick<Slide, 'color' | 'background'>

/** Reads p:bg (ECMA-376-1 19.3.1.1): a fill, or a reference to a fill of the theme. */
export function readBackdrop(part: SlidePart): Backdrop {
  const { cursor, context } = part
  let fill: FillProperties = {}
  cursor.each((name) => {
    if (name === 'p:bgPr')
      cursor.each((child) => {
        fill = readFill(part, child) ?? fill
      })
    else if (name === 'p:bgRef') {
      const index = integer(cursor.attribute('idx')) ?? 0
      fill = themeFill(part, index, readPaint(cursor, context.theme)?.color)
    }
  })
  return backdropOf(fill)
}

/** Converts a fill to the background of a rectangle. */
export function backdropOf({ fill, gradient, background }: FillProperties): Backdrop {
  const behind = background ?? (gradient && { kind: 'gradient' as const, gradient })
  return {
    ...(fill !== undefined && fill !== 'none' && { color: fill }),
    ...(behind !== undefined && { background: behind }),
  }
}
