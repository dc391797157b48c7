/** The locales offered in the list; any other tag can be typed. */
export const locales = (
  'af ar ar-ae ar-eg ar-sa az be bg bn bs ca cs cy da de de-at de-ch el en en-au en-ca en-gb en-ie en-in en-nz en-us ' +
  'en-za es es-ar es-cl es-co es-es es-mx et fa fi fr fr-be fr-ca fr-ch fr-fr he hi hr hu hy id is it it-ch it-it ja ' +
  'ka kk ko lt lv mk ms-my mt nl nl-be nl-nl no-no pl pt-br pt-pt ro ru sk sl sq sr sv-se sw ta th tr uk ur vi zh-cn ' +
  'zh-hk zh-tw'
).split(' ')

/** The name of a locale in its own language, or the tag when the browser has no name for it. */
export function localeName(tag: string): string {
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}

/** The currencies and time zones that the browser supports. */
export function supported(kind: 'currency' | 'timeZone'): readonly string[] {
  try {
    const supported = Intl.supportedValuesOf(kind)
    return kind === 'timeZone' ? [...new Set(['UTC', ...supported])] : supported
  } catch {
    return []
  }
}
