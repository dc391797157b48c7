/** The paper of a page: `@page`, otherwise A4 with the margin of browsers. Margins of the body are added. */
import type { Declaration } from './css/declarations.ts'
import { longhands, words } from './css/declarations.ts'
import { ComputedStyle } from './css/style.ts'
import type { PageSetting } from './odf/document.ts'

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
/** The default page margin of browsers: 1 cm. */
const defaultMargin = 10 * millimetre
/** Office programs accept page sizes from 2 to 200 inches. */
const [smallest, largest] = [144, 14_400]

export function paperOf(rules: readonly Declaration[], body: ComputedStyle): PageSetting {
  const values = new Map<string, string>()
  for (const { name, value } of rules)
    for (const [longhand, one] of longhands(name, value)) values.set(longhand, one)
  const page = new ComputedStyle(values, new Map(), undefined)
  const [width, height] = sizeOf(page)
  const marginOf = (name: 'top' | 'right' | 'bottom' | 'left') => {
    const extent = name === 'top' || name === 'bottom' ? height : width
    const margin = Math.max(0, page.length(`margin-${name}`, extent) ?? defaultMargin)
    const inside =
      Math.max(0, body.length(`margin-${name}`, width) ?? 0) +
      Math.max(0, body.length(`padding-${name}`, width) ?? 0)
    return Math.min(margin + inside, extent / 3)
  }
  const background = body.color('background-color') ?? body.parent?.color('background-color')
  return {
    width,
    height,
    margin: {
      top: marginOf('top'),
      right: marginOf('right'),
      bottom: marginOf('bottom'),
      left: marginOf('left'),
    },
    ...(background !== undefined && background !== 'ffffff' && { background }),
  }
}

function sizeOf(page: ComputedStyle): readonly [number, number] {
  const parts = words(page.word('size') ?? '')
  const lengths = parts.map((part) => page.measure(part)).filter((length) => length !== undefined)
  const named = parts.map((part) => sizes[part]).find((size) => size !== undefined) ?? [210, 297]
  const fallback = named.map((side) => side * millimetre)
  const [width = fallback[0] as number, height = lengths[0] ?? (fallback[1] as number)] = lengths
  const fits = [width, height].every((length) => length >= smallest && length <= largest)
  const [short, long] = fits ? [width, height] : [210 * millimetre, 297 * millimetre]
  const landscape = parts.includes('landscape') && short < long
  return landscape ? [long, short] : [short, long]
}
