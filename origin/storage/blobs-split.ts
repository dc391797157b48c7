import type { BlobEntry, Blobs } from '../../shared/ports/blobs.ts'

/** Templates and their samples in the first store, all else, which is short-lived, in the second; or all in one. */
export function splitBlobs([templates, renders]: readonly Blobs[]): Blobs {
  if (templates === undefined) throw new Error('No store was opened.')
  if (renders === undefined) return templates
  const of = (key: string) => (/^[^/]*\/(templates|samples)\//.test(key) ? templates : renders)
  return {
    put: (key, body) => of(key).put(key, body),
    get: (key) => of(key).get(key),
    delete: (key) => of(key).delete(key),
    async move(from, to) {
      const [source, target] = [of(from), of(to)]
      if (source === target) return source.move(from, to)
      const found = await source.get(from)
      // The store itself says that nothing is there.
      if (found === undefined) return source.move(from, to)
      await target.put(to, found)
      await source.delete(from)
    },
    list: (prefix, after) => inOrder(templates.list(prefix, after), renders.list(prefix, after)),
  }
}

async function* inOrder(
  left: AsyncIterable<BlobEntry>,
  right: AsyncIterable<BlobEntry>,
): AsyncGenerator<BlobEntry> {
  const [one, two] = [left[Symbol.asyncIterator](), right[Symbol.asyncIterator]()]
  let [a, b] = await Promise.all([one.next(), two.next()])
  while (!a.done || !b.done) {
    if (!a.done && (b.done || a.value.key < b.value.key)) {
      yield a.value
      a = await one.next()
    } else if (!b.done) {
      yield b.value
      b = await two.next()
    }
  }
}
