/**
 * A raster picture as it was stored: bytes in one of five formats, with the facts of its header. `readImage` in
 * `read-image.ts` creates it; pixels are decoded only when a painter cannot use the bytes as they are.
 */
import type { PictureAdjust } from '../../../../shared/document/paint.ts'

export type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'bmp'

export interface ImageRef {
  readonly format: ImageFormat
  readonly bytes: Uint8Array
  readonly width: number // px
  readonly height: number // px
  readonly dpiX: number // 96 when the file declares none
  readonly dpiY: number
  /** Changes of colour that apply when the picture is drawn. */
  readonly adjust?: PictureAdjust
}
