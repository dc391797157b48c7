import { AppError } from '../../../shared/errors/app-error.ts'

/** How a CSV file is written: the options of the request. */
export interface CsvForm {
  readonly separator: string // one or more ASCII characters
  readonly delimiter: string // around texts; '' for none
  readonly characterSet: string // a number of rtl/textenc.h
}

/** UTF-7, UTF-32 and UTF-16, whose bytes below 128 are not ASCII characters. */
const notAscii: ReadonlySet<string> = new Set(['75', '65534', '65535'])
/** The characters that spreadsheet programs take as the beginning of a formula. Source: OWASP, "CSV Injection". */
const beginsFormula = /^[=+\-@\t\r]/
/** A signed number is not a formula. */
const isNumber = /^[+-]?(?:\d[\d.,' ]*|[.,]\d+)(?:e[+-]?\d+)?\s?%?$/i

/**
 * Puts an apostrophe before each field of a CSV file that a spreadsheet program would run as a formula, so that it shows
 * the text. Works on any character set that contains ASCII. Throws 'convert.options' for the others.
 */
export function escapeFormulae(csv: Uint8Array, { separator, delimiter, characterSet }: CsvForm): Uint8Array {
  if (notAscii.has(characterSet))
    throw new AppError('convert.options', {
      option: 'escapeFormulae',
      rule: 'needs a character set that contains ASCII, such as 76',
    })
  // One character per byte, so that all other bytes are preserved.
  const text = Buffer.from(csv).toString('latin1')
  const start = text.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0
  const out: string[] = [text.slice(0, start)]
  for (let at = start; at < text.length; ) {
    const quoted = delimiter !== '' && text.startsWith(delimiter, at)
    const from = quoted ? at + 1 : at
    const end = quoted ? endOfQuoted(text, from, delimiter) : endOfUnquoted(text, from, separator)
    const value = text.slice(from, end)
    const escaped = beginsFormula.test(value) && !isNumber.test(value) ? `'${value}` : value
    const next = endOfUnquoted(text, quoted ? Math.min(end + 1, text.length) : end, separator)
    out.push(quoted ? delimiter : '', escaped, text.slice(end, next))
    const gap = text.startsWith(separator, next) ? separator.length : lineEnd(text, next)
    out.push(text.slice(next, next + gap))
    at = next + gap
  }
  return Buffer.from(out.join(''), 'latin1')
}

/** The position of the closing delimiter; two in a row are one character of the text. */
function endOfQuoted(text: string, from: number, delimiter: string): number {
  let at = text.indexOf(delimiter, from)
  while (at !== -1 && text.startsWith(delimiter, at + 1)) at = text.indexOf(delimiter, at + 2)
  return at === -1 ? text.length : at
}

/** The position of the next separator or end of a line. */
function endOfUnquoted(text: string, from: number, separator: string): number {
  let at = from
  while (at < text.length && text[at] !== '\n' && text[at] !== '\r' && !text.startsWith(separator, at)) at++
  return at
}

/** The length of the line end at a position; one character when there is none, so that reading continues. */
function lineEnd(text: string, at: number): number {
  return text.startsWith('\r\n', at) ? 2 : Math.min(1, text.length - at)
}
