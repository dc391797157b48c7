import { type CharacterMap, readCharacterMap } from './cmap.ts'
import { bytesOfTable, guarded, readTables, type Tables } from './container.ts'
import { type FontMetrics, readMetrics, readStyle, type StyleFacts } from './metrics.ts'
import { type FontNames, readNames } from './names.ts'

/**
 * A parsed font program: one face of one file. What nearly every text needs is read at once, the rest (kerning,
 * ligatures, outlines) by those who use it, from `table`.
 */
export interface FontFile {
  readonly bytes: Uint8Array // the whole file, collections included
  readonly index: number // which face of a collection
  readonly names: FontNames
  readonly metrics: FontMetrics
  readonly style: StyleFacts
  readonly glyphCount: number
  /** 'pictures': every glyph is a bitmap in colours (emoji). */
  readonly outlines: 'glyf' | 'cff' | 'pictures' | 'none'
  readonly characters: CharacterMap
  /** Advance width of every glyph, in font units. */
  readonly advances: Uint16Array
  table(tag: string): DataView | undefined
}

/** Throws AppError 'font.damaged' when the face cannot be used at all. */
export function readFont(bytes: Uint8Array, index = 0): FontFile {
  const tables = readTables(bytes, index)
  return guarded('a table it cannot do without is cut short', () => {
    const metrics = readMetrics(tables)
    const maxp = tables.get('maxp')
    const glyphCount = Math.max(1, maxp !== undefined ? maxp.getUint16(4) : 1)
    return {
      bytes,
      index,
      metrics,
      glyphCount,
      names: namesOf(tables),
      style: readStyle(tables.get('head'), tables.get('OS/2')),
      outlines: outlinesOf(tables),
      characters: readCharacterMap(tables.get('cmap'), glyphCount),
      advances: readAdvances(tables, glyphCount),
      table: (tag) => tables.get(tag),
    }
  })
}

/** The bytes of a table, not copied; empty when the font has none. */
export function tableBytes(font: FontFile, tag: string): Uint8Array {
  const table = font.table(tag)
  return table === undefined ? new Uint8Array(0) : bytesOfTable(table)
}

function namesOf(tables: Tables): FontNames {
  const table = tables.get('name')
  const unnamed: FontNames = { family: '', subfamily: '', postScript: '', aliases: [] }
  if (table === undefined || table.byteLength < 6) return unnamed
  return readNames(table)
}

function outlinesOf(tables: Tables): FontFile['outlines'] {
  if (tables.has('glyf') && tables.has('loca')) return 'glyf'
  if (tables.has('CFF ')) return 'cff'
  return tables.has('CBDT') && tables.has('CBLC') ? 'pictures' : 'none'
}

/** The last full record repeats for the glyphs after it; a table cut short counts as ended. */
function readAdvances(tables: Tables, glyphCount: number): Uint16Array {
  const advances = new Uint16Array(glyphCount)
  const hmtx = tables.get('hmtx')
  const hhea = tables.get('hhea')
  if (hmtx === undefined || hhea === undefined) return advances
  const records = Math.min(hhea.getUint16(34), glyphCount, hmtx.byteLength >> 2)
  for (let glyph = 0; glyph < records; glyph++) advances[glyph] = hmtx.getUint16(4 * glyph)
  if (records > 0) advances.fill(advances[records - 1]!, records)
  return advances
}
