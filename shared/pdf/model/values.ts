/** The values a PDF is made of. ISO 32000-2, 7.3. Null, booleans and numbers are those of the language. */
export type PdfValue = null | boolean | number | PdfName | PdfString | PdfRef | PdfDict | PdfStream | PdfArray
export type PdfArray = PdfValue[]

export class PdfName {
  /** One character a byte, escapes already resolved. */
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export class PdfString {
  /** One character a byte. */
  readonly raw: string
  constructor(raw: string) {
    this.raw = raw
  }
}

export class PdfRef {
  readonly id: number
  constructor(id: number) {
    this.id = id
  }
}

export class PdfDict {
  readonly entries: Map<string, PdfValue>
  constructor(entries: Iterable<readonly [string, PdfValue]> = []) {
    this.entries = new Map(entries)
  }
  get(key: string): PdfValue {
    return this.entries.get(key) ?? null
  }
  /** Sets in place; returns itself, so that dictionaries can be built in one expression. */
  set(key: string, value: PdfValue): this {
    this.entries.set(key, value)
    return this
  }
  delete(key: string): void {
    this.entries.delete(key)
  }
  copy(): PdfDict {
    return new PdfDict(this.entries)
  }
}

export class PdfStream {
  readonly dict: PdfDict
  /** The bytes as stored, with their filters still applied. */
  readonly bytes: Uint8Array
  constructor(dict: PdfDict, bytes: Uint8Array) {
    this.dict = dict
    this.bytes = bytes
  }
}

/** A dictionary from pairs; undefined values are omitted. */
export function dict(pairs: Readonly<Record<string, PdfValue | undefined>>): PdfDict {
  const result = new PdfDict()
  for (const [key, value] of Object.entries(pairs)) if (value !== undefined) result.set(key, value)
  return result
}

export function name(text: string): PdfName {
  return new PdfName(text)
}

export function isName(value: PdfValue, text: string): boolean {
  return value instanceof PdfName && value.text === text
}
