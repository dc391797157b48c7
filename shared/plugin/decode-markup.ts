/**
 * Decodes an HTML or XML file. The encoding is that of the byte order mark, else the one that the file
 * declares in its first kilobytes, else UTF-8 when the bytes are valid, else Windows-1252. Source: HTML
 * Standard, 13.2.3.2 (encoding sniffing). Never throws.
 */
export function decodeMarkup(bytes: Uint8Array): string {
  const encoding = namedEncoding(bytes)
  if (encoding !== undefined) return new TextDecoder(encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/**
 * Bytes searched for an encoding declaration. The HTML Standard requires authors to place it in the first
 * 1,024; the rest allows for a long comment or script before it.
 */
const headBytes = 4096

/** The encoding that the mark or the declaration names. */
function namedEncoding(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, headBytes))
  const declared = /(?:charset\s*=\s*|<\?xml[^>]{0,200}?encoding\s*=\s*)["']?([\w.:-]{1,40})/i.exec(head)?.[1]
  return declared === undefined ? undefined : encodingNamed(declared)
}

function encodingNamed(label: string): string | undefined {
  try {
    const { encoding } = new TextDecoder(label)
    // A file whose declaration is readable as ASCII cannot be UTF-16 (HTML Standard, 13.2.3.3).
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding
  } catch {
    return undefined
  }
}
