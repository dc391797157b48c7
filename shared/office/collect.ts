/** A package writer that keeps what is written as text: for parts that go on to be changed before they are stored. */

import { fromBytes } from '../plugin/byte-source.ts'
import type { PackageWriter } from '../template/package.ts'

export interface Collector {
  readonly writer: PackageWriter
  readonly texts: ReadonlyMap<string, string>
}

export function collector(): Collector {
  const texts = new Map<string, string>()
  const decoder = new TextDecoder()
  const writer: PackageWriter = {
    part(name, { bytes, start }) {
      let text = ''
      return {
        static(id) {
          text += decoder.decode(bytes.subarray(start[id]!, start[id + 1]!))
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
