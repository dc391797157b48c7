/**
 * What stands before the first element of an XML document. Source: XML 1.0 (fifth edition), 2.8. One pass: patterns that
 * try every end of every comment take for ever with a few hundred bytes of them.
 */
export interface Prologue {
  /** Where the first element begins, or what is none. */
  readonly end: number
  /** The document type declaration, '' where there is none. */
  readonly doctype: string
}

/** Undefined: it is cut off. */
export function prologueOf(text: string): Prologue | undefined {
  const blank = /[\s\ufeff]*/y
  let doctype = ''
  for (let at = 0; ; ) {
    blank.lastIndex = at
    blank.exec(text)
    at = blank.lastIndex
    const end = text.startsWith('<?', at)
      ? behind(text, '?>', at + 2)
      : text.startsWith('<!--', at)
        ? behind(text, '-->', at + 4)
        : isDoctype(text, at)
          ? endOfDoctype(text, at)
          : at
    if (end === at) return { end, doctype }
    if (end < 0) return undefined
    if (isDoctype(text, at)) doctype = text.slice(at, end)
    at = end
  }
}

export const isDoctype = (text: string, at: number): boolean => /^<!DOCTYPE/i.test(text.slice(at, at + 9))

const hiding: Readonly<Record<string, string>> = { '"': '"', "'": "'", '<!--': '-->', '<?': '?>' }

/** Behind the document type declaration that begins at `at`; -1 when it does not end. */
export function endOfDoctype(text: string, at: number): number {
  const marks = /["'[\]>]|<!--|<\?/g
  marks.lastIndex = at
  let inside = false // of its brackets
  for (;;) {
    const mark = marks.exec(text)?.[0]
    if (mark === undefined) return -1
    const close = hiding[mark]
    if (close !== undefined) {
      const end = behind(text, close, marks.lastIndex)
      if (end < 0) return -1
      marks.lastIndex = end
    } else if (mark === '[') inside = true
    else if (mark === ']') inside = false
    else if (!inside) return marks.lastIndex
  }
}

function behind(text: string, close: string, from: number): number {
  const found = text.indexOf(close, from)
  return found < 0 ? -1 : found + close.length
}
