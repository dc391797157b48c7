/**
 * The protocol between the service and `bridge.py`: two big-endian uint32 (length of the JSON head, length of the payload), the
 * head, the payload.
 */
import type { Readable } from 'node:stream'

export interface BridgeFrame {
  readonly head: Readonly<Record<string, unknown>>
  readonly payload: Uint8Array
}

const prefixBytes = 8

/** The parts of a frame in the order in which they are written. The payload is not copied. */
export function encodeFrame(head: Readonly<Record<string, unknown>>, payload?: Uint8Array): Uint8Array[] {
  const json = new TextEncoder().encode(JSON.stringify(head))
  const start = new Uint8Array(prefixBytes + json.length)
  const view = new DataView(start.buffer)
  view.setUint32(0, json.length)
  view.setUint32(4, payload?.length ?? 0)
  start.set(json, prefixBytes)
  return payload === undefined || payload.length === 0 ? [start] : [start, payload]
}

/** Calls `onFrame` for each frame when it is complete. */
export function readFrames(stream: Readable, onFrame: (frame: BridgeFrame) => void): void {
  let chunks: Uint8Array[] = []
  let buffered = 0
  let needed = prefixBytes
  let headSize = -1
  stream.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk)
    buffered += chunk.length
    while (buffered >= needed) {
      if (headSize < 0) {
        const all = joined()
        const view = new DataView(all.buffer, all.byteOffset, all.byteLength)
        headSize = view.getUint32(0)
        needed = prefixBytes + headSize + view.getUint32(4)
        continue
      }
      const all = joined()
      const head = JSON.parse(new TextDecoder().decode(all.subarray(prefixBytes, prefixBytes + headSize)))
      // A copy, because the buffers of the pipe are reused.
      const payload = all.slice(prefixBytes + headSize, needed)
      chunks = [all.subarray(needed)]
      buffered -= needed
      needed = prefixBytes
      headSize = -1
      onFrame({ head, payload })
    }
  })

  function joined(): Uint8Array {
    if (chunks.length === 1) return chunks[0] as Uint8Array
    const all = new Uint8Array(buffered)
    let at = 0
    for (const chunk of chunks) {
      all.set(chunk, at)
      at += chunk.length
    }
    chunks = [all]
    return all
  }
}
