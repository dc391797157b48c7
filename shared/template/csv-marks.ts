/**
 * A CSV field that combines text and values may need quotes, which is known only when the field is complete. Until then,
 * special characters of values are replaced by noncharacters, which Unicode reserves for internal use (The Unicode Standard,
 * 23.7).
 */

/** U+FDD0 replaces the first of these characters, U+FDD1 the second, and so on. */
export const specials = '",;\t|\r\n'
export const firstMark = 0xfdd0

const special = /[",;\t|\r\n\ufdd0-\ufdd6]/
const specialsGlobally = new RegExp(special, 'g')

/** Replaces the special characters of a value by noncharacters. Noncharacters of the value itself are removed. */
export const markSpecials = (text: string): string =>
  special.test(text)
    ? text.replace(specialsGlobally, (character) => {
        const at = specials.indexOf(character)
        return at < 0 ? '' : String.fromCharCode(firstMark + at)
      })
    : text
