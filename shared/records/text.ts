import { normalForm } from '../normal-form.ts'

/**
 * Removes case and accents, for comparing names in a search. The text is converted to upper case first,
 * because that turns 'ß' into 'SS'.
 */
export function fold(text: string): string {
  return normalForm(text, 'NFKD')
    .replace(/\p{M}+/gu, '')
    .toUpperCase()
    .toLowerCase()
}

/** The distinct sequences of three characters of a text, in their order, at most `max` of them. */
export function trigrams(text: string, max: number): string[] {
  const characters = [...text]
  const grams = new Set<string>()
  for (let start = 0; start + 3 <= characters.length && grams.size < max; start++) {
    grams.add(characters.slice(start, start + 3).join(''))
  }
  return [...grams]
}

/** The maximum length of a folded name, since databases limit the size of what they index. */
export const maxFolded = 300

/** The folded text of a name as it is stored and searched for. */
export function foldedName(name: string): string {
  return fold(name).slice(0, maxFolded).toWellFormed()
}

/** How many sets of bits a name has, and the bits of each, which JavaScript and databases both represent exactly. */
const bitSets = 5
const bitsOfSet = 50

/** The bit for a trigram: the set that it is in and its value there. Different trigrams may share a bit. */
export function gramBit(gram: string): { readonly set: number; readonly value: number } {
  let hash = 2_166_136_261 // FNV-1a
  for (const character of gram) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0
  const bit = (hash ^ (hash >>> 15)) >>> 0
  return { set: bit % bitSets, value: 2 ** (Math.floor(bit / bitSets) % bitsOfSet) }
}

/** The bits of all trigrams of a folded name, as one number for each set. */
export function nameBits(folded: string): readonly number[] {
  const sets: number[] = Array(bitSets).fill(0)
  const setBits = new Set<string>()
  for (const gram of trigrams(folded, Number.POSITIVE_INFINITY)) {
    const { set, value } = gramBit(gram)
    const bit = `${set} ${value}`
    if (setBits.has(bit)) continue
    setBits.add(bit)
    sets[set] = (sets[set] ?? 0) + value
  }
  return sets
}
