import { expect, it } from 'vitest'
import { barcodeFontText } from '../../../shared/images/barcode-fonts.ts'

/** The bars of EAN letters, as the standard has them: what a font draws, read back to digits. */
const left = new Map(
  [...'0123456789'].flatMap((digit, n) => [
    [String.fromCharCode(65 + n), `${digit}O`],
    [String.fromCharCode(75 + n), `${digit}E`],
  ]),
)
function readEan(text: string): string {
  const [, first = '', odd = '', right = ''] = /^([\d:])([A-T]+)\*([a-j]+)\+$/.exec(text) ?? []
  const digits = [...odd].map((letter) => left.get(letter)!)
  const parity = digits.map(([, set]) => set).join('')
  const tail = [...right].map((letter) => letter.charCodeAt(0) - 97).join('')
  return `${first} ${digits.map(([digit]) => digit).join('')} ${parity} ${tail}`
}

it.each([
  ['ean13', '9520123456788', '9 520123 OEEOEO 456788'],
  ['ean13', '952012345678', '9 520123 OEEOEO 456788'],
  ['ean13', '4006381333931', '4 006381 OEOOEE 333931'],
  ['ean13', '0123456789012', '0 123456 OOOOOO 789012'],
  ['ean8', '96385074', ': 9638 OOOO 5074'],
  ['ean8', '9638507', ': 9638 OOOO 5074'],
])('%s of %s', (type, text, expected) => {
  expect(readEan(barcodeFontText(type, text)!)).toBe(expected)
})

/** Values of Code 128 from the characters of its font, and what they say. */
function read128(text: string): { readonly says: string; readonly sound: boolean } {
  const values = [...text].map((character) => {
    const code = character.charCodeAt(0)
    return code < 127 ? code - 32 : code - 105
  })
  const body = values.slice(1, -2)
  const sum = body.reduce((total, value, at) => total + value * (at + 1), values[0]!) % 103
  let set = values[0] === 105 ? 'C' : 'B'
  let says = ''
  for (const value of body) {
    if (value === 102) says += '<F1>'
    else if (set === 'C' && value === 100) set = 'B'
    else if (set === 'B' && value === 99) set = 'C'
    else says += set === 'C' ? String(value).padStart(2, '0') : String.fromCharCode(value + 32)
  }
  return { says, sound: sum === values.at(-2) && values.at(-1) === 106 }
}

it.each([
  ['(01)09521234543213', '<F1>0109521234543213'],
  ['10AB', '<F1>10AB'],
  ['12', '<F1>12'],
  ['A123456B', '<F1>A123456B'],
  ['21123', '<F1>21123'],
])('ean128 of %s', (text, says) => {
  expect(read128(barcodeFontText('ean128', text)!)).toEqual({ says, sound: true })
})

it.each([
  ['code39', 'ab-1', '*AB-1*'],
  ['code39', 'a_b', undefined],
  ['ean13', '9520123456789', undefined],
  ['ean13', 'x', undefined],
  ['ean8', '123', undefined],
  ['ean128', 'é', undefined],
  ['ean128', 'x'.repeat(49), undefined],
  ['qrcode', 'x', undefined],
  ['constructor', 'x', undefined],
])('%s of %s', (type, text, expected) => {
  expect(barcodeFontText(type, text)).toBe(expected)
})
