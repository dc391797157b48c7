import { checkSize, damaged, type Raster, viewOf } from './raster.ts'

interface BmpHeader {
  readonly width: number
  readonly height: number
  readonly topDown: boolean
  readonly bits: number
  readonly compression: number // 0 none, 1 RLE8, 2 RLE4, 3 and 6 bit fields
  readonly colours: number
  readonly headerSize: number
  readonly dataAt: number
  readonly dpiX: number | undefined
  readonly dpiY: number | undefined
}

/** Reads the header of a bitmap. Source: Microsoft, "Bitmap Storage", BITMAPCOREHEADER up to BITMAPV5HEADER. */
export function bmpHeader(bytes: Uint8Array): BmpHeader {
  const view = viewOf(bytes)
  const headerSize = view.getUint32(14, true)
  const dataAt = view.getUint32(10, true)
  if (headerSize === 12) {
    const bits = view.getUint16(24, true)
    return {
      width: view.getUint16(18, true),
      height: view.getUint16(20, true),
      ...{
        topDown: false,
        bits,
        compression: 0,
        colours: 0,
        headerSize,
        dataAt,
        dpiX: undefined,
        dpiY: undefined,
      },
    }
  }
  const height = view.getInt32(22, true)
  return {
    width: view.getInt32(18, true),
    height: Math.abs(height),
    topDown: height < 0,
    bits: view.getUint16(28, true),
    compression: view.getUint32(30, true),
    colours: view.getUint32(46, true),
    headerSize,
    dataAt,
    dpiX: view.getInt32(38, true) * 0.0254,
    dpiY: view.getInt32(42, true) * 0.0254,
  }
}

export function decodeBmp(bytes: Uint8Array): Raster {
  const header = bmpHeader(bytes)
  checkSize('bmp', header.width, header.height)
  if (![1, 4, 8, 16, 24, 32].includes(header.bits)) throw damaged('bmp', 'its pixel format is unknown')
  const rgb = new Uint8Array(header.width * header.height * 3)
  if (header.bits <= 8) return decodeIndexed(bytes, header, rgb)
  return decodeDirect(bytes, header, rgb)
}

function rowTarget(header: BmpHeader, row: number): number {
  return (header.topDown ? row : header.height - 1 - row) * header.width
}

function decodeIndexed(bytes: Uint8Array, header: BmpHeader, rgb: Uint8Array): Raster {
  const { width, height, bits } = header
  const entry = header.headerSize === 12 ? 3 : 4
  const palette = bytes.subarray(14 + header.headerSize)
  const compressed = header.compression === 1 || header.compression === 2
  const indexes = compressed ? unpackRle(bytes, header) : undefined
  const rowBytes = ((width * bits + 31) >> 5) << 2
  const mask = (1 << bits) - 1
  for (let row = 0; row < height; row++) {
    const target = rowTarget(header, row)
    const line = header.dataAt + row * rowBytes
    for (let column = 0; column < width; column++) {
      const bit = column * bits
      const index =
        indexes?.[row * width + column] ?? ((bytes[line + (bit >> 3)] ?? 0) >> (8 - bits - (bit & 7))) & mask
      for (let part = 0; part < 3; part++)
        rgb[3 * (target + column) + part] = palette[entry * index + 2 - part] ?? 0
    }
  }
  return { width, height, rgb }
}

function decodeDirect(bytes: Uint8Array, header: BmpHeader, rgb: Uint8Array): Raster {
  const { width, height, bits } = header
  const view = viewOf(bytes)
  const size = bits >> 3
  const rowBytes = ((width * bits + 31) >> 5) << 2
  const masks = masksOf(view, header)
  const alpha = (masks[3] ?? 0) !== 0 ? new Uint8Array(width * height).fill(255) : undefined
  const channels = masks.map(channelReader)
  for (let row = 0; row < height; row++) {
    const target = rowTarget(header, row)
    for (let column = 0; column < width; column++) {
      const at = header.dataAt + row * rowBytes + column * size
      if (at + size > bytes.length) continue
      const pixel =
        bits === 16
          ? view.getUint16(at, true)
          : bits === 32
            ? view.getUint32(at, true)
            : view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
      for (let part = 0; part < 3; part++) rgb[3 * (target + column) + part] = channels[part]!(pixel)
      if (alpha !== undefined) alpha[target + column] = channels[3]!(pixel)
    }
  }
  // Many programs declare an alpha channel but leave it zero. Such a picture is opaque.
  const hasTransparency = alpha?.some((value) => value > 0) && alpha.some((value) => value < 255)
  return { width, height, rgb, alpha: hasTransparency ? alpha : undefined }
}

function masksOf(view: DataView, header: BmpHeader): number[] {
  if (header.compression === 3 || header.compression === 6) {
    const masks = [0, 4, 8].map((offset) => view.getUint32(54 + offset, true))
    return [...masks, header.headerSize >= 56 || header.compression === 6 ? view.getUint32(66, true) : 0]
  }
  return header.bits === 16 ? [0x7c00, 0x3e0, 0x1f, 0] : [0xff0000, 0xff00, 0xff, 0]
}

function channelReader(mask: number): (pixel: number) => number {
  if (mask === 0) return () => 0
  let shift = 0
  while (((mask >>> shift) & 1) === 0) shift++
  const max = mask >>> shift
  return (pixel) => Math.round((((pixel & mask) >>> shift) * 255) / max)
}

/** What follows a count of zero. Other values are the number of pixels that follow unpacked. */
const escapeCode = { endOfLine: 0, endOfBitmap: 1, delta: 2 }

/**
 * Decodes RLE8 and RLE4 into one palette index for each pixel, with rows in the order of the file. Source: Microsoft, "Bitmap
 * Compression".
 */
function unpackRle(bytes: Uint8Array, header: BmpHeader): Uint8Array {
  const { width, height } = header
  const indexes = new Uint8Array(width * height)
  const pixelsPerByte = header.compression === 2 ? 2 : 1
  let [x, y] = [0, 0]
  /** Writes a number of pixels; `byteAt` gives the byte that holds the nth of them. */
  const put = (count: number, byteAt: (n: number) => number) => {
    for (let n = 0; n < count; n++, x++) {
      if (x >= width) continue
      const byte = byteAt(n)
      indexes[y * width + x] = pixelsPerByte === 1 ? byte : n % 2 === 0 ? byte >> 4 : byte & 15
    }
  }
  for (let at = header.dataAt; at + 1 < bytes.length && y < height; ) {
    const count = bytes[at] ?? 0
    const value = bytes[at + 1] ?? 0
    at += 2
    if (count > 0) put(count, () => value)
    else if (value === escapeCode.endOfLine) {
      x = 0
      y++
    } else if (value === escapeCode.endOfBitmap) break
    else if (value === escapeCode.delta) {
      x += bytes[at] ?? 0
      y += bytes[at + 1] ?? 0
      at += 2
    } else {
      const start = at
      put(value, (n) => bytes[start + Math.floor(n / pixelsPerByte)] ?? 0)
      const byteCount = Math.ceil(value / pixelsPerByte)
      at += byteCount + (byteCount % 2) // runs begin at even offsets
    }
  }
  return indexes
}
