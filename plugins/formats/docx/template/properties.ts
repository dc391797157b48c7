/**
 * Properties of runs and paragraphs as a map of elements that is written in schema order. Source: ECMA-376-1, 17.3.1.26,
 * 17.3.2.28.
 */

import { elementIn, elementsIn } from '../../../../shared/xml/elements.ts'

const runOrder =
  'rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em lang eastAsianLayout specVanish oMath'
const paragraphOrder =
  'pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi adjustRightInd snapToGrid spacing ind contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment textboxTightWrap outlineLvl divId cnfStyle rPr'

const positions = (order: string) => new Map(order.split(' ').map((name, at) => [`w:${name}`, at]))
const kinds = { 'w:rPr': positions(runOrder), 'w:pPr': positions(paragraphOrder) } as const

/** Element name -> its markup. */
export type PropertyMarkup = ReadonlyMap<string, string>

/** Reads the children of the first element of the text, without tracked changes (17.13.5). */
export function readProperties(markup: string): PropertyMarkup {
  const properties = new Map<string, string>()
  const content = elementIn(markup)?.content ?? ''
  for (const { name, start, end } of elementsIn(content)) {
    if (name !== 'w:rPrChange' && name !== 'w:pPrChange') properties.set(name, content.slice(start, end))
  }
  return properties
}

/** Returns '' if there are no properties. Elements that are not in the schema come last. */
export function writeProperties(element: keyof typeof kinds, properties: PropertyMarkup): string {
  if (properties.size === 0) return ''
  const order = kinds[element]
  const last = order.size
  const sorted = [...properties].sort(([a], [b]) => (order.get(a) ?? last) - (order.get(b) ?? last))
  return `<${element}>${sorted.map(([, markup]) => markup).join('')}</${element}>`
}

/** Returns a copy with some properties replaced or added; undefined removes one. */
export function changed(
  properties: PropertyMarkup,
  changes: Readonly<Record<string, string | undefined>>,
): PropertyMarkup {
  const merged = new Map(properties)
  for (const [name, markup] of Object.entries(changes)) {
    if (markup === undefined) merged.delete(name)
    else merged.set(name, markup)
  }
  return merged
}
