/** Sizes of paper and lengths in CSS syntax, converted to inches. */

import { entryOf } from '../entry-of.ts'

/** ISO 216 and ANSI, portrait. Source: CSS Paged Media Level 3, 6.1.1, and the names that printers use. */
const sizes: Readonly<Record<string, readonly [number, number]>> = {
  a0: mm(841, 1189),
  a1: mm(594, 841),
  a2: mm(420, 594),
  a3: mm(297, 420),
  a4: mm(210, 297),
  a5: mm(148, 210),
  a6: mm(105, 148),
  b4: mm(250, 353),
  b5: mm(176, 250),
  letter: [8.5, 11],
  legal: [8.5, 14],
  tabloid: [11, 17],
  ledger: [17, 11],
}
export const paperRule = `one of ${Object.keys(sizes).join(', ')}, or two lengths such as 210mm 297mm`
export const lengthRule = 'a length such as 2cm, 20mm, 0.5in, 36pt or 40px, or a number of px'

const units: Readonly<Record<string, number>> = { in: 1, cm: 1 / 2.54, mm: 1 / 25.4, pt: 1 / 72, px: 1 / 96 }
/** PDF readers give up above 200 inches (PDF 32000-1, annex C.2). */
const [smallest, largest] = [0.1, 200]

export interface Paper {
  readonly width: number
  readonly height: number
}

export function readPaper(text: string): Paper | undefined {
  const named = entryOf(sizes, text.trim().toLowerCase())
  if (named !== undefined) return { width: named[0], height: named[1] }
  const parts = text.trim().split(/\s+/)
  const [width, height] = parts.map(readLength)
  if (parts.length !== 2 || width === undefined || height === undefined) return undefined
  const fits = (side: number) => side >= smallest && side <= largest
  return fits(width) && fits(height) ? { width, height } : undefined
}

export function readLength(text: string): number | undefined {
  const parts = /^(\d{1,5}(?:\.\d{1,12})?)(in|cm|mm|pt|px)$/i.exec(text.trim())
  const unit = entryOf(units, parts?.[2]?.toLowerCase())
  if (parts === null || unit === undefined) return undefined
  const length = Number(parts[1]) * unit
  return length <= largest ? length : undefined
}

function mm(width: number, height: number): readonly [number, number] {
  return [width / 25.4, height / 25.4]
}
