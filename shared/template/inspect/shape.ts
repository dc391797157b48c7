/** What is inferred about one place of the data while the tags of a template are read. */

export type ValueKind =
  | 'number'
  | 'text'
  | 'boolean'
  | 'date'
  | 'picture'
  | 'link'
  | 'file'
  | 'object'
  | 'any'

export class Shape {
  /** What kind of value formatters and comparisons expect, in the order of the tags. */
  readonly kinds: ValueKind[] = []
  /** Values a template compares this one with. */
  readonly examples: (string | number | boolean)[] = []
  readonly properties = new Map<string, Shape>()
  items: Shape | undefined
  /** A tag tests whether there is a value at all. */
  optional = false
  /** The pattern in which a date is written; undefined for ISO 8601. */
  pattern: string | undefined
  /** The name of the enumeration whose keys are expected. */
  enumeration: string | undefined

  property(name: string): Shape {
    const known = this.properties.get(name)
    if (known !== undefined) return known
    const fresh = new Shape()
    this.properties.set(name, fresh)
    return fresh
  }

  item(): Shape {
    this.items ??= new Shape()
    return this.items
  }

  is(kind: ValueKind): void {
    if (!this.kinds.includes(kind)) this.kinds.push(kind)
  }

  /** Takes a text that the value is compared with. A text in quotes is text, whatever it looks like. */
  compared(text: string, quoted: boolean): void {
    const plain = text.trim()
    if (!quoted && plain !== '' && Number.isFinite(Number(plain))) this.#example(Number(plain), 'number')
    else if (!quoted && (plain === 'true' || plain === 'false')) this.#example(plain === 'true', 'boolean')
    else if (!quoted && (plain === 'null' || plain === 'undefined' || plain === '')) this.optional = true
    else this.#example(quoted ? text : plain, 'text')
  }

  #example(value: string | number | boolean, kind: ValueKind): void {
    this.is(kind)
    if (!this.examples.includes(value) && this.examples.length < maxExamples) this.examples.push(value)
  }
}

const maxExamples = 20
