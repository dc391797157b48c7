import { PdfDict, PdfName, PdfRef, PdfStream, PdfString, type PdfValue } from './values.ts'

/** New number of an object, 0 where there is none. */
export type NumberOf = (id: number) => number

/** A value as it is written, one character a byte; streams belong elsewhere. ISO 32000-2, 7.3. */
export function formatValue(value: PdfValue, numberOf: NumberOf): string {
  if (value === null || value instanceof PdfStream) return 'null'
  if (typeof value === 'number') return formatNumber(value)
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

/** Never with an exponent, which PDF does not know. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value)
  if (!Number.isFinite(value)) return '0'
  if (Math.abs(value) >= 1e15) return String(BigInt(Math.round(value)))
  const text = String(value)
  return text.includes('e') ? value.toFixed(10).replace(/\.?0+$/, '') : text
}

function formatName(text: string): string {
  if (/^[!-~]*$/.test(text) && !/[#/%()<>[\]{}]/.test(text)) return `/${text}`
  return `/${text.replace(/[^!-~]|[#/%()<>[\]{}]/g, (one) => `#${one.charCodeAt(0).toString(16).padStart(2, '0')}`)}`
}

function formatString(raw: string): string {
  return `(${raw.replace(/[\\()\r\n]/g, (one) => (one === '\r' ? '\\r' : one === '\n' ? '\\n' : `\\${one}`))})`
}
