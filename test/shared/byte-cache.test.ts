import { expect, test } from 'vitest'
import { createByteCache } from '../../shared/byte-cache.ts'
import { streamOf } from '../../shared/byte-reader.ts'

async function* chunks(...sizes: number[]) {
  for (const size of sizes) yield new Uint8Array(size).fill(1)
}
const source = (size: number, ...sizes: number[]) => ({ size, stream: () => streamOf(chunks(...sizes)) })

test.each([
  ['cut off', source(10, 4, 3)],
  ['longer than it was said to be', source(10, 4, 9)],
])('a file that is %s is an error and is not kept', async (_, bad) => {
  const cache = createByteCache({ maxBytes: 100 })
  await expect(cache.get('key', async () => bad)).rejects.toMatchObject({ code: 'storage.blobs' })
  expect(cache.bytes()).toBe(0)
  expect(await cache.get('key', async () => source(5, 3, 2))).toEqual(new Uint8Array(5).fill(1))
  expect(cache.bytes()).toBe(5)
})
