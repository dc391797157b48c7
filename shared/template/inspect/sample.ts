/** Generates data that fits a template, so that it can be rendered before real data exists. */
import { dateLocale } from '../../locale/dates.ts'
import { timeZone } from '../../locale/time-zone.ts'
import type { SampleData } from '../../ports/merger.ts'
import { compileWriter, expandFormats } from '../formatters/date-write.ts'
import { DateValue } from '../formatters/formatter.ts'
import type { InferredData } from './infer.ts'
import { isMap } from './schema.ts'
import type { DataShape } from './shape.ts'

const items = 2
const maxDepth = 64
/** The limit of values, since nested lists grow exponentially. */
const maxValues = 10_000

/** Generates data of the inferred shape. Values are chosen to match their names. */
export function sampleOf({ d, c, translations, enumerations }: InferredData, lang: string): SampleData {
  const maker = new SampleBuilder(
    new Map([...enumerations].map((name) => [name, { a: 'First', b: 'Second' }])),
    lang,
  )
  const complement = maker.make(c, 'c', 0)
  return {
    data: maker.make(d, 'd', 0) ?? {},
    ...(c.properties.size === 0 ? {} : { complement }),
    ...(translations.size === 0
      ? {}
      : { translations: { [lang]: Object.fromEntries([...translations].map((key) => [key, key])) } }),
    ...(maker.enumerations.size === 0 ? {} : { enum: Object.fromEntries(maker.enumerations) }),
  }
}

type Enumerations = ReadonlyMap<string, Readonly<Record<string, string>>>

class SampleBuilder {
  readonly enumerations: Enumerations
  readonly #lang: string
  /** The number of values that may still be generated. Below zero, lists get one item. */
  #left = maxValues
  constructor(enumerations: Enumerations, lang: string) {
    this.enumerations = enumerations
    this.#lang = lang
  }

  /** Generates the data for a shape. `nth` is the index in the enclosing list, so that items of one list differ. */
  make(shape: DataShape, name: string, nth: number, depth = 0): unknown {
    this.#left -= 1
    if (depth > maxDepth) return null
    const { items: item, properties } = shape
    if (item !== undefined && isMap(shape)) {
      const val = item.properties.get('val')
      const pairs = ['first', 'second'].map((key, index) => [
        key,
        val === undefined ? 'value' : this.make(val, key, index, depth + 1),
      ])
      return { ...this.#object(properties, nth, depth), ...Object.fromEntries(pairs) }
    }
    if (item !== undefined) {
      const count = this.#left > 0 ? items : 1
      return Array.from({ length: count }, (_, index) => this.make(item, name, index, depth + 1))
    }
    if (properties.size > 0 || (name === 'd' && depth === 0)) return this.#object(properties, nth, depth)
    return this.#leaf(shape, name, nth)
  }

  #object(properties: ReadonlyMap<string, DataShape>, nth: number, depth: number): Record<string, unknown> {
    return Object.fromEntries(
      [...properties].map(([name, child]) => [name, this.make(child, name, nth, depth + 1)]),
    )
  }

  #leaf({ examples, kinds, enumeration, pattern }: DataShape, name: string, nth: number): unknown {
    if (enumeration !== undefined) return nth % 2 === 0 ? 'a' : 'b'
    if (examples.length > 0) return examples[nth % examples.length]
    const [kind] = kinds
    if (kind === 'date') return dateAs(moment + nth * day, pattern, this.#lang)
    if (kind === 'number') return numberFor(name, nth)
    if (kind === 'boolean') return nth % 2 === 0
    if (kind === 'picture') return pixel
    if (kind === 'file') return 'https://example.com/file.pdf'
    if (kind === 'link') return 'https://example.com'
    return kind === 'object' ? {} : textFor(name, nth)
  }
}

function dateAs(epochMs: number, pattern: string | undefined, lang: string): unknown {
  if (pattern === undefined) return new Date(epochMs).toISOString()
  if (pattern === 'x') return epochMs
  if (pattern === 'X') return epochMs / 1_000
  const locale = dateLocale(lang)
  return compileWriter(expandFormats(pattern, locale), locale, timeZone('UTC'))(new DateValue(epochMs))
}

/** The date in every sample. It is fixed, so that samples of one template are equal. */
const moment = Date.UTC(2026, 0, 15, 9, 30)
const day = 86_400_000

/** A PNG with one light grey pixel. */
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGO4cOHCfwAIVgOOgNw8UQAAAABJRU5ErkJggg=='

function numberFor(name: string, nth: number): number {
  if (/qty|quantity|count|number|^n$|age|days|pages/i.test(name)) return nth + 1
  if (/rate|percent|vat|tax|discount/i.test(name)) return 20
  return 100 * (nth + 1) + 0.5
}

function textFor(name: string, nth: number): string {
  if (/mail/i.test(name)) return `name${nth + 1}@example.com`
  if (/url|link|website/i.test(name)) return 'https://example.com'
  if (/phone|mobile|fax/i.test(name)) return '+1 555 0100'
  if (/colou?r/i.test(name)) return '#336699'
  if (/date|_at$|At$|^day$/.test(name)) return new Date(moment + nth * day).toISOString().slice(0, 10)
  const nameParts = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
  const sentence = nameParts === '' ? 'Text' : nameParts[0]!.toUpperCase() + nameParts.slice(1).toLowerCase()
  return nth === 0 ? sentence : `${sentence} ${nth + 1}`
}
