import { type Element, elements } from '../../../shared/xml/read-tree.ts'
import { numberOf } from './tree.ts'

export interface IdmlGradient {
  readonly radial: boolean
  readonly stops: readonly { readonly at: number; readonly color: string }[] // 0 to 1, 'rrggbb'
}

/** The colours of a document by their identifier, the attribute `Self`. */
export class Swatches {
  readonly #colors = new Map<string, string>()
  readonly #tints = new Map<string, { readonly base: string; readonly tint: number }>()
  readonly #gradients = new Map<string, Element>()

  constructor(graphic: Element | undefined) {
    for (const swatch of elements(graphic)) {
      const self = swatch.attributes.get('Self') ?? ''
      if (swatch.name === 'Color') this.#colors.set(self, colorOf(swatch))
      else if (swatch.name === 'Tint')
        this.#tints.set(self, {
          base: swatch.attributes.get('BaseColor') ?? '',
          tint: numberOf(swatch.attributes.get('TintValue'), 100),
        })
      else if (swatch.name === 'Gradient') this.#gradients.set(self, swatch)
    }
  }

  /**
   * Returns 'rrggbb'; undefined for no colour and for swatches that are not plain colours. `tint` is in
   * percent; negative means 100.
   */
  color(self: string | undefined, tint = -1): string | undefined {
    if (self === undefined) return undefined
    const tinted = this.#tints.get(self)
    // A tint refers to a colour, never to another tint.
    if (tinted !== undefined) return this.#solid(tinted.base, tint >= 0 ? tint : tinted.tint)
    return this.#solid(self, tint)
  }

  #solid(self: string, tint: number): string | undefined {
    const color = this.#colors.get(self)
    return color === undefined || tint < 0 || tint >= 100 ? color : lighter(color, tint / 100)
  }

  gradient(self: string | undefined): IdmlGradient | undefined {
    const element = this.#gradients.get(self ?? '')
    if (element === undefined) return undefined
    const stops = [...elements(element, 'GradientStop')].flatMap(({ attributes }) => {
      const color = this.color(attributes.get('StopColor'))
      return color === undefined ? [] : [{ at: numberOf(attributes.get('Location'), 0) / 100, color }]
    })
    return stops.length === 0 ? undefined : { radial: element.attributes.get('Type') === 'Radial', stops }
  }
}

function colorOf({ attributes }: Element): string {
  const values = (attributes.get('ColorValue') ?? '').trim().split(/\s+/).map(Number)
  const at = (index: number) => (Number.isFinite(values[index]) ? (values[index] as number) : 0)
  switch (attributes.get('Space')) {
    case 'RGB':
      return hex(at(0), at(1), at(2))
    case 'LAB':
      return fromLab(at(0), at(1), at(2))
    case 'CMYK':
      return fromCmyk(at(0) / 100, at(1) / 100, at(2) / 100, at(3) / 100)
    default:
      return '000000'
  }
}

/** Converts CMYK to RGB without colour profiles, as other programs do. */
function fromCmyk(c: number, m: number, y: number, k: number): string {
  const channel = (amount: number) => 255 * (1 - Math.min(1, amount)) * (1 - Math.min(1, k))
  return hex(channel(c), channel(m), channel(y))
}

/** Converts CIE L*a*b* with white point D50 to sRGB. */
function fromLab(l: number, a: number, b: number): string {
  const fy = (l + 16) / 116
  const cube = (f: number) => (f > 6 / 29 ? f ** 3 : 3 * (6 / 29) ** 2 * (f - 4 / 29))
  const [x, y, z] = [0.9642 * cube(fy + a / 500), cube(fy), 0.8251 * cube(fy - b / 200)]
  const linear = [
    3.1339 * x - 1.6169 * y - 0.4906 * z,
    -0.9788 * x + 1.9161 * y + 0.0335 * z,
    0.0719 * x - 0.229 * y + 1.4052 * z,
  ].map((value) => Math.min(1, Math.max(0, value)))
  const [red = 0, green = 0, blue = 0] = linear.map(
    (value) => 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055),
  )
  return hex(red, green, blue)
}

function hex(...channels: readonly number[]): string {
  return channels
    .map((value) =>
      Math.round(Math.min(255, Math.max(0, value)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')
}

function lighter(color: string, fraction: number): string {
  const channels = [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return hex(...channels.map((value) => 255 - (255 - value) * fraction))
}
