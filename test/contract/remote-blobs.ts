import { expect, it } from 'vitest'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import type { Blobs } from '../../shared/ports/blobs.ts'

/** What stores beyond the network must do besides `blobsContract`: sources are read in pieces, lists come in pages. */
export function remoteBlobsCases(open: () => Promise<Blobs>): void {
  it('a blob that was replaced while it was read is an error, never half of each', async () => {
    const blobs = await open()
    await blobs.put('a/b', fromBytes(new Uint8Array(1000)))
    const source = (await blobs.get('a/b'))!
    await blobs.put('a/b', fromBytes(new Uint8Array(1000).fill(1)))
    await expect(bytesOf(source)).rejects.toMatchObject({ code: 'storage.blobs' })
    await blobs.delete('a/b')
    await expect(new Response(source.stream()).arrayBuffer()).rejects.toMatchObject({ code: 'storage.blobs' })
  })

  it('lists more than one page', async () => {
    const blobs = await open()
    const keys = Array.from({ length: 1_100 }, (_, n) => `a/${String(n).padStart(4, '0')}`)
    for (let at = 0; at < keys.length; at += 100)
      await Promise.all(keys.slice(at, at + 100).map((key) => blobs.put(key, fromBytes(new Uint8Array(1)))))
    const found: string[] = []
    for await (const { key } of blobs.list('a/')) found.push(key)
    expect(found).toEqual(keys)
  })
}
