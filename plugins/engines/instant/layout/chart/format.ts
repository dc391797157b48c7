import { createNumberPrinter } from '../../style/cell-number/print.ts'

/** Charts have no language of their own, so formats that depend on the language use English. */
const settings = { date1904: false, language: 'en' }

/**
 * Writes a number of a chart by its format code, as a cell does. A label is as wide as its text, so the blanks at its
 * ends, which align the numbers of a column, are dropped. Returns an empty text for numbers that are not finite.
 */
export function chartNumberText(value: number, format: string | undefined): string {
  if (!Number.isFinite(value)) return ''
  return createNumberPrinter(settings)
    .print(value, format ?? 'General')
    .text.trim()
}

/** The date of a serial date of workbooks, whose day 0 is 30 December 1899. */
export const dayOf = (serial: number): Date => new Date(Math.round((serial - 25_569) * 86_400_000))
