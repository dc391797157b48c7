import type { Letters, Look } from '../../../../../shared/document/chart.ts'
import type { XmlCursor } from '../../../../../shared/document/xml-cursor.ts'
import { color, length, percent } from '../values.ts'

/** Properties of a style by attribute name; graphic, text, paragraph and chart properties together. */
export type Style = ReadonlyMap<string, string>
export const noStyle: Style = new Map()

/** Styles of a chart by name. */
export interface Styles {
  readonly looks: Map<string, Style>
  /** Number formats as spreadsheet format codes, by name. */
  readonly formats: Map<string, string>
}

/**
 * Reads style:style of a chart. Names of its number formats are stored as 'format' and 'percent-format', the
 * label separator as 'separator'.
 */
export function readStyle(cursor: XmlCursor, { looks }: Styles): void {
  const name = cursor.attribute('style:name')
  const found = new Map<string, string>()
  const format = cursor.attribute('style:data-style-name')
  const percentFormat = cursor.attribute('style:percentage-data-style-name')
  if (format !== undefined) found.set('format', format)
  if (percentFormat !== undefined) found.set('percent-format', percentFormat)
  cursor.each((part) => {
    if (!part.endsWith('-properties')) return
    for (const [key, value] of cursor.attributes()) found.set(key, value)
    if (part !== 'style:chart-properties') return
    cursor.each((inner) => {
      if (inner !== 'chart:label-separator') return
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
      found.set('separator', text)
    })
  })
  if (name !== undefined) looks.set(name, found)
}

/** Fill and line of a style; `usual` are the defaults. */
export function lookOf(style: Style, usual: Look = {}): Look {
  const look: { -readonly [Key in keyof Look]: Look[Key] } = { ...usual }
  const fill = style.get('draw:fill')
  const paint = color(style.get('draw:fill-color'))
  if (fill === 'none') look.fill = 'none'
  else if (paint !== undefined) look.fill = paint
  const opacity = percent(style.get('draw:opacity'))
  if (opacity !== undefined && opacity < 1) look.opacity = Math.max(0, opacity)
  const line = color(style.get('svg:stroke-color'))
  const stroke = style.get('draw:stroke')
  if (stroke === 'none') look.line = 'none'
  else if (stroke !== undefined || line !== undefined) look.line = line ?? 'B3B3B3'
  const width = length(style.get('svg:stroke-width'))
  if (width !== undefined) look.lineWidth = Math.min(60, width)
  if (stroke === 'dash') look.dash = 'dashed'
  return look
}

/** Text properties of a style. */
export function lettersOf(style: Style): Letters {
  const size = length(style.get('fo:font-size'))
  const ink = color(style.get('fo:color'))
  const family = style.get('fo:font-family')?.replace(/^'(.*)'$/, '$1') ?? style.get('style:font-name')
  const weight = style.get('fo:font-weight')
  const slant = style.get('fo:font-style')
  return {
    ...(size !== undefined && { size: Math.min(400, Math.max(1, size)) }),
    ...(ink !== undefined && { color: ink }),
    ...(family !== undefined && { family }),
    ...(weight !== undefined && { bold: weight === 'bold' || Number(weight) >= 600 }),
    ...(slant !== undefined && { italic: slant !== 'normal' }),
  }
}

/** Returns style:rotation-angle in degrees, counter-clockwise. */
export function turnOf(style: Style): number | undefined {
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

/** Reads number:number-style and related styles (ODF 1.3 part 3, 16.27) as a format code. */
export function readFormat(cursor: XmlCursor, { formats }: Styles): void {
  const name = cursor.attribute('style:name')
  let code = ''
  cursor.each((part) => {
    const long = cursor.attribute('number:style') === 'long' ? 1 : 0
    if (part === 'number:number' || part === 'number:scientific-number') code += digitsOf(cursor, part)
    else if (part === 'number:text') code += quoted(cursor.text())
    else if (part === 'number:currency-symbol') code += quoted(cursor.text())
    else if (part === 'number:month' && cursor.attribute('number:textual') === 'true')
      code += long === 1 ? 'mmmm' : 'mmm'
    else code += parts[part]?.[long] ?? ''
  })
  if (name !== undefined && code !== '') formats.set(name, code)
}

/** Literal text of a format code, quoted where necessary. */
const quoted = (text: string): string => (/^[%\s:/.,-]*$/.test(text) ? text : `"${text.replaceAll('"', '')}"`)

/** number:number or number:scientific-number as a format code. */
function digitsOf(cursor: XmlCursor, part: string): string {
  const decimals = cursor.attribute('number:decimal-places')
  if (decimals === undefined && part === 'number:number') return 'General'
  const places = Math.min(20, Math.max(0, Number(decimals ?? 2) || 0))
  const least = Math.min(places, Number(cursor.attribute('number:min-decimal-places') ?? places) || 0)
  const grouped = cursor.attribute('number:grouping') === 'true'
  const whole = '0'.repeat(
    Math.min(20, Math.max(1, Number(cursor.attribute('number:min-integer-digits') ?? 1) || 1)),
  )
  const tail = places === 0 ? '' : `.${'0'.repeat(least)}${'#'.repeat(places - least)}`
  return `${grouped ? '#,##' : ''}${whole}${tail}${part === 'number:scientific-number' ? 'E+00' : ''}`
}
