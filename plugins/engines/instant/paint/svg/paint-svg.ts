/**
 * Paints a page as an SVG file. It draws the same items in the same order as `../pdf/content.ts`. Letters are drawn by their
 * outlines, each defined once, so that the file looks the same without the fonts; pictures are embedded as they are stored.
 * Source: SVG 2.
 */

import type { Matrix } from '../../../../../shared/document/geometry.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import { writePng } from '../../../../../shared/images/png.ts'
import { zlib } from '../../../../../shared/pdf/write/zlib.ts'
import { toBase64 } from '../../../../../shared/plugin/base64.ts'
import { escapeAttribute } from '../../../../../shared/xml/markup.ts'
import { createGlyphShapes, type GlyphShapes } from '../../fonts/outlines/glyph-shapes.ts'
import type { FontFile } from '../../fonts/sfnt/font-file.ts'
import type { ImageRef } from '../../images/image.ts'
import type {
  Colour,
  Fill,
  Frame,
  GlyphRun,
  GlyphsItem,
  GradientFill,
  GroupItem,
  ImageItem,
  LinkItem,
  Path,
  PathCommand,
  PathStroke,
  Placed,
  TilesFill,
} from '../../layout/frame.ts'
import { missingPicture } from '../missing-picture.ts'
import { maxFrameDepth } from '../pdf/glyph-usage.ts'
import { decodePicture, type PictureDecoders } from '../raster/pixmap.ts'
import { boldStroke, lean, outlineStroke } from '../synthetic-styles.ts'
import { adjustFilter } from './adjust-filter.ts'

export interface SvgTools {
  readonly decoders: PictureDecoders
  /** Called with the amount of work. Throws when the deadline has passed. */
  check(steps: number): void
  /** Called once for each picture that cannot be drawn. */
  warnPicture(error: AppError): void
}

/** Returns the file in UTF-8. Throws what `check` throws. */
export function paintSvg(frame: Frame, tools: SvgTools): Uint8Array {
  const painter: Painter = {
    tools,
    shapes: createGlyphShapes(),
    pictures: new Map(),
    definitions: [],
    ids: new Map(),
    fonts: new Map(),
    out: [],
    depth: 0,
  }
  paintItems(painter, frame.items)
  const { definitions, out } = painter
  const [width, height] = [num(frame.width), num(frame.height)]
  const file = [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ',
    `width="${width}pt" height="${height}pt" viewBox="0 0 ${width} ${height}">\n`,
    ...(definitions.length > 0 ? ['<defs>\n', ...definitions, '</defs>\n'] : []),
    ...['<rect width="100%" height="100%" fill="#fff"/>\n', ...out, '</svg>\n'],
  ]
  return new TextEncoder().encode(file.join(''))
}

interface Painter {
  readonly tools: SvgTools
  readonly shapes: GlyphShapes
  /** Numbers the pictures for the keys of `ids`. */
  readonly pictures: Map<Uint8Array, number>
  /** Elements that others refer to: outlines of glyphs, gradients, clips, masks and pictures. */
  readonly definitions: string[]
  /** The ids of definitions, by their content. */
  readonly ids: Map<string, string>
  /** Numbers the fonts for the ids of their glyphs. */
  readonly fonts: Map<FontFile, number>
  /** The markup of the items so far. */
  readonly out: string[]
  readonly depth: number
}

/** A length or coordinate with three decimals, the precision of a PDF. */
function num(value: number): string {
  if (!Number.isFinite(value)) return '0'
  const rounded = Math.round(value * 1000) / 1000
  return String(rounded === 0 ? 0 : rounded)
}

/** A factor of a matrix, which needs more decimals. */
function factor(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 1e6) / 1e6) : '0'
}

const hex = (colour: Colour): string => `#${(colour & 0xffffff).toString(16).padStart(6, '0')}`

const opacityOf = (name: string, value: number | undefined): string =>
  value === undefined || value >= 1 ? '' : ` ${name}="${factor(Math.max(0, value))}"`

const translate = (x: number, y: number): string =>
  x === 0 && y === 0 ? '' : ` transform="translate(${num(x)} ${num(y)})"`

/** Defines an element once and returns its id. `make` receives the id. */
function define(painter: Painter, key: string, make: (id: string) => string): string {
  const existing = painter.ids.get(key)
  if (existing !== undefined) return existing
  const id = `d${painter.ids.size + 1}`
  painter.ids.set(key, id)
  const markup = make(id)
  painter.definitions.push(markup)
  return id
}

function paintItems(painter: Painter, items: readonly Placed[]): void {
  for (const { x, y, item } of items) {
    painter.tools.check(1)
    switch (item.kind) {
      case 'glyphs':
        paintGlyphs(painter, item, x, y)
        break
      case 'shape':
        paintShape(painter, item.path, x, y)
        break
      case 'group':
        paintGroup(painter, item, x, y)
        break
      case 'image':
        paintImage(painter, item, x, y)
        break
      case 'link':
        paintLink(painter, item, x, y)
        break
      case 'mark':
      case 'paragraph':
        break
      default:
        item satisfies never
    }
  }
}

function paintGlyphs(painter: Painter, item: GlyphsItem, x: number, y: number): void {
  const { run, colour, opacity, outline = false } = item
  const { face, size, glyphs, advances, offsets, scaleX = 1 } = run
  if (!(size > 0) || glyphs.length === 0) return
  painter.tools.check(1 + (glyphs.length >> 3))
  if (face.file.outlines === 'pictures') {
    paintGlyphPictures(painter, item, x, y)
    return
  }
  const em = size / face.unitsPerEm
  const slant = face.synthetic.slant ? lean : 0
  const matrix = [em * scaleX, 0, em * slant, -em, x, y].map(factor).join(' ')
  const fill = outline ? ' fill="none"' : ` fill="${hex(colour)}"`
  const stroke = outline || face.synthetic.bold ? strokeOfContours(run, colour, outline) : ''
  const uses: string[] = []
  let penX = 0
  for (let index = 0; index < glyphs.length; index++) {
    const id = glyphId(painter, face.file, glyphs[index] ?? 0)
    if (id !== undefined) {
      // In font units, upward: the matrix of the run turns them into points.
      const right = (penX + (offsets?.[2 * index] ?? 0)) / (em * scaleX)
      const up = -(offsets?.[2 * index + 1] ?? 0) / em
      const position = (right === 0 ? '' : ` x="${num(right)}"`) + (up === 0 ? '' : ` y="${num(up)}"`)
      uses.push(`<use xlink:href="#${id}"${position}/>`)
    }
    penX += advances[index] ?? 0
  }
  if (uses.length === 0) return
  const label = ` role="img" aria-label="${escapeAttribute(run.text)}"`
  const attributes = `${fill}${stroke}${opacityOf('opacity', opacity)}`
  painter.out.push(`<g transform="matrix(${matrix})"${attributes}${label}>${uses.join('')}</g>\n`)
}

function strokeOfContours({ face }: GlyphRun, colour: Colour, outline: boolean): string {
  const width = (outline ? outlineStroke : boldStroke) * face.unitsPerEm
  return ` stroke="${hex(colour)}" stroke-width="${num(width)}" stroke-linejoin="round"`
}

/** The id of the outline of a glyph; undefined for blanks. */
function glyphId(painter: Painter, font: FontFile, glyph: number): string | undefined {
  let number = painter.fonts.get(font)
  if (number === undefined) painter.fonts.set(font, (number = painter.fonts.size))
  const key = `g${number}-${glyph}`
  const existing = painter.ids.get(key)
  if (existing !== undefined) return existing === '' ? undefined : existing
  const commands = painter.shapes.outlineOf(font, glyph)
  if (commands.length === 0) {
    painter.ids.set(key, '')
    return undefined
  }
  return define(painter, key, (id) => `<path id="${id}" d="${pathData(commands)}"/>\n`)
}

/** Glyphs that are pictures, such as emoji. */
function paintGlyphPictures(painter: Painter, { run, opacity }: GlyphsItem, x: number, y: number): void {
  const { face, size, glyphs, advances, offsets } = run
  let penX = 0
  for (let index = 0; index < glyphs.length; index++) {
    const left = x + penX + (offsets?.[2 * index] ?? 0)
    const top = y + (offsets?.[2 * index + 1] ?? 0)
    penX += advances[index] ?? 0
    const picture = painter.shapes.pictureOf(face.file, glyphs[index] ?? 0)
    if (picture === undefined) continue
    const { image } = picture
    const pixel = size / picture.perEm
    const box = { width: image.width * pixel, height: image.height * pixel }
    const item: ImageItem = { kind: 'image', image, ...box, ...(opacity !== undefined && { opacity }) }
    paintImage(painter, item, left + picture.left * pixel, top - picture.top * pixel)
  }
}

function pathData(commands: readonly PathCommand[]): string {
  const parts: string[] = []
  for (const command of commands) {
    switch (command[0]) {
      case 'M':
      case 'L':
        parts.push(`${command[0]}${num(command[1])} ${num(command[2])}`)
        break
      case 'C':
        parts.push(
          `C${command
            .slice(1)
            .map((value) => num(value as number))
            .join(' ')}`,
        )
        break
      case 'R': {
        const [, x, y, width, height] = command
        parts.push(`M${num(x)} ${num(y)}h${num(width)}v${num(height)}h${num(-width)}Z`)
        break
      }
      case 'Z':
        parts.push('Z')
        break
      default:
        command satisfies never
    }
  }
  return parts.join('')
}

function paintShape(painter: Painter, path: Path, x: number, y: number): void {
  const { commands, fill, stroke, evenOdd } = path
  if ((fill === undefined && stroke === undefined) || commands.length === 0) return
  painter.tools.check(1 + (commands.length >> 6))
  const rule = evenOdd === true ? ' fill-rule="evenodd"' : ''
  const paint = fillOf(painter, fill) + (stroke === undefined ? '' : strokeOf(stroke))
  painter.out.push(`<path d="${pathData(commands)}"${paint}${rule}${translate(x, y)}/>\n`)
}

function fillOf(painter: Painter, fill: Fill | undefined): string {
  if (fill === undefined) return ' fill="none"'
  const opacity = opacityOf('fill-opacity', fill.opacity)
  if (fill.kind === 'solid') return ` fill="${hex(fill.colour)}"${opacity}`
  const id = fill.kind === 'tiles' ? tilesId(painter, fill) : gradientId(painter, fill)
  return id === undefined ? ' fill="none"' : ` fill="url(#${id})"${opacity}`
}

function strokeOf({ colour, width, opacity, dash = [], dashPhase = 0, cap, join }: PathStroke): string {
  // A line of width 0 is as thin as the device allows, which SVG cannot express.
  const parts = [` stroke="${hex(colour)}" stroke-width="${num(width > 0 ? width : 0.1)}"`]
  if (cap !== undefined && cap !== 'butt') parts.push(` stroke-linecap="${cap}"`)
  parts.push(
    join === undefined || join === 'miter' ? ' stroke-miterlimit="10"' : ` stroke-linejoin="${join}"`,
  )
  const isSound = dash.every((length) => length >= 0) && dash.some((length) => length > 0)
  if (isSound) parts.push(` stroke-dasharray="${dash.map(num).join(' ')}"`)
  if (isSound && dashPhase !== 0) parts.push(` stroke-dashoffset="${num(dashPhase)}"`)
  return parts.join('') + opacityOf('stroke-opacity', opacity)
}

function gradientId(painter: Painter, { kind, x1, y1, x2, y2, stops }: GradientFill): string {
  const geometry =
    kind === 'linear'
      ? `x1="${num(x1)}" y1="${num(y1)}" x2="${num(x2)}" y2="${num(y2)}"`
      : `cx="${num(x1)}" cy="${num(y1)}" r="${num(Math.hypot(x2 - x1, y2 - y1))}"`
  painter.tools.check(1 + (stops.length >> 6))
  const colours = stops
    .map(({ at, colour }) => `<stop offset="${factor(at)}" stop-color="${hex(colour)}"/>`)
    .join('')
  const body = ` gradientUnits="userSpaceOnUse" ${geometry}>${colours}</${kind}Gradient>\n`
  return define(painter, kind + body, (id) => `<${kind}Gradient id="${id}"${body}`)
}

function tilesId(painter: Painter, { tile, x, y }: TilesFill): string | undefined {
  if (!(tile.width > 0 && tile.height > 0) || painter.depth >= maxFrameDepth) return undefined
  const content = markupOf(painter, tile.items)
  const box = `x="${num(x)}" y="${num(y)}" width="${num(tile.width)}" height="${num(tile.height)}"`
  const body = ` patternUnits="userSpaceOnUse" ${box}>${content}</pattern>\n`
  return define(painter, `pattern${body}`, (id) => `<pattern id="${id}"${body}`)
}

/** The markup of items that are drawn separately, for a pattern or a mask. */
function markupOf(painter: Painter, items: readonly Placed[]): string {
  const out: string[] = []
  paintItems({ ...painter, out, depth: painter.depth + 1 }, items)
  return out.join('')
}

function paintGroup(painter: Painter, item: GroupItem, x: number, y: number): void {
  if (painter.depth >= maxFrameDepth) return
  const { frame, transform, opacity, mask } = item
  const attributes: string[] = []
  const matrix: Matrix = transform === undefined ? [1, 0, 0, 1, x, y] : moved(transform, x, y)
  if (matrix.some((value, index) => value !== (index === 0 || index === 3 ? 1 : 0)))
    attributes.push(` transform="matrix(${matrix.map(factor).join(' ')})"`)
  if (item.clip) {
    const commands = item.clipPath ?? [['R', 0, 0, frame.width, frame.height] as const]
    const rule = item.clipEvenOdd === true ? ' clip-rule="evenodd"' : ''
    const body = `><path d="${pathData(commands)}"${rule}/></clipPath>\n`
    const id = define(painter, `clip${body}`, (name) => `<clipPath id="${name}"${body}`)
    attributes.push(` clip-path="url(#${id})"`)
  }
  if (mask !== undefined) {
    // The default region of a mask is 120 % of its content, so a larger region is specified.
    const box = 'maskUnits="userSpaceOnUse" x="-100000" y="-100000" width="200000" height="200000"'
    const body = ` ${box}>${markupOf(painter, mask)}</mask>\n`
    const id = define(painter, `mask${body}`, (name) => `<mask id="${name}"${body}`)
    attributes.push(` mask="url(#${id})"`)
  }
  attributes.push(opacityOf('opacity', opacity))
  const markup = attributes.join('')
  const inside = { ...painter, depth: painter.depth + 1 }
  if (markup === '') {
    paintItems(inside, frame.items)
    return
  }
  painter.out.push(`<g${markup}>\n`)
  paintItems(inside, frame.items)
  painter.out.push('</g>\n')
}

const moved = ([a, b, c, d, e, f]: Matrix, x: number, y: number): Matrix => [a, b, c, d, e + x, f + y]

function paintImage(painter: Painter, item: ImageItem, x: number, y: number): void {
  const { image, width, height, crop, opacity } = item
  if (!(width > 0) || !(height > 0)) return
  const id = pictureId(painter, image)
  if (id === undefined) {
    paintShape(painter, missingPicture(width, height), x, y)
    return
  }
  const cropping = crop ?? { left: 0, top: 0, right: 0, bottom: 0 }
  const wide = width / Math.max(0.001, 1 - cropping.left - cropping.right)
  const high = height / Math.max(0.001, 1 - cropping.top - cropping.bottom)
  const filter = image.adjust === undefined ? '' : ` filter="url(#${adjustId(painter, image.adjust)})"`
  const matrix = [
    wide / image.width,
    0,
    0,
    high / image.height,
    x - cropping.left * wide,
    y - cropping.top * high,
  ]
  const use = `<use xlink:href="#${id}" transform="matrix(${matrix.map(factor).join(' ')})"${filter}${opacityOf('opacity', opacity)}/>`
  if (crop === undefined) {
    painter.out.push(`${use}\n`)
    return
  }
  const body = `><path d="${pathData([['R', x, y, width, height]])}"/></clipPath>\n`
  const clip = define(painter, `clip${body}`, (name) => `<clipPath id="${name}"${body}`)
  painter.out.push(`<g clip-path="url(#${clip})">${use}</g>\n`)
}

/** The id of a picture; undefined when it cannot be read. */
function pictureId(painter: Painter, image: ImageRef): string | undefined {
  let number = painter.pictures.get(image.bytes)
  if (number === undefined) painter.pictures.set(image.bytes, (number = painter.pictures.size))
  const key = `picture${number}`
  if (painter.ids.get(key) === '') return undefined
  if (painter.ids.has(key)) return painter.ids.get(key)
  painter.tools.check(1 + (image.bytes.length >> 12))
  const address = addressOf(image, painter.tools)
  if (address === undefined) {
    painter.ids.set(key, '')
    return undefined
  }
  const size = `width="${image.width}" height="${image.height}" preserveAspectRatio="none"`
  return define(painter, key, (id) => `<image id="${id}" ${size} xlink:href="${address}"/>\n`)
}

/**
 * A picture as a `data:` URL. Viewers only have to support PNG and JPEG (SVG 2, 2.1), so other types are converted to PNG.
 */
function addressOf(image: ImageRef, tools: SvgTools): string | undefined {
  const { format, bytes, width, height } = image
  if (format === 'png' || format === 'jpeg') return `data:image/${format};base64,${toBase64(bytes)}`
  try {
    tools.check(1 + Math.round((width * height) / 1000))
    const { rgb, alpha } = decodePicture(image, tools.decoders)
    const rgba = new Uint8Array(width * height * 4)
    for (let at = 0; at < width * height; at++) {
      rgba.set(rgb.subarray(at * 3, at * 3 + 3), at * 4)
      rgba[at * 4 + 3] = alpha === undefined ? 255 : (alpha[at] ?? 0)
    }
    const samples = alpha === undefined ? 'rgb' : 'rgba'
    const compress = (data: Uint8Array): Uint8Array => zlib(tools.decoders.codec, data)
    const png = writePng(width, height, { kind: 'rgba', data: rgba, samples }, { zlib: compress })
    return `data:image/png;base64,${toBase64(png)}`
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('image.')) throw error
    tools.warnPicture(error)
    return undefined
  }
}

function adjustId(painter: Painter, adjust: NonNullable<ImageRef['adjust']>): string {
  const body = ` color-interpolation-filters="sRGB">${adjustFilter(adjust)}</filter>\n`
  return define(painter, `filter${body}`, (id) => `<filter id="${id}"${body}`)
}

/** Addresses that a viewer may open. Links within the document refer to other pages, which are not in this file. */
const openable = /^(?:https?|mailto|ftp|tel):/i

function paintLink(painter: Painter, { href, width, height }: LinkItem, x: number, y: number): void {
  if (!openable.test(href) || !(width > 0) || !(height > 0)) return
  const box = `x="${num(x)}" y="${num(y)}" width="${num(width)}" height="${num(height)}"`
  painter.out.push(`<a xlink:href="${escapeAttribute(href)}"><rect ${box} fill-opacity="0"/></a>\n`)
}
