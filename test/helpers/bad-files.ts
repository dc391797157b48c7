/** Each spoils a good file: what programs and networks do to files. */
export const spoilers: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array])[] = [
  ['nothing of it left', () => new Uint8Array(0)],
  ['its first half', (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ['its last half', (bytes) => bytes.subarray(bytes.length >> 1)],
  ['all but its last byte', (bytes) => bytes.subarray(0, -1)],
  ['zeros in its middle', (bytes) => bytes.slice().fill(0, bytes.length >> 2, bytes.length >> 1)],
  ['every seventh byte another', (bytes) => bytes.map((byte, at) => (at % 7 === 3 ? byte ^ 0x5a : byte))],
]
