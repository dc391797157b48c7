/** Escaping, and searching unscanned markup for template tags. */

import { endOfTag } from './elements.ts'

const start = /\{\s*(?:[dc]\s*[.[(:]|t\s*\(|#|\$|o\s*\.|bind)/
/** Tags that may repeat or remove the element that contains them. */
const structure = /\{[^{}]*(?:\[|\$|\(\s*(?:row|col|sheet)|Begin)/

/** Whether text that an editor may have split into runs contains a tag. */
export function hasTag(markup: string): boolean {
  return markup.includes('{') && start.test(withoutTags(markup))
}

/** The same for texts and attributes: alternative texts of pictures, prompts of validated cells. */
export const hasTagAnywhere = (markup: string): boolean => start.test(markup) || hasTag(markup)

export function hasStructure(markup: string): boolean {
  return markup.includes('{') && structure.test(withoutTags(markup))
}

/** The text between the tags of markup, undecoded. */
export function withoutTags(markup: string): string {
  let text = ''
  let from = 0
  for (let at = markup.indexOf('<'); at >= 0; at = markup.indexOf('<', from)) {
    const end = endOfTag(markup, at + 1)
    if (end < 0) break
    text += markup.slice(from, at)
    from = end
  }
  return from === 0 ? markup : text + markup.slice(from)
}

/** Returns text without the characters that XML does not allow. */
export const withoutControls = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')

/** Characters that text must not contain unescaped: those of markup, and those that XML does not allow. */
const special = /[&<>\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

/**
 * Escapes text between tags: the three markup characters are escaped, characters that XML forbids are dropped. A
 * merge calls this for each value. Most contain no such character, and the rest are iterated over rather than
 * replaced by pattern, which takes two thirds of the time.
 */
export function escapeText(text: string): string {
  if (!special.test(text)) return text
  let out = ''
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const instead = insteadOf(text.charCodeAt(at))
    if (instead === undefined) continue
    out += text.slice(from, at) + instead
    from = at + 1
  }
  return out + text.slice(from)
}

/** The replacement for a character code; undefined if it is kept. */
function insteadOf(code: number): string | undefined {
  if (code === 38) return '&amp;'
  if (code === 60) return '&lt;'
  if (code === 62) return '&gt;'
  const isForbidden = code < 32 ? code !== 9 && code !== 10 && code !== 13 : code >= 0xfffe
  return isForbidden ? '' : undefined
}

export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;')
}
