/** Draws background images. Source: CSS Backgrounds 3, 2. */

import { partsOf } from '../../../../../shared/css/declarations.ts'
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import { entryOf } from '../../../../../shared/entry-of.ts'
import { fitVector } from '../../vector/vector.ts'
import type { Placed, Pt } from '../frame.ts'
import type { WebContext } from './context.ts'
import { bordersOf, borderWidths } from './dimensions.ts'
import { pixel } from './text-font.ts'
import type { WebMedia } from './web-media.ts'

interface BackgroundPicture {
  /** The name of the picture in `WebMedia`; undefined if its address could not be read. */
  readonly media: string | undefined
  readonly isUnknown?: boolean
}
const none: BackgroundPicture = { media: undefined }
const unknown: BackgroundPicture = { media: undefined, isUnknown: true }

/**
 * Registers the background image of a style with the media of the page. Returns true if the image exists but cannot be drawn
 * as requested, so that the caller can report it.
 */
export function registerBackground(style: ComputedStyle, media: WebMedia): boolean {
  return style.memoized('background-picture', () => readBackground(style, media)).isUnknown === true
}

function readBackground(style: ComputedStyle, media: WebMedia): BackgroundPicture {
  const value = (style.get('background-image') ?? 'none').trim()
  if (!/url\(/i.test(value)) return none
  const [, , address = ''] = /^url\(\s*(["']?)([^"']*)\1\s*\)$/i.exec(value) ?? []
  const name = media.fromAddress(address)
  const isSimple = /^(?:repeat|no-repeat|repeat-x|repeat-y|repeat repeat|no-repeat no-repeat)$/.test(
    repeatOf(style),
  )
  return name === undefined || !isSimple ? unknown : { media: name }
}

const repeatOf = (style: ComputedStyle): string => style.word('background-repeat') ?? 'repeat'

/** Returns the items to draw behind the content of a box of this size, positioned from its top left corner. */
export function backgroundItems(
  context: WebContext,
  style: ComputedStyle,
  { width, height }: { readonly width: Pt; readonly height: Pt },
): Placed[] {
  const { media } = style.memoized('background-picture', () => none)
  if (media === undefined) return []
  const border = borderWidths(bordersOf(style))
  const area = {
    x: border.left,
    y: border.top,
    width: width - border.left - border.right,
    height: height - border.top - border.bottom,
  }
  const vector = context.vector(media)
  const image = vector === undefined ? context.image(media) : undefined
  const natural = vector ?? (image && { width: image.width * pixel, height: image.height * pixel })
  if (natural === undefined || area.width <= 0 || area.height <= 0) return []
  const size = sizeOf(style, natural, area)
  if (size.width < 0.01 || size.height < 0.01) return []
  const picture: Placed | undefined =
    vector !== undefined
      ? fitVector(vector, size.width, size.height)
      : image && { x: 0, y: 0, item: { kind: 'image', image, ...size } }
  if (picture === undefined) return []
  const at = positionOf(style, size, area)
  const tile = { ...size, items: [picture] }
  const repeat = repeatOf(style)
  if (repeat.startsWith('no-repeat')) {
    const placed: Placed = { ...at, item: { kind: 'group', frame: tile, clip: false } }
    const frame = { width: area.width, height: area.height, items: [placed] }
    return [{ x: area.x, y: area.y, item: { kind: 'group', frame, clip: true } }]
  }
  // An image that repeats in one direction only fills a strip of the box.
  const [left, wide] = repeat === 'repeat-y' ? [at.x, size.width] : [0, area.width]
  const [top, tall] = repeat === 'repeat-x' ? [at.y, size.height] : [0, area.height]
  const fill = { kind: 'tiles', tile, x: at.x - left, y: at.y - top } as const
  const strip: Placed = {
    x: left,
    y: top,
    item: { kind: 'shape', path: { commands: [['R', 0, 0, wide, tall]], fill } },
  }
  const frame = { width: area.width, height: area.height, items: [strip] }
  return [{ x: area.x, y: area.y, item: { kind: 'group', frame, clip: true } }]
}

interface Size {
  readonly width: Pt
  readonly height: Pt
}

function sizeOf(style: ComputedStyle, natural: Size, area: Size): Size {
  const value = style.word('background-size') ?? 'auto'
  const [across, down] = [area.width / natural.width, area.height / natural.height]
  const scaled = (by: number): Size => ({ width: natural.width * by, height: natural.height * by })
  if (value === 'cover') return scaled(Math.max(across, down))
  if (value === 'contain') return scaled(Math.min(across, down))
  const [first = 'auto', second = 'auto'] = partsOf(value)
  const [width, height] = [style.measure(first, area.width), style.measure(second, area.height)]
  if (width !== undefined) return { width, height: height ?? (width * natural.height) / natural.width }
  return height === undefined ? natural : { width: (height * natural.width) / natural.height, height }
}

const shares: Readonly<Record<string, string>> = {
  left: '0%',
  top: '0%',
  center: '50%',
  right: '100%',
  bottom: '100%',
}

/** Where a picture is in its area. Percentages refer to the space that the image leaves free. */
export function positionOf(
  style: ComputedStyle,
  size: Size,
  area: Size,
  value = style.word('background-position') ?? '0% 0%',
): { readonly x: Pt; readonly y: Pt } {
  const words = partsOf(value)
  const isSwapped = /^(?:top|bottom)$/.test(words[0] ?? '') || /^(?:left|right)$/.test(words[1] ?? '')
  const [across = 'center', down = 'center'] = isSwapped ? [words[1], words[0]] : words
  const along = (word: string, free: Pt): Pt => style.measure(entryOf(shares, word) ?? word, free) ?? 0
  return { x: along(across, area.width - size.width), y: along(down, area.height - size.height) }
}
