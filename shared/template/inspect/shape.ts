/** What is learnt about one place of the data while the tags of a template are read. */

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
  /** What formatters and comparisons say the value is, the first word first. */
  readonly kinds: ValueKind[] = []
  /** Values a template compares this one with. */
  readonly examples: (string | number | boolean)[] = []
  readonly properties = new Map<string, Shape>()
  items: Shape | undefined
  /** A tag tests whether there is a value at all. */
  optional = false
  /** The pattern a date is written in; absent: ISO 8601. */
  pattern: string | undefined
  enumeration: string | undefined
  readonly says: string[] = []

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

  /** `text` as written in a comparison; what stands in quotes is text whatever it looks like. */
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
