import { describe, expect, it } from 'vitest'
import { createOutbound } from '../../../shared/net/outbound.ts'
import { PageFiles } from '../../../shared/net/page-files.ts'
import type { Outbound } from '../../../shared/ports/index.ts'
import { fetchFiles } from '../../../shared/render/merge/fetch-files.ts'

const kilobyte = 1024
const megabyte = 2 ** 20
const pieceBytes = 64 * kilobyte
const totalBytes = 10 * megabyte
const limits = { files: 20, totalBytes, timeoutMs: 60_000, atOnce: 15 }
const signal = new AbortController().signal

/** Files of these sizes, and what the streams that are neither finished nor cancelled have given at most. */
function servingFiles(sizes: readonly number[]) {
  const given = new Map<number, number>()
  let most = 0
  const outbound = createOutbound({
    policy: { allowPrivate: true },
    userAgent: 'test',
    limits,
    transport: async ({ url }) => {
      const index = Number(url.pathname.slice(1))
      const size = sizes[index]!
      const body = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            await new Promise((resolve) => setImmediate(resolve))
            const before = given.get(index) ?? 0
            const bytes = Math.min(pieceBytes, size - before)
            if (bytes === 0) return controller.close()
            given.set(index, before + bytes)
            most = Math.max(
              most,
              [...given.values()].reduce((sum, one) => sum + one, 0),
            )
            controller.enqueue(new Uint8Array(bytes))
          },
          cancel: () => void given.delete(index),
        },
        { highWaterMark: 0 },
      )
      return { status: 200, headers: { 'content-type': 'image/png' }, body }
    },
  })
  return { outbound, urls: sizes.map((_, index) => `http://127.0.0.1/${index}`), most: () => most }
}

type Fetched = { readonly failed: string } | { readonly bytes: Uint8Array }

/** Who fetches several files at once. */
const fetchers: readonly [string, (outbound: Outbound, urls: readonly string[]) => Promise<Fetched[]>][] = [
  [
    'a render',
    async (outbound, urls) =>
      [...(await fetchFiles({ outbound }, urls, signal)).entries()]
        .sort(([a], [b]) => urls.indexOf(a) - urls.indexOf(b))
        .map(([, file]) => file),
  ],
  [
    'a page',
    async (outbound, urls) => {
      const page = new PageFiles({ outbound, authorization: undefined, signal })
      return Promise.all(urls.map((url) => page.load(url)))
    },
  ],
]

/** Sizes of files that are asked for at once, and which of them arrive. */
const samples: readonly [string, readonly number[], readonly boolean[]][] = [
  [
    'files without end cost small ones nothing',
    [30, 30, 30, 30, 30, 30, 30, 30, 30, 1 / 64, 0.5, 2, 0.25].map((size) => size * megabyte),
    [...Array<boolean>(9).fill(false), true, true, true, true],
  ],
  ['all arrive that fit together', [4, 3, 2, 1].map((size) => size * megabyte), [true, true, true, true]],
  ['one too many is cut', [1, 6, 2, 4].map((size) => size * megabyte), [true, false, true, true]],
]

describe.each(fetchers)('the files of %s', (_who, fetchAll) => {
  it.each(samples)(
    'hold no more than their limit while they are downloaded: %s',
    async (_name, sizes, arrive) => {
      const { outbound, urls, most } = servingFiles(sizes)
      const files = await fetchAll(outbound, urls)
      expect(files.map((file) => 'bytes' in file)).toEqual(arrive)
      for (const [index, file] of files.entries())
        if ('bytes' in file) expect(file.bytes.length).toBe(sizes[index])
      // One piece of each download may have been on its way.
      expect(most()).toBeLessThanOrEqual(totalBytes + limits.atOnce * pieceBytes)
    },
  )
})
