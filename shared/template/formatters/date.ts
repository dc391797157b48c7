import { integer, isMissing } from './coerce.ts'
import { dateValue, readIso } from './date-read.ts'
import { type DateScope, dateScope } from './date-scope.ts'
import { difference, endOf, moved, readUnit, startOf, type Unit } from './date-units.ts'
import { optional, required, value } from './define.ts'
import { DateValue, type Formatter, type TagState } from './formatter.ts'
import { printed } from './printed.ts'

/**
 * Dates. Input is ISO 8601 or fits the input pattern; a time without an offset is on the clock of the render's zone,
 * and a date without a time is the same day in every zone. A missing value and empty text stay empty, other text that
 * is not a date gives `Invalid Date`.
 */

const invalid = 'Invalid Date'
const inputPattern = optional('patternIn', 'text', 'how the value is written; ISO 8601 when left out')
const outputPattern = optional(
  'patternOut',
  'text',
  'tokens of the reference, L for example; ISO 8601 when left out',
)
const isoPattern = 'YYYY-MM-DDTHH:mm:ssZ'

/**
 * The date as text, in the time zone and language of the render.
 *
 * @example "2023-03-05T22:30:15.250Z" {d.v:formatD(LLLL)} => dimanche 5 mars 2023 23:30 | lang=fr-fr timezone=Europe/Paris
 * @example "2023-03-05T22:30:15.250Z" {d.v:formatD(LL)} {d.v:formatD(L)} => 5. März 2023 05.03.2023 | lang=de-de timezone=Europe/Paris
 * @example "2023-03-05T22:30:15.250Z" {d.v:formatD(LLLL)} => 2023年3月5日 日曜日 23:30 | lang=ja timezone=Europe/Paris
 * @example "2023-03-05T22:30:15.250Z" {d.v:formatD('YYYY-MM-DD HH:mm')} => 2023-03-06 07:30 | lang=en timezone=Asia/Tokyo
 * @example "2023-03-05T22:30:15.250Z" {d.v:formatD('[Week] W, [day] d')} => Week 9, day 0
 * @example "2023-03-05T22:30:15.250Z" {d.v:formatD(dddd D MMMM YYYY)} => domingo5marzo2023 | lang=es timezone=Europe/Paris
 * @example "2023-03-05T22:30:15.250Z" {d.v:formatD('YY YYYY M MM MMM MMMM D DD Do d dd ddd dddd Q')} => 23 2023 3 03 Mar March 5 05 5th 0 Su Sun Sunday 1 | timezone=Europe/Paris
 * @example "2023-03-05T22:30:15.250Z" {d.v:formatD('w ww wo W WW gggg GGGG H HH h hh k kk m mm s ss SSS A a')} => 10 10 10th 9 09 2023 2023 23 23 11 11 23 23 30 30 15 15 250 PM pm | timezone=Europe/Paris
 * @example "2023-03-05T22:30:15.250Z" {d.v:formatD('Z ZZ z X x')} => +01:00 +0100 CET 1678055415 1678055415250 | timezone=Europe/Paris
 * @example "2023-03-05T22:30:15.250Z" {d.v:formatD(LT)}; {d.v:formatD(LTS)}; {d.v:formatD(LLL)}; {d.v:formatD(LLLL)} => 11:30 PM; 11:30:15 PM; March 5, 2023 11:30 PM; Sunday, March 5, 2023 11:30 PM | timezone=Europe/Paris
 * @example "2023-03-05T22:30:15.250Z" {d.v:formatD(l)}; {d.v:formatD(ll)}; {d.v:formatD(lll)}; {d.v:formatD(llll)} => 3/5/2023; Mar 5, 2023; Mar 5, 2023 11:30 PM; Sun, Mar 5, 2023 11:30 PM | timezone=Europe/Paris
 * @example "2010-12-01" {d.v:formatD(L)} => 12/01/2010 | timezone=America/New_York
 * @example "2010-12-01" {d.v:formatD(L)} => 12/01/2010 | timezone=Pacific/Auckland
 * @example "20230305" {d.v:formatD(LL)} => March 5, 2023
 * @example 20230305 {d.v:formatD(LL)} => March 5, 2023
 * @example 1678055415250 {d.v:formatD(LTS)} => 10:30:15 PM
 * @example 1678055415 {d.v:formatD(LLL,X)} => March 5, 2023 10:30 PM
 * @example "1678055415250" {d.v:formatD(LLL,x)} => March 5, 2023 10:30 PM
 * @example "05.03.2023" {d.v:formatD(LL,'DD.MM.YYYY')} => March 5, 2023
 * @example "5 mars 2023 à 7:05 PM" {d.v:formatD(LLL,'D MMMM YYYY [à] h:mm A')} => 5 mars 2023 19:05 | lang=fr
 * @example "5 March 2023" {d.v:formatD(LL,'D MMMM YYYY')} => 5 mars 2023 | lang=fr
 * @example "2023-03-05 22:30" {d.v:formatD('HH:mm Z')} => 22:30 +01:00 | timezone=Europe/Paris
 * @example "2023-03-05T22:30:15+0300" {d.v:formatD('HH:mm')} => 19:30
 * @example "2023-13-05" {d.v:formatD(L)} => Invalid Date
 * @example "soon" {d.v:formatD(L)} => Invalid Date
 * @example "" {d.v:formatD(L)} =>
 * @example null {d.v:formatD(L)} =>
 * @example "2023-03-05" {d.v:formatD(L)} => !template.timezone | timezone=Mars/Olympus
 */
export const formatD = value('formatD', [outputPattern, inputPattern], (v, [out, into], state) =>
  formatDate(v, out, into, state),
)

/**
 * Older order of the arguments of `formatD`.
 *
 * @example "05/03/2023" {d.v:convDate('DD/MM/YYYY', LL)} => March 5, 2023
 */
export const convDate = value('convDate', [inputPattern, outputPattern], (v, [into, out], state) =>
  formatDate(v, out, into, state),
)

/**
 * An older name of `convDate`.
 *
 * @example "05/03/2023" {d.v:convert('DD/MM/YYYY', 'YYYY')} => 2023
 */
export const convert = value('convert', [inputPattern, outputPattern], (v, [into, out], state) =>
  formatDate(v, out, into, state),
)

/**
 * Adds time. Months keep the day, or take their last one. The result is a date: format it, or it prints as ISO 8601
 * UTC.
 *
 * @example "2023-03-05" {d.v:addD(2,week):formatD(L)} {d.v:addD(1,M):formatD(L)} => 03/19/2023 04/05/2023
 * @example "2023-03-05" {d.v:addD(2,week)} => 2023-03-19T00:00:00.000Z
 * @example "2023-03-05T22:30:15Z" {d.v:addD(-90,minute):formatD(LT)} => 9:00 PM
 * @example "2024-01-31" {d.v:addD(1,month):formatD(L)} => 02/29/2024
 * @example "2023-03-25T12:00" {d.v:addD(1,day):formatD(LT)} {d.v:addD(24,hours):formatD(LT)} => 12:00 PM 1:00 PM | timezone=Europe/Paris
 * @example "05+03+2023" {d.v:addD(3, days, 'DD+MM+YYYY'):formatD(L)} => 03/08/2023
 * @example "2023-03-05" {d.v:addD(1000000000000,year)} => Invalid Date
 */
export const addD = shiftFormatter('addD', 1)

/**
 * Subtracts time.
 *
 * @example "2023-03-05" {d.v:subD(5,days):formatD(L)} {d.v:subD(1,year):formatD(L)} => 02/28/2023 03/05/2022
 */
export const subD = shiftFormatter('subD', -1)

/**
 * The first moment of the day, week, month ... that the date lies in; of the year if omitted. Weeks begin on the first
 * day of the week of the language, `isoWeek` on Monday.
 *
 * @example "2023-03-05" {d.v:startOfD(month):formatD(L)} {d.v:startOfD:formatD(L)} {d.v:startOfD(quarter):formatD(L)} => 03/01/2023 01/01/2023 01/01/2023
 * @example "2023-03-08" {d.v:startOfD(week):formatD(L)} {d.v:startOfD(isoWeek):formatD(L)} => 03/05/2023 03/06/2023
 * @example "2023-03-05T15:57:12" {d.v:startOfD(day)} {d.v:startOfD(hour)} => 2023-03-04T23:00:00.000Z 2023-03-05T14:00:00.000Z | timezone=Europe/Paris
 */
export const startOfD = boundaryFormatter('startOfD', startOf)

/**
 * The last millisecond of the day, week, month ... that the date lies in; of the year when left out.
 *
 * @example "2023-03-05T22:30:15Z" {d.v:endOfD(month):formatD(L)} => 03/31/2023
 * @example "2024-02-05" {d.v:endOfD(month)} => 2024-02-29T23:59:59.999Z
 */
export const endOfD = boundaryFormatter('endOfD', endOf)

/**
 * How many whole units the other date is after the value; milliseconds if omitted. Negative when it is before.
 *
 * @example "20240115" {d.v:diffD(20240310,days)} {d.v:diffD(20240310,w)} {d.v:diffD(20240310,M)} {d.v:diffD(20240310)} => 55 7 1 4752000000
 * @example "2024+01+15" {d.v:diffD('2024=03=10', h, 'YYYY+MM+DD', 'YYYY=MM=DD')} => 1320
 * @example "2024-03-10" {d.v:diffD('2024-01-15', days)} {d.v:diffD('2024-01-15', month)} => -55 -1
 * @example "2023-03-25T12:00" {d.v:diffD('2023-03-26T12:00', days)} {d.v:diffD('2023-03-26T12:00', hours)} => 1 23 | timezone=Europe/Paris
 * @example "2024-03-10" {d.v:diffD(soon, days)} => Invalid Date
 */
export const diffD = value(
  'diffD',
  [
    required('toDate', 'any', 'the other date'),
    optional('unit', 'text', 'of the result, milliseconds when left out'),
    optional('patternFrom', 'text', 'how the value is written'),
    optional('patternTo', 'text', 'how the other date is written'),
  ],
  (v, [other, unit, patternFrom, patternTo], { render }) => {
    const scope = dateScope(render)
    return withDate(v, patternFrom, scope, (from) => {
      const to = withDate(other, patternTo, scope, (date) => date)
      return to instanceof DateValue
        ? difference(from, to, unitOr(unit, 'millisecond'), scope.zone)
        : (to ?? '')
    })
  },
)

function formatDate(v: unknown, out: unknown, into: unknown, { render }: TagState): unknown {
  const scope = dateScope(render)
  const pattern = printed(out)
  return withDate(v, into, scope, (date) => scope.writer(pattern === '' ? isoPattern : pattern)(date))
}

function shiftFormatter(name: string, sign: 1 | -1): Formatter {
  return value(
    name,
    [
      required('n', 'integer', 'how many, may be negative'),
      optional('unit', 'text', 'millisecond to year, day when left out'),
      inputPattern,
    ],
    (v, [n, unit, pattern], { render }) => {
      const scope = dateScope(render)
      return withDate(
        v,
        pattern,
        scope,
        (date) => moved(date, sign * integer(n, 0), unitOr(unit, 'day'), scope.zone) ?? invalid,
      )
    },
  )
}

function boundaryFormatter(name: string, find: typeof startOf): Formatter {
  return value(
    name,
    [optional('unit', 'text', 'second to year, year when left out'), inputPattern],
    (v, [unit, pattern], { render }) => {
      const scope = dateScope(render)
      return withDate(
        v,
        pattern,
        scope,
        (date) => find(date, unitOr(unit, 'year'), scope.zone, scope.locale.weekStart) ?? invalid,
      )
    },
  )
}

/**
 * A missing value is returned unchanged, empty text stays empty, and any other text that is not a date becomes
 * `Invalid Date`.
 */
function withDate(
  v: unknown,
  pattern: unknown,
  scope: DateScope,
  use: (date: DateValue) => unknown,
): unknown {
  if (isMissing(v) || v === '') return v
  const date = readDate(v, printed(pattern), scope)
  return date === undefined ? invalid : use(date)
}

function readDate(v: unknown, pattern: string, scope: DateScope): DateValue | undefined {
  if (v instanceof DateValue) return dateValue(v.epochMs, v.dateOnly)
  if (typeof v !== 'string' && typeof v !== 'number') return undefined
  return pattern === '' ? readIso(v, scope.zone) : scope.reader(pattern)(String(v))
}

const unitOr = (unit: unknown, otherwise: Unit): Unit => readUnit(printed(unit)) ?? otherwise
