/** Texts that the chart library writes itself: months, days, the buttons of a legend. */

import { entryOf } from '../entry-of.ts'

/** The Intl locale of each language that the chart reference names. */
const buttons: Readonly<Record<string, readonly [all: string, inverse: string]>> = {
  cs: ['Vše', 'Inv'],
  de: ['Alle', 'Invertiert'],
  en: ['All', 'Inv'],
  es: ['Todas', 'Inversa'],
  fi: ['Kaikki', 'Käänteinen'],
  fr: ['Tout', 'Inverse'],
  it: ['Tutti', 'Inverso'],
  ja: ['すべて', '反転'],
  ko: ['전체 선택', '선택 반전'],
  pl: ['Wszystko', 'Odwróć'],
  'pt-br': ['Todas', 'Inverter'],
  ro: ['Toate', 'Invers'],
  ru: ['Все', 'Обратить'],
  si: ['සියල්ල', 'පෙරළන්න'],
  th: ['ทั้งหมด', 'กลับการเลือก'],
  zh: ['全选', '反选'],
}

/** The language of a chart for the language of a render: 'de-at' -> 'de', unknown -> 'en'. */
export function chartLanguage(lang: string): string {
  if (Object.hasOwn(buttons, lang)) return lang
  const base = lang.split('-')[0] ?? ''
  if (base === 'pt') return 'pt-br'
  return Object.hasOwn(buttons, base) ? base : 'en'
}

/** The texts of a language, in the structure that the chart library takes. */
export function chartTexts(language: string): object {
  const format = (options: Intl.DateTimeFormatOptions, dates: readonly number[]) => {
    const formatter = new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options })
    return dates.map((date) => formatter.format(date))
  }
  const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2023, month, 1))
  // Weekdays start with Sunday, and 1 January 2023 was one.
  const days = Array.from({ length: 7 }, (_, day) => Date.UTC(2023, 0, 1 + day))
  const [all, inverse] = entryOf(buttons, language)!
  return {
    time: {
      month: format({ month: 'long' }, months),
      monthAbbr: format({ month: 'short' }, months),
      dayOfWeek: format({ weekday: 'long' }, days),
      dayOfWeekAbbr: format({ weekday: 'short' }, days),
    },
    legend: { selector: { all, inverse } },
  }
}
