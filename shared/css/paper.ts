/** The page size that `@page` rules specify. Source: CSS Paged Media Level 3. */
import { entryOf } from '../entry-of.ts'
import type { Declaration } from './declarations.ts'
import { longhands, partsOf } from './declarations.ts'
import { ComputedStyle } from './style.ts'

const millimetre = 72 / 25.4
/** ISO 216 and ANSI sizes, portrait, in mm. Source: CSS Paged Media Level 3, 6.1.1. */
const sizes: Readonly<Record<string, readonly [number, number]>> = {
  a3: [297, 420],
  a4: [210, 297],
  a5: [148, 210],
  b4: [250, 353],
  b5: [176, 250],
  'jis-b4': [257, 364],
  'jis-b5': [182, 257],
  letter: [215.9, 279.4],
  legal: [215.9, 355.6],
  ledger: [279.4, 431.8],
}
/** Office programs accept page sizes from 2 to 200 inches. */
const [smallest, largest] = [144, 14_400]

/** The style of the page box. */
export function pageStyleOf(rules: readonly Declaration[]): ComputedStyle {
  const values = new Map<string, string>()
  for (const { name, value } of rules)
    for (const [longhand, longhandValue] of longhands(name, value)) values.set(longhand, longhandValue)
  return new ComputedStyle(values, new Map(), undefined)
}

/** Width and height, pt; A4 if the page specifies no size, or one outside of the bounds. */
export function sizeOfPaper(page: ComputedStyle): readonly [number, number] {
  const parts = partsOf(page.word('size') ?? '')
  const lengths = parts.map((part) => page.measure(part)).filter((length) => length !== undefined)
  const named = parts.map((part) => entryOf(sizes, part)).find((size) => size !== undefined) ?? [210, 297]
  const fallback = named.map((side) => side * millimetre)
  const [width = fallback[0] as number, height = lengths[0] ?? (fallback[1] as number)] = lengths
  const fits = [width, height].every((length) => length >= smallest && length <= largest)
  const [short, long] = fits ? [width, height] : [210 * millimetre, 297 * millimetre]
  const landscape = parts.includes('landscape') && short < long
  return landscape ? [long, short] : [short, long]
}
