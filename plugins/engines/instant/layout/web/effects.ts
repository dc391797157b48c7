/** Opacity and transformations, which apply to a box with all its content. Source: CSS Color 4, 3.1; CSS Transforms 1. */

import { partsOf } from '../../../../../shared/css/declarations.ts'
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import { identity, type Matrix, multiply } from '../../../../../shared/document/geometry.ts'
import { entryOf } from '../../../../../shared/entry-of.ts'
import type { Pt } from '../frame.ts'
import type { Effect } from './fragment.ts'
import { pixel } from './text-font.ts'

const maxFunctions = 20
const turns: Readonly<Record<string, number>> = {
  deg: Math.PI / 180,
  grad: Math.PI / 200,
  rad: 1,
  turn: 2 * Math.PI,
}

interface Size {
  readonly width: Pt
  readonly height: Pt
}

/** The opacity and transformation of a box of this size. */
export function effectOf(style: ComputedStyle, size: Size): { readonly effect?: Effect } {
  const opacity = opacityOf(style)
  const matrix = transformOf(style, size)
  if (opacity === 1 && (matrix === undefined || matrix === 'unknown')) return {}
  return {
    effect: {
      ...(opacity < 1 && { opacity }),
      ...(matrix !== undefined && matrix !== 'unknown' && { transform: matrix }),
    },
  }
}

export function opacityOf(style: ComputedStyle): number {
  const value = style.get('opacity')
  if (value === undefined) return 1
  const number = value.endsWith('%') ? Number(value.slice(0, -1)) / 100 : Number(value)
  return Number.isFinite(number) ? Math.min(Math.max(number, 0), 1) : 1
}

/**
 * The transformation matrix from the top left corner of a box. Returns undefined for `none`, and 'unknown' for a function
 * that is not supported.
 */
export function transformOf(style: ComputedStyle, size: Size): Matrix | 'unknown' | undefined {
  if (!style.memoized('is-transformed', () => isTransformed(style))) return undefined
  const functions = [...ownFunctions(style), ...partsOf(style.word('transform') ?? 'none')].filter(
    (call) => call !== 'none',
  )
  if (functions.length === 0) return undefined
  if (functions.length > maxFunctions) return 'unknown'
  let matrix = identity
  for (const call of functions) {
    const next = functionMatrix(style, call, size)
    if (next === undefined) return 'unknown'
    matrix = multiply(matrix, next)
  }
  const [x, y] = originOf(style, size)
  return multiply(multiply([1, 0, 0, 1, x, y], matrix), [1, 0, 0, 1, -x, -y])
}

const isTransformed = (style: ComputedStyle): boolean =>
  ['transform', 'translate', 'rotate', 'scale'].some((name) => (style.word(name) ?? 'none') !== 'none')

/** The properties `translate`, `rotate` and `scale` as functions, in the order in which they apply (CSS Transforms 2, 3). */
function ownFunctions(style: ComputedStyle): readonly string[] {
  return ['translate', 'rotate', 'scale'].flatMap((name) => {
    const value = style.word(name)
    if (value === undefined || value === 'none') return []
    return [`${name}(${partsOf(value).join(',')})`]
  })
}

function originOf(style: ComputedStyle, { width, height }: Size): readonly [Pt, Pt] {
  const named: Readonly<Record<string, string>> = {
    left: '0%',
    top: '0%',
    center: '50%',
    right: '100%',
    bottom: '100%',
  }
  const parts = partsOf(style.word('transform-origin') ?? '')
  const isSwapped = parts[0] === 'top' || parts[0] === 'bottom'
  const [across = '50%', down = '50%'] = isSwapped ? [parts[1], parts[0]] : parts
  return [
    style.measure(entryOf(named, across) ?? across, width) ?? width / 2,
    style.measure(entryOf(named, down) ?? down, height) ?? height / 2,
  ]
}

function functionMatrix(style: ComputedStyle, text: string, { width, height }: Size): Matrix | undefined {
  const [, name = '', inner = ''] = /^([a-z]+)\((.*)\)$/.exec(text) ?? []
  const parts = inner.split(',').map((part) => part.trim())
  const [first = '', second] = parts
  const number = (part: string | undefined, usual: number) => (part === undefined ? usual : Number(part))
  const matrix = ((): Matrix | undefined => {
    switch (name) {
      case 'translate':
        return moved(style.measure(first, width), second === undefined ? 0 : style.measure(second, height))
      case 'translatex':
        return moved(style.measure(first, width), 0)
      case 'translatey':
        return moved(0, style.measure(first, height))
      case 'scale':
        return [Number(first), 0, 0, number(second, Number(first)), 0, 0]
      case 'scalex':
        return [Number(first), 0, 0, 1, 0, 0]
      case 'scaley':
        return [1, 0, 0, Number(first), 0, 0]
      case 'rotate': {
        const angle = angleOf(first)
        return [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0]
      }
      case 'matrix': {
        const [a, b, c, d, e, f] = parts.map(Number)
        return [a, b, c, d, (e ?? Number.NaN) * pixel, (f ?? Number.NaN) * pixel].map(
          (entry) => entry ?? Number.NaN,
        ) as unknown as Matrix
      }
      case 'skew':
        return [1, Math.tan(second === undefined ? 0 : angleOf(second)), Math.tan(angleOf(first)), 1, 0, 0]
      case 'skewx':
        return [1, 0, Math.tan(angleOf(first)), 1, 0, 0]
      case 'skewy':
        return [1, Math.tan(angleOf(first)), 0, 1, 0, 0]
      default:
        return undefined
    }
  })()
  return matrix?.every(Number.isFinite) === true ? matrix : undefined
}

const moved = (x: Pt | undefined, y: Pt | undefined): Matrix => [1, 0, 0, 1, x ?? Number.NaN, y ?? Number.NaN]

function angleOf(text: string): number {
  const match = /^([+-]?[\d.]+)(deg|grad|rad|turn)?$/.exec(text)
  return match === null ? Number.NaN : Number(match[1]) * (entryOf(turns, match[2] ?? 'deg') ?? 0)
}
