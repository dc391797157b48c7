import { headOf } from './byte-source.ts'
import type { ByteSource } from './values.ts'

type Guess = 'no' | 'maybe' | 'sure'
const headBytes = 4096
/**
 * How files begin that are not text although their first bytes may have no NUL character: the entry of a ZIP package
 * (APPNOTE 4.3.7), a compound file ([MS-CFB] 2.2), PNG, JPEG and gzip.
 */
const signatures: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1],
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x1f, 0x8b, 0x08],
]

/**
 * Calls `guess` with the first 4 KB of the source, decoded as UTF-8 or, after its byte order mark, as UTF-16.
 * Content with a NUL character or the signature of a binary file is not text and answers 'no'. Never throws.
 */
export async function sniffText(source: ByteSource, guess: (text: string) => Guess): Promise<Guess> {
  try {
    const head = await headOf(source, headBytes)
    if (signatures.some((bytes) => bytes.every((byte, index) => head[index] === byte))) return 'no'
    const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
    const label = isUtf16 ? (head[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
    const text = new TextDecoder(label).decode(head)
    return text.includes('\u0000') ? 'no' : guess(text)
  } catch {
    return 'no'
  }
}
