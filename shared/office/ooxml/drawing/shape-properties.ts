import type { Background } from '../../../document/background.ts'
import type { Sides } from '../../../document/box.ts'
import type { Shape } from '../../../document/drawing.ts'
import type { Color, Gradient, Stroke } from '../../../document/paint.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { readPaint } from '../colors.ts'
import { readGradient } from '../gradient.ts'
import { readLineFormat } from '../line.ts'
import { type Effects, readEffectList } from '../shadow.ts'
import { integer } from '../values.ts'
import { readPatternFill, readPictureFill } from './fills.ts'
import { readCustomGeometry } from './geometry.ts'
import { type DrawingPart, warn } from './part.ts'
import { readTransform, type Transform } from './transform.ts'

/** a:srcRect (20.1.8.55) in thousandths of a percent; undefined when nothing is cropped. */
export function cropOf(cursor: XmlCursor): Sides | undefined {
  const get = (name: string): number =>
    Math.max(-1, Math.min(0.99, (integer(cursor.attribute(name)) ?? 0) / 100_000))
  const crop = { left: get('l'), top: get('t'), right: get('r'), bottom: get('b') }
  return crop.left || crop.top || crop.right || crop.bottom ? crop : undefined
}

/** The fill of a shape, a cell or a slide. A fill without a colour and a picture leaves what is behind it visible. */
export interface FillProperties {
  fill?: Color | 'none'
  fillOpacity?: number | undefined
  gradient?: Gradient | undefined
  background?: Background | undefined
}

/** Result of reading wps:spPr, pic:spPr or p:spPr. Absent values are taken from the shape's style. */
export interface ShapeProperties extends FillProperties {
  box?: Transform
  geometry?: Shape['geometry']
  /** The fill is that of the group (a:grpFill, 20.1.8.35). */
  usesGroupFill?: boolean
  stroke?: Stroke
  noStroke?: boolean
  effects?: Effects
  strokeWidth?: number
}

/**
 * Reads the fill that the cursor stands on (EG_FillProperties, 20.1.8); undefined when the element is none. `placeholderColor` is the
 * colour of the style reference, for `phClr`.
 */
export function readFill(
  part: DrawingPart,
  name: string,
  placeholderColor?: Color,
): FillProperties | undefined {
  const { cursor, context } = part
  switch (name) {
    case 'a:noFill':
      return { fill: 'none' }
    case 'a:solidFill': {
      const paint = readPaint(cursor, context.theme, placeholderColor)
      return paint && { fill: paint.color, fillOpacity: paint.opacity }
    }
    case 'a:gradFill': {
      const gradient = readGradient(cursor, context.theme, placeholderColor)
      return gradient && { gradient, fill: gradient.stops[0]!.color, fillOpacity: gradient.opacity }
    }
    case 'a:pattFill': {
      const { fill, opacity, background } = readPatternFill(part, placeholderColor)
      return { fill, fillOpacity: opacity, background }
    }
    case 'a:blipFill':
      // The picture hides the fill colour of the style.
      return { fill: 'none', background: readPictureFill(part, placeholderColor) }
    default:
      return undefined
  }
}

/** wps:spPr or pic:spPr (20.1.2.2.35). `placeholderColor` is the colour of the style reference, for `phClr`. */
export function readShapeProperties(part: DrawingPart, placeholderColor?: Color): ShapeProperties {
  const { cursor, context } = part
  const p: ShapeProperties = {}
  let cameraRotation = 0
  cursor.each((name) => {
    switch (name) {
      case 'a:xfrm':
        p.box = readTransform(cursor)
        break
      case 'a:prstGeom': {
        const adjust = new Map<string, number>()
        const preset = cursor.attribute('prst') ?? 'rect'
        cursor.each((list) => {
          if (list !== 'a:avLst') return
          cursor.each(() => {
            const value = integer((cursor.attribute('fmla') ?? '').replace(/^val\s+/, ''))
            const key = cursor.attribute('name')
            if (key !== undefined && value !== undefined) adjust.set(key, value)
          })
        })
        p.geometry = { kind: 'preset', name: preset, adjust }
        break
      }
      case 'a:custGeom':
        p.geometry = { kind: 'custom', definition: readCustomGeometry(cursor) }
        break
      case 'a:grpFill':
        p.usesGroupFill = true
        break
      case 'a:ln':
        readLine(part, p, placeholderColor)
        break
      case 'a:effectLst':
        p.effects = readEffectList(cursor, context.theme, p.box?.rotation ?? 0, placeholderColor)
        if (p.effects.more) reportEffect(part)
        break
      case 'a:scene3d':
        cameraRotation = rotationOfCamera(cursor)
        break
      case 'a:effectDag':
      case 'a:sp3d':
        if (!cursor.isEmpty) reportEffect(part)
        break
      default:
        Object.assign(p, readFill(part, name, placeholderColor))
    }
  })
  if (p.box !== undefined) p.box.rotation -= cameraRotation
  return p
}

/**
 * The degrees by which the camera of a:scene3d (20.1.4.1.26) is turned around the line of sight, and the shape the other way;
 * 0 for views from the side, which are not drawn.
 */
function rotationOfCamera(cursor: XmlCursor): number {
  let degrees = 0
  cursor.each((name) => {
    if (name !== 'a:camera') return
    cursor.each((child) => {
      const angle = (attribute: string): number => (integer(cursor.attribute(attribute)) ?? 0) / 60_000
      if (child === 'a:rot' && angle('lat') === 0 && angle('lon') === 0) degrees = angle('rev')
    })
  })
  return degrees
}

export const reportEffect = (part: DrawingPart): void =>
  warn(
    part.context,
    'read.shape-effect',
    'Glows, reflections, soft edges and 3-D effects of shapes are not drawn.',
    part.partName,
  )

/**
 * Adds a:ln to the properties. A line that sets a dash or arrow heads but no colour gets the colour '', which
 * `readShape` replaces with that of the style.
 */
export function readLine(
  { cursor, context, partName }: DrawingPart,
  p: ShapeProperties,
  placeholderColor?: Color,
): void {
  const line = readLineFormat(cursor, context.theme, placeholderColor)
  if (line.compound)
    warn(
      context,
      'read.line-compound',
      'A line of several parallel strokes is drawn as a single stroke.',
      partName,
    )
  if (line.width !== undefined) p.strokeWidth = line.width
  if (line.none) p.noStroke = true
  const width = p.strokeWidth ?? 0.75
  const { stroke, paint } = line
  if (paint !== undefined && p.noStroke !== true)
    p.stroke = { color: paint.color, width, opacity: paint.opacity, ...stroke }
  else if (stroke.startArrow !== undefined || stroke.endArrow !== undefined || stroke.dash !== 'solid')
    p.stroke = { color: '', width, ...stroke }
}

/** A reference into the line or fill styles of the theme (20.1.4.2). Index 0 means none. */
export interface StyleReference {
  readonly index: number
  readonly color?: Color
}

/** The colour of a style reference; undefined when it refers to no style. */
export const themedColor = (reference: StyleReference | undefined): Color | undefined =>
  reference !== undefined && reference.index > 0 ? reference.color : undefined

/** Widths in points of the first three line styles of common themes, by index. */
const themedLineWidths = [0.5, 0.5, 1, 1.5]

/**
 * The outline of a shape. A line without a colour of its own, which `readLine` marks with '', takes that of the style; a
 * shape without a line takes the line of the style.
 */
export function shapeStroke(
  p: ShapeProperties,
  reference: StyleReference | undefined,
): ShapeProperties['stroke'] | undefined {
  if (p.noStroke) return undefined
  const color = themedColor(reference)
  if (p.stroke !== undefined && p.stroke.color !== '') return p.stroke
  if (color === undefined) return undefined
  if (p.stroke !== undefined) return { ...p.stroke, color }
  return { color, width: p.strokeWidth ?? themedLineWidths[reference?.index ?? 1] ?? 0.75, dash: 'solid' }
}
