/** Text for the office, converted to UTF-8 from any encoding. */
import { decodeText } from '../../../shared/text-encoding.ts'

/** Number of characters that are examined to detect the separator. */
const sampleCharacters = 20_000

/**
 * The separator of a CSV: the candidate that most often splits the lines into the same number of fields, more than
 * one. Quoted text is ignored. Comma if undecided.
 */
export function separatorOf(text: string): string {
  const declared = /^sep=(.)\r?\n/i.exec(text)?.[1]
  if (declared !== undefined) return declared
  const lines = text
    .slice(0, sampleCharacters)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 50)
  let best = ','
  let bestScore = 0
  for (const candidate of [',', ';', '\t', '|']) {
    const counts = lines.map((line) => line.split(candidate).length - 1)
    const first = counts[0] ?? 0
    if (first === 0) continue
    const score = counts.filter((count) => count === first).length / lines.length + first / 1000
    if (score > bestScore) {
      best = candidate
      bestScore = score
    }
  }
  return best
}

/** The office reads HTML that declares no encoding as Windows-1252, so valid UTF-8 gets a byte order mark. */
export function withByteOrderMark(bytes: Uint8Array): Uint8Array {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (hasMark) return bytes
  if (utf16) return utf8WithByteOrderMark(decodeText(bytes))
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2048))
  if (/charset\s*=|encoding\s*=/i.test(head)) return bytes
  return utf8WithByteOrderMark(decodeText(bytes))
}

function utf8WithByteOrderMark(text: string): Uint8Array {
  return new TextEncoder().encode(`\ufeff${text.replace(/^\ufeff/, '')}`)
}
