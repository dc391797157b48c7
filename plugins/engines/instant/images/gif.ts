import { checkSize, damaged, type Raster, viewOf } from './raster.ts'

/** Decodes the first frame of a GIF, placed on the logical screen. Source: GIF89a. */
export function decodeGif(bytes: Uint8Array): Raster {
  const view = viewOf(bytes)
  const width = view.getUint16(6, true)
  const height = view.getUint16(8, true)
  checkSize('gif', width, height)
  const flags = view.getUint8(10)
  let at = 13
  let global = new Uint8Array(0)
  if (flags & 0x80) {
    const size = 3 << ((flags & 7) + 1)
    global = bytes.slice(at, at + size)
    at += size
  }
  let transparent = -1
  while (at < bytes.length) {
    const kind = view.getUint8(at++)
    if (kind === 0x21) {
      const label = view.getUint8(at)
      if (label === 0xf9 && (view.getUint8(at + 2) & 1) !== 0) transparent = view.getUint8(at + 5)
      at = skipBlocks(view, at + 1)
    } else if (kind === 0x2c) {
      return drawFrame(bytes, at, { width, height, global, transparent })
    } else break
  }
  throw damaged('gif', 'it has no frame')
}

interface Screen {
  readonly width: number
  readonly height: number
  readonly global: Uint8Array
  readonly transparent: number
}

function drawFrame(bytes: Uint8Array, start: number, screen: Screen): Raster {
  const view = viewOf(bytes)
  const [left, top] = [view.getUint16(start, true), view.getUint16(start + 2, true)]
  const [width, height] = [view.getUint16(start + 4, true), view.getUint16(start + 6, true)]
  checkSize('gif', width, height)
  const flags = view.getUint8(start + 8)
  const local = flags & 0x80 ? 3 << ((flags & 7) + 1) : 0
  const palette = local > 0 ? bytes.subarray(start + 9, start + 9 + local) : screen.global
  const indexes = unpackLzw(bytes, start + 9 + local, width * height)
  const rgb = new Uint8Array(screen.width * screen.height * 3)
  const alpha = new Uint8Array(screen.width * screen.height)
  const rows = flags & 0x40 ? interlacedRows(height) : undefined
  for (let row = 0; row < height; row++) {
    const y = top + (rows?.[row] ?? row)
    if (y >= screen.height) continue
    for (let column = 0; column < width && left + column < screen.width; column++) {
      const index = indexes[row * width + column] ?? 0
      if (index === screen.transparent) continue
      const target = y * screen.width + left + column
      for (let part = 0; part < 3; part++) rgb[3 * target + part] = palette[3 * index + part] ?? 0
      alpha[target] = 255
    }
  }
  const opaque = alpha.every((value) => value === 255)
  return { width: screen.width, height: screen.height, rgb, alpha: opaque ? undefined : alpha }
}

function interlacedRows(height: number): number[] {
  const rows: number[] = []
  for (const [first, step] of [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const) {
    for (let row = first; row < height; row += step) rows.push(row)
  }
  return rows
}

function skipBlocks(view: DataView, at: number): number {
  while (at < view.byteLength) {
    const length = view.getUint8(at)
    at += 1 + length
    if (length === 0) break
  }
  return at
}

/** Decodes variable-length LZW. Missing pixels stay 0, and an invalid code ends the data. */
function unpackLzw(bytes: Uint8Array, start: number, pixels: number): Uint8Array {
  const out = new Uint8Array(pixels)
  const smallest = Math.min(11, Math.max(1, bytes[start] ?? 8))
  const clear = 1 << smallest
  const prefix = new Uint16Array(4096)
  const suffix = new Uint8Array(4096)
  const stack = new Uint8Array(4097)
  for (let code = 0; code < clear; code++) suffix[code] = code
  let at = start + 1
  let blockLeft = 0
  const nextByte = (): number => {
    if (blockLeft === 0) {
      blockLeft = bytes[at++] ?? 0
      if (blockLeft === 0) return -1
    }
    blockLeft--
    return bytes[at++] ?? -1
  }
  let [size, next, previous, first, written, bits, bitCount] = [smallest + 1, clear + 2, -1, 0, 0, 0, 0]
  while (written < pixels) {
    while (bitCount < size) {
      const byte = nextByte()
      if (byte < 0) return out
      bits |= byte << bitCount
      bitCount += 8
    }
    let code = bits & ((1 << size) - 1)
    bits >>>= size
    bitCount -= size
    if (code === clear) {
      size = smallest + 1
      next = clear + 2
      previous = -1
      continue
    }
    if (code === clear + 1 || code > next || (code === next && previous < 0)) return out
    const entry = code
    let depth = 0
    if (code === next) {
      stack[depth++] = first
      code = previous
    }
    while (code >= clear && depth < 4096) {
      stack[depth++] = suffix[code] ?? 0
      code = prefix[code] ?? 0
    }
    first = suffix[code] ?? 0
    stack[depth++] = first
    while (depth > 0 && written < pixels) out[written++] = stack[--depth] ?? 0
    if (previous >= 0 && next < 4096) {
      prefix[next] = previous
      suffix[next] = first
      next++
      if (next === 1 << size && size < 12) size++
    }
    previous = entry
  }
  return out
}
