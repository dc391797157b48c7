import { describe, expect, it } from 'vitest'
import { gather, streamOf } from '../../../shared/byte-reader.ts'
import { concatBytes } from '../../../shared/bytes.ts'
import { decryptStream, encryptStream } from '../../../shared/services/encrypted-stream.ts'

const key = new Uint8Array(32).fill(7)
const megabyte = 1024 * 1024

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const text = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) & 255)
const seal = (bytes: Uint8Array, chunk = 100_000) => gather(encryptStream(key, inChunks(bytes, chunk)))
const open = (bytes: Uint8Array, chunk = 77_777, by = key) =>
  gather(decryptStream(by, streamOf(inChunks(bytes, chunk))))

/** The pieces of what was sealed, each with its length in front. */
function piecesOf(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = 4 + new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0)
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return pieces
}
const join = (pieces: readonly Uint8Array[]) =>
  concatBytes(
    pieces,
    pieces.reduce((size, piece) => size + piece.length, 0),
  )

describe('bytes at rest', () => {
  for (const length of [0, 1, 5000, megabyte - 1, megabyte, megabyte + 1, 3 * megabyte, 3_500_000])
    it(`${length} bytes come back, whatever the chunks`, async () => {
      const bytes = text(length)
      const hidden = await seal(bytes)
      for (const chunk of [1000, megabyte, 10_000_000])
        expect(Buffer.compare(await open(hidden, chunk), bytes)).toBe(0)
      expect(piecesOf(hidden).length).toBe(Math.max(1, Math.ceil(length / megabyte)))
    })

  it('reveals nothing of its content, and differs each time', async () => {
    const bytes = new TextEncoder().encode('very-secret '.repeat(1000))
    const [first, second] = [await seal(bytes), await seal(bytes)]
    expect(Buffer.from(first).includes('secret')).toBe(false)
    expect(Buffer.compare(first, second)).not.toBe(0)
  })

  it('changed, cut, shortened, doubled or in another order it is refused', async () => {
    const hidden = await seal(text(3_500_000))
    const pieces = piecesOf(hidden)
    const changed = hidden.slice()
    changed[2_000_000]! ^= 1
    const rows: Readonly<Record<string, Uint8Array>> = {
      'a bit': changed,
      'the end cut': hidden.subarray(0, -5),
      'the last piece gone': join(pieces.slice(0, -1)),
      'the first piece gone': join(pieces.slice(1)),
      'two in another order': join([pieces[1]!, pieces[0]!, ...pieces.slice(2)]),
      'one twice': join([pieces[0]!, ...pieces]),
      'more behind it': join([...pieces, pieces.at(-1)!]),
      nothing: new Uint8Array(0),
      'no length': new Uint8Array(3),
      'a length of gigabytes': new Uint8Array([0xff, 0xff, 0xff, 0xff, 1, 2, 3]),
    }
    for (const [name, bytes] of Object.entries(rows))
      await expect(open(bytes), name).rejects.toMatchObject({ code: 'storage.damaged' })
  })

  it('another key opens nothing', async () => {
    await expect(open(await seal(text(100)), 10, new Uint8Array(32))).rejects.toMatchObject({
      code: 'storage.damaged',
    })
  })
})
