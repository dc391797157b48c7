import { binaryText } from '../../../../../shared/bytes.ts'

/** Bytes of text in the character sets of Windows fonts. Source: [MS-WMF] 2.1.1.5, CharacterSet. */
const labels: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  130: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
}
const symbolSet = 2
const doubled = new Set([128, 129, 130, 134, 136])

export interface DecodedText {
  readonly text: string
  /** Number of bytes of each UTF-16 unit of the text, for widths that are given for each byte. */
  readonly sizes: readonly number[]
}

/** The maximum number of bytes of one text: V8 ends the process, not the thread, when an array of its bytes grows too large. */
const maxBytes = 1_000_000

/** Throws RangeError for a text that is longer than any that a record can show. */
export function decodeText(bytes: Uint8Array, charset: number): DecodedText {
  if (bytes.length > maxBytes) throw new RangeError()
  // Symbol fonts map bytes to glyphs themselves.
  if (charset === symbolSet) return { text: binaryText(bytes), sizes: [...bytes].map(() => 1) }
  const decoder = decoderFor(labels[charset] ?? 'windows-1252')
  if (!doubled.has(charset)) return { text: decoder.decode(bytes), sizes: [...bytes].map(() => 1) }
  let text = ''
  const sizes: number[] = []
  for (let at = 0; at < bytes.length; ) {
    // In all of these character sets a byte below 0x80 is one character; so are half-width katakana.
    const lead = bytes[at] ?? 0
    const single = lead < 0x80 || (charset === 128 && lead >= 0xa1 && lead <= 0xdf)
    const size = single || at + 1 >= bytes.length ? 1 : 2
    const part = decoder.decode(bytes.subarray(at, at + size))
    text += part
    for (let unit = 0; unit < part.length; unit += 1) sizes.push(unit === 0 ? size : 0)
    at += size
  }
  return { text, sizes }
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder('windows-1252')
  }
}
