/** The OpenType script tag of a code point; 'DFLT' for digits, punctuation, symbols and other scripts. */
export function scriptOf(code: number): string {
  if (code < 0x41) return 'DFLT'
  if (code < 0x250) return isLatinLetter(code) ? 'latn' : 'DFLT'
  if (code >= 0x370 && code < 0x400) return 'grek'
  if (code >= 0x400 && code < 0x530) return 'cyrl'
  if (code >= 0x590 && code < 0x600) return 'hebr'
  if ((code >= 0x1e00 && code < 0x1f00) || (code >= 0x250 && code < 0x2b0)) return 'latn'
  if (code >= 0x1f00 && code < 0x2000) return 'grek'
  if (code >= 0x1c80 && code < 0x1c90) return 'cyrl'
  if (code >= 0xfb00 && code < 0xfb07) return 'latn'
  if (code >= 0x10a0 && code < 0x1100) return 'geor'
  if (code >= 0x531 && code < 0x590) return 'armn'
  if (code >= 0x3040 && code < 0x3100) return 'kana'
  if (code >= 0x2e80 && code < 0xa000 && !(code >= 0x3000 && code < 0x3040)) return 'hani'
  if ((code >= 0xac00 && code < 0xd7b0) || (code >= 0x1100 && code < 0x1200)) return 'hang'
  if (code >= 0x20000 && code < 0x32000) return 'hani'
  if (code >= 0x2c80 && code < 0x2d00) return 'copt'
  return 'DFLT'
}

function isLatinLetter(code: number): boolean {
  if (code < 0x80) return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
  return code >= 0xc0 || code === 0xaa || code === 0xba
}

/** The script of a word, which is that of its first letter. */
export function scriptOfWord(word: string): string {
  for (let at = 0; at < word.length; at++) {
    const code = word.codePointAt(at)!
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
  return complex.test(text) && /[^\ud83c-\ud83e]/.test(text)
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
  return languages[language.split(/[-_]/)[0]!.toLowerCase()]
}
