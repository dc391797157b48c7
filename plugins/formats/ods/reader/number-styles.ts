import { entryOf } from '../../../../shared/entry-of.ts'
import { inLocaleOrder } from '../../../../shared/office/opendocument/date-order.ts'
import { languagePrefix } from '../../../../shared/office/opendocument/format-language.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'

/**
 * Converts number styles (ODF 1.3 part 3, 16.29) to format codes of ECMA-376-1 18.8.31, which the sheet model uses.
 * Conditional styles become sections of the code.
 */
export interface NumberStyles {
  readonly written: Map<string, WrittenNumberStyle>
  codeOf(name: string): string | undefined
}
interface WrittenNumberStyle {
  readonly code: string
  readonly maps: readonly { readonly condition: string; readonly style: string }[]
}

/** The maximum length of a code; the layout reads no more. */
const maxCode = 2_000
const maxMaps = 3
const maxStyles = 20_000

export function newNumberStyles(): NumberStyles {
  const written = new Map<string, WrittenNumberStyle>()
  const codes = new Map<string, string | undefined>()
  const build = (name: string): string | undefined => {
    const style = written.get(name)
    if (style === undefined) return undefined
    // Styles of conditions must not have conditions themselves, so there are no cycles.
    const sections = style.maps.flatMap(({ condition, style: target }) => {
      const code = written.get(target)?.code
      return code === undefined ? [] : [{ condition, code }]
    })
    const conditions = sections.map(({ condition }) => condition).join(' ')
    const isBySign = conditions === '>=0' || conditions === '>0 <0'
    return [...sections.map(({ condition, code }) => (isBySign ? code : `[${condition}]${code}`)), style.code]
      .join(';')
      .slice(0, maxCode)
  }
  return {
    written,
    codeOf(name) {
      if (!codes.has(name)) codes.set(name, build(name))
      return codes.get(name)
    },
  }
}

const kinds = new Set([
  'number:number-style',
  'number:percentage-style',
  'number:currency-style',
  'number:date-style',
  'number:time-style',
  'number:boolean-style',
  'number:text-style',
])

/** Reads the number style at the cursor. */
export function readNumberStyle(cursor: XmlCursor, { written }: NumberStyles): void {
  if (!kinds.has(cursor.name) || written.size >= maxStyles) return
  const isBoolean = cursor.name === 'number:boolean-style'
  const isPercentage = cursor.name === 'number:percentage-style'
  const name = cursor.attribute('style:name') ?? ''
  const language = languagePrefix(cursor)
  const overflows = cursor.attribute('number:truncate-on-overflow') === 'false'
  const isOrderedByLocale = language === '' && cursor.attribute('number:automatic-order') === 'true'
  const maps: { condition: string; style: string }[] = []
  let code = ''
  cursor.each((element) => {
    if (element === 'style:map') {
      const condition = /^value\(\)\s*([<>=!]+\s*-?[\d.]+(?:e[+-]?\d+)?)$/i.exec(
        cursor.attribute('style:condition') ?? '',
      )?.[1]
      const style = cursor.attribute('style:apply-style-name')
      if (condition !== undefined && style !== undefined && maps.length < maxMaps)
        maps.push({ condition: condition.replace(/\s/g, '').replace('!=', '<>'), style })
    } else if (element === 'style:text-properties') {
      const name = entryOf(colorNames, (cursor.attribute('fo:color') ?? '').toLowerCase())
      if (name !== undefined) code = `[${name}]${code}`
    } else if (isPercentage && element === 'number:text') code += percentText(cursor.text())
    else if (code.length < maxCode) code = joined(code, partOf(cursor, element, overflows))
  })
  if (isOrderedByLocale) code = inLocaleOrder(code)
  written.set(name, { code: isBoolean || code === '' ? 'General' : language + code, maps })
}

/** Parts that begin with the letter that ends the code before them would be read as one part, as two years in a row. */
const joined = (code: string, part: string): string =>
  /[a-z]$/i.test(code) && code.at(-1) === part[0] ? `${code}""${part}` : code + part

const colorNames: Readonly<Record<string, string>> = {
  '#000000': 'Black',
  '#0000ff': 'Blue',
  '#00ffff': 'Cyan',
  '#00ff00': 'Green',
  '#ff00ff': 'Magenta',
  '#ff0000': 'Red',
  '#ffffff': 'White',
  '#ffff00': 'Yellow',
}

/** The code for one element of a number style. */
function partOf(cursor: XmlCursor, element: string, overflows: boolean): string {
  const isLong = cursor.attribute('number:style') === 'long'
  const isTextual = cursor.attribute('number:textual') === 'true'
  const timed = (letter: string): string => {
    const width = letter.repeat(isLong ? 2 : 1)
    return overflows ? `[${width}]` : width
  }
  switch (element) {
    case 'number:text':
      return literal(cursor.text())
    case 'number:number':
      return digitsOf(cursor)
    case 'number:scientific-number':
      return scientificOf(cursor)
    case 'number:fraction':
      return fractionOf(cursor)
    case 'number:currency-symbol':
      return currencyOf(cursor.text())
    case 'number:fill-character': {
      const [character = ' '] = cursor.text()
      return `*${character}`
    }
    case 'number:text-content':
      return '@'
    case 'number:boolean':
      return 'General'
    case 'number:day':
      return isLong ? 'dd' : 'd'
    case 'number:day-of-week':
      return isLong ? 'dddd' : 'ddd'
    case 'number:month':
      return isTextual ? (isLong ? 'mmmm' : 'mmm') : isLong ? 'mm' : 'm'
    case 'number:year':
      return isLong ? 'yyyy' : 'yy'
    case 'number:hours':
      return timed('h')
    case 'number:minutes':
      // 'm' alone would mean a month.
      return overflows ? timed('m') : isLong ? 'mm' : 'm'
    case 'number:seconds': {
      const decimals = count(cursor, 'number:decimal-places', 0)
      return timed('s') + (decimals > 0 ? `.${'0'.repeat(decimals)}` : '')
    }
    case 'number:am-pm':
      return 'AM/PM'
    default:
      return ''
  }
}

const literal = (text: string): string => (text === '' ? '' : `"${text.replaceAll('"', '"\\""')}"`)
/** The text of a percentage style, in which a percent sign means that the number is multiplied by 100. */
const percentText = (text: string): string => text.split('%').map(literal).join('%')
const currencyOf = (symbol: string): string => (/[\]"]/.test(symbol) ? '' : `[$${symbol}]`)
const count = (cursor: XmlCursor, name: string, fallback: number): number => {
  const value = Number(cursor.attribute(name) ?? fallback)
  return value >= 0 && value <= 20 ? Math.floor(value) : fallback
}

/** number:number (16.29.3). Without decimal places it is the general format. */
function digitsOf(cursor: XmlCursor): string {
  const declaredDecimals = cursor.attribute('number:decimal-places')
  const isGrouped = cursor.attribute('number:grouping') === 'true'
  const minIntegers = count(cursor, 'number:min-integer-digits', 1)
  if (declaredDecimals === undefined && !isGrouped && cursor.name === 'number:number' && minIntegers <= 1)
    return 'General'
  const decimals = count(cursor, 'number:decimal-places', 0)
  const replaced = cursor.attribute('number:decimal-replacement')
  const minDecimals = replaced === undefined ? count(cursor, 'number:min-decimal-places', decimals) : 0
  const factor = Number(cursor.attribute('number:display-factor') ?? 1)
  const thousands = factor >= 1_000 ? Math.min(5, Math.round(Math.log10(factor) / 3)) : 0
  const integer = isGrouped
    ? `#,${'0'.repeat(minIntegers).padStart(3, '#')}`
    : minIntegers === 0
      ? '#'
      : '0'.repeat(minIntegers)
  const fraction =
    '0'.repeat(Math.min(minDecimals, decimals)) + '#'.repeat(Math.max(0, decimals - minDecimals))
  return integer + ','.repeat(thousands) + (fraction === '' ? '' : `.${fraction}`)
}

/** number:scientific-number (16.29.5): the exponent is a multiple of its interval, which is as many digits as '#' and '0' allow. */
function scientificOf(cursor: XmlCursor): string {
  const exponent = Math.max(1, count(cursor, 'number:min-exponent-digits', 2))
  const interval = count(cursor, 'number:exponent-interval', 1)
  const sign = cursor.attribute('number:forced-exponent-sign') === 'false' ? '-' : '+'
  const [integer = '', ...fraction] = digitsOf(cursor).split('.')
  return `${[integer.padStart(interval, '#'), ...fraction].join('.')}E${sign}${'0'.repeat(exponent)}`
}

function fractionOf(cursor: XmlCursor): string {
  const minIntegers = cursor.attribute('number:min-integer-digits')
  const denominator = cursor.attribute('number:denominator-value')
  const top = Math.max(1, count(cursor, 'number:min-numerator-digits', 1))
  const bottom = Math.max(1, count(cursor, 'number:min-denominator-digits', 1))
  const fixed = denominator !== undefined && /^\d{1,6}$/.test(denominator) ? denominator : '?'.repeat(bottom)
  return `${minIntegers === undefined ? '' : '# '}${'?'.repeat(top)}/${fixed}`
}
