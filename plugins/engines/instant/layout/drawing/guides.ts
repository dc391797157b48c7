import type { Guide } from '../../../../../shared/document/drawing.ts'

/** 60,000ths of a degree, the unit of angles in DrawingML, for one radian. */
const perRadian = (180 * 60_000) / Math.PI
const circle = 360 * 60_000

/** Operators of guide formulas (ECMA-376-1 20.1.9.11); absent operands are 0. */
const operators: ReadonlyMap<string, (x: number, y: number, z: number) => number> = new Map([
  ['val', (x) => x],
  ['*/', (x, y, z) => (x * y) / z],
  ['+-', (x, y, z) => x + y - z],
  ['+/', (x, y, z) => (x + y) / z],
  ['?:', (x, y, z) => (x > 0 ? y : z)],
  ['abs', (x) => Math.abs(x)],
  ['at2', (x, y) => Math.atan2(y, x) * perRadian],
  ['cat2', (x, y, z) => x * Math.cos(Math.atan2(z, y))],
  ['cos', (x, y) => x * Math.cos(y / perRadian)],
  ['max', (x, y) => Math.max(x, y)],
  ['min', (x, y) => Math.min(x, y)],
  ['mod', (x, y, z) => Math.hypot(x, y, z)],
  ['pin', (x, y, z) => (y < x ? x : Math.min(y, z))],
  ['sat2', (x, y, z) => x * Math.sin(Math.atan2(z, y))],
  ['sin', (x, y) => x * Math.sin(y / perRadian)],
  ['sqrt', (x) => Math.sqrt(x)],
  ['tan', (x, y) => x * Math.tan(y / perRadian)],
] as const)

/** The guides of one shape in a box of `width` and `height` EMU: resolves a name or a number to its value. */
export class Guides {
  readonly #values = new Map<string, number>()
  readonly #width: number
  readonly #height: number

  constructor(width: number, height: number) {
    this.#width = width
    this.#height = height
  }

  /** Evaluates a formula and stores its value under the name of the guide. */
  define({ name, operator, operands }: Guide): void {
    const [x = '0', y = '0', z = '0'] = operands
    const apply = operators.get(operator)
    this.set(name, apply?.(this.value(x), this.value(y), this.value(z)) ?? 0)
  }

  /** A value that cannot be computed, such as a division by a width of 0, is 0. */
  set(name: string, value: number): void {
    this.#values.set(name, Number.isFinite(value) ? value : 0)
  }

  /** The value of an operand. An undefined name is 0. */
  value(operand: string): number {
    const defined = this.#values.get(operand)
    if (defined !== undefined) return defined
    const number = Number(operand)
    this.set(operand, Number.isFinite(number) ? number : this.#builtIn(operand))
    return this.#values.get(operand) ?? 0
  }

  /** The guides that every shape has: its sides, its centre, fractions of its size, and angles (20.1.9.11). */
  #builtIn(name: string): number {
    const [width, height] = [this.#width, this.#height]
    const shorter = Math.min(width, height)
    switch (name) {
      case 'l':
      case 't':
        return 0
      case 'r':
      case 'w':
        return width
      case 'b':
      case 'h':
        return height
      case 'hc':
        return width / 2
      case 'vc':
        return height / 2
      case 'ss':
        return shorter
      case 'ls':
        return Math.max(width, height)
    }
    const [, length, divisor] = /^(w|h|ss)d(\d+)$/.exec(name) ?? []
    if (length !== undefined)
      return (length === 'w' ? width : length === 'h' ? height : shorter) / Number(divisor)
    const [angle, times, part] = /^(\d*)cd(\d+)$/.exec(name) ?? []
    return angle === undefined ? 0 : (Number(times || 1) * circle) / Number(part)
  }
}
