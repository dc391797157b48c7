import type { Properties } from './properties.ts'
import { numberOf } from './tree.ts'

/** How a piece of text looks: what it says itself wins over its styles, those of characters over those of paragraphs. */
export class Look {
  readonly #layers: readonly Properties[] // the strongest first

  constructor(layers: readonly Properties[]) {
    this.#layers = layers.filter(({ size }) => size > 0)
  }

  get(name: string): string | undefined {
    for (const layer of this.#layers) {
      const value = layer.get(name)
      if (value !== undefined) return value
    }
    return undefined
  }

  number(name: string, otherwise = 0): number {
    return numberOf(this.get(name), otherwise)
  }

  is(name: string): boolean {
    return this.get(name) === 'true'
  }

  over(stronger: readonly Properties[]): Look {
    return new Look([...stronger, ...this.#layers])
  }

  /** Points. */
  get size(): number {
    return this.number('PointSize', 12)
  }

  /** From line to line, in points. */
  get leading(): number {
    const given = this.get('Leading')
    const fixed = Number(given)
    if (given !== undefined && Number.isFinite(fixed) && fixed > 0) return fixed
    return (this.size * this.number('AutoLeading', 120)) / 100
  }
}
