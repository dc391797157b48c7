/**
 * Cuts HTML into the same lexemes as XML. HTML omits end tags and has elements without content. Omitted end tags become
 * lexemes of no length, so that later passes see balanced elements. Only elements nested too deeply are refused.
 */
import { AppError } from '../../errors/app-error.ts'
import type { Limits } from '../../limits.ts'
import type { Lexeme } from '../../xml/scan.ts'

const voids = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Elements whose content is text up to their own end tag. */
const raw = new Set(['script', 'style', 'textarea', 'title'])
/** An element -> the elements that it ends where it begins. Source: WHATWG HTML, 13.1.2.4. */
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
/** Elements that an omitted end tag never reaches out of. */
const boundaries = new Set(['table', 'ul', 'ol', 'dl', 'select', 'body', 'html', 'div'])

/** Splits HTML into lexemes. Elements that HTML lets end without a closing tag are closed where they end. */
export function lexHtml(text: string, part: string, limits: Limits): Lexeme[] {
  const lexemes: Lexeme[] = []
  const stack: string[] = []
  let at = 0
  const push = (kind: Lexeme['kind'], name: string, end: number) => {
    lexemes.push({ kind, name, start: at, end })
    at = end
  }
  const implied = (count: number) => {
    for (let n = 0; n < count; n += 1)
      lexemes.push({ kind: 'close', name: stack.pop() ?? '', start: at, end: at })
  }
  const closeBefore = (name: string) => {
    const enders = Object.hasOwn(endsAtStart, name)
      ? (endsAtStart[name] ?? [])
      : endParagraph.has(name)
        ? ['p']
        : []
    let count = 0
    for (let n = stack.length - 1; n >= 0 && !boundaries.has(stack[n] ?? ''); n -= 1) {
      if (enders.includes(stack[n] ?? '')) count = stack.length - n
    }
    implied(count)
  }
  while (at < text.length) {
    const next = text.indexOf('<', at)
    if (next !== at) {
      push('text', '', next < 0 ? text.length : next)
      continue
    }
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 4)
      push('comment', '', end < 0 ? text.length : end + 3)
      continue
    }
    const isEnd = text[at + 1] === '/'
    const name = nameAt(text, isEnd ? at + 2 : at + 1)
    if (name === '') {
      const isDeclaration = text[at + 1] === '!' || text[at + 1] === '?'
      const end = isDeclaration ? text.indexOf('>', at) : -1
      push(
        isDeclaration ? 'instruction' : 'text',
        '',
        isDeclaration ? (end < 0 ? text.length : end + 1) : at + 1,
      )
      continue
    }
    const end = endOfTag(text, at)
    if (isEnd) {
      const open = stack.lastIndexOf(name)
      if (open < 0) push('instruction', '', end)
      else {
        implied(stack.length - 1 - open)
        stack.pop()
        push('close', name, end)
      }
      continue
    }
    closeBefore(name)
    if (voids.has(name) || text[end - 2] === '/') {
      push('void', name, end)
      continue
    }
    stack.push(name)
    if (stack.length > limits.xmlDepth)
      throw new AppError('template.too-deep', { part, limit: limits.xmlDepth })
    push('open', name, end)
    if (raw.has(name)) {
      const stop = endOfRawText(text, at, name)
      if (stop > at) push('text', '', stop)
    }
  }
  implied(stack.length)
  return lexemes
}

const tagName = /[a-zA-Z][^\s/>{]*/y

/** In lower case; '' where no name begins. */
function nameAt(text: string, at: number): string {
  tagName.lastIndex = at
  return tagName.exec(text)?.[0].toLowerCase() ?? ''
}

/** Where the end tag of an element with raw text begins, or the text ends. */
function endOfRawText(text: string, from: number, name: string): number {
  for (let at = text.indexOf('</', from); at >= 0; at = text.indexOf('</', at + 2)) {
    if (nameAt(text, at + 2) === name) return at
  }
  return text.length
}

/** The position after the '>' of a tag. Quoted values may hold a '>'. */
function endOfTag(text: string, start: number): number {
  let quote = 0
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if ((code === 34 || code === 39) && isBehindEquals(text, at)) quote = code
    else if (code === 62) return at + 1
  }
  return text.length
}

/** Whether only blanks stand between a "=" and this position. */
function isBehindEquals(text: string, at: number): boolean {
  let before = at - 1
  while (/\s/.test(text[before] ?? '')) before -= 1
  return text[before] === '='
}
