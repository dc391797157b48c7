import type { PageGeometry } from '../pages.ts'
import { formatNumber } from '../syntax.ts'
import type { Watermark } from './options.ts'
import { type FontEncoding, verticalMetrics } from './standard-font.ts'

/** The share of the page that a watermark of automatic size takes at most, in either direction. */
const autoShare = 0.8
const lineSpacing = 1.2 // em

export interface Names {
  readonly font: string
  readonly state: string | undefined // absent: opaque
}

/**
 * The operators that draw one watermark, and how many of its characters the font lacks.
 * Two matrices: the first makes the page as it is shown, in pt from its lower left, the second turns and moves the
 * block of lines, which is set around its middle.
 */
export function drawWatermark(
  mark: Watermark,
  text: string,
  page: PageGeometry,
  font: FontEncoding,
  names: Names,
): { readonly operators: string; readonly missing: number } {
  const lines = text.split(/\r\n?|\n|\u2028/).map((line) => font.encode(line))
  const missing = lines.reduce((sum, line) => sum + line.missing, 0)
  const widest = Math.max(...lines.map((line) => line.width)) / 1000
  const { ascent, descent, capHeight } = verticalMetrics(mark.font)
  // In the middle it is the capitals that look centred; at an edge nothing may stick out.
  const [above, below] = mark.anchor === 'center' ? [capHeight, 0] : [ascent, descent]
  const tall = (above - below) / 1000 + (lines.length - 1) * lineSpacing
  const shown = shownSize(page)
  const size = mark.size === 'auto' ? fittingSize(widest, tall, mark.rotation, shown) : mark.size
  const block = turnedBox(widest * size, tall * size, mark.rotation)
  const centreX = alongX(mark, shown.width, block.width) + mark.offsetX
  const centreY = alongY(mark, shown.height, block.height) + mark.offsetY

  let setting = ''
  let [lastX, lastY] = [0, 0]
  for (const [index, line] of lines.entries()) {
    const x = startOf(mark, (widest - line.width / 1000) * size) - (widest * size) / 2
    const y = (tall * size) / 2 - (above / 1000) * size - index * lineSpacing * size
    setting += `${num(x - lastX)} ${num(y - lastY)} Td <${hexadecimal(line.codes)}> Tj\n`
    lastX = x
    lastY = y
  }
  const state = names.state === undefined ? '' : `/${names.state} gs `
  const operators =
    `/Artifact <</Type/Pagination/Subtype/Watermark>> BDC q ${state}${mark.color.map(num).join(' ')} rg\n` +
    `${shownMatrix(page)} cm ${turn(mark.rotation, centreX, centreY)} cm\n` +
    `BT /${names.font} ${num(size)} Tf\n${setting}ET Q EMC\n`
  return { operators, missing }
}

function shownSize({ width, height, rotate, unit }: PageGeometry) {
  const sideways = rotate === 90 || rotate === 270
  return { width: (sideways ? height : width) * unit, height: (sideways ? width : height) * unit }
}

/** From the shown page, in pt from its lower left, to user space. /Rotate turns clockwise. ISO 32000-2, 7.7.3.3. */
function shownMatrix({ x, y, width, height, rotate, unit }: PageGeometry): string {
  const one = 1 / unit
  switch (rotate) {
    case 0:
      return matrix(one, 0, 0, one, x, y)
    case 90:
      return matrix(0, one, -one, 0, x + width, y)
    case 180:
      return matrix(-one, 0, 0, -one, x + width, y + height)
    case 270:
      return matrix(0, -one, one, 0, x, y + height)
    default:
      return rotate satisfies never
  }
}

function turn(degrees: number, x: number, y: number): string {
  const { sin, cos } = angle(degrees)
  return matrix(cos, sin, -sin, cos, x, y)
}

function turnedBox(width: number, height: number, degrees: number) {
  const { sin, cos } = angle(degrees)
  return {
    width: width * Math.abs(cos) + height * Math.abs(sin),
    height: width * Math.abs(sin) + height * Math.abs(cos),
  }
}

function angle(degrees: number): { readonly sin: number; readonly cos: number } {
  const radians = (degrees * Math.PI) / 180
  return { sin: Math.sin(radians), cos: Math.cos(radians) }
}

function fittingSize(
  width: number, // em
  height: number,
  rotation: number,
  shown: { readonly width: number; readonly height: number },
): number {
  const box = turnedBox(width, height, rotation)
  const size = autoShare * Math.min(shown.width / box.width, shown.height / box.height)
  return Math.min(2000, Math.max(1, size))
}

/** The middle of the block on the page. */
function alongX({ anchor }: Watermark, page: number, block: number): number {
  if (/left/i.test(anchor)) return block / 2
  return /right/i.test(anchor) ? page - block / 2 : page / 2
}

function alongY({ anchor }: Watermark, page: number, block: number): number {
  if (anchor.startsWith('bottom')) return block / 2
  return anchor.startsWith('top') ? page - block / 2 : page / 2
}

/** Where a line begins in the block, given the room it leaves. */
function startOf({ anchor }: Watermark, room: number): number {
  if (/left/i.test(anchor)) return 0
  return /right/i.test(anchor) ? room : room / 2
}

function matrix(...values: readonly number[]): string {
  return values.map(num).join(' ')
}

function num(value: number): string {
  const rounded = Math.round(value * 1e5) / 1e5
  return formatNumber(rounded === 0 ? 0 : rounded)
}

function hexadecimal(codes: string): string {
  let text = ''
  for (let at = 0; at < codes.length; at++) text += codes.charCodeAt(at).toString(16).padStart(2, '0')
  return text
}
