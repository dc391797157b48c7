import type { XmlCursor } from '../../xml/cursor.ts'

/** The language of the number style at the cursor (ODF 1.3 part 3, 19.348, 19.342) as the prefix of a format code; '' without one. */
export function languagePrefix(cursor: XmlCursor): string {
  const [language, country] = [cursor.attribute('number:language'), cursor.attribute('number:country')]
  if (language === undefined || !/^[a-z]{2,3}$/i.test(language)) return ''
  const tag = country === undefined || !/^[A-Z]{2}$/i.test(country) ? language : `${language}-${country}`
  return `[$-${tag}]`
}
