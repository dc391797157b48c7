/**
 * The Gregorian calendar on numbers: days since 1970-01-01 and milliseconds of a local clock, without Date objects.
 * Months run from 1 to 12, weekdays from 0 (Sunday) to 6.
 */
export const dayMs = 86_400_000

/** The latest instant that a date can represent, ECMA-262 21.4.1.1. */
export const latestMs = 8.64e15

export interface CivilDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** The date of a day. */
export function civilDate(days: number): CivilDate {
  const shifted = days + 719_468 // days since 0000-03-01: a leap day ends the year
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  }
}

/** The day of a date. Days beyond the month run on into the next. */
export function dayNumber(year: number, month: number, day: number): number {
  const shiftedYear = month <= 2 ? year - 1 : year
  const era = Math.floor(shiftedYear / 400)
  const yearOfEra = shiftedYear - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

export const weekdayOf = (days: number): number => (((days + 4) % 7) + 7) % 7

/** Adds whole months. A day that the new month lacks becomes its last day. */
export function addMonths(days: number, months: number): number {
  const { year, month, day } = civilDate(days)
  const target = year * 12 + (month - 1) + months
  const targetYear = Math.floor(target / 12)
  const targetMonth = target - targetYear * 12 + 1
  return dayNumber(targetYear, targetMonth, Math.min(day, daysInMonth(targetYear, targetMonth)))
}

/** The first day of the week of a day; `weekStart` is a weekday. */
export const startOfWeek = (days: number, weekStart: number): number =>
  days - ((weekdayOf(days) - weekStart + 7) % 7)

/**
 * Number and year of the week of a day. The first week of a year is the one that contains the 1st or the 4th
 * of January, as `firstWeekHas` specifies. In ISO 8601 weeks begin on Monday and the first contains the 4th.
 */
export function weekOf(
  days: number,
  weekStart: number,
  firstWeekHas: number,
): { week: number; year: number } {
  const { year } = civilDate(days)
  const first = (y: number) => startOfWeek(dayNumber(y, 1, firstWeekHas), weekStart)
  const weekYear = days >= first(year + 1) ? year + 1 : days >= first(year) ? year : year - 1
  return { week: Math.floor((days - first(weekYear)) / 7) + 1, year: weekYear }
}
