import { describe, expect, it } from 'vitest'
import { AppError } from '../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import type { Blobs } from '../../shared/ports/blobs.ts'
import { titled } from '../helpers/titled.ts'

const text = (value: string) => new TextEncoder().encode(value)

/** Bytes that no compression or text handling leaves as they are, and that differ at each offset. */
function pattern(size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  for (let i = 0; i < size; i++) bytes[i] = (i * 31 + (i >> 8) * 17 + (i >> 16)) & 255
  return bytes
}

function streamOf(chunks: readonly Uint8Array[], failure?: Error): ReadableStream<Uint8Array> {
  let index = 0
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks[index++]
      if (chunk !== undefined) controller.enqueue(chunk)
      else if (failure !== undefined) controller.error(failure)
      else controller.close()
    },
  })
}

async function read(blobs: Blobs, key: string): Promise<Uint8Array | undefined> {
  const found = await blobs.get(key)
  return found && bytesOf(found)
}

async function keys(blobs: Blobs, prefix: string, after?: string): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { key } of blobs.list(prefix, after)) found.push(key)
  return found
}

/** What every store of blobs does alike. `open` gives one that is empty, and is called once per test. */
export function blobsContract(
  name: string,
  open: () => Promise<Blobs>,
  // Not of real stores: one that lists in an order of its own, one whose writers of one key come between each other.
  { sorts = true, wholeWrites = true } = {},
): void {
  describe(`blobs: ${name}`, () => {
    const sizes: readonly [string, number][] = [
      ['nothing', 0],
      ['one byte', 1],
      ['more than a chunk', 131_073],
      ['more than a multipart part', 12 * 1024 * 1024 + 7],
    ]
    for (const [label, size] of sizes) {
      it(`gives back ${label}, put as bytes and as a stream`, async () => {
        const blobs = await open()
        const bytes = pattern(size)
        expect(await blobs.put('a/bytes', fromBytes(bytes))).toBe(size)
        const parts = [bytes.subarray(0, 70_000), new Uint8Array(0), bytes.subarray(70_000)]
        expect(await blobs.put('a/stream', streamOf(parts))).toBe(size)
        for (const key of ['a/bytes', 'a/stream']) {
          const found = await blobs.get(key)
          expect(found?.size).toBe(size)
          expect(same(await bytesOf(found!), bytes)).toBe(true)
          expect(same(await collect(found!.stream()), bytes)).toBe(true)
        }
      })
    }

    it('puts a source that another blob gave', async () => {
      const blobs = await open()
      await blobs.put('a/one', fromBytes(pattern(300_000)))
      expect(await blobs.put('a/two', (await blobs.get('a/one'))!)).toBe(300_000)
      expect(same((await read(blobs, 'a/two'))!, pattern(300_000))).toBe(true)
    })

    it('reads ranges, also of ranges, cut at the ends', async () => {
      const blobs = await open()
      await blobs.put('a/range', fromBytes(text('0123456789')))
      const whole = (await blobs.get('a/range'))!
      const cases: readonly [number, number, string][] = [
        [0, 4, '0123'],
        [7, 99, '789'],
        [4, 4, ''],
        [99, 120, ''],
        [6, 3, ''],
      ]
      for (const [start, end, expected] of cases) {
        const part = whole.slice(start, end)
        expect(part.size).toBe(expected.length)
        expect(new TextDecoder().decode(await bytesOf(part))).toBe(expected)
        expect(new TextDecoder().decode(await collect(part.stream()))).toBe(expected)
      }
      expect(new TextDecoder().decode(await bytesOf(whole.slice(2, 8).slice(1, 3)))).toBe('34')
    })

    it('reports a key that was never put as missing', async () => {
      const blobs = await open()
      expect(await blobs.get('a/none')).toBeUndefined()
      await blobs.delete('a/none')
      await blobs.put('a/file', fromBytes(text('x')))
      expect(await blobs.get('a/file/below')).toBeUndefined()
    })

    it('replaces, and deletes', async () => {
      const blobs = await open()
      await blobs.put('a/key', fromBytes(text('a longer first text')))
      await blobs.put('a/key', fromBytes(text('second')))
      expect(await read(blobs, 'a/key')).toEqual(text('second'))
      await blobs.delete('a/key')
      expect(await blobs.get('a/key')).toBeUndefined()
    })

    it('deletes several at once, including absent ones', async () => {
      const blobs = await open()
      for (const key of ['a/1', 'a/2', 'a/3']) await blobs.put(key, fromBytes(text(key)))
      if (blobs.deleteMany === undefined) return
      await blobs.deleteMany(['a/1', 'a/3', 'a/4'])
      const left: string[] = []
      for await (const { key } of blobs.list('a/')) left.push(key)
      expect(left).toEqual(['a/2'])
    })

    for (const size of [10, 200_000, 11 * 1024 * 1024]) {
      it(`keeps the previous blob when a stream fails after ${size} bytes, and passes on the error of the stream`, async () => {
        const blobs = await open()
        const failure = new AppError('api.not-found')
        await blobs.put('a/kept', fromBytes(text('before')))
        await expect(blobs.put('a/kept', streamOf([pattern(size)], failure))).rejects.toBe(failure)
        await expect(blobs.put('a/new', streamOf([pattern(size)], failure))).rejects.toBe(failure)
        expect(await read(blobs, 'a/kept')).toEqual(text('before'))
        expect(await keys(blobs, '')).toEqual(['a/kept'])
      })
    }

    it('moves a blob and replaces one at the target', async () => {
      const blobs = await open()
      await blobs.put('a/from', fromBytes(text('new')))
      await blobs.put('b/c/to', fromBytes(text('old')))
      await blobs.move('a/from', 'b/c/to')
      expect(await read(blobs, 'b/c/to')).toEqual(text('new'))
      expect(await blobs.get('a/from')).toBeUndefined()
      await expect(blobs.move('a/from', 'b/d')).rejects.toMatchObject({ code: 'storage.blobs' })
      expect(await read(blobs, 'b/c/to')).toEqual(text('new'))
    })

    it.runIf(sorts)('lists below a prefix in the order of keys, from any key', async () => {
      const blobs = await open()
      const all = ['a-b/1', 'a.b/1', 'a/1', 'a/10', 'a/2', 'a/b/1', 'a/b.x', 'a0/1', 'b']
      for (const key of [...all].reverse()) await blobs.put(key, fromBytes(text(key)))
      const sorted = [...all].sort((a, b) => (a < b ? -1 : 1))
      expect(await keys(blobs, '')).toEqual(sorted)
      expect(await keys(blobs, 'a/')).toEqual(['a/1', 'a/10', 'a/2', 'a/b.x', 'a/b/1'])
      expect(await keys(blobs, 'a/1')).toEqual(['a/1', 'a/10'])
      expect(await keys(blobs, 'none')).toEqual([])
      for (const after of sorted)
        expect(await keys(blobs, '', after)).toEqual(sorted.filter((key) => key > after))
      expect(await keys(blobs, 'a/', 'a/10')).toEqual(['a/2', 'a/b.x', 'a/b/1'])
      expect(await keys(blobs, 'a/', 'a/b')).toEqual(['a/b.x', 'a/b/1'])
    })

    it('lists sizes and times', async () => {
      const blobs = await open()
      const before = Date.now() - 2000 // clocks of file systems tick coarsely
      await blobs.put('a/key', fromBytes(pattern(1234)))
      for await (const entry of blobs.list('a/')) {
        expect(entry).toMatchObject({ key: 'a/key', size: 1234 })
        expect(entry.writtenAt).toBeGreaterThan(before)
        expect(entry.writtenAt).toBeLessThan(Date.now() + 2000)
      }
      expect(await keys(blobs, 'a/')).toHaveLength(1)
    })

    it('touching a blob renews its time, and creates none', async () => {
      const blobs = await open()
      if (blobs.touch === undefined) return
      const times: number[] = []
      await blobs.put('a/key', fromBytes(pattern(1234)))
      for (const touch of [false, true]) {
        if (touch) {
          await new Promise((resolve) => setTimeout(resolve, 20))
          await blobs.touch('a/key')
        }
        for await (const { writtenAt } of blobs.list('a/')) times.push(writtenAt)
      }
      expect(times[1]).toBeGreaterThan(times[0]!)
      expect(same((await read(blobs, 'a/key'))!, pattern(1234))).toBe(true)
      await blobs.touch('a/none')
      expect(await keys(blobs, '')).toEqual(['a/key'])
    })

    it('holds the complete value of one writer when many write one key at once', async () => {
      const blobs = await open()
      const writers = Array.from({ length: 8 }, (_, n) => new Uint8Array(150_000).fill(n))
      const write = (bytes: Uint8Array) => blobs.put('a/key', streamOf([bytes]))
      if (wholeWrites) await Promise.all(writers.map(write))
      else for (const bytes of writers) await write(bytes)
      const found = (await read(blobs, 'a/key'))!
      expect(found.byteLength).toBe(150_000)
      expect(same(found, writers[found[0]!]!)).toBe(true)
    })

    const refused = [
      '',
      '/',
      'a//b',
      '/a',
      'a/',
      '../a',
      'a/../b',
      'a/.b',
      '.a',
      'a b',
      'a\\b',
      'a\u0000',
      'é',
      'a%2f',
    ]
    it.each(titled([...refused, 'x'.repeat(513)].map((key) => [key] as const)))(
      'refuses the key %s everywhere',
      async (_title, key) => {
        const blobs = await open()
        const error = { code: 'storage.blobs' }
        await expect(blobs.put(key, fromBytes(text('x')))).rejects.toMatchObject(error)
        await expect(blobs.get(key)).rejects.toMatchObject(error)
        await expect(blobs.delete(key)).rejects.toMatchObject(error)
        await expect(blobs.move(key, 'a/b')).rejects.toMatchObject(error)
        expect(await keys(blobs, '')).toEqual([])
      },
    )
  })
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream as never).arrayBuffer())
}

/** `toEqual` on megabytes takes seconds. */
function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && a.every((byte, index) => byte === b[index])
}
