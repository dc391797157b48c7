import { headOf } from './byte-source.ts'
import type { ByteSource } from './values.ts'

type Guess = 'no' | 'maybe' | 'sure'
const headBytes = 4096
/** The signature of the header of a ZIP entry (APPNOTE 4.3.7). A package that ends there has no NUL character. */
const zipSignature = 'PK\u0003\u0004'

/**
 * Calls `judge` with the first 4 KB of the source, decoded as UTF-8 or, after its byte order mark, as UTF-16.
 * Content with a NUL character or the signature of a ZIP package is not text and answers 'no'. Never throws.
 */
export async function sniffText(source: ByteSource, judge: (text: string) => Guess): Promise<Guess> {
  try {
    const head = await headOf(source, headBytes)
    const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
    const label = isUtf16 ? (head[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
    const text = new TextDecoder(label).decode(head)
    return text.includes('\u0000') || text.startsWith(zipSignature) ? 'no' : judge(text)
  } catch {
    return 'no'
  }
}
