/**
 * Removes pictures that need more memory than a page may have. The browser decodes every picture that a page shows,
 * so they are measured beforehand.
 */
import { tooManyPixels } from '../../../shared/images/large.ts'
import type { Warning } from '../../../shared/plugin/values.ts'

/**
 * `data:` addresses of pictures (RFC 2397), in base64 with or without escapes. The only repetition that may run over megabytes is
 * one of single characters without a minimum, because V8 keeps a step back for each round of any other, and runs out of them.
 */
const dataPicture = /data:image\/[\w.+-]+(?:;[\w=.-]+)*;base64,([\w+/=%\s-]+)/gi

/** Returns the markup with embedded pictures that are too large emptied, and a warning for them. */
export function withoutLargePictures(text: string): {
  readonly text: string
  readonly warnings: readonly Warning[]
} {
  let count = 0
  const left = text.includes(';base64,')
    ? text.replace(dataPicture, (address, base64: string) => {
        if (tooManyPixels(bytesOf(base64)) === undefined) return address
        count++
        return 'data:,'
      })
    : text
  if (count === 0) return { text, warnings: [] }
  const subject = count === 1 ? 'One picture' : `${count} pictures`
  const message = `${subject} in the page could not be loaded, because it has more than 100 megapixels.`
  return { text: left, warnings: [{ code: 'web.not-loaded', message }] }
}

function bytesOf(base64: string): Uint8Array {
  // A stray % makes an address invalid, and the browser does not load it either.
  const unescaped = base64.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(unescaped, 'base64')
}
