import { entryOf } from '../../../../shared/entry-of.ts'
import { romanNumeral } from '../../../../shared/locale/roman.ts'
import { asianNumber } from './asian-numbers.ts'

/** Formats a counter by the format names of ECMA-376-1 17.18.59; unknown formats are written in decimal. */
export function formatCounter(value: number, format: string): string {
  switch (format) {
    case 'none':
    case 'bullet':
      return ''
    case 'decimalZero':
      return padded(value, 2)
    case 'decimalZero3':
    case 'decimalZero4':
    case 'decimalZero5':
      return padded(value, Number(format.at(-1)))
    case 'upperRoman':
      return roman(value)
    case 'lowerRoman':
      return roman(value).toLowerCase()
    case 'upperLetter':
      return repeatedLetter(value, 'A')
    case 'lowerLetter':
      return repeatedLetter(value, 'a')
    case 'upperAlphabet':
      return alphabetic(value, latin).toUpperCase()
    case 'lowerAlphabet':
      return alphabetic(value, latin)
    case 'greekUpper':
      return alphabetic(value, greek).toUpperCase()
    case 'greekLower':
      return alphabetic(value, greek)
    case 'thaiLetters':
      return alphabetic(value, thai)
    case 'persianLetters':
      return alphabetic(value, persian)
    case 'ordinal':
      return value + ordinalSuffix(value)
    case 'cardinalText':
      return capitalised(cardinal(value))
    case 'ordinalText':
      return capitalised(ordinalWords(value))
    case 'hex':
      return value >= 0 ? value.toString(16).toUpperCase() : String(value)
    case 'numberInDash':
      return `- ${value} -`
    case 'decimalEnclosedParen':
      return `(${value})`
    case 'decimalEnclosedFullstop':
      return `${value}.`
    case 'decimalEnclosedCircle':
      return value >= 1 && value <= 20 ? String.fromCharCode(0x245f + value) : String(value)
    case 'chicago':
      return repeated(value, ['*', '\u2020', '\u2021', '\u00a7'])
    case 'russianLower':
      return repeatedFrom(value, russian)
    case 'russianUpper':
      return repeatedFrom(value, russian).toUpperCase()
    case 'decimalFullWidth':
    case 'decimalFullWidth2':
      return String(value).replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))
    case 'hindiNumbers':
      return String(value).replace(/\d/g, (digit) => String.fromCharCode(0x0966 + Number(digit)))
    case 'arabicAlpha':
      return repeatedFrom(
        value,
        '\u0623\u0628\u062a\u062b\u062c\u062d\u062e\u062f\u0630\u0631\u0632\u0633\u0634\u0635\u0636\u0637\u0638\u0639\u063a\u0641\u0642\u0643\u0644\u0645\u0646\u0647\u0648\u064a',
      )
    default:
      return asianNumber(value, format) ?? String(value)
  }
}

/** A number with zeros before it to `digits` digits; negative ones stay as they are. */
const padded = (value: number, digits: number): string =>
  value >= 0 ? String(value).padStart(digits, '0') : String(value)

const latin = 'abcdefghijklmnopqrstuvwxyz'
const greek =
  '\u03b1\u03b2\u03b3\u03b4\u03b5\u03b6\u03b7\u03b8\u03b9\u03ba\u03bb\u03bc\u03bd\u03be\u03bf\u03c0\u03c1\u03c3\u03c4\u03c5\u03c6\u03c7\u03c8\u03c9'
const thai =
  '\u0e01\u0e02\u0e04\u0e07\u0e08\u0e09\u0e0a\u0e0b\u0e0c\u0e0d\u0e0e\u0e0f\u0e10\u0e11\u0e12\u0e13\u0e14\u0e15\u0e16\u0e17\u0e18\u0e19\u0e1a\u0e1b\u0e1c\u0e1d\u0e1e\u0e1f\u0e20\u0e21\u0e22\u0e23\u0e25\u0e27\u0e28\u0e29\u0e2a\u0e2b\u0e2c\u0e2d\u0e2e'
const persian =
  '\u0622\u0628\u067e\u062a\u062b\u062c\u0686\u062d\u062e\u062f\u0630\u0631\u0632\u0698\u0633\u0634\u0635\u0636\u0637\u0638\u0639\u063a\u0641\u0642\u06a9\u06af\u0644\u0645\u0646\u0648\u0647\u06cc'

const russian =
  '\u0430\u0431\u0432\u0433\u0434\u0435\u0436\u0437\u0438\u043a\u043b\u043c\u043d\u043e\u043f\u0440\u0441\u0442\u0443\u0444\u0445\u0446\u0447\u0448\u0449\u044d\u044e\u044f'

/** Roman numerals up to 32,000; other values are written in decimal. */
function roman(value: number): string {
  return value <= 0 || value > 32_000 ? String(value) : romanNumeral(value)
}

/** a ... z, aa, bb: the letter is repeated, as word processors count. At most 30 times. */
function repeatedLetter(value: number, first: string): string {
  if (value <= 0) return String(value)
  const letter = String.fromCharCode(first.charCodeAt(0) + ((value - 1) % 26))
  return letter.repeat(Math.min(30, Math.floor((value - 1) / 26) + 1))
}
/** a ... z, aa, ab: counted like the columns of a spreadsheet (ODF without style:num-letter-sync). */
function alphabetic(value: number, letters: string): string {
  if (value <= 0) return String(value)
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / letters.length))
    text = (letters[(rest - 1) % letters.length] ?? '') + text
  return text
}
/** Like `repeatedLetter`, with the letters of another alphabet. */
function repeatedFrom(value: number, letters: string): string {
  return repeated(value, [...letters])
}
function repeated(value: number, letters: readonly string[]): string {
  if (value <= 0) return String(value)
  const times = Math.min(30, Math.floor((value - 1) / letters.length) + 1)
  return (letters[(value - 1) % letters.length] ?? '').repeat(times)
}

function ordinalSuffix(value: number): string {
  const tens = Math.abs(value) % 100
  if (tens >= 11 && tens <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][Math.abs(value) % 10] ?? 'th'
}

const small = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
]
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']

/** A number below one million in English words. */
function cardinal(value: number): string {
  if (value < 0 || value >= 1_000_000) return String(value)
  if (value < 20) return small[value] ?? ''
  if (value < 100)
    return `${tens[Math.floor(value / 10)] ?? ''}${value % 10 === 0 ? '' : `-${small[value % 10] ?? ''}`}`
  const [unit, name] = value < 1000 ? [100, 'hundred'] : [1000, 'thousand']
  const rest = value % unit
  return `${cardinal(Math.floor(value / unit))} ${name}${rest === 0 ? '' : ` ${cardinal(rest)}`}`
}

const irregular: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}
function ordinalWords(value: number): string {
  const words = cardinal(value)
  const last = /[a-z]+$/.exec(words)?.[0]
  if (last === undefined) return words
  const ending = entryOf(irregular, last) ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`)
  return words.slice(0, words.length - last.length) + ending
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
