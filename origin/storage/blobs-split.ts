import type { BlobEntry, Blobs } from '../../shared/ports/blobs.ts'

/**
 * Combines two stores into one: the first holds templates and their samples, the second everything else,
 * which is short-lived. With a single store, returns that.
 */
export function splitBlobs([templates, renders]: readonly Blobs[]): Blobs {
  if (templates === undefined) throw new Error('No store was opened.')
  if (renders === undefined) return templates
  const storeOf = (key: string) => (/^[^/]*\/(templates|samples)\//.test(key) ? templates : renders)
  return {
    put: (key, body) => storeOf(key).put(key, body),
    get: (key) => storeOf(key).get(key),
    delete: (key) => storeOf(key).delete(key),
    async move(from, to) {
      const [source, target] = [storeOf(from), storeOf(to)]
      if (source === target) return source.move(from, to)
      const sourceBlob = await source.get(from)
      // Moving a missing blob within the store throws that store's error.
      if (sourceBlob === undefined) return source.move(from, to)
      await target.put(to, sourceBlob)
      await source.delete(from)
    },
    list: (prefix, after) => merged(templates.list(prefix, after), renders.list(prefix, after)),
  }
}

/** Merges two listings that are each in the order of keys. */
async function* merged(
  left: AsyncIterable<BlobEntry>,
  right: AsyncIterable<BlobEntry>,
): AsyncGenerator<BlobEntry> {
  const [leftIterator, rightIterator] = [left[Symbol.asyncIterator](), right[Symbol.asyncIterator]()]
  let [a, b] = await Promise.all([leftIterator.next(), rightIterator.next()])
  while (!a.done || !b.done) {
    if (!a.done && (b.done || a.value.key < b.value.key)) {
      yield a.value
      a = await leftIterator.next()
    } else if (!b.done) {
      yield b.value
      b = await rightIterator.next()
    }
  }
}
