/** Encoding of pictures that an engine has drawn, in the format and size of a request. */
import { optionInteger } from './option-rules.ts'

export type PictureFormat = 'png' | 'jpg' | 'webp' | 'tiff' | 'gif' | 'bmp'

/** The maximum number of pixels that an engine draws for one picture: 400 MB as RGBA. */
export const maxPixels = 100_000_000
/**
 * The maximum width and height of a picture, in pixels. WebP stores 14 bits for a side (RFC 9649); JPEG and
 * GIF store 16, and the other formats, which could hold more, share their limit.
 */
export const maxSide: Readonly<Record<PictureFormat, number>> = {
  png: 65_500,
  jpg: 65_500,
  webp: 16_383,
  tiff: 65_500,
  gif: 65_500,
  bmp: 65_500,
}

/** The picture options of the specification (4.9) and the resolution in dots per inch, for engines that draw pictures. */
export const pictureOptionRules = {
  Resolution: optionInteger(10, 1200),
  PixelWidth: optionInteger(1, 20_000),
  PixelHeight: optionInteger(1, 20_000),
  ColorMode: optionInteger(0, 1, 0),
  Quality: optionInteger(1, 100, 100),
  Compression: optionInteger(0, 9, 0),
  Interlaced: optionInteger(0, 1, 0),
  Translucent: optionInteger(0, 1, 0),
} as const

export interface PictureRequest {
  /**
   * PNG or PPM pictures that an engine drew. Several are stacked from top to bottom and must have the same
   * width.
   */
  readonly tiles: readonly Uint8Array[]
  readonly to: PictureFormat
  /** In pixels. When only one of width and height is set, the aspect ratio is kept. */
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly greyscale?: boolean
  readonly quality?: number | undefined // 1-100
  readonly compression?: number | undefined // 0-9, PNG
  readonly interlaced?: boolean
  readonly opaque?: boolean // transparent pixels are blended with white
}

/** Encodes a picture with native code, which must therefore never be given a picture that a caller sent. */
export type EncodePicture = (request: PictureRequest) => Promise<Uint8Array>
