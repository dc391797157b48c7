/**
 * Searches a document for the texts of a case, on the thread that serves everybody and in time that grows with the lengths of the
 * document and of the texts alone, whatever they are.
 */

import { normalFormParts } from '../../normal-form.ts'
import { createPace, type Pace } from '../../pace.ts'

/** The number of characters that an excerpt shows before and after its position. */
const [before, after] = [60, 100]
/** The number of characters of a document that are searched for parts of a missing text, to show where it may have been. */
const maxSearched = 200_000
/** The number of characters that are worked on before others run: about a millisecond. */
const sliceLength = 65_536

/** A document, or a page of one, that is searched for many texts. */
export class SearchedText {
  readonly #text: string
  readonly #pace: Pace = createPace()
  #normalised: Promise<string> | undefined
  #excerpted: string | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Whether the text has this part, apart from white space, soft hyphens, ligatures and other forms of the same letters. */
  async contains(part: string): Promise<boolean> {
    this.#normalised ??= normalise(this.#text, this.#pace)
    const sought = await normalise(part, this.#pace)
    return (await maxBeginning(await this.#normalised, sought, this.#pace)).length === sought.length
  }

  /**
   * Returns an excerpt for a report about `part`. If the text contains `part`, the excerpt is around it. Otherwise it is around
   * the longest beginning of `part` that occurs, or the beginning of the text.
   */
  async excerptAt(part: string): Promise<string> {
    this.#excerpted ??= this.#text.slice(0, maxSearched).replace(/\s+/gu, ' ').trim()
    const line = this.#excerpted
    const match = await maxBeginning(line, part.replace(/\s+/gu, ' ').trim(), this.#pace)
    const { length, end } = match.length < 3 ? { length: 0, end: 0 } : match
    const from = Math.max(0, end - length - before)
    const to = Math.min(line.length, end - length + after)
    return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`
  }
}

/** A text in the form in which texts are compared. */
async function normalise(text: string, pace: Pace): Promise<string> {
  let normalised = ''
  for (const part of normalFormParts(text, 'NFKC')) {
    normalised += part.replace(/[\s\u00ad\u200b-\u200f]+/gu, '')
    await pace.rest()
  }
  return normalised
}

/**
 * The longest beginning of `part` that occurs in `text`, with the end of its first occurrence. Source: D. E. Knuth,
 * J. H. Morris, V. R. Pratt, Fast Pattern Matching in Strings, 1977.
 */
async function maxBeginning(
  text: string,
  part: string,
  pace: Pace,
): Promise<{ readonly length: number; readonly end: number }> {
  const borders = bordersOf(part)
  let best = { length: 0, end: 0 }
  let length = 0
  for (let at = 0; at < text.length && best.length < part.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== part.charCodeAt(length)) length = borders[length]!
    if (text.charCodeAt(at) === part.charCodeAt(length)) length++
    if (length > best.length) best = { length, end: at + 1 }
    if (at % sliceLength === sliceLength - 1) await pace.rest()
  }
  return best
}

/** For each number of characters at the beginning of `part`: how many of its first characters are also its last ones, not all. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length + 1)
  let length = 0
  for (let at = 1; at < part.length; at++) {
    while (length > 0 && part.charCodeAt(at) !== part.charCodeAt(length)) length = borders[length]!
    if (part.charCodeAt(at) === part.charCodeAt(length)) length++
    borders[at + 1] = length
  }
  return borders
}
