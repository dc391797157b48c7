/**
 * Splits XML into lexemes and checks that it is well-formed as far as merging depends on it: names match, attributes
 * are quoted, nothing is truncated. Declarations of entities, elements and attributes are refused, because entity
 * expansion and external entities are the known attacks on XML parsers.
 */
import { entryOf } from '../entry-of.ts'
import { AppError } from '../errors/app-error.ts'
import type { Limits } from '../limits.ts'
import { endOfPlainDoctype } from './prologue.ts'
import { referencedCharacter } from './references.ts'

/** One item of markup, [start, end) in the text. Together the lexemes of a part cover all of it. */
export interface Lexeme {
  readonly kind: 'open' | 'close' | 'void' | 'text' | 'comment' | 'cdata' | 'instruction'
  readonly name: string // '' for text and the like
  readonly start: number
  readonly end: number
}

// Character codes. They are constants of this file, because imported ones cost a memory access for each character.
const lessThan = 0x3c
const greaterThan = 0x3e
const slash = 0x2f
const exclamation = 0x21
const question = 0x3f
const quotationMark = 0x22
const apostrophe = 0x27

/**
 * Returns the lexemes of a part in order. `part` is its name, for errors. Throws AppError 'template.markup' with the offset of
 * what is not well-formed, 'template.doctype' for declarations, 'template.too-deep' and 'template.markup-items'.
 */
export function lexXml(text: string, part: string, limits: Limits): Lexeme[] {
  const malformed = (because: string, offset: number) =>
    new AppError('template.markup', { part, because, offset })
  const lexemes: Lexeme[] = []
  const openNames: string[] = []
  let hasRoot = false
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const push = (kind: Lexeme['kind'], name: string, end: number) => {
    if (lexemes.length >= limits.markupItems)
      throw new AppError('template.markup-items', { part, limit: limits.markupItems })
    lexemes.push({ kind, name, start: at, end })
    at = end
  }
  const endAfter = (terminator: string, from: number, construct: string) => {
    const end = text.indexOf(terminator, from)
    if (end < 0) throw malformed(`${construct} is cut off`, at)
    return end + terminator.length
  }
  const pushText = () => {
    const next = text.indexOf('<', at)
    const end = next < 0 ? text.length : next
    if (openNames.length === 0 && !isBlankText(text, at, end))
      throw malformed('there is text outside of the root element', at)
    push('text', '', end)
  }
  const pushDeclaration = () => {
    if (text.startsWith('<!--', at)) push('comment', '', endAfter('-->', at + 4, 'a comment'))
    else if (text.startsWith('<![CDATA[', at))
      push('cdata', '', endAfter(']]>', at + 9, 'a character section'))
    else if (typeDeclarations.has(nameAt(text, at + 2).toUpperCase())) {
      const end = hasRoot ? -1 : endOfPlainDoctype(text, at)
      if (end < 0) throw new AppError('template.doctype', { part })
      push('instruction', '', end)
    } else throw malformed('a declaration is unknown', at)
  }
  const pushEndTag = () => {
    const end = endAfter('>', at + 2, 'a closing tag')
    const name = text.slice(at + 2, end - 1).trimEnd()
    const openName = openNames.pop()
    if (openName === undefined) throw malformed('an element is closed that was not opened', at)
    if (openName !== name) throw malformed('elements are closed in the wrong order', at)
    push('close', name, end)
  }
  const pushStartTag = () => {
    const end = endOfTag(text, at)
    if (end < 0) throw malformed('an opening tag cannot be read', at)
    const name = nameAt(text, at + 1)
    if (name === '') throw malformed('an element has no name', at)
    if (openNames.length === 0) {
      if (hasRoot) throw malformed('there is more than one root element', at)
      hasRoot = true
    }
    if (text.charCodeAt(end - 2) === slash) push('void', name, end)
    else {
      openNames.push(name)
      if (openNames.length > limits.xmlDepth)
        throw new AppError('template.too-deep', { part, limit: limits.xmlDepth })
      push('open', name, end)
    }
  }

  while (at < text.length) {
    if (text.charCodeAt(at) !== lessThan) {
      pushText()
      continue
    }
    const second = text.charCodeAt(at + 1)
    if (second === exclamation) pushDeclaration()
    else if (second === question) push('instruction', '', endAfter('?>', at + 2, 'an instruction'))
    else if (second === slash) pushEndTag()
    else pushStartTag()
  }
  if (openNames.length > 0) throw malformed('an element is not closed', text.length)
  if (!hasRoot) throw malformed('there is no element', 0)
  return lexemes
}

/** Source: XML 1.0 (fifth edition), 2.8, 3.2, 3.3, 4.2 and 4.7. */
const typeDeclarations: ReadonlySet<string> = new Set(['DOCTYPE', 'ENTITY', 'ELEMENT', 'ATTLIST', 'NOTATION'])

const nameEnd = /[\s/>]/g

/** The name that begins at a position; '' when what begins there is no name. */
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
    if (code === greaterThan) return at + 1
    if (code === lessThan) return -1
    if (code === quotationMark || code === apostrophe) {
      const close = text.indexOf(code === quotationMark ? '"' : "'", at + 1)
      if (close < 0) return -1
      at = close
    }
  }
  return -1
}

/** Whether [start, end) holds only white space. */
function isBlankText(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && (code < 0x09 || code > 0x0d)) return false
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
    const character = name === undefined ? referencedCharacter(hex, decimal) : entryOf(named, name)
    return character ?? match
  })
}
