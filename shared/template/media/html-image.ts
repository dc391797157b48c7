import type { HtmlImage } from '../html/model.ts'
import type { RenderScope } from '../scope.ts'

import { type PlacedImage, renderMedia } from './media.ts'

const missingSide = (5 / 2.54) * 96 // 5 cm

/**
 * The file of a picture in HTML and its size in px of 96 to the inch: as given, with the picture's own ratio where a side is
 * missing, and 5 cm wide without any size. Source: template language 22.5.
 */
export function embedHtmlImage(scope: RenderScope, { source, width, height }: HtmlImage): PlacedImage {
  const square = width ?? height ?? missingSide
  const { file } = scope
    .require(renderMedia)
    .place(source, { width: width ?? square, height: height ?? square })
  const ratio = file.width / file.height
  if (width !== undefined) return { file, width, height: height ?? width / ratio }
  if (height !== undefined) return { file, width: height * ratio, height }
  return { file, width: missingSide, height: missingSide / ratio }
}
