import { crc32, deflateSync } from 'node:zlib'

/** A grey PNG from its rows, each with the filter byte 0 before it. */
export function greyPng(width: number, height: number, rows: Uint8Array): Uint8Array {
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header.set([8, 0, 0, 0, 0], 8)
  return Buffer.concat([
    new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', new Uint8Array()),
  ])
}

/** A PNG of one grey. */
export function plainPng(width: number, height: number): Uint8Array {
  const rows = new Uint8Array((width + 1) * height).fill(120)
  for (let y = 0; y < height; y++) rows[y * (width + 1)] = 0
  return greyPng(width, height, rows)
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  bytes.set(new TextEncoder().encode(type), 4)
  bytes.set(data, 8)
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)))
  return bytes
}
