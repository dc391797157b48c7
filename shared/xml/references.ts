/**
 * The character that a numeric reference names (XML 1.0, 4.1), by its hexadecimal digits or else its decimal ones. Undefined for 0,
 * for half of a surrogate pair and for a number beyond Unicode, none of which is a character.
 */
export function referencedCharacter(
  hex: string | undefined,
  decimal: string | undefined,
): string | undefined {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : undefined
}
