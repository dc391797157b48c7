import { romanNumeral } from '../../../shared/locale/roman.ts'
import type { StoryStyle } from './story-style.ts'
import { numberOf } from './tree.ts'

/** Letters are used up to this number, and digits beyond it. */
const maxLetters = 26 * 8
/** The largest number that is written as a Roman numeral; larger ones are written like it. */
const maxRoman = 4999
/** Maximum number of digits that a format may require. */
const maxDigits = 12

/** Bullets and numbers of the paragraphs of one story, in order. */
export class IdmlNumbering {
  readonly #counts = new Map<number, number>()

  /** The label of the next paragraph. */
  next(formatting: StoryStyle): string | undefined {
    const type = formatting.get('BulletsAndNumberingListType')
    // A paragraph between two lists restarts the numbering.
    if (type !== 'NumberedList') this.#counts.clear()
    if (type === 'BulletList') {
      const code = numberOf(formatting.get('BulletChar'), 0x2022)
      return Number.isInteger(code) && code >= 0x20 && code <= 0x10ffff ? String.fromCodePoint(code) : '•'
    }
    if (type !== 'NumberedList') return undefined
    const level = formatting.number('NumberingLevel', 1)
    const starts = Math.round(formatting.number('NumberingStartAt', 1))
    const goesOn = formatting.get('NumberingContinue') !== 'false'
    const before = goesOn ? this.#counts.get(level) : undefined
    const count = before === undefined ? starts : before + 1
    this.#counts.set(level, count)
    for (const deeper of [...this.#counts.keys()]) if (deeper > level) this.#counts.delete(deeper)
    return this.#expression(formatting, level, count)
  }

  /** '^#.^t': ^# is this number, ^1 that of level 1, ^t a tab, which follows every label in any case. */
  #expression(formatting: StoryStyle, level: number, count: number): string {
    const format = formatting.get('NumberingFormat') ?? '1, 2, 3, 4...'
    return (formatting.get('NumberingExpression') ?? '^#.^t')
      .replace(/\^#/g, formatted(count, format))
      .replace(/\^(\d)/g, (_, of: string) =>
        formatted(Number(of) === level ? count : (this.#counts.get(Number(of)) ?? 1), format),
      )
      .replace(/\^[a-zA-Z.]/g, '')
      .trim()
  }
}

/**
 * The format is determined by the first of the examples that InDesign shows: 'A, B, C, D...', 'i, ii, iii,
 * iv...', '01, 02, 03...'.
 */
function formatted(count: number, format: string): string {
  const [example = '1'] = format.split(',')
  if (/^a$/i.test(example) && count > 0 && count <= maxLetters) {
    const letter = String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.ceil(count / 26))
    return example === 'A' ? letter.toUpperCase() : letter
  }
  if (/^i$/i.test(example)) {
    const numeral = romanNumeral(Math.min(count, maxRoman))
    return example === 'I' ? numeral : numeral.toLowerCase()
  }
  return String(count).padStart(Math.min(example.trim().length, maxDigits), '0')
}
