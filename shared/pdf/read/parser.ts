import { entryOf } from '../../entry-of.ts'
import { BrokenPdf, tooLarge } from '../model/limits.ts'
import { type PdfArray, PdfDict, PdfName, PdfRef, PdfString, type PdfValue } from '../model/values.ts'

/** A word that is not a value: `obj`, `endobj`, `stream`, `R`, `]`, `>>`, or garbage. The parser returns it as it is. */
class Keyword {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** The class of each byte: 0 regular, 1 white space, 2 delimiter. ISO 32000-2, 7.2.3. */
const classes = new Uint8Array(256)
for (const code of [0, 9, 10, 12, 13, 32]) classes[code] = 1
for (const character of '()<>[]{}/%') classes[character.charCodeAt(0)] = 2
const closeArray = new Keyword(']')
const closeDict = new Keyword('>>')
const endOfFile = new Keyword('')
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

export function isSpace(code: number | undefined): boolean {
  return code !== undefined && classes[code] === 1
}

/**
 * Reads values from bytes, starting at any offset. It is lenient, as viewers are: garbage inside a dictionary is skipped.
 * Throws BrokenPdf where there is no value, 'pdf.too-large' for nesting deeper than `depth`. ISO 32000-2, 7.2, 7.3.
 */
export class Parser {
  at: number
  private readonly bytes: Uint8Array
  private readonly depth: number

  constructor(bytes: Uint8Array, at: number, depth: number) {
    this.bytes = bytes
    this.at = at
    this.depth = depth
  }

  value(): PdfValue {
    const token = this.token(0)
    if (token instanceof Keyword) throw new BrokenPdf('a value is missing')
    return token
  }

  /** Reads a non-negative integer. Returns undefined, and consumes nothing, when something else follows. */
  integer(): number | undefined {
    this.skipSpace()
    const from = this.at
    let value = 0
    let at = from
    for (; at < this.bytes.length && at - from < 16; at++) {
      const digit = (this.bytes[at] ?? 0) - 48
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    if (at === from) return undefined
    this.at = at
    return value
  }

  /** Whether this word follows. It is consumed when it does. */
  word(text: string): boolean {
    this.skipSpace()
    for (let index = 0; index < text.length; index++) {
      if (this.bytes[this.at + index] !== text.charCodeAt(index)) return false
    }
    this.at += text.length
    return true
  }

  skipSpace(): void {
    const { bytes } = this
    while (this.at < bytes.length) {
      const code = bytes[this.at] ?? 0
      if (code === 37) {
        while (this.at < bytes.length && bytes[this.at] !== 10 && bytes[this.at] !== 13) this.at++
      } else if (classes[code] === 1) this.at++
      else return
    }
  }

  token(level: number): PdfValue | Keyword {
    this.skipSpace()
    const code = this.bytes[this.at]
    switch (code) {
      case undefined:
        return endOfFile
      case 47: // /
        this.at++
        return new PdfName(this.nameText())
      case 40: // (
        this.at++
        return this.literal()
      case 91: // [
        this.at++
        return this.array(level + 1)
      case 93: // ]
        this.at++
        return closeArray
      case 60: // <
        this.at++
        if (this.bytes[this.at] !== 60) return this.hexadecimal()
        this.at++
        return this.dictionary(level + 1)
      case 62: // >
        this.at += this.bytes[this.at + 1] === 62 ? 2 : 1
        return closeDict
      default:
        return this.regular(code)
    }
  }

  private regular(code: number): PdfValue | Keyword {
    const { bytes } = this
    const from = this.at
    if (classes[code] === 2) {
      this.at++
      return new Keyword(String.fromCharCode(code))
    }
    while (this.at < bytes.length && classes[bytes[this.at] ?? 0] === 0) this.at++
    const isNumber = code < 58 && code > 42 && code !== 44 && code !== 47
    const text = this.text(from, this.at)
    if (isNumber) {
      const integer = integerOf(text)
      if (integer === undefined) return realNumber(text)
      return this.reference(integer) ?? integer
    }
    if (text === 'true') return true
    if (text === 'false') return false
    if (text === 'null') return null
    return new Keyword(text)
  }

  /**
   * Completes `12 0 R` after its first number. The generation is ignored, since a file contains one object of each number.
   */
  private reference(id: number): PdfRef | undefined {
    const start = this.at
    if (id >= 0 && isSpace(this.bytes[start])) {
      const generation = this.integer()
      if (generation !== undefined && isSpace(this.bytes[this.at])) {
        this.skipSpace()
        const next = this.bytes[this.at + 1]
        if (this.bytes[this.at] === 82 && (next === undefined || classes[next] !== 0)) {
          this.at++
          return new PdfRef(id)
        }
      }
    }
    this.at = start
    return undefined
  }

  private array(level: number): PdfArray {
    if (level > this.depth) throw tooLarge('levels of nesting', this.depth)
    const items: PdfArray = []
    for (;;) {
      const token = this.token(level)
      if (!(token instanceof Keyword)) items.push(token)
      else if (token === closeArray) return items
      else if (ends(token)) throw new BrokenPdf('an array is not closed')
    }
  }

  private dictionary(level: number): PdfDict {
    if (level > this.depth) throw tooLarge('levels of nesting', this.depth)
    const result = new PdfDict()
    for (;;) {
      const key = this.token(level)
      if (key === closeDict) return result
      if (key instanceof Keyword && ends(key)) throw new BrokenPdf('a dictionary is not closed')
      if (!(key instanceof PdfName)) continue
      const value = this.token(level)
      if (value === closeDict) return result
      if (value instanceof Keyword) {
        if (ends(value)) throw new BrokenPdf('a dictionary is not closed')
      } else if (value !== null) result.set(key.text, value)
    }
  }

  private nameText(): string {
    const from = this.at
    const { bytes } = this
    while (this.at < bytes.length && classes[bytes[this.at] ?? 0] === 0) this.at++
    const text = this.text(from, this.at)
    if (!text.includes('#')) return text
    return text.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  }

  private literal(): PdfString {
    const { bytes } = this
    const start = this.at
    let open = 1
    let isUnescaped = true
    for (let at = start; at < bytes.length; at++) {
      const code = bytes[at] ?? 0
      if (code === 92) {
        isUnescaped = false
        at++
      } else if (code === 13) isUnescaped = false
      else if (code === 40) open++
      else if (code === 41 && --open === 0) {
        this.at = at + 1
        const text = this.text(start, at)
        return new PdfString(isUnescaped ? text : withoutEscapes(text))
      }
    }
    throw new BrokenPdf('a string is not closed')
  }

  private hexadecimal(): PdfString {
    const { bytes } = this
    const from = this.at
    while (this.at < bytes.length && bytes[this.at] !== 62) this.at++
    if (this.at >= bytes.length) throw new BrokenPdf('a string is not closed')
    const digits = this.text(from, this.at++).replace(/[^0-9a-fA-F]/g, '')
    const codes: string[] = []
    for (let at = 0; at < digits.length; at += 2) {
      codes.push(String.fromCharCode(Number.parseInt(digits.slice(at, at + 2).padEnd(2, '0'), 16)))
    }
    return new PdfString(codes.join(''))
  }

  private text(from: number, to: number): string {
    const { bytes } = this
    let text = ''
    for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at] ?? 0)
    return text
  }
}

function ends(keyword: Keyword): boolean {
  return keyword === endOfFile || keyword.text === 'endobj' || keyword.text === 'stream'
}

function integerOf(text: string): number | undefined {
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Reads malformed numbers as viewers do: `--5` is -5, `1.2.3` is 1.2, `.` is 0. */
function realNumber(text: string): number {
  const match = /^([+-]*)(\d*\.?\d*)/.exec(text)
  const size = Number(match?.[2] === '.' ? 0 : (match?.[2] ?? 0))
  return match?.[1]?.includes('-') ? -size : size
}

/** The meaning of the characters after a backslash in a string. ISO 32000-2, 7.3.4.2. */
function withoutEscapes(text: string): string {
  return text.replace(/\\([0-7]{1,3}|\r\n|[\s\S]|$)|\r\n?/g, (match, code: string | undefined) => {
    if (code === undefined) return '\n' // an end of line of any kind
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 0xff)
    if (code === '\n' || code === '\r' || code === '\r\n') return ''
    return entryOf(escapes, code) ?? (match.length > 1 ? code : '')
  })
}
