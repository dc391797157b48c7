import type { Columns } from '../../../document/box.ts'
import type { Block } from '../../../document/content.ts'
import type {
  Anchor,
  Drawing,
  DrawingContent,
  Geometry,
  GroupChild,
  PathSegment,
  Shape,
} from '../../../document/drawing.ts'
import type { Stroke } from '../../../document/paint.ts'
import { entryOf } from '../../../entry-of.ts'
import { maxOf, minOf } from '../../../extremes.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { transformed } from '../transform.ts'
import {
  type AttributeGetter,
  backgroundColor,
  color,
  integer,
  isTrue,
  length,
  percent,
  textDirection,
} from '../values.ts'
import { backgroundOf, coloured } from './background.ts'
import { controlShape } from './forms.ts'
import { boxedIn, frameBox } from './frame-box.ts'
import { readMarker } from './marker.ts'
import { readObject } from './object.ts'
import { enhancedOutline, polygonOutline, svgOutline, viewBox } from './outline.ts'
import { addressOf, mediaOf, type OdfPartContext, warn } from './part-context.ts'
import { pictureAppearance } from './picture-appearance.ts'

/** Shapes defined by their end points. */
export const lineShapes: ReadonlySet<string> = new Set(['draw:line', 'draw:connector', 'draw:measure'])

/** Elements that are drawings (10.2, 10.3). */
export const shapeElements: ReadonlySet<string> = new Set([
  'draw:frame',
  'draw:custom-shape',
  'draw:rect',
  'draw:line',
  'draw:ellipse',
  'draw:circle',
  'draw:g',
  'draw:path',
  'draw:polygon',
  'draw:polyline',
  'draw:connector',
  'draw:caption',
  'draw:regular-polygon',
  'draw:measure',
  'draw:control',
])

/** Elements that are drawings or contain one (10.4). */
export const drawingElements: ReadonlySet<string> = new Set([...shapeElements, 'draw:a'])

/**
 * Reads draw:frame or a drawing shape (ODF 1.3 part 3, 10.3, 10.4). The cursor stands on the element.
 * Undefined when there is nothing to draw.
 */
export function readDrawing(part: OdfPartContext, name: string): Drawing | undefined {
  const { cursor, styles, scope } = part
  if (name === 'draw:a') {
    let inner: Drawing | undefined
    const href = cursor.attribute('xlink:href')
    cursor.each((child) => {
      inner ??= readDrawing(part, child)
    })
    return inner === undefined || href === undefined ? inner : { ...inner, link: { href: addressOf(href) } }
  }
  const style = styles.find(scope, 'graphic', cursor.attribute('draw:style-name'))
  const get = (key: string): string | undefined => styles.attribute(style, key)
  const at = (key: string): number => length(cursor.attribute(key)) ?? 0
  let width = Math.max(0, at('svg:width') || at('fo:min-width'))
  let height = Math.max(0, at('svg:height') || at('fo:min-height'))
  const anchorType = cursor.attribute('text:anchor-type') ?? 'paragraph'
  let x = at('svg:x')
  let y = at('svg:y')
  let flips = false
  if (lineShapes.has(name)) {
    const [x1, y1, x2, y2] = [at('svg:x1'), at('svg:y1'), at('svg:x2'), at('svg:y2')]
    ;[x, y, width, height] = [Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1)]
    flips = (x2 - x1) * (y2 - y1) < 0
  }
  const order = integer(cursor.attribute('draw:z-index')) ?? 0
  const transform = cursor.attribute('draw:transform')
  const rotation = rotationOf(transform)
  if (transform !== undefined && /translate|matrix/.test(transform)) {
    // The position of the shape itself is turned along.
    const moved = transformed(transform, width, height)
    const [cos, sin] = [Math.cos((rotation * Math.PI) / 180), Math.sin((rotation * Math.PI) / 180)]
    ;[x, y] = [moved.x + x * cos - y * sin, moved.y + x * sin + y * cos]
  }
  const sheet = anchorType === 'page' ? integer(cursor.attribute('text:anchor-page-number')) : undefined
  const anchor =
    anchorType === 'as-char'
      ? undefined
      : {
          ...anchorOf({ get, x, y, order, anchorType }),
          ...(sheet !== undefined && sheet > 0 && { sheet }),
          ...(rotation === 0 &&
            (name === 'draw:frame' || part.shared.movesShapesOntoPage) && { staysOnSheet: true }),
        }
  const sized = relativeSize(cursor)
  const alternativeText: AlternativeText = {}
  const content =
    name === 'draw:frame'
      ? readFrame(
          part,
          get,
          height,
          alternativeText,
          styles.chain(style).find((ancestor) => ancestor.columns !== undefined)?.columns,
        )
      : name === 'draw:control'
        ? controlShape(part)
        : name === 'draw:g'
          ? readGroup(part)
          : readShape(part, name, get, { width, height, flips })
  if (content === undefined) return undefined
  if (name === 'draw:g' && content.kind === 'group') {
    width = Math.max(0, maxOf(content.children.map((child) => child.x + child.drawing.width)))
    height = Math.max(0, maxOf(content.children.map((child) => child.y + child.drawing.height)))
  }
  return {
    width,
    height,
    rotation,
    content,
    ...(anchor === undefined ? { ...inlinePosition(get, height, y), ...acrossLine(sized) } : {}),
    anchor: anchor === undefined ? undefined : { ...anchor, ...sized },
    ...describedBy(alternativeText),
  }
}

/** Alternative text of a frame: svg:desc, or else svg:title (10.3.15, 10.3.16). */
interface AlternativeText {
  description?: string
  title?: string
}

function describedBy({ description, title }: AlternativeText): Pick<Drawing, 'description'> {
  const alternativeText = description || title
  return alternativeText ? { description: alternativeText } : {}
}

/** The relative width of an inline frame is a share of its line. */
function acrossLine({
  relativeWidth,
}: ReturnType<typeof relativeSize>): Pick<Drawing, 'lineShare' | 'lineScales'> {
  if (relativeWidth === undefined) return {}
  return { lineShare: relativeWidth.share, ...(relativeWidth.scales === true && { lineScales: true }) }
}

/**
 * Reads style:rel-width and style:rel-height (19.509, 19.510): shares of the area that contains the frame.
 */
function relativeSize(cursor: XmlCursor): Pick<Anchor, 'relativeWidth' | 'relativeHeight'> {
  const width = percent(cursor.attribute('style:rel-width'))
  const height = percent(cursor.attribute('style:rel-height'))
  const scales = cursor.attribute('style:rel-height') === 'scale'
  const of = (name: string): 'page' | 'margin' =>
    cursor.attribute(`loext:rel-${name}-rel`) === 'page' ? 'page' : 'margin'
  return {
    ...(width !== undefined &&
      width > 0 && { relativeWidth: { of: of('width'), share: width, ...(scales && { scales }) } }),
    ...(height !== undefined && height > 0 && { relativeHeight: { of: of('height'), share: height } }),
  }
}

/**
 * Vertical position of an inline frame in its line, including its margins (ODF 1.3 part 3, 20.421 and
 * 20.422). `height` and `y` are in points.
 */
function inlinePosition(
  get: AttributeGetter,
  height: number,
  y: number,
): Pick<Drawing, 'extent' | 'drop' | 'dropGrows' | 'lineAlign'> {
  const all = length(get('fo:margin')) ?? 0
  const side = (name: string): number => Math.max(0, length(get(`fo:margin-${name}`)) ?? all)
  const extent = { top: side('top'), right: side('right'), bottom: side('bottom'), left: side('left') }
  const outerHeight = height + extent.top + extent.bottom
  const verticalPosition = get('style:vertical-pos') ?? 'top'
  const of = get('style:vertical-rel')
  if ((of === 'line' || of === 'text') && verticalPosition !== 'from-top') {
    return {
      extent,
      lineAlign: verticalPosition === 'middle' ? 'center' : verticalPosition === 'bottom' ? 'bottom' : 'top',
    }
  }
  const drop =
    verticalPosition === 'middle'
      ? outerHeight / 2
      : verticalPosition === 'bottom' || verticalPosition === 'below'
        ? outerHeight
        : verticalPosition === 'from-top'
          ? outerHeight + y
          : 0
  return { extent, drop, dropGrows: verticalPosition === 'middle' ? 0.5 : verticalPosition === 'top' ? 0 : 1 }
}

/**
 * Rotation from draw:transform such as 'rotate (0.5) translate (...)'. The file has radians
 * counter-clockwise, the result degrees clockwise.
 */
function rotationOf(transform: string | undefined): number {
  const match = transform === undefined ? null : /rotate\s*\(\s*(-?[\d.]+)/.exec(transform)
  return match === null ? 0 : (-Number(match[1]) * 180) / Math.PI
}

/** style:wrap to the document model. */
const wraps: Readonly<Record<string, readonly [Anchor['wrap'], Anchor['wrapSide']]>> = {
  none: ['top-bottom', 'both'],
  left: ['square', 'left'],
  right: ['square', 'right'],
  parallel: ['square', 'both'],
  dynamic: ['square', 'wide-enough'],
  biggest: ['square', 'wide-enough'],
  'run-through': ['none', 'both'],
}
/** style:horizontal-rel to the document model. */
const horizontals: Readonly<Record<string, Anchor['x']['from']>> = {
  page: 'page',
  'page-content': 'margin',
  'page-start-margin': 'left-margin',
  'page-end-margin': 'right-margin',
  char: 'character',
  'paragraph-content': 'paragraph',
  'paragraph-start-margin': 'start-indent',
  'paragraph-end-margin': 'end-indent',
}
/** style:vertical-rel (20.422) to the document model. */
const verticals: Readonly<Record<string, Anchor['y']['from']>> = {
  page: 'page',
  'page-content': 'margin',
  'paragraph-content': 'paragraph-text',
}

interface AnchorSource {
  readonly get: AttributeGetter
  readonly x: number
  readonly y: number
  readonly order: number
  readonly anchorType: string
}

/** Position of a floating drawing. `x` and `y` are in points. */
function anchorOf({ get, x, y, order, anchorType }: AnchorSource): Anchor {
  const [wrap, wrapSide] = entryOf(
    wraps,
    get('style:wrap') ?? (anchorType === 'char' ? 'none' : 'parallel'),
  ) ?? ['square', 'both']
  const hp = get('style:horizontal-pos') ?? 'from-left'
  const vp = get('style:vertical-pos') ?? 'from-top'
  const margin = length(get('fo:margin')) ?? 0
  const side = (name: string): number => Math.max(0, length(get(`fo:margin-${name}`)) ?? margin)
  const onPage = anchorType === 'page'
  return {
    x: {
      from: entryOf(horizontals, get('style:horizontal-rel')) ?? (onPage ? 'page' : 'column'),
      offset: x,
      align:
        hp === 'center'
          ? 'center'
          : hp === 'right'
            ? 'end'
            : hp === 'left'
              ? 'start'
              : hp === 'inside' || hp === 'outside'
                ? hp
                : undefined,
      inset: { start: side('left'), end: side('right') },
    },
    y: {
      from: entryOf(verticals, get('style:vertical-rel')) ?? (onPage ? 'page' : 'paragraph'),
      offset: y,
      align: vp === 'middle' ? 'center' : vp === 'bottom' ? 'end' : vp === 'top' ? 'start' : undefined,
      inset: { start: side('top'), end: side('bottom') },
    },
    wrap,
    wrapSide,
    distance: { top: side('top'), right: side('right'), bottom: side('bottom'), left: side('left') },
    behind: get('style:run-through') === 'background' && wrap === 'none',
    order,
    allowOverlap: true,
    layoutInCell: get('style:flow-with-text') === 'true',
  }
}

/** Contents of frames that require a program to display them. */
const otherObjects: ReadonlySet<string> = new Set(['draw:plugin', 'draw:applet', 'draw:floating-frame'])

/**
 * Reads the first content of a frame that can be drawn. Embedded objects are followed by a picture of
 * themselves.
 */
function readFrame(
  part: OdfPartContext,
  get: AttributeGetter,
  height: number,
  alternativeText: AlternativeText,
  columns: Columns | undefined,
): DrawingContent | undefined {
  const { cursor, shared } = part
  let content: DrawingContent | undefined
  let object = false
  cursor.each((name) => {
    if (name === 'svg:desc') alternativeText.description = cursor.text()
    else if (name === 'svg:title') alternativeText.title = cursor.text()
    if (content !== undefined) return
    if (name === 'draw:image') {
      const href = cursor.attribute('xlink:href')
      content = {
        kind: 'picture',
        media: mediaOf(shared, href),
        ...boxedIn(get),
        ...pictureAppearance(shared, get),
      }
    } else if (name === 'draw:text-box') {
      const minHeight = length(cursor.attribute('fo:min-height'))
      content = textBox(part, get, shared.readBlocks(part), minHeight, height, columns)
    } else if (name === 'draw:object' || name === 'draw:object-ole' || otherObjects.has(name)) {
      object = true
      if (name === 'draw:object') content = readObject(shared, cursor.attribute('xlink:href'))
    }
  })
  if (content === undefined && object) {
    warn(shared, 'read.object', 'An embedded object is drawn as an empty box.')
    return { kind: 'unknown', what: 'object' }
  }
  return content
}

/**
 * draw:text-box (10.4.3). `least` is its minimum height; with one, or without a height, the box grows with
 * its text.
 */
function textBox(
  { styles }: OdfPartContext,
  get: AttributeGetter,
  blocks: readonly Block[],
  minHeight: number | undefined,
  height: number,
  columns: Columns | undefined,
): Shape {
  const { boxed, insets } = frameBox(get)
  const fill = backgroundColor(get('fo:background-color'))
  const background = backgroundOf(get, styles)
  const clear = percent(get('style:background-transparency'))
  const opacity = percent(get('draw:opacity')) ?? (clear === undefined ? undefined : Math.max(0, 1 - clear))
  const vertical = get('draw:textarea-vertical-align')
  return {
    kind: 'shape',
    geometry: { kind: 'preset', name: 'rect', adjust: new Map() },
    fill: fill === 'none' || (background !== undefined && !coloured(get)) ? undefined : fill,
    ...(background !== undefined && { background: background }),
    ...(opacity !== undefined && opacity < 1 && { fillOpacity: opacity }),
    ...(boxed !== undefined && { boxed }),
    text: {
      blocks,
      insets,
      align: vertical === 'middle' ? 'center' : vertical === 'bottom' ? 'bottom' : 'top',
      grows: minHeight !== undefined || height === 0,
      direction: textDirection(get),
      wraps: true,
      minHeight: minHeight,
      ...(columns !== undefined && columns.count > 1 && { columns }),
    },
  }
}

/** Elements of drawing shapes to preset geometries. */
const presets: Readonly<Record<string, string>> = {
  'draw:rect': 'rect',
  'draw:line': 'line',
  'draw:connector': 'line',
  'draw:ellipse': 'ellipse',
  'draw:circle': 'ellipse',
  'draw:caption': 'rect',
  'draw:measure': 'line',
}
/** Values of draw:type to preset geometries, for custom shapes without a path. */
const shapeNames: Readonly<Record<string, string>> = {
  rectangle: 'rect',
  'round-rectangle': 'roundRect',
  ellipse: 'ellipse',
  diamond: 'diamond',
  'isosceles-triangle': 'triangle',
  'right-arrow': 'rightArrow',
  'left-arrow': 'leftArrow',
  'up-arrow': 'upArrow',
  'down-arrow': 'downArrow',
  hexagon: 'hexagon',
  octagon: 'octagon',
  parallelogram: 'parallelogram',
  trapezoid: 'trapezoid',
  cross: 'plus',
  star5: 'star5',
  star4: 'star4',
}

/**
 * A drawing shape with its outline, fill, stroke and text. LibreOffice's default colours apply where the
 * style has none.
 */
function readShape(part: OdfPartContext, name: string, get: AttributeGetter, box: ShapeBox): Shape {
  const { cursor, styles } = part
  const line = lineShapes.has(name)
  if (name === 'draw:measure')
    warn(
      part.shared,
      'read.dimension-line',
      'Dimension lines are drawn as lines without their guides and lengths.',
    )
  const open = line || name === 'draw:polyline'
  let outline = outlineHere(part, name, box)
  let alongPath = false
  const blocks = part.shared.readBlocks(part, (child) => {
    if (child !== 'draw:enhanced-geometry') return false
    alongPath = cursor.attribute('draw:text-path') === 'true'
    outline = enhancedHere(cursor, box)
    return true
  })
  const { geometry, flipHorizontal, flipVertical } = outline
  const stroke = name === 'draw:caption' ? withoutHeads(strokeOf(get)) : strokeOf(get)
  const filling = open ? {} : fillOf(get, styles)
  const padding = length(get('fo:padding')) ?? 0
  const pad = (side: string, otherwise: number): number =>
    Math.max(0, length(get(`fo:padding-${side}`)) ?? (padding || otherwise))
  const vertical = get('draw:textarea-vertical-align')
  const opacity = percent(get('draw:opacity'))
  const art = alongPath ? wordArt(part, blocks, { fill: filling.fill, stroke, opacity }) : undefined
  if (art !== undefined) return art
  return {
    kind: 'shape',
    geometry,
    ...filling,
    ...(opacity !== undefined && { fillOpacity: opacity }),
    stroke,
    flipHorizontal,
    flipVertical,
    text:
      blocks.length === 0
        ? undefined
        : {
            blocks,
            insets: {
              top: pad('top', 3.6),
              right: pad('right', 7.2),
              bottom: pad('bottom', 3.6),
              left: pad('left', 7.2),
            },
            align: vertical === 'middle' ? 'center' : vertical === 'bottom' ? 'bottom' : 'top',
            grows: isTrue(get('draw:auto-grow-height')) ?? false,
            direction: textDirection(get),
            wraps: true,
          },
  }
}

/** The outline of a shape; LibreOffice's default colour applies where its style has none. */
export function strokeOf(get: AttributeGetter): Stroke | undefined {
  if (get('draw:stroke') === 'none') return undefined
  const opacity = percent(get('svg:stroke-opacity'))
  return {
    color: color(get('svg:stroke-color')) ?? '3465A4',
    width: Math.max(0, length(get('svg:stroke-width')) ?? 0), // 0 is the thinnest line (observed in LibreOffice)
    dash: get('draw:stroke') === 'dash' ? 'dashed' : 'solid',
    ...(opacity !== undefined && opacity < 1 && { opacity: Math.max(0, opacity) }),
    ...((get('draw:marker-start') ?? '') !== '' && { startArrow: readMarker(get, 'start') }),
    ...((get('draw:marker-end') ?? '') !== '' && { endArrow: readMarker(get, 'end') }),
  }
}

/** A caption is an outline and a line in one path, of which only the line would have the head of an arrow. */
function withoutHeads(stroke: Stroke | undefined): Stroke | undefined {
  if (stroke === undefined) return undefined
  const { startArrow: _start, endArrow: _end, ...line } = stroke
  return line
}

/** The fill of a shape, likewise. */
export function fillOf(
  get: AttributeGetter,
  styles: OdfPartContext['styles'],
): Pick<Shape, 'fill' | 'gradient' | 'background'> {
  const background = backgroundOf(get, styles)
  const isUnfilled = get('draw:fill') === 'none' || (background !== undefined && !coloured(get))
  return {
    ...(!isUnfilled && { fill: color(get('draw:fill-color')) ?? '729FCF' }),
    ...(background?.kind === 'gradient'
      ? { gradient: background.gradient }
      : background !== undefined && { background: background }),
  }
}

/**
 * Text that fills its shape (draw:text-path, 19.226), with the formatting of its first run; undefined without
 * text.
 */
function wordArt(
  { styles }: OdfPartContext,
  blocks: readonly Block[],
  paint: {
    readonly fill: string | undefined
    readonly stroke: Stroke | undefined
    readonly opacity: number | undefined
  },
): Shape | undefined {
  const texts = blocks.flatMap((block) =>
    block.kind === 'paragraph'
      ? [block.inlines.map((inline) => (inline.kind === 'text' ? inline.text : '')).join('')]
      : [],
  )
  const text = texts.join('\n').trim()
  if (text === '') return undefined
  const first = blocks
    .flatMap((block) => (block.kind === 'paragraph' ? block.inlines : []))
    .find((inline) => inline.kind === 'text')
  const textStyle =
    first?.kind === 'text' && first.run.style !== undefined ? styles.flatRun(first.run.style) : {}
  const run = { ...styles.defaultRun, ...textStyle }
  return {
    kind: 'shape',
    geometry: preset('rect'),
    wordArt: {
      text,
      color: paint.fill ?? paint.stroke?.color ?? '000000',
      ...(paint.stroke !== undefined && paint.fill !== undefined && { stroke: paint.stroke }),
      opacity: paint.opacity ?? 1,
      family: run.fonts?.ascii ?? 'Liberation Sans',
      bold: run.bold ?? false,
      italic: run.italic ?? false,
    },
  }
}

export interface ShapeOutline {
  readonly geometry: Geometry
  readonly flipHorizontal?: boolean
  readonly flipVertical?: boolean
}

export interface ShapeBox {
  readonly width: number
  readonly height: number
  /** A line runs from the bottom left to the top right. */
  readonly flips: boolean
}
const preset = (name: string): Geometry => ({ kind: 'preset', name, adjust: new Map() })

/**
 * draw:caption (10.3.9) and visible notes: a box with a line to the point that it speaks of, whose place counts from the corner of
 * the box. A point inside the box has no line.
 */
function captionOutline({ cursor }: Pick<OdfPartContext, 'cursor'>, { width, height }: ShapeBox): Geometry {
  const point = (axis: 'x' | 'y', size: number): number | undefined => {
    const value = length(cursor.attribute(`draw:caption-point-${axis}`))
    return value === undefined || size <= 0 ? undefined : value / size
  }
  const [x, y] = [point('x', width), point('y', height)]
  const within = (share: number): number => Math.min(1, Math.max(0, share))
  const isOutside = x !== undefined && y !== undefined && (x !== within(x) || y !== within(y))
  if (!isOutside) return preset('rect')
  const corners = [0, 0, 1, 0, 1, 1, 0, 1]
  const box = [0, 2, 4, 6].map(
    (at): PathSegment => ({ kind: at === 0 ? 'move' : 'line', points: corners.slice(at, at + 2) }),
  )
  return {
    kind: 'path',
    segments: [
      ...box,
      { kind: 'close', points: [] },
      { kind: 'move', points: [within(x), within(y)] },
      { kind: 'line', points: [x, y] },
    ],
  }
}

/** The outline of a shape that follows from its attributes. */
export function outlineHere(
  { cursor }: Pick<OdfPartContext, 'cursor'>,
  name: string,
  { flips, width, height }: ShapeBox,
): ShapeOutline {
  const space = viewBox(cursor.attribute('svg:viewBox'))
  const points = cursor.attribute('draw:points')
  const d = cursor.attribute('svg:d')
  if (d !== undefined && space !== undefined) return { geometry: svgOutline(d, space) }
  if (points !== undefined && space !== undefined)
    return { geometry: polygonOutline(points, space, name === 'draw:polygon') }
  if (name === 'draw:caption') return { geometry: captionOutline({ cursor }, { width, height, flips }) }
  const corners = integer(cursor.attribute('draw:corners')) ?? 0
  if (name === 'draw:regular-polygon' && corners >= 3) return { geometry: regularPolygon(cursor, corners) }
  const radius = length(cursor.attribute('draw:corner-radius')) ?? 0
  const shorterSide = Math.min(width, height)
  if (radius > 0 && shorterSide > 0) {
    const adjust = new Map([['adj', Math.min(50_000, (radius / shorterSide) * 100_000)]])
    return { geometry: { kind: 'preset', name: 'roundRect', adjust } }
  }
  return { geometry: preset(entryOf(presets, name) ?? 'rect'), flipVertical: flips || undefined }
}

/**
 * draw:regular-polygon (10.3.4): corners on an ellipse, starting at its top. In a star every second corner is
 * nearer to the centre.
 */
function regularPolygon(cursor: XmlCursor, corners: number): Geometry {
  const star = cursor.attribute('draw:concave') === 'true'
  const inner = star ? 1 - Math.min(1, Math.max(0, percent(cursor.attribute('draw:sharpness')) ?? 0.5)) : 1
  const count = Math.min(500, corners) * (star ? 2 : 1)
  const segments = Array.from({ length: count }, (_, index): PathSegment => {
    const angle = (index / count) * 2 * Math.PI - Math.PI / 2
    const reach = (star && index % 2 === 1 ? inner : 1) / 2
    const points = [0.5 + reach * Math.cos(angle), 0.5 + reach * Math.sin(angle)]
    return { kind: index === 0 ? 'move' : 'line', points }
  })
  return { kind: 'path', segments: [...segments, { kind: 'close', points: [] }] }
}

/**
 * Reads draw:enhanced-geometry (10.6.2), on which the cursor stands: its path, or else the preset of its
 * type.
 */
export function enhancedHere(cursor: XmlCursor, { width, height }: ShapeBox): ShapeOutline {
  const type = cursor.attribute('draw:type') ?? ''
  const flipHorizontal = cursor.attribute('draw:mirror-horizontal') === 'true' || undefined
  const flipVertical = cursor.attribute('draw:mirror-vertical') === 'true' || undefined
  const presetName = entryOf(shapeNames, type) ?? (type.startsWith('ooxml-') ? type.slice(6) : 'rect')
  return {
    geometry: enhancedOutline(cursor, width, height) ?? preset(presetName),
    flipHorizontal,
    flipVertical,
  }
}

/** draw:g: its members, moved so that the group begins at 0, 0. */
function readGroup(part: OdfPartContext): DrawingContent {
  const { cursor } = part
  const children: GroupChild[] = []
  cursor.each((name) => {
    if (!name.startsWith('draw:') || children.length > 5000) return
    const x = length(cursor.attribute('svg:x') ?? cursor.attribute('svg:x1')) ?? 0
    const y = length(cursor.attribute('svg:y') ?? cursor.attribute('svg:y1')) ?? 0
    const drawing = readDrawing(part, name)
    if (drawing !== undefined) children.push({ x, y, drawing: { ...drawing, anchor: undefined } })
  })
  const left = Math.min(Number.POSITIVE_INFINITY, minOf(children.map((child) => child.x)))
  const top = Math.min(Number.POSITIVE_INFINITY, minOf(children.map((child) => child.y)))
  return {
    kind: 'group',
    children: children.map((child) => ({ ...child, x: child.x - left, y: child.y - top })),
  }
}
