/** The type of one value of the data, inferred while the tags of a template are read. */

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

/** The inferred shape of one value: its properties or items, its kinds, and examples from the template. */
export class DataShape {
  /** The kinds of value that formatters and comparisons expect, in the order of the tags. */
  readonly kinds: ValueKind[] = []
  /** Values that the template compares this one with. */
  readonly examples: (string | number | boolean)[] = []
  readonly properties = new Map<string, DataShape>()
  items: DataShape | undefined
  /** A tag tests whether the value exists. */
  optional = false
  /** The date pattern of the value; undefined for ISO 8601. */
  pattern: string | undefined
  /** The name of the enumeration whose keys are expected. */
  enumeration: string | undefined

  property(name: string): DataShape {
    const existing = this.properties.get(name)
    if (existing !== undefined) return existing
    const shape = new DataShape()
    this.properties.set(name, shape)
    return shape
  }

  item(): DataShape {
    this.items ??= new DataShape()
    return this.items
  }

  is(kind: ValueKind): void {
    if (!this.kinds.includes(kind)) this.kinds.push(kind)
  }

  /** Records a text that the value is compared with. Quoted text is a string, even if it looks like a number. */
  compared(text: string, quoted: boolean): void {
    const trimmed = text.trim()
    if (!quoted && trimmed !== '' && Number.isFinite(Number(trimmed)))
      this.#example(Number(trimmed), 'number')
    else if (!quoted && (trimmed === 'true' || trimmed === 'false'))
      this.#example(trimmed === 'true', 'boolean')
    else if (!quoted && (trimmed === 'null' || trimmed === 'undefined' || trimmed === ''))
      this.optional = true
    else this.#example(quoted ? text : trimmed, 'text')
  }

  #example(value: string | number | boolean, kind: ValueKind): void {
    this.is(kind)
    if (!this.examples.includes(value) && this.examples.length < maxExamples) this.examples.push(value)
  }
}

const maxExamples = 20
