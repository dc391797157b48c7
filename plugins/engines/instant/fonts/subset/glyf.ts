import { type FontFile, tableBytes } from '../sfnt/font-file.ts'
import { glyphRange } from '../sfnt/glyph-bounds.ts'
import { writeSfnt } from './write-sfnt.ts'

export interface Subset {
  readonly bytes: Uint8Array
  /** The glyph of the font for each new id: the requested ones, then the components of composites. */
  readonly glyphs: readonly number[]
}

const wordArguments = 0x0001
const hasScale = 0x0008
const moreComponents = 0x0020
const hasTwoScales = 0x0040
const hasMatrix = 0x0080
const hasInstructions = 0x0100
/** Real fonts nest two levels; the limit stops hostile chains. */
const maxComponents = 64

/**
 * Returns a TrueType font with only these glyphs, renumbered in the given order (the first must be 0),
 * without hints.
 *
 * Damaged glyphs become empty; components of composites are added, cycles are broken. Source: OpenType 1.9
 * `glyf`, `loca`.
 */
export function subsetTrueType(font: FontFile, selected: readonly number[]): Subset {
  const glyphs = [...selected]
  const newIds = new Map(glyphs.map((glyph, index) => [glyph, index]))
  const idOf = (glyph: number): number => {
    let id = newIds.get(glyph)
    if (id === undefined) {
      id = glyphs.length
      newIds.set(glyph, id)
      glyphs.push(glyph)
    }
    return id
  }
  const locate = glyphLocator(font)
  const limit = Math.min(65_535, selected.length + font.glyphCount)
  const segments: Uint8Array[] = []
  for (let index = 0; index < glyphs.length && index < limit; index++) {
    segments.push(
      withoutInstructions(locate(glyphs[index] ?? 0), (glyph) => (glyph < font.glyphCount ? idOf(glyph) : 0)),
    )
  }
  breakCycles(segments)
  return { bytes: assemble(font, glyphs, segments), glyphs }
}

const empty = new Uint8Array(0)

/** The outline of a glyph, not copied from fonts in memory; empty when its offsets are invalid. */
function glyphLocator(font: FontFile): (glyph: number) => Uint8Array {
  const size = font.sizeOf('glyf')
  return (glyph) => {
    const [start, end] = glyphRange(font, glyph) ?? [0, 0]
    return end <= start || end > size ? empty : font.part('glyf', start, end - start)
  }
}

/** A copy without instructions and with renumbered components. */
function withoutInstructions(data: Uint8Array, idOf: (glyph: number) => number): Uint8Array {
  if (data.length < 12) return empty
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const contours = view.getInt16(0)
  return contours >= 0
    ? simpleWithoutInstructions(data, view, contours)
    : compositeWithoutInstructions(data, view, idOf)
}

function simpleWithoutInstructions(data: Uint8Array, view: DataView, contours: number): Uint8Array {
  const lengthAt = 10 + 2 * contours
  if (lengthAt + 2 > data.length) return empty
  const after = lengthAt + 2 + view.getUint16(lengthAt)
  if (after > data.length) return empty
  const copy = new Uint8Array(lengthAt + 2 + data.length - after)
  copy.set(data.subarray(0, lengthAt))
  copy.set(data.subarray(after), lengthAt + 2)
  return copy
}

function compositeWithoutInstructions(
  data: Uint8Array,
  view: DataView,
  idOf: (glyph: number) => number,
): Uint8Array {
  const copy = data.slice()
  const out = new DataView(copy.buffer)
  let at = 10
  for (let count = 0; count < maxComponents; count++) {
    if (at + 4 > data.length) return empty
    const flags = view.getUint16(at)
    out.setUint16(at, flags & ~hasInstructions)
    out.setUint16(at + 2, idOf(view.getUint16(at + 2)))
    at += 4 + (flags & wordArguments ? 4 : 2)
    at += flags & hasScale ? 2 : flags & hasTwoScales ? 4 : flags & hasMatrix ? 8 : 0
    if ((flags & moreComponents) === 0) return at > data.length ? empty : copy.subarray(0, at)
  }
  return empty
}

/** Empties composites that contain themselves, because not every renderer survives them. */
function breakCycles(segments: Uint8Array[]): void {
  const state = new Uint8Array(segments.length) // 1: being visited, 2: done
  const visit = (id: number, depth: number): boolean => {
    if (state[id] === 2) return true
    if (state[id] === 1 || depth > 16) return false
    state[id] = 1
    const sound = componentsOf(segments[id]!).every(
      (part) => part < segments.length && visit(part, depth + 1),
    )
    if (!sound) segments[id] = empty
    state[id] = 2
    return true
  }
  for (let id = 0; id < segments.length; id++) visit(id, 0)
}

function componentsOf(glyph: Uint8Array): number[] {
  if (glyph.length < 12) return []
  const view = new DataView(glyph.buffer, glyph.byteOffset, glyph.byteLength)
  if (view.getInt16(0) >= 0) return []
  const parts: number[] = []
  for (let at = 10; at + 4 <= glyph.length; ) {
    const flags = view.getUint16(at)
    parts.push(view.getUint16(at + 2))
    at += 4 + (flags & wordArguments ? 4 : 2)
    at += flags & hasScale ? 2 : flags & hasTwoScales ? 4 : flags & hasMatrix ? 8 : 0
    if ((flags & moreComponents) === 0) break
  }
  return parts
}

function assemble(font: FontFile, glyphs: readonly number[], segments: readonly Uint8Array[]): Uint8Array {
  const count = segments.length
  const loca = new Uint8Array(4 * (count + 1))
  const locaView = new DataView(loca.buffer)
  let size = 0
  for (let id = 0; id < count; id++) {
    locaView.setUint32(4 * id, size)
    size += (segments[id]!.length + 3) & ~3
  }
  locaView.setUint32(4 * count, size)
  const glyf = new Uint8Array(size)
  for (let id = 0; id < count; id++) glyf.set(segments[id]!, locaView.getUint32(4 * id))
  const hmtx = new Uint8Array(4 * count)
  const hmtxView = new DataView(hmtx.buffer)
  const bearing = leftBearings(font)
  for (let id = 0; id < count; id++) {
    hmtxView.setUint16(4 * id, font.advances[glyphs[id] ?? 0] ?? 0)
    hmtxView.setInt16(4 * id + 2, bearing(glyphs[id] ?? 0))
  }
  return writeSfnt([
    ['glyf', glyf],
    ['head', patched(tableBytes(font, 'head'), 54, (view) => view.setInt16(50, 1))],
    ['hhea', patched(tableBytes(font, 'hhea'), 36, (view) => view.setUint16(34, count))],
    ['hmtx', hmtx],
    ['loca', loca],
    ['maxp', patched(tableBytes(font, 'maxp'), 32, (view) => dropHints(view, count))],
  ])
}

function dropHints(maxp: DataView, glyphCount: number): void {
  maxp.setUint16(4, glyphCount)
  maxp.setUint16(14, 1) // maxZones
  for (let field = 16; field <= 26; field += 2) maxp.setUint16(field, 0)
}

function patched(table: Uint8Array, length: number, patch: (view: DataView) => void): Uint8Array {
  const copy = new Uint8Array(Math.max(length, table.length))
  copy.set(table)
  patch(new DataView(copy.buffer))
  return copy
}

function leftBearings(font: FontFile): (glyph: number) => number {
  const hmtx = font.table('hmtx')
  const hhea = font.table('hhea')
  if (hmtx === undefined || hhea === undefined || hhea.byteLength < 36) return () => 0
  const records = hhea.getUint16(34)
  return (glyph) => {
    const at = glyph < records ? 4 * glyph + 2 : 4 * records + 2 * (glyph - records)
    return at + 2 <= hmtx.byteLength ? hmtx.getInt16(at) : 0
  }
}
