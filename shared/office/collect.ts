/** A package writer that collects parts as text, for parts that are changed once more before they are stored. */

import { fromBytes } from '../plugin/byte-source.ts'
import type { PackageWriter } from '../template/package-writer.ts'

/** The writer, and the parts that were written to it, by name. */
export interface Collector {
  readonly writer: PackageWriter
  readonly texts: ReadonlyMap<string, string>
}

/** Creates a writer that stores parts in memory only. Entries copied from the template do not appear in `texts`. */
export function collector(): Collector {
  const texts = new Map<string, string>()
  const decoder = new TextDecoder()
  const writer: PackageWriter = {
    part(name, { bytes, start }) {
      let text = ''
      return {
        static(id) {
          text += decoder.decode(bytes.subarray(start[id] ?? 0, start[id + 1] ?? 0))
        },
        text(chunk) {
          text += chunk
        },
        get size() {
          return text.length
        },
        end: () => void texts.set(name, text),
      }
    },
    add: (name, bytes) => void texts.set(name, decoder.decode(bytes)),
    copy: () => undefined,
    remove: (name) => void texts.delete(name),
    finish: () => fromBytes(new Uint8Array()),
    abandon: () => undefined,
  }
  return { writer, texts }
}
