/** Seeded JSON that is hard on readers of JSON, sound and damaged. The same in every run. */

export type Random = (below: number) => number

/** Whole numbers from 0 to below `below`. */
export function randomNumbers(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export function oneOf<T>(random: Random, values: readonly T[]): T {
  return values[random(values.length)]!
}

const texts = [
  '""',
  '"a"',
  '"\\""',
  '"\\\\"',
  '"\\\\\\""',
  '"{"',
  '"}]"',
  '"é文😀"',
  '"\\u0000"',
  '"\\ud83d"',
  '"\\uD83D\\uDE00"',
  '",\\":"',
  '"\\/\\b\\f\\n\\r\\t"',
  '"\u007f\u2028"',
]
const scalars = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1',
  '-1.5',
  '1e5',
  '1E+5',
  '0.1e-7',
  '1e999',
  '123456789012345678901234567890',
]
const names = [
  '"a"',
  '"b"',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"data"',
  '"\\u0061"',
  '"template"',
  '""',
  '"\\""',
  '"文"',
]

/** JSON text, with its own white space, names twice, and odd ways of writing. */
export function randomJson(random: Random, depth = 0): string {
  const space = oneOf(random, ['', '', '', ' ', '\n', '\t \r\n'])
  const kind = random(depth > 5 ? 4 : 7)
  if (kind < 2) return oneOf(random, texts) + space
  if (kind < 4) return space + oneOf(random, scalars)
  const parts = Array.from({ length: random(5) }, () => randomJson(random, depth + 1))
  if (kind === 4) return `[${space}${parts.join(`,${space}`)}${space}]`
  return `{${space}${parts.map((part) => `${oneOf(random, names)}${space}:${part}`).join(',')}${space}}`
}

const noise = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '\\',
  ' ',
  '1',
  'x',
  '-',
  '.',
  'e',
  'null',
  '\u0000',
  '\n',
  '\ufeff',
  '\\u12',
  '',
]

/** The text with a letter or two taken out, put in or exchanged. */
export function damaged(random: Random, text: string): string {
  const at = random(text.length + 1)
  // Cutting may leave half a character, which UTF-8 cannot carry.
  return (text.slice(0, at) + oneOf(random, noise) + text.slice(at + random(3))).toWellFormed()
}

/** In pieces of the given size, or of random sizes. */
export function* inPieces(bytes: Uint8Array, size: number | Random): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const next = typeof size === 'number' ? size : 1 + size(7)
    yield bytes.subarray(at, at + next)
    at += next
  }
}
