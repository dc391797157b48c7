import { damaged, viewOf } from './raster.ts'

export interface JpegHeader {
  readonly width: number
  readonly height: number
  readonly components: 1 | 3 | 4
  readonly bitsPerSample: number
  /** Adobe programs store CMYK with inverted values. */
  readonly inverted: boolean
  readonly dpiX: number | undefined
  readonly dpiY: number | undefined
}

/** The frame types that every PDF reader decodes: baseline, extended and progressive. */
const supported = new Set([0xc0, 0xc1, 0xc2])

/** Reads the markers up to the frame header. Source: ITU-T T.81, annex B; JFIF 1.02; Adobe TN 5116. */
export function jpegHeader(bytes: Uint8Array): JpegHeader {
  const view = viewOf(bytes)
  let adobe = false
  let dpi: { x: number; y: number } | undefined
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) {
      at++
      continue
    }
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff || marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    if (marker === 0xd9 || marker === 0xda) break
    const length = view.getUint16(at + 2)
    const body = at + 4
    if (marker === 0xe0 && length >= 14 && view.getUint32(body) === 0x4a464946)
      dpi ??= jfifDensity(view, body)
    else if (marker === 0xee && length >= 14 && view.getUint32(body) === 0x41646f62) adobe = true
    else if (isFrame(marker)) {
      const components = view.getUint8(body + 5)
      if (!supported.has(marker)) throw damaged('jpeg', 'its compression is not supported')
      if (components !== 1 && components !== 3 && components !== 4)
        throw damaged('jpeg', 'its colours are unknown')
      return {
        width: view.getUint16(body + 3),
        height: view.getUint16(body + 1),
        bitsPerSample: view.getUint8(body),
        components,
        inverted: adobe && components === 4,
        dpiX: dpi?.x,
        dpiY: dpi?.y,
      }
    }
    at += 2 + Math.max(2, length)
  }
  throw damaged('jpeg', 'it has no frame header')
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function jfifDensity(view: DataView, body: number): { x: number; y: number } | undefined {
  const unit = view.getUint8(body + 7)
  if (unit === 0) return undefined
  const perInch = unit === 2 ? 2.54 : 1
  return { x: view.getUint16(body + 8) * perInch, y: view.getUint16(body + 10) * perInch }
}
