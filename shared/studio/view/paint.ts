import { h } from './dom.ts'

const token = /("(?:[^"\\\n]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g
/** Colouring longer texts would make typing slow. */
const maxLetters = 60_000

/** Colours a JSON text, even if it is invalid. */
export function paintJson(text: string): DocumentFragment {
  const painted = document.createDocumentFragment()
  if (text.length > maxLetters) {
    painted.append(text)
    return painted
  }
  let at = 0
  for (const match of text.matchAll(token)) {
    const [whole, string, colon, number] = match
    painted.append(text.slice(at, match.index))
    const kind = string === undefined ? (number === undefined ? 'word' : 'number') : colon ? 'key' : 'string'
    painted.append(h('span', { class: kind }, string ?? whole), colon ?? '')
    at = match.index + whole.length
  }
  painted.append(text.slice(at))
  return painted
}
