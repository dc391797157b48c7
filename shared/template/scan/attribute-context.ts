/** The kinds of attribute values in HTML: text, address, script, style sheet or document. Source: WHATWG HTML, 3.2.6, 8.1.8. */
import type { FormatRules } from '../rules.ts'
import { type CodeReader, ScriptReader, StyleReader } from './code.ts'
import type { TagContext } from './tokens.ts'

export interface AttributeContext {
  readonly context: TagContext
  /** Set where the value is code. */
  readonly code?: CodeReader
}

export const scheme = /^(?:javascript|vbscript):/i

/** The context of tags in the value of an attribute. */
export function attributeContext(rules: FormatRules, element: string, attribute: string): AttributeContext {
  if (rules.addresses?.test(attribute) === true) return { context: 'address' }
  if (rules.scripted !== true) return { context: 'attribute' }
  const name = attribute.toLowerCase()
  if (/^on[a-z]/.test(name)) return { context: 'attribute', code: new ScriptReader() }
  if (name === 'style') return { context: 'attribute', code: new StyleReader() }
  if (name === 'srcdoc') return { context: 'document' }
  const animates = /^(?:\w+:)?(?:set|animate)/i.test(element) && /^(?:to|from|by|values)$/.test(name)
  return { context: animates ? 'animated' : 'attribute' }
}

/** An opening tag of HTML that is incomplete at the end of a text, and how far it got. */
export interface OpenTag {
  readonly element: string
  /** The attribute in whose value it breaks off, its quote ('' for none) and the value so far. */
  readonly value?: { readonly attribute: string; readonly quote: string; readonly text: string }
}

/** The number of characters before a template tag that are searched for an incomplete HTML tag. */
export const maxTag = 4_096

/** The opening tag that begins in `text` and is incomplete at its end; undefined if there is none. */
export function openTagIn(text: string): OpenTag | undefined {
  const recent = text.slice(-maxTag)
  let from = recent.lastIndexOf('<')
  for (let tries = 0; from >= 0 && tries < maxTries; tries += 1) {
    const open = openTagAt(recent, from)
    if (open !== undefined) return open
    from = from === 0 ? -1 : recent.lastIndexOf('<', from - 1)
  }
  return undefined
}

/** The address in angle brackets that a text of Markdown ends in; undefined if there is none (CommonMark 0.31, 6.5). */
export function openAutolink(text: string): string | undefined {
  const start = text.lastIndexOf('<')
  const address = start < 0 ? '' : text.slice(start + 1)
  return /^[a-z][a-z\d+.-]{1,31}:[^\s<>]*$/i.test(address) ? address : undefined
}

/** An address or a title may contain a "<", but seldom several. */
const maxTries = 10

const opening = /<([a-z][^\s/>{]*)/iy
const attribute = /[\s/]*([^\s=>/]+)(?:(\s*=\s*)(?:"([^"]*)("?)|'([^']*)('?)|([^\s>"'][^\s>]*|)))?/y

function openTagAt(text: string, from: number): OpenTag | undefined {
  opening.lastIndex = from
  const begin = opening.exec(text)
  if (begin === null) return undefined
  const element = begin[1]!.toLowerCase()
  let position = opening.lastIndex
  while (position < text.length) {
    attribute.lastIndex = position
    const match = attribute.exec(text)
    if (match === null) return /^[\s/]*$/.test(text.slice(position)) ? { element } : undefined
    position = attribute.lastIndex
    const [, name = '', equals, double, endDouble, single, endSingle, unquoted] = match
    if (equals === undefined) continue
    if (double !== undefined && endDouble === '')
      return { element, value: { attribute: name, quote: '"', text: double } }
    if (single !== undefined && endSingle === '')
      return { element, value: { attribute: name, quote: "'", text: single } }
    if (unquoted !== undefined && position === text.length)
      return { element, value: { attribute: name, quote: '', text: unquoted } }
  }
  return { element }
}
