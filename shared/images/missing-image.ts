/** The placeholder for a missing image: a neutral box with a cross. */
import { writePng } from './png.ts'

const background = 0xf2f2f2
const stroke = 0xa0a0a0
const maxSide = 320 // pixels

/** Draws the placeholder as a grey PNG. `ratio`: width by height, limited to 1:20 and 20:1. */
export function missingImagePng(ratio: number): Uint8Array {
  const sound = Number.isFinite(ratio) && ratio > 0 ? Math.min(Math.max(ratio, 1 / 20), 20) : 1
  const width = Math.round(sound >= 1 ? maxSide : maxSide * sound)
  const height = Math.round(sound >= 1 ? maxSide / sound : maxSide)
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const edge = x < 2 || y < 2 || x >= width - 2 || y >= height - 2
      const across = (x * (height - 1)) / (width - 1)
      const thickness = Math.max(1, height / width)
      const cross = Math.abs(across - y) <= thickness || Math.abs(height - 1 - across - y) <= thickness
      if (edge || cross) data[y * width + x] = 1
    }
  }
  return writePng(width, height, { kind: 'palette', colors: [background, stroke], data })
}
