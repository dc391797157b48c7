import { entryOf } from '../../entry-of.ts'

/** A format code of a date with number:automatic-order (ODF 1.3 part 3, 19.340) and no language, in the order of the locale. */
export const inLocaleOrder = (code: string): string =>
  entryOf(localeDates, code.replaceAll(betweenParts, '')) ?? code

/** What stands between the parts of a date: signs, quoted or not. A date with words has no form that follows the locale. */
const betweenParts = /"[^"\p{L}]*"|[%\s:/.,-]/gu
/**
 * Dates whose order follows the locale (number:automatic-order, 19.340), in that of American English, which engine L and this one have.
 * The names are the parts of the format in the order day, month and year of any locale. Dates with other parts keep their order.
 * Observed in LibreOffice.
 */
const localeDates: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['dd mm yy', 'mm/dd/yy'],
    ['dd mm yyyy', 'mm/dd/yyyy'],
    ['d mmm yy', 'mmm d, yy'],
    ['d mmm yyyy', 'mmm d, yyyy'],
    ['d mmmm yyyy', 'mmmm d, yyyy'],
    ['ddd d mmm yy', 'ddd, mmm d, yy'],
    ['ddd d mmmm yyyy', 'ddd, mmmm d, yyyy'],
    ['dddd d mmmm yyyy', 'dddd, mmmm d, yyyy'],
    ['dd mm yyyy hh mm ss', 'mm/dd/yyyy hh:mm:ss'],
    ['dd mm yy hh mm', 'mm/dd/yy hh:mm'],
  ].flatMap(([parts = '', code = '']) => {
    const [date, time = ''] = parts.split(/ (?=hh)/)
    const clock = time.replaceAll(' ', '')
    return ordersOf((date ?? '').split(' ')).map((order) => [order + clock, code] as const)
  }),
)

/** The orders in which locales write a day, a month and a year; the day of the week may stand before or after them. */
function ordersOf(parts: readonly string[]): string[] {
  const [year = '', month = '', day = '', weekday = ''] = [...parts].reverse()
  const orders = [day + month + year, month + day + year, year + month + day]
  return weekday === '' ? orders : orders.flatMap((order) => [weekday + order, order + weekday])
}
