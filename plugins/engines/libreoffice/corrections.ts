import type { FormatId } from '../../../shared/plugin/contract.ts'

/** What the office writes a little wrong, and what is right. Each gets a file of its own to change. */
export const corrections: Readonly<Record<FormatId, (file: Uint8Array) => Uint8Array>> = {
  html: withoutControls,
  emf: withAllRecords,
  bmp: withOwnLength,
}

/** The marks around the content controls of a text stay in the HTML that the office writes. */
function withoutControls(file: Uint8Array): Uint8Array {
  return file.filter((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d)
}

/** The header counts all records but the last, which ends the file ([MS-EMF] 2.2.9, Records: all of them). */
function withAllRecords(file: Uint8Array): Uint8Array {
  const data = new DataView(file.buffer, file.byteOffset, file.byteLength)
  let records = 0
  for (let at = 0; at + 8 <= file.length; records++) {
    const size = data.getUint32(at + 4, true)
    if (size < 8) return file
    at += size
  }
  if (file.length >= 56) data.setUint32(52, records, true)
  return file
}

/** Of a picture with transparency the header says the length that it would have with it. */
function withOwnLength(file: Uint8Array): Uint8Array {
  if (file.length >= 6) new DataView(file.buffer, file.byteOffset).setUint32(2, file.length, true)
  return file
}
