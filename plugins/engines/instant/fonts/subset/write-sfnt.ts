/** Tables, sorted by tag, as a TrueType file with its checksums. Source: OpenType 1.9, "Organization". */
export function writeSfnt(tables: readonly (readonly [tag: string, bytes: Uint8Array])[]): Uint8Array {
  const headerSize = 12 + 16 * tables.length
  const size = tables.reduce((sum, [, bytes]) => sum + ((bytes.length + 3) & ~3), headerSize)
  const file = new Uint8Array(size)
  const view = new DataView(file.buffer)
  const power = 2 ** Math.floor(Math.log2(tables.length))
  view.setUint32(0, 0x00010000)
  view.setUint16(4, tables.length)
  view.setUint16(6, 16 * power)
  view.setUint16(8, Math.log2(power))
  view.setUint16(10, 16 * (tables.length - power))
  let at = headerSize
  let head = -1
  for (const [index, [tag, bytes]] of tables.entries()) {
    file.set(bytes, at)
    if (tag === 'head') {
      head = at
      view.setUint32(at + 8, 0)
    }
    const padded = (bytes.length + 3) & ~3
    const record = 12 + 16 * index
    for (let letter = 0; letter < 4; letter++) view.setUint8(record + letter, tag.charCodeAt(letter))
    view.setUint32(record + 4, checksum(view, at, padded))
    view.setUint32(record + 8, at)
    view.setUint32(record + 12, bytes.length)
    at += padded
  }
  if (head >= 0) view.setUint32(head + 8, (0xb1b0afba - checksum(view, 0, size)) >>> 0)
  return file
}

function checksum(view: DataView, start: number, length: number): number {
  let sum = 0
  for (let at = start; at < start + length; at += 4) sum = (sum + view.getUint32(at)) | 0
  return sum >>> 0
}

/** Writes tables in any order. Readers recognize the kind of outlines by the tables. */
export function assembleSfnt(tables: ReadonlyMap<string, Uint8Array>): Uint8Array {
  return writeSfnt([...tables].sort(([a], [b]) => (a < b ? -1 : 1)))
}
