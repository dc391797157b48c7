import type { Level, Numbering } from '../../../../shared/document/numbering.ts'
import type { ListPosition } from '../../../../shared/document/properties.ts'

/** Label formats of ST_TextAutonumberScheme (ECMA-376-1 20.1.10.61) by the first part of their names. */
const formats: readonly (readonly [prefix: string, format: string])[] = [
  ['arabic', 'decimal'],
  ['alphaLc', 'lowerLetter'],
  ['alphaUc', 'upperLetter'],
  ['romanLc', 'lowerRoman'],
  ['romanUc', 'upperRoman'],
  ['circleNum', 'decimalEnclosedCircle'],
  ['ea1Chs', 'chineseCounting'],
  ['ea1Cht', 'taiwaneseCounting'],
  ['ea1Jpn', 'japaneseCounting'],
  ['hebrew2', 'hebrew1'],
  ['thaiAlpha', 'thaiLetters'],
  ['thaiNum', 'thaiNumbers'],
  ['hindi', 'hindiNumbers'],
]

/** The format and the text template of a numbering scheme, such as 'alphaLcParenR'. */
export function schemeOf(scheme: string): Pick<Level, 'format' | 'text'> {
  const format = formats.find(([prefix]) => scheme.startsWith(prefix))?.[1] ?? 'decimal'
  if (scheme.endsWith('ParenBoth')) return { format, text: '(%1)' }
  if (scheme.endsWith('ParenR')) return { format, text: '%1)' }
  if (scheme.endsWith('Period')) return { format, text: '%1.' }
  if (scheme.endsWith('Minus')) return { format, text: '- %1 -' }
  return { format, text: '%1' }
}

/** The list definitions of a presentation: one for each kind of label. The reader counts the numbers. */
export class ListBook {
  readonly numbering = new Map<string, Numbering>()
  readonly #ids = new Map<string, string>()

  /** The list position of a paragraph with this kind of label. `number` is the number of a counted label. */
  position(level: Level, number?: number): ListPosition {
    const key = JSON.stringify(level)
    let id = this.#ids.get(key)
    if (id === undefined) {
      id = `list-${this.#ids.size + 1}`
      this.#ids.set(key, id)
      this.numbering.set(id, { counters: id, levels: [level] })
    }
    return { list: id, level: 0, ...(number !== undefined && { restart: number }) }
  }
}
