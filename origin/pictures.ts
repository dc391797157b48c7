import type { Sharp, SharpOptions } from 'sharp'
import { maxOf } from '../shared/extremes.ts'
import {
  type EncodePicture,
  maxPixels,
  type PictureFormat,
  type PictureRequest,
} from '../shared/plugin/pictures.ts'

/**
 * The effort of the WebP encoder, from 0 to 6. Higher values save a few percent of the bytes and can take
 * minutes.
 */
const effort = 4

/**
 * Joins tiles, scales and encodes with libvips, in its own threads. The library is loaded for the first picture, so
 * an origin that produces none does not load it.
 */
export const encodePicture: EncodePicture = async (request) => {
  const limits = { limitInputPixels: maxPixels, failOn: 'none' as const }
  let picture = await opened(request.tiles, limits)
  const { width, height } = request
  if (width !== undefined || height !== undefined) {
    const size = { ...(width && { width }), ...(height && { height }) }
    picture = picture.resize({ ...size, fit: 'fill' })
  }
  if (request.opaque === true) picture = picture.flatten({ background: '#ffffff' })
  if (request.greyscale === true) picture = picture.toColourspace('b-w')
  if (request.to === 'bmp') return bitmapOf(picture)
  const output = await encoded(picture, request.to, request).toBuffer()
  return new Uint8Array(output.buffer, output.byteOffset, output.byteLength)
}

async function opened(tiles: readonly Uint8Array[], limits: SharpOptions): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  const [first, ...rest] = tiles
  if (first === undefined) throw new Error('A picture needs at least one tile.')
  if (rest.length === 0) return sharp(first, limits)
  const joined = sharp([...tiles], { ...limits, join: { across: 1 } })
  // libvips gives every tile the height of the tallest. The last tile may be shorter, so the excess is cut
  // off.
  const sizes = await Promise.all(tiles.map((tile) => sharp(tile, limits).metadata()))
  const width = maxOf(sizes.map((size) => size.width))
  const tallest = maxOf(sizes.map((size) => size.height))
  const height = tallest * rest.length + (sizes.at(-1)?.height ?? 0)
  return joined.extract({ left: 0, top: 0, width, height })
}

function encoded(
  picture: Sharp,
  to: Exclude<PictureFormat, 'bmp'>,
  { quality, compression, interlaced }: PictureRequest,
): Sharp {
  switch (to) {
    case 'png':
      return picture.png({
        compressionLevel: compression ?? 6,
        progressive: interlaced === true,
      })
    case 'jpg':
      return picture.jpeg({
        quality: quality ?? 100,
        progressive: interlaced === true,
        ...((quality ?? 100) >= 90 && { chromaSubsampling: '4:4:4' }),
      })
    case 'webp':
      return picture.webp({ quality: quality ?? 90, effort })
    case 'tiff':
      return picture.tiff({ compression: 'deflate', predictor: 'horizontal' })
    case 'gif':
      return picture.gif()
    default:
      return to satisfies never
  }
}

/**
 * Writes a BMP with 24 bits per pixel and rows from bottom to top ([MS-WMF] 2.2.2.9), because libvips only
 * reads BMP.
 */
async function bitmapOf(picture: Sharp): Promise<Uint8Array> {
  const { data, info } = await picture
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const headBytes = 54
  const rowBytes = Math.ceil((width * 3) / 4) * 4
  const bytes = new Uint8Array(headBytes + rowBytes * height)
  const view = new DataView(bytes.buffer)
  bytes.set([0x42, 0x4d])
  view.setUint32(2, bytes.length, true)
  view.setUint32(10, headBytes, true)
  view.setUint32(14, 40, true)
  view.setInt32(18, width, true)
  view.setInt32(22, height, true)
  view.setUint16(26, 1, true)
  view.setUint16(28, 24, true)
  view.setUint32(34, rowBytes * height, true)
  for (let y = 0; y < height; y++) {
    let to = headBytes + rowBytes * (height - 1 - y)
    for (let from = y * width * channels; from < (y + 1) * width * channels; from += channels) {
      bytes[to++] = data[from + (channels > 2 ? 2 : 0)] ?? 0
      bytes[to++] = data[from + (channels > 2 ? 1 : 0)] ?? 0
      bytes[to++] = data[from] ?? 0
    }
  }
  return bytes
}
