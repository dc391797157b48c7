/** How values are written in a PDF. Everything is ASCII: text that is not becomes hexadecimal. ISO 32000-2, 7.3. */

/** A number with up to two decimals: 1/100 pt is below what any printer shows. */
export function num(value: number): string {
  if (!(Math.abs(value) < 1e9)) return '0'
  const rounded = Math.round(value * 100) / 100
  return rounded === 0 ? '0' : String(rounded)
}

/** For factors of matrices and colours, where a hundredth is too coarse. */
export function factor(value: number): string {
  if (!(Math.abs(value) < 1e9)) return '0'
  const rounded = Math.round(value * 1e5) / 1e5
  if (rounded === 0) return '0'
  const text = String(rounded)
  return text.includes('e') ? rounded.toFixed(5) : text
}

export function reference(id: number): string {
  return `${id} 0 R`
}

/** '/Name', with what a name may not hold written as #xx. */
export function name(text: string): string {
  return `/${text.replace(/[^!-~]|[#/%()<>[\]{}]/g, (character) => `#${(character.charCodeAt(0) & 0xff).toString(16).padStart(2, '0')}`)}`
}

/** A text string: as it is when plain ASCII, else UTF-16 with its mark. */
export function textString(text: string): string {
  if (/^[ -~]*$/.test(text)) return `(${text.replace(/[\\()]/g, '\\$&')})`
  return `<feff${utf16Hex(text)}>`
}

/** Bytes that mean themselves, such as an address: what is not ASCII is percent-encoded as UTF-8. */
export function addressString(address: string): string {
  let ascii = ''
  for (const character of address) ascii += /[!-~]/.test(character) ? character : percent(character)
  return `(${ascii.replace(/[\\()]/g, '\\$&')})`
}

function percent(character: string): string {
  try {
    return encodeURIComponent(character)
  } catch {
    return '%EF%BF%BD' // half of a surrogate pair
  }
}

export function utf16Hex(text: string): string {
  let hex = ''
  for (let at = 0; at < text.length; at++) hex += text.charCodeAt(at).toString(16).padStart(4, '0')
  return hex
}

/** Dates as ISO 32000-2, 7.9.4 writes them, in UTC. */
export function dateString(ms: number): string {
  const iso = new Date(ms).toISOString() // 2026-01-31T12:00:00.000Z
  return `(D:${iso.slice(0, 19).replace(/[-T:]/g, '')}Z)`
}

const encoder = new TextEncoder()
export function ascii(text: string): Uint8Array {
  return encoder.encode(text)
}
