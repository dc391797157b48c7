import type { MetafileCanvas } from './canvas.ts'
import { decodeText } from './charset.ts'
import type { ClipBox } from './clip.ts'
import type { EmfRecord } from './emf-bitmaps.ts'
import { emfRecords } from './emf-records.ts'

/** Source: [MS-EMF] 2.1.11, ExtTextOutOptions. */
const options = { opaque: 2, clipped: 4, glyphs: 0x10, noBox: 0x100, small: 0x200, twoWay: 0x2000 } as const

/** Draws a record of text; false for any other. Source: [MS-EMF] 2.3.5. */
export function playText(view: DataView, canvas: MetafileCanvas, { type, at, end }: EmfRecord): boolean {
  switch (type) {
    case emfRecords.narrowText:
    case emfRecords.wideText:
      emrText(view, canvas, { record: at - 8, at: at + 28, end, wide: type === emfRecords.wideText })
      return true
    case emfRecords.narrowTexts:
    case emfRecords.wideTexts: {
      const count = Math.min(view.getUint32(at + 28, true), Math.floor((end - at) / 40))
      for (let n = 0; n < count && !canvas.isFull; n += 1)
        emrText(view, canvas, {
          record: at - 8,
          at: at + 32 + 40 * n,
          end,
          wide: type === emfRecords.wideTexts,
        })
      return true
    }
    case emfRecords.smallText:
      compactText(view, canvas, at, end)
      return true
    default:
      return false
  }
}

/** The maximum number of UTF-16 units of one text. */
const maxUnits = 1_000_000

interface EmrText {
  readonly record: number
  readonly at: number
  readonly end: number
  readonly wide: boolean
}

/** Source: [MS-EMF] 2.2.5. */
function emrText(view: DataView, canvas: MetafileCanvas, { record, at, end, wide }: EmrText): void {
  const point = [view.getInt32(at, true), view.getInt32(at + 4, true)] as const
  const count = view.getUint32(at + 8, true)
  const from = record + view.getUint32(at + 12, true)
  const option = view.getUint32(at + 16, true)
  const advancesAt = view.getUint32(at + 36, true)
  if (count > end - from || count > maxUnits) throw new RangeError()
  const { text, sizes } = wide ? wideText(view, from, count, option) : narrowText(view, canvas, from, count)
  const start = record + advancesAt
  const step = (option & options.twoWay) === 0 ? 4 : 8
  const fits = advancesAt > 0 && start + step * count <= end
  const advances = fits ? Array.from({ length: count }, (_, n) => view.getInt32(start + step * n, true)) : []
  const box = Array.from({ length: 4 }, (_, n) => view.getInt32(at + 20 + 4 * n, true)) as unknown as ClipBox
  const within = (option & options.noBox) === 0 && { box }
  canvas.text(
    { text, at: point, advances: perUnit(advances, sizes) },
    { ...within, filled: (option & options.opaque) !== 0, clipped: (option & options.clipped) !== 0 },
  )
}

/** Source: [MS-EMF] 2.3.5.37. */
function compactText(view: DataView, canvas: MetafileCanvas, at: number, end: number): void {
  const [x, y] = [view.getInt32(at, true), view.getInt32(at + 4, true)]
  const count = view.getUint32(at + 8, true)
  const option = view.getUint32(at + 12, true)
  const boxed = (option & options.noBox) === 0
  const from = at + 28 + (boxed ? 16 : 0)
  const small = (option & options.small) !== 0
  if (count > (end - from) / (small ? 1 : 2)) throw new RangeError()
  const { text } = small ? narrowText(view, canvas, from, count) : wideText(view, from, count, option)
  canvas.text({ text, at: [x, y], advances: [] })
}

function wideText(view: DataView, from: number, count: number, option: number) {
  let text = ''
  for (let n = 0; n < count; n += 1) {
    const unit = view.getUint16(from + 2 * n, true)
    text += String.fromCharCode((option & options.glyphs) === 0 ? unit : conventionalLetter(unit))
  }
  return { text, sizes: Array.from({ length: count }, () => 1) }
}

/** Converts glyph numbers into characters: most fonts begin with the characters of ASCII in order. */
const conventionalLetter = (glyph: number): number => (glyph >= 3 && glyph <= 97 ? glyph + 29 : 0x25a1)

function narrowText(view: DataView, canvas: MetafileCanvas, from: number, count: number) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + from, count)
  return decodeText(bytes, canvas.state.font.charset)
}

/** Sums the widths of bytes to widths of characters. */
export function perUnit(advances: readonly number[], sizes: readonly number[]): number[] {
  if (advances.length === 0) return []
  let from = 0
  return sizes.map((size) => {
    const advance = advances.slice(from, from + size).reduce((sum, value) => sum + value, 0)
    from += size
    return advance
  })
}
