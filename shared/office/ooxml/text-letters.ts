import { addLetters, type LetterCounts } from '../../document/letters.ts'
import { decodeEntities } from '../../xml/scan.ts'

/** Adds the letters of all elements without children whose start tags begin with `opening`, for example '<w:t'. */
export function addLettersOfElements(counts: LetterCounts, xml: string, opening: string): void {
  for (let at = xml.indexOf(opening); at >= 0; at = xml.indexOf(opening, at)) {
    at += opening.length
    const code = xml.charCodeAt(at)
    if (code !== greaterThan && code !== space) continue
    const start = xml.indexOf('>', at) + 1
    if (start === 0) return
    if (xml.charCodeAt(start - 2) === slash) continue
    const end = xml.indexOf('<', start)
    if (end < 0) return
    addLettersOfMarkup(counts, xml, start, end)
    at = end
  }
}

const [space, slash, greaterThan] = [32, 47, 62]

/** Adds the letters of markup between two tags. */
export const addLettersOfMarkup = (counts: LetterCounts, xml: string, from: number, to: number): void =>
  addLetters(counts, decodeEntities(xml.slice(from, to)))
