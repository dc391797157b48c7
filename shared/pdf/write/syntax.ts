import { PdfDict, PdfName, PdfRef, PdfStream, PdfString, type PdfValue } from '../model/values.ts'

/** Returns the new number of an object, 0 when it is not written. */
export type NumberOf = (id: number) => number

/** Formats a value, one character for each byte. Streams are written by `file.ts`. ISO 32000-2, 7.3. */
export function formatValue(value: PdfValue, numberOf: NumberOf): string {
  if (value === null || value instanceof PdfStream) return 'null'
  if (typeof value === 'number') return formatPdfNumber(value)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (value instanceof PdfName) return formatName(value.text)
  if (value instanceof PdfString) return formatString(value.raw)
  if (value instanceof PdfRef) {
    const id = numberOf(value.id)
    return id === 0 ? 'null' : `${id} 0 R`
  }
  if (value instanceof PdfDict) {
    let text = '<<'
    for (const [key, item] of value.entries) {
      const written = formatValue(item, numberOf)
      text += formatName(key) + (selfDelimiting.test(written) ? written : ` ${written}`)
    }
    return `${text}>>`
  }
  return `[${value.map((item) => formatValue(item, numberOf)).join(' ')}]`
}

const selfDelimiting = /^[<([/]/

/** Formats a number without an exponent, which PDF does not have. */
export function formatPdfNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value)
  if (!Number.isFinite(value)) return '0'
  if (Math.abs(value) >= 1e15) return String(BigInt(Math.round(value)))
  const text = String(value)
  return text.includes('e') ? value.toFixed(10).replace(/\.?0+$/, '') : text
}

/** '/Name', with the characters that a name may not have written as #xx. */
export function formatName(text: string): string {
  if (/^[!-~]*$/.test(text) && !/[#/%()<>[\]{}]/.test(text)) return `/${text}`
  return `/${text.replace(/[^!-~]|[#/%()<>[\]{}]/g, (character) => `#${(character.charCodeAt(0) & 0xff).toString(16).padStart(2, '0')}`)}`
}

function formatString(raw: string): string {
  return `(${raw.replace(/[\\()\r\n]/g, (character) => (character === '\r' ? '\\r' : character === '\n' ? '\\n' : `\\${character}`))})`
}
