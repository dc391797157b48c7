/**
 * A raster picture as it came: bytes in one of five formats, with what its header says. Made by `readImage` in
 * `read-image.ts`; pixels are decoded only when a painter cannot take the bytes as they are.
 */
import type { PictureAdjust } from '../../../../shared/document/drawing.ts'

export type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'bmp'

export interface ImageRef {
  readonly format: ImageFormat
  readonly bytes: Uint8Array
  readonly width: number // px
  readonly height: number // px
  readonly dpiX: number // 96 when the file does not say
  readonly dpiY: number
  /** Colours are changed when it is drawn. */
  readonly adjust?: PictureAdjust
}
