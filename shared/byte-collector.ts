import { createPace } from './pace.ts'

/**
 * Gathers bytes that arrive in chunks of any size. Small chunks are copied together, because an array of its own costs
 * a hundred times the size of one byte.
 */
export interface ByteCollector {
  readonly size: number
  /** Large chunks are kept and not copied, so the caller must not change them. */
  add(piece: Uint8Array): void
  /**
   * Returns all bytes as one array. Several chunks are copied into one that `allocate` may provide, in steps that yield
   * to other work.
   */
  joined(allocate?: (size: number) => Uint8Array): Promise<Uint8Array>
  /** The gathered chunks, in the order in which they arrived. */
  pieces(): readonly Uint8Array[]
}

const smallBytes = 16 * 1024
const blockBytes = 64 * 1024

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

  function pieces(): readonly Uint8Array[] {
    closeBlock()
    return done
  }

  return {
    get size() {
      return size
    },
    add(piece) {
      size += piece.length
      if (filled + piece.length > block.length) {
        closeBlock()
        if (piece.length >= smallBytes) return void done.push(piece)
        // The first small chunk of a small body needs no full block.
        block = new Uint8Array(done.length === 0 ? Math.max(1024, piece.length) : blockBytes)
      }
      block.set(piece, filled)
      filled += piece.length
    },
    async joined(allocate = (length) => new Uint8Array(length)) {
      const [only = new Uint8Array(0), ...others] = pieces()
      if (others.length === 0) return only
      const pace = createPace()
      const all = allocate(size)
      let at = 0
      for (const piece of pieces()) {
        all.set(piece, at)
        at += piece.length
        await pace.rest()
      }
      return all
    },
    pieces,
  }
}
