import { intlTag, languageOf, normaliseLanguage } from './tags.ts'

/** How numbers and amounts are written in a language. Digits are always Latin and grouped by three. */
export interface NumberLocale {
  readonly group: string
  readonly decimal: string
  /** '#' is replaced by the number, '¤' by the symbol. */
  readonly money: string
}

const blank = ' '

/** Data of the established table of locales. The first two columns are the separators. */
const table: readonly (readonly [group: string, decimal: string, languages: string])[] = [
  [
    blank,
    ',',
    'fr fr-fr fr-be fr-ca af be bg bo cs cy de-at en-za es-cr et fi fo gd-ie gn hu hy is kk km lo lt lv mi mk mn mt ' +
      'my ne no-no or pl pt-pt ru ru-mo sa si sk so sq sv-fi sv-se tg tk ts uk ur xh yi zu',
  ],
  [
    ',',
    '.',
    'en en-us en-gb en-au en-bz en-ca en-cb en-ie en-in en-jm en-nz en-ph en-tt am ar az az-az bn bs es-do es-gt ' +
      'es-hn es-mx es-ni es-pa es-pe es-pr es-sv he hi ja kn ko ml mr ms-my sw ta te th uz-uz zh-cn zh-hk zh-mo ' +
      'zh-sg zh-tw',
  ],
  [
    '.',
    ',',
    'de de-de de-lu es es-es es-ar es-bo es-cl es-co es-ec es-py es-uy es-ve it it-it nl nl-nl nl-be ar-dz ar-ly ' +
      'ar-ma ar-tn da el fr-lu hr id ms-bn pt-br ro ro-mo sl sr-sp tr vi',
  ],
  ['’', '.', 'de-ch de-li it-ch fr-ch rm-ch'],
  ['\u066c', '\u066b', 'ar-ae ar-bh ar-eg ar-iq ar-jo ar-kw ar-lb ar-om ar-qa ar-sa ar-sy ar-ye fa'],
]

const symbolFirst = new Set(['en-us', 'en-gb', 'nl', 'nl-nl'])
const symbolBlankFirst = new Set(['de-ch', 'pt-br'])

const cache = new Map<string, NumberLocale>()
for (const [group, decimal, languages] of table) {
  for (const language of languages.split(' ')) {
    cache.set(language, { group, decimal, money: moneyPattern(language) })
  }
}

/**
 * The locale of a language: the listed one, otherwise that of the language without its region, otherwise from
 * CLDR, otherwise English.
 */
export function numberLocale(language: string): NumberLocale {
  const tag = normaliseLanguage(language)
  return cache.get(tag) ?? cache.get(languageOf(tag)) ?? fromIntl(tag) ?? (cache.get('en') as NumberLocale)
}

/** Writes a plain decimal text ('-1234.50') in the notation of a locale. */
export function localNumber(plain: string, { group, decimal }: NumberLocale): string {
  const negative = plain.startsWith('-')
  const point = plain.indexOf('.')
  const end = point < 0 ? plain.length : point
  let from = negative ? 1 : 0
  let to = from + ((end - from) % 3 || 3)
  let grouped = negative ? '-' : ''
  while (to < end) {
    grouped += plain.slice(from, to) + group
    from = to
    to += 3
  }
  grouped += plain.slice(from, end)
  return point < 0 ? grouped : grouped + decimal + plain.slice(point + 1)
}

function moneyPattern(language: string): string {
  if (symbolFirst.has(language)) return '¤#'
  return symbolBlankFirst.has(language) ? '¤ #' : '# ¤'
}

function fromIntl(tag: string): NumberLocale | undefined {
  const [resolved] = Intl.NumberFormat.supportedLocalesOf([intlTag(tag)])
  if (resolved === undefined) return undefined
  const parts = new Intl.NumberFormat(resolved, { numberingSystem: 'latn', useGrouping: true }).formatToParts(
    1234567.8,
  )
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value
  return {
    group: (part('group') ?? ',').replace(/[\u00a0\u202f]/g, blank),
    decimal: part('decimal') ?? '.',
    money: '# ¤',
  }
}
