import { expect, it } from 'vitest'
import { decodeWebp } from '../../edge/webp.ts'

/** Eight by six pixels of red, compressed with losses. */
const red = Uint8Array.from(
  atob('UklGRjwAAABXRUJQVlA4IDAAAADQAQCdASoIAAYAAUAmJaACdLoB+AADsAD+8ut//NgVzXPv9//S4P0uD9Lg/9KQAAA='),
  (letter) => letter.charCodeAt(0),
)

it('decodes WebP with losses in a Worker, where nothing may be compiled', async () => {
  const picture = await decodeWebp(red)
  expect([picture?.width, picture?.height, picture?.rgba.length]).toEqual([8, 6, 192])
  expect(picture!.rgba[0]).toBeGreaterThan(240)
  expect(picture!.rgba[1]).toBeLessThan(16)
})
it('says so when there is no picture in the bytes', async () => {
  expect(await decodeWebp(red.subarray(0, 20))).toBeUndefined()
})
