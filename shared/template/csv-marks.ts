/**
 * Whether a field of CSV that mixes text and values needs quotes is known only when it is complete. Until then the characters of values
 * that would need them are noncharacters, which Unicode leaves to processes for internal use (The Unicode Standard, 23.7).
 */

/** U+FDD0 stands for the first of these characters, U+FDD1 for the second, and so on. */
export const specials = '",;\t|\r\n'
export const firstMark = 0xfdd0

const special = /[",;\t|\r\n\ufdd0-\ufdd6]/
const specialsGlobally = new RegExp(special, 'g')

/** A value with its special characters as noncharacters; noncharacters of the value itself are removed. */
export const markSpecials = (text: string): string =>
  special.test(text)
    ? text.replace(specialsGlobally, (character) => {
        const at = specials.indexOf(character)
        return at < 0 ? '' : String.fromCharCode(firstMark + at)
      })
    : text
