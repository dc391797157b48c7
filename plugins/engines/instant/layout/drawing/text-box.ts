import type { Block, Inline } from '../../../../../shared/document/content.ts'
import type { ShapeText } from '../../../../../shared/document/drawing.ts'
import { maxOf } from '../../../../../shared/extremes.ts'
import type { LayoutContext } from '../context.ts'
import { innerRequest } from '../flow/floats.ts'
import { type FilledRegion, flowStart, type PageGeometry } from '../flow/types.ts'
import type { Frame, Matrix, Placed, Pt } from '../frame.ts'
import { shrunkToFit } from './shrink-text.ts'
import { textInColumns } from './text-columns.ts'

/**
 * Text laid out in a box: its items, positioned from the top left corner of the box, and the height that the box occupies.
 */
export interface DrawnText {
  readonly items: Placed[]
  readonly height: Pt
}

/** Text laid out at one width. Items are positioned from the top left corner of its lines. */
interface FilledText {
  readonly items: Placed[]
  /** The height up to the end of the last line. */
  readonly used: Pt
  /** The same height with the space after the last paragraph. */
  readonly total: Pt
}

/** The height of text in a box. The space after the last line does not count (observed in LibreOffice). */
const textHeight = ({ height, trailing, slack }: FilledRegion): Pt => height - trailing - slack

/** The width at which lines that do not wrap are laid out. */
const unwrappedWidth = 2000

/** Lays out the text of a box at its inner width, moves it to its position and rotates it around the middle of the box. */
export function drawText(context: LayoutContext, text: ShapeText, width: Pt, height: Pt): DrawnText {
  const drawn = drawUpright(context, text, width, height)
  if (text.turn === undefined) return drawn
  const angle = (text.turn * Math.PI) / 180
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  const middle = { x: width / 2, y: drawn.height / 2 }
  const items = drawn.items.map((placed) => ({ ...placed, x: placed.x - middle.x, y: placed.y - middle.y }))
  const frame: Frame = { width, height: drawn.height, items }
  const transform: Matrix = [cosine, sine, -sine, cosine, 0, 0]
  return {
    items: [{ ...middle, item: { kind: 'group', frame, clip: false, transform } }],
    height: drawn.height,
  }
}

function drawUpright(context: LayoutContext, text: ShapeText, width: Pt, height: Pt): DrawnText {
  const { direction } = text
  const insets = text.sticksOut === true ? insetsWithin(text.insets, width, height) : text.insets
  const level = direction === 'horizontal'
  const across = insets.left + insets.right
  const down = insets.top + insets.bottom
  const inner = Math.max(1, level ? width - across : height - down)
  const geometry = boxGeometry(width, height)
  if (text.columns !== undefined && level) return drawColumns(context, text, text.columns, width, height)
  const measure = (blocks: readonly Block[]): Pt => fillBox(context, blocks, inner, geometry).used
  const blocks =
    text.shrinks === true && text.wraps
      ? shrunkToFit(context, text.blocks, Math.max(1, level ? height - down : width - across), measure)
      : text.blocks
  const lineWidth = text.wraps ? inner : Math.max(inner, unwrappedWidth)
  const filled = fillBox(context, blocks, lineWidth, geometry)
  const { used, total: whole } = filled
  const items =
    text.wraps || text.block !== undefined
      ? asBlock(filled.items, text, inner, lineWidth)
      : unwrapped(filled.items, text, lineWidth - inner)
  const start = (available: Pt): Pt => {
    const free = text.sticksOut === true ? available - used : Math.max(0, available - used)
    return text.align === 'center' ? free / 2 : text.align === 'bottom' ? free : 0
  }
  if (!level) {
    const frame: Frame = { width: inner, height: whole, items }
    const transform: Matrix = direction === 'up' ? [0, -1, 1, 0, 0, 0] : [0, 1, -1, 0, 0, 0]
    // The insets at the top and bottom of rotated text are those of the sides of the box.
    const off = start(width - across)
    const x = direction === 'up' ? insets.left + off : width - insets.right - off
    const y = direction === 'up' ? height - insets.bottom : insets.top
    return { items: [{ x, y, item: { kind: 'group', frame, clip: false, transform } }], height }
  }
  const minHeight = text.sticksOut === true ? height : (text.minHeight ?? 0)
  const tall = text.grows ? Math.max(minHeight, used + down) : height
  const y = insets.top + start(tall - down)
  return {
    items: items.map((item) => ({ x: item.x + insets.left, y: item.y + y, item: item.item })),
    height: tall,
  }
}

/** Insets that leave no space for the text. Observed in LibreOffice: what is too much is taken from both sides alike. */
function insetsWithin(
  { left, right, top, bottom }: ShapeText['insets'],
  width: Pt,
  height: Pt,
): ShapeText['insets'] {
  const across = Math.max(0, left + right - width) / 2
  const down = Math.max(0, top + bottom - height) / 2
  return { left: left - across, right: right - across, top: top - down, bottom: bottom - down }
}

/** Stacks blocks without a height limit. Manual page and column breaks do not leave the box. */
function fillBox(
  context: LayoutContext,
  blocks: readonly Block[],
  width: Pt,
  geometry: PageGeometry,
): FilledText {
  const flow = context.flows.prepare(blocks, { width, inner: true })
  const request = innerRequest(geometry, { x: 0, y: 0 })
  let filled = context.flows.fill(flow, flowStart, request)
  let used = textHeight(filled)
  const items = [...filled.behind, ...filled.items, ...filled.front]
  let above = 0
  while (filled.next !== undefined && !filled.empty) {
    context.budget.check()
    above += filled.height
    filled = context.flows.fill(flow, filled.next, request)
    for (const item of [...filled.behind, ...filled.items, ...filled.front])
      items.push({ ...item, y: above + item.y })
    used = above + textHeight(filled)
  }
  return { items, used, total: above + filled.height }
}

/**
 * Aligns lines that do not wrap to a box by the alignment of their paragraph. Centred lines overflow on both sides, others
 * on one. `free` is the width of the lines beyond that of the box.
 */
function unwrapped(items: readonly Placed[], { blocks }: ShapeText, free: Pt): Placed[] {
  const shifts = new Map<readonly Inline[], Pt>()
  for (const block of blocks)
    if (block.kind === 'paragraph') {
      const { align } = block.properties
      const ends = align === 'right' || align === 'end'
      shifts.set(block.inlines, align === 'center' ? free / 2 : ends ? free : 0)
    }
  // A paragraph item precedes the items of its paragraph, so its shift applies until the next one.
  let shift = 0
  return items.map((placed) => {
    if (placed.item.kind === 'paragraph') shift = shifts.get(placed.item.inlines) ?? 0
    return { ...placed, x: placed.x - shift }
  })
}

/**
 * Moves lines as one block that is as wide as the widest of them. Lines that do not wrap are aligned in this width; `lineWidth` is
 * the width in which they were laid out.
 */
function asBlock(laid: readonly Placed[], text: ShapeText, inner: Pt, lineWidth: Pt): readonly Placed[] {
  const { block } = text
  if (block === undefined) return laid
  const items = text.wraps ? laid : unwrapped(laid, text, lineWidth - widestLine(laid))
  const [left, right] = extentOf(items)
  if (left > right) return items
  const free = inner - (right - left)
  const shift = (block === 'center' ? free / 2 : free) - left
  return items.map((placed) => ({ ...placed, x: placed.x + shift }))
}

/** The left and right ends of letters and pictures; the left one is greater where there are none. */
function extentOf(items: readonly Placed[]): [left: Pt, right: Pt] {
  let [left, right] = [Infinity, -Infinity]
  for (const { x, item } of items) {
    const width = item.kind === 'glyphs' ? item.run.width : item.kind === 'image' ? item.width : undefined
    if (width === undefined) continue
    left = Math.min(left, x)
    right = Math.max(right, x + width)
  }
  return [left, right]
}

/** The width of the widest line: items of a line stand at one height. */
function widestLine(items: readonly Placed[]): Pt {
  const lines = new Map<Pt, Placed[]>()
  for (const placed of items) {
    const line = lines.get(placed.y)
    if (line === undefined) lines.set(placed.y, [placed])
    else line.push(placed)
  }
  return maxOf([
    0,
    ...[...lines.values()].map((line) => {
      const [left, right] = extentOf(line)
      return right - left
    }),
  ])
}

const boxGeometry = (pageWidth: Pt, pageHeight: Pt): PageGeometry => ({
  pageWidth,
  pageHeight,
  marginLeft: 0,
  marginRight: 0,
  marginTop: 0,
  marginBottom: 0,
  odd: true,
})

function drawColumns(
  context: LayoutContext,
  { blocks, insets, grows, minHeight = 0 }: ShapeText,
  columns: NonNullable<ShapeText['columns']>,
  width: Pt,
  height: Pt,
): DrawnText {
  const verticalInsets = insets.top + insets.bottom
  const inner = {
    width: Math.max(1, width - insets.left - insets.right),
    height: Math.max(1, (grows ? minHeight : height) - verticalInsets),
    grows,
    geometry: boxGeometry(width, height),
  }
  const { items, height: used } = textInColumns(context, blocks, columns, inner)
  return {
    items: items.map((item) => ({ ...item, x: item.x + insets.left, y: item.y + insets.top })),
    height: grows ? Math.max(minHeight, used + verticalInsets) : height,
  }
}
