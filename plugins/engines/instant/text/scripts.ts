/** Blocks above Latin with one script each, in ascending order: first code point, the one after the last, OpenType tag. */
import { entryOf } from '../../../../shared/entry-of.ts'

const blocks: readonly (readonly [first: number, end: number, script: string])[] = [
  [0x250, 0x2b0, 'latn'], // IPA extensions
  [0x370, 0x400, 'grek'],
  [0x400, 0x530, 'cyrl'],
  [0x531, 0x590, 'armn'],
  [0x590, 0x600, 'hebr'],
  [0x10a0, 0x1100, 'geor'],
  [0x1100, 0x1200, 'hang'], // Jamo
  [0x1c80, 0x1c90, 'cyrl'],
  [0x1e00, 0x1f00, 'latn'], // Latin Extended Additional
  [0x1f00, 0x2000, 'grek'],
  [0x2c80, 0x2d00, 'copt'],
  [0x2e80, 0x3000, 'hani'], // radicals
  [0x3040, 0x3100, 'kana'],
  [0x3100, 0xa000, 'hani'],
  [0xac00, 0xd7b0, 'hang'],
  [0xfb00, 0xfb07, 'latn'], // ligatures
  [0x20000, 0x32000, 'hani'],
]

/** The OpenType script tag of a code point; 'DFLT' for digits, punctuation, symbols and other scripts. */
export function scriptOf(code: number): string {
  if (code < 0x41) return 'DFLT'
  if (code < 0x250) return isLatinLetter(code) ? 'latn' : 'DFLT'
  for (const [first, end, script] of blocks) {
    if (code < first) return 'DFLT'
    if (code < end) return script
  }
  return 'DFLT'
}

function isLatinLetter(code: number): boolean {
  if (code < 0x80) return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
  return code >= 0xc0 || code === 0xaa || code === 0xba
}

/** The script of a word, which is that of its first letter. */
export function scriptOfWord(word: string): string {
  for (let at = 0; at < word.length; at++) {
    const code = word.codePointAt(at) ?? 0
    const script = scriptOf(code)
    if (script !== 'DFLT') return script
    if (code > 0xffff) at++
  }
  return 'DFLT'
}

/** Scripts whose letters change with their neighbours or are reordered, so that HarfBuzz shapes them. */
const complex =
  /[\u0600-\u08ff\u0900-\u0dff\u0e00-\u0fff\u1000-\u109f\u1200-\u137f\u1700-\u18af\u1900-\u1aaf\u1b00-\u1c7f\u2d30-\u2d7f\ua800-\ua8ff\ua900-\uaaff\uabc0-\uabff\ufb50-\ufdff\ufe70-\ufefe]|[\ud802-\ud83a][\udc00-\udfff]/

/** Whether a text contains characters that HarfBuzz has to shape. */
export function needsComplexShaping(text: string): boolean {
  if (complex.test(text) && /[^\ud83c-\ud83e]/.test(text)) return true
  // Pictures that are joined into one (UTS #51, 1.4.9): a family, a profession.
  return text.includes('\u200d') && /\p{Extended_Pictographic}/u.test(text)
}

/** The OpenType language systems of languages with letter forms of their own in common fonts. */
const languages: Readonly<Record<string, string>> = {
  ro: 'ROM ',
  mo: 'MOL ',
  tr: 'TRK ',
  az: 'AZE ',
  crh: 'CRT ',
  kk: 'KAZ ',
  tt: 'TAT ',
  nl: 'NLD ',
  ca: 'CAT ',
  pl: 'PLK ',
  sr: 'SRB ',
  mk: 'MKD ',
  bg: 'BGR ',
  ja: 'JAN ',
  ko: 'KOR ',
}

/** The language systems found so far: there are few languages and many words. */
const systems = new Map<string, string | undefined>()
const maxSystems = 500

/** The OpenType language system of a tag: 'TRK ' for 'tr-TR'; undefined when the default one applies. */
export function languageSystemOf(language: string | undefined): string | undefined {
  if (language === undefined) return undefined
  const cached = systems.get(language)
  if (cached !== undefined || systems.has(language)) return cached
  if (systems.size >= maxSystems) systems.clear()
  const system = findSystem(language)
  systems.set(language, system)
  return system
}

function findSystem(language: string): string | undefined {
  if (/^zh-(hant|tw|hk)/i.test(language)) return 'ZHT '
  if (/^zh/i.test(language)) return 'ZHS '
  return entryOf(languages, language.split(/[-_]/)[0]!.toLowerCase())
}
