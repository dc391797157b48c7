import { pushAll } from '../../../../../shared/push-all.ts'
import type { FontEntry } from '../font-source.ts'
import { directoriesOf, guarded, type ReadAt, tableRecords, viewOf } from './container.ts'
import { readStyle } from './metrics.ts'
import { readNames } from './names.ts'
import { variableFaces } from './variations.ts'

const headBytes = 16_384
const maxTable = 65_536

/**
 * Describes a file for a font index from its name, OS/2 and head tables only, in a few reads of some
 * kilobytes: one entry for each face, several for the styles of a variable font. Throws AppError
 * 'font.damaged' for a file that is not a font.
 */
export function describeFont(key: string, readAt: ReadAt): FontEntry[] {
  return guarded('its tables are truncated', () => {
    const head = viewOf(readAt(0, headBytes))
    const entries: FontEntry[] = []
    for (const [index, directory] of directoriesOf(head).entries()) {
      pushAll(entries, describeFace(key, index, { head, directory, readAt }))
    }
    return entries
  })
}

function describeFace(
  key: string,
  index: number,
  file: { head: DataView; directory: number; readAt: ReadAt },
): FontEntry[] {
  const inHead = file.directory + 12 + 16 * 64 <= file.head.byteLength
  const records = inHead
    ? tableRecords(file.head, file.directory)
    : tableRecords(viewOf(file.readAt(file.directory, 12 + 16 * 256)), 0)
  const table = (tag: string): DataView | undefined => {
    const record = records.find((candidate) => candidate.tag === tag)
    if (record === undefined) return undefined
    const length = Math.min(record.length, maxTable)
    const end = record.offset + length
    if (end > file.head.byteLength) return viewOf(file.readAt(record.offset, length))
    return new DataView(file.head.buffer, file.head.byteOffset + record.offset, length)
  }
  const names = table('name')
  if (names === undefined || names.byteLength < 6) return []
  const { family, aliases } = readNames(names)
  if (family === '') return []
  const head = table('head')
  const { weight, width, italic, bold, unicodeRanges } = readStyle(head, table('OS/2'))
  const entry: FontEntry = {
    key,
    index,
    family,
    names: aliases,
    weight: bold && weight < 600 ? 700 : weight,
    width,
    italic,
    unicodeRanges,
    version: head !== undefined && head.byteLength >= 8 ? head.getInt32(4) / 65536 : 0,
  }
  const variations = table('fvar')
  return variations === undefined ? [entry] : variableFaces(entry, variations, names)
}

/** Describes a file that is in memory already. */
export function describeBytes(key: string, bytes: Uint8Array): FontEntry[] {
  return describeFont(key, (offset, length) => bytes.subarray(offset, offset + length))
}
