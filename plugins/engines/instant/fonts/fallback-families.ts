/**
 * The families that lend characters to fonts which lack them, in order of preference. The office receives the same lists,
 * so that both engines take a character from the same family.
 */

/** The regions that draw some Chinese characters differently; Noto names its families by these letters. */
export type HanRegion = 'SC' | 'TC' | 'HK' | 'JP' | 'KR'

/** The design of the text that lacks a character. The face that supplies the character should be of the same kind. */
export type TextKind = 'sans' | 'serif' | 'mono'

/** Scripts of the first plane that have a family of Noto without serifs; those of `withSerifs` have one with them too. */
const scripts =
  'Arabic,Hebrew,Devanagari,Bengali,Gurmukhi,Gujarati,Oriya,Tamil,Telugu,Kannada,Malayalam,Sinhala,Thai,Lao,Myanmar,' +
  'Khmer,Georgian,Armenian,Ethiopic,Syriac,Thaana,NKo,Samaritan,Mandaic,Cherokee,Canadian Aboriginal,Ogham,Runic,' +
  'Tagalog,Hanunoo,Buhid,Tagbanwa,Limbu,New Tai Lue,Buginese,Tai Tham,Balinese,Sundanese,Batak,' +
  'Lepcha,Ol Chiki,Glagolitic,Coptic,Tifinagh,Lisu,Vai,Bamum,Syloti Nagri,Saurashtra,Kayah Li,Rejang,' +
  'Javanese,Cham,Tai Viet,Meetei Mayek'
const withSerifs = new Set(
  'Hebrew,Devanagari,Bengali,Gurmukhi,Gujarati,Tamil,Telugu,Kannada,Malayalam,Sinhala,Thai,Lao,Myanmar,Khmer,Georgian,Armenian,Ethiopic,Balinese'.split(
    ',',
  ),
)

/** Families for one script each, those without serifs first in text without, and the other way round. */
export function scriptFamilies(kind: TextKind): string[] {
  const families: (readonly string[])[] = scripts.split(',').map((script) => {
    const sansFamily = `Noto Sans ${script}`
    if (script === 'Arabic')
      return kind === 'serif' ? ['Noto Naskh Arabic', sansFamily] : [sansFamily, 'Noto Naskh Arabic']
    if (!withSerifs.has(script)) return [sansFamily]
    return kind === 'serif' ? [`Noto Serif ${script}`, sansFamily] : [sansFamily]
  })
  const latin = kind === 'serif' ? ['Noto Serif', 'Noto Sans'] : ['Noto Sans']
  return [...latin, ...families.flat(), 'Noto Serif Tibetan']
}

/** Smaller fonts that cover one region alone, for machines without Noto. */
const regional: Readonly<Record<HanRegion, Readonly<Record<'sans' | 'serif', readonly string[]>>>> = {
  SC: { sans: ['WenQuanYi Micro Hei', 'WenQuanYi Zen Hei'], serif: ['AR PL UMing CN'] },
  TC: { sans: ['WenQuanYi Micro Hei', 'WenQuanYi Zen Hei'], serif: ['AR PL UMing TW'] },
  HK: { sans: ['WenQuanYi Micro Hei', 'WenQuanYi Zen Hei'], serif: ['AR PL UMing HK'] },
  JP: { sans: ['IPAGothic', 'Takao Gothic', 'VL Gothic'], serif: ['IPAMincho', 'Takao Mincho'] },
  KR: {
    sans: ['NanumGothic', 'UnDotum', 'Baekmuk Gulim'],
    serif: ['NanumMyeongjo', 'UnBatang', 'Baekmuk Batang'],
  },
}

/** Families for the Chinese characters of a region, kana and Hangul. */
export function hanFamilies(region: HanRegion, kind: TextKind): string[] {
  const { sans, serif } = regional[region]
  const sansFamily = [`Noto Sans CJK ${region}`, `Noto Sans ${region}`]
  if (kind === 'mono') return [`Noto Sans Mono CJK ${region}`, ...sansFamily, ...sans, ...serif]
  const serifs = [`Noto Serif CJK ${region}`, `Noto Serif ${region}`]
  return kind === 'serif'
    ? [...serifs, ...serif, ...sansFamily, ...sans]
    : [...sansFamily, ...sans, ...serifs, ...serif]
}

/**
 * Families for symbols. They come after those of scripts, because they also have letters of many, and before those of
 * Chinese characters, in which a symbol is as wide as they are.
 */
export const symbolFamilies: readonly string[] = [
  'DejaVu Sans',
  'Noto Sans Symbols',
  'Noto Sans Symbols2',
  'Noto Sans Symbols 2',
  'Noto Sans Math',
  'Noto Music',
  'OpenSymbol',
  'Symbola',
]

/** Families of scripts with punctuation of Chinese, which must not come before the families that have all of it. */
export const lateFamilies: readonly string[] = ['Mongolian', 'Tai Le', 'Yi', 'PhagsPa'].map(
  (script) => `Noto Sans ${script}`,
)

export const emojiFamilies: readonly string[] = ['Noto Color Emoji', 'Apple Color Emoji', 'Segoe UI Emoji']

/**
 * All families that may supply a character, the best match first. In text that is declared to be Chinese, Japanese or
 * Korean (`eastAsian`), punctuation and symbols are those of its characters.
 */
export function fallbackFamilies(kind: TextKind, region: HanRegion, eastAsian: boolean): string[] {
  const remaining = [...scriptFamilies(kind), ...symbolFamilies]
  const han = hanFamilies(region, kind)
  return [...(eastAsian ? [...han, ...remaining] : [...remaining, ...han]), ...lateFamilies, ...emojiFamilies]
}

/**
 * The region by the language of a text, as in `zh-Hant-TW` or `ja_JP`; undefined for languages that are written
 * with other characters.
 */
export function regionOfLanguage(language: string | undefined): HanRegion | undefined {
  const tag = language?.toLowerCase().replaceAll('_', '-') ?? ''
  if (/^ja\b/.test(tag)) return 'JP'
  if (/^ko\b/.test(tag)) return 'KR'
  if (!/^(?:zh|yue|cmn)\b/.test(tag)) return undefined
  if (/-(?:hk|mo)\b/.test(tag) || tag.startsWith('yue')) return 'HK'
  return /-(?:hant|tw)\b/.test(tag) ? 'TC' : 'SC'
}

/** The region by characters that only one of them uses: kana, Hangul or Bopomofo. */
export function regionOfText(text: string): HanRegion | undefined {
  if (/[\u3041-\u30fa\uff66-\uff9d]/.test(text)) return 'JP'
  if (/[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]/.test(text)) return 'KR'
  return /[\u3105-\u312f]/.test(text) ? 'TC' : undefined
}
