/** The markers of list items. Source: CSS Lists 3, CSS Counter Styles 3, 6. */

import type { Element } from 'hast'
import type { StyledElement } from '../../../../../shared/css/cascade.ts'
import { attributeOf } from '../../../../../shared/css/selector.ts'
import { romanNumeral } from '../../../../../shared/locale/roman.ts'
import { measure } from '../../text/shape.ts'
import type { Pt } from '../frame.ts'
import type { Marker } from './box.ts'
import { pixel, type TextFont } from './text-font.ts'

/** The range of counter values in browsers. */
export const maxCounted = 2_147_483_647

/** The marker of a list item; undefined for `list-style-type: none`. */
export function markerOf({ element, style, siblings, parent }: StyledElement): Marker | undefined {
  const type = style.word('list-style-type') ?? 'disc'
  const isInside = style.word('list-style-position') === 'inside'
  if (type === 'none') return undefined
  if (type === 'disc' || type === 'circle' || type === 'square') return { shape: type, isInside }
  const quoted = /^(["'])(.*)\1$/s.exec(style.get('list-style-type') ?? '')
  if (quoted !== null) return { shape: 'text', text: quoted[2] ?? '', isInside }
  if (type === 'disclosure-closed' || type === 'disclosure-open') return { shape: type, isInside }
  const number = counterText(numberOf(element, siblings, parent?.element), type)
  return { shape: 'text', text: `${number}. `, isInside }
}

/** The size of a bullet in pt: a third of the ascent. `ascent` and `offset` are in pixels. Observed in Chromium. */
export function bulletOf(font: TextFont): {
  readonly ascent: number
  readonly offset: number
  readonly size: Pt
} {
  const ascent = Math.round(font.ascent / pixel)
  const offset = Math.floor((ascent * 2) / 3)
  return { ascent, offset, size: Math.floor((offset + 1) / 2) * pixel }
}

/** The width that a marker takes in its line. Observed in Chromium. */
export function markerWidth(marker: Marker, font: TextFont): Pt {
  if (!marker.isInside) return 0
  switch (marker.shape) {
    case 'text':
      return measure(marker.text, font.shaping)
    case 'disclosure-closed':
    case 'disclosure-open':
      return (triangleSize + triangleSpace) * font.size
    default:
      return bulletOf(font).size + pixel + font.size
  }
}

/** The size of the triangles of `summary` and the space after them, in em. Observed in Chromium. */
export const triangleSize = 0.66
const triangleSpace = 0.4

/** The ordinals of the items of a list, counted once for all items. */
const counted = new WeakMap<readonly Element[], ReadonlyMap<Element, number>>()

function numberOf(element: Element, siblings: readonly Element[], list: Element | undefined): number {
  let numbers = counted.get(siblings)
  if (numbers === undefined) {
    const start = Number.parseInt((list && attributeOf(list, 'start')) ?? '', 10)
    counted.set(siblings, (numbers = countItems(siblings, Number.isFinite(start) ? start : 1)))
  }
  return numbers.get(element) ?? 1
}

function countItems(siblings: readonly Element[], start: number): ReadonlyMap<Element, number> {
  const numbers = new Map<Element, number>()
  let next = start
  for (const element of siblings) {
    if (element.tagName !== 'li') continue
    const value = Number.parseInt(attributeOf(element, 'value') ?? '', 10)
    if (Number.isFinite(value)) next = value
    numbers.set(element, next++)
  }
  return numbers
}

/** Formats a number in a counter style. */
export function counterText(value: number, type: string): string {
  const number = Math.min(Math.max(value, -maxCounted), maxCounted)
  switch (type) {
    case 'lower-alpha':
    case 'lower-latin':
      return letters(number)
    case 'upper-alpha':
    case 'upper-latin':
      return letters(number).toUpperCase()
    case 'lower-roman':
      return roman(number).toLowerCase()
    case 'upper-roman':
      return roman(number)
    case 'decimal-leading-zero':
      return String(number).padStart(2, '0')
    default:
      return String(number)
  }
}

function letters(value: number): string {
  if (value < 1) return String(value)
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / 26))
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text
  return text
}

function roman(value: number): string {
  return value < 1 || value > 3999 ? String(value) : romanNumeral(value)
}
