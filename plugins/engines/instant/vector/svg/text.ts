import { entryOf } from '../../../../../shared/entry-of.ts'
import type { Placed } from '../../layout/frame.ts'
import { drawLine, type VectorTools } from '../vector.ts'
import type { SvgElement } from './element.ts'
import { length, numbers } from './numbers.ts'
import { type SvgProperties, type SvgStylesheet, svgPaint } from './style.ts'

/** Lays out text in chunks, each at its own position. Source: SVG 2, clause 11. */

export interface TextScope {
  readonly sheet: SvgStylesheet
  readonly viewport: { readonly width: number; readonly height: number }
  readonly tools: VectorTools
  /** The names of elements that are not drawn. */
  readonly ignored: Set<string>
}

interface SvgTextSpan {
  text: string
  readonly properties: SvgProperties
  readonly x?: number
  readonly y?: number
  readonly dx: number
  readonly dy: number
}

export const fontSize = (properties: SvgProperties): number => {
  const text = properties.get('font-size')
  const size = length(text, { fontSize: 16, reference: 16 }) ?? entryOf(named, text) ?? 16
  return size > 0 ? Math.min(size, 10_000) : 16
}

/** Font sizes as factors of the medium size, 16 px. Source: CSS Fonts 4, clause 2.5. */
const named: Readonly<Record<string, number>> = {
  'xx-small': 9.6,
  'x-small': 12,
  small: 14.2,
  medium: 16,
  large: 19.2,
  'x-large': 24,
  'xx-large': 32,
}

export function drawText(element: SvgElement, properties: SvgProperties, scope: TextScope): Placed[] {
  const spans: SvgTextSpan[] = []
  collect(element, properties, scope, spans)
  trim(spans)
  const items: Placed[] = []
  let [x, y] = [0, 0]
  for (const chunk of chunksOf(spans)) {
    const first = chunk[0]!
    x = first.x ?? x
    y = first.y ?? y
    const lines = chunk.map((span) => ({ span, ...lineOf(span, scope.tools) }))
    const total = lines.reduce((sum, { width, span }) => sum + width + span.dx, 0)
    const anchor = first.properties.get('text-anchor')
    const shift = anchor === 'middle' ? total / 2 : anchor === 'end' ? total : 0
    let currentX = x - shift
    for (const { span, width, items: drawn, down } of lines) {
      currentX += span.dx
      y += span.dy
      for (const item of drawn) items.push({ x: currentX + item.x, y: y + down + item.y, item: item.item })
      currentX += width
    }
    x = currentX
  }
  return items
}

function collect(
  element: SvgElement,
  properties: SvgProperties,
  scope: TextScope,
  spans: SvgTextSpan[],
): void {
  const size = fontSize(properties)
  const list = (name: string, reference: number): number[] => {
    const text = element.attributes.get(name) ?? ''
    return text.split(/[\s,]+/).flatMap((word) => {
      const value = length(word, { fontSize: size, reference })
      return value === undefined ? [] : [value]
    })
  }
  const { width, height } = scope.viewport
  const [xs, ys] = [list('x', width), list('y', height)]
  const [dxs, dys] = [list('dx', width), list('dy', height)]
  let at = 0
  for (const child of element.children) {
    if (typeof child !== 'string') {
      if (child.name !== 'tspan' && child.name !== 'a') {
        if (child.name === 'textPath' || child.name === 'tref') scope.ignored.add(child.name)
        continue
      }
      const childProperties = scope.sheet.properties(child, properties)
      if (childProperties.get('display') !== 'none') collect(child, childProperties, scope, spans)
      continue
    }
    const text = child.replace(/\s+/g, ' ')
    // Each of the first characters has its own position; the rest follow the last of them.
    const positionCount = Math.max(xs.length, ys.length)
    const letters = positionCount > 1 ? [...text] : [text]
    for (const [n, letter] of letters.entries()) {
      const index = at + n
      const spanText = positionCount > 1 && n >= positionCount - 1 ? letters.slice(n).join('') : letter
      const [px, py] = [xs[index], ys[index]]
      spans.push({
        text: spanText,
        properties,
        ...(px !== undefined && { x: px }),
        ...(py !== undefined && { y: py }),
        dx: dxs[index] ?? 0,
        dy: dys[index] ?? 0,
      })
      if (spanText !== letter) break
    }
    at += letters.length
  }
  // Positions of an element that begins without text apply to the first text inside it.
  if (at === 0 && element.name === 'tspan' && numbers(element.attributes.get('dy') ?? '').length > 0)
    spans.push({ text: '', properties, dx: dxs[0] ?? 0, dy: dys[0] ?? 0 })
}

/** Collapses white space to one space between words and none at the ends. */
function trim(spans: SvgTextSpan[]): void {
  let blank = true
  for (const span of spans) {
    if (span.x !== undefined || span.y !== undefined) blank = true
    if (blank) span.text = span.text.replace(/^ /, '')
    if (span.text !== '') blank = span.text.endsWith(' ')
  }
  for (let at = spans.length - 1; at >= 0; at -= 1) {
    if (spans[at]!.text.trim() === '' && at === spans.length - 1) continue
    spans[at]!.text = spans[at]!.text.replace(/ $/, (found) => (at === spans.length - 1 ? '' : found))
    break
  }
}

function chunksOf(spans: readonly SvgTextSpan[]): SvgTextSpan[][] {
  const chunks: SvgTextSpan[][] = []
  for (const span of spans) {
    const last = chunks.at(-1)
    if (last === undefined || span.x !== undefined || span.y !== undefined) chunks.push([span])
    else last.push(span)
  }
  return chunks
}

function lineOf(
  { text, properties }: SvgTextSpan,
  tools: VectorTools,
): { items: Placed[]; width: number; down: number } {
  tools.check()
  const paint = svgPaint(properties.get('fill') ?? 'black', properties.get('color'))
  const size = fontSize(properties)
  const weight = properties.get('font-weight') ?? ''
  const spacing = length(properties.get('letter-spacing'), { fontSize: size, reference: size })
  const opacity = (paint?.opacity ?? 1) * unit(properties.get('fill-opacity'))
  const drawn = drawLine(
    {
      text,
      family: family(properties.get('font-family')),
      size,
      bold: weight === 'bold' || weight === 'bolder' || Number(weight) >= 600,
      italic: /italic|oblique/.test(properties.get('font-style') ?? ''),
      colour: paint?.colour ?? 0,
      ...(opacity < 1 && { opacity }),
      ...(spacing !== undefined && { letterSpacing: spacing }),
    },
    tools,
  )
  const hidden = paint === undefined || properties.get('visibility') === 'hidden'
  const face = drawn.items.flatMap(({ item }) => (item.kind === 'glyphs' ? [item.run.face] : []))[0]
  return {
    items: hidden ? [] : drawn.items,
    width: drawn.width,
    down: face === undefined ? 0 : size * lowered(face, properties),
  }
}

const unit = (text: string | undefined): number => {
  const value = length(text, { fontSize: 16, reference: 1 })
  return value === undefined ? 1 : Math.min(1, Math.max(0, value))
}

/** Distance from the given point down to the baseline, in em. */
function lowered(
  { ascent, descent, xHeight }: { ascent: number; descent: number; xHeight: number },
  properties: SvgProperties,
): number {
  switch (properties.get('dominant-baseline') ?? properties.get('alignment-baseline')) {
    case 'central':
      return (ascent - descent) / 2
    case 'middle':
      return xHeight / 2
    case 'hanging':
      return 0.8 * ascent
    case 'text-before-edge':
    case 'text-top':
    case 'before-edge':
      return ascent
    case 'text-after-edge':
    case 'ideographic':
    case 'after-edge':
      return -descent
    default:
      return 0
  }
}

const generic: Readonly<Record<string, string>> = {
  'sans-serif': 'Arial',
  'system-ui': 'Arial',
  serif: 'Times New Roman',
  monospace: 'Courier New',
  cursive: 'Times New Roman',
  fantasy: 'Arial',
}

/** The first name of the list: a font that is missing is replaced where fonts are looked up. */
function family(list: string | undefined): string {
  const first = (list ?? '')
    .split(',')[0]!
    .trim()
    .replace(/^["']|["']$/g, '')
  return first === '' ? 'Times New Roman' : (entryOf(generic, first.toLowerCase()) ?? first)
}
