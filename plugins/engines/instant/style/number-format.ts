/** A counter as text, by the names of ECMA-376-1 17.18.59; an unknown format counts in decimal. */
export function formatNumber(value: number, format: string): string {
  switch (format) {
    case 'none':
    case 'bullet':
      return ''
    case 'decimalZero':
      return value >= 0 && value < 10 ? `0${value}` : String(value)
    case 'upperRoman':
      return roman(value)
    case 'lowerRoman':
      return roman(value).toLowerCase()
    case 'upperLetter':
      return repeatedLetter(value, 'A')
    case 'lowerLetter':
      return repeatedLetter(value, 'a')
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
    case 'chineseCounting':
    case 'ideographDigital':
    case 'japaneseCounting':
    case 'chineseCountingThousand':
    case 'taiwaneseCounting':
      return chinese(value)
    case 'hindiNumbers':
      return String(value).replace(/\d/g, (digit) => String.fromCharCode(0x0966 + Number(digit)))
    case 'arabicAlpha':
      return repeatedFrom(
        value,
        '\u0623\u0628\u062a\u062b\u062c\u062d\u062e\u062f\u0630\u0631\u0632\u0633\u0634\u0635\u0636\u0637\u0638\u0639\u063a\u0641\u0642\u0643\u0644\u0645\u0646\u0647\u0648\u064a',
      )
    default:
      return String(value)
  }
}

const russian =
  '\u0430\u0431\u0432\u0433\u0434\u0435\u0436\u0437\u0438\u043a\u043b\u043c\u043d\u043e\u043f\u0440\u0441\u0442\u0443\u0444\u0445\u0446\u0447\u0448\u0449\u044d\u044e\u044f'

const romans: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
]

function roman(value: number): string {
  if (value <= 0 || value > 32_000) return String(value)
  let text = ''
  for (const [amount, digits] of romans) {
    while (value >= amount) {
      text += digits
      value -= amount
    }
  }
  return text
}

/** a ... z, aa, bb: the letter is repeated, as word processors count. */
function repeatedLetter(value: number, first: string): string {
  if (value <= 0) return String(value)
  const letter = String.fromCharCode(first.charCodeAt(0) + ((value - 1) % 26))
  return letter.repeat(Math.min(30, Math.floor((value - 1) / 26) + 1))
}
function repeatedFrom(value: number, letters: string): string {
  return repeated(value, [...letters])
}
function repeated(value: number, letters: readonly string[]): string {
  if (value <= 0) return String(value)
  const times = Math.min(30, Math.floor((value - 1) / letters.length) + 1)
  return letters[(value - 1) % letters.length]!.repeat(times)
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

function cardinal(value: number): string {
  if (value < 0 || value >= 1_000_000) return String(value)
  if (value < 20) return small[value]!
  if (value < 100) return tens[Math.floor(value / 10)]! + (value % 10 === 0 ? '' : `-${small[value % 10]!}`)
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
  const ending = irregular[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`)
  return words.slice(0, words.length - last.length) + ending
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const digits = '\u3007\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d'
function chinese(value: number): string {
  if (value < 0 || value > 99) return String(value).replace(/\d/g, (digit) => digits[Number(digit)]!)
  if (value < 10) return digits[value]!
  const ten = Math.floor(value / 10)
  return `${ten > 1 ? digits[ten] : ''}\u5341${value % 10 > 0 ? digits[value % 10] : ''}`
}
