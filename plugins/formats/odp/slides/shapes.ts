/** The shapes of slides and masters: the content of draw:page, style:master-page and draw:g (ODF 1.3 part 3, 10). */

import type { Block } from '../../../../shared/document/content.ts'
import type { SlideShape } from '../../../../shared/document/deck.ts'
import type {
  Drawing,
  DrawingContent,
  DrawingShadow,
  GroupChild,
  Picture,
  Shape,
  ShapeText,
} from '../../../../shared/document/drawing.ts'
import type { Link } from '../../../../shared/document/properties.ts'
import { pathCommands } from '../../../../shared/document/svg-path.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { maxOf, minOf } from '../../../../shared/extremes.ts'
import {
  enhancedHere,
  fillOf,
  lineShapes,
  outlineHere,
  type ShapeOutline,
  shapeElements,
  strokeOf,
} from '../../../../shared/office/opendocument/text/drawing.ts'
import { controlShape } from '../../../../shared/office/opendocument/text/forms.ts'
import { readObject } from '../../../../shared/office/opendocument/text/object.ts'
import { svgOutline } from '../../../../shared/office/opendocument/text/outline.ts'
import { warn } from '../../../../shared/office/opendocument/text/part-context.ts'
import { pictureAppearance } from '../../../../shared/office/opendocument/text/picture-appearance.ts'
import type { OpenStyle } from '../../../../shared/office/opendocument/text/styles.ts'
import { type ShapePosition, transformed } from '../../../../shared/office/opendocument/transform.ts'
import {
  type AttributeGetter,
  color,
  exactLength,
  percent,
} from '../../../../shared/office/opendocument/values.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { getterOf, linkTo, type PageReading, readAction, spendShape, stylesHere } from './context.ts'
import { pictureHere } from './picture.ts'
import { readSlideTable, type TableTemplate } from './table.ts'
import type { TextBase } from './text-cascade.ts'

/** The context in which shapes are read. */
export interface ShapeTree {
  readonly reading: PageReading
  readonly templates: ReadonlyMap<string, TableTemplate>
  /** Whether a shape with this presentation:class is drawn; undefined for shapes without a class. */
  readonly draws: (kind: string | undefined) => boolean
}

/** If the child of a page or group at the cursor is a shape, reads it into `shapes`. `link` is the enclosing link. */
export function readShape(tree: ShapeTree, name: string, shapes: SlideShape[], link?: Link): void {
  const { cursor, shared } = tree.reading.part
  if (name === 'draw:a') {
    const enclosingLink = linkTo(tree.reading, cursor.attribute('xlink:href') ?? '') ?? link
    cursor.each((child) => readShape(tree, child, shapes, enclosingLink))
    return
  }
  if (name === 'dr3d:scene') {
    warn(shared, 'read.scene', 'Three-dimensional scenes are not drawn.')
    return
  }
  if (!shapeElements.has(name)) return
  spendShape(tree.reading)
  if (cursor.attribute('draw:display') === 'none' || cursor.attribute('draw:display') === 'screen') return
  const shape = name === 'draw:g' ? readGroup(tree, link) : readSingle(tree, name, link)
  if (shape !== undefined) shapes.push(shape)
}

/** The names and links of a shape. */
interface ShapeNames {
  link?: Link
  description?: string
  title?: string
}

/** Reads a child that any shape may have. Returns whether it was one. */
function readName(tree: ShapeTree, child: string, names: ShapeNames): boolean {
  const { cursor } = tree.reading.part
  if (child === 'svg:desc') names.description = cursor.text().trim()
  else if (child === 'svg:title') names.title = cursor.text().trim()
  else if (child === 'office:event-listeners') {
    const link = readAction(tree.reading)
    if (link !== undefined) names.link = link
  } else return false
  return true
}

function named(names: ShapeNames): Pick<Drawing, 'link' | 'description'> {
  const description = names.description || names.title
  return { ...(names.link !== undefined && { link: names.link }), ...(description && { description }) }
}

/** draw:g. Its members are in page coordinates. */
function readGroup(tree: ShapeTree, link: Link | undefined): GroupChild | undefined {
  const { cursor } = tree.reading.part
  const members: GroupChild[] = []
  const names: ShapeNames = link === undefined ? {} : { link }
  cursor.each((child) => {
    if (!readName(tree, child, names)) readShape(tree, child, members)
  })
  if (members.length === 0) return undefined
  const x = minOf(members.map((child) => child.x))
  const y = minOf(members.map((child) => child.y))
  const width = maxOf(members.map((child) => child.x + child.drawing.width)) - x
  const height = maxOf(members.map((child) => child.y + child.drawing.height)) - y
  const children = members.map((child) => ({ ...child, x: child.x - x, y: child.y - y }))
  const drawing = {
    width,
    height,
    rotation: 0,
    content: { kind: 'group', children },
    ...named(names),
  } as const
  return { x, y, drawing }
}

function readSingle(tree: ShapeTree, name: string, link: Link | undefined): SlideShape | undefined {
  const { reading } = tree
  const { part } = reading
  const { cursor } = part
  const kind = cursor.attribute('presentation:class')
  if (!tree.draws(kind) || cursor.attribute('presentation:placeholder') === 'true') return undefined
  const chain = stylesHere(part)
  const get = getterOf(part, chain)
  const names: ShapeNames = link === undefined ? {} : { link }
  const textStyle = part.styles.find(part.scope, 'paragraph', cursor.attribute('draw:text-style-name'))
  const position = lineShapes.has(name) ? linePosition(cursor) : positionHere(cursor)
  const content =
    name === 'draw:control'
      ? controlShape(part)
      : name === 'draw:frame'
        ? readFrame(tree, { chain, get, names, position, kind, textStyle })
        : readOutlined(tree, name, { chain, get, names, position, kind, textStyle })
  if (content === undefined) return undefined
  const { x, y, width, height, rotation } = position
  const drawing = { width, height, rotation, content, ...named(names) }
  return { x, y, drawing, ...(kind === 'title' && { role: 'title' }) }
}

/** The state of reading one shape. */
interface ShapeState {
  readonly chain: readonly OpenStyle[]
  readonly get: AttributeGetter
  readonly names: ShapeNames
  readonly position: Position
  readonly kind: string | undefined
  /** The base style of all paragraphs of the shape. */
  readonly textStyle: OpenStyle | undefined
}

/** A line from the bottom left to the top right is mirrored. */
interface Position extends ShapePosition {
  readonly flipsHorizontal?: boolean
  readonly flipsVertical?: boolean
  /** The path of a connector, in page coordinates. */
  readonly outline?: ShapeOutline
}

function positionHere(cursor: XmlCursor): Position {
  const size = (name: string): number => exactLength(cursor.attribute(name)) ?? 0
  const [width, height] = [Math.max(0, size('svg:width')), Math.max(0, size('svg:height'))]
  const transform = cursor.attribute('draw:transform')
  if (transform === undefined) return { x: size('svg:x'), y: size('svg:y'), width, height, rotation: 0 }
  return transformed(transform, width, height)
}

/** The unit of connector paths, a hundredth of a millimetre, in points. */
const pathUnit = 72 / 2540

function linePosition(cursor: XmlCursor): Position {
  const at = (name: string): number => exactLength(cursor.attribute(name)) ?? 0
  const [x1, y1, x2, y2] = [at('svg:x1'), at('svg:y1'), at('svg:x2'), at('svg:y2')]
  const bent = connectorPosition(cursor.attribute('svg:d'), [x1, y1])
  if (bent !== undefined) return bent
  return {
    x: Math.min(x1, x2),
    y: Math.min(y1, y2),
    width: Math.abs(x2 - x1),
    height: Math.abs(y2 - y1),
    rotation: 0,
    flipsHorizontal: x2 < x1,
    flipsVertical: y2 < y1,
  }
}

/** The maximum number of points of a path that are examined for its extent. */
const maxPoints = 20_000

/** The position of a connector. Its bends are used only if its path begins at its first end, where LibreOffice saves them. */
function connectorPosition(d: string | undefined, [x1, y1]: readonly [number, number]): Position | undefined {
  if (d === undefined) return undefined
  const points: number[] = []
  for (const [, ...values] of pathCommands(d)) {
    pushAll(points, values)
    if (points.length > maxPoints) return undefined
  }
  const xs = points.filter((_, index) => index % 2 === 0)
  const ys = points.filter((_, index) => index % 2 === 1)
  const [startX, startY] = [xs[0], ys[0]]
  if (startX === undefined || startY === undefined || points.length < 4) return undefined
  if (Math.abs(startX * pathUnit - x1) > 1 || Math.abs(startY * pathUnit - y1) > 1) return undefined
  const [left, top] = [minOf(xs), minOf(ys)]
  const [width, height] = [maxOf(xs) - left, maxOf(ys) - top]
  const space = { x: left, y: top, width: Math.max(1, width), height: Math.max(1, height) }
  return {
    x: left * pathUnit,
    y: top * pathUnit,
    width: space.width * pathUnit,
    height: space.height * pathUnit,
    rotation: 0,
    outline: { geometry: openPath(svgOutline(d, space)) },
  }
}

/** Makes a path that is only stroked. */
const openPath = (geometry: Shape['geometry']): Shape['geometry'] =>
  geometry.kind === 'path' ? { kind: 'path', segments: [], lines: geometry.segments } : geometry

/** Frame contents that only another program could show. */
const media: ReadonlySet<string> = new Set(['draw:plugin', 'draw:applet', 'draw:floating-frame'])

/**
 * draw:frame (10.4.2). Uses the first content that can be drawn; content that needs a program is followed by a picture of it.
 */
function readFrame(tree: ShapeTree, state: ShapeState): DrawingContent | undefined {
  const { reading } = tree
  const { part } = reading
  const { cursor, shared } = part
  let content: DrawingContent | undefined
  let hasObject = false
  let hasMedia = false
  cursor.each((child) => {
    if (readName(tree, child, state.names) || content !== undefined) return
    if (child === 'draw:text-box') content = textBox(tree, state)
    else if (child === 'table:table') content = readSlideTable(reading, tree.templates, state.position)
    else if (child === 'draw:object') {
      hasObject = true
      content = readObject(shared, cursor.attribute('xlink:href'))
    } else if (child === 'draw:object-ole') hasObject = true
    else if (media.has(child)) hasMedia = true
    else if (child === 'draw:image') content = picture(tree, state, hasObject)
  })
  if (hasMedia && content !== undefined)
    warn(shared, 'read.media', 'Sound and video are drawn as their preview picture.')
  if (content === undefined && (hasObject || hasMedia)) {
    warn(shared, 'read.object', 'An embedded object is drawn as an empty box.')
    return { kind: 'unknown', what: 'object' }
  }
  return content
}

/** draw:image (10.4.4). The replacement picture of an object has no outline (observed in LibreOffice). */
function picture(
  { reading }: ShapeTree,
  { get, position }: ShapeState,
  isOfObject: boolean,
): Picture | undefined {
  const { shared, styles } = reading.part
  const name = pictureHere(reading.part)
  if (name === undefined) return undefined
  const stroke = isOfObject || get('draw:stroke') === undefined ? undefined : strokeOf(get)
  const shadow = shadowOf(get)
  // The fill behind a picture is not drawn. It would be visible only through transparent parts, which few documents use.
  if (get('draw:fill') !== 'none' && fillOf(get, styles).background !== undefined)
    warn(shared, 'read.picture-fill', 'A picture is drawn without the fill behind it.')
  if (position.width === 0 || position.height === 0) return undefined
  return {
    kind: 'picture',
    media: name,
    ...pictureAppearance(shared, get),
    ...(stroke !== undefined && {
      border: { style: 'single', width: stroke.width, color: stroke.color, space: 0 },
    }),
    ...(shadow !== undefined && { shadow }),
  }
}

/** draw:shadow (20.156) and the related attributes. */
function shadowOf(get: AttributeGetter): DrawingShadow | undefined {
  if (get('draw:shadow') !== 'visible') return undefined
  return {
    x: exactLength(get('draw:shadow-offset-x')) ?? 0,
    y: exactLength(get('draw:shadow-offset-y')) ?? 0,
    blur: exactLength(get('loext:shadow-blur')) ?? 0,
    color: color(get('draw:shadow-color')) ?? '808080',
    opacity: percent(get('draw:shadow-opacity')) ?? 1,
  }
}

/** Fill, outline and shadow of a shape. */
function appearance({ reading }: ShapeTree, get: AttributeGetter): Partial<Shape> {
  const { styles, shared } = reading.part
  const opacity = percent(get('draw:opacity'))
  const stroke = strokeOf(get)
  const shadow = shadowOf(get)
  if ((get('draw:opacity-name') ?? '') !== '' && get('draw:fill') !== 'none')
    warn(shared, 'read.transparency', 'A fill with a gradient of transparency is drawn opaque.')
  return {
    ...fillOf(get, styles),
    ...(opacity !== undefined && opacity < 1 && { fillOpacity: Math.max(0, opacity) }),
    ...(stroke !== undefined && { stroke }),
    ...(shadow !== undefined && { shadow }),
  }
}

/** Text boxes have neither fill nor outline unless their style specifies them. */
const ofTextBox =
  (get: AttributeGetter): AttributeGetter =>
  (name) =>
    get(name) ?? (name === 'draw:fill' || name === 'draw:stroke' ? 'none' : undefined)

/** draw:text-box (10.4.3). */
function textBox(tree: ShapeTree, state: ShapeState): Shape {
  const get = ofTextBox(state.get)
  const { part } = tree.reading
  const text = textOf(tree, state, part.shared.readBlocks(part), {
    wraps: get('draw:auto-grow-width') !== 'true' || get('fo:wrap-option') === 'wrap',
    grows: get('draw:auto-grow-height') !== 'false',
  })
  // Observed in LibreOffice: text that is taller than a text box begins at its top, unlike in other shapes.
  const atTop = text?.wraps === true && !text.grows && text.shrinks !== true
  return {
    kind: 'shape',
    geometry: { kind: 'preset', name: 'rect', adjust: new Map() },
    ...appearance(tree, get),
    ...(text !== undefined && { text: atTop ? { ...text, sticksOut: false } : text }),
  }
}

/** Reads a shape with an outline, which may contain text. */
function readOutlined(tree: ShapeTree, name: string, state: ShapeState): Shape {
  const { reading } = tree
  const { part } = reading
  const { cursor } = part
  const { get, position } = state
  const isLine = lineShapes.has(name)
  const isOpen = isLine || name === 'draw:polyline'
  const box = { width: position.width, height: position.height, flips: false }
  let outline: ShapeOutline = position.outline ?? outlineHere(part, name, box)
  let direction: ShapeText['direction'] = 'horizontal'
  let isTurned = false
  const isCustom = name === 'draw:custom-shape'
  const blocks = part.shared.readBlocks(part, (child) => {
    if (readName(tree, child, state.names)) return true
    if (child !== 'draw:enhanced-geometry') return false
    if (cursor.attribute('draw:text-path') === 'true')
      warn(part.shared, 'read.text-path', 'Text along a path is drawn as ordinary text inside its shape.')
    direction = entryOf(directions, cursor.attribute('draw:text-rotate-angle')) ?? 'horizontal'
    isTurned = /^-?180$/.test(cursor.attribute('draw:text-rotate-angle') ?? '')
    outline = enhancedHere(cursor, box)
    return true
  })
  // Observed in LibreOffice: only text of custom shapes is broken into lines, and only theirs keeps within an area of the outline.
  const text = textOf(tree, state, blocks, {
    wraps: isCustom && get('fo:wrap-option') !== 'no-wrap',
    grows: get('draw:auto-grow-height') === 'true',
    ...(direction !== 'horizontal' && { direction }),
    ...(!isCustom && { fillsBox: true }),
    // Observed in LibreOffice: text stands on its head in a shape that is mirrored upside down.
    ...((outline.flipVertical === true) !== isTurned && { turn: 180 }),
  })
  const { fill, fillOpacity, gradient, background, ...line } = appearance(tree, get)
  const flipHorizontal = outline.flipHorizontal === true || position.flipsHorizontal === true
  const flipVertical = outline.flipVertical === true || position.flipsVertical === true
  return {
    kind: 'shape',
    geometry: outline.geometry,
    ...(!isOpen && {
      ...(fill !== undefined && { fill }),
      ...(fillOpacity !== undefined && { fillOpacity }),
      ...(gradient !== undefined && { gradient }),
      ...(background !== undefined && { background }),
    }),
    ...line,
    ...(flipHorizontal && { flipHorizontal }),
    ...(flipVertical && { flipVertical }),
    ...(text !== undefined && { text }),
  }
}

const directions: Readonly<Record<string, ShapeText['direction']>> = {
  '90': 'up',
  '-270': 'up',
  '-90': 'down',
  '270': 'down',
}

/** The text of a shape with its formatting; undefined if it has none. */
function textOf(
  { reading }: ShapeTree,
  { chain, get, kind, textStyle }: ShapeState,
  blocks: readonly Block[],
  {
    direction,
    ...placed
  }: Pick<ShapeText, 'wraps' | 'grows' | 'fillsBox' | 'turn'> & Partial<Pick<ShapeText, 'direction'>>,
): ShapeText | undefined {
  const { part, cascade } = reading
  const hasText = blocks.some((block) => block.kind === 'table' || block.inlines.length > 0)
  if (!hasText) return undefined
  const ofText = part.styles.chain(textStyle)
  const styles = [...ofText, ...chain]
  if (kind === 'title' || kind === 'subtitle') reading.onTitle?.(plainText(blocks))
  const pad = (side: string): number =>
    exactLength(get(`fo:padding-${side}`)) ?? exactLength(get('fo:padding')) ?? 0
  const vertical = get('draw:textarea-vertical-align')
  const fit = get('draw:fit-to-size')
  if (fit === 'true' || fit === 'all')
    warn(part.shared, 'read.text-scaling', 'Text that should be scaled to its shape keeps its font size.')
  const shrinks = fit === 'shrink-to-fit' || get('style:shrink-to-fit') === 'true'
  // Observed in LibreOffice: lines of shrunk text have the kind of height of the last text before it that does not shrink.
  if (!shrinks)
    reading.lines.ignoreFont = attributeIn(styles, 'style:font-independent-line-spacing') === 'true'
  const ignoresFont = reading.lines.ignoreFont
  const base: TextBase = { styles, ignoresFont, ...outlineStyles(reading, chain, kind) }
  const across = get('draw:textarea-horizontal-align')
  const isVertical = get('style:writing-mode')?.startsWith('tb') === true
  return {
    blocks: cascade.apply(blocks, base),
    insets: { top: pad('top'), right: pad('right'), bottom: pad('bottom'), left: pad('left') },
    align: vertical === 'middle' ? 'center' : vertical === 'bottom' ? 'bottom' : 'top',
    ...placed,
    grows: placed.grows && !shrinks,
    direction: direction ?? (isVertical ? 'down' : 'horizontal'),
    sticksOut: true,
    ...(shrinks && { shrinks }),
    ...((across === 'center' || across === 'right') && { block: across }),
  }
}

const attributeIn = (styles: readonly OpenStyle[], name: string): string | undefined =>
  styles.find(({ attributes }) => attributes.has(name))?.attributes.get(name)

/** The styles of the levels of an outline: 'Default-outline2' is next to the 'Default-outline1' of its shape. */
function outlineStyles(
  { part }: PageReading,
  chain: readonly OpenStyle[],
  kind: string | undefined,
): Pick<TextBase, 'ofLevel'> {
  const first = kind === 'outline' ? chain.find(({ id }) => /outline1$/.test(id)) : undefined
  if (first === undefined) return {}
  return { ofLevel: (level) => part.styles.styles.get(first.id.replace(/1$/, String(Math.min(9, level)))) }
}

/** Joins the text of paragraphs on one line. */
function plainText(blocks: readonly Block[]): string {
  const texts = blocks.map((block) =>
    block.kind === 'table'
      ? ''
      : block.inlines.map((inline) => (inline.kind === 'text' ? inline.text : ' ')).join(''),
  )
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim()
}
