/**
 * Detects the CSS features of a page that this layout does not draw, so that they are reported and `auto` can choose another
 * engine.
 */
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import { opacityOf, transformOf } from './effects.ts'
import { gradientOf } from './gradient.ts'
import { shadowsOf } from './shadow.ts'

/** Records the unsupported features of a style. The result is cached, because many elements share one style. */
export function recordUndrawnStyle(style: ComputedStyle, undrawn: Set<string>): void {
  for (const name of style.memoized('undrawn', () => undrawnBy(style))) undrawn.add(name)
}

const drawnCaps = ['small-caps', 'all-small-caps']

const isSet = (value: string | undefined, ...usual: readonly string[]): boolean =>
  value !== undefined && !usual.includes(value)

function undrawnBy(style: ComputedStyle): readonly string[] {
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
  if (shadowsOf(style) === 'unknown' || isSet(word('text-shadow'), 'none')) features.push('shadows')
  if (isSet(word('filter'), 'none') || isSet(word('clip-path'), 'none') || isSet(word('mask'), 'none'))
    features.push('effects')
  const image = word('background-image') ?? 'none'
  if (image !== 'none' && !/url\(/i.test(image) && gradientOf(style) === undefined) features.push('gradients')
  if (isSet(word('writing-mode'), 'horizontal-tb')) features.push('vertical text')
  if (
    isSet(word('font-variant'), 'normal', ...drawnCaps) ||
    isSet(word('font-variant-caps'), 'normal', ...drawnCaps)
  )
    features.push('variants of fonts')
  return features
}

const inSheets: readonly (readonly [RegExp, string])[] = [
  [/(?:border-image|list-style|content|mask)[^;}]*gradient\(/i, 'gradients'],
  [/@page\s+[\w-]+\s*:|@page[^{]*:blank/i, 'kinds of named pages, and blank pages'],
  [
    /@(?:(?:left|right)-(?:top|middle|bottom)|(?:top|bottom)-(?:left|right)-corner)\s*\{/i,
    'boxes in the side margins of pages',
  ],
  [/:first-line/i, 'first lines'],
  [/hyphens\s*:\s*auto/i, 'hyphenation'],
  [/list-style(?:-image)?\s*:[^;}]*url\(/i, 'pictures as markers'],
]

/** Records the unsupported features that the text of style sheets reveals. */
export function recordUndrawnRules(sheet: string, undrawn: Set<string>): void {
  for (const [pattern, name] of inSheets) if (pattern.test(sheet)) undrawn.add(name)
}
