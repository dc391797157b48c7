/**
 * Text of an HTML or XML file. By byte order mark, then by the character set that the file names in its first
 * kilobytes, then UTF-8 when it is valid, else Windows-1252. Source: HTML Standard, 13.2.3.2 (encoding sniffing).
 */
export function decodeMarkup(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes)
}

const headBytes = 4096

function encodingOf(bytes: Uint8Array): string {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, headBytes))
  const named = /(?:charset\s*=\s*|<\?xml[^>]{0,200}?encoding\s*=\s*)["']?([\w.:-]{1,40})/i.exec(head)?.[1]
  const known = named === undefined ? undefined : knownEncoding(named)
  if (known !== undefined) return known
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

function knownEncoding(label: string): string | undefined {
  try {
    const { encoding } = new TextDecoder(label)
    // A file that can name its encoding in ASCII is not UTF-16 (HTML Standard, 13.2.3.3).
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding
  } catch {
    return undefined
  }
}
