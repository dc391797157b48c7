import type { FontAlias } from '../../../../plugins/engines/instant/fonts/aliases.ts'
import {
  type HanRegion,
  hanFamilies,
  lateFamilies,
  scriptFamilies,
  symbolFamilies,
  type TextKind,
} from '../../../../plugins/engines/instant/fonts/fallback-families.ts'

/** The languages that select the families of a region, as fontconfig knows them. */
const regions: readonly (readonly [HanRegion, string])[] = [
  ['JP', 'ja'],
  ['KR', 'ko'],
  ['HK', 'zh-hk'],
  ['HK', 'zh-mo'],
  ['TC', 'zh-tw'],
  ['SC', 'zh'],
]

/**
 * The tables of the instant engine as fontconfig rules: what `fonts.conf` of the office engine must hold. `defaults` are
 * the families for text of no known font.
 */
export function fontConfOf(
  aliases: readonly FontAlias[],
  defaults: { readonly sans: string; readonly serif: string; readonly mono: string },
): string {
  // A family that is installed always wins over its stand-ins, so an alias that points at itself says nothing.
  const rules = aliases.map(({ family, to }) => {
    const families = to.filter((one) => one !== family).map((one) => `<family>${escaped(one)}</family>`)
    return `  <alias binding="same"><family>${escaped(family)}</family><accept>${families.join('')}</accept></alias>`
  })
  const append = (families: readonly string[], test = ''): string => {
    const strings = families.map((one) => `<string>${escaped(one)}</string>`).join('')
    return `  <match target="pattern">${test}<edit name="family" mode="append_last" binding="strong">${strings}</edit></match>`
  }
  const ofFamily = (family: string) => `<test name="family"><string>${family}</string></test>`
  const ofLanguage = (tag: string) => `<test name="lang" compare="contains"><string>${tag}</string></test>`
  const lending = (kind: TextKind, test: string): string[] => [
    ...regions.map(([region, tag]) => append(hanFamilies(region, kind), test + ofLanguage(tag))),
    append([...scriptFamilies(kind), ...symbolFamilies, ...hanFamilies('SC', kind), ...lateFamilies], test),
  ]
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
    '<!-- Which installed family stands in for one that is missing: the same table as in the instant engine. -->',
    '<fontconfig>',
    ...rules.filter((rule) => rule.includes('<accept><')),
    '  <!-- What lends the characters that the family lacks, again as in the instant engine. -->',
    ...lending('serif', ofFamily(defaults.serif)),
    ...lending('mono', ofFamily(defaults.mono)),
    '  <!-- Whatever is not listed is set in the default sans, before the system gets to guess. -->',
    append([defaults.sans]),
    ...lending('sans', ''),
    '</fontconfig>',
    '',
  ].join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
