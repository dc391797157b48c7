import type { HtmlImage } from '../html/model.ts'
import type { RenderScope } from '../scope.ts'

import { renderMedia, type SizedImage } from './media.ts'

const missingSide = (5 / 2.54) * 96 // 5 cm

/**
 * Returns the file of a picture in HTML and its size in px (96 per inch). A missing side follows from the aspect ratio of the
 * picture, and without any size it is 5 cm wide. It is never wider than the text, which is `available` px wide. Source:
 * template language 22.5.
 */
export function embedHtmlImage(scope: RenderScope, image: HtmlImage, available: number): SizedImage {
  const placed = placedImage(scope, image, available)
  if (placed.width <= available) return placed
  return { ...placed, width: available, height: (placed.height * available) / placed.width }
}

function placedImage(scope: RenderScope, image: HtmlImage, available: number): SizedImage {
  const { source, height, percent } = image
  const width = percent === undefined ? image.width : (available * percent) / 100
  const square = width ?? height ?? missingSide
  const { file } = scope
    .require(renderMedia)
    .place(source, { width: width ?? square, height: height ?? square })
  const ratio = file.width / file.height
  if (width !== undefined) return { file, width, height: height ?? width / ratio }
  if (height !== undefined) return { file, width: height * ratio, height }
  return { file, width: missingSide, height: missingSide / ratio }
}
