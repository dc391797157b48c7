/** Sizes and draws pictures and form controls (replaced elements). Source: CSS 2.2, 10.3.2 and 10.6.2; CSS Images 3. */

import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import { shape } from '../../text/shape.ts'
import { fitVector } from '../../vector/vector.ts'
import type { PathCommand, Placed, Pt } from '../frame.ts'
import { positionOf } from './background.ts'
import type { PictureBox } from './box.ts'
import type { PlacedBox, WebContext } from './context.ts'
import {
  type Corners,
  cornerRadiiOf,
  cornersOf,
  grownCorners,
  roundedBox,
  roundedOutline,
} from './corners.ts'
import {
  bordersOf,
  borderWidths,
  boxPaintOf,
  breakRule,
  contentSize,
  edgesHeight,
  edgesWidth,
  marginOf,
  paddingOf,
  ratioOf,
  textColour,
} from './dimensions.ts'
import { effectOf } from './effects.ts'
import { type Fragment, noEdges } from './fragment.ts'
import { fontOf, pixel } from './text-font.ts'

/** The default object size of a picture without natural dimensions (CSS Images 3, 5.1). */
const defaultObjectSize = { width: 300 * pixel, height: 150 * pixel }
const controlSize = 13 * pixel

/** Lays out a picture in a containing block of this width. */
export function layoutPicture(context: WebContext, box: PictureBox, width: Pt): PlacedBox {
  if (box.control === 'broken') return brokenIcon(box)
  const { style } = box
  const finite = Number.isFinite(width) ? width : undefined
  const isControl = box.control !== undefined
  // Padding and borders do not change the appearance of native controls.
  const padding = isControl ? noEdges : paddingOf(style, finite ?? 0)
  const border = isControl ? noEdges : borderWidths(bordersOf(style))
  const content = contentOf(context, box, finite)
  for (const { item } of content.items) context.owners?.drawings.set(item, box)
  const margin = marginOf(style, finite ?? 0)
  const fixedMargin = (side: 'top' | 'right' | 'bottom' | 'left') => margin[side] ?? 0
  const [left, top] = [padding.left + border.left, padding.top + border.top]
  const boxPaint = isControl ? undefined : boxPaintOf(style)
  const size = {
    width: content.width + edgesWidth(padding) + edgesWidth(border),
    height: content.height + edgesHeight(padding) + edgesHeight(border),
  }
  const fragment: Fragment = {
    kind: 'leaf',
    x: 0,
    y: 0,
    ...size,
    children: [],
    items: content.items.map((placed) => ({ ...placed, x: placed.x + left, y: placed.y + top })),
    ...(boxPaint !== undefined && { boxPaint }),
    ...effectOf(style, size),
    breakBefore: breakRule(style, 'break-before'),
    breakAfter: breakRule(style, 'break-after'),
    ...(isControl && { baseline: controlSize }),
    ...(content.baseline !== undefined && { baseline: content.baseline + top }),
  }
  const isBlock = style.display === 'block'
  const free = Math.max(0, width - fragment.width)
  const auto = isBlock && margin.left === undefined && Number.isFinite(free)
  const aligned = isBlock && Number.isFinite(free) ? style.parent?.word('-block-align') : undefined
  const before = auto
    ? margin.right === undefined
      ? free / 2
      : free
    : fixedMargin('left') + (aligned === 'center' ? free / 2 : aligned === 'right' ? free : 0)
  return {
    fragment,
    margin: {
      top: fixedMargin('top'),
      right: fixedMargin('right'),
      bottom: fixedMargin('bottom'),
      left: before,
    },
  }
}

interface Content {
  readonly width: Pt
  readonly height: Pt
  readonly items: readonly Placed[]
  readonly baseline?: Pt
}

function contentOf(context: WebContext, box: PictureBox, containingWidth: Pt | undefined): Content {
  if (box.control !== undefined && box.control !== 'broken') return drawControl(box.control)
  const vector = box.media === undefined ? undefined : context.vector(box.media)
  const image = vector === undefined && box.media !== undefined ? context.image(box.media) : undefined
  if (vector === undefined && image === undefined) return alternativeOf(context, box, containingWidth)
  const natural =
    image !== undefined
      ? { width: image.width * pixel, height: image.height * pixel }
      : vector !== undefined && vector.width > 0 && vector.height > 0
        ? { width: vector.width, height: vector.height }
        : defaultObjectSize
  const size = sizeOf(box, natural, containingWidth)
  if (box.style.word('visibility') === 'hidden' || size.width <= 0 || size.height <= 0)
    return { ...size, items: [] }
  const fitted = fittedSize(box.style.word('object-fit') ?? 'fill', natural, size)
  const item: Placed | undefined =
    vector !== undefined
      ? fitVector(vector, fitted.width, fitted.height)
      : image && { x: 0, y: 0, item: { kind: 'image', image, ...fitted } }
  if (item === undefined) return { ...size, items: [] }
  const corners = innerCorners(box.style, size)
  if (fitted === size && corners === undefined) return { ...size, items: [item] }
  const at = positionOf(box.style, fitted, size, box.style.word('object-position') ?? '50% 50%')
  const frame = { ...size, items: [{ ...item, x: item.x + at.x, y: item.y + at.y }] }
  const clipPath = corners && { clipPath: roundedOutline(0, 0, size.width, size.height, corners) }
  return { ...size, items: [{ x: 0, y: 0, item: { kind: 'group', frame, clip: true, ...clipPath } }] }
}

interface Size {
  readonly width: Pt
  readonly height: Pt
}

/** The size of a picture in its box. Returns the size of the box itself where the picture fills it (CSS Images 3, 5.5). */
function fittedSize(fit: string, natural: Size, box: Size): Size {
  const [across, down] = [box.width / natural.width, box.height / natural.height]
  const scaled = (by: number): Size => ({ width: natural.width * by, height: natural.height * by })
  if (!(natural.width > 0 && natural.height > 0)) return box
  const isAlike = Math.abs(across - down) < 1e-6 * across
  switch (fit) {
    case 'contain':
      return isAlike ? box : scaled(Math.min(across, down))
    case 'cover':
      return isAlike ? box : scaled(Math.max(across, down))
    case 'none':
      return natural
    case 'scale-down':
      return scaled(Math.min(across, down, 1))
    default:
      return box
  }
}

/** The corners of the content of a box with round corners. */
function innerCorners(style: ComputedStyle, { width, height }: Size): Corners | undefined {
  const radii = cornerRadiiOf(style)
  if (radii === undefined) return undefined
  const [padding, border] = [paddingOf(style, 0), borderWidths(bordersOf(style))]
  const by = Math.max(
    padding.left + border.left,
    padding.right + border.right,
    padding.top + border.top,
    padding.bottom + border.bottom,
  )
  const corners = cornersOf(radii, width + 2 * by, height + 2 * by)
  return by === 0 ? corners : grownCorners(corners, -by)
}

/** The content size: from the style, otherwise the natural size. The aspect ratio is kept. */
function sizeOf(
  { style, fills = false }: PictureBox,
  natural: { width: Pt; height: Pt },
  containingWidth: Pt | undefined,
) {
  const ratio = ratioOf(style) ?? (natural.height === 0 ? 1 : natural.width / natural.height)
  const edges =
    edgesWidth(paddingOf(style, containingWidth ?? 0)) + edgesWidth(borderWidths(bordersOf(style)))
  const wide = contentSize(style, 'width', containingWidth, edges)
  const high = contentSize(style, 'height', undefined, 0)
  const automatic = fills ? Math.max(0, (containingWidth ?? 0) - edges) : natural.width
  let width = wide ?? (high === undefined ? automatic : high * ratio)
  let height = high ?? width / ratio
  const scale = (to: Pt, from: Pt) => (from <= 0 ? 1 : to / from)
  const maxWidth = contentSize(style, 'max-width', containingWidth, edges)
  if (maxWidth !== undefined && width > maxWidth) {
    if (high === undefined) height *= scale(maxWidth, width)
    width = maxWidth
  }
  const minWidth = contentSize(style, 'min-width', containingWidth, edges)
  if (minWidth !== undefined && width < minWidth) {
    if (high === undefined) height *= scale(minWidth, width)
    width = minWidth
  }
  const maxHeight = contentSize(style, 'max-height', undefined, 0)
  if (maxHeight !== undefined && height > maxHeight) {
    if (wide === undefined) width *= scale(maxHeight, height)
    height = maxHeight
  }
  return { width, height }
}

/** The alternative text of a picture that cannot be drawn, if it has any. */
function alternativeOf(
  context: WebContext,
  { style, alternative }: PictureBox,
  containingWidth: Pt | undefined,
): Content {
  const wide = contentSize(style, 'width', containingWidth, 0)
  const high = contentSize(style, 'height', undefined, 0)
  const font = fontOf(style, context.fonts, context.language)
  if (alternative === '') {
    const [width, height] = [wide ?? 0, high ?? 0]
    const isSeen = width > 3 * pixel && height > 3 * pixel
    return { width, height, items: isSeen ? [outlineOf(width, height)] : [] }
  }
  const run = shape(alternative.slice(0, 500), font.shaping)
  const [width, height] = [wide ?? 16 * pixel + run.width, high ?? Math.max(16 * pixel, font.lineHeight)]
  const colour = textColour(style)
  const text: Placed = { x: 16 * pixel, y: font.ascent, item: { kind: 'glyphs', run, colour } }
  const frame = { width, height, items: [text] }
  return {
    width,
    height,
    items: [{ x: 0, y: 0, item: { kind: 'group', frame, clip: true } }],
    baseline: font.ascent,
  }
}

/** The outline in place of a picture that cannot be drawn but has a size. */
function outlineOf(width: Pt, height: Pt): Placed {
  const commands = roundedBox(pixel / 2, pixel / 2, width - pixel, height - pixel, 0)
  return {
    x: 0,
    y: 0,
    item: { kind: 'shape', path: { commands, stroke: { colour: 0xc0c0c0, width: pixel } } },
  }
}

const iconSize = 16 * pixel

/** The icon of a missing picture, 16 pixels wide. */
function brokenIcon({ alternative }: PictureBox): PlacedBox {
  const line = { colour: 0xa0a0a0, width: pixel }
  const commands = roundedBox(pixel, pixel, iconSize - 2.5 * pixel, iconSize - 2.5 * pixel, 0)
  const items: Placed[] = [
    { x: 0, y: 0, item: { kind: 'shape', path: { commands, stroke: line } } },
    { x: 0, y: 0, item: { kind: 'shape', path: { commands: hill, stroke: line } } },
  ]
  const fragment: Fragment = {
    kind: 'leaf',
    x: 0,
    y: 0,
    width: iconSize,
    height: iconSize,
    children: [],
    items,
    // Next to text, the icon must not increase the line height.
    baseline: (alternative === '' ? 16 : 13) * pixel,
  }
  return { fragment, margin: { top: 0, right: 0, bottom: 0, left: 0 } }
}
const hill: readonly PathCommand[] = [
  ['M', 2, 9],
  ['L', 5, 5],
  ['L', 7, 7.5],
  ['L', 9.5, 4.5],
]

/** The arrow of a drop-down list, with the space around it. */
const arrow: Content = {
  width: 20 * pixel,
  height: 15 * pixel,
  items: [
    {
      x: 7 * pixel,
      y: 6 * pixel,
      item: {
        kind: 'shape',
        path: {
          commands: [
            ['M', 0, 0],
            ['L', 4 * pixel, 4 * pixel],
            ['L', 8 * pixel, 0],
          ],
          stroke: { colour: 0, width: 1.5 * pixel },
        },
      },
    },
  ],
}

function drawControl(control: 'checkbox' | 'checked' | 'radio' | 'selected' | 'arrow'): Content {
  if (control === 'arrow') return arrow
  const isRound = control === 'radio' || control === 'selected'
  const isOn = control === 'checked' || control === 'selected'
  const [colour, on] = [0x767676, 0x0075ff]
  const radius = isRound ? controlSize / 2 : 2 * pixel
  const inset = pixel / 2
  const commands = roundedBox(inset, inset, controlSize - pixel, controlSize - pixel, radius)
  const items: Placed[] = [
    {
      x: 0,
      y: 0,
      item: {
        kind: 'shape',
        path: {
          commands,
          fill: { kind: 'solid', colour: isOn ? on : 0xffffff },
          stroke: { colour: isOn ? on : colour, width: pixel },
        },
      },
    },
  ]
  if (isOn && !isRound)
    items.push({
      x: 0,
      y: 0,
      item: {
        kind: 'shape',
        path: {
          commands: [
            ['M', 2.2, 5],
            ['L', 4.2, 7],
            ['L', 7.8, 2.8],
          ],
          stroke: { colour: 0xffffff, width: 1.5 },
        },
      },
    })
  if (isOn && isRound)
    items.push({
      x: 0,
      y: 0,
      item: {
        kind: 'shape',
        path: {
          commands: roundedBox(3, 3, controlSize - 6, controlSize - 6, 5),
          fill: { kind: 'solid', colour: 0xffffff },
        },
      },
    })
  return { width: controlSize, height: controlSize, items }
}
