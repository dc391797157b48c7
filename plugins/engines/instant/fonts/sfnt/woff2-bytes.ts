/** Reads numbers one after another. Throws RangeError beyond the end. */
export interface ByteCursor {
  readonly view: DataView
  at: number
}

export function bytesAt(bytes: Uint8Array, at = 0, length = bytes.byteLength - at): ByteCursor {
  return { view: new DataView(bytes.buffer, bytes.byteOffset + at, length), at: 0 }
}
export function byte(from: ByteCursor): number {
  return from.view.getUint8(from.at++)
}
export function word(from: ByteCursor): number {
  from.at += 2
  return from.view.getUint16(from.at - 2)
}
