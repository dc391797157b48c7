/** Language codes of number formats (MS-LCID, section 2.2) with their tags. */
const languages: Readonly<Record<number, string>> = {
  1025: 'ar-sa',
  1026: 'bg',
  1027: 'ca',
  1028: 'zh-tw',
  1029: 'cs',
  1030: 'da',
  1031: 'de-de',
  1032: 'el',
  1033: 'en-us',
  1034: 'es-es',
  1035: 'fi',
  1036: 'fr-fr',
  1037: 'he',
  1038: 'hu',
  1040: 'it-it',
  1041: 'ja',
  1042: 'ko',
  1043: 'nl-nl',
  1044: 'nb',
  1045: 'pl',
  1046: 'pt-br',
  1048: 'ro',
  1049: 'ru',
  1050: 'hr',
  1051: 'sk',
  1053: 'sv',
  1054: 'th',
  1055: 'tr',
  1057: 'id',
  1058: 'uk',
  1060: 'sl',
  1061: 'et',
  1062: 'lv',
  1063: 'lt',
  1066: 'vi',
  1081: 'hi',
  2052: 'zh-cn',
  2055: 'de-ch',
  2057: 'en-gb',
  2058: 'es-mx',
  2060: 'fr-be',
  2064: 'it-ch',
  2067: 'nl-be',
  2070: 'pt-pt',
  3079: 'de-at',
  3081: 'en-au',
  3082: 'es-es',
  3084: 'fr-ca',
  4103: 'de-lu',
  4105: 'en-ca',
  4108: 'fr-ch',
  5129: 'en-nz',
  6153: 'en-ie',
  16393: 'en-in',
}

/**
 * The language of a hexadecimal code such as '407'; undefined for an unknown code. The upper half selects digits and
 * calendar.
 */
export function languageOfCode(code: string | undefined): string | undefined {
  if (code === undefined) return undefined
  // A language may be named by its tag, too.
  if (/^[a-z]{2,3}-[a-z]{2}$/.test(code) || /^[a-z]{2}$/.test(code)) return code
  return /^[0-9a-f]+$/.test(code) ? languages[Number.parseInt(code, 16) & 0xffff] : undefined
}
