import type { ChartFormat, Letters } from '../../../document/chart.ts'
import type { Writable } from '../../../document/writable.ts'
import { entryOf } from '../../../entry-of.ts'

import type { XmlCursor } from '../../../xml/cursor.ts'
import { inLocaleOrder } from '../date-order.ts'
import { languagePrefix } from '../format-language.ts'
import { color, length, percent } from '../values.ts'

/** Properties of a style by attribute name; graphic, text, paragraph and chart properties together. */
export type ChartStyle = ReadonlyMap<string, string>
export const noStyle: ChartStyle = new Map()

/** Styles of a chart by name. */
export interface ChartStyles {
  readonly styles: Map<string, ChartStyle>
  /** Number formats as spreadsheet format codes, by name. */
  readonly formats: Map<string, string>
}

/**
 * Reads style:style of a chart. Names of its number formats are stored as 'format' and 'percent-format', the
 * label separator as 'separator'.
 */
export function readStyle(cursor: XmlCursor, { styles }: ChartStyles): void {
  const name = cursor.attribute('style:name')
  const properties = new Map<string, string>()
  const format = cursor.attribute('style:data-style-name')
  const percentFormat = cursor.attribute('style:percentage-data-style-name')
  if (format !== undefined) properties.set('format', format)
  if (percentFormat !== undefined) properties.set('percent-format', percentFormat)
  cursor.each((element) => {
    if (!element.endsWith('-properties')) return
    for (const [key, value] of cursor.attributes()) properties.set(key, value)
    if (element !== 'style:chart-properties') return
    cursor.each((child) => {
      if (child !== 'chart:label-separator') return
      let text = ''
      cursor.each((paragraph) => {
        if (paragraph !== 'text:p') return
        cursor.each(
          (child) => {
            text +=
              child === 'text:line-break' ? '\n' : child === 'text:s' ? ' ' : child === 'text:tab' ? '\t' : ''
          },
          (characters) => {
            text += characters
          },
        )
      })
      properties.set('separator', text)
    })
  })
  if (name !== undefined) styles.set(name, properties)
}

/** Fill and line of a style; `usual` are the defaults. */
export function chartFormatOf(style: ChartStyle, defaults: ChartFormat = {}): ChartFormat {
  const format: Writable<ChartFormat> = { ...defaults }
  const fill = style.get('draw:fill')
  const paint = color(style.get('draw:fill-color'))
  if (fill === 'none') format.fill = 'none'
  else if (paint !== undefined) format.fill = paint
  const opacity = percent(style.get('draw:opacity'))
  if (opacity !== undefined && opacity < 1) format.opacity = Math.max(0, opacity)
  const line = color(style.get('svg:stroke-color'))
  const stroke = style.get('draw:stroke')
  if (stroke === 'none') format.line = 'none'
  else if (stroke !== undefined || line !== undefined) format.line = line ?? 'B3B3B3'
  const width = length(style.get('svg:stroke-width'))
  if (width !== undefined) format.lineWidth = Math.min(60, width)
  if (stroke === 'dash') format.dash = 'dashed'
  return format
}

/** Text properties of a style. */
export function textFormatOf(style: ChartStyle): Letters {
  const size = length(style.get('fo:font-size'))
  const textColor = color(style.get('fo:color'))
  const family = style.get('fo:font-family')?.replace(/^'(.*)'$/, '$1') ?? style.get('style:font-name')
  const weight = style.get('fo:font-weight')
  const slant = style.get('fo:font-style')
  return {
    ...(size !== undefined && { size: Math.min(400, Math.max(1, size)) }),
    ...(textColor !== undefined && { color: textColor }),
    ...(family !== undefined && { family }),
    ...(weight !== undefined && { bold: weight === 'bold' || Number(weight) >= 600 }),
    ...(slant !== undefined && { italic: slant !== 'normal' }),
  }
}

/** Returns style:rotation-angle in degrees, counter-clockwise. */
export function rotationOf(style: ChartStyle): number | undefined {
  const angle = Number.parseFloat(style.get('style:rotation-angle') ?? '')
  return Number.isFinite(angle) && Math.abs(angle) < 3600 ? angle : undefined
}

/** Elements of date and time formats to format codes, short and long. */
const parts: Readonly<Record<string, readonly [string, string]>> = {
  'number:year': ['yy', 'yyyy'],
  'number:month': ['m', 'mm'],
  'number:day': ['d', 'dd'],
  'number:hours': ['h', 'hh'],
  'number:minutes': ['m', 'mm'],
  'number:seconds': ['s', 'ss'],
  'number:day-of-week': ['ddd', 'dddd'],
  'number:am-pm': ['AM/PM', 'AM/PM'],
}

/**
 * Reads number:number-style and related styles (ODF 1.3 part 3, 16.27) as a format code. The styles that its conditions (style:map)
 * refer to stand before it, and become sections of the code.
 */
export function readFormat(cursor: XmlCursor, { formats }: ChartStyles): void {
  const name = cursor.attribute('style:name')
  const language = languagePrefix(cursor)
  const isOrderedByLocale = language === '' && cursor.attribute('number:automatic-order') === 'true'
  let code = ''
  const sections: string[] = []
  cursor.each((child) => {
    const long = cursor.attribute('number:style') === 'long' ? 1 : 0
    if (child === 'number:number' || child === 'number:scientific-number') code += digitsOf(cursor, child)
    else if (child === 'number:text' || child === 'loext:text') code += quoted(cursor.text())
    else if (child === 'number:text-content') code += '@'
    else if (child === 'style:map') {
      const condition = /^value\(\)\s*([<>=]+\s*-?[\d.]+(?:e[+-]?\d+)?)$/i.exec(
        cursor.attribute('style:condition') ?? '',
      )?.[1]
      const section = formats.get(cursor.attribute('style:apply-style-name') ?? '')
      if (condition !== undefined && section !== undefined && sections.length < maxSections)
        sections.push(`[${condition.replace(/\s/g, '')}]${section}`)
    } else if (child === 'number:currency-symbol') code += quoted(cursor.text())
    else if (child === 'number:month' && cursor.attribute('number:textual') === 'true')
      code += long === 1 ? 'mmmm' : 'mmm'
    else code += entryOf(parts, child)?.[long] ?? ''
  })
  if (isOrderedByLocale) code = inLocaleOrder(code)
  if (name !== undefined && code !== '')
    formats.set(name, [...sections, language + code].join(';').slice(0, maxCode))
}

/** The number of conditions of a style, and the length of a code that is read. */
const maxSections = 3
const maxCode = 2_000

/** Literal text of a format code, quoted where necessary. */
const quoted = (text: string): string => (/^[%\s:/.,-]*$/.test(text) ? text : `"${text.replaceAll('"', '')}"`)

/** A number of digits, whatever an attribute says. */
function digitCount(
  value: string | undefined,
  { min, max, fallback }: { readonly min: number; readonly max: number; readonly fallback: number },
): number {
  return Math.min(max, Math.max(min, Math.trunc(Number(value ?? fallback)) || 0))
}

/** number:number or number:scientific-number as a format code. */
function digitsOf(cursor: XmlCursor, child: string): string {
  const decimals = cursor.attribute('number:decimal-places')
  if (decimals === undefined && child === 'number:number') return 'General'
  const decimalPlaces = digitCount(decimals, { min: 0, max: 20, fallback: 2 })
  const minDecimalPlaces = digitCount(cursor.attribute('number:min-decimal-places'), {
    min: 0,
    max: decimalPlaces,
    fallback: decimalPlaces,
  })
  const grouped = cursor.attribute('number:grouping') === 'true'
  const integers = cursor.attribute('number:min-integer-digits')
  const integerDigits =
    integers === '0' ? '#' : '0'.repeat(digitCount(integers, { min: 1, max: 20, fallback: 1 }))
  const tail =
    decimalPlaces === 0
      ? ''
      : `.${'0'.repeat(minDecimalPlaces)}${'#'.repeat(decimalPlaces - minDecimalPlaces)}`
  const exponentDigits = digitCount(cursor.attribute('number:min-exponent-digits'), {
    min: 1,
    max: 20,
    fallback: 2,
  })
  const exponent = child === 'number:scientific-number' ? `E+${'0'.repeat(exponentDigits)}` : ''
  return `${grouped ? '#,##' : ''}${integerDigits}${tail}${exponent}`
}
