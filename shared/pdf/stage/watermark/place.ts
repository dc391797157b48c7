import { maxOf } from '../../../extremes.ts'
import { drawnLine } from '../../../plugin/text-drawing.ts'
import type { PdfPageGeometry } from '../../model/pages.ts'
import { formatPdfNumber } from '../../write/syntax.ts'
import type { Watermark } from './options.ts'
import { verticalMetrics } from './standard-font.ts'

/** The fraction of the page that a watermark of automatic size occupies at most, in either direction. */
const autoFraction = 0.8
const lineSpacing = 1.2 // em

/** A line that a watermark shows. */
export interface WatermarkLine {
  readonly width: number // 1/1000 em
  /** The code of each character in a standard font. */
  readonly codes?: string
  /** Drawn by an engine: the name of its form in the resources of the page. */
  readonly form?: string
}

export interface ResourceNames {
  readonly font: string
  readonly state: string | undefined // absent: opaque
}

/**
 * The operators that draw one watermark. Its lines are either all of a standard font or all drawn by an engine.
 * Two matrices: the first makes the page as it is shown, in pt from its lower left, the second turns and moves the
 * block of lines, which is set around its middle.
 */
export function drawWatermark(
  watermark: Watermark,
  lines: readonly WatermarkLine[],
  page: PdfPageGeometry,
  names: ResourceNames,
): string {
  const widest = maxOf(lines.map((line) => line.width)) / 1000
  const { ascent, descent, capHeight } = verticalMetrics(watermark.font)
  // Centred text is centred by its capitals. At an edge, accents and descenders must not extend beyond the page.
  const [above, below] = watermark.anchor === 'center' ? [capHeight, 0] : [ascent, descent]
  const tall = (above - below) / 1000 + (lines.length - 1) * lineSpacing
  const shown = shownSize(page)
  const size =
    watermark.size === 'auto' ? fittingSize(widest, tall, watermark.rotation, shown) : watermark.size
  const baselines = lines.map((line, index) => ({
    ...line,
    x: startOf(watermark, (widest - line.width / 1000) * size) - (widest * size) / 2,
    y: (tall * size) / 2 - (above / 1000) * size - index * lineSpacing * size,
  }))
  const state = names.state === undefined ? '' : `/${names.state} gs `
  const isDrawn = lines.some(({ form }) => form !== undefined)
  // Lines that an engine drew already have their colour.
  const colour = isDrawn ? '' : `${watermark.color.map(num).join(' ')} rg`
  return (
    `/Artifact <</Type/Pagination/Subtype/Watermark>> BDC q ${state}${colour}\n` +
    `${placeBlock(watermark, { width: widest * size, height: tall * size }, page)}\n` +
    `${isDrawn ? showForms(baselines, size) : showText(baselines, names.font, size)}Q EMC\n`
  )
}

/**
 * The operators after which the origin is the middle of a block that stands at an anchor of the page as it is shown, turned.
 * `block`: pt.
 */
export function placeBlock(
  place: Pick<Watermark, 'anchor' | 'offsetX' | 'offsetY' | 'rotation'>,
  block: { readonly width: number; readonly height: number },
  page: PdfPageGeometry,
): string {
  const shown = shownSize(page)
  const turned = turnedBox(block.width, block.height, place.rotation)
  const centreX = alongX(place, shown.width, turned.width) + place.offsetX
  const centreY = alongY(place, shown.height, turned.height) + place.offsetY
  return `${shownMatrix(page)} cm ${rotation(place.rotation, centreX, centreY)} cm`
}

type Anchored = Pick<Watermark, 'anchor'>

type Baseline = WatermarkLine & { readonly x: number; readonly y: number }

function showText(lines: readonly Baseline[], font: string, size: number): string {
  let setting = ''
  let [lastX, lastY] = [0, 0]
  for (const { codes = '', x, y } of lines) {
    setting += `${num(x - lastX)} ${num(y - lastY)} Td <${hexadecimal(codes)}> Tj\n`
    lastX = x
    lastY = y
  }
  return `BT /${font} ${num(size)} Tf\n${setting}ET `
}

function showForms(lines: readonly Baseline[], size: number): string {
  const scale = size / drawnLine.size
  return lines
    .filter(({ form }) => form !== undefined)
    .map(({ form, x, y }) => {
      const lower = y - drawnLine.baseline * scale
      return `q ${matrix(scale, 0, 0, scale, x, lower)} cm /${form} Do Q\n`
    })
    .join('')
}

/** The size of a page as it is shown, in points. */
export function shownSize({ width, height, rotate, unit }: PdfPageGeometry) {
  const sideways = rotate === 90 || rotate === 270
  return { width: (sideways ? height : width) * unit, height: (sideways ? width : height) * unit }
}

/** The matrix from the page as it is shown, in points from its lower left, to user space. /Rotate is clockwise. ISO 32000-2, 7.7.3.3. */
function shownMatrix({ x, y, width, height, rotate, unit }: PdfPageGeometry): string {
  const inverse = 1 / unit
  switch (rotate) {
    case 0:
      return matrix(inverse, 0, 0, inverse, x, y)
    case 90:
      return matrix(0, inverse, -inverse, 0, x + width, y)
    case 180:
      return matrix(-inverse, 0, 0, -inverse, x + width, y + height)
    case 270:
      return matrix(0, -inverse, inverse, 0, x, y + height)
    default:
      return rotate satisfies never
  }
}

function rotation(degrees: number, x: number, y: number): string {
  const { sin, cos } = angle(degrees)
  return matrix(cos, sin, -sin, cos, x, y)
}

/** The size of the axis-parallel box around a rotated one. */
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

/** The font size in points at which a block fills the page, as far as `autoFraction` allows. */
function fittingSize(
  width: number, // em
  height: number,
  rotation: number,
  shown: { readonly width: number; readonly height: number },
): number {
  const box = turnedBox(width, height, rotation)
  const size = autoFraction * Math.min(shown.width / box.width, shown.height / box.height)
  return Math.min(2000, Math.max(1, size))
}

/** The centre of the block on the page, in points from the left. */
function alongX({ anchor }: Anchored, page: number, block: number): number {
  if (/left/i.test(anchor)) return block / 2
  return /right/i.test(anchor) ? page - block / 2 : page / 2
}

/** The same from the bottom. */
function alongY({ anchor }: Anchored, page: number, block: number): number {
  if (anchor.startsWith('bottom')) return block / 2
  return anchor.startsWith('top') ? page - block / 2 : page / 2
}

/** Where a line begins within the block. `free`: the width of the block less that of the line, in points. */
function startOf({ anchor }: Anchored, free: number): number {
  if (/left/i.test(anchor)) return 0
  return /right/i.test(anchor) ? free : free / 2
}

export function matrix(...values: readonly number[]): string {
  return values.map(num).join(' ')
}

function num(value: number): string {
  const rounded = Math.round(value * 1e5) / 1e5
  return formatPdfNumber(rounded === 0 ? 0 : rounded)
}

function hexadecimal(codes: string): string {
  let text = ''
  for (let at = 0; at < codes.length; at++) text += codes.charCodeAt(at).toString(16).padStart(2, '0')
  return text
}
