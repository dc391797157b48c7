/**
 * The style of one element: its declared values, inherited ones, and lengths in points.
 * Source: the property tables of CSS 2.2 and CSS Text Level 3.
 */
import { entryOf } from '../entry-of.ts'
import { calculate, isMath } from './calc.ts'
import { colorOf } from './color.ts'

/** Source: the property tables of CSS 2.2 and CSS Text Level 3. */
const inherited: ReadonlySet<string> = new Set(
  (
    'color font-family font-size font-style font-weight font-variant font-variant-caps line-height text-align text-align-last text-indent text-transform ' +
    'letter-spacing white-space list-style-type list-style-position direction border-collapse border-spacing visibility -block-align orphans widows caption-side overflow-wrap word-wrap ' +
    'word-break word-spacing hyphens tab-size -monospace-scale'
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
}
/** The page area that `vw` and `vh` refer to, in points. */
export interface Viewport {
  readonly width: number
  readonly height: number
}
/** The page area of A4 with margins of browsers, for outputs without pages. */
const usualViewport: Viewport = { width: 540, height: 760 }
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
const floats = new Set(['left', 'right', 'inline-start', 'inline-end'])
const defaultSize = 12
const largest = 500
const maxLength = 20_000

export class ComputedStyle {
  readonly variables: ReadonlyMap<string, string>
  readonly parent: ComputedStyle | undefined
  /** The font size, pt; at least 0. */
  readonly size: number
  /** The font size derives from an absolute length, so a change to or from `monospace` does not scale it. */
  readonly isSizeAbsolute: boolean
  /** The font size of the root element, pt. */
  readonly #root: number
  readonly #viewport: Viewport
  readonly #values: ReadonlyMap<string, string>
  /** Cache of inherited values. */
  readonly #inherited = new Map<string, string | undefined>()
  readonly #memory = new Map<string, unknown>()

  constructor(
    values: Map<string, string>,
    variables: ReadonlyMap<string, string>,
    parent: ComputedStyle | undefined,
    viewport: Viewport = usualViewport,
  ) {
    this.#viewport = parent === undefined ? viewport : parent.#viewport
    this.#values = values
    this.variables = variables
    this.parent = parent
    this.#root = parent === undefined ? defaultSize : parent.#root
    const declared = values.get('font-size')
    this.isSizeAbsolute = this.#hasAbsoluteSize(declared)
    this.size = this.#sizeOf(declared) * this.#monospaceScale()
    if (parent === undefined) this.#root = this.size
  }

  /** Returns the same style with other declared values. */
  extended(values: Iterable<readonly [string, string]>): ComputedStyle {
    return new ComputedStyle(
      new Map([...this.#values, ...values]),
      this.variables,
      this.parent,
      this.#viewport,
    )
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
    const display = this.word('display') ?? 'inline'
    return display === 'inline' && floats.has(this.word('float') ?? '') ? 'block' : display
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
    return readLength(value, { size: this.size, root: this.#root, viewport: this.#viewport, reference })
  }

  /** The value as a number without a unit; undefined for others. */
  number(name: string): number | undefined {
    const value = this.word(name)
    if (value === undefined) return undefined
    const number = isMath(value)
      ? calculate(value, (number, unit) => (unit === '' ? number : undefined))
      : /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/.test(value)
        ? Number(value)
        : undefined
    return number === undefined || !Number.isFinite(number) ? undefined : number
  }

  /** 'rrggbb'; undefined when nothing is painted. */
  color(name: string): string | undefined {
    const value = this.get(name)
    if (value === undefined) return undefined
    if (/^currentcolor$/i.test(value))
      return name === 'color' ? this.parent?.color(name) : this.color('color')
    if (/^transparent$/i.test(value)) return undefined
    return colorOf(entryOf(systemColors, value.toLowerCase()) ?? value)
  }

  #sizeOf(value: string | undefined): number {
    const inheritedSize = this.parent?.size ?? defaultSize
    if (value === undefined || value === 'inherit' || value === 'unset') return inheritedSize
    const lower = value.toLowerCase()
    const named = entryOf(namedSizes, lower)
    const size =
      named !== undefined
        ? named * 0.75
        : lower === 'smaller'
          ? inheritedSize / 1.2
          : lower === 'larger'
            ? inheritedSize * 1.2
            : readLength(lower, {
                size: inheritedSize,
                root: this.#root,
                viewport: this.#viewport,
                reference: inheritedSize,
              })
    return Math.min(Math.max(size ?? inheritedSize, 0), largest)
  }

  #hasAbsoluteSize(declared: string | undefined): boolean {
    const { parent } = this
    if (parent?.isSizeAbsolute === true)
      return declared === undefined || !Object.hasOwn(namedSizes, declared.toLowerCase())
    return declared !== undefined && /\d\s*(?:px|pt|pc|in|cm|mm|q|[sld]?v\w+)\b/i.test(declared)
  }

  /**
   * The factor by which the font size changes where the family becomes `monospace` alone, or ceases to be. Browsers have a
   * smaller default size for it (observed in Chromium); `-monospace-scale` is the ratio, 1 if it is not declared.
   */
  #monospaceScale(): number {
    const scale = Number(this.get('-monospace-scale') ?? 1)
    if (scale === 1 || this.isSizeAbsolute || this.parent === undefined) return 1
    const isMonospace = isMonospaceAlone(this)
    if (isMonospace === isMonospaceAlone(this.parent)) return 1
    return isMonospace ? scale : 1 / scale
  }
}

const isMonospaceAlone = (style: ComputedStyle): boolean => style.word('font-family')?.trim() === 'monospace'

interface FontScale {
  readonly size: number // the font size of the element
  readonly root: number // the font size of the root element
  readonly viewport: Viewport
  readonly reference: number | undefined // the length that percentages refer to
}

/** Parses a length and converts it to points. */
function readLength(value: string | undefined, scale: FontScale): number | undefined {
  if (value === undefined) return undefined
  const lower = value.trim().toLowerCase()
  if (isMath(lower)) {
    const length = calculate(lower, (number, unit) => (unit === '' ? number : scaled(number, unit, scale)))
    return length === undefined ? undefined : bounded(length)
  }
  const named: Readonly<Record<string, number>> = { thin: 0.75, medium: 2.25, thick: 3.75 }
  const keyword = entryOf(named, lower)
  if (keyword !== undefined) return keyword
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%|[a-z]*)$/.exec(lower)
  if (match === null) return undefined
  const length = scaled(Number(match[1]), match[2] ?? '', scale)
  return length === undefined ? undefined : bounded(length)
}

const bounded = (length: number): number => Math.min(Math.max(length, -maxLength), maxLength)

function scaled(number: number, unit: string, scale: FontScale): number | undefined {
  const length = number === 0 ? 0 : number * (unitOf(unit, scale) ?? Number.NaN)
  return Number.isFinite(length) ? length : undefined
}

/** Converts a single length; undefined when it is not one. */
function unitOf(unit: string, { size, root, viewport, reference }: FontScale): number | undefined {
  if (unit === '%') return reference === undefined ? undefined : reference / 100
  if (unit === 'em') return size
  if (unit === 'rem') return root
  if (unit === 'ex' || unit === 'ch') return size / 2
  const side = entryOf(viewportSides, /^[sld]?(v.+)$/.exec(unit)?.[1])
  return side === undefined ? entryOf(points, unit) : side(viewport) / 100
}

/** Source: CSS Values 4, 5.1.2. Text runs from left to right. */
const viewportSides: Readonly<Record<string, (viewport: Viewport) => number>> = {
  vw: ({ width }) => width,
  vi: ({ width }) => width,
  vh: ({ height }) => height,
  vb: ({ height }) => height,
  vmin: ({ width, height }) => Math.min(width, height),
  vmax: ({ width, height }) => Math.max(width, height),
}
