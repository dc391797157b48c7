/** Reads numbers one after another; past the end it throws RangeError. */
export interface Bytes {
  readonly view: DataView
  at: number
}

export function bytesAt(bytes: Uint8Array, at = 0, length = bytes.byteLength - at): Bytes {
  return { view: new DataView(bytes.buffer, bytes.byteOffset + at, length), at: 0 }
}
export function byte(from: Bytes): number {
  return from.view.getUint8(from.at++)
}
export function word(from: Bytes): number {
  from.at += 2
  return from.view.getUint16(from.at - 2)
}
