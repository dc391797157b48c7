/** Pictures that an engine has drawn and that shall be handed over in another form. */
import { optionInteger } from './option-rules.ts'

export type PictureFormat = 'png' | 'jpg' | 'webp' | 'tiff' | 'gif' | 'bmp'

/** The most pixels any engine draws for one picture. */
export const mostPixels = 100_000_000
/** The longest side each format can hold, or that we offer in it. */
export const longestSide: Readonly<Record<PictureFormat, number>> = {
  png: 65_500,
  jpg: 65_500,
  webp: 16_383,
  tiff: 65_500,
  gif: 65_500,
  bmp: 65_500,
}

/** The picture options of the specification (4.9), for engines that draw pictures themselves. */
export const pictureOptionRules = {
  PixelWidth: optionInteger(1, 20_000),
  PixelHeight: optionInteger(1, 20_000),
  ColorMode: optionInteger(0, 1, 0),
  Quality: optionInteger(1, 100, 100),
  Compression: optionInteger(0, 9, 0),
  Interlaced: optionInteger(0, 1, 0),
  Translucent: optionInteger(0, 1, 0),
} as const

export interface PictureRequest {
  /** Pictures of an engine's own making, PNG or PPM. Several are put below each other; all are as wide as the first. */
  readonly tiles: readonly Uint8Array[]
  readonly to: PictureFormat
  /** Pixels; one side alone keeps the shape. */
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly greyscale?: boolean
  readonly quality?: number | undefined // 1-100
  readonly compression?: number | undefined // 0-9, PNG
  readonly interlaced?: boolean
  readonly opaque?: boolean // on white
}

/** Given by a side that can: native code, so never a caller's own picture. */
export type EncodePicture = (request: PictureRequest) => Promise<Uint8Array>
