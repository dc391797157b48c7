import type { Look } from './look.ts'
import { numberOf } from './tree.ts'

/** Beyond it numbers stand as digits, and nobody counts so far. */
const mostLetters = 26 * 8
/** Of an example that numbers are filled up to with zeros. */
const mostDigits = 12

/** Bullets and numbers of the paragraphs of one story, from the first to the last. */
export class Numbering {
  readonly #counts = new Map<number, number>()

  /** What stands before the text of the next paragraph. */
  next(look: Look): string | undefined {
    const type = look.get('BulletsAndNumberingListType')
    // Text between two lists begins the second one anew.
    if (type !== 'NumberedList') this.#counts.clear()
    if (type === 'BulletList') {
      const code = numberOf(look.get('BulletChar'), 0x2022)
      return Number.isInteger(code) && code >= 0x20 && code <= 0x10ffff ? String.fromCodePoint(code) : '•'
    }
    if (type !== 'NumberedList') return undefined
    const level = look.number('NumberingLevel', 1)
    const starts = Math.round(look.number('NumberingStartAt', 1))
    const goesOn = look.get('NumberingContinue') !== 'false'
    const before = goesOn ? this.#counts.get(level) : undefined
    const count = before === undefined ? starts : before + 1
    this.#counts.set(level, count)
    for (const deeper of [...this.#counts.keys()]) if (deeper > level) this.#counts.delete(deeper)
    return this.#expression(look, level, count)
  }

  /** '^#.^t': ^# this number, ^1 that of level 1, ^t a tab, which stands behind every label anyway. */
  #expression(look: Look, level: number, count: number): string {
    const format = look.get('NumberingFormat') ?? '1, 2, 3, 4...'
    return (look.get('NumberingExpression') ?? '^#.^t')
      .replace(/\^#/g, shown(count, format))
      .replace(/\^(\d)/g, (_, of: string) =>
        shown(Number(of) === level ? count : (this.#counts.get(Number(of)) ?? 1), format),
      )
      .replace(/\^[a-zA-Z.]/g, '')
      .trim()
  }
}

/** By the first of the examples that the program shows: 'A, B, C, D...', 'i, ii, iii, iv...', '01, 02, 03...'. */
function shown(count: number, format: string): string {
  const [example = '1'] = format.split(',')
  if (/^a$/i.test(example) && count > 0 && count <= mostLetters) {
    const letter = String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.ceil(count / 26))
    return example === 'A' ? letter.toUpperCase() : letter
  }
  if (/^i$/i.test(example)) return example === 'I' ? roman(count).toUpperCase() : roman(count)
  return String(count).padStart(Math.min(example.trim().length, mostDigits), '0')
}

const romans = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
] as const

function roman(count: number): string {
  let rest = Math.min(Math.max(count, 0), 4999)
  let text = ''
  for (const [value, letters] of romans) for (; rest >= value; rest -= value) text += letters
  return text
}
