/** Positions the parts of one line box and draws its text. Source: CSS Inline 3, CSS Text Decoration 3. */
import { spliceAll } from '../../../../../shared/push-all.ts'
import { visualOrder } from '../../text/bidi.ts'
import { countStretchable, expandSpaces } from '../../text/justify.ts'
import { shape } from '../../text/shape.ts'
import { filledBox, type PathCommand, type Placed, type Pt } from '../frame.ts'
import type { InlineState, LinesBox, Marker } from './box.ts'
import type { WebContext } from './context.ts'
import { roundedBox } from './corners.ts'
import { bordersOf, borderWidths, boxPaintOf, marginOf, paddingOf, textColour } from './dimensions.ts'
import { drawBox } from './draw-box.ts'
import type { Fragment } from './fragment.ts'
import type { FilledLine, LinePart } from './lines.ts'
import { bulletOf, markerWidth, triangleSize } from './markers.ts'
import type { Paragraph, Segment } from './segments.ts'
import { fontOf, hasNormalLineHeight, metricsOf, pixel, type TextFont } from './text-font.ts'

interface LineSettings {
  readonly width: Pt
  readonly align: 'left' | 'right' | 'center' | 'justify'
  /** The line contains nothing that gives it a height, such as only an anchor. */
  readonly collapsed: boolean
}

/** Draws a filled line as a leaf fragment with a baseline. */
export function drawLine(
  context: WebContext,
  paragraph: Paragraph,
  line: FilledLine,
  { width, align, collapsed }: LineSettings,
): Fragment {
  const extent = extentOf(paragraph, line, context.quirkLines)
  const height = collapsed ? 0 : extent.above + extent.below
  const baseline = collapsed ? 0 : extent.above
  const free = width - line.width
  const spaceGrowth = align === 'justify' && !line.isLast && free > 0 ? spaceGrowthOf(line, free) : 0
  const isJustified = spaceGrowth > 0
  const start = paragraph.rightToLeft ? 'right' : 'left'
  const side = isJustified ? 'left' : align === 'justify' ? start : align
  const left =
    Math.max(free, side === 'left' ? 0 : Math.min(free, 0)) *
    (side === 'right' ? 1 : side === 'center' ? 0.5 : 0)
  const parts = paragraph.isBidi ? inVisualOrder(line.parts) : line.parts
  const drawn = new LineItems(context, paragraph.box, baseline, height)
  drawn.run(parts, Math.max(0, left), spaceGrowth)
  return {
    kind: 'leaf',
    x: 0,
    y: 0,
    width,
    height,
    children: drawn.children,
    items: [...drawn.behind, ...drawn.items],
    textExtent: Math.max(0, left) + line.width,
    baseline,
  }
}

function spaceGrowthOf({ parts }: FilledLine, free: Pt): Pt {
  const spaces = parts.reduce((sum, { segment }) => sum + countStretchable(segment.text), 0)
  return spaces === 0 ? 0 : free / spaces
}

function inVisualOrder(parts: readonly LinePart[]): readonly LinePart[] {
  return visualOrder(parts.map(({ segment }) => segment.level)).flatMap((index) => parts[index] ?? [])
}

/** The extent of a font above and below the baseline, with half of the leading on each side. */
function extentOfFont({ ascent, descent, lineHeight }: Pick<TextFont, 'ascent' | 'descent' | 'lineHeight'>): {
  above: Pt
  below: Pt
} {
  const leading = lineHeight - ascent - descent
  const above = ascent + Math.floor(leading / 2 / pixel + 1e-6) * pixel
  return { above, below: lineHeight - above }
}

function extentOf(
  { strut, box }: Paragraph,
  { parts }: FilledLine,
  isQuirk: boolean,
): { readonly above: Pt; readonly below: Pt } {
  const ignoresStrut =
    isQuirk && parts.length > 0 && !parts.some(({ segment }) => hasTextOf(segment, box.style))
  let { above, below } = ignoresStrut
    ? { above: Number.NEGATIVE_INFINITY, below: Number.NEGATIVE_INFINITY }
    : extentOfFont(strut)
  let lineAligned = 0 // the height of boxes with `vertical-align: top` or `bottom`, which do not move the baseline
  for (const { segment, placed } of parts) {
    const { state } = segment
    if (placed !== undefined) {
      const size = placed.margin.top + placed.fragment.height + placed.margin.bottom
      const align = state.style.word('vertical-align')
      if (align === 'top' || align === 'bottom') {
        lineAligned = Math.max(lineAligned, size)
        continue
      }
      const up = raiseOf(segment.state, placed, strut)
      above = Math.max(above, up)
      below = Math.max(below, size - up)
      continue
    }
    if (segment.kind === 'mark' || segment.kind === 'marker' || segment.kind === 'out-of-flow') continue
    if (isQuirk && !isText(segment) && !hasVerticalEdges(segment.state.style)) continue
    for (const extent of extentsOf(segment)) {
      above = Math.max(above, extent.above + state.rise)
      below = Math.max(below, extent.below - state.rise)
    }
  }
  if (above === Number.NEGATIVE_INFINITY) return { above: lineAligned, below: 0 }
  return { above, below: Math.max(below, lineAligned - above) }
}

/** With a normal line height, the faces that supply missing characters count too (CSS Inline 3, 4.2). */
function extentsOf({ face, font, state }: Segment): readonly { above: Pt; below: Pt }[] {
  const extent = extentOfFont(font)
  if (face === font.face || !hasNormalLineHeight(state.style)) return [extent]
  return [extent, extentOfFont(metricsOf(face, font.size))]
}

const isText = ({ kind }: Segment): boolean =>
  kind === 'text' || kind === 'space' || kind === 'tab' || kind === 'break'

const hasTextOf = (segment: Segment, style: InlineState['style']): boolean =>
  segment.state.style === style && isText(segment)

function hasVerticalEdges(style: InlineState['style']): boolean {
  const [padding, border] = [paddingOf(style, 0), borderWidths(bordersOf(style))]
  return padding.top + padding.bottom + border.top + border.bottom > 0
}

/** The distance from the baseline up to the top margin edge of an atomic inline box. */
function raiseOf(
  state: InlineState,
  { fragment, margin }: NonNullable<LinePart['placed']>,
  strut: TextFont,
): Pt {
  const size = margin.top + fragment.height + margin.bottom
  const align = state.style.word('vertical-align')
  if (align === 'middle') return size / 2 + (strut.face.xHeight * strut.size) / 2
  if (align === 'text-top') return strut.ascent
  if (align === 'text-bottom') return size - strut.descent
  return (fragment.baseline === undefined ? size : margin.top + fragment.baseline) + state.rise
}

/** An inline element whose end has not been reached. */
interface OpenInline {
  readonly state: InlineState
  readonly x: Pt
  readonly isStart: boolean
}

/** Collects the items of one line. */
class LineItems {
  readonly items: Placed[] = []
  /** The backgrounds and borders of inline elements, drawn behind all text of the line. */
  readonly behind: Placed[] = []
  readonly children: Fragment[] = []
  readonly #context: WebContext
  readonly #box: LinesBox
  readonly #baseline: Pt
  readonly #height: Pt

  constructor(context: WebContext, box: LinesBox, baseline: Pt, height: Pt) {
    this.#context = context
    this.#box = box
    this.#baseline = baseline
    this.#height = height
  }

  run(parts: readonly LinePart[], left: Pt, spaceGrowth: Pt): void {
    const open: OpenInline[] = []
    const end =
      left +
      parts.reduce((sum, { width, segment }) => sum + width + spaceGrowth * countStretchable(segment.text), 0)
    let x = left
    for (let at = 0; at < parts.length; ) {
      const part = parts[at]
      if (part === undefined) break
      const { segment } = part
      if (segment.kind === 'text' || segment.kind === 'space') {
        const joined = partsOfOneRun(parts, at)
        x += this.#text(joined, x, spaceGrowth)
        at += joined.length
        continue
      }
      if (segment.kind === 'open') open.push({ state: segment.state, x, isStart: true })
      if (segment.kind === 'close') {
        const box = open.pop()
        const edges = x + part.width
        // An element that was opened on an earlier line begins at the left edge of this one.
        this.#inlineBox(box ?? { state: segment.state, x: left, isStart: false }, edges, true)
      }
      if (segment.kind === 'mark' && segment.id !== undefined)
        this.items.push({ x, y: 0, item: { kind: 'mark', id: segment.id } })
      if (segment.kind === 'marker' && segment.marker !== undefined) {
        const start = segment.state.style.word('direction') === 'rtl' ? end : x
        this.#marker(segment.marker, segment, start)
      }
      if (part.placed !== undefined) this.#atom(part, x)
      x += part.width
      at++
    }
    for (const box of open.reverse()) this.#inlineBox(box, end, false)
  }

  #text(parts: readonly LinePart[], x: Pt, spaceGrowth: Pt): Pt {
    const { segment } = parts[0]!
    const { state, font, face, level } = segment
    const text = parts.map((part) => part.segment.text).join('')
    const width = parts.reduce((sum, part) => sum + part.width, 0) + spaceGrowth * countStretchable(text)
    const y = this.#baseline - state.rise
    if (state.style.word('visibility') === 'hidden' || font.size === 0) return width
    const shaped = shape(text, { ...font.shaping, face, ...(level % 2 === 1 && { rtl: true }) })
    const spacing = parts.some((part) => part.segment.kind === 'space')
      ? (state.style.length('word-spacing') ?? 0)
      : 0
    const run = expandSpaces(shaped, spaceGrowth + spacing)
    const colour = textColour(state.style)
    const from = this.items.length
    for (const { kind, colour: line } of state.decorations)
      if (kind !== 'line-through') this.#decoration(kind, line, font, { x, y, width })
    this.items.push({ x, y, item: { kind: 'glyphs', run, colour } })
    for (const { kind, colour: line } of state.decorations)
      if (kind === 'line-through') this.#decoration(kind, line, font, { x, y, width })
    const { href = '' } = state.link ?? {}
    if (href !== '')
      this.items.push({
        x,
        y: y - font.ascent,
        item: { kind: 'link', href, width, height: font.ascent + font.descent },
      })
    this.#recordOwner(from, state)
    return width
  }

  #decoration(
    kind: string,
    colour: number,
    { face, size, ascent }: TextFont,
    at: { x: Pt; y: Pt; width: Pt },
  ): void {
    const thickness = Math.max(
      pixel,
      kind === 'line-through' ? face.strikeThickness * size : face.underlineThickness * size,
    )
    const middle =
      kind === 'underline'
        ? face.underlineOffset * size
        : kind === 'overline'
          ? -ascent
          : -face.strikeOffset * size
    this.items.push(filledBox(at.x, at.y + middle - thickness / 2, at.width, thickness, colour))
  }

  /** Draws the background and borders of the part of an inline element that is on this line. */
  #inlineBox({ state, x, isStart }: OpenInline, end: Pt, isEnd: boolean): void {
    const { style } = state
    const paint = boxPaintOf(style)
    if (paint === undefined) return
    const margin = marginOf(style, 0)
    const padding = paddingOf(style, 0)
    const borders = bordersOf(style)
    const border = borderWidths(borders)
    const font = fontOfLine(style, this.#context)
    const top = this.#baseline - state.rise - font.ascent - padding.top - border.top
    const from = x + (isStart ? (margin.left ?? 0) : 0)
    const to = end - (isEnd ? (margin.right ?? 0) : 0)
    const { left: _left, right: _right, ...across } = borders
    const ownBorders = {
      ...across,
      ...(isStart && borders.left && { left: borders.left }),
      ...(isEnd && borders.right && { right: borders.right }),
    }
    const height = font.ascent + font.descent + padding.top + padding.bottom + border.top + border.bottom
    const drawn = drawBox({ ...paint, borders: ownBorders }, from, top, to - from, height)
    // The backgrounds of outer elements are drawn behind those of inner ones.
    spliceAll(this.behind, 0, 0, drawn)
  }

  #atom({ segment, placed }: LinePart, x: Pt): void {
    if (placed === undefined) return
    const { fragment, margin } = placed
    const size = margin.top + fragment.height + margin.bottom
    const align = segment.state.style.word('vertical-align')
    const strut = fontOfLine(segment.state.style.parent ?? segment.state.style, this.#context)
    const top =
      align === 'top'
        ? 0
        : align === 'bottom'
          ? this.#height - size
          : this.#baseline - raiseOf(segment.state, placed, strut)
    this.children.push({ ...fragment, x: x + margin.left, y: top + margin.top })
    const { href = '' } = segment.state.link ?? {}
    const from = this.items.length
    if (href !== '')
      this.items.push({
        x: x + margin.left,
        y: top + margin.top,
        item: { kind: 'link', href, width: fragment.width, height: fragment.height },
      })
    this.#recordOwner(from, segment.state)
  }

  /** Draws a marker with the size and position of Chromium: bullets are at the height of lower-case letters. */
  #marker(marker: Marker, { font, state }: Segment, x: Pt): void {
    const from = this.items.length
    const colour = textColour(state.style)
    if (state.style.word('direction') === 'rtl' && !marker.isInside)
      this.#drawMarkerAtRight(marker, font, colour, x)
    else this.#drawMarker(marker, font, colour, x)
    this.#recordOwner(from, undefined)
  }

  /**
   * Records which paragraph and link the items from an index on belong to. Without a state they are the label of a list item.
   */
  #recordOwner(from: number, state: InlineState | undefined): void {
    const { owners } = this.#context
    if (owners === undefined) return
    for (const { item } of this.items.slice(from)) {
      owners.paragraphs.set(item, this.#box)
      if (state === undefined) owners.labels.add(item)
      else if (state.link !== undefined) owners.links.set(item, state.link)
    }
  }

  /** Draws the marker of an item whose text runs from right to left: at its right, with the number before the stop. */
  #drawMarkerAtRight(marker: Marker, font: TextFont, colour: number, x: Pt): void {
    const inside = { ...marker, isInside: true }
    if (marker.shape !== 'text') {
      const { offset, size } = bulletOf(font)
      const isBullet = !marker.shape.startsWith('disclosure')
      this.#drawMarker(inside, font, colour, isBullet ? x + (offset + 8) * pixel - size : x + font.size / 2)
      return
    }
    const text = marker.text.replace(/^(.*?)(\.)( +)$/, '$3$2$1')
    this.#drawMarker({ shape: 'text', text, isInside: true }, font, colour, x)
  }

  #drawMarker(marker: Marker, font: TextFont, colour: number, x: Pt): void {
    if (marker.shape === 'text') {
      const run = shape(marker.text, font.shaping)
      const left = marker.isInside ? x : x - run.width
      this.items.push({ x: left, y: this.#baseline, item: { kind: 'glyphs', run, colour } })
      return
    }
    if (marker.shape === 'disclosure-closed' || marker.shape === 'disclosure-open') {
      const size = triangleSize * font.size
      const left = marker.isInside ? x : x - markerWidth({ ...marker, isInside: true }, font)
      this.items.push(triangle(marker.shape, left, this.#baseline - size, size, colour))
      return
    }
    const { ascent, offset, size } = bulletOf(font)
    const left = marker.isInside ? x : x - (offset + 8) * pixel
    const top = this.#baseline - font.ascent + Math.floor((3 * (ascent - offset)) / 2) * pixel
    this.items.push(markerShape(marker.shape, left, top, size, colour))
  }
}

function fontOfLine(style: InlineState['style'], context: WebContext): TextFont {
  return fontOf(style, context.fonts, context.language)
}

/** A triangle in a square of this size, with the proportions of Chromium. */
function triangle(
  shape: 'disclosure-closed' | 'disclosure-open',
  x: Pt,
  y: Pt,
  size: Pt,
  colour: number,
): Placed {
  const corners =
    shape === 'disclosure-open'
      ? ([0, 0.07, 1, 0.07, 0.5, 0.93] as const)
      : ([0.07, 0, 0.93, 0.5, 0.07, 1] as const)
  const [x0, y0, x1, y1, x2, y2] = corners.map((part) => part * size)
  const commands: PathCommand[] = [
    ['M', x0 ?? 0, y0 ?? 0],
    ['L', x1 ?? 0, y1 ?? 0],
    ['L', x2 ?? 0, y2 ?? 0],
    ['Z'],
  ]
  return { x, y, item: { kind: 'shape', path: { commands, fill: { kind: 'solid', colour } } } }
}

function markerShape(kind: 'disc' | 'circle' | 'square', x: Pt, y: Pt, size: Pt, colour: number): Placed {
  if (kind === 'square') return filledBox(x, y, size, size, colour)
  const path = { commands: roundedBox(0, 0, size, size, size / 2) }
  if (kind === 'disc')
    return { x, y, item: { kind: 'shape', path: { ...path, fill: { kind: 'solid', colour } } } }
  return { x, y, item: { kind: 'shape', path: { ...path, stroke: { colour, width: pixel } } } }
}

/** Returns the longest sequence of parts from `at` that can be shaped as one run of glyphs. */
function partsOfOneRun(parts: readonly LinePart[], at: number): readonly LinePart[] {
  const first = parts[at]?.segment
  let to = at + 1
  for (; to < parts.length; to++) {
    const segment = parts[to]?.segment
    if (segment === undefined || (segment.kind !== 'text' && segment.kind !== 'space')) break
    if (first === undefined || segment.face !== first.face || segment.state !== first.state) break
    if (segment.level !== first.level || segment.level % 2 === 1) break
  }
  return parts.slice(at, to)
}
