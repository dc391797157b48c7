/**
 * Detects the CSS features of a page that this layout does not draw, so that they are reported and `auto` can choose another
 * engine. `supported.ts` has the table of what is drawn; here are the cases that depend on more than one property.
 */
import type { Cascade, StyledElement } from '../../../../../shared/css/cascade.ts'
import { longhands } from '../../../../../shared/css/declarations.ts'
import { attributeOf } from '../../../../../shared/css/selector.ts'
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import { entryOf } from '../../../../../shared/entry-of.ts'
import type { BoxBuild } from './box-build.ts'
import { ratioOf } from './dimensions.ts'
import { opacityOf, transformOf } from './effects.ts'
import { isFlex, isRow } from './flex.ts'
import { gradientOf } from './gradient.ts'
import { isGrid } from './grid.ts'
import { shadowsOf } from './shadow.ts'
import { isDrawn, treatmentOf } from './supported.ts'

/** Records the unsupported features of a style. The result is cached, because many elements share one style. */
export function recordUndrawnStyle(
  style: ComputedStyle,
  { undrawn, cascade }: Pick<BoxBuild, 'undrawn' | 'cascade'>,
): void {
  for (const name of style.memoized('undrawn', () => undrawnBy(style, cascade))) undrawn.add(name)
}

function undrawnBy(style: ComputedStyle, { undrawn }: Cascade): readonly string[] {
  const features: string[] = []
  const word = (name: string) => style.word(name)
  if (/subgrid|masonry/.test(`${word('grid-template-columns')} ${word('grid-template-rows')}`))
    features.push('grids')
  // Transformations and opacity are drawn for boxes, not for inline elements.
  const isBox =
    !/^(?:inline|contents|(?:inline-)?table)/.test(style.display) || style.display === 'inline-block'
  const transform = transformOf(style, { width: 1, height: 1 })
  if (transform === 'unknown' || (transform !== undefined && !isBox)) features.push('transformations')
  if (opacityOf(style) < 1 && !isBox) features.push('transparency')
  if (shadowsOf(style) === 'unknown') features.push('shadows')
  const image = word('background-image') ?? 'none'
  if (image !== 'none' && !/url\(/i.test(image) && gradientOf(style) === undefined) features.push('gradients')
  if (
    image !== 'none' &&
    !/url\(/i.test(image) &&
    !/^(?:auto|cover|100%)(?: (?:auto|100%))?$/.test(word('background-size') ?? 'auto')
  )
    features.push('gradients')
  if (word('direction') === 'rtl' && isColumnFlex(style)) features.push('boxes from right to left')
  const outline = word('outline-style') ?? 'none'
  if (
    outline !== 'none' &&
    (!/^(?:block|flex|grid|list-item|flow-root|inline-block)$/.test(style.display) || !isLine(outline))
  )
    features.push('outlines')
  if (isMovedContent(style)) features.push('places of lines and tracks')
  // Items of flex and grid containers get a size from both their ratio and their container.
  if (ratioOf(style) !== undefined && /flex|grid/.test(style.parent?.display ?? ''))
    features.push('ratios of items')
  const layer = style.number('z-index') ?? 0
  if (layer < 0 && (word('position') ?? 'static') !== 'static') features.push('boxes behind others')
  // No name is in this set unless a declaration of the page has a value outside of the table.
  for (const name of undrawn) {
    const value = style.declared(name)
    if (value === undefined || isDrawn(name, value) || isHarmless(name, style)) continue
    features.push(familiarNames.find(([pattern]) => pattern.test(name))?.[1] ?? `the property "${name}"`)
  }
  return features
}

/** Elements that browsers show in their own way, and that are drawn as their content here. */
const elements = new Set(
  'video canvas object embed math progress meter ruby marquee frameset legend bdo'.split(' '),
)
/** Elements that the rules of the user agent hide. */
const hiddenByDefault = new Set(['object', 'embed', 'audio', 'source', 'template'])
const shownByBrowsers = new Set([...elements, ...hiddenByDefault, 'dialog', 'input', 'select', 'iframe', 'q'])
/** Input fields whose parts browsers draw. */
const ownFields = /^(?:file|range|color|image|date|time|month|week|datetime-local)$/
/** Attributes of tables and their parts that are not read. */
const tableAttributes = ['rules', 'frame', 'borderColor', 'background']
const tableParts = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr', 'td', 'th', 'body'])

/** Records an element that is not drawn as browsers draw it. It may be hidden by the rules of the user agent. */
export function recordUndrawnElement(
  { element, parent, style }: StyledElement,
  { undrawn }: Pick<BoxBuild, 'undrawn'>,
): void {
  const { tagName } = element
  if (tableParts.has(tagName)) {
    if (tableAttributes.some((name) => element.properties[name] !== undefined))
      undrawn.add('attributes of tables')
    return
  }
  if (!shownByBrowsers.has(tagName)) return
  const of = (name: string) => attributeOf(element, name)
  if (style.display === 'none' && !hiddenByDefault.has(tagName)) return
  if (elements.has(tagName)) undrawn.add(`elements "${tagName}"`)
  else if (tagName === 'audio' && of('controls') !== undefined) undrawn.add('elements "audio"')
  else if (tagName === 'dialog' && of('open') !== undefined) undrawn.add('elements "dialog"')
  else if (tagName === 'template' && of('shadowrootmode') !== undefined) undrawn.add('trees in templates')
  else if (tagName === 'input' && ownFields.test(of('type')?.toLowerCase() ?? ''))
    undrawn.add('fields of forms')
  else if (tagName === 'select' && (of('multiple') !== undefined || Number(of('size') ?? 1) > 1))
    undrawn.add('fields of forms')
  else if (tagName === 'source' && parent?.element.tagName === 'picture' && of('media') !== undefined)
    undrawn.add('pictures for several media')
  else if (tagName === 'iframe' && ((of('src') ?? '') !== '' || (of('srcdoc') ?? '') !== ''))
    undrawn.add('frames')
  else if (tagName === 'q' && !/^(?:en|zh|ja|ko|$)/.test(languageOf({ element, parent, style })))
    undrawn.add('quotation marks of the language')
}

function languageOf(of: Pick<StyledElement, 'element' | 'parent' | 'style'>): string {
  for (let at: Pick<StyledElement, 'element' | 'parent'> | undefined = of; at !== undefined; at = at.parent) {
    const language = attributeOf(at.element, 'lang')
    if (language !== undefined) return language.toLowerCase()
  }
  return ''
}

/** Records a positioned box in a cell that refers to the height of the cell, which its row gives it later. */
export function recordUndrawnPlace(
  { style, parent }: StyledElement,
  { undrawn }: Pick<BoxBuild, 'undrawn'>,
): void {
  if (style.word('position') !== 'absolute') return
  let containing = parent
  while (containing !== undefined && (containing.style.word('position') ?? 'static') === 'static')
    containing = containing.parent
  const refersToHeight =
    (style.word('bottom') ?? 'auto') !== 'auto' ||
    ['top', 'height'].some((name) => style.word(name)?.includes('%') === true)
  if (containing?.style.display === 'table-cell' && refersToHeight) undrawn.add('positioned boxes in cells')
}

/** The features that several properties stand for. */
const familiarNames: readonly (readonly [RegExp, string])[] = [
  [/^-too-long$/, 'long declarations'],
  [/^offset/, 'transformations'],
  [/^(?:filter|backdrop-filter|mask|-webkit-mask|clip|mix-blend|background-blend)/, 'effects'],
  [/^text-shadow$/, 'shadows'],
  [/^writing-mode$/, 'vertical text'],
  [/^hyphens$/, 'hyphenation'],
  [/^list-style-image$/, 'pictures as markers'],
  [/^font-(?:variant|feature|variation|kerning)/, 'variants of fonts'],
]

/** Dashes run around the whole of an outline in browsers, so they are at other places. */
const isLine = (value: string): boolean => /^(?:hidden|solid|double)$/.test(value)

/** The items of a column are placed from the left. */
const isColumnFlex = (style: ComputedStyle): boolean =>
  isFlex(style) && (!isRow(style) || style.word('flex-wrap') === 'wrap-reverse')

/** Lines of a flex container and tracks of a grid stand at the start, and do not share the space that they leave. */
function isMovedContent(style: ComputedStyle): boolean {
  const moved = /^(?:center|end|flex-end|space-)/
  const isMoved = (name: string): boolean => moved.test(style.word(name) ?? '')
  if (isGrid(style)) return isMoved('justify-content') || isMoved('align-content')
  if (!isFlex(style) || !/^wrap/.test(style.word('flex-wrap') ?? '')) return false
  const hasSpace = ['height', 'min-height'].some((name) => (style.length(name) ?? 0) > 0)
  return hasSpace || isMoved('align-content')
}

/** Whether a value outside of the table changes nothing together with the other properties of the element. */
function isHarmless(name: string, style: ComputedStyle): boolean {
  const isClipped = (style.word('overflow') ?? 'visible') !== 'visible'
  switch (name) {
    // Both hide text for screen readers, which is in a box of a pixel that clips its content.
    case 'clip':
    case 'clip-path':
      return isClipped && (style.length('width') ?? 2) <= 1
    case 'height':
    case 'min-height':
    case 'max-height':
      return isUnresolved(style)
    case 'background-clip':
    case 'background-origin':
      return (
        style.color('background-color') === undefined && (style.word('background-image') ?? 'none') === 'none'
      )
    case 'page-break-inside':
      return true
    default:
      return false
  }
}

/** Whether a height in percent is automatic, because the box around it has no height of its own (CSS 2.2, 10.5). */
function isUnresolved({ parent }: ComputedStyle): boolean {
  // The body is as high as the page, which shows only where boxes in it refer to that height.
  return parent?.parent === undefined || !hasHeight(parent)
}

function hasHeight(style: ComputedStyle): boolean {
  const height = style.word('height') ?? 'auto'
  if (height === 'auto') return false
  return !height.includes('%') || style.parent === undefined || hasHeight(style.parent)
}

const inSheets: readonly (readonly [RegExp, string])[] = [
  [/(?:border-image|list-style|content|mask)[^;}]*gradient\(/i, 'gradients'],
  [/@page\s+[\w-]+\s*:|@page[^{]*:blank/i, 'kinds of named pages, and blank pages'],
  [
    /@(?:(?:left|right)-(?:top|middle|bottom)|(?:top|bottom)-(?:left|right)-corner)\s*\{/i,
    'boxes in the side margins of pages',
  ],
  [/unicode-range\s*:\s*u\+(?!0+-10ffff)/i, 'fonts of the page'],
]

/** What a reader of style sheets skips, by the features that users know. */
const skippedFeatures: Readonly<Record<string, string>> = {
  '@import': 'style sheets outside of the page',
  '::first-line': 'first lines',
  ':first-line': 'first lines',
}

/** Records the unsupported features that the text of style sheets reveals, and what was skipped in them. */
export function recordUndrawnRules(sheet: string, skipped: ReadonlySet<string>, undrawn: Set<string>): void {
  for (const [pattern, name] of inSheets) if (pattern.test(sheet)) undrawn.add(name)
  for (const name of skipped) {
    const [, tested] = /^@supports (.+)$/.exec(name) ?? []
    // A condition on a property that browsers may not know decides which rules apply.
    const isKnown =
      tested !== undefined &&
      longhands(tested, '0').every(([longhand]) => treatmentOf(longhand) !== undefined)
    if (!isKnown)
      undrawn.add(
        entryOf(skippedFeatures, name) ?? `"${tested === undefined ? name : '@supports'}" in style sheets`,
      )
  }
}
