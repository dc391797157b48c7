import type { CharacterMap } from './cmap.ts'
import type { TablePositions } from './container.ts'
import type { FaceFacts } from './font-file.ts'

/**
 * The properties of a face that an index stores, so that the face can be chosen and measured without reading its file.
 * The record is valid JSON.
 */
export interface FaceRecord extends FaceFacts {
  readonly tables: TablePositions
  /** Whether the font numbers its characters from U+F000. */
  readonly symbol: boolean
  /**
   * The characters that have a glyph: for each range the distance from the end of the one before it and its
   * length less one, in base 36, with a comma between them. A single character has no length.
   */
  readonly characters: string
}

/** Ranges of characters: first and last of each after the other, in ascending order. */
export type CharacterRanges = Uint32Array

const radix = 36

export function writeCharacters(map: CharacterMap): string {
  const out: string[] = []
  let end = 0
  const add = (first: number, last: number): void => {
    const distance = (first - end).toString(radix)
    out.push(first === last ? distance : `${distance}-${(last - first).toString(radix)}`)
    end = last + 1
  }
  let first = -1
  for (let code = 0; code <= 0x10000; code++) {
    const has = code < 0x10000 && map.glyphOf(code) !== 0
    if (has && first < 0) first = code
    if (has || first < 0) continue
    add(first, code - 1)
    first = -1
  }
  for (const { start, end: last, glyph } of map.high) {
    // Glyph 0 means that a character is missing, so a range that begins with glyph 0 lacks its first character.
    const from = glyph === 0 ? start + 1 : start
    if (last >= from) add(from, last)
  }
  return out.join(',')
}

function readCharacters(text: string): CharacterRanges {
  if (text === '') return new Uint32Array(0)
  const parts = text.split(',')
  const ranges = new Uint32Array(2 * parts.length)
  let end = 0
  for (const [index, part] of parts.entries()) {
    const dash = part.indexOf('-')
    const first = end + Number.parseInt(dash < 0 ? part : part.slice(0, dash), radix)
    const last = dash < 0 ? first : first + Number.parseInt(part.slice(dash + 1), radix)
    ranges[2 * index] = first
    ranges[2 * index + 1] = last
    end = last + 1
  }
  return ranges
}

const cache = new WeakMap<FaceRecord, CharacterRanges>()

export function coverageOf(record: FaceRecord): CharacterRanges {
  let ranges = cache.get(record)
  if (ranges === undefined) cache.set(record, (ranges = readCharacters(record.characters)))
  return ranges
}

export function hasCharacter(ranges: CharacterRanges, code: number): boolean {
  let low = 0
  let high = (ranges.length >> 1) - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (code < ranges[2 * middle]!) high = middle - 1
    else if (code > ranges[2 * middle + 1]!) low = middle + 1
    else return true
  }
  return false
}
