import { entryOf } from '../../../entry-of.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'

/** Reads number:date-style or number:time-style (16.29.19) as a Unicode date pattern (UTS 35). */
export function readMomentStyle(cursor: XmlCursor): MomentStyle {
  const spoken = cursor.attribute('number:language')
  const country = cursor.attribute('number:country')
  const automatic = cursor.attribute('number:automatic-order') === 'true'
  let pattern = ''
  let clock = 'H'
  cursor.each((name) => {
    const long = cursor.attribute('number:style') === 'long'
    if (name === 'number:am-pm') clock = 'h'
    pattern +=
      name === 'number:text'
        ? quoted(cursor.text())
        : name === 'number:month' && cursor.attribute('number:textual') === 'true'
          ? long
            ? 'MMMM'
            : 'MMM'
          : ((long ? entryOf(longParts, name) : entryOf(shortParts, name)) ?? '')
  })
  if (clock === 'h') pattern = pattern.replace(/H/g, 'h')
  const isAmerican = (spoken ?? 'en') === 'en' && (country ?? 'US') === 'US'
  if (isAmerican && automatic) pattern = inOrder(pattern)
  const language = spoken === undefined ? undefined : country === undefined ? spoken : `${spoken}-${country}`
  return { pattern, language }
}

/**
 * Reorders a date of day, month and year for American English, which is also the language where none is
 * specified.
 */
function inOrder(pattern: string): string {
  const find = (letter: RegExp): string => letter.exec(pattern.replace(/'[^']*'/g, ' '))?.[0] ?? ''
  const [weekday, day, month, year] = [find(/E+/), find(/d+/), find(/M+/), find(/y+/)]
  if (day === '' || month === '' || year === '' || /[HhmsaQw]/.test(pattern.replace(/'[^']*'/g, '')))
    return pattern
  if (month.length < 3) return weekday === '' ? `MM/dd/${year}` : pattern
  return `${weekday === '' ? '' : `${weekday}', '`}${month} d', '${year}`
}

/** A date or time format: a Unicode date pattern and the language of its names. */
export interface MomentStyle {
  readonly pattern: string
  readonly language?: string
}

const quoted = (text: string): string => (text === '' ? '' : `'${text.replaceAll("'", "''")}'`)

/** Elements of a date style in their short form to pattern letters. */
const shortParts: Readonly<Record<string, string>> = {
  'number:day': 'd',
  'number:month': 'M',
  'number:year': 'yy',
  'number:day-of-week': 'EEE',
  'number:hours': 'H',
  'number:minutes': 'm',
  'number:seconds': 's',
  'number:am-pm': 'a',
  'number:quarter': 'QQQ',
  'number:week-of-year': 'w',
}
/** The same in their long form (number:style="long"). */
const longParts: Readonly<Record<string, string>> = {
  'number:day': 'dd',
  'number:month': 'MM',
  'number:year': 'yyyy',
  'number:day-of-week': 'EEEE',
  'number:hours': 'HH',
  'number:minutes': 'mm',
  'number:seconds': 'ss',
  'number:am-pm': 'a',
  'number:quarter': 'QQQQ',
  'number:week-of-year': 'w',
}
