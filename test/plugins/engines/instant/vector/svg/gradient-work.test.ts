import { expect, it } from 'vitest'
import { readVector } from '../../../../../../plugins/engines/instant/vector/read-vector.ts'
import { shippedBook } from '../../../../../helpers/instant-fonts.ts'

const tools = { fonts: shippedBook.forDocument(), check: () => undefined }

/** An SVG with a gradient of many stops, and shapes that are filled with it. Returns the milliseconds of CPU time to read it. */
function timeOf(shapes: number): number {
  const stops = Array.from({ length: 30_000 }, (_, n) => `<stop offset="${n / 30_000}" stop-color="#f00"/>`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><linearGradient id="g">${stops.join('')}</linearGradient>${'<rect width="9" height="9" fill="url(#g)"/>'.repeat(shapes)}</svg>`
  const bytes = new TextEncoder().encode(svg)
  const start = process.threadCpuUsage().user
  const picture = readVector(bytes, tools)
  const fills = (picture?.items ?? []).map(({ item }) => (item.kind === 'shape' ? item.path.fill : undefined))
  expect(fills.map((fill) => (fill?.kind === 'linear' ? fill.stops.length : 0))).toEqual(
    Array.from({ length: shapes }, () => 4096),
  )
  return (process.threadCpuUsage().user - start) / 1000
}

it('the stops of a gradient are read once, however many shapes have it', () => {
  timeOf(1)
  const one = timeOf(1)
  expect(timeOf(100)).toBeLessThan(20 * one)
})
