import { AppError } from '../../../../../shared/errors/app-error.ts'
import { assembleSfnt } from '../subset/write-sfnt.ts'
import { type ByteCursor, byte, bytesAt, word } from './woff2-bytes.ts'
import { type Outlines, readPackedOutlines } from './woff2-glyf.ts'

/** The tags that have a number. Source: WOFF 2.0, 4.1. */
const commonTags =
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
const tagOfNumber = (number: number): string => commonTags.slice(5 * number, 5 * number + 4).padEnd(4)

interface PackedTable {
  readonly tag: string
  readonly length: number
  readonly transformed: boolean
}

/** Returns the plain font of a WOFF 2 file; collections are refused. */
export function readWoff2(bytes: Uint8Array, unpack: (packed: Uint8Array) => Uint8Array): Uint8Array {
  const head = bytesAt(bytes)
  if (head.view.getUint32(4) === 0x74746366)
    throw new AppError('font.damaged', { what: 'it is a compressed collection' })
  const packedLength = head.view.getUint32(20)
  const count = head.view.getUint16(12)
  head.at = 48
  const packed = Array.from({ length: count }, () => readEntry(head))
  const data = unpack(bytes.subarray(head.at, head.at + packedLength))
  const stored = new Map<string, Uint8Array>()
  let at = 0
  for (const { tag, length } of packed) {
    if (at + length > data.byteLength) throw new RangeError()
    stored.set(tag, data.subarray(at, at + length))
    at += length
  }
  const isTransformed = (tag: string) => packed.some((table) => table.tag === tag && table.transformed)
  return assembleSfnt(restore(stored, isTransformed))
}

function readEntry(head: ByteCursor): PackedTable {
  const flags = byte(head)
  const number = flags & 63
  let tag = tagOfNumber(number)
  if (number === 63) {
    tag = ''
    for (let letter = 0; letter < 4; letter++) tag += String.fromCharCode(byte(head))
  }
  const version = flags >> 6
  const transformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0
  const length = base128(head)
  return { tag, length: transformed ? base128(head) : length, transformed }
}

function base128(from: ByteCursor): number {
  let value = 0
  for (let index = 0; index < 5; index++) {
    const next = byte(from)
    value = value * 128 + (next & 127)
    if ((next & 128) === 0) return value
  }
  throw new RangeError()
}

function restore(
  stored: ReadonlyMap<string, Uint8Array>,
  isTransformed: (tag: string) => boolean,
): Map<string, Uint8Array> {
  const tables = new Map(stored)
  const glyf = stored.get('glyf')
  const outlines = glyf !== undefined && isTransformed('glyf') ? readPackedOutlines(glyf) : undefined
  if (outlines !== undefined) {
    tables.set('glyf', outlines.glyf)
    tables.set('loca', outlines.loca)
    const head = Uint8Array.from(stored.get('head') ?? [])
    new DataView(head.buffer).setInt16(50, 1)
    tables.set('head', head)
  }
  const hmtx = stored.get('hmtx')
  const hhea = stored.get('hhea')
  if (hmtx !== undefined && hhea !== undefined && isTransformed('hmtx')) {
    if (outlines === undefined) throw new RangeError()
    tables.set('hmtx', readPackedWidths(hmtx, bytesAt(hhea).view.getUint16(34), outlines))
  }
  return tables
}

/** A bearing that is not stored is the left edge of the outline. Source: WOFF 2.0, 5.4. */
function readPackedWidths(packed: Uint8Array, full: number, { lefts }: Outlines): Uint8Array {
  const from = bytesAt(packed)
  const flags = byte(from)
  const glyphs = lefts.length
  if (full > glyphs) throw new RangeError()
  const out = new Uint8Array(4 * full + 2 * (glyphs - full))
  const view = new DataView(out.buffer)
  for (let glyph = 0; glyph < full; glyph++) view.setUint16(4 * glyph, word(from))
  for (let glyph = 0; glyph < glyphs; glyph++) {
    const isLeftOut = (flags & (glyph < full ? 1 : 2)) !== 0
    const at = glyph < full ? 4 * glyph + 2 : 4 * full + 2 * (glyph - full)
    view.setUint16(at, isLeftOut ? (lefts[glyph] ?? 0) & 0xffff : word(from))
  }
  return out
}
