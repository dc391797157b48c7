import { AppError } from '../../../../shared/errors/app-error.ts'
import { locateTables, type ReadAt, tablesAt } from './sfnt/container.ts'
import { type FaceRecord, writeCharacters } from './sfnt/face-record.ts'
import { type FontFile, openFont, readFacts, readGlyphTables } from './sfnt/font-file.ts'
import { checkCff } from './subset/cff.ts'

/**
 * Describes face `index` of a file of `size` bytes for an index. Throws AppError 'font.damaged' when it cannot be
 * used, so that what an index lists needs no further checks as long as the file stays the same.
 */
export function recordFace(readAt: ReadAt, size: number, index: number): FaceRecord {
  const positions = locateTables(readAt, size, index)
  const tables = tablesAt(readAt, positions)
  const facts = readFacts(tables)
  const characters = readGlyphTables(tables, facts.glyphCount)
  const record: FaceRecord = {
    ...facts,
    tables: positions,
    symbol: characters.symbol,
    characters: writeCharacters(characters),
  }
  checkOutlines(openFont(record, readAt))
  return record
}

/**
 * A font without drawable glyphs counts as none. Damaged outlines are found now, not when a page is painted.
 */
export function checkOutlines(font: FontFile): void {
  if (font.outlines === 'none') throw new AppError('font.damaged', { what: 'it has no outlines' })
  if (font.outlines === 'cff') checkCff(font)
}
