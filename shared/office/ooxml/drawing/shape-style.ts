import type { Color } from '../../../document/paint.ts'
import { readPaint } from '../colors.ts'
import type { Effects } from '../shadow.ts'
import { integer } from '../values.ts'
import type { DrawingPart } from './part.ts'
import type { StyleReference } from './shape-properties.ts'

/** What a shape takes from the theme where its own properties say nothing. */
export interface ShapeStyle {
  line?: StyleReference
  fill?: StyleReference
  effects?: Effects
  textColor?: Color
}

/** wps:style and its like (CT_ShapeStyle, 20.1.2.2.37). */
export function readShapeStyle({ cursor, context: { theme } }: DrawingPart): ShapeStyle {
  const style: ShapeStyle = {}
  cursor.each((child) => {
    const index = integer(cursor.attribute('idx')) ?? 0
    if (child === 'a:lnRef') style.line = { index, color: readPaint(cursor, theme)?.color }
    else if (child === 'a:effectRef') style.effects = theme.effects?.[index - 1]
    else if (child === 'a:fillRef') style.fill = { index, color: readPaint(cursor, theme)?.color }
    else if (child === 'a:fontRef') style.textColor = readPaint(cursor, theme)?.color
  })
  return style
}
