/** Regroups bytes into arrays of exactly `partBytes`, but for the last, which is shorter and not empty. */
export async function* inParts(
  body: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Uint8Array, undefined> {
  let part = new Uint8Array(partBytes)
  let filled = 0
  for await (const chunk of body) {
    for (let used = 0; used < chunk.byteLength; ) {
      const piece = chunk.subarray(used, used + partBytes - filled)
      part.set(piece, filled)
      filled += piece.byteLength
      used += piece.byteLength
      if (filled === partBytes) {
        yield part
        part = new Uint8Array(partBytes)
        filled = 0
      }
    }
  }
  if (filled > 0) yield part.subarray(0, filled)
}
