/**
 * Escapes values for scripts and style sheets. In a string, a value becomes part of the string. As an expression or a
 * property value, it is exactly one and cannot end it. Source: ECMA-262, 12.9.4 (string literals) and 25.5 (JSON); CSS Syntax
 * Module Level 3, 4.3.7 (escapes).
 */
import { entryOf } from '../../entry-of.ts'
import type { CodeContext } from '../scan/tokens.ts'

export function escapeCode(context: CodeContext, text: string): string {
  switch (context) {
    case 'script':
      return scriptValue(text)
    case 'script-name':
      return /^[\p{ID_Continue}$]*$/u.test(text) ? text : scriptValue(text)
    case 'script-text':
      return scriptText(text)
    case 'style':
      return styleValue(text)
    case 'style-rules':
      return isBalanced(text) ? withoutNull(text).replaceAll('<', '\\3c ') : styleValue(text)
    case 'style-text':
      return withoutNull(text).replace(/["'\\<>&*\n\r\f]|^\//g, styleEscape)
    case 'style-url':
      return styleAddress(text)
    default:
      return context satisfies never
  }
}

/** Characters that end a string of a script or of the markup around it. They are escaped in a way that JSON allows, too. */
const scriptSpecial = /[\u0000-\u001f"'`$<>&*\\/\u007f\u2028\u2029\ufffe\uffff]/g

const scriptText = (text: string): string =>
  text.replace(scriptSpecial, (character) => {
    if (character === '\\' || character === '/') return `\\${character}`
    if (character === '\n') return '\\n'
    return unicode(character)
  })

const unicode = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Escapes an expression. JSON and separators between expressions are unchanged; any other text becomes a string. The escaped
 * characters occur only in strings of JSON.
 */
function scriptValue(text: string): string {
  if (/^[\s,;]*$/.test(text)) return text
  let json = text
  try {
    JSON.parse(text)
  } catch {
    json = JSON.stringify(text)
  }
  return json.replace(/[<>&\u007f\u2028\u2029\ufffe\uffff]/g, unicode)
}

/** A character as its code point in hexadecimal. The blank ends the escape and is not part of the value. */
const styleEscape = (character: string): string => `\\${character.charCodeAt(0).toString(16)} `
const withoutNull = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b\u000e-\u001f\ufffe\uffff]/g, '')

/** CSS functions that load the resource named by their argument. */
const loads = /(?:url|src|image|image-set|cross-fade|expression|element)\s*\(/i

/** Escapes a value, a name or a selector, so that it cannot end the declaration or load a file. */
function styleValue(text: string): string {
  if (/^[\w #%.,+-]*$/.test(text)) return text
  const escaped = withoutNull(text).replace(/[;{}@\\<>&]|\/(?=\*)|^[/*]|\*(?=\/)/g, styleEscape)
  const isSafe = isBalanced(escaped) && !loads.test(escaped) && !/^\s*[(:]/.test(escaped)
  return isSafe ? escaped : escaped.replace(/["'()[\]:]/g, styleEscape)
}

const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }
const sign = /"(?:[^"\\\n\r\f]|\\[\s\S])*"|'(?:[^'\\\n\r\f]|\\[\s\S])*'|\/\*[\s\S]*?\*\/|\\[\s\S]|[\s\S]/y

/** Whether every string, comment and bracket that a value opens is closed in it. */
function isBalanced(text: string): boolean {
  if (/(?:url|src)\(\s*[^"'\s)]*["'(]/i.test(text) && !/(?:url|src)\(\s*["']/i.test(text)) return false
  const openBrackets: string[] = []
  sign.lastIndex = 0
  for (let match = sign.exec(text); match !== null; match = sign.exec(text)) {
    const [lexeme] = match
    if (lexeme === '"' || lexeme === "'" || lexeme === '\\') return false
    if (lexeme === '/' && text[sign.lastIndex] === '*') return false
    if (lexeme === '(' || lexeme === '[' || lexeme === '{') openBrackets.push(lexeme)
    else {
      const opening = entryOf(pairs, lexeme)
      if (opening !== undefined && openBrackets.pop() !== opening) return false
    }
  }
  return openBrackets.length === 0
}

/** Percent-encodes characters that would end a URL. A script URL becomes empty. */
function styleAddress(text: string): string {
  if (/^(?:javascript|vbscript):/i.test(text.replace(/[\u0000-\u0020\u007f-\u00a0]/g, ''))) return ''
  return text
    .replace(/[\s"'()\\<>\u0000-\u001f]/g, (character) => {
      const code = character.charCodeAt(0)
      return code < 0x80
        ? `%${code.toString(16).toUpperCase().padStart(2, '0')}`
        : encodeURIComponent(character)
    })
    .replaceAll('&', '\\26 ')
}
