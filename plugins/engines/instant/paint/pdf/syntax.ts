/** Writes values in the syntax of PDF (ISO 32000-2, 7.3). All output is ASCII; other text becomes hexadecimal. */

import { pdfDate } from '../../../../../shared/pdf/model/text-string.ts'

/** Formats a number with up to two decimals: 1/100 pt is below what any printer shows. */
export function num(value: number): string {
  if (!(Math.abs(value) < 1e9)) return '0'
  const rounded = Math.round(value * 100) / 100
  return rounded === 0 ? '0' : String(rounded)
}

/** Formats a factor of a matrix or colour, for which two decimals are too coarse. */
export function factor(value: number): string {
  if (!(Math.abs(value) < 1e9)) return '0'
  const rounded = Math.round(value * 1e5) / 1e5
  if (rounded === 0) return '0'
  const text = String(rounded)
  return text.includes('e') ? rounded.toFixed(5) : text
}

export function reference(id: number): string {
  return `${id} 0 R`
}

/** A text string: literal when it is ASCII, else UTF-16 with a byte order mark. */
export function textString(text: string): string {
  if (/^[ -~]*$/.test(text)) return `(${text.replace(/[\\()]/g, '\\$&')})`
  return `<feff${utf16Hex(text)}>`
}

/** An address as a byte string; characters outside ASCII are percent-encoded as UTF-8. */
export function addressString(address: string): string {
  let ascii = ''
  for (const character of address) ascii += /[!-~]/.test(character) ? character : percent(character)
  return `(${ascii.replace(/[\\()]/g, '\\$&')})`
}

function percent(character: string): string {
  try {
    return encodeURIComponent(character)
  } catch {
    return '%EF%BF%BD' // an unpaired surrogate
  }
}

export function utf16Hex(text: string): string {
  let hex = ''
  for (let at = 0; at < text.length; at++) hex += text.charCodeAt(at).toString(16).padStart(4, '0')
  return hex
}

/** A date string in UTC (ISO 32000-2, 7.9.4). */
export function dateString(ms: number): string {
  return `(${pdfDate(ms)})`
}

const encoder = new TextEncoder()
export function ascii(text: string): Uint8Array {
  return encoder.encode(text)
}
