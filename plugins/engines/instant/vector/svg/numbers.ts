import { identity, multiply } from '../../../../../shared/document/geometry.ts'
import { entryOf } from '../../../../../shared/entry-of.ts'
import { cssPixels } from '../../../../../shared/images/measure.ts'
import type { Matrix } from '../../layout/frame.ts'

/** Numbers, lengths and transforms of SVG. Source: SVG 2, clauses 4.3, 8.5; CSS Values 3. */

const number = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi

export const numbers = (text: string): number[] => (text.match(number) ?? []).map(Number)

export interface LengthScope {
  readonly fontSize: number
  /** The length that 100 % stands for. */
  readonly reference: number
}

/** Parses a length into user units; undefined for anything else. */
export function length(text: string | undefined, { fontSize, reference }: LengthScope): number | undefined {
  const match = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*([a-z%]*)$/i.exec((text ?? '').trim())
  if (match === null) return undefined
  const value = Number(match[1])
  const unit = (match[2] ?? '').toLowerCase()
  if (unit === '%') return (value / 100) * reference
  if (unit === 'em' || unit === 'rem') return value * fontSize
  if (unit === 'ex' || unit === 'ch') return (value * fontSize) / 2
  const factor = entryOf(cssPixels, unit)
  return factor === undefined ? undefined : value * factor
}

/** Parses a list of transforms, which apply from right to left. */
export function transform(text: string | undefined): Matrix {
  let matrix: Matrix = identity
  for (const [, name = '', list = ''] of (text ?? '').matchAll(/(\w+)\s*\(([^)]*)\)/g)) {
    const parsed = single(name, numbers(list))
    if (parsed !== undefined) matrix = multiply(matrix, parsed)
  }
  return matrix
}

function single(name: string, [a = 0, b, c, d = 0, e = 0, f = 0]: number[]): Matrix | undefined {
  switch (name) {
    case 'matrix':
      return [a, b ?? 0, c ?? 0, d, e, f]
    case 'translate':
    case 'translateX':
      return [1, 0, 0, 1, a, b ?? 0]
    case 'translateY':
      return [1, 0, 0, 1, 0, a]
    case 'scale':
      return [a, 0, 0, b ?? a, 0, 0]
    case 'rotate': {
      const angle = (a * Math.PI) / 180
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
      const [x, y] = [b ?? 0, c ?? 0]
      return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y]
    }
    case 'skewX':
      return [1, 0, Math.tan((a * Math.PI) / 180), 1, 0, 0]
    case 'skewY':
      return [1, Math.tan((a * Math.PI) / 180), 0, 1, 0, 0]
    default:
      return undefined
  }
}
