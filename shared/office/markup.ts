/** Small looks at markup that has not been scanned. */

const start = /\{\s*(?:[dc]\s*[.[(:]|t\s*\(|#|\$|o\s*\.|bind)/
/** Tags that may repeat or remove what they stand in. */
const structure = /\{[^{}]*(?:\[|\$|\(\s*(?:row|col|sheet)|Begin)/

/** Whether text that an editor may have cut into runs holds a tag. */
export function hasTag(markup: string): boolean {
  return markup.includes('{') && start.test(plain(markup))
}

export function hasStructure(markup: string): boolean {
  return markup.includes('{') && structure.test(plain(markup))
}

const plain = (markup: string): string => markup.replace(/<[^>]*>/g, '')

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;')
}
