import type { Background } from '../../../../shared/document/background.ts'
import type { Sides } from '../../../../shared/document/box.ts'
import type {
  Anchor,
  Boxed,
  Drawing,
  DrawingContent,
  DrawingShadow,
  GroupChild,
  Shape,
  ShapeText,
} from '../../../../shared/document/drawing.ts'
import type { Gradient, PictureAdjust, Stroke } from '../../../../shared/document/paint.ts'
import type { Border } from '../../../../shared/document/properties.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { readArrowHead } from '../../../../shared/office/ooxml/arrow-head.ts'
import { vmlColor } from '../../../../shared/office/ooxml/colors.ts'
import { mediaOf, warn } from '../../../../shared/office/ooxml/drawing/part.ts'
import { washedOut } from '../../../../shared/office/ooxml/drawing/picture-effects.ts'
import { integer, length, twips } from '../../../../shared/office/ooxml/values.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { type DocxPartContext, readInnerBlocks } from './part-context.ts'
import { vmlBackground, vmlGradient, vmlShadow } from './vml-fill.ts'
import { readVmlPath } from './vml-path.ts'

/** Reads the VML shapes in w:pict or w:object (ECMA-376-4 19). The cursor stands on the element. */
export function readPicture(part: DocxPartContext): Drawing[] {
  const { cursor } = part
  const drawings: Drawing[] = []
  const size = { width: twips(cursor.attribute('w:dxaOrig')), height: twips(cursor.attribute('w:dyaOrig')) }
  let object = false
  let isEquation = false
  cursor.each((name) => {
    object ||= name === 'o:OLEObject'
    // The names of Equation Editor and MathType: Equation.3, Equation.DSMT4.
    if (name === 'o:OLEObject')
      isEquation = /^(?:Equation|MathType)\b/i.test(cursor.attribute('ProgID') ?? '')
    const drawing = readShape(part, name, undefined)
    if (drawing !== undefined) drawings.push(drawing.drawing)
  })
  // An embedded object without a picture of its content: draw an empty box of its original size.
  if (object && drawings.length === 0) {
    warn(part.context, 'read.object', 'An embedded object is drawn as an empty box.', part.partName)
    const { width = 72, height = 72 } = size
    const content = { kind: 'unknown', what: 'object' } as const
    drawings.push({ width: Math.max(0, width), height: Math.max(0, height), rotation: 0, content })
  }
  return isEquation ? drawings.map(asEquation) : drawings
}

const asEquation = (drawing: Drawing): Drawing =>
  drawing.content.kind === 'picture'
    ? { ...drawing, content: { ...drawing.content, isEquation: true } }
    : drawing

/** VML elements that are shapes, to the preset geometry used when there is no path or shape type. */
const presets: Readonly<Record<string, string>> = {
  'v:shape': 'rect',
  'v:rect': 'rect',
  'v:roundrect': 'roundRect',
  'v:oval': 'ellipse',
  'v:line': 'line',
  'v:polyline': 'rect',
  'v:group': 'rect',
  'v:image': 'rect',
}

/** Coordinate space of a group: its origin, and the size of one unit in points. */
interface GroupSpace {
  readonly x: number
  readonly y: number
  readonly sx: number
  readonly sy: number
}

/**
 * Reads a shape; undefined for an element that is not a shape or is hidden. Lengths in a group are numbers without units
 * in its coordinate space; outside of groups they have units and become points.
 */
function readShape(
  part: DocxPartContext,
  name: string,
  group: GroupSpace | undefined,
): GroupChild | undefined {
  const preset = entryOf(presets, name)
  if (preset === undefined) return undefined
  const { cursor } = part
  const style = readStyle(cursor.attribute('style') ?? '')
  if (style.get('visibility') === 'hidden') return undefined
  const unit = group === undefined ? 1 : undefined
  const get = (key: string, scale: number): number =>
    unit === 1 ? (length(style.get(key), 1) ?? 0) : (Number.parseFloat(style.get(key) ?? '0') || 0) * scale
  let width = Math.max(0, get('width', group?.sx ?? 1))
  let height = Math.max(0, get('height', group?.sy ?? 1))
  let x = group === undefined ? 0 : ((Number.parseFloat(style.get('left') ?? '0') || 0) - group.x) * group.sx
  let y = group === undefined ? 0 : ((Number.parseFloat(style.get('top') ?? '0') || 0) - group.y) * group.sy
  const line = name === 'v:line' ? readLineEnds(cursor, group) : undefined
  if (line !== undefined) ({ x, y, width, height } = line)
  // A horizontal rule, which Word's "hr" attribute marks.
  const rule = group === undefined && isTrue(cursor.attribute('o:hr'))
  const anchor = group === undefined && !rule ? readAnchor(style, line) : undefined
  const percent = Number.parseFloat(cursor.attribute('o:hrpct') ?? '') / 1000
  const description = cursor.attribute('alt')
  const read = readInside(part, name, preset, style, { width, height })
  if (read === undefined) return undefined
  return {
    x,
    y,
    drawing: {
      width,
      height,
      rotation: rotation(style.get('rotation'), style.get('flip')),
      // A horizontal rule across the text (ECMA-376-4 19.1.2.19, "hr").
      ...(rule && { isRule: true, lineAlign: 'top' as const }),
      ...(rule && (percent > 0 || width === 0) && { lineShare: percent > 0 ? Math.min(1, percent) : 1 }),
      anchor: anchor === undefined ? undefined : { ...anchor, ...read.wrap },
      // Observed in LibreOffice: inline shapes keep a distance to the text beside them; pictures do not.
      extent:
        group === undefined && anchor === undefined && !rule && read.content.kind !== 'picture'
          ? textDistance
          : undefined,
      content: flipped(read.content, style.get('flip'), line?.flip === true),
      description,
    },
  }
}

/**
 * A shape or a picture mirrored as "flip" of its style says (ECMA-376-4 19.1.2.19): x swaps left and right, y top and bottom. A line
 * that rises is mirrored already (`isRising`).
 */
function flipped(content: DrawingContent, flip = '', isRising: boolean): DrawingContent {
  if (content.kind !== 'shape' && content.kind !== 'picture') return content
  const isTurnedUp = flip.includes('y') !== isRising
  return {
    ...content,
    ...(flip.includes('x') && { flipHorizontal: true }),
    ...(isTurnedUp && { flipVertical: true }),
  }
}

/** Distance between an inline shape and the text beside it, pt (Word's default wrap distance). */
const textDistance: Sides = { left: 9, right: 9 }

/** Parses the CSS-like style attribute (ECMA-376-4 19.1.2.19, "style"); names are in lower case. */
function readStyle(text: string): Map<string, string> {
  const style = new Map<string, string>()
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon > 0)
      style.set(declaration.slice(0, colon).trim().toLowerCase(), declaration.slice(colon + 1).trim())
  }
  return style
}

/**
 * Degrees, clockwise; 'fd' marks 65,536ths of a degree. A shape that `flip` mirrors in one direction turns the other way (observed in
 * Word and LibreOffice).
 */
function rotation(text: string | undefined, flip = ''): number {
  if (text === undefined) return 0
  const value = Number.parseFloat(text) || 0
  const degrees = text.endsWith('fd') ? value / 65_536 : value
  return degrees !== 0 && flip.includes('x') !== flip.includes('y') ? -degrees : degrees
}

/** Box of a v:line from its end points; `flip` means that it runs from the bottom left to the top right. */
function readLineEnds(
  cursor: XmlCursor,
  group: GroupSpace | undefined,
): { x: number; y: number; width: number; height: number; flip: boolean } {
  const pair = (text: string | undefined): [number, number] => {
    const [a, b] = (text ?? '0,0').split(',')
    if (group === undefined) return [length(a, 1) ?? 0, length(b, 1) ?? 0]
    return [
      ((Number.parseFloat(a ?? '') || 0) - group.x) * group.sx,
      ((Number.parseFloat(b ?? '') || 0) - group.y) * group.sy,
    ]
  }
  const [x1, y1] = pair(cursor.attribute('from'))
  const [x2, y2] = pair(cursor.attribute('to'))
  return {
    x: Math.min(x1, x2),
    y: Math.min(y1, y2),
    width: Math.abs(x2 - x1),
    height: Math.abs(y2 - y1),
    flip: (x2 - x1) * (y2 - y1) < 0,
  }
}

/** mso-position-horizontal-relative to the document model. */
const horizontal: Readonly<Record<string, Anchor['x']['from']>> = {
  page: 'page',
  margin: 'margin',
  text: 'column',
  char: 'character',
  'left-margin-area': 'left-margin',
  'right-margin-area': 'right-margin',
}
/** mso-position-vertical-relative to the document model. */
const vertical: Readonly<Record<string, Anchor['y']['from']>> = {
  page: 'page',
  margin: 'margin',
  text: 'paragraph',
  line: 'line',
  'top-margin-area': 'top-margin',
  'bottom-margin-area': 'bottom-margin',
}
/** mso-position-horizontal and mso-position-vertical to the document model. */
const alignments: Readonly<Record<string, NonNullable<Anchor['x']['align']>>> = {
  left: 'start',
  top: 'start',
  center: 'center',
  right: 'end',
  bottom: 'end',
  inside: 'inside',
  outside: 'outside',
}

/**
 * Position of a floating shape from its style; undefined for an inline shape. A negative z-index puts it
 * behind the text.
 */
function readAnchor(
  style: ReadonlyMap<string, string>,
  line: { x: number; y: number } | undefined,
): Writable<Anchor> | undefined {
  if (style.get('position') !== 'absolute' && style.get('mso-position-horizontal') === undefined)
    return undefined
  const gap = (key: string, otherwise: number): number => Math.max(0, length(style.get(key), 1) ?? otherwise)
  const order = integer(style.get('z-index')) ?? 0
  const alignX = entryOf(alignments, style.get('mso-position-horizontal'))
  const alignY = entryOf(alignments, style.get('mso-position-vertical'))
  const thousandths = (key: string): number | undefined => {
    const value = Number.parseFloat(style.get(key) ?? '')
    return Number.isFinite(value) && value > 0 ? value / 1000 : undefined
  }
  const widthFraction = thousandths('mso-width-percent')
  const heightFraction = thousandths('mso-height-percent')
  return {
    x: {
      from: entryOf(horizontal, style.get('mso-position-horizontal-relative')) ?? 'column',
      offset: (length(style.get('margin-left') ?? style.get('left'), 1) ?? 0) + (line?.x ?? 0),
      align: alignX,
    },
    y: {
      from: entryOf(vertical, style.get('mso-position-vertical-relative')) ?? 'paragraph',
      offset: (length(style.get('margin-top') ?? style.get('top'), 1) ?? 0) + (line?.y ?? 0),
      align: alignY,
    },
    wrap: 'none',
    wrapSide: 'both',
    distance: {
      left: gap('mso-wrap-distance-left', 9),
      right: gap('mso-wrap-distance-right', 9),
      top: gap('mso-wrap-distance-top', 0),
      bottom: gap('mso-wrap-distance-bottom', 0),
    },
    behind: order < 0,
    order,
    allowOverlap: true,
    layoutInCell: true,
    relativeWidth:
      widthFraction === undefined
        ? undefined
        : { of: style.get('mso-width-relative') === 'page' ? 'page' : 'margin', share: widthFraction },
    relativeHeight:
      heightFraction === undefined
        ? undefined
        : { of: style.get('mso-height-relative') === 'page' ? 'page' : 'margin', share: heightFraction },
  }
}

interface Inside {
  readonly content: DrawingContent
  readonly wrap: Partial<Pick<Anchor, 'wrap' | 'wrapSide'>>
}

/** The attributes of a shape, read before its children (ECMA-376-4 19.1.2.19). */
interface ShapeAttributes {
  readonly name: string
  /** The number of the shape type that the shape refers to. */
  readonly type?: string
  /** Shape type 75 is the picture frame, which has neither fill nor stroke by default. */
  readonly pictureFrame: boolean
  readonly path?: string
  /** Whether a line width is given. */
  readonly weighted: boolean
  /** The coordinate space of the path and of members. */
  readonly origin: readonly [x: number, y: number]
  readonly size: readonly [width: number, height: number]
}

/** The paint and the content of a shape: attributes give the first values, children replace them. */
interface ShapeParts {
  fill?: string | undefined
  stroke?: Writable<Stroke> | undefined
  media?: string
  crop?: Sides | undefined
  adjust?: PictureAdjust | undefined
  text?: ShapeText
  wrap: Inside['wrap']
  opacity?: number | undefined
  gradient?: Gradient | undefined
  background?: Background | undefined
  shadow?: DrawingShadow | undefined
  wordArt?: TextPath | undefined
  readonly members: GroupChild[]
}

/**
 * Reads attributes and children of a shape: picture, text, fill, line, wrapping. The cursor stands on the
 * shape. Undefined for a picture frame without picture or text.
 */
function readInside(
  part: DocxPartContext,
  name: string,
  preset: string,
  style: ReadonlyMap<string, string>,
  box: { readonly width: number; readonly height: number },
): Inside | undefined {
  const { cursor } = part
  const attributes = readAttributes(cursor, name)
  const parts: ShapeParts = { wrap: {}, members: [], ...readPaint(cursor, attributes) }
  const { origin, size } = attributes
  const space = { x: origin[0], y: origin[1], sx: box.width / size[0], sy: box.height / size[1] }
  cursor.each((child) => {
    const read = childReaders.get(child)
    if (read !== undefined) read(part, parts, style)
    else if (name === 'v:group') {
      const member = readShape(part, child, space)
      if (member !== undefined) parts.members.push(member)
    }
  })
  const content = contentOf(part, preset, attributes, parts)
  return content && { content, wrap: parts.wrap }
}

function readAttributes(cursor: XmlCursor, name: string): ShapeAttributes {
  const pair = (key: string, otherwise: number): readonly [number, number] => {
    const [first, second] = (cursor.attribute(key) ?? '')
      .split(',')
      .map((number) => Number.parseFloat(number) || otherwise)
    return [first || otherwise, second || otherwise]
  }
  const reference = cursor.attribute('type') ?? ''
  const type = /^#_x0000_t(\d+)$/.exec(reference)?.[1]
  const path = cursor.attribute('path')
  return {
    name,
    ...(type !== undefined && { type }),
    pictureFrame: pictureFrames.test(reference) || name === 'v:image',
    ...(path !== undefined && { path }),
    weighted: cursor.attribute('strokeweight') !== undefined,
    origin: pair('coordorigin', 0),
    size: pair('coordsize', 1000),
  }
}

/**
 * The types of shapes that only hold a picture, without fill and line: the one of Word, and the one that LibreOffice defines for each
 * embedded object.
 */
const pictureFrames = /_t(?:75|ole_\w+)$/

/** Fill and stroke of the attributes: white with a black line unless they specify otherwise. Lines have no fill. */
function readPaint(
  cursor: XmlCursor,
  { name, pictureFrame }: ShapeAttributes,
): Pick<ShapeParts, 'fill' | 'stroke'> {
  const [filled, stroked] = [cursor.attribute('filled'), cursor.attribute('stroked')]
  const isFilled = !off(filled) && name !== 'v:line' && !(pictureFrame && filled === undefined)
  const isStroked = !off(stroked) && !(pictureFrame && stroked === undefined)
  return {
    fill: isFilled ? (vmlColor(cursor.attribute('fillcolor')) ?? 'FFFFFF') : undefined,
    stroke: isStroked
      ? {
          color: vmlColor(cursor.attribute('strokecolor')) ?? '000000',
          width: Math.max(0, length(cursor.attribute('strokeweight'), 1) ?? 0.75),
          dash: 'solid',
        }
      : undefined,
  }
}

type VmlChildReader = (part: DocxPartContext, parts: ShapeParts, style: ReadonlyMap<string, string>) => void

/** Children of a shape that change its paint or its content. */
const childReaders: ReadonlyMap<string, VmlChildReader> = new Map<string, VmlChildReader>([
  [
    'v:imagedata',
    (part, parts) => {
      const { cursor } = part
      parts.media = mediaOf(part, cursor.attribute('r:id') ?? cursor.attribute('o:relid'))
      parts.crop = readCrop(cursor)
      parts.adjust = readAdjust(cursor)
    },
  ],
  [
    'v:textbox',
    (part, parts, style) => {
      parts.text = readTextBox(part, style)
    },
  ],
  [
    'v:textpath',
    (part, parts) => {
      parts.wordArt = readTextPath(part)
    },
  ],
  ['v:fill', readFill],
  ['v:stroke', readStroke],
  [
    'v:shadow',
    (part, parts) => {
      parts.shadow = vmlShadow(part)
    },
  ],
  [
    'w10:wrap',
    ({ cursor }, parts) => {
      parts.wrap = readWrap(cursor)
    },
  ],
])

/** v:fill (19.1.2.5). */
function readFill(part: DocxPartContext, parts: ShapeParts): void {
  const { cursor } = part
  if (off(cursor.attribute('on'))) parts.fill = undefined
  parts.opacity = fraction(cursor.attribute('opacity'))
  if (parts.fill === undefined) return
  parts.gradient = vmlGradient(part, parts.fill, parts.opacity)
  parts.background = vmlBackground(part)
}

/** v:stroke (19.1.2.21): dashes and arrow heads. */
function readStroke({ cursor }: DocxPartContext, parts: ShapeParts): void {
  if (off(cursor.attribute('on'))) parts.stroke = undefined
  const { stroke } = parts
  if (stroke === undefined) return
  const dash = cursor.attribute('dashstyle')
  if (dash !== undefined && dash !== 'solid')
    stroke.dash = /dot$/i.test(dash) && !/dash/i.test(dash) ? 'dotted' : 'dashed'
  for (const [end, key] of [
    ['start', 'startArrow'],
    ['end', 'endArrow'],
  ] as const) {
    const arrow = (what: string): string | undefined => cursor.attribute(`${end}arrow${what}`)
    const head = readArrowHead(arrow(''), arrow('width'), arrow('length'))
    if (head !== undefined) stroke[key] = head
  }
}

/** The content of a shape: its members, a picture, text along a path, or an outline with text in it. */
function contentOf(
  part: DocxPartContext,
  preset: string,
  attributes: ShapeAttributes,
  parts: ShapeParts,
): DrawingContent | undefined {
  const { media, crop, adjust, wordArt, fill, stroke, opacity = 1 } = parts
  if (attributes.name === 'v:group') return { kind: 'group', children: parts.members }
  if (media !== undefined) {
    const border =
      stroke === undefined
        ? undefined
        : { style: 'single' as const, width: stroke.width, color: stroke.color, space: 0 }
    return { kind: 'picture', media, crop, border, ...(adjust !== undefined && { adjust }) }
  }
  if (wordArt !== undefined) return wordArtOf(wordArt, { fill, stroke, opacity })
  if (attributes.pictureFrame && parts.text === undefined) return undefined
  return shapeOf(part, preset, attributes, parts)
}

function shapeOf(
  part: DocxPartContext,
  preset: string,
  { name, type, path: drawnPath, weighted, origin, size }: ShapeAttributes,
  { fill, stroke, opacity, gradient, background, shadow, text }: ShapeParts,
): Shape {
  const typed = type !== undefined && type in shapeTypes
  const path =
    drawnPath === undefined || typed
      ? undefined
      : readVmlPath(drawnPath, { x: origin[0], y: origin[1], width: size[0], height: size[1] })
  const outlined = path !== undefined || (type === undefined ? drawnPath === undefined : typed)
  if (name === 'v:shape' && !outlined && text === undefined)
    warn(
      part.context,
      'read.shape-outline',
      'A shape with an unsupported outline is drawn as a rectangle.',
      part.partName,
    )
  // Observed in LibreOffice: text boxes become frames, whose border lies inside the box and insets the text.
  const frame = type === '202' && weighted ? stroke : undefined
  return {
    kind: 'shape',
    geometry:
      path === undefined
        ? { kind: 'preset', name: entryOf(shapeTypes, type) ?? preset, adjust: new Map() }
        : { kind: 'path', segments: path },
    fill,
    fillOpacity: opacity,
    ...(gradient !== undefined && fill !== undefined && { gradient }),
    ...(background !== undefined && { background }),
    ...(frame === undefined ? { stroke } : { boxed: boxedBy(frame) }),
    ...(shadow !== undefined && { shadow }),
    text: frame === undefined ? text : withinLine(text, frame.width),
  }
}

/** Dash of a stroke to the border style of a frame. */
const boxStyles: Readonly<Record<Stroke['dash'], Border['style']>> = {
  solid: 'single',
  dotted: 'dotted',
  dashed: 'dashed',
  'dot-dash': 'dot-dash',
}

/** The stroke of a text box as borders inside its box. */
function boxedBy({ width, color, dash }: Stroke): Boxed {
  const line: Border = { style: boxStyles[dash], width, color, space: 0 }
  return {
    lines: { top: line, right: line, bottom: line, left: line },
    insets: { top: width, right: width, bottom: width, left: width },
  }
}

/** The text of a box, inset by the width of its border. */
function withinLine(text: ShapeText | undefined, width: number): ShapeText | undefined {
  if (text === undefined) return undefined
  const { left, top, right, bottom } = text.insets
  return {
    ...text,
    insets: { left: left + width, top: top + width, right: right + width, bottom: bottom + width },
  }
}

/**
 * Shape types by number ([MS-ODRAW] 2.4.24) to the preset geometries of DrawingML; adjust values are ignored.
 */
const shapeTypes: Readonly<Record<string, string>> = {
  '1': 'rect',
  '2': 'roundRect',
  '3': 'ellipse',
  '4': 'diamond',
  '5': 'triangle',
  '6': 'rtTriangle',
  '7': 'parallelogram',
  '8': 'trapezoid',
  '9': 'hexagon',
  '10': 'octagon',
  '11': 'plus',
  '12': 'star5',
  '13': 'rightArrow',
  '15': 'homePlate',
  '16': 'cube',
  '20': 'line',
  '22': 'can',
  '23': 'donut',
  '32': 'line',
  '55': 'chevron',
  '56': 'pentagon',
  '57': 'noSmoking',
  '58': 'star8',
  '59': 'star16',
  '60': 'star32',
  '61': 'wedgeRectCallout',
  '62': 'wedgeRoundRectCallout',
  '63': 'wedgeEllipseCallout',
  '64': 'wave',
  '65': 'foldedCorner',
  '66': 'leftArrow',
  '67': 'downArrow',
  '68': 'upArrow',
  '69': 'leftRightArrow',
  '70': 'upDownArrow',
  '71': 'irregularSeal1',
  '72': 'irregularSeal2',
  '73': 'lightningBolt',
  '74': 'heart',
  '75': 'rect',
  '84': 'bevel',
  '85': 'leftBracket',
  '86': 'rightBracket',
  '87': 'leftBrace',
  '88': 'rightBrace',
  '92': 'star24',
  '93': 'stripedRightArrow',
  '94': 'notchedRightArrow',
  '95': 'blockArc',
  '96': 'smileyFace',
  '106': 'cloudCallout',
  '109': 'flowChartProcess',
  '110': 'flowChartDecision',
  '111': 'flowChartInputOutput',
  '112': 'flowChartPredefinedProcess',
  '113': 'flowChartInternalStorage',
  '114': 'flowChartDocument',
  '115': 'flowChartMultidocument',
  '116': 'flowChartTerminator',
  '117': 'flowChartPreparation',
  '118': 'flowChartManualInput',
  '119': 'flowChartManualOperation',
  '120': 'flowChartConnector',
  '121': 'flowChartPunchedCard',
  '122': 'flowChartPunchedTape',
  '123': 'flowChartSummingJunction',
  '124': 'flowChartOr',
  '125': 'flowChartCollate',
  '126': 'flowChartSort',
  '127': 'flowChartExtract',
  '128': 'flowChartMerge',
  '130': 'flowChartOnlineStorage',
  '131': 'flowChartMagneticTape',
  '132': 'flowChartMagneticDisk',
  '133': 'flowChartMagneticDrum',
  '134': 'flowChartDisplay',
  '135': 'flowChartDelay',
  '136': 'rect',
  '176': 'flowChartAlternateProcess',
  '177': 'flowChartOffpageConnector',
  '183': 'sun',
  '184': 'moon',
  '185': 'bracketPair',
  '186': 'bracePair',
  '187': 'star4',
  '202': 'rect',
}

const isTrue = (text: string | undefined): boolean => text === 't' || text === 'true'
const off = (text: string | undefined): boolean => text === 'f' || text === 'false' || text === '0'

/** Parses '0.5', '50%' or '32768f' (65,536ths) into a share. */
function fraction(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number.parseFloat(text)
  if (!Number.isFinite(value)) return undefined
  return text.endsWith('f') ? value / 65_536 : text.endsWith('%') ? value / 100 : value
}

/** Crop of v:imagedata as shares of the picture; limited so that some of it remains. */
function readCrop(
  cursor: XmlCursor,
): { left: number; top: number; right: number; bottom: number } | undefined {
  const get = (name: string): number => Math.max(-1, Math.min(0.99, fraction(cursor.attribute(name)) ?? 0))
  const crop = {
    left: get('cropleft'),
    top: get('croptop'),
    right: get('cropright'),
    bottom: get('cropbottom'),
  }
  return crop.left || crop.top || crop.right || crop.bottom ? crop : undefined
}

/**
 * Reads the colour changes of v:imagedata (ECMA-376-4 19.1.2.11). A gain of 0.3 with a black level of 0.35 is
 * Word's "washout".
 */
function readAdjust(cursor: XmlCursor): PictureAdjust | undefined {
  const grey = isTrue(cursor.attribute('grayscale')) || isTrue(cursor.attribute('bilevel'))
  const kind = grey ? ({ kind: isTrue(cursor.attribute('bilevel')) ? 'two-tone' : 'grey' } as const) : {}
  const gain = fraction(cursor.attribute('gain')) ?? 1
  const black = fraction(cursor.attribute('blacklevel')) ?? 0
  if (Math.abs(gain - 0.3) < 0.001 && Math.abs(black - 0.35) < 0.001) return { ...kind, ...washedOut }
  if (!grey && gain === 1 && black === 0) return undefined
  const limit = (value: number): number => Math.max(-1, Math.min(1, value))
  return { ...kind, brightness: limit(black * 2), contrast: limit(gain <= 1 ? gain - 1 : 1 - 1 / gain) }
}

/** w10:wrap: how text flows around the shape. */
function readWrap(cursor: XmlCursor): Inside['wrap'] {
  const side = cursor.attribute('side')
  const wrapSide = side === 'left' || side === 'right' || side === 'largest' ? side : 'both'
  switch (cursor.attribute('type')) {
    case 'square':
      return { wrap: 'square', wrapSide }
    case 'tight':
      return { wrap: 'tight', wrapSide }
    case 'through':
      return { wrap: 'through', wrapSide }
    case 'topAndBottom':
      return { wrap: 'top-bottom' }
    default:
      return {}
  }
}

/** v:textbox. Insets default to 7.2 pt at the sides and 3.6 pt above and below (19.1.2.22). */
function readTextBox(part: DocxPartContext, shape: ReadonlyMap<string, string>): ShapeText {
  const { cursor } = part
  const insets = (cursor.attribute('inset') ?? '').split(',')
  const style = readStyle(cursor.attribute('style') ?? '')
  const at = (index: number, otherwise: number): number => {
    const text = insets[index]?.trim()
    return text === undefined || text === '' ? otherwise : Math.max(0, length(text, 1) ?? otherwise)
  }
  let blocks: ShapeText['blocks'] = []
  cursor.each((name) => {
    if (name === 'w:txbxContent') blocks = readInnerBlocks(part)
  })
  const anchor = shape.get('v-text-anchor') ?? 'top'
  const flow = style.get('layout-flow') ?? ''
  const upward = style.get('mso-layout-flow-alt') === 'bottom-to-top'
  return {
    blocks,
    insets: { left: at(0, 7.2), top: at(1, 3.6), right: at(2, 7.2), bottom: at(3, 3.6) },
    align: anchor.startsWith('middle') ? 'center' : anchor.startsWith('bottom') ? 'bottom' : 'top',
    grows: style.get('mso-fit-shape-to-text') === 't',
    direction: flow.startsWith('vertical') ? (upward ? 'up' : 'down') : 'horizontal',
    wraps: shape.get('mso-wrap-style') !== 'none',
  }
}

interface TextPath {
  readonly text: string
  readonly style: ReadonlyMap<string, string>
}

/**
 * Reads v:textpath, text drawn in place of a shape's outline (ECMA-376-4 19.1.2.23); undefined without text.
 */
function readTextPath({ cursor }: DocxPartContext): TextPath | undefined {
  const text = cursor.attribute('string') ?? ''
  if (text.trim() === '' || off(cursor.attribute('on'))) return undefined
  return { text, style: readStyle(cursor.attribute('style') ?? '') }
}

/** Text along a path, as watermarks use it, is drawn as one line of text that fills the box. */
function wordArtOf(
  word: TextPath,
  { fill, stroke, opacity }: { fill: string | undefined; stroke: Stroke | undefined; opacity: number },
): DrawingContent {
  const family = (word.style.get('font-family') ?? '').replace(/^["']|["']$/g, '')
  return {
    kind: 'shape',
    geometry: { kind: 'preset', name: 'rect', adjust: new Map() },
    wordArt: {
      text: word.text,
      color: fill ?? stroke?.color ?? '000000',
      ...(stroke !== undefined && fill !== undefined && { stroke }),
      opacity,
      family: family === '' ? 'Arial' : family,
      bold: word.style.get('font-weight') === 'bold',
      italic: word.style.get('font-style') === 'italic',
    },
  }
}
