import { binaryText } from '../../../../shared/bytes.ts'
import type { HyphenationRules } from './hyphenate.ts'

/**
 * Reads a hyphenation dictionary as office programs install it (`hyph_de_DE.dic`): the character set, the
 * minimum lengths, then one pattern per line; after NEXTLEVEL follow the patterns for the parts of compounds.
 * Patterns that change letters are ignored. Source: the README of the library hyphen (libhyphen) 2.8.
 */
export function readHyphenationFile(bytes: Uint8Array): HyphenationRules {
  const lines = decode(bytes).split(/\r?\n/)
  const minima = { left: 2, right: 2, partLeft: 2, partRight: 2 }
  const levels: string[][] = [[]]
  for (const line of lines.slice(1, maxLines)) {
    const text = line.trim()
    if (text === '' || text.startsWith('%') || text.startsWith('#')) continue
    if (text === 'NEXTLEVEL') levels.push([])
    else if (!readMinimum(text, minima) && !text.startsWith('NOHYPHEN') && !text.includes('/'))
      levels.at(-1)!.push(text)
  }
  const outer = { leftMin: minima.left, rightMin: minima.right }
  const inner = { leftMin: minima.partLeft, rightMin: minima.partRight }
  const [first = [], second] = levels
  const rules = { patterns: first.join(' '), ...outer }
  return second === undefined ? rules : { ...rules, parts: { patterns: second.join(' '), ...inner } }
}

const maxLines = 200_000

/** Decodes the file by the character set named in its first line; UTF-8 when the name is unknown. */
function decode(bytes: Uint8Array): string {
  const head = binaryText(bytes.subarray(0, 40)).split(/\r?\n/)[0]!
  const name = head.trim().toLowerCase()
  const label = /^iso8859-\d+$/.test(name)
    ? name.replace('iso', 'iso-')
    : name.replace('microsoft-cp', 'windows-')
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

interface Minima {
  left: number
  right: number
  partLeft: number
  partRight: number
}
const names: ReadonlyMap<string, keyof Minima> = new Map([
  ['LEFTHYPHENMIN', 'left'],
  ['RIGHTHYPHENMIN', 'right'],
  ['COMPOUNDLEFTHYPHENMIN', 'partLeft'],
  ['COMPOUNDRIGHTHYPHENMIN', 'partRight'],
])

/** Reads a line with a minimum length into `minima`. Returns false for any other line. */
function readMinimum(line: string, minima: Minima): boolean {
  const match = /^([A-Z]+)\s+(\d+)$/.exec(line)
  const name = names.get(match?.[1] ?? '')
  if (name === undefined) return false
  minima[name] = Math.max(1, Math.min(20, Number(match?.[2])))
  return true
}
