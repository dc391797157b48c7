/** The part of an XML document before its first element. Source: XML 1.0 (fifth edition), 2.8. */
export interface Prologue {
  /**
   * Index of the first character that is neither white space, a comment, a processing instruction nor the
   * document type declaration.
   */
  readonly end: number
  /** The document type declaration; '' when there is none. */
  readonly doctype: string
}

/**
 * Reads the prologue in one pass; undefined when it is truncated. A regular expression that tries every
 * possible end of every comment would not finish on a few hundred bytes of comments.
 */
export function prologueOf(text: string): Prologue | undefined {
  const blank = /[\s\ufeff]*/y
  let doctype = ''
  for (let at = 0; ; ) {
    blank.lastIndex = at
    blank.exec(text)
    at = blank.lastIndex
    const end = text.startsWith('<?', at)
      ? endOf(text, '?>', at + 2)
      : text.startsWith('<!--', at)
        ? endOf(text, '-->', at + 4)
        : isDoctype(text, at)
          ? endOfDoctype(text, at)
          : at
    if (end === at) return { end, doctype }
    if (end < 0) return undefined
    if (isDoctype(text, at)) doctype = text.slice(at, end)
    at = end
  }
}

export const isDoctype = (text: string, at: number): boolean =>
  text.slice(at, at + 9).toUpperCase() === '<!DOCTYPE'

/** Opening of a construct, inside which brackets do not count, to its closing. */
const hiding: readonly (readonly [open: string, close: string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['<!--', '-->'],
  ['<?', '?>'],
]

/** Returns the index after the document type declaration that begins at `at`; -1 when it is not closed. */
export function endOfDoctype(text: string, at: number): number {
  let inside = false // whether the position is inside the brackets of the internal subset
  for (let position = at; position < text.length; position += 1) {
    const hidden = hiding.find(([open]) => text.startsWith(open, position))
    if (hidden !== undefined) {
      const [open, close] = hidden
      const end = endOf(text, close, position + open.length)
      if (end < 0) return -1
      position = end - 1
    } else if (text[position] === '[') inside = true
    else if (text[position] === ']') inside = false
    else if (text[position] === '>' && !inside) return position + 1
  }
  return -1
}

/** The address of a DTD on the web or within the package. */
const harmlessAddress = /^(?:https?:\/\/)?[\w.][\w./-]*$/

/**
 * Returns the index after the document type declaration that begins at `at` if it only has a name and an external
 * identifier on the web or in the package, as OpenOffice 2 writes it in formulas and macros. No reader here loads the
 * DTD, so such a declaration has no effect. Returns -1 for one with an internal subset, which could define entities,
 * for one that refers to a local file, and for any other text.
 */
export function endOfPlainDoctype(text: string, at: number): number {
  const end = isDoctype(text, at) ? endOfDoctype(text, at) : -1
  const declaration = text.slice(at, end)
  if (end < 0 || /[[<]/.test(declaration.slice(1))) return -1
  const address = [...declaration.matchAll(/(["'])(.*?)\1/gs)].at(-1)?.[2]
  return address === undefined || harmlessAddress.test(address) ? end : -1
}

function endOf(text: string, close: string, from: number): number {
  const end = text.indexOf(close, from)
  return end < 0 ? -1 : end + close.length
}
