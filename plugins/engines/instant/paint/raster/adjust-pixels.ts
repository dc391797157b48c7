import type { PictureAdjust } from '../../../../../shared/document/paint.ts'

/**
 * Changes the colours of pixels (RGBA, multiplied by alpha) in place, in the same way as the function that
 * `../pdf/adjust-picture.ts` writes for PDF viewers.
 */
export function adjustPixels(pixels: Uint8ClampedArray, adjust: PictureAdjust): void {
  const change = changeOf(adjust)
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = (pixels[at + 3] ?? 0) / 255
    if (alpha === 0) continue
    const [red, green, blue] = change(
      (pixels[at] ?? 0) / 255 / alpha,
      (pixels[at + 1] ?? 0) / 255 / alpha,
      (pixels[at + 2] ?? 0) / 255 / alpha,
    )
    pixels[at] = unit(red) * alpha * 255
    pixels[at + 1] = unit(green) * alpha * 255
    pixels[at + 2] = unit(blue) * alpha * 255
  }
}

const unit = (value: number): number => Math.min(1, Math.max(0, value))

type Rgb = readonly [red: number, green: number, blue: number]

function changeOf(adjust: PictureAdjust): (red: number, green: number, blue: number) => Rgb {
  const { kind, threshold = 0.5, dark = '000000', light = 'FFFFFF', brightness, contrast } = adjust
  // Observed in LibreOffice: contrast scales around middle grey, then brightness is added.
  const slope = contrast >= 0 ? 128 / (128 - 127 * Math.min(0.99, contrast)) : (128 + 127 * contrast) / 128
  const offset = brightness + (1 - slope) * (128 / 255)
  const [darkest, brightest] = [rgbOf(dark), rgbOf(light)]
  const mix = (weight: number, channel: 0 | 1 | 2): number =>
    darkest[channel] + (brightest[channel] - darkest[channel]) * weight
  const recolour = (red: number, green: number, blue: number): Rgb => {
    const grey = 0.299 * red + 0.587 * green + 0.114 * blue
    switch (kind) {
      case 'grey':
        return [grey, grey, grey]
      case 'two-tone': {
        const value = grey >= threshold ? 1 : 0
        return [value, value, value]
      }
      case 'duotone':
        return [mix(grey, 0), mix(grey, 1), mix(grey, 2)]
      case 'inverted':
        return [1 - red, 1 - green, 1 - blue]
      default:
        return [red, green, blue]
    }
  }
  return (...colour) => {
    const [red, green, blue] = recolour(...colour)
    return [red * slope + offset, green * slope + offset, blue * slope + offset]
  }
}

function rgbOf(color: string): Rgb {
  const channel = (index: number): number =>
    (Number.parseInt(color.slice(index * 2, index * 2 + 2), 16) || 0) / 255
  return [channel(0), channel(1), channel(2)]
}
