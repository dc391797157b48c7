import { createPace } from './pace.ts'

/**
 * Gathers bytes that arrive in chunks of any size. Small chunks are copied together, because an array of its own costs
 * a hundred times the size of one byte.
 */
export interface ByteCollector {
  readonly size: number
  /** Large chunks are kept and not copied, so the caller must not change them. */
  add(chunk: Uint8Array): void
  /**
   * Returns all bytes as one array. Several chunks are copied into one that `allocate` may provide, in steps that yield
   * to other work.
   */
  joined(allocate?: (size: number) => Uint8Array): Promise<Uint8Array>
  /** The gathered chunks, in the order in which they arrived. */
  chunks(): readonly Uint8Array[]
}

const smallBytes = 16 * 1024
const blockBytes = 64 * 1024
/**
 * What has more bytes than this is copied into blocks of this size. Kept, the chunks of a socket would lie in the heap of the C
 * library among other memory, which then cannot return it to the system: 90 MB stayed after bodies of 60 MB. A block is
 * mapped for itself and unmapped when it is freed.
 */
const largeBytes = 1024 * 1024

export function createByteCollector(): ByteCollector {
  const done: Uint8Array[] = []
  let block = new Uint8Array(0)
  let filled = 0
  let size = 0

  function closeBlock(): void {
    if (filled > 0) done.push(block.subarray(0, filled))
    block = new Uint8Array(0)
    filled = 0
  }

  function chunks(): readonly Uint8Array[] {
    closeBlock()
    return done
  }

  return {
    get size() {
      return size
    },
    add(chunk) {
      size += chunk.length
      if (filled + chunk.length > block.length) {
        closeBlock()
        const isLarge = size > largeBytes
        if (chunk.length >= (isLarge ? largeBytes : smallBytes)) return void done.push(chunk)
        // The first small chunk of a small body needs no full block.
        const few = done.length === 0 ? Math.max(1024, chunk.length) : blockBytes
        block = new Uint8Array(isLarge ? largeBytes : few)
      }
      block.set(chunk, filled)
      filled += chunk.length
    },
    async joined(allocate = (length) => new Uint8Array(length)) {
      const [only = new Uint8Array(0), ...others] = chunks()
      if (others.length === 0) return only
      const pace = createPace()
      const all = allocate(size)
      let at = 0
      for (const chunk of chunks()) {
        all.set(chunk, at)
        at += chunk.length
        await pace.rest()
      }
      return all
    },
    chunks,
  }
}
