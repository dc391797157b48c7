/**
 * Creates sRGB as an ICC profile: three primaries adapted to the profile white point (D50) and the curve of IEC 61966-2-1.
 * PDF/A files use it as output intent (ICC.1:2001-04, 6.1 and 6.3).
 */
export function srgbProfile(): Uint8Array {
  const tags: readonly (readonly [signature: string, data: Uint8Array])[] = [
    ['desc', description('sRGB')],
    ['cprt', text('No copyright, use freely.')],
    ['wtpt', point(0.9642, 1, 0.8249)],
    ['rXYZ', point(0.43607, 0.22249, 0.01392)],
    ['gXYZ', point(0.38515, 0.71687, 0.09708)],
    ['bXYZ', point(0.14307, 0.06061, 0.7141)],
    ['rTRC', curve()],
  ]
  const shared = ['gTRC', 'bTRC'] // the same curve
  const count = tags.length + shared.length
  const start = 128 + 4 + 12 * count
  const size = tags.reduce((sum, [, data]) => sum + data.length, start)
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, size)
  view.setUint32(8, 0x02100000) // version 2.1
  sign(bytes, 12, 'mntrRGB XYZ ')
  view.setUint16(24, 2026)
  view.setUint16(26, 1)
  view.setUint16(28, 1)
  sign(bytes, 36, 'acsp')
  bytes.set(point(0.9642, 1, 0.8249).subarray(8), 68)
  view.setUint32(128, count)
  let entry = 132
  let at = start
  const list = (signature: string, offset: number, length: number): void => {
    sign(bytes, entry, signature)
    view.setUint32(entry + 4, offset)
    view.setUint32(entry + 8, length)
    entry += 12
  }
  for (const [signature, data] of tags) {
    bytes.set(data, at)
    list(signature, at, data.length)
    if (signature === 'rTRC') for (const same of shared) list(same, at, data.length)
    at += data.length
  }
  return bytes
}

function sign(bytes: Uint8Array, at: number, signature: string): void {
  for (let index = 0; index < signature.length; index++) bytes[at + index] = signature.charCodeAt(index)
}

/** The data of a tag: its type, four zero bytes, then `length` bytes, padded to a multiple of four. */
function tag(type: string, length: number): { readonly bytes: Uint8Array; readonly view: DataView } {
  const bytes = new Uint8Array(Math.ceil((8 + length) / 4) * 4)
  sign(bytes, 0, type)
  return { bytes, view: new DataView(bytes.buffer) }
}

function point(x: number, y: number, z: number): Uint8Array {
  const { bytes, view } = tag('XYZ ', 12)
  for (const [index, value] of [x, y, z].entries()) view.setInt32(8 + 4 * index, Math.round(value * 65_536))
  return bytes
}

function text(value: string): Uint8Array {
  const { bytes } = tag('text', value.length + 1)
  sign(bytes, 8, value)
  return bytes
}

/** The profile name in ASCII; the Unicode and Macintosh forms stay empty. */
function description(value: string): Uint8Array {
  const { bytes, view } = tag('desc', 4 + value.length + 1 + 8 + 3 + 67)
  view.setUint32(8, value.length + 1)
  sign(bytes, 12, value)
  return bytes
}

function curve(): Uint8Array {
  const steps = 1024
  const { bytes, view } = tag('curv', 4 + 2 * steps)
  view.setUint32(8, steps)
  for (let step = 0; step < steps; step++) {
    const value = step / (steps - 1)
    const linear = value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    view.setUint16(12 + 2 * step, Math.round(linear * 65_535))
  }
  return bytes
}
