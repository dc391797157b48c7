/**
 * Splits HTML into the same lexemes as XML. HTML omits end tags and has elements without content. Omitted end tags become
 * lexemes of length 0, so that later passes see balanced elements. Only elements that are nested too deeply are refused.
 */
import { entryOf } from '../../entry-of.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Limits } from '../../limits.ts'
import type { Lexeme } from '../../xml/scan.ts'

const voids = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Elements whose content is text up to their own end tag. */
const raw = new Set(['script', 'style', 'textarea', 'title'])
/** An element -> the elements that its start tag ends. Source: WHATWG HTML, 13.1.2.4. */
const endsAtStart: Readonly<Record<string, readonly string[]>> = {
  li: ['li'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
  tr: ['tr', 'td', 'th'],
  td: ['td', 'th'],
  th: ['td', 'th'],
  thead: ['tr', 'td', 'th', 'tbody'],
  tbody: ['tr', 'td', 'th', 'thead', 'tbody'],
  tfoot: ['tr', 'td', 'th', 'tbody'],
  option: ['option'],
  optgroup: ['option', 'optgroup'],
}
const endParagraph = new Set(
  'address article aside blockquote div dl fieldset footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
)
/** Elements that are never closed by an omitted end tag inside them. */
const boundaries = new Set(['table', 'ul', 'ol', 'dl', 'select', 'body', 'html', 'div'])

/** Splits HTML into lexemes. Elements that HTML lets end without a closing tag are closed where they end. */
export function lexHtml(text: string, part: string, limits: Limits): Lexeme[] {
  const lexemes: Lexeme[] = []
  const stack: string[] = []
  let position = 0
  const push = (kind: Lexeme['kind'], name: string, end: number) => {
    if (lexemes.length >= limits.markupItems)
      throw new AppError('template.markup-items', { part, limit: limits.markupItems })
    lexemes.push({ kind, name, start: position, end })
    position = end
  }
  const closeImplied = (count: number) => {
    for (let n = 0; n < count; n += 1)
      lexemes.push({ kind: 'close', name: stack.pop() ?? '', start: position, end: position })
  }
  const closeBefore = (name: string) => {
    const enders = entryOf(endsAtStart, name) ?? (endParagraph.has(name) ? ['p'] : [])
    let count = 0
    for (let n = stack.length - 1; n >= 0 && !boundaries.has(stack[n] ?? ''); n -= 1) {
      if (enders.includes(stack[n] ?? '')) count = stack.length - n
    }
    closeImplied(count)
  }
  const endTag = (name: string) => {
    const end = endOfTag(text, position)
    const depth = stack.lastIndexOf(name)
    if (depth < 0) {
      push('instruction', '', end)
      return
    }
    closeImplied(stack.length - 1 - depth)
    stack.pop()
    push('close', name, end)
  }
  const startTag = (name: string) => {
    const end = endOfTag(text, position)
    closeBefore(name)
    if (voids.has(name) || text[end - 2] === '/') {
      push('void', name, end)
      return
    }
    stack.push(name)
    if (stack.length > limits.xmlDepth)
      throw new AppError('template.too-deep', { part, limit: limits.xmlDepth })
    push('open', name, end)
    if (!raw.has(name)) return
    const stop = endOfRawText(text, position, name)
    if (stop > position) push('text', '', stop)
  }
  while (position < text.length) {
    const next = text.indexOf('<', position)
    if (next !== position) {
      push('text', '', next < 0 ? text.length : next)
      continue
    }
    if (text.startsWith('<!--', position)) {
      const end = text.indexOf('-->', position + 4)
      push('comment', '', end < 0 ? text.length : end + 3)
      continue
    }
    if (/[!?]/.test(text[position + 1] ?? '')) {
      const end = text.indexOf('>', position)
      push('instruction', '', end < 0 ? text.length : end + 1)
      continue
    }
    const isEnd = text[position + 1] === '/'
    const name = nameAt(text, isEnd ? position + 2 : position + 1)
    if (name === '') push('text', '', position + 1)
    else if (isEnd) endTag(name)
    else startTag(name)
  }
  closeImplied(stack.length)
  return lexemes
}

const tagName = /[a-zA-Z][^\s/>{]*/y

/** The name in lower case; '' where no name begins. */
function nameAt(text: string, position: number): string {
  tagName.lastIndex = position
  return tagName.exec(text)?.[0].toLowerCase() ?? ''
}

/** The position of the end tag of a raw text element, or the end of the text. */
function endOfRawText(text: string, from: number, name: string): number {
  for (let position = text.indexOf('</', from); position >= 0; position = text.indexOf('</', position + 2)) {
    if (nameAt(text, position + 2) === name) return position
  }
  return text.length
}

/** The position after the '>' of a tag. Quoted values may contain a '>'. */
function endOfTag(text: string, start: number): number {
  let quote = 0
  for (let position = start + 1; position < text.length; position += 1) {
    const code = text.charCodeAt(position)
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if ((code === 34 || code === 39) && isBehindEquals(text, position)) quote = code
    else if (code === 62) return position + 1
  }
  return text.length
}

/** Whether only blanks separate this position from a preceding "=". */
function isBehindEquals(text: string, position: number): boolean {
  let before = position - 1
  while (/\s/.test(text[before] ?? '')) before -= 1
  return text[before] === '='
}
