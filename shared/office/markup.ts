/** Small looks at markup that has not been scanned. */

const start = /\{\s*(?:[dc]\s*[.[(:]|t\s*\(|#|\$|o\s*\.|bind)/
/** Tags that may repeat or remove what they stand in. */
const structure = /\{[^{}]*(?:\[|\$|\(\s*(?:row|col|sheet)|Begin)/

/** Whether text that an editor may have cut into runs holds a tag. */
export function hasTag(markup: string): boolean {
  return markup.includes('{') && start.test(plain(markup))
}

/** The same for texts and attributes: alternative texts of pictures, prompts of validated cells. */
export const hasTagAnywhere = (markup: string): boolean => start.test(markup) || hasTag(markup)

export function hasStructure(markup: string): boolean {
  return markup.includes('{') && structure.test(plain(markup))
}

const plain = (markup: string): string => markup.replace(/<[^<>]*>/g, '')

/** Text without the characters that XML cannot hold. */
export const withoutControls = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')

export function escapeText(text: string): string {
  return withoutControls(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;')
}

/**
 * Replaces each element of a name in markup that nothing has checked yet, in one pass: `attributes` is what stands
 * behind the name, `content` undefined for an element without any. Elements of the name inside each other do not occur
 * where this is used. Returning undefined keeps the element.
 */
export function replaceElements(
  markup: string,
  name: string,
  replace: (attributes: string, content: string | undefined) => string | undefined,
): string {
  const close = `</${name}>`
  const open = new RegExp(`<${name}(?=[\\s/>])([^<>]*)>`, 'g')
  let out = ''
  let from = 0
  for (let found = open.exec(markup); found !== null; found = open.exec(markup)) {
    const attributes = found[1]!
    const start = open.lastIndex
    let end = start
    let content: string | undefined
    if (!attributes.endsWith('/')) {
      const stop = markup.indexOf(close, start)
      if (stop < 0) break
      content = markup.slice(start, stop)
      end = stop + close.length
    }
    open.lastIndex = end
    const now = replace(content === undefined ? attributes.slice(0, -1) : attributes, content)
    if (now === undefined) continue
    out += markup.slice(from, found.index) + now
    from = end
  }
  return from === 0 ? markup : out + markup.slice(from)
}
