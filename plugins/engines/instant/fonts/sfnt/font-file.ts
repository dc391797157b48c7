import { assembleSfnt } from '../subset/write-sfnt.ts'
import { type CharacterMap, readCharacterMap } from './cmap.ts'
import { bytesOfTable, guarded, type ReadAt, readTables, type SfntTables, tablesAt } from './container.ts'
import { coverageOf, type FaceRecord, hasCharacter } from './face-record.ts'
import { type FontMetrics, readMetrics, readStyle, type StyleFacts } from './metrics.ts'
import { readNames, type SfntNames } from './names.ts'

/** The properties of an entire face, without its characters and glyphs. */
export interface FaceFacts {
  readonly names: SfntNames
  readonly metrics: FontMetrics
  readonly style: StyleFacts
  readonly glyphCount: number
  /** 'pictures': every glyph is a coloured bitmap (emoji). */
  readonly outlines: 'glyf' | 'cff' | 'pictures' | 'none'
}

/**
 * A font program: one face of one file. Its tables are read when text needs them, and outlines glyph by glyph, so
 * that a face that is only measured or chosen costs no more than its description.
 */
export interface FontFile extends FaceFacts {
  readonly characters: CharacterMap
  /** Advance width of every glyph, in font units. */
  readonly advances: Uint16Array
  /** A complete table, which is kept as long as the face. */
  table(tag: string): DataView | undefined
  /** A range of a table, for tables of outlines; fewer bytes at its end. */
  part(tag: string, offset: number, length: number): Uint8Array
  /** The length of a table in bytes; 0 when the font has none. */
  sizeOf(tag: string): number
  /** A file with all that shaping needs, and the number of the face in it. */
  program(): { readonly bytes: Uint8Array; readonly index: number }
  /** How many bytes the face keeps in memory at this moment. */
  readonly cachedBytes: number
}

/** A face of a file that is in memory. Throws AppError 'font.damaged' when it cannot be used at all. */
export function readFont(bytes: Uint8Array, index = 0): FontFile {
  const tables = readTables(bytes, index)
  const facts = readFacts(tables)
  return guarded(cutShort, () => {
    const characters = readCharacterMap(tables.get('cmap'), facts.glyphCount)
    const advances = readAdvances(tables, facts.glyphCount)
    const program = () => ({ bytes, index })
    return {
      ...facts,
      ...accessTo(tables),
      characters,
      advances,
      program,
      cachedBytes: bytes.byteLength + overhead,
    }
  })
}

/** A face that was described before, of a file that is read by ranges. Reads nothing yet. */
export function openFont(record: FaceRecord, readAt: ReadAt): FontFile {
  const tables = tablesAt(readAt, record.tables)
  const { names, metrics, style, glyphCount, outlines } = record
  let map: CharacterMap | undefined
  let advances: Uint16Array | undefined
  const loadedMap = (): CharacterMap => {
    // The table itself is not kept, because the map replaces it.
    map ??= readCharacterMap(uncachedTable(tables, 'cmap'), glyphCount)
    return map
  }
  const coverage = coverageOf(record)
  return {
    ...{ names, metrics, style, glyphCount, outlines },
    ...accessTo(tables),
    characters: {
      glyphOf: (code) => loadedMap().glyphOf(code),
      has: (code) =>
        map === undefined && !record.symbol ? hasCharacter(coverage, code) : loadedMap().has(code),
      symbol: record.symbol,
      get high() {
        return loadedMap().high
      },
    },
    get advances() {
      advances ??= readAdvances(tables, glyphCount)
      return advances
    },
    program: () => ({ bytes: programOf(tables), index: 0 }),
    get cachedBytes() {
      const decoded = (map === undefined ? 0 : overhead) + (advances?.byteLength ?? 0)
      return tables.cachedBytes + decoded + 4_096
    },
  }
}

const cutShort = 'a required table is truncated'
/** The memory of a parsed face besides its tables: the character map and decoded layout tables. */
const overhead = 160_000

/** Throws AppError 'font.damaged'. */
export function readFacts(tables: SfntTables): FaceFacts {
  return guarded(cutShort, () => {
    const maxp = tables.get('maxp')
    return {
      metrics: readMetrics(tables),
      names: namesOf(tables),
      style: readStyle(tables.get('head'), tables.get('OS/2')),
      outlines: outlinesOf(tables),
      glyphCount: Math.max(1, maxp !== undefined ? maxp.getUint16(4) : 1),
    }
  })
}

function accessTo(tables: SfntTables): Pick<FontFile, 'table' | 'part' | 'sizeOf'> {
  return {
    table: (tag) => tables.get(tag),
    part: (tag, offset, length) => tables.part(tag, offset, length),
    sizeOf: (tag) => tables.sizeOf(tag),
  }
}

function uncachedTable(tables: SfntTables, tag: string): DataView | undefined {
  if (!tables.has(tag)) return undefined
  const bytes = tables.part(tag, 0, tables.sizeOf(tag))
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/**
 * Larger tables are outlines and pictures of large fonts, which shaping does without: it needs outlines only to
 * place marks in fonts that have no anchors for them, and such fonts are small.
 */
const maxShapingTable = 2_000_000

function programOf(tables: SfntTables): Uint8Array {
  const shapingTags = tables.tags.filter((tag) => tables.sizeOf(tag) <= maxShapingTable)
  return assembleSfnt(new Map(shapingTags.map((tag) => [tag, tables.part(tag, 0, tables.sizeOf(tag))])))
}

/** The bytes of a complete table, not copied; empty when the font has none. */
export function tableBytes(font: FontFile, tag: string): Uint8Array {
  const table = font.table(tag)
  return table === undefined ? new Uint8Array(0) : bytesOfTable(table)
}

function namesOf(tables: SfntTables): SfntNames {
  const table = tables.get('name')
  const unnamed: SfntNames = { family: '', subfamily: '', postScript: '', version: '', aliases: [] }
  if (table === undefined || table.byteLength < 6) return unnamed
  return readNames(table)
}

function outlinesOf(tables: SfntTables): FontFile['outlines'] {
  if (tables.has('glyf') && tables.has('loca')) return 'glyf'
  if (tables.has('CFF ')) return 'cff'
  return tables.has('CBDT') && tables.has('CBLC') ? 'pictures' : 'none'
}

/** The last full record applies to all glyphs after it. A truncated table is treated as complete. */
function readAdvances(tables: SfntTables, glyphCount: number): Uint16Array {
  const advances = new Uint16Array(glyphCount)
  const hmtx = uncachedTable(tables, 'hmtx')
  const hhea = tables.get('hhea')
  if (hmtx === undefined || hhea === undefined) return advances
  const records = Math.min(hhea.getUint16(34), glyphCount, hmtx.byteLength >> 2)
  for (let glyph = 0; glyph < records; glyph++) advances[glyph] = hmtx.getUint16(4 * glyph)
  if (records > 0) advances.fill(advances[records - 1] ?? 0, records)
  return advances
}

/** Whether the characters and widths can be read, which is found out before a face is used. */
export function readGlyphTables(tables: SfntTables, glyphCount: number): CharacterMap {
  return guarded(cutShort, () => {
    readAdvances(tables, glyphCount)
    return readCharacterMap(uncachedTable(tables, 'cmap'), glyphCount)
  })
}
