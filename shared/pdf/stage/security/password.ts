import { normalForm } from '../../../normal-form.ts'

/**
 * Prepares a password as PDF stores it: SASLprep, UTF-8, the first 127 bytes. Undefined if it contains a character that
 * SASLprep forbids. Sources: RFC 4013; ISO 32000-2, 7.6.4.3.3 (Algorithm 2.A).
 */
export function passwordBytes(password: string): Uint8Array<ArrayBuffer> | undefined {
  const visible = password
    .replace(/[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g, ' ') // RFC 3454, C.1.2
    .replace(/\u00ad|\u034f|\u1806|[\u180b-\u180d]|[\u200c\u200d]|\u2060|[\ufe00-\ufe0f]|\ufeff/g, '') // B.1
  const mapped = normalForm(visible, 'NFKC')
  if (prohibited.test(mapped) || !directionsAgree(mapped)) return undefined
  return new TextEncoder().encode(mapped).slice(0, 127)
}

/** RFC 3454, C.2 to C.9: control characters, private use, surrogates, non-characters, and display controls. */
const prohibited =
  /[\p{Cc}\p{Co}\p{Cs}\p{Noncharacter_Code_Point}]|[\u06dd\u070f\u180e\ufeff]|\u0340|\u0341|[\u200c-\u200f]|[\u2028-\u202e]|[\u2060-\u2063]|[\u206a-\u206f]|[\u2ff0-\u2ffb]|[\ufff9-\ufffd]|[\u{1d173}-\u{1d17a}]|\u{e0001}|[\u{e0020}-\u{e007f}]/u
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u

/** RFC 3454, 6: text with right-to-left letters must begin and end with one and contain no left-to-right letters. */
function directionsAgree(text: string): boolean {
  if (!rightToLeft.test(text)) return true
  if (/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}]/u.test(text)) return false
  const characters = [...text]
  return rightToLeft.test(characters[0]!) && rightToLeft.test(characters.at(-1)!)
}
