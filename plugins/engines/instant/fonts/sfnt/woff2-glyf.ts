import { type ByteCursor, byte, bytesAt, word } from './woff2-bytes.ts'

/** Outlines as TrueType stores them, with offsets of four bytes. */
export interface Outlines {
  readonly glyf: Uint8Array
  readonly loca: Uint8Array
  readonly lefts: readonly number[] // left edge of each glyph, font units
}

interface Streams {
  readonly contours: ByteCursor
  readonly points: ByteCursor
  readonly flags: ByteCursor
  readonly glyphs: ByteCursor
  readonly composites: ByteCursor
  readonly boxes: ByteCursor
  readonly instructions: ByteCursor
}

/** Assembles outlines, whose parts WOFF 2 stores in separate streams. Source: WOFF 2.0, 5.1 to 5.3. */
export function readPackedOutlines(packed: Uint8Array): Outlines {
  const head = bytesAt(packed)
  const count = head.view.getUint16(4)
  const sizes = Array.from({ length: 7 }, (_, index) => head.view.getUint32(8 + 4 * index))
  let at = 36
  const stream = (size: number): ByteCursor => {
    at += size
    return bytesAt(packed, at - size, size)
  }
  const [contours, points, flags, glyphs, composites] = sizes.slice(0, 5).map(stream) as [
    ByteCursor,
    ByteCursor,
    ByteCursor,
    ByteCursor,
    ByteCursor,
  ]
  const mapSize = 4 * ((count + 31) >> 5)
  const map = stream(mapSize)
  const boxes = stream((sizes[5] ?? 0) - mapSize)
  const streams: Streams = {
    contours,
    points,
    flags,
    glyphs,
    composites,
    boxes,
    instructions: stream(sizes[6] ?? 0),
  }
  const out = createSink()
  const loca = new DataView(new ArrayBuffer(4 * (count + 1)))
  const lefts: number[] = []
  for (let glyph = 0; glyph < count; glyph++) {
    const hasBox = (map.view.getUint8(glyph >> 3) & (0x80 >> (glyph & 7))) !== 0
    const start = out.length
    const parts = (word(contours) << 16) >> 16
    if (parts < 0) readComposite(streams, out)
    else if (parts > 0) readSimple(streams, { parts, hasBox }, out)
    lefts.push(out.length > start ? out.int16At(start + 2) : 0)
    if (out.length % 2 === 1) out.byte(0)
    loca.setUint32(4 * (glyph + 1), out.length)
  }
  return { glyf: out.bytes(), loca: new Uint8Array(loca.buffer), lefts }
}

function readComposite({ composites, glyphs, boxes, instructions }: Streams, out: ByteSink): void {
  out.word(0xffff)
  for (let edge = 0; edge < 4; edge++) out.word(word(boxes))
  let flags: number
  let hasInstructions = false
  do {
    flags = word(composites)
    hasInstructions ||= (flags & 0x100) !== 0
    // The glyph index, the offset as bytes or words, and the scale.
    const size = 2 + (flags & 1 ? 4 : 2) + (flags & 8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0)
    out.word(flags)
    for (let index = 0; index < size; index++) out.byte(byte(composites))
  } while ((flags & 0x20) !== 0)
  if (hasInstructions) copyInstructions(short255(glyphs), instructions, out)
}

function readSimple(
  { points, flags, glyphs, boxes, instructions }: Streams,
  { parts, hasBox }: { readonly parts: number; readonly hasBox: boolean },
  out: ByteSink,
): void {
  const ends: number[] = []
  let count = 0
  for (let part = 0; part < parts; part++) ends.push((count += short255(points)) - 1)
  if (count > 65_535) throw new RangeError()
  const onCurve: number[] = []
  const steps: { readonly x: number; readonly y: number }[] = []
  const box = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity }
  let x = 0
  let y = 0
  for (let point = 0; point < count; point++) {
    const flag = byte(flags)
    onCurve.push(flag >> 7 === 0 ? 1 : 0)
    const step = readStep(flag & 127, glyphs)
    steps.push(step)
    x += step.x
    y += step.y
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x)
    box.bottom = Math.min(box.bottom, y)
    box.top = Math.max(box.top, y)
  }
  out.word(parts)
  const edges = count === 0 ? [0, 0, 0, 0] : [box.left, box.bottom, box.right, box.top]
  for (const edge of edges) out.word(hasBox ? word(boxes) : edge)
  for (const end of ends) out.word(end)
  copyInstructions(short255(glyphs), instructions, out)
  for (const flag of onCurve) out.byte(flag)
  for (const step of steps) out.word(step.x)
  for (const step of steps) out.word(step.y)
}

function copyInstructions(count: number, from: ByteCursor, out: ByteSink): void {
  out.word(count)
  for (let index = 0; index < count; index++) out.byte(byte(from))
}

/** A vector between points, in one to four bytes. Source: WOFF 2.0, 5.2, table of triplets. */
function readStep(flag: number, from: ByteCursor): { readonly x: number; readonly y: number } {
  const signed = (bits: number, value: number) => ((bits & 1) !== 0 ? value : -value)
  if (flag < 10) return { x: 0, y: signed(flag, ((flag & 14) << 7) + byte(from)) }
  if (flag < 20) return { x: signed(flag, (((flag - 10) & 14) << 7) + byte(from)), y: 0 }
  if (flag < 84) {
    const more = flag - 20
    const both = byte(from)
    return {
      x: signed(flag, 1 + (more & 0x30) + (both >> 4)),
      y: signed(flag >> 1, 1 + ((more & 0x0c) << 2) + (both & 15)),
    }
  }
  if (flag < 120) {
    const more = flag - 84
    const x = 1 + (Math.floor(more / 12) << 8) + byte(from)
    const y = 1 + (((more % 12) >> 2) << 8) + byte(from)
    return { x: signed(flag, x), y: signed(flag >> 1, y) }
  }
  if (flag < 124) {
    const [first, shared, last] = [byte(from), byte(from), byte(from)]
    return {
      x: signed(flag, (first << 4) + (shared >> 4)),
      y: signed(flag >> 1, ((shared & 15) << 8) + last),
    }
  }
  const x = word(from)
  return { x: signed(flag, x), y: signed(flag >> 1, word(from)) }
}

/** A number up to 65,535, mostly in one byte. Source: WOFF 2.0, 6.1.1. */
function short255(from: ByteCursor): number {
  const code = byte(from)
  if (code === 253) return word(from)
  if (code === 255) return byte(from) + 253
  if (code === 254) return byte(from) + 506
  return code
}

interface ByteSink {
  readonly length: number
  byte(value: number): void
  word(value: number): void
  int16At(at: number): number
  bytes(): Uint8Array
}

function createSink(): ByteSink {
  let buffer = new Uint8Array(65_536)
  let length = 0
  const push = (value: number): void => {
    if (length === buffer.length) {
      const larger = new Uint8Array(2 * length)
      larger.set(buffer)
      buffer = larger
    }
    buffer[length++] = value
  }
  return {
    get length() {
      return length
    },
    byte: push,
    word(value) {
      push((value >> 8) & 255)
      push(value & 255)
    },
    int16At: (at) => ((((buffer[at] ?? 0) << 8) | (buffer[at + 1] ?? 0)) << 16) >> 16,
    bytes: () => buffer.slice(0, length),
  }
}
