/**
 * The style of one element: its declared values, inherited ones, and lengths in points.
 * Source: the property tables of CSS 2.2 and CSS Text Level 3.
 */
import { readColor } from '../template/html/css.ts'

/** Source: the property tables of CSS 2.2 and CSS Text Level 3. */
const inherited: ReadonlySet<string> = new Set(
  (
    'color font-family font-size font-style font-weight font-variant line-height text-align text-indent text-transform ' +
    'letter-spacing white-space list-style-type direction border-collapse border-spacing visibility -block-align orphans widows caption-side overflow-wrap word-wrap ' +
    'word-break word-spacing tab-size'
  ).split(' '),
)

const points: Readonly<Record<string, number>> = {
  px: 0.75,
  pt: 1,
  pc: 12,
  in: 72,
  cm: 72 / 2.54,
  mm: 72 / 25.4,
  q: 72 / 101.6,
  vw: 5.4,
  vh: 7.6,
}
const namedSizes: Readonly<Record<string, number>> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
  'xxx-large': 48,
}
/** System colours on paper. Source: CSS Color Level 4, 6.2 and appendix A. */
const systemColors: Readonly<Record<string, string>> = {
  windowtext: 'black',
  canvastext: 'black',
  buttontext: 'black',
  infotext: 'black',
  window: 'white',
  canvas: 'white',
  buttonface: '#efefef',
  linktext: '#0000ee',
}
const defaultSize = 12
const [smallest, largest] = [1, 500]
const maxLength = 20_000

export class ComputedStyle {
  readonly variables: ReadonlyMap<string, string>
  readonly parent: ComputedStyle | undefined
  /** The font size, pt. */
  readonly size: number
  /** The font size of the root element, pt. */
  readonly #root: number
  readonly #values: ReadonlyMap<string, string>
  /** Inherited values that were looked up before. */
  readonly #inherited = new Map<string, string | undefined>()
  readonly #memory = new Map<string, unknown>()

  constructor(
    values: Map<string, string>,
    variables: ReadonlyMap<string, string>,
    parent: ComputedStyle | undefined,
  ) {
    this.#values = values
    this.variables = variables
    this.parent = parent
    this.#root = parent === undefined ? defaultSize : parent.#root
    this.size = this.#sizeOf(values.get('font-size'))
    if (parent === undefined) this.#root = this.size
  }

  /** The value that is declared for this element itself. */
  declared(name: string): string | undefined {
    return this.#values.get(name)
  }

  get(name: string): string | undefined {
    const value = this.#values.get(name)
    const inherits =
      value === 'inherit' || ((value === undefined || value === 'unset') && inherited.has(name))
    if (!inherits) return value === 'initial' || value === 'unset' || value === 'revert' ? undefined : value
    if (this.#inherited.has(name)) return this.#inherited.get(name)
    const inheritedValue = this.parent?.get(name)
    this.#inherited.set(name, inheritedValue)
    return inheritedValue
  }

  /** Computes something from this style once, and caches it under a name. */
  memoized<T>(name: string, make: () => T): T {
    const cached = this.#memory.get(name)
    if (cached !== undefined) return cached as T
    const result = make()
    this.#memory.set(name, result)
    return result
  }

  /** The value in lower case. */
  word(name: string): string | undefined {
    return this.get(name)?.toLowerCase()
  }

  get display(): string {
    const float = this.word('float')
    const display = this.word('display') ?? 'inline'
    return float !== undefined && float !== 'none' && display === 'inline' ? 'block' : display
  }

  /**
   * The value as a length in points. `reference` is the length that percentages refer to. Undefined for `auto`
   * and for values that are not lengths.
   */
  length(name: string, reference?: number): number | undefined {
    return this.measure(this.get(name), reference)
  }

  /** Converts a value to points, as `length` does. */
  measure(value: string | undefined, reference?: number): number | undefined {
    return readLength(value, { size: this.size, root: this.#root, reference })
  }

  /** 'rrggbb'; undefined when nothing is painted. */
  color(name: string): string | undefined {
    const value = this.get(name)
    if (value === undefined) return undefined
    if (/^currentcolor$/i.test(value))
      return name === 'color' ? this.parent?.color(name) : this.color('color')
    if (/^transparent$/i.test(value)) return undefined
    return colorOf(systemColors[value.toLowerCase()] ?? value)
  }

  #sizeOf(value: string | undefined): number {
    const inheritedSize = this.parent?.size ?? defaultSize
    if (value === undefined || value === 'inherit' || value === 'unset') return inheritedSize
    const lower = value.toLowerCase()
    const named = namedSizes[lower]
    const size =
      named !== undefined
        ? named * 0.75
        : lower === 'smaller'
          ? inheritedSize / 1.2
          : lower === 'larger'
            ? inheritedSize * 1.2
            : readLength(lower, { size: inheritedSize, root: this.#root, reference: inheritedSize })
    return Math.min(Math.max(size ?? inheritedSize, smallest), largest)
  }
}

/** 'rrggbb' of a colour as it is written; translucent ones are blended with white. Undefined for what is no colour. */
export function colorOf(value: string): string | undefined {
  const color = readColor(value)?.toLowerCase()
  if (color === undefined) return undefined
  const alpha = alphaOf(value)
  if (alpha >= 1) return color
  if (alpha <= 0.01) return undefined
  const mixed = [0, 2, 4].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16)
    return Math.round(channel * alpha + 255 * (1 - alpha))
      .toString(16)
      .padStart(2, '0')
  })
  return mixed.join('')
}

function alphaOf(value: string): number {
  const hex = /^#(?:[\da-f]{6}([\da-f]{2})|[\da-f]{3}([\da-f]))$/i.exec(value.trim())
  if (hex !== null) return Number.parseInt(hex[1] ?? `${hex[2]}${hex[2]}`, 16) / 255
  const parts = /\((.*)\)/
    .exec(value)?.[1]
    ?.split(/[\s,/]+/)
    .filter((part) => part !== '')
  const last = parts?.[3]
  if (last === undefined) return 1
  return last.endsWith('%') ? Number.parseFloat(last) / 100 : Number(last)
}

interface FontScale {
  readonly size: number // the font size of the element
  readonly root: number // the font size of the root element
  readonly reference: number | undefined // the length that percentages refer to
}

/** Parses a length and converts it to points. */
export function readLength(value: string | undefined, scale: FontScale): number | undefined {
  if (value === undefined) return undefined
  const lower = value.trim().toLowerCase()
  const sum = /^calc\((.*)\)$/s.exec(lower)?.[1]
  if (sum !== undefined) return calculated(sum, scale)
  const named: Readonly<Record<string, number>> = { thin: 0.75, medium: 2.25, thick: 3.75 }
  if (Object.hasOwn(named, lower)) return named[lower]
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%|[a-z]*)$/.exec(lower)
  if (match === null) return undefined
  const number = Number(match[1])
  const unit = match[2] ?? ''
  const length = number === 0 ? 0 : number * (unitOf(unit, scale) ?? Number.NaN)
  return !Number.isFinite(length) ? undefined : Math.min(Math.max(length, -maxLength), maxLength)
}

/** Converts a single length; undefined when it is not one. */
function unitOf(unit: string, { size, root, reference }: FontScale): number | undefined {
  if (unit === '%') return reference === undefined ? undefined : reference / 100
  if (unit === 'em') return size
  if (unit === 'rem') return root
  return unit === 'ex' || unit === 'ch' ? size / 2 : points[unit]
}

/** Evaluates sums and products of lengths from left to right. Nested brackets are not evaluated. */
function calculated(text: string, scale: FontScale): number | undefined {
  let total = 0
  for (const term of text.split(/\s(?=[+-]\s)/)) {
    const sign = term.trim().startsWith('-') && /^-\s/.test(term.trim()) ? -1 : 1
    const factors = term
      .trim()
      .replace(/^[+-]\s+/, '')
      .split(/\s*([*/])\s*/)
    let product: number | undefined
    for (let at = 0; at < factors.length; at += 2) {
      const factor = factors[at] ?? ''
      const number = /^[\d.]+$/.test(factor) ? Number(factor) : readLength(factor, scale)
      if (number === undefined) return undefined
      product = product === undefined ? number : factors[at - 1] === '/' ? product / number : product * number
    }
    if (product === undefined || !Number.isFinite(product)) return undefined
    total += sign * product
  }
  return total
}
