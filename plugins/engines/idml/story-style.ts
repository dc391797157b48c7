import type { IdmlProperties } from './properties.ts'
import { numberOf } from './tree.ts'

/**
 * The formatting of a range of text: direct formatting wins over styles, and character styles win over paragraph
 * styles.
 */
export class StoryStyle {
  readonly #layers: readonly IdmlProperties[] // the one with the highest priority first

  constructor(layers: readonly IdmlProperties[]) {
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

  over(stronger: readonly IdmlProperties[]): StoryStyle {
    return new StoryStyle([...stronger, ...this.#layers])
  }

  /** Points. */
  get size(): number {
    return this.number('PointSize', 12)
  }

  /** The line distance in points. */
  get leading(): number {
    const declared = this.get('Leading')
    const fixed = Number(declared)
    if (declared !== undefined && Number.isFinite(fixed) && fixed > 0) return fixed
    return (this.size * this.number('AutoLeading', 120)) / 100
  }
}
