import { concatBytes } from '../../../../shared/bytes.ts'
import { adam7 } from '../../../../shared/images/png.ts'
import type { Codec } from '../../../../shared/plugin/values.ts'
import { checkSize, damaged, type Raster, viewOf } from './raster.ts'

/** The chunks of a PNG that are needed to draw it. Source: W3C PNG, third edition. */
export interface PngParts {
  readonly width: number
  readonly height: number
  readonly bitDepth: number
  readonly colourType: 0 | 2 | 3 | 4 | 6
  readonly interlaced: boolean
  readonly palette: Uint8Array // RGB triples
  readonly transparency: Uint8Array | undefined // tRNS
  readonly data: readonly Uint8Array[] // IDAT
  readonly dpiX: number | undefined
  readonly dpiY: number | undefined
}

const maxChunks = 100_000
const channelsOf = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const
const depthsOf: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

/**
 * Reads the chunks. Throws AppError 'image.damaged' or RangeError for an invalid header. Checksums are not
 * verified.
 */
export function readPng(bytes: Uint8Array): PngParts {
  const view = viewOf(bytes)
  const width = view.getUint32(16)
  const height = view.getUint32(20)
  const bitDepth = view.getUint8(24)
  const colourType = view.getUint8(25)
  if (depthsOf[colourType]?.includes(bitDepth) !== true) throw damaged('png', 'its pixel format is unknown')
  let palette = new Uint8Array(0)
  let transparency: Uint8Array | undefined
  let dpi: { x: number; y: number } | undefined
  const data: Uint8Array[] = []
  for (let at = 8, count = 0; at + 8 <= bytes.length && count < maxChunks; count++) {
    const length = view.getUint32(at)
    const kind = view.getUint32(at + 4)
    const body = bytes.subarray(at + 8, at + 8 + length)
    if (kind === 0x49444154) data.push(body)
    else if (kind === 0x504c5445) palette = body.slice(0, 768)
    else if (kind === 0x74524e53) transparency = body
    else if (kind === 0x70485973 && body.length >= 9 && body[8] === 1) {
      const metres = viewOf(body)
      dpi = { x: metres.getUint32(0) * 0.0254, y: metres.getUint32(4) * 0.0254 }
    } else if (kind === 0x49454e44) break
    at += 12 + length
  }
  return {
    width,
    height,
    bitDepth,
    colourType: colourType as PngParts['colourType'],
    interlaced: view.getUint8(28) !== 0,
    palette,
    transparency,
    data,
    dpiX: dpi && Math.round(dpi.x * 100) / 100,
    dpiY: dpi && Math.round(dpi.y * 100) / 100,
  }
}

/** The number of samples in each pixel. */
export function pngChannels(png: PngParts): number {
  return channelsOf[png.colourType]
}

/** The contents of all IDAT chunks, which together are one zlib stream. */
export function pngStream(png: PngParts): Uint8Array {
  return concatBytes(
    png.data,
    png.data.reduce((sum, segment) => sum + segment.length, 0),
  )
}

interface InterlacePass {
  readonly width: number
  readonly height: number
  readonly x: number
  readonly y: number
  readonly stepX: number
  readonly stepY: number
}

function passesOf(png: PngParts): InterlacePass[] {
  if (!png.interlaced) return [{ width: png.width, height: png.height, x: 0, y: 0, stepX: 1, stepY: 1 }]
  return adam7
    .map(([x, y, stepX, stepY]) => ({
      width: Math.ceil((png.width - x) / stepX),
      height: Math.ceil((png.height - y) / stepY),
      ...{ x, y, stepX, stepY },
    }))
    .filter(({ width, height }) => width > 0 && height > 0)
}

/** Inflates the filtered rows. Missing bytes stay zero, so the part of a truncated picture that exists is shown. */
export function inflatePng(png: PngParts, codec: Codec): Uint8Array {
  checkSize('png', png.width, png.height)
  const bits = pngChannels(png) * png.bitDepth
  const size = passesOf(png).reduce(
    (sum, pass) => sum + pass.height * (1 + Math.ceil((pass.width * bits) / 8)),
    0,
  )
  const stream = pngStream(png)
  if (stream.length < 3) throw damaged('png', 'it has no picture data')
  // A zlib stream has two bytes before the deflated data and a checksum after it, which is not verified.
  const rows = codec.inflateRaw(stream.subarray(2), size + 1024)
  if (rows.length >= size) return rows.subarray(0, size)
  const padded = new Uint8Array(size)
  padded.set(rows)
  return padded
}

/** Decodes all pixels to 8-bit RGB with alpha, for interlaced pictures and palettes with transparency. */
export function decodePng(png: PngParts, codec: Codec): Raster {
  const rows = inflatePng(png, codec)
  const rgb = new Uint8Array(png.width * png.height * 3)
  const alpha = new Uint8Array(png.width * png.height).fill(255)
  const write = pixelWriter(png, rgb, alpha)
  const channels = pngChannels(png)
  const pixelBytes = Math.max(1, (channels * png.bitDepth) >> 3)
  let at = 0
  for (const pass of passesOf(png)) {
    const rowBytes = Math.ceil((pass.width * channels * png.bitDepth) / 8)
    let previous: Uint8Array = new Uint8Array(rowBytes)
    for (let row = 0; row < pass.height; row++) {
      const line = rows.subarray(at + 1, at + 1 + rowBytes)
      unfilter(line, previous, rows[at] ?? 0, pixelBytes)
      at += 1 + rowBytes
      for (let column = 0; column < pass.width; column++) {
        const target = (pass.y + row * pass.stepY) * png.width + pass.x + column * pass.stepX
        write(line, column, target)
      }
      previous = line
    }
  }
  return {
    width: png.width,
    height: png.height,
    rgb,
    alpha: alpha.every((value) => value === 255) ? undefined : alpha,
  }
}

/** Undoes the filter of a row in place. */
function unfilter(line: Uint8Array, previous: Uint8Array, kind: number, back: number): void {
  for (let at = 0; at < line.length; at++) {
    const left = at >= back ? (line[at - back] ?? 0) : 0
    const above = previous[at] ?? 0
    if (kind === 1) line[at] = (line[at] ?? 0) + left
    else if (kind === 2) line[at] = (line[at] ?? 0) + above
    else if (kind === 3) line[at] = (line[at] ?? 0) + ((left + above) >> 1)
    else if (kind === 4)
      line[at] = (line[at] ?? 0) + paeth(left, above, at >= back ? (previous[at - back] ?? 0) : 0)
  }
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner
  const byLeft = Math.abs(guess - left)
  const byAbove = Math.abs(guess - above)
  const byCorner = Math.abs(guess - corner)
  if (byLeft <= byAbove && byLeft <= byCorner) return left
  return byAbove <= byCorner ? above : corner
}

type PixelWriter = (line: Uint8Array, column: number, target: number) => void

function pixelWriter(png: PngParts, rgb: Uint8Array, alpha: Uint8Array): PixelWriter {
  const { bitDepth, colourType, palette, transparency } = png
  const channels = pngChannels(png)
  const max = 2 ** Math.min(8, bitDepth) - 1
  /** A sample in 8 bits: the upper 8 bits of a 16-bit one. */
  const sample = (line: Uint8Array, index: number): number => {
    if (bitDepth === 8) return line[index] ?? 0
    if (bitDepth === 16) return line[2 * index] ?? 0
    const bit = index * bitDepth
    return ((line[bit >> 3] ?? 0) >> (8 - bitDepth - (bit & 7))) & max
  }
  if (colourType === 3) {
    return (line, column, target) => {
      const index = sample(line, column)
      for (let part = 0; part < 3; part++) rgb[3 * target + part] = palette[3 * index + part] ?? 0
      alpha[target] = transparency?.[index] ?? 255
    }
  }
  const key = transparency === undefined ? undefined : keyOf(transparency, channels, bitDepth)
  return (line, column, target) => {
    const first = column * channels
    const grey = channels < 3
    for (let part = 0; part < 3; part++) {
      const value = sample(line, first + (grey ? 0 : part))
      rgb[3 * target + part] = bitDepth < 8 ? Math.round((value * 255) / max) : value
    }
    if (channels === 2 || channels === 4) alpha[target] = sample(line, first + channels - 1)
    else if (key?.every((value, part) => sample(line, first + part) === value)) alpha[target] = 0
  }
}

function keyOf(transparency: Uint8Array, channels: number, bitDepth: number): number[] {
  return Array.from(
    { length: channels },
    (_, part) => transparency[2 * part + (bitDepth === 16 ? 0 : 1)] ?? -1,
  )
}
