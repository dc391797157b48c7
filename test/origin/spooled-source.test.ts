import { mkdir, readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { spool } from '../../origin/spooled-source.ts'
import { gather } from '../../shared/byte-reader.ts'
import { bytesOf } from '../../shared/plugin/byte-source.ts'
import { useTemporary } from '../helpers/temporary.ts'

const temporary = useTemporary()
const bytes = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) & 255)
async function* arriving(all: Uint8Array) {
  for (let at = 0; at < all.length; at += 60_000) yield all.subarray(at, at + 60_000)
}

describe('bytes that arrive for a conversion', () => {
  for (const size of [0, 10, 4 * 1024 * 1024, 9_000_001])
    it(`${size} of them can be read completely, in part and again, and leave no file`, async () => {
      const folder = temporary()
      await mkdir(folder, { recursive: true })
      const all = bytes(size)
      let seen = 0
      const { source, close } = await spool(
        arriving(all),
        size,
        (chunk) => (seen += chunk.byteLength),
        folder,
      )
      expect([source.size, seen, await readdir(folder)]).toEqual([size, size, []])
      for (let time = 0; time < 2; time++) {
        expect(Buffer.compare(await bytesOf(source), all)).toBe(0)
        expect(Buffer.compare(await gather(source.stream()), all)).toBe(0)
      }
      const part = source.slice(5, 1_000_000).slice(3, 70)
      expect(Buffer.compare(await bytesOf(part), all.subarray(8, 75))).toBe(0)
      expect(Buffer.compare(await gather(part.stream()), all.subarray(8, 75))).toBe(0)
      expect(source.slice(size, size + 10).size).toBe(0)
      await close()
    })

  it('fewer or more than announced are refused', async () => {
    for (const size of [100, 9_000_000])
      for (const reported of [size - 1, size + 1])
        await expect(spool(arriving(bytes(size)), reported, () => {}, temporary())).rejects.toMatchObject({
          code: 'origin.invalid',
        })
  })
})
