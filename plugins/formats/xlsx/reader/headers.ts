import type {
  CellFont,
  HeaderLine,
  HeaderRun,
  HeaderText,
  SheetHeader,
} from '../../../../shared/document/sheet.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { rgb } from './colors.ts'

/** The maximum length of a header (18.3.1.46 allows 255 characters, but font codes make it longer). */
const maxLength = 2_000
const fieldCodes: Readonly<Record<string, HeaderText>> = {
  N: { kind: 'pages' },
  A: { kind: 'sheet' },
  F: { kind: 'file' },
  D: { kind: 'date' },
  T: { kind: 'time' },
}
const sectionCodes: Readonly<Record<string, keyof SheetHeader>> = { L: 'left', C: 'center', R: 'right' }

/**
 * Parses a header with its codes (ECMA-376-1 18.3.1.46). Text before the first section is centred. A path ('&Z') and a
 * picture ('&G') are omitted.
 */
export function readHeader(source: string, defaultFont: CellFont): SheetHeader {
  const reader = new HeaderReader(defaultFont)
  const text = source.slice(0, maxLength)
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at)
    if (character === '&') at = reader.addCode(text, at + 1)
    else if (character === '\n' || character === '\r') at = reader.addLineBreak(text, at)
    else at = reader.addCharacter(text, at)
  }
  const { left, center, right } = reader.sections
  return { left: closed(left), center: closed(center), right: closed(right) }
}

/** Reads a header from left to right. Each method returns the offset after what it has read. */
class HeaderReader {
  readonly sections: Record<keyof SheetHeader, HeaderRun[][]> = { left: [[]], center: [[]], right: [[]] }
  readonly #defaultFont: CellFont
  /** The lines of the current section. */
  #lines = this.sections.center
  #font: CellFont

  constructor(defaultFont: CellFont) {
    this.#defaultFont = defaultFont
    this.#font = defaultFont
  }

  addCharacter(text: string, at: number): number {
    this.#add({ kind: 'text', text: text.charAt(at) })
    return at + 1
  }

  addLineBreak(text: string, at: number): number {
    if (text.charAt(at) === '\n' || text.charAt(at + 1) !== '\n') this.#lines.push([])
    return at + 1
  }

  /** `at` is the position of the letter of the code, after the ampersand. */
  addCode(text: string, at: number): number {
    const code = text.charAt(at)
    const behind = at + 1
    const section = entryOf(sectionCodes, code)
    const field = entryOf(fieldCodes, code)
    if (section !== undefined) {
      this.#lines = this.sections[section]
      this.#font = this.#defaultFont
    } else if (field !== undefined) this.#add(field)
    else if (code === '&') this.#add({ kind: 'text', text: '&' })
    else if (code === 'P') return this.#addPageNumber(text, behind)
    else if (code === '"') return this.#setFace(text, behind)
    else if (code === 'K') return this.#setColor(text, behind)
    else if (/\d/.test(code)) return this.#setSize(text, at)
    else this.#font = switched(this.#font, code)
    return behind
  }

  #add(text: HeaderText): void {
    const line = this.#lines.at(-1)
    const last = line?.at(-1)
    const font = this.#font
    if (text.kind === 'text' && last?.text.kind === 'text' && last.font === font)
      line?.splice(-1, 1, { font, text: { kind: 'text', text: last.text.text + text.text } })
    else line?.push({ font, text })
  }

  /** The number of the page, and perhaps what is added to it, such as '+1'. */
  #addPageNumber(text: string, at: number): number {
    const offset = /^[+-]\d{1,5}/.exec(text.slice(at, at + 6))?.[0] ?? ''
    this.#add({ kind: 'page', add: Number(offset) })
    return at + offset.length
  }

  /** A face without a closing quotation mark ends the header. */
  #setFace(text: string, at: number): number {
    const end = text.indexOf('"', at)
    if (end < 0) return text.length
    this.#font = withFace(this.#font, text.slice(at, end), this.#defaultFont)
    return end + 1
  }

  /** Six hexadecimal digits. Theme colours, an index and a tint such as '01+000', are skipped. */
  #setColor(text: string, at: number): number {
    const operand = text.slice(at, at + 6)
    const color = rgb(operand)
    if (color === undefined) return at + (/^\d\d[+-]\d{3}/.exec(operand)?.[0].length ?? 0)
    this.#font = { ...this.#font, color }
    return at + 6
  }

  #setSize(text: string, at: number): number {
    const digits = /^\d{1,3}/.exec(text.slice(at, at + 3))?.[0] ?? ''
    this.#font = { ...this.#font, size: Math.min(409, Math.max(1, Number(digits))) }
    return at + digits.length
  }
}

/** A section without any content has no lines. */
const closed = (lines: readonly HeaderRun[][]): readonly HeaderLine[] =>
  lines.length === 1 && lines[0]?.length === 0 ? [] : lines

/** '&"Face,Style"'. The face '-' is the default font. */
function withFace(font: CellFont, name: string, defaultFont: CellFont): CellFont {
  const [family = '', style = ''] = name.split(',')
  return {
    ...font,
    family: family === '-' || family === '' ? defaultFont.family : family,
    bold: /bold/i.test(style),
    italic: /italic|oblique/i.test(style),
  }
}

/** The font after a code that toggles a property, such as '&B'; the same for unknown codes. */
function switched(font: CellFont, code: string): CellFont {
  const { underline, script, ...otherProperties } = font
  switch (code) {
    case 'B':
      return { ...font, bold: font.bold !== true }
    case 'I':
      return { ...font, italic: font.italic !== true }
    case 'S':
      return { ...font, strike: font.strike !== true }
    case 'U':
      return underline === undefined
        ? { ...font, underline: 'single' }
        : { ...otherProperties, ...(script && { script }) }
    case 'E':
      return underline === undefined
        ? { ...font, underline: 'double' }
        : { ...otherProperties, ...(script && { script }) }
    case 'X':
    case 'Y': {
      const requested = code === 'X' ? 'super' : 'sub'
      const rest: CellFont = { ...otherProperties, ...(underline && { underline }) }
      return script === requested ? rest : { ...rest, script: requested }
    }
    default:
      return font
  }
}
