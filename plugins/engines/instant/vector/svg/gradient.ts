import type { GradientFill, PathCommand } from '../../layout/frame.ts'
import type { SvgElement } from './element.ts'
import { length, transform } from './numbers.ts'
import { type SvgProperties, type SvgStylesheet, svgPaint } from './style.ts'

/** Paint servers. Source: SVG 2, clause 14. */

export interface BoundingBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The bounding box of a path and its control points, which is close enough to place a gradient. */
export function boxOf(commands: readonly PathCommand[]): BoundingBox {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  const add = (x: number, y: number) => {
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  for (const command of commands) {
    if (command[0] === 'R') {
      add(command[1], command[2])
      add(command[1] + command[3], command[2] + command[4])
    } else
      for (let at = 1; at + 1 < command.length; at += 2) add(command[at] as number, command[at + 1] as number)
  }
  return left > right
    ? { x: 0, y: 0, width: 0, height: 0 }
    : { x: left, y: top, width: right - left, height: bottom - top }
}

export interface GradientScope {
  readonly elements: ReadonlyMap<string, SvgElement>
  readonly sheet: SvgStylesheet
  readonly viewport: { readonly width: number; readonly height: number }
}

const maxLinks = 8
/** The maximum number of stops of a gradient; the others are ignored. */
const maxStops = 4096

/** Reads a gradient; undefined when the element is not a gradient or has no stops. */
export function gradientFill(
  element: SvgElement,
  box: BoundingBox,
  scope: GradientScope,
): GradientFill | undefined {
  const chain = linked(element, scope.elements)
  const kind =
    element.name === 'linearGradient' ? 'linear' : element.name === 'radialGradient' ? 'radial' : undefined
  const stops = chain.map((gradient) => stopsOf(gradient, scope.sheet)).find((list) => list.length > 0)
  if (kind === undefined || stops === undefined) return undefined
  const attribute = (name: string) =>
    chain.map(({ attributes }) => attributes.get(name)).find((value) => value !== undefined)
  const inBox = attribute('gradientUnits') !== 'userSpaceOnUse'
  const [a, b, c, d, e, f] = transform(attribute('gradientTransform'))
  const coordinate = (name: string, fallback: string, extent: number): number =>
    length(attribute(name) ?? fallback, { fontSize: 16, reference: inBox ? 1 : extent }) ?? 0
  const { width, height } = scope.viewport
  const toUserSpace = (x: number, y: number): [number, number] => {
    const [tx, ty] = [a * x + c * y + e, b * x + d * y + f]
    return inBox ? [box.x + tx * box.width, box.y + ty * box.height] : [tx, ty]
  }
  const [from, to] =
    kind === 'linear'
      ? [
          toUserSpace(coordinate('x1', '0%', width), coordinate('y1', '0%', height)),
          toUserSpace(coordinate('x2', '100%', width), coordinate('y2', '0%', height)),
        ]
      : radial()
  function radial(): [[number, number], [number, number]] {
    const [cx, cy] = [coordinate('cx', '50%', width), coordinate('cy', '50%', height)]
    const r = coordinate('r', '50%', Math.sqrt((width * width + height * height) / 2))
    return [toUserSpace(cx, cy), toUserSpace(cx + r, cy)]
  }
  const opacity = stops.reduce((sum, stop) => sum + stop.opacity, 0) / stops.length
  return {
    kind,
    x1: from[0],
    y1: from[1],
    x2: to[0],
    y2: to[1],
    stops: stops.map(({ at, colour }) => ({ at, colour })),
    ...(opacity < 1 && { opacity }),
  }
}

/** An element, followed by those it inherits missing attributes and stops from by `href`. */
function linked(element: SvgElement, elements: ReadonlyMap<string, SvgElement>): SvgElement[] {
  const chain: SvgElement[] = []
  for (let next: SvgElement | undefined = element; next !== undefined && chain.length < maxLinks; ) {
    chain.push(next)
    const href: string | undefined = next.attributes.get('href')
    next = href?.startsWith('#') === true ? elements.get(href.slice(1)) : undefined
  }
  return chain
}

interface Stop {
  readonly at: number
  readonly colour: number
  readonly opacity: number
}

/** The stops of gradients that were read, since each shape that is filled with one reads it. */
const readStops = new WeakMap<SvgElement, readonly Stop[]>()

function stopsOf(element: SvgElement, sheet: SvgStylesheet): readonly Stop[] {
  let stops = readStops.get(element)
  if (stops === undefined) readStops.set(element, (stops = parseStops(element, sheet)))
  return stops
}

function parseStops(element: SvgElement, sheet: SvgStylesheet): Stop[] {
  let last = 0
  const stops = element.children.filter(
    (child): child is SvgElement => typeof child !== 'string' && child.name === 'stop',
  )
  return stops.slice(0, maxStops).map((child) => {
    const properties: SvgProperties = sheet.properties(child, new Map())
    const offset = length(child.attributes.get('offset') ?? '0', { fontSize: 16, reference: 1 }) ?? 0
    last = Math.min(1, Math.max(last, offset))
    const paint = svgPaint(properties.get('stop-color') ?? 'black', properties.get('color'))
    const stopOpacity = Number.parseFloat(properties.get('stop-opacity') ?? '1')
    const opacity = (paint?.opacity ?? 1) * (Number.isNaN(stopOpacity) ? 1 : stopOpacity)
    return { at: last, colour: paint?.colour ?? 0, opacity }
  })
}
