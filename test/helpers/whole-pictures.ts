import { unzlibSync } from 'fflate'
import type { FormatId } from '../../shared/plugin/values.ts'

/**
 * What is wrong inside a picture, read from its first byte to its last as its format says; undefined when all is well.
 * Lengths, counts and sizes must agree with what is there, and something must be drawn.
 */
export type Walk = (bytes: Uint8Array) => string | undefined

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const latin = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const sized = (width: number, height: number) =>
  width > 0 && height > 0 && width < 65_536 && height < 65_536
    ? undefined
    : `is ${width} by ${height} in size`

/** Netpbm: one header, then exactly as many bytes as its size says. */
const netpbm =
  (rowOf: (width: number) => number): Walk =>
  (bytes) => {
    const header = /^P\d\n(\d+) (\d+)\n(?:255\n)?/.exec(latin(bytes.subarray(0, 60)))
    const [width, height] = [Number(header?.[1]), Number(header?.[2])]
    const wanted = (header?.[0].length ?? 0) + rowOf(width) * height
    return sized(width, height) ?? (bytes.length === wanted ? undefined : `has ${bytes.length} of ${wanted}`)
  }

function sunRaster(bytes: Uint8Array): string | undefined {
  const data = view(bytes)
  const [width, height, depth, length] = [4, 8, 12, 16].map((at) => data.getUint32(at)) as [
    number,
    number,
    number,
    number,
  ]
  const row = Math.ceil((width * depth) / 16) * 2 // rows end on 16 bits
  const wanted = 32 + data.getUint32(28) + length
  if (length !== row * height) return `says ${length} bytes for rows of ${row}`
  return sized(width, height) ?? (bytes.length === wanted ? undefined : `has ${bytes.length} of ${wanted}`)
}

/** SWF File Format Specification 10, chapter 2: header, then tags up to End; ShowFrame for each frame. */
function flash(bytes: Uint8Array): string | undefined {
  const data = view(bytes)
  if (data.getUint32(4, true) !== bytes.length) return 'its length is another'
  const bits = (bytes[8] ?? 0) >> 3
  let at = 8 + Math.ceil((5 + 4 * bits) / 8) + 2
  const frames = data.getUint16(at, true)
  const seen = new Map<number, number>()
  for (at += 2; at + 2 <= bytes.length; ) {
    const head = data.getUint16(at, true)
    const code = head >> 6
    const long = (head & 63) === 63
    const length = long ? data.getUint32(at + 2, true) : head & 63
    const body = at + (long ? 6 : 2)
    seen.set(code, (seen.get(code) ?? 0) + 1)
    at = body + length
    if (code === 20) {
      const size = data.getUint16(body + 3, true) * data.getUint16(body + 5, true) * 4
      if (unzlibSync(bytes.subarray(body + 7, at)).length !== size) return 'its picture has another size'
    }
    if (code === 0) break
  }
  if (at !== bytes.length || seen.get(0) !== 1) return 'its tags do not end where it ends'
  if (frames < 1 || seen.get(1) !== frames) return `says ${frames} frames and shows ${seen.get(1) ?? 0}`
  return seen.has(26) && seen.has(2) && seen.has(20) ? undefined : 'places nothing'
}

/** [MS-EMF] 2.3: records of type and size, the first a header that counts them, the last EMR_EOF. */
function enhancedMetafile(bytes: Uint8Array): string | undefined {
  const data = view(bytes)
  let [at, records, drawn, last] = [0, 0, 0, 0]
  while (at + 8 <= bytes.length) {
    last = data.getUint32(at, true)
    const size = data.getUint32(at + 4, true)
    if (size < 8 || size % 4 !== 0 || at + size > bytes.length) return `record ${records} is ${size} long`
    if (isDrawn(last)) drawn++
    records++
    at += size
  }
  if (at !== bytes.length || last !== 14) return 'does not end with a record of the end'
  if (data.getUint32(48, true) !== bytes.length) return 'its header says another length'
  if (data.getUint32(52, true) !== records) return 'its header says another count'
  const [left, top, right, bottom] = [8, 12, 16, 20].map((edge) => data.getInt32(edge, true))
  return drawn === 0
    ? 'draws nothing'
    : sized((right as number) - (left as number) + 1, (bottom as number) - (top as number) + 1)
}
/** Polygons and lines, filled regions, text, bitmaps, paths, and comments that hold EMF+. */
const isDrawn = (type: number) =>
  (type >= 2 && type <= 8) || (type >= 41 && type <= 47) || (type >= 62 && type <= 97)

/** [MS-WMF] 2.3: a placeable header with its checksum, a header that says the length in words, records up to the end. */
function windowsMetafile(bytes: Uint8Array): string | undefined {
  const data = view(bytes)
  let sum = 0
  for (let at = 0; at < 20; at += 2) sum ^= data.getUint16(at, true)
  if (sum !== data.getUint16(20, true)) return 'its checksum is another'
  if (data.getUint32(28, true) * 2 !== bytes.length - 22) return 'its header says another length'
  let [at, drawn] = [22 + data.getUint16(24, true) * 2, 0]
  while (at + 6 <= bytes.length) {
    const size = data.getUint32(at, true) * 2
    const kind = data.getUint16(at + 4, true)
    if (size < 6 || at + size > bytes.length) return `a record is ${size} long`
    at += size
    if (kind === 0) break
    if (wmfDrawing.has(kind)) drawn++
  }
  if (at !== bytes.length) return 'its records do not end where it ends'
  return drawn === 0 ? 'draws nothing' : undefined
}
/** Text, lines, polygons, shapes and bitmaps. */
const wmfDrawing = new Set([
  0x0521, 0x0a32, 0x0213, 0x0214, 0x0324, 0x0325, 0x0538, 0x0418, 0x041b, 0x061c, 0x0817, 0x081a, 0x0830,
  0x0940, 0x0b41, 0x0f43, 0x0922, 0x0b23, 0x061d,
])

/** The office's own: a header, then as many actions as it says, each with its length. */
function officeMetafile(bytes: Uint8Array): string | undefined {
  const data = view(bytes)
  let at = 6 + 6 + data.getUint32(8, true) // name; version and length of the header
  const count = data.getUint32(at - 4, true)
  let [actions, drawn] = [0, 0]
  for (; at + 8 <= bytes.length; actions++) {
    const kind = data.getUint16(at, true)
    at += 8 + data.getUint32(at + 4, true)
    if (kind >= 100 && kind <= 127) drawn++
  }
  if (at !== bytes.length) return 'its actions do not end where it ends'
  if (actions !== count) return `says ${count} actions and has ${actions}`
  return drawn === 0 ? 'draws nothing' : undefined
}

/** Inside Macintosh, Imaging With QuickDraw, appendix A: one bitmap of packed rows, then the end. */
function quickDraw(bytes: Uint8Array): string | undefined {
  const data = view(bytes)
  const [height, width] = [data.getUint16(518), data.getUint16(520)]
  const bitmap = latin(bytes).indexOf('\0\x9a\0\0\0\xff')
  if (bitmap < 0) return 'has no bitmap'
  const rowBytes = data.getUint16(bitmap + 6) & 0x3fff
  let at = bitmap + 2 + 50 + 18 - 2
  at += 2
  for (let row = 0; row < height; row++) {
    const length = rowBytes > 250 ? data.getUint16(at) : data.getUint8(at)
    at += rowBytes > 250 ? 2 : 1
    if (unpackedLength(bytes.subarray(at, at + length)) !== width * 3) return `row ${row} is no row`
    at += length
  }
  at += at % 2
  const ends = at + 2 === bytes.length && data.getUint16(at) === 0xff
  return ends ? sized(width, height) : 'does not end behind its bitmap'
}

function unpackedLength(packed: Uint8Array): number {
  let length = 0
  for (let at = 0; at < packed.length; ) {
    const head = packed[at] as number
    length += head < 128 ? head + 1 : 257 - head
    at += head < 128 ? head + 2 : 2
  }
  return length
}

/** TIFF 6.0, section 2: directories and strips lie inside; each directory is a page. */
function tagged(bytes: Uint8Array): string | undefined {
  const data = view(bytes)
  const little = bytes[0] === 0x49
  let at = data.getUint32(4, little)
  let pages = 0
  for (; at !== 0; pages++) {
    const fields = new Map<number, number[]>()
    const count = data.getUint16(at, little)
    if (at + 2 + count * 12 + 4 > bytes.length) return 'a directory lies outside'
    for (let entry = at + 2; entry < at + 2 + count * 12; entry += 12) {
      const wide = data.getUint16(entry + 2, little) === 3 ? 2 : 4
      const many = data.getUint32(entry + 4, little)
      const from = many * wide <= 4 ? entry + 8 : data.getUint32(entry + 8, little)
      if (![3, 4].includes(data.getUint16(entry + 2, little))) continue
      if (from + many * wide > bytes.length) return 'a field lies outside'
      const one = (index: number) =>
        wide === 2 ? data.getUint16(from + index * 2, little) : data.getUint32(from + index * 4, little)
      fields.set(
        data.getUint16(entry, little),
        Array.from({ length: many }, (_, index) => one(index)),
      )
    }
    const wrong = sized(fields.get(256)?.[0] ?? 0, fields.get(257)?.[0] ?? 0)
    if (wrong !== undefined) return wrong
    const lengths = fields.get(279) ?? []
    const starts = fields.get(273) ?? []
    if (starts.length === 0 || lengths.length !== starts.length) return 'has no strips'
    if (starts.some((start, index) => start + (lengths[index] ?? 0) > bytes.length))
      return 'a strip lies outside'
    at = data.getUint32(at + 2 + count * 12, little)
  }
  return pages === 1 ? undefined : `has ${pages} pages`
}

function bitmap(bytes: Uint8Array): string | undefined {
  const data = view(bytes)
  if (data.getUint32(2, true) !== bytes.length) return 'its header says another length'
  const [width, height, bits] = [data.getInt32(18, true), data.getInt32(22, true), data.getUint16(28, true)]
  const rows = Math.ceil((width * bits) / 32) * 4 * Math.abs(height)
  const plain = data.getUint32(30, true) === 0
  if (plain && data.getUint32(10, true) + rows > bytes.length) return 'lacks rows'
  return sized(width, Math.abs(height))
}

/** GIF89a: blocks up to the trailer, with pictures among them. */
function gif(bytes: Uint8Array): string | undefined {
  const data = view(bytes)
  const table = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let at = 13 + table(data.getUint8(10))
  let pictures = 0
  const skip = () => {
    while (bytes[at] !== 0 && at < bytes.length) at += (bytes[at] as number) + 1
    at++
  }
  while (at < bytes.length && bytes[at] !== 0x3b) {
    if (bytes[at] === 0x21) at += 2
    else if (bytes[at] === 0x2c) {
      pictures++
      at += 10 + table(data.getUint8(at + 9)) + 1
    } else return `has a block of kind ${bytes[at]}`
    skip()
  }
  if (at !== bytes.length - 1) return 'does not end with its trailer'
  return pictures === 0 ? 'holds no picture' : sized(data.getUint16(6, true), data.getUint16(8, true))
}

/** PNG: chunks with right checksums, from IHDR to IEND. */
function png(bytes: Uint8Array): string | undefined {
  const data = view(bytes)
  const names: string[] = []
  let at = 8
  while (at + 12 <= bytes.length) {
    const length = data.getUint32(at)
    if (at + 12 + length > bytes.length) return 'a chunk lies outside'
    names.push(latin(bytes.subarray(at + 4, at + 8)))
    if (crc(bytes.subarray(at + 4, at + 8 + length)) !== data.getUint32(at + 8 + length))
      return `the checksum of ${names.at(-1)} is another`
    at += 12 + length
  }
  if (at !== bytes.length || names[0] !== 'IHDR' || names.at(-1) !== 'IEND') return 'is not whole'
  return names.includes('IDAT') ? sized(data.getUint32(16), data.getUint32(20)) : 'holds no picture'
}

function crc(bytes: Uint8Array): number {
  let rest = 0xffffffff
  for (const byte of bytes) {
    rest ^= byte
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0)
  }
  return (rest ^ 0xffffffff) >>> 0
}

/** JPEG: segments up to the scan, among them one with the size. */
function jpeg(bytes: Uint8Array): string | undefined {
  const data = view(bytes)
  for (let at = 2; at + 4 <= bytes.length; at += 2 + data.getUint16(at + 2)) {
    if (bytes[at] !== 0xff) return 'has a segment without a mark'
    const mark = bytes[at + 1] as number
    if (mark >= 0xc0 && mark <= 0xc2) return sized(data.getUint16(at + 7), data.getUint16(at + 5))
  }
  return 'says no size'
}

function webp(bytes: Uint8Array): string | undefined {
  const data = view(bytes)
  if (data.getUint32(4, true) + 8 !== bytes.length) return 'its header says another length'
  const names: string[] = []
  let at = 12
  while (at + 8 <= bytes.length) {
    names.push(latin(bytes.subarray(at, at + 4)))
    const length = data.getUint32(at + 4, true)
    at += 8 + length + (length % 2)
  }
  if (at !== bytes.length) return 'its chunks do not end where it ends'
  return names.some((name) => name.startsWith('VP8')) ? undefined : 'holds no picture'
}

/**
 * EPS: the comments of the Document Structuring Conventions 3.0 that a program which places it reads, a box with an area,
 * strings and procedures that are closed, and operators that paint.
 */
function encapsulated(bytes: Uint8Array): string | undefined {
  const text = latin(bytes)
  if (!/^%!PS-Adobe-3\.0 EPSF-3\.0/.test(text)) return 'does not say that it is EPSF'
  const box = /^%%BoundingBox: (-?\d+) (-?\d+) (-?\d+) (-?\d+)\s*$/m.exec(text)?.slice(1).map(Number)
  if (box === undefined) return 'has no bounding box'
  const [left, bottom, right, top] = box as [number, number, number, number]
  const wrong = sized(right - left, top - bottom)
  if (wrong !== undefined) return wrong
  if (!/\n%%EOF\s*$/.test(text.slice(-20))) return 'does not end'
  // Pictures stand between the tokens, in base 85 without a mark where they begin.
  const tokens = text
    .replace(/^%.*$/gm, '')
    .replace(/^(.*\b(?:image|cairo_image|cairo_imagemask|ASCII85Decode\b.*))\n[\s\S]*?~>/gm, '$1\n')
    .replace(/<~[\s\S]*?~>/g, '')
  const drawn = text.slice(text.lastIndexOf('%%EndProlog'))
  // Of the language, and what the office (ef, pum, p) and Cairo (f, S, Tj, Do) call by short names.
  const painted =
    /(?:^|[\s\])>])(?:x?show|ashow|e?fill|stroke|(?:color)?image|ef|pum|p|[fFS]\*?|T[jJ]|cairo_image)\s/
  return balance(tokens) ?? (painted.test(drawn) ? undefined : 'paints nothing')
}

/** Strings, procedures and arrays that are not closed. */
function balance(text: string): string | undefined {
  const depth = { '{': 0, '[': 0 }
  for (let at = 0; at < text.length; at++) {
    const one = text[at] as string
    if (one === '(') {
      let inside = 1
      while (inside > 0 && ++at < text.length) {
        if (text[at] === '\\') at++
        else if (text[at] === '(') inside++
        else if (text[at] === ')') inside--
      }
      if (inside > 0) return 'has a string without an end'
    } else if (one === '{' || one === '[') depth[one]++
    else if (one === '}') depth['{']--
    else if (one === ']') depth['[']--
    if (depth['{'] < 0) return 'ends a procedure that did not begin'
  }
  return depth['{'] === 0 ? undefined : 'has a procedure without an end'
}

export const pictureWalks: Readonly<Record<FormatId, Walk>> = {
  pbm: netpbm((width) => Math.ceil(width / 8)),
  pgm: netpbm((width) => width),
  ppm: netpbm((width) => width * 3),
  ras: sunRaster,
  swf: flash,
  emf: enhancedMetafile,
  wmf: windowsMetafile,
  svm: officeMetafile,
  pct: quickDraw,
  tiff: tagged,
  bmp: bitmap,
  gif,
  png,
  jpg: jpeg,
  webp,
  eps: encapsulated,
}
