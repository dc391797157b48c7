import { pushAll } from '../../../../../shared/push-all.ts'
/** A DICT: operators (two-byte ones as 0x0c00 + second byte) and their operands. Source: Adobe TN 5176, chapter 4. */
export type Dict = ReadonlyMap<number, readonly number[]>

export function readDict(bytes: Uint8Array): Dict {
  const dict = new Map<number, readonly number[]>()
  let operands: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at++] ?? 0
    if (byte <= 21) {
      dict.set(byte === 12 ? 0x0c00 | (bytes[at++] ?? 0) : byte, operands)
      operands = []
    } else if (byte === 28) {
      operands.push((((bytes[at] ?? 0) << 24) >> 16) | (bytes[at + 1] ?? 0))
      at += 2
    } else if (byte === 29) {
      operands.push(
        ((bytes[at] ?? 0) << 24) |
          ((bytes[at + 1] ?? 0) << 16) |
          ((bytes[at + 2] ?? 0) << 8) |
          (bytes[at + 3] ?? 0),
      )
      at += 4
    } else if (byte === 30) {
      const real = readReal(bytes, at)
      operands.push(real.value)
      at = real.end
    } else if (byte >= 32 && byte <= 246) operands.push(byte - 139)
    else if (byte >= 247 && byte <= 250) operands.push((byte - 247) * 256 + (bytes[at++] ?? 0) + 108)
    else if (byte >= 251 && byte <= 254) operands.push(-(byte - 251) * 256 - (bytes[at++] ?? 0) - 108)
  }
  return dict
}

const nibbles = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', 'E', 'E-', '', '-']

function readReal(bytes: Uint8Array, at: number): { value: number; end: number } {
  let text = ''
  while (at < bytes.length) {
    const byte = bytes[at++] ?? 0
    for (const nibble of [byte >> 4, byte & 15]) {
      if (nibble === 15) return { value: Number(text) || 0, end: at }
      text += nibbles[nibble]
    }
  }
  return { value: Number(text) || 0, end: at }
}

/** Integers have five bytes each, so that lengths do not depend on values, which offsets need. */
export function writeDict(dict: Dict): Uint8Array {
  const out: number[] = []
  for (const [operator, operands] of dict) {
    for (const value of operands) {
      if (Number.isInteger(value))
        out.push(29, (value >> 24) & 255, (value >> 16) & 255, (value >> 8) & 255, value & 255)
      else {
        out.push(30)
        pushAll(out, realBytes(value))
      }
    }
    if (operator >= 0x0c00) out.push(12)
    out.push(operator & 255)
  }
  return Uint8Array.from(out)
}

function realBytes(value: number): number[] {
  const codes: number[] = []
  const text = String(value).toUpperCase().replace('E+', 'E')
  for (let at = 0; at < text.length; at++) {
    const pair = text.slice(at, at + 2)
    const code = pair === 'E-' ? 12 : nibbles.indexOf(text[at]!)
    if (pair === 'E-') at++
    codes.push(code)
  }
  codes.push(15)
  if (codes.length % 2 === 1) codes.push(15)
  const bytes: number[] = []
  for (let at = 0; at < codes.length; at += 2) bytes.push(((codes[at] ?? 0) << 4) | (codes[at + 1] ?? 0))
  return bytes
}
