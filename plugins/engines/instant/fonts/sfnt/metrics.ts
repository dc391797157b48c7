import { AppError } from '../../../../../shared/errors/app-error.ts'
import type { SfntTables } from './container.ts'

/** Design measures in font units; descents are positive. */
export interface FontMetrics {
  readonly unitsPerEm: number
  readonly ascent: number
  readonly descent: number
  readonly lineGap: number
  readonly xHeight: number
  readonly capHeight: number
  readonly italicAngle: number // degrees, negative leans right
  readonly fixedPitch: boolean
  readonly box: readonly [number, number, number, number]
}

/** Properties that distinguish the styles of a family. */
export interface StyleFacts {
  readonly weight: number // 1..1000
  readonly width: number // 1..9, 5 is normal
  readonly italic: boolean
  readonly bold: boolean
  /** OS/2 ulUnicodeRange: 128 bits in four words, the lowest first. */
  readonly unicodeRanges: readonly [number, number, number, number]
  readonly embeddable: boolean // OS/2 fsType allows it
  readonly serif: boolean // by PANOSE
}

/**
 * Line metrics are those of hhea; the typographic ones when OS/2 sets USE_TYPO_METRICS; the Windows ones only
 * when hhea is empty. Observed in LibreOffice 7.4 with seven families.
 */
export function readMetrics(tables: SfntTables): FontMetrics {
  const head = tables.get('head')
  if (head === undefined) throw new AppError('font.damaged', { what: 'it has no head table' })
  const unitsPerEm = head.getUint16(18)
  if (unitsPerEm < 16 || unitsPerEm > 16384) {
    throw new AppError('font.damaged', { what: 'its number of units per em is invalid' })
  }
  const line = lineMetrics(tables)
  const os2 = tables.get('OS/2')
  const post = tables.get('post')
  const withHeights = os2 !== undefined && os2.byteLength >= 90 && os2.getUint16(0) >= 2
  return {
    unitsPerEm,
    ...line,
    xHeight: (withHeights && os2.getInt16(86)) || Math.round(unitsPerEm * 0.5),
    capHeight: (withHeights && os2.getInt16(88)) || Math.round(unitsPerEm * 0.7),
    italicAngle: within(post, 8) ? post.getInt32(4) / 65536 : 0,
    fixedPitch: within(post, 16) ? post.getUint32(12) !== 0 : false,
    box: [head.getInt16(36), head.getInt16(38), head.getInt16(40), head.getInt16(42)],
  }
}

function within(table: DataView | undefined, length: number): table is DataView {
  return table !== undefined && table.byteLength >= length
}

function lineMetrics(tables: SfntTables): Pick<FontMetrics, 'ascent' | 'descent' | 'lineGap'> {
  const hhea = tables.get('hhea')
  const os2 = tables.get('OS/2')
  let ascent = within(hhea, 10) ? hhea.getInt16(4) : 0
  let descent = within(hhea, 10) ? -hhea.getInt16(6) : 0
  let lineGap = within(hhea, 10) ? Math.max(0, hhea.getInt16(8)) : 0
  if (within(os2, 78)) {
    const typographic = (os2.getUint16(62) & 0x80) !== 0
    if (ascent === 0 && descent === 0) {
      ascent = os2.getUint16(74)
      descent = os2.getUint16(76)
      lineGap = 0
    }
    if (typographic && (os2.getInt16(68) !== 0 || os2.getInt16(70) !== 0)) {
      ascent = os2.getInt16(68)
      descent = -os2.getInt16(70)
      lineGap = Math.max(0, os2.getInt16(72))
    }
  }
  return { ascent, descent: Math.max(0, descent), lineGap }
}

/** Weight, slant and coverage, from OS/2 when it exists, otherwise from head. */
export function readStyle(head: DataView | undefined, os2: DataView | undefined): StyleFacts {
  const macStyle = within(head, 46) ? head.getUint16(44) : 0
  if (!within(os2, 64)) {
    const bold = (macStyle & 1) !== 0
    return {
      weight: bold ? 700 : 400,
      width: 5,
      italic: (macStyle & 2) !== 0,
      bold,
      unicodeRanges: [0, 0, 0, 0],
      embeddable: true,
      serif: false,
    }
  }
  const selection = os2.getUint16(62)
  const weight = normalWeight(os2.getUint16(4))
  return {
    weight,
    width: Math.min(9, Math.max(1, os2.getUint16(6) || 5)),
    italic: (selection & 0x201) !== 0 || (macStyle & 2) !== 0,
    bold: weight >= 600 || (selection & 0x20) !== 0,
    unicodeRanges: [os2.getUint32(42), os2.getUint32(46), os2.getUint32(50), os2.getUint32(54)],
    embeddable: (os2.getUint16(8) & 0x000f) !== 0x0002,
    // Whether PANOSE declares a Latin text face with serifs.
    serif: os2.getUint8(32) === 2 && os2.getUint8(33) >= 2 && os2.getUint8(33) <= 10,
  }
}

/** Some old fonts use values from 1 to 9. */
function normalWeight(weight: number): number {
  if (weight === 0) return 400
  if (weight < 10) return weight * 100
  return Math.min(1000, weight)
}
