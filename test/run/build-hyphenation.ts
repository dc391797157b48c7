/**
 * Makes the hyphenation patterns that ship with the instant engine, from the package `hyphen`: dictionaries in the format
 * of office programs, raw-deflated. `npm run generate` writes them.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { deflateRawSync } from 'node:zlib'
import { shippedLanguages } from '../../plugins/engines/instant/hyphenation.ts'

/** The values of patterns in their order; letters to patterns; words that are exceptions, with their positions. */
type Packed = [votes: number[][], tree: PackedNode, exceptions: Record<string, number[]>]
type PackedNode = { [letter: string]: PackedNode | number | [PackedNode, number] }

/** Letters that stay together at the ends of a word (TeX's \lefthyphenmin and \righthyphenmin). */
const minima: Readonly<Record<string, readonly [number, number]>> = {
  'en-us': [2, 3],
  'en-gb': [2, 3],
  fr: [2, 2],
  pt: [2, 3],
  cs: [2, 3],
}
const require = createRequire(import.meta.url)
export const hyphenationFolder = 'plugins/engines/instant/assets/hyphenation/'

const patternOf = (key: string, votes: readonly number[]): string => {
  const dot = key.startsWith('.') ? '.' : ''
  const letters = [...key.slice(dot.length)]
  const marks = [...letters, ''].map((letter, at) => `${votes[at] || ''}${letter}`)
  return dot + marks.join('')
}

function* patternsOf(node: PackedNode, votes: readonly number[][], before = ''): Generator<string> {
  for (const [letter, value] of Object.entries(node)) {
    const key = before + letter
    const [inner, own] = Array.isArray(value) ? value : typeof value === 'number' ? [{}, value] : [value, -1]
    if (own >= 0) yield patternOf(key, votes[own]!)
    yield* patternsOf(inner, votes, key)
  }
}

/** An exception outvotes every pattern: the whole word, allowed and forbidden places. Places count hyphens before them. */
function exceptionOf([word, counted]: [string, readonly number[]]): string {
  const places = counted.map((place, index) => place - index)
  const letters = [...word].map((letter, at) =>
    at === 0 ? letter : `${places.includes(at) ? 9 : 8}${letter}`,
  )
  return `.${letters.join('')}.`
}

export function hyphenation(): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  for (const [name, source] of Object.entries(shippedLanguages)) {
    const [votes, tree, exceptions] = require(`hyphen/patterns/${source}.js`) as Packed
    const [left, right] = minima[source] ?? [2, 2]
    const lines = ['UTF-8', `LEFTHYPHENMIN ${left}`, `RIGHTHYPHENMIN ${right}`]
    const patterns = [...patternsOf(tree, votes), ...Object.entries(exceptions).map(exceptionOf)]
    const packed = deflateRawSync([...lines, ...patterns, ''].join('\n'), { level: 9 })
    files.set(`${hyphenationFolder}${name}.bin`, packed)
  }
  return files.set(`${hyphenationFolder}LICENCE.txt`, readFileSync(require.resolve('hyphen/LICENSE')))
}
