/** The style of a shape: theme references for properties that it does not specify itself (ECMA-376-1 20.1.4.2). */
import type { Color, Stroke } from '../../../../shared/document/paint.ts'
import { readPaint } from '../../../../shared/office/ooxml/colors.ts'
import {
  type FillProperties,
  readFill,
  readLine,
  type ShapeProperties,
  type StyleReference,
} from '../../../../shared/office/ooxml/drawing/shape-properties.ts'
import type { Effects } from '../../../../shared/office/ooxml/shadow.ts'
import { cursorOnStyle } from '../../../../shared/office/ooxml/theme-formats.ts'
import { integer } from '../../../../shared/office/ooxml/values.ts'
import type { ListStyle } from './list-style.ts'
import type { SlidePart } from './part.ts'
import { themeFamily } from './run-style.ts'

export interface ShapeStyle {
  readonly line?: StyleReference
  readonly fill?: StyleReference
  readonly effects?: Effects
  /** Colour and font of the text. */
  readonly text?: ListStyle
}

/** The first number of the fills of backgrounds (20.1.4.2.10). */
const firstBackground = 1001

/** A fill of the theme by index; none for 0 and for an index that the theme does not define. */
export function themeFill(part: SlidePart, index: number, color: Color | undefined): FillProperties {
  const { fills, backgrounds, relationships } = part.context.formats
  const markup = index >= firstBackground ? backgrounds[index - firstBackground] : fills[index - 1]
  if (markup === undefined) return color === undefined || index === 0 ? {} : { fill: color }
  const cursor = cursorOnStyle(markup)
  const styled: SlidePart = { ...part, cursor, relationships }
  let fill: FillProperties = {}
  cursor.each((name) => {
    fill = readFill(styled, name, color) ?? fill
  })
  return fill
}

/** A line of the theme by index. */
function themeLine(part: SlidePart, { index, color }: StyleReference): ShapeProperties {
  const markup = part.context.formats.lines[index - 1]
  const line: ShapeProperties = {}
  if (markup === undefined)
    return index > 0 && color !== undefined ? { stroke: { color, width: 0.75, dash: 'solid' } } : line
  const cursor = cursorOnStyle(markup)
  cursor.each((name) => {
    if (name === 'a:ln') readLine({ ...part, cursor }, line, color)
  })
  return line
}

/** The outline of a shape from its own properties and its style; undefined if there is none. */
export function strokeOf(part: SlidePart, direct: ShapeProperties, style: ShapeStyle): Stroke | undefined {
  if (direct.noStroke === true) return undefined
  const base = style.line === undefined ? {} : themeLine(part, style.line)
  const themed = base.noStroke === true || base.stroke?.color === '' ? undefined : base.stroke
  const width = direct.strokeWidth ?? base.strokeWidth ?? 0.75
  if (direct.stroke !== undefined && direct.stroke.color !== '') return { ...direct.stroke, width }
  if (themed === undefined) return undefined
  return { ...themed, ...direct.stroke, color: themed.color, width }
}

/** Reads p:style (19.3.1.46) at the cursor. */
export function readShapeStyle(part: SlidePart): ShapeStyle {
  const { cursor, context } = part
  const style: { -readonly [Key in keyof ShapeStyle]: ShapeStyle[Key] } = {}
  cursor.each((name) => {
    const index = integer(cursor.attribute('idx')) ?? 0
    const font = cursor.attribute('idx')
    const color = readPaint(cursor, context.theme)?.color
    const reference = { index, ...(color !== undefined && { color }) }
    if (name === 'a:lnRef') style.line = reference
    else if (name === 'a:fillRef') style.fill = reference
    else if (name === 'a:effectRef') {
      const effects = context.theme.effects?.[index - 1]
      if (effects !== undefined) style.effects = effects
    } else if (name === 'a:fontRef') style.text = fontStyle(part, font, color)
  })
  return style
}

/** a:fontRef (20.1.4.1.17): the heading or the body font of the theme, and a colour. */
function fontStyle({ context }: SlidePart, font: string | undefined, color: Color | undefined): ListStyle {
  const family = font === 'major' ? themeFamily(context.theme, '+mj-lt') : undefined
  const run = {
    ...(color !== undefined && { color }),
    ...(family !== undefined && { fonts: { ascii: family, other: family } }),
  }
  return new Map([[-1, { run }]])
}
