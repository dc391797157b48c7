import { expect, it } from 'vitest'
import { reducedPixmap } from '../../../../../../plugins/engines/instant/paint/raster/pixmap.ts'

/** 16 pixels of all kinds of colours, and an alpha for each. */
const rgb = Uint8Array.from({ length: 48 }, (_, at) => (at * 53) % 256)
const alpha = Uint8Array.from({ length: 16 }, (_, at) => at * 17)

it('keeps the pixels of a picture that is drawn at its own size', () => {
  const { width, height, pixels } = reducedPixmap({ width: 4, height: 4, rgb }, 1, 1, undefined)
  expect([width, height]).toEqual([4, 4])
  for (let at = 0; at < 16; at++)
    expect([...pixels.subarray(4 * at, 4 * at + 4)]).toEqual([...rgb.subarray(3 * at, 3 * at + 3), 255])
})

it('multiplies colours by alpha, rounded', () => {
  const { pixels } = reducedPixmap({ width: 8, height: 2, rgb, alpha }, 1, 1, undefined)
  for (let at = 0; at < 16; at++) {
    const clear = alpha[at] ?? 0
    const colours = [...rgb.subarray(3 * at, 3 * at + 3)].map((colour) => Math.round((colour * clear) / 255))
    expect([...pixels.subarray(4 * at, 4 * at + 4)]).toEqual([...colours, clear])
  }
})

it('makes each pixel the mean of those it replaces', () => {
  const { width, height, pixels } = reducedPixmap({ width: 4, height: 4, rgb }, 4, 4, undefined)
  const mean = (channel: number) =>
    rgb.reduce((sum, value, at) => sum + (at % 3 === channel ? value : 0), 0) / 16
  expect([width, height]).toEqual([1, 1])
  expect(pixels).toEqual(Uint8ClampedArray.of(mean(0), mean(1), mean(2), 255))
})
