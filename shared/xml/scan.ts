/**
 * Splits XML into lexemes and checks that it is well-formed as far as merging depends on it: names match, attributes
 * are quoted, nothing is truncated. Declarations of entities, elements and attributes are refused, because entity
 * expansion and external entities are the known attacks on XML parsers.
 */
import { AppError } from '../errors/app-error.ts'
import type { Limits } from '../limits.ts'
import { endOfPlainDoctype } from './prologue.ts'

/** One item of markup, [start, end) in the text. Together the lexemes of a part cover all of it. */
export interface Lexeme {
  readonly kind: 'open' | 'close' | 'void' | 'text' | 'comment' | 'cdata' | 'instruction'
  readonly name: string // '' for text and the like
  readonly start: number
  readonly end: number
}

export function lexXml(text: string, part: string, limits: Limits): Lexeme[] {
  const fail = (because: string, offset: number) => new AppError('template.markup', { part, because, offset })
  const lexemes: Lexeme[] = []
  const stack: string[] = []
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const push = (kind: Lexeme['kind'], name: string, end: number) => {
    lexemes.push({ kind, name, start: at, end })
    at = end
  }
  const until = (terminator: string, from: number, construct: string) => {
    const end = text.indexOf(terminator, from)
    if (end < 0) throw fail(`${construct} is cut off`, at)
    return end + terminator.length
  }
  let roots = 0
  while (at < text.length) {
    if (text.charCodeAt(at) !== 60) {
      const next = text.indexOf('<', at)
      const end = next < 0 ? text.length : next
      if (stack.length === 0 && !isBlankText(text, at, end))
        throw fail('there is text outside of the root element', at)
      push('text', '', end)
      continue
    }
    const second = text.charCodeAt(at + 1)
    if (second === 33) {
      if (text.startsWith('<!--', at)) push('comment', '', until('-->', at + 4, 'a comment'))
      else if (text.startsWith('<![CDATA[', at))
        push('cdata', '', until(']]>', at + 9, 'a character section'))
      else if (typeDeclarations.has(nameAt(text, at + 2).toUpperCase())) {
        const end = roots === 0 ? endOfPlainDoctype(text, at) : -1
        if (end < 0) throw new AppError('template.doctype', { part })
        push('instruction', '', end)
      } else throw fail('a declaration is unknown', at)
    } else if (second === 63) push('instruction', '', until('?>', at + 2, 'an instruction'))
    else if (second === 47) {
      const end = until('>', at + 2, 'a closing tag')
      const name = text.slice(at + 2, end - 1).trimEnd()
      const open = stack.pop()
      if (open !== name) {
        throw fail(
          open === undefined
            ? 'an element is closed that was not opened'
            : 'elements are closed in the wrong order',
          at,
        )
      }
      push('close', name, end)
    } else {
      const end = endOfTag(text, at)
      if (end < 0) throw fail('an opening tag cannot be read', at)
      const name = nameAt(text, at + 1)
      if (name === '') throw fail('an element has no name', at)
      if (stack.length === 0 && ++roots > 1) throw fail('there is more than one root element', at)
      if (text.charCodeAt(end - 2) === 47) push('void', name, end)
      else {
        stack.push(name)
        if (stack.length > limits.xmlDepth)
          throw new AppError('template.too-deep', { part, limit: limits.xmlDepth })
        push('open', name, end)
      }
    }
  }
  if (stack.length > 0) throw fail('an element is not closed', text.length)
  if (roots === 0) throw fail('there is no element', 0)
  return lexemes
}

/** Source: XML 1.0 (fifth edition), 2.8, 3.2, 3.3, 4.2 and 4.7. */
const typeDeclarations: ReadonlySet<string> = new Set(['DOCTYPE', 'ENTITY', 'ELEMENT', 'ATTLIST', 'NOTATION'])

const nameEnd = /[\s/>]/g
function nameAt(text: string, at: number): string {
  nameEnd.lastIndex = at
  const match = nameEnd.exec(text)
  const name = text.slice(at, match === null ? text.length : match.index)
  return /^[^\s<>&="'\d.-]/.test(name) ? name : ''
}

/** The position after the '>' of a start tag. Quoted values may contain a '>'. -1 for a malformed tag. */
function endOfTag(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 62) return at + 1
    if (code === 60) return -1
    if (code === 34 || code === 39) {
      const close = text.indexOf(code === 34 ? '"' : "'", at + 1)
      if (close < 0) return -1
      at = close
    }
  }
  return -1
}

function isBlankText(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code !== 32 && (code < 9 || code > 13)) return false
  }
  return true
}

const named: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}
const reference = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,4}));/gi

/** Replaces character references by their characters. Unknown references are kept. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(reference, (match, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(named, name) ? named[name]! : match
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : match
  })
}
