import { decodeBase64 } from '../../../../../shared/base64.ts'
import { identity, multiply } from '../../../../../shared/document/geometry.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import { readImage } from '../../images/read-image.ts'
import type { Fill, GroupItem, Matrix, PathCommand, PathStroke, Placed } from '../../layout/frame.ts'
import { maxDepth, maxItems, type VectorPicture, type VectorTools } from '../vector.ts'
import { boundsOf, ofBounds } from './bounds.ts'
import { byId, readTree, type SvgElement } from './element.ts'
import { boxOf, gradientFill } from './gradient.ts'
import { angleAt, markerMatrix, type Vertex, verticesOf } from './markers.ts'
import { length, numbers, transform } from './numbers.ts'
import { outline } from './shapes.ts'
import { type SvgProperties, type SvgStylesheet, sheetOf, svgPaint } from './style.ts'
import { drawText, fontSize } from './text.ts'
import { tilesOver } from './tiles.ts'

/**
 * An SVG file as items in CSS pixels. Scripts never run, nothing is fetched; filters are omitted and
 * reported. Undefined when it is not an SVG. Source: SVG 2.
 */
export function readSvg(bytes: Uint8Array, tools: VectorTools): VectorPicture | undefined {
  const root = readTree(new TextDecoder().decode(bytes))
  if (root === undefined) return undefined
  const size = sizeOf(root)
  const drawing: SvgDrawing = {
    elements: byId(root),
    sheet: sheetOf(root),
    tools,
    ignored: new Set(),
    left: { items: maxItems, corners: maxCorners },
  }
  const view = { drawing, viewport: size, depth: 0 }
  const items = drawViewport(root, drawing.sheet.properties(root, new Map()), view, size)
  const { width, height } = size
  return { width: width * 0.75, height: height * 0.75, items, space: size, ignored: drawing.ignored }
}

/** The path commands of one drawing: more than maps have, and few enough for an isolate of 128 MB. */
const maxCorners = 300_000

interface ViewportSize {
  readonly width: number
  readonly height: number
}
interface SvgDrawing {
  readonly elements: ReadonlyMap<string, SvgElement>
  readonly sheet: SvgStylesheet
  readonly tools: VectorTools
  readonly ignored: Set<string>
  /** What may still be drawn: markers, patterns and `use` draw an element many times. */
  readonly left: { items: number; corners: number }
}
interface SvgView {
  readonly drawing: SvgDrawing
  readonly viewport: ViewportSize
  readonly depth: number
}

const defaultSize: ViewportSize = { width: 300, height: 150 }
const maxSize = 100_000

function sizeOf({ attributes }: SvgElement): ViewportSize {
  const lengthOf = (name: string) => length(attributes.get(name), { fontSize: 16, reference: Number.NaN })
  const [, , boxWidth = Number.NaN, boxHeight = Number.NaN] = numbers(attributes.get('viewBox') ?? '')
  const ratio = boxWidth > 0 && boxHeight > 0 ? boxWidth / boxHeight : undefined
  const [width, height] = [lengthOf('width'), lengthOf('height')].map((value) =>
    value !== undefined && value > 0 ? Math.min(value, maxSize) : undefined,
  )
  if (width !== undefined && height !== undefined) return { width, height }
  if (ratio === undefined) return { width: width ?? defaultSize.width, height: height ?? defaultSize.height }
  if (width !== undefined) return { width, height: width / ratio }
  if (height !== undefined) return { width: height * ratio, height }
  return { width: boxWidth, height: boxHeight }
}

/** The children of an element with a `viewBox`, fitted into a box. */
function drawViewport(
  element: SvgElement,
  properties: SvgProperties,
  view: SvgView,
  size: ViewportSize,
): Placed[] {
  const [x = 0, y = 0, width = 0, height = 0] = numbers(element.attributes.get('viewBox') ?? '')
  const fits = width > 0 && height > 0
  const inner: SvgView = { ...view, viewport: fits ? { width, height } : size }
  const items = drawChildren(element, properties, inner)
  if (!fits) return items
  const matrix = fitting({ x, y, width, height }, size, element.attributes.get('preserveAspectRatio'))
  return [group(items, { transform: matrix })]
}

function fitting(
  box: { x: number; y: number; width: number; height: number },
  { width, height }: ViewportSize,
  rule = 'xMidYMid meet',
): Matrix {
  let [sx, sy] = [width / box.width, height / box.height]
  if (!rule.includes('none')) {
    const scale = rule.includes('slice') ? Math.max(sx, sy) : Math.min(sx, sy)
    sx = scale
    sy = scale
  }
  const alignment = (axis: 'x' | 'Y') =>
    rule.includes(`${axis}Min`) ? 0 : rule.includes(`${axis}Max`) ? 1 : 0.5
  const left = (width - box.width * sx) * alignment('x')
  const top = (height - box.height * sy) * alignment('Y')
  return [sx, 0, 0, sy, left - box.x * sx, top - box.y * sy]
}

function group(items: readonly Placed[], more: Partial<GroupItem>): Placed {
  const item: GroupItem = { kind: 'group', frame: { width: 0, height: 0, items }, clip: false, ...more }
  return { x: 0, y: 0, item }
}

function drawChildren(element: SvgElement, properties: SvgProperties, view: SvgView): Placed[] {
  const { drawing } = view
  const items: Placed[] = []
  for (const child of element.children) {
    if (typeof child === 'string') continue
    const drawn = drawElement(child, drawing.sheet.properties(child, properties), view)
    // Thousands of items in one call would not fit on the stack.
    for (const item of drawn) items.push(item)
    if (drawing.left.items <= 0) break
  }
  return items
}

const silent: ReadonlySet<string> = new Set(
  (
    'defs symbol clipPath mask marker pattern linearGradient radialGradient style title desc metadata script filter ' +
    'animate animateTransform animateMotion set view cursor'
  ).split(' '),
)

function drawElement(element: SvgElement, properties: SvgProperties, view: SvgView): Placed[] {
  const { drawing } = view
  const { name, attributes } = element
  drawing.tools.check()
  if (silent.has(name) || properties.get('display') === 'none') return []
  if (view.depth > maxDepth || --drawing.left.items < 0) {
    drawing.ignored.add('depth')
    return []
  }
  const deeper: SvgView = { ...view, depth: view.depth + 1 }
  const items = drawContent(element, properties, deeper)
  if (items.length === 0) return items
  if (isReference(properties.get('filter'))) drawing.ignored.add('filter')
  const matrix = transform(attributes.get('transform') ?? properties.get('transform'))
  const opacity = Math.min(
    1,
    Math.max(0, length(properties.get('opacity'), { fontSize: 16, reference: 1 }) ?? 1),
  )
  const clipPath = clipOf(properties.get('clip-path'), items, deeper)
  const mask = maskOf(properties.get('mask'), items, deeper)
  const isUnaffected = opacity === 1 && clipPath === undefined && mask === undefined
  if (isUnaffected && matrix.every((value, at) => value === identity[at])) return items
  return [
    group(items, {
      transform: matrix,
      ...(opacity < 1 && { opacity }),
      ...(clipPath !== undefined && { clip: true, clipPath }),
      ...(mask !== undefined && { mask }),
    }),
  ]
}

/** The content of a mask, whose luminance is the opacity of the items (CSS Masking, clause 8). */
function maskOf(text: string | undefined, of: readonly Placed[], view: SvgView): Placed[] | undefined {
  if (!isReference(text)) return undefined
  const { drawing } = view
  const element = elementOf(text, 'mask', view)
  const alpha = /alpha/.test(`${element?.attributes.get('mask-type')} ${element?.attributes.get('style')}`)
  if (element === undefined || alpha || view.depth > maxDepth) {
    drawing.ignored.add('mask')
    return undefined
  }
  const maskProperties = drawing.sheet.properties(element, new Map())
  const drawn = drawChildren(element, maskProperties, { ...view, depth: view.depth + 1 })
  const bounds = boundsOf(of)
  const shares = element.attributes.get('maskContentUnits') === 'objectBoundingBox'
  const items = shares && bounds !== undefined ? [group(drawn, { transform: ofBounds(bounds) })] : drawn
  if (element.attributes.get('maskUnits') !== 'userSpaceOnUse') return items
  const lengthOf = (key: string, axis: 'x' | 'y', fallback: string): number =>
    measured(element.attributes.get(key) ?? fallback, axis, maskProperties, view) ?? 0
  const box: PathCommand = [
    'R',
    lengthOf('x', 'x', '-10%'),
    lengthOf('y', 'y', '-10%'),
    lengthOf('width', 'x', '120%'),
    lengthOf('height', 'y', '120%'),
  ]
  return [group(items, { clip: true, clipPath: [box] })]
}

const isReference = (text: string | undefined): boolean => text?.startsWith('url(') === true
const referenceOf = (text: string | undefined): string | undefined =>
  /^url\(\s*["']?#([^"')]+)["']?\s*\)/.exec(text ?? '')?.[1]

function drawContent(element: SvgElement, properties: SvgProperties, view: SvgView): Placed[] {
  const { drawing, viewport } = view
  const { name } = element
  switch (name) {
    case 'g':
    case 'a':
      return drawChildren(element, properties, view)
    case 'switch': {
      const first = element.children.find(
        (child) => typeof child !== 'string' && child.name !== 'foreignObject',
      )
      return first === undefined || typeof first === 'string'
        ? []
        : drawElement(first, drawing.sheet.properties(first, properties), view)
    }
    case 'svg': {
      const size = { width: viewport.width, height: viewport.height }
      return [drawBoxed(element, properties, view, size)]
    }
    case 'use':
      return drawUse(element, properties, view)
    case 'image':
      return drawImage(element, view)
    case 'text':
      return drawText(element, properties, {
        sheet: drawing.sheet,
        viewport,
        tools: drawing.tools,
        ignored: drawing.ignored,
      })
    default: {
      const commands = countedOutline(element, properties, view)
      if (commands !== undefined) return drawOutline(commands, properties, view)
      if (!/^(?:tspan|stop|fe[A-Z]|sodipodi|namedview)/.test(name)) drawing.ignored.add(name)
      return []
    }
  }
}

/** The outline of a shape, empty once the drawing has too many corners. Undefined for an element that is no shape. */
function countedOutline(
  element: SvgElement,
  properties: SvgProperties,
  view: SvgView,
): PathCommand[] | undefined {
  const { left, ignored, tools } = view.drawing
  if (left.corners <= 0) {
    ignored.add('depth')
    return []
  }
  const commands = outline(element, (key, axis) =>
    measured(element.attributes.get(key), axis, properties, view),
  )
  left.corners -= commands?.length ?? 0
  tools.check(commands?.length)
  return commands
}

function measured(
  text: string | undefined,
  axis: 'x' | 'y' | 'r',
  properties: SvgProperties,
  { viewport: { width, height } }: SvgView,
): number | undefined {
  const reference =
    axis === 'x' ? width : axis === 'y' ? height : Math.sqrt((width * width + height * height) / 2)
  return length(text, { fontSize: fontSize(properties), reference })
}

/** An element with its own viewport: a nested svg or a symbol. */
function drawBoxed(
  element: SvgElement,
  properties: SvgProperties,
  view: SvgView,
  fallback: ViewportSize,
  from?: SvgElement,
): Placed {
  const lengthOf = (key: string, axis: 'x' | 'y') =>
    measured(from?.attributes.get(key) ?? element.attributes.get(key), axis, properties, view)
  const size = {
    width: lengthOf('width', 'x') ?? fallback.width,
    height: lengthOf('height', 'y') ?? fallback.height,
  }
  const x = from === undefined ? (lengthOf('x', 'x') ?? 0) : 0
  const y = from === undefined ? (lengthOf('y', 'y') ?? 0) : 0
  const items = drawViewport(element, properties, view, size)
  const clipPath: PathCommand[] = [['R', 0, 0, size.width, size.height]]
  const clipping = properties.get('overflow') === 'visible' ? {} : { clip: true, clipPath }
  return group(items, { transform: [1, 0, 0, 1, x, y], ...clipping })
}

function drawUse(element: SvgElement, properties: SvgProperties, view: SvgView): Placed[] {
  const { drawing, viewport } = view
  const href = element.attributes.get('href')
  const target = href?.startsWith('#') === true ? drawing.elements.get(href.slice(1)) : undefined
  if (target === undefined) return []
  const targetProperties = drawing.sheet.properties(target, properties)
  const items =
    target.name === 'symbol' || target.name === 'svg'
      ? [drawBoxed(target, targetProperties, view, viewport, element)]
      : drawElement(target, targetProperties, view)
  const x = measured(element.attributes.get('x'), 'x', properties, view) ?? 0
  const y = measured(element.attributes.get('y'), 'y', properties, view) ?? 0
  return x === 0 && y === 0 ? items : [group(items, { transform: [1, 0, 0, 1, x, y] })]
}

function drawImage(element: SvgElement, view: SvgView): Placed[] {
  const { drawing } = view
  const { attributes } = element
  const href = attributes.get('href') ?? ''
  const bytes = /^data:image\/[\w.+-]+;base64,/.test(href)
    ? decodeBase64(new TextEncoder().encode(href))
    : undefined
  const image = bytes === undefined ? undefined : readImage(bytes)
  const lengthOf = (key: string, axis: 'x' | 'y') => measured(attributes.get(key), axis, new Map(), view)
  const [x, y] = [lengthOf('x', 'x') ?? 0, lengthOf('y', 'y') ?? 0]
  if (image === undefined) {
    drawing.ignored.add('image')
    return []
  }
  const size = {
    width: lengthOf('width', 'x') ?? image.width,
    height: lengthOf('height', 'y') ?? image.height,
  }
  const box = { x: 0, y: 0, width: image.width, height: image.height }
  const [sx, , , sy, left, top] = fitting(box, size, attributes.get('preserveAspectRatio'))
  const item = { kind: 'image', image, width: image.width * sx, height: image.height * sy } as const
  return [{ x: x + left, y: y + top, item }]
}

function drawOutline(commands: PathCommand[], properties: SvgProperties, view: SvgView): Placed[] {
  if (commands.length === 0 || properties.get('visibility') === 'hidden') return []
  const pattern = drawPattern(commands, properties, view)
  const fill = pattern === undefined ? fillOf(commands, properties, view) : undefined
  const stroke = strokeOf(properties, view)
  const evenOdd = properties.get('fill-rule') === 'evenodd'
  const path = { commands, ...(fill && { fill }), ...(stroke && { stroke }), ...(evenOdd && { evenOdd }) }
  const drawn = fill !== undefined || stroke !== undefined
  return [
    ...(pattern ?? []),
    ...(drawn ? [{ x: 0, y: 0, item: { kind: 'shape', path } } as const] : []),
    ...drawMarkers(commands, properties, view),
  ]
}

const elementOf = (text: string | undefined, name: string, { drawing }: SvgView): SvgElement | undefined => {
  const element = drawing.elements.get(referenceOf(text) ?? '')
  return element?.name === name ? element : undefined
}

/** Arrow heads and dots at the ends and corners of lines. */
function drawMarkers(commands: readonly PathCommand[], properties: SvgProperties, view: SvgView): Placed[] {
  const marker = (key: string): SvgElement | undefined =>
    elementOf(properties.get(`marker-${key}`) ?? properties.get('marker'), 'marker', view)
  const [start, mid, end] = [marker('start'), marker('mid'), marker('end')]
  if (start === undefined && mid === undefined && end === undefined) return []
  const vertices = verticesOf(commands)
  const wide = measured(properties.get('stroke-width') ?? '1', 'r', properties, view) ?? 1
  return vertices.flatMap((vertex, n) => {
    const at = n === 0 ? 'start' : n === vertices.length - 1 ? 'end' : 'mid'
    const element = { start, mid, end }[at]
    return element === undefined ? [] : drawMarker(element, vertex, at === 'start', wide, view)
  })
}

function drawMarker(
  element: SvgElement,
  vertex: Vertex,
  isStart: boolean,
  wide: number,
  view: SvgView,
): Placed[] {
  const { attributes } = element
  const markerProperties = view.drawing.sheet.properties(element, new Map())
  const lengthOf = (key: string, axis: 'x' | 'y', fallback: number): number =>
    measured(attributes.get(key), axis, markerProperties, view) ?? fallback
  const size = { width: lengthOf('markerWidth', 'x', 3), height: lengthOf('markerHeight', 'y', 3) }
  if (!(size.width > 0 && size.height > 0)) return []
  const [x = 0, y = 0, width = 0, height = 0] = numbers(attributes.get('viewBox') ?? '')
  const box = { x, y, width, height }
  const fit: Matrix =
    width > 0 && height > 0 ? fitting(box, size, attributes.get('preserveAspectRatio')) : identity
  const [refX, refY] = [lengthOf('refX', 'x', 0), lengthOf('refY', 'y', 0)]
  const orient = attributes.get('orient') ?? '0'
  const reversal = orient === 'auto-start-reverse' && isStart ? Math.PI : 0
  const angle = orient.startsWith('auto')
    ? angleAt(vertex) + reversal
    : ((Number.parseFloat(orient) || 0) * Math.PI) / 180
  const scale = attributes.get('markerUnits') === 'userSpaceOnUse' ? 1 : wide
  const items = drawViewport(element, markerProperties, { ...view, depth: view.depth + 1 }, size)
  if (items.length === 0) return items
  const [rx, ry] = [fit[0] * refX + fit[4], fit[3] * refY + fit[5]]
  const matrix = multiply(markerMatrix(vertex, angle, scale), [1, 0, 0, 1, -rx, -ry])
  const clipPath: PathCommand[] = [['R', 0, 0, size.width, size.height]]
  const clipping = markerProperties.get('overflow') === 'visible' ? {} : { clip: true, clipPath }
  return [group(items, { transform: matrix, ...clipping })]
}

/** Tiles of a pattern within an outline; undefined when it is filled with something else. */
function drawPattern(
  commands: PathCommand[],
  properties: SvgProperties,
  view: SvgView,
): Placed[] | undefined {
  const element = elementOf(properties.get('fill'), 'pattern', view)
  if (element === undefined) return undefined
  const chain = [element]
  for (let href = element.attributes.get('href'); href !== undefined && chain.length < 8; ) {
    const next = elementOf(`url(${href})`, 'pattern', view)
    if (next === undefined || chain.includes(next)) break
    chain.push(next)
    href = next.attributes.get('href')
  }
  const declared = (key: string): string | undefined =>
    chain.find(({ attributes }) => attributes.has(key))?.attributes.get(key)
  const content = chain.find(({ children }) => children.some((child) => typeof child !== 'string')) ?? element
  const box = boxOf(commands)
  const ofBox = declared('patternUnits') !== 'userSpaceOnUse'
  const part = (key: string, axis: 'x' | 'y'): number => {
    const fraction = length(declared(key), { fontSize: 16, reference: 1 }) ?? 0
    const extent = axis === 'x' ? box.width : box.height
    return ofBox ? fraction * extent : (measured(declared(key), axis, properties, view) ?? 0)
  }
  const tile = {
    x: part('x', 'x') + (ofBox ? box.x : 0),
    y: part('y', 'y') + (ofBox ? box.y : 0),
    width: part('width', 'x'),
    height: part('height', 'y'),
  }
  const matrix = transform(declared('patternTransform'))
  const positions = tilesOver(box, tile, matrix)
  if (positions === undefined) {
    view.drawing.ignored.add('pattern')
    return undefined
  }
  const [x = 0, y = 0, width = 0, height = 0] = numbers(declared('viewBox') ?? '')
  const fits = width > 0 && height > 0
  const inner: Matrix = fits
    ? fitting({ x, y, width, height }, tile, declared('preserveAspectRatio'))
    : declared('patternContentUnits') === 'objectBoundingBox'
      ? [box.width, 0, 0, box.height, 0, 0]
      : identity
  const contentProperties = view.drawing.sheet.properties(content, new Map())
  const items = drawChildren(content, contentProperties, { ...view, depth: view.depth + 1 })
  const cell = [group(items, { transform: inner })]
  const clipPath: PathCommand[] = [['R', 0, 0, tile.width, tile.height]]
  const tiles = positions.map(([px, py]) =>
    group(cell, { transform: multiply(matrix, [1, 0, 0, 1, px, py]), clip: true, clipPath }),
  )
  return [group(tiles, { clip: true, clipPath: commands })]
}

function fillOf(
  commands: readonly PathCommand[],
  properties: SvgProperties,
  view: SvgView,
): Fill | undefined {
  const value = properties.get('fill') ?? 'black'
  const opacity = length(properties.get('fill-opacity'), { fontSize: 16, reference: 1 }) ?? 1
  const id = referenceOf(value)
  const server = id === undefined ? undefined : view.drawing.elements.get(id)
  if (server !== undefined) {
    const { elements, sheet } = view.drawing
    const gradient = gradientFill(server, boxOf(commands), { elements, sheet, viewport: view.viewport })
    if (gradient !== undefined) return { ...gradient, opacity: (gradient.opacity ?? 1) * opacity }
    view.drawing.ignored.add(server.name)
  }
  const paint = svgPaint(value.replace(/^url\([^)]*\)/, ''), properties.get('color'))
  if (paint === undefined || paint.opacity * opacity <= 0) return undefined
  return { kind: 'solid', colour: paint.colour, opacity: paint.opacity * opacity }
}

function strokeOf(properties: SvgProperties, view: SvgView): PathStroke | undefined {
  const value = properties.get('stroke') ?? 'none'
  const id = referenceOf(value)
  const server = id === undefined ? undefined : view.drawing.elements.get(id)
  const first = server?.children.find((child) => typeof child !== 'string' && child.name === 'stop')
  const inherited = typeof first === 'object' ? view.drawing.sheet.properties(first, properties) : undefined
  const colour = inherited?.get('stop-color') ?? value.replace(/^url\([^)]*\)/, '')
  const paint = svgPaint(colour, properties.get('color'))
  const width = measured(properties.get('stroke-width') ?? '1', 'r', properties, view) ?? 1
  const opacity =
    (paint?.opacity ?? 0) * (length(properties.get('stroke-opacity'), { fontSize: 16, reference: 1 }) ?? 1)
  if (paint === undefined || opacity <= 0 || !(width > 0)) return undefined
  const dash = numbers(properties.get('stroke-dasharray') ?? '')
  const cap = properties.get('stroke-linecap')
  const join = properties.get('stroke-linejoin')
  return {
    colour: paint.colour,
    width,
    opacity,
    ...(dash.length > 0 && { dash: dash.length % 2 === 0 ? dash : [...dash, ...dash] }),
    ...(dash.length > 0 && { dashPhase: Number.parseFloat(properties.get('stroke-dashoffset') ?? '0') || 0 }),
    ...((cap === 'round' || cap === 'square') && { cap }),
    ...((join === 'round' || join === 'bevel') && { join }),
  }
}

/** The outlines of a clipping path as one; its own clip and its text are ignored. */
function clipOf(text: string | undefined, of: readonly Placed[], view: SvgView): PathCommand[] | undefined {
  const id = referenceOf(text)
  const element = id === undefined ? undefined : view.drawing.elements.get(id)
  if (element?.name !== 'clipPath') return undefined
  const bounds = element.attributes.get('clipPathUnits') === 'objectBoundingBox' ? boundsOf(of) : undefined
  const commands: PathCommand[] = []
  const ownMatrix = transform(element.attributes.get('transform'))
  const base = bounds === undefined ? ownMatrix : multiply(ofBounds(bounds), ownMatrix)
  const visit = (from: SvgElement, matrix: Matrix, depth: number): void => {
    for (const child of from.children) {
      if (typeof child === 'string' || depth > 4) continue
      const childMatrix = multiply(matrix, transform(child.attributes.get('transform')))
      const commandsOfChild = countedOutline(child, new Map(), view)
      if (commandsOfChild !== undefined)
        pushAll(
          commands,
          commandsOfChild.flatMap((command) => moved(command, childMatrix)),
        )
      const href = child.name === 'use' ? child.attributes.get('href') : undefined
      const target = href?.startsWith('#') === true ? view.drawing.elements.get(href.slice(1)) : undefined
      if (target !== undefined)
        visit(
          { name: 'g', attributes: new Map(), children: [target], parent: undefined },
          childMatrix,
          depth + 1,
        )
    }
  }
  visit(element, base, 0)
  return commands
}

function moved(command: PathCommand, [a, b, c, d, e, f]: Matrix): PathCommand[] {
  const point = (x: number, y: number): [number, number] => [a * x + c * y + e, b * x + d * y + f]
  switch (command[0]) {
    case 'Z':
      return [command]
    case 'R': {
      const [, x, y, width, height] = command
      return [
        ['M', ...point(x, y)],
        ['L', ...point(x + width, y)],
        ['L', ...point(x + width, y + height)],
        ['L', ...point(x, y + height)],
        ['Z'],
      ]
    }
    case 'C':
      return [
        [
          'C',
          ...point(command[1], command[2]),
          ...point(command[3], command[4]),
          ...point(command[5], command[6]),
        ],
      ]
    default:
      return [[command[0], ...point(command[1], command[2])]]
  }
}
