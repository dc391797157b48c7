import { expect, it } from 'vitest'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import type { Blobs } from '../../shared/ports/blobs.ts'
import type { Gate } from '../helpers/gate.ts'

/** What stores beyond the network must do besides `blobsContract`: sources are read in pieces, lists come in pages. */
export function remoteBlobsCases(
  open: (settings?: { readonly timeoutMs?: number }) => Promise<Blobs>,
  server: () => Pick<Gate, 'freeze' | 'thaw'>,
): void {
  it('every call reports a store that hangs as unavailable, also in the middle of an object', async () => {
    const blobs = await open({ timeoutMs: 2_000 })
    const size = 40 * 1024 * 1024
    await blobs.put('a/large', fromBytes(new Uint8Array(size)))
    const reader = (await blobs.get('a/large'))!.stream().getReader()
    const source = (await blobs.get('a/large'))!
    await reader.read()
    server().freeze()
    try {
      const rest = async () => {
        for (let done = false; !done; ) done = (await reader.read()).done
      }
      const keys = async () => {
        for await (const _ of blobs.list('a/'));
      }
      const { view: _, ...streamed } = fromBytes(new Uint8Array(size))
      const calls = [
        rest(),
        bytesOf(source),
        blobs.get('a/large'),
        blobs.put('a/small', fromBytes(new Uint8Array(1))),
        blobs.put('a/other', streamed),
        blobs.move('a/large', 'a/moved'),
        blobs.delete('a/large'),
        keys(),
      ]
      const codes = await Promise.all(
        calls.map((call) =>
          call.then(
            () => 'answered',
            (error: { code?: unknown }) => error.code,
          ),
        ),
      )
      expect(codes).toEqual(calls.map(() => 'storage.unavailable'))
    } finally {
      server().thaw()
    }
    await blobs.put('a/small', fromBytes(new Uint8Array(2)))
    expect((await blobs.get('a/small'))?.size).toBe(2)
  })

  it('reading a blob that is replaced meanwhile is an error, never a mixture', async () => {
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
