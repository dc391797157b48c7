import { entryOf } from '../../entry-of.ts'
import { countryCode } from '../../locale/regions.ts'
import { intlTag } from '../../locale/tags.ts'
import { isMissing } from './coerce.ts'
import { required, value } from './define.ts'
import type { RenderContext } from './formatter.ts'
import { printed } from './printed.ts'

/** Values that are replaced by names or texts: enumerations, translations, countries. */

/**
 * Looks the value up in an enumeration of the render options, a list or an object. A value that is not found there
 * is returned unchanged.
 *
 * @example 1 {d.v:convEnum(ST)} => live | enums={"ST":["draft","live"]}
 * @example 9 {d.v:convEnum(ST)} => 9 | enums={"ST":["draft","live"]}
 * @example true {d.v:convEnum('YN')} => Oui | enums={"YN":{"true":"Oui","false":"Non"}}
 * @example "a" {d.v:convEnum(ST)} => a
 * @example "length" {d.v:convEnum(ST)} => length | enums={"ST":["draft"]}
 * @example null {d.v:convEnum(ST)} => | enums={"ST":["draft"]}
 */
export const convEnum = value(
  'convEnum',
  [required('name', 'text', 'the enumeration')],
  (v, [name], { render }) => {
    const list = memberValue(render.enums, printed(name))
    if (isMissing(v) || typeof list !== 'object' || list === null) return v
    const key = printed(v)
    if (Array.isArray(list)) return /^\d{1,9}$/.test(key) && Number(key) < list.length ? list[Number(key)] : v
    return memberValue(list, key) ?? v
  },
)

/**
 * Translates the value with the dictionary of the render's language, else of that language without its region. A value without translation is returned unchanged.
 *
 * @example "open" {d.v:t} => abierto | lang=es translations={"es":{"open":"abierto"}}
 * @example "?" {d.v:t} => ? | lang=es translations={"es":{"open":"abierto"}}
 * @example "open" {d.v:t} => ouvert | lang=fr-fr translations={"fr-FR":{"open":"ouvert"}}
 * @example "open" {d.v:t} => open | lang=fr-fr translations={"fr-FR":{"open":""}}
 * @example "open" {d.v:t} => offen | lang=de-at translations={"de-AT":{"shut":"zu"},"de":{"open":"offen"}}
 */
export const t = value('t', [], (v, _, { render }) => (typeof v === 'string' ? translate(v, render) : v))

/**
 * The translation of a text in the language of the render, else in that language without its region; the text itself when there
 * is none. Source: template language 23.1.
 */
export function translate(text: string, render: RenderContext): string {
  let dictionaries = render.memo.get('translations') as
    | readonly Readonly<Record<string, unknown>>[]
    | undefined
  if (dictionaries === undefined) {
    dictionaries = languagesOf(render.lang).map((lang) => {
      const name = Object.keys(render.translations).find((language) => sameLanguage(language, lang))
      return entryOf(render.translations, name) ?? {}
    })
    render.memo.set('translations', dictionaries)
  }
  for (const dictionary of dictionaries) {
    const entry = memberValue(dictionary, text)
    if (typeof entry === 'string' && entry !== '') return entry
  }
  return text
}

/** A language and those it falls back to: 'zh-hant-tw', 'zh-hant', 'zh'. */
function languagesOf(lang: string): string[] {
  const subtags = lang.split(/[-_]/)
  return subtags.map((_, dropped) => subtags.slice(0, subtags.length - dropped).join('-'))
}

/**
 * The name of a country in the language of the render, from its ISO 3166-1 code of two letters, three letters or three
 * digits. Any other value is returned unchanged.
 *
 * @example "JP" {d.v:formatR} => Japan
 * @example "JPN" {d.v:formatR} => Japan
 * @example 392 {d.v:formatR} => Japan
 * @example "4" {d.v:formatR} => Afghanistan
 * @example "de" {d.v:formatR} => Allemagne | lang=fr-fr
 * @example "Atlantis" {d.v:formatR} => Atlantis
 * @example null {d.v:formatR} =>
 */
export const formatR = value('formatR', [], (v, _, { render }) => {
  const code = typeof v === 'string' || typeof v === 'number' ? countryCode(String(v)) : undefined
  return code === undefined ? v : (countryNames(render).of(code) ?? v)
})

function countryNames(render: RenderContext): Intl.DisplayNames {
  const cached = render.memo.get('countries') as Intl.DisplayNames | undefined
  if (cached !== undefined) return cached
  const names = new Intl.DisplayNames([intlTag(render.lang), 'en'], { type: 'region', fallback: 'code' })
  render.memo.set('countries', names)
  return names
}

const sameLanguage = (a: string, b: string): boolean =>
  a.toLowerCase().replaceAll('_', '-') === b.toLowerCase().replaceAll('_', '-')

const memberValue = (object: object, key: string): unknown =>
  entryOf(object as Readonly<Record<string, unknown>>, key)
