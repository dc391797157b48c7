/** Properties of runs and paragraphs as rows of elements that stay in schema order. Source: ECMA-376-1, 17.3.1.26, 17.3.2.28. */

const runOrder =
  'rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em lang eastAsianLayout specVanish oMath'
const paragraphOrder =
  'pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi adjustRightInd snapToGrid spacing ind contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment textboxTightWrap outlineLvl divId cnfStyle rPr'

const places = (order: string) => new Map(order.split(' ').map((name, at) => [`w:${name}`, at]))
const kinds = { 'w:rPr': places(runOrder), 'w:pPr': places(paragraphOrder) } as const

/** Element name -> its markup. */
export type Properties = ReadonlyMap<string, string>

const tag = /<(\/?)([\w:.-]+)(?:[^>"']|"[^"]*"|'[^']*')*?(\/?)>/g

/** The children of the first element of the text; histories of changes are left out. */
export function readProperties(markup: string): Properties {
  const found = new Map<string, string>()
  let depth = 0
  let start = 0
  let name = ''
  for (const part of markup.matchAll(tag)) {
    const [whole, slash, element = '', empty] = part
    if (slash === '/') {
      depth -= 1
      if (depth === 1) found.set(name, markup.slice(start, part.index + whole.length))
      else if (depth === 0) break
      continue
    }
    if (depth === 1) {
      name = element
      start = part.index
      if (empty === '/') found.set(name, whole)
    }
    if (empty !== '/') depth += 1
  }
  for (const change of ['w:rPrChange', 'w:pPrChange']) found.delete(change)
  return found
}

/** '' without any. What the standard does not name stands last. */
export function writeProperties(element: keyof typeof kinds, properties: Properties): string {
  if (properties.size === 0) return ''
  const order = kinds[element]
  const last = order.size
  const sorted = [...properties].sort(([a], [b]) => (order.get(a) ?? last) - (order.get(b) ?? last))
  return `<${element}>${sorted.map(([, markup]) => markup).join('')}</${element}>`
}

/** Some replaced or added; undefined removes. */
export function changed(
  properties: Properties,
  changes: Readonly<Record<string, string | undefined>>,
): Properties {
  const made = new Map(properties)
  for (const [name, markup] of Object.entries(changes)) {
    if (markup === undefined) made.delete(name)
    else made.set(name, markup)
  }
  return made
}
