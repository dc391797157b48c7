import { expect, it } from 'vitest'
import { loadWebpDecoder } from '../../edge/webp.ts'

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
/** Eight by six pixels of red. */
const lossy = bytesOf(
  'UklGRjwAAABXRUJQVlA4IDAAAADQAQCdASoIAAYAAUAmJaACdLoB+AADsAD+8ut//NgVzXPv9//S4P0uD9Lg/9KQAAA=',
)
const lossless = bytesOf('UklGRiAAAABXRUJQVlA4TBQAAAAvB0ABAAcQ/Y/+BwCC8L9tIqL/IQ==')

it.each([
  ['lossy', lossy],
  ['lossless', lossless],
])('decodes %s WebP in a Worker, where nothing may be compiled', async (_, bytes) => {
  const picture = (await loadWebpDecoder())(bytes)
  expect([picture?.width, picture?.height, picture?.rgba.length]).toEqual([8, 6, 192])
  expect(picture!.rgba[0]).toBeGreaterThan(240)
  expect(picture!.rgba[1]).toBeLessThan(16)
})
it('reports bytes without a picture', async () => {
  expect((await loadWebpDecoder())(lossy.subarray(0, 20))).toBeUndefined()
})
