/** The pictures of a page: data URLs and inline SVG, with generated names for the painters. */
import type { Element } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { fromBase64 } from '../../../../../shared/plugin/base64.ts'

/** The encoded pictures by name. The layout looks up the decoded ones by the same name. */
export class WebMedia {
  readonly files = new Map<string, Uint8Array>()
  readonly #names = new Map<string, string | undefined>()

  /** The name of the picture with this URL; undefined if it cannot be read. */
  fromAddress(address: string): string | undefined {
    if (this.#names.has(address)) return this.#names.get(address)
    const bytes = bytesOfData(address)
    const name = bytes && this.#add(bytes)
    this.#names.set(address, name)
    return name
  }

  fromDrawing(element: Element): string {
    const standalone: Element = {
      ...element,
      properties: { ...element.properties, xmlns: 'http://www.w3.org/2000/svg' },
    }
    return this.#add(new TextEncoder().encode(toHtml(standalone, { space: 'svg', closeEmptyElements: true })))
  }

  #add(bytes: Uint8Array): string {
    const name = `picture-${this.files.size + 1}`
    this.files.set(name, bytes)
    return name
  }
}

/** Decodes a data URL. Source: RFC 2397. */
export function bytesOfData(address: string): Uint8Array | undefined {
  const data = /^\s*data:(?:[\w.+-]+\/[\w.+-]+)?((?:;[\w=.-]+)*),/i.exec(address)
  if (data === null) return undefined
  const rest = address.slice(data[0].length)
  const content = rest.includes('%') ? decoded(rest) : rest
  const bytes = /;base64/i.test(data[1] ?? '')
    ? fromBase64(content.replace(/\s+/g, ''))
    : new TextEncoder().encode(content)
  return bytes === undefined || bytes.length === 0 ? undefined : bytes
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
