import { entryOf } from '../entry-of.ts'
/**
 * Texts for barcode fonts. Older templates show a barcode as a tag whose text has such a font. The characters are
 * those of the fonts EAN13, Code 128 (its second edition) and Code 39 that are free and common. Source: template
 * language 22.2; GS1 General Specifications 5.2 and 5.4; ISO/IEC 15417, 16388.
 */

/**
 * Encodes a text for a barcode font. Returns undefined if there is no font for the type, or if it cannot encode the
 * text.
 */
export function barcodeFontText(type: string, text: string): string | undefined {
  return entryOf(encoders, type)?.(text)
}

const encoders: Readonly<Record<string, (text: string) => string | undefined>> = {
  ean8,
  ean13,
  ean128,
  code39,
}

/** The letters for each digit in the three sets of bars: left odd, left even, right. */
const oddDigit = (digit: string): string => String.fromCharCode(65 + Number(digit))
const even = (digit: string): string => String.fromCharCode(75 + Number(digit))
const right = (digit: string): string => String.fromCharCode(97 + Number(digit))

/** The first of 13 digits has no bars of its own: it selects the sets for the next six. */
const parities = [
  'OOOOOO',
  'OOEOEE',
  'OOEEOE',
  'OOEEEO',
  'OEOOEE',
  'OEEOOE',
  'OEEEOO',
  'OEOEOE',
  'OEOEEO',
  'OEEOEO',
]

function ean13(text: string): string | undefined {
  const digits = withCheck(text, 12)
  if (digits === undefined) return undefined
  const parity = parities[Number(digits[0])]!
  const left = [...digits.slice(1, 7)].map((digit, at) =>
    parity[at] === 'O' ? oddDigit(digit) : even(digit),
  )
  return `${digits[0]}${left.join('')}*${[...digits.slice(7)].map(right).join('')}+`
}

function ean8(text: string): string | undefined {
  const digits = withCheck(text, 7)
  return (
    digits &&
    `:${[...digits.slice(0, 4)].map(oddDigit).join('')}*${[...digits.slice(4)].map(right).join('')}+`
  )
}

/** The digits with their check digit. A missing check digit is added; a wrong one makes the text invalid. */
function withCheck(text: string, count: number): string | undefined {
  if (!/^\d+$/.test(text) || (text.length !== count && text.length !== count + 1)) return undefined
  const digits = text.slice(0, count)
  const sum = [...digits].reduce(
    (total, digit, at) => total + Number(digit) * ((count - at) % 2 === 1 ? 3 : 1),
    0,
  )
  const withCheckDigit = digits + ((10 - (sum % 10)) % 10)
  return text.length === count || withCheckDigit === text ? withCheckDigit : undefined
}

const startB = 104
const startC = 105
const codeB = 100
const codeC = 99
const fnc1 = 102
const stop = 106
const maxEan128Length = 48 // characters of a GS1-128 symbol

/** Four or more consecutive digits are encoded in pairs, which halves their width. */
function ean128(text: string): string | undefined {
  const withoutParentheses = text.replace(/[()]/g, '')
  if (
    withoutParentheses === '' ||
    withoutParentheses.length > maxEan128Length ||
    /[^ -~]/.test(withoutParentheses)
  )
    return undefined
  const values: number[] = []
  let inPairs: boolean | undefined
  for (let at = 0; at < withoutParentheses.length; ) {
    const digits = /^\d*/.exec(withoutParentheses.slice(at))![0].length
    const pairs =
      inPairs === true
        ? digits >= 2
        : digits >= 4 || (digits === withoutParentheses.length && digits % 2 === 0)
    if (inPairs === undefined) values.push(pairs ? startC : startB, fnc1)
    else if (pairs !== inPairs) values.push(pairs ? codeC : codeB)
    inPairs = pairs
    values.push(pairs ? Number(withoutParentheses.slice(at, at + 2)) : withoutParentheses.charCodeAt(at) - 32)
    at += pairs ? 2 : 1
  }
  const check = values.reduce((total, value, at) => total + value * Math.max(1, at), 0) % 103
  return [...values, check, stop]
    .map((value) => String.fromCharCode(value + (value < 95 ? 32 : 105)))
    .join('')
}

function code39(text: string): string | undefined {
  const upperCase = text.toUpperCase()
  return /^[\dA-Z\-. $/+%]+$/.test(upperCase) ? `*${upperCase}*` : undefined
}
