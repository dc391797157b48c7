/** Opens a template that is a single text: HTML, XML, Markdown, CSV, plain text. */

import { AppError } from '../errors/app-error.ts'
import { fromBytes } from '../plugin/byte-source.ts'
import type { FormatId } from '../plugin/values.ts'
import { decodeText } from '../text-encoding.ts'
import type { TemplatePackage } from './package.ts'
import type { PartWriter } from './package-writer.ts'
import { lineOf } from './positions.ts'
import type { FormatRules } from './rules.ts'
import type { StaticTable } from './statics.ts'
import type { Syntax } from './template-part.ts'

/** The properties of a format whose templates are a single text. */
export interface OpenSingle {
  readonly format: FormatId
  readonly syntax: Syntax
  readonly rules: FormatRules
  /** The last step, applied to the merged text as UTF-8. */
  readonly finish?: (output: Uint8Array) => Uint8Array
}

/**
 * Opens bytes as a template of one part, which is named after its format. Never throws: any bytes can be read as text.
 */
export function openSingle(
  bytes: Uint8Array,
  { format, syntax, rules, finish }: OpenSingle,
): TemplatePackage {
  let source: ReturnType<typeof decoded> | undefined
  const read = () => (source ??= decoded(bytes))
  return {
    format,
    rules: { position: lineOf, ...rules },
    parts: [
      {
        name: format,
        syntax,
        // Decoding waits until the text is needed, since an upload only opens the file.
        get text() {
          return read().text
        },
      },
    ],
    weight: bytes.length,
    begin() {
      let output: Uint8Array | undefined
      return {
        part(name, statics) {
          const writer = new BytesWriter(name, statics)
          return {
            static: (id) => writer.static(id),
            text: (chunk) => writer.text(chunk),
            get size() {
              return writer.size
            },
            end: () => {
              const merged = writer.end(read().hasByteOrderMark)
              output = finish === undefined ? merged : finish(merged)
            },
          } satisfies PartWriter
        },
        // A single file cannot contain others.
        add: () => undefined,
        remove: () => undefined,
        copy: () => undefined,
        // The output is a copy, because it may be transferred to another thread.
        finish: () => fromBytes(output ?? bytes.slice()),
        abandon: () => undefined,
      }
    },
  }
}

const byteOrderMark = new Uint8Array([0xef, 0xbb, 0xbf])

/**
 * Decodes a text in any encoding. Output is UTF-8. With `hasByteOrderMark` the text began with that of UTF-8, and so does the
 * output.
 */
const decoded = (bytes: Uint8Array): { text: string; hasByteOrderMark: boolean } => ({
  text: decodeText(bytes),
  hasByteOrderMark: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf,
})

/**
 * The size of the first chunk that a `BytesWriter` fills; each chunk is twice as large as the previous one. The C library
 * returns freed memory of at least 128 kB to the system, while hundreds of megabytes in smaller pieces would stay with the
 * process.
 */
const firstChunkBytes = 65_536
const largestChunkBytes = 4_194_304
/** The maximum size of a single text. It is in memory twice while its chunks are joined. */
const maxTextBytes = 536_870_912
const encoder = new TextEncoder()

/** Collects static segments and texts as UTF-8 in chunks. Throws `template.output` for more than `maxTextBytes`. */
class BytesWriter {
  readonly #name: string
  readonly #statics: StaticTable
  readonly #full: Uint8Array[] = []
  /** The chunk that is being filled, and the number of bytes in it. */
  #chunk = new Uint8Array(firstChunkBytes)
  #at = 0
  /** Bytes in the full chunks. */
  #done = 0

  constructor(name: string, statics: StaticTable) {
    this.#name = name
    this.#statics = statics
  }

  get size(): number {
    return this.#done + this.#at
  }

  static(id: number): void {
    const { bytes, start } = this.#statics
    this.#put(bytes.subarray(start[id] ?? 0, start[id + 1] ?? 0))
  }

  text(chunk: string): void {
    let rest = chunk
    for (;;) {
      const { read, written } = encoder.encodeInto(rest, this.#chunk.subarray(this.#at))
      this.#at += written
      if (read === rest.length) return
      rest = rest.slice(read)
      this.#next()
    }
  }

  #put(bytes: Uint8Array): void {
    let rest = bytes
    while (rest.length > this.#chunk.length - this.#at) {
      const fits = this.#chunk.length - this.#at
      this.#chunk.set(rest.subarray(0, fits), this.#at)
      this.#at += fits
      rest = rest.subarray(fits)
      this.#next()
    }
    this.#chunk.set(rest, this.#at)
    this.#at += rest.length
  }

  #next(): void {
    this.#full.push(this.#chunk.subarray(0, this.#at))
    this.#done += this.#at
    if (this.#done > maxTextBytes)
      throw new AppError('template.output', { part: this.#name, limit: maxTextBytes })
    this.#chunk = new Uint8Array(Math.min(this.#chunk.length * 2, largestChunkBytes))
    this.#at = 0
  }

  end(hasByteOrderMark: boolean): Uint8Array {
    const leadLength = hasByteOrderMark ? byteOrderMark.length : 0
    const output = new Uint8Array(leadLength + this.size)
    if (hasByteOrderMark) output.set(byteOrderMark)
    let offset = leadLength
    for (const chunk of this.#full) {
      output.set(chunk, offset)
      offset += chunk.length
    }
    output.set(this.#chunk.subarray(0, this.#at), offset)
    return output
  }
}
