/**
 * The break opportunities of a web page. Between printable ASCII characters browsers do not follow UAX 14: for example, an
 * address breaks after a question mark and a hyphen, but not after a slash (observed in Chromium for all pairs).
 */
import { breakOpportunities } from '../../text/breaks.ts'

const opening = new Set([...'(<[{'])
/** A line may break between one of these characters and an opening bracket. */
const beforeOpening = new Set([...'!"#%&)*+,.:;=>\\]|}~'])
const notAfterHyphen = new Set([...'!$),./:;?]}'])
const notAfterQuestion = new Set([...'!"\'),./:;?]}'])
const isAlphanumeric = (character: string | undefined): boolean => /^[a-z\d]$/i.test(character ?? '')

/** Returns an array with 1 at each index of the text before which a line may break. */
export function webBreaks(text: string): Uint8Array {
  const breaks = new Uint8Array(text.length + 1)
  for (const { at } of breakOpportunities(text)) breaks[at] = 1
  for (let at = 1; at < text.length; at++) {
    // A line may always break after a space.
    if (text[at - 1] === ' ' && text[at] !== ' ') breaks[at] = 1
    if (!isPrintable(text.charCodeAt(at - 1)) || !isPrintable(text.charCodeAt(at))) continue
    breaks[at] = breaksBetween(text, at) ? 1 : 0
  }
  return breaks
}

const isPrintable = (code: number): boolean => code > 32 && code < 127

function breaksBetween(text: string, at: number): boolean {
  const [before = '', after = ''] = [text[at - 1], text[at]]
  // A hyphen before a digit may be a minus sign.
  if (before === '-') return /\d/.test(after) ? isAlphanumeric(text[at - 2]) : !notAfterHyphen.has(after)
  if (before === '?') return !notAfterQuestion.has(after)
  return opening.has(after) && beforeOpening.has(before)
}
