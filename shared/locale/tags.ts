/** Language tags: the identifiers that are guaranteed to work, and how others are read. */

import { entryOf } from '../entry-of.ts'

/** Identifiers guaranteed by the service. Any other BCP 47 tag falls back to its language and then to English. */
export const supportedLanguages: readonly string[] = [
  'af am ar ar-ae ar-bh ar-dz ar-eg ar-iq ar-jo ar-kw ar-lb ar-ly ar-ma ar-om ar-qa ar-sa ar-sy ar-tn ar-ye az az-az',
  'be bg bn bo bs cs cy da de de-at de-ch de-de de-li de-lu el en en-au en-bz en-ca en-cb en-gb en-ie en-in en-jm',
  'en-nz en-ph en-tt en-us en-za es es-ar es-bo es-cl es-co es-cr es-do es-ec es-es es-gt es-hn es-mx es-ni es-pa',
  'es-pe es-pr es-py es-sv es-uy es-ve et fa fi fo fr fr-be fr-ca fr-ch fr-fr fr-lu gd-ie gn he hi hr hu hy id is',
  'it it-ch it-it ja kk km kn ko lo lt lv mi mk ml mn mr ms-bn ms-my mt my ne nl nl-be nl-nl no-no or pl pt-br',
  'pt-pt ro ro-mo ru ru-mo sa si sk sl so sq sr-sp sv-fi sv-se sw ta te tg th tk tr ts uk ur uz-uz vi xh yi zh-cn',
  'zh-hk zh-mo zh-sg zh-tw zu',
].flatMap((line) => line.split(' '))

/** Identifiers of the list that are not CLDR locales, with the locale whose formats they use. */
const aliases: Readonly<Record<string, string>> = {
  'en-cb': 'en-029',
  'gd-ie': 'ga-ie',
  gn: 'es-py',
  'ro-mo': 'ro-md',
  'ru-mo': 'ru-md',
  'sr-sp': 'sr-rs',
  ts: 'en-za',
}

/** Normalizes a language: lower case, '-' between the parts; 'en' for text that is not a language tag. */
export function normaliseLanguage(language: string): string {
  const tag = language.trim().toLowerCase().replaceAll('_', '-')
  return tag.length <= 35 && /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/.test(tag) ? tag : 'en'
}

/** Returns a tag that `Intl` accepts. */
export function intlTag(language: string): string {
  const tag = normaliseLanguage(language)
  return entryOf(aliases, tag) ?? tag
}

/** The language without region and script: 'pt' of 'pt-br'. */
export const languageOf = (language: string): string => language.split('-', 1)[0] as string

/** The country of a tag in upper case: the one it names, or the one where most of its speakers live. */
export function regionOf(language: string): string | undefined {
  try {
    return new Intl.Locale(intlTag(language)).maximize().region
  } catch {
    return undefined
  }
}
