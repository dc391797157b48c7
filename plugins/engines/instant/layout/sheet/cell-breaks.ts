import { breakOpportunities } from '../../text/breaks.ts'

const slash = 0x2f

/**
 * The indexes at which a line of a cell may begin. A line ends at a slash only in front of the first other opportunity of its
 * paragraph: behind it, the words of an address are broken between any letters (observed in LibreOffice 7.4).
 */
export function cellBreaks(text: string): number[] {
  let isAfterOther = false
  return breakOpportunities(text)
    .filter(({ at }) => {
      const isSlash = text.charCodeAt(at - 1) === slash
      isAfterOther ||= !isSlash
      return !isSlash || !isAfterOther
    })
    .map(({ at }) => at)
}
