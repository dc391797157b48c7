import { breakOpportunities } from '../../text/breaks.ts'

const slash = 0x2f

/**
 * The indexes at which a line of a cell may begin. A line ends at a slash only in front of the first other opportunity of its
 * paragraph: after it, the words of an address are broken between any letters (observed in LibreOffice 7.4).
 */
export function cellBreaks(text: string): number[] {
  let isAfterOther = false
  const breaks = breakOpportunities(text)
    .filter(({ at }) => {
      const isSlash = text.charCodeAt(at - 1) === slash
      isAfterOther ||= !isSlash
      return !isSlash || !isAfterOther
    })
    .map(({ at }) => at)
  return eastAsian.test(text) ? withEastAsian(text, breaks) : breaks
}

/** Ideographs, kana, Hangul, and punctuation that is as wide as they are. */
const eastAsian = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/
const eastAsianAtAll = /(?<=[^\s])[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/g

/** Adds a break before every such character, also where it may begin no line of a text document (observed in LibreOffice 7.4). */
function withEastAsian(text: string, breaks: readonly number[]): number[] {
  const all = new Set(breaks)
  for (const { index } of text.matchAll(eastAsianAtAll)) all.add(index)
  return [...all].sort((a, b) => a - b)
}
