/**
 * Reads scripts and style sheets just far enough to determine the context of a tag in them: a string, an address, or the
 * code itself. Source: ECMA-262, 12 (lexical grammar); CSS Syntax Module Level 3, 4 (tokenization).
 */
import type { CodeContext } from './tokens.ts'

export interface CodeReader {
  /** Reads the fixed text up to the next tag. */
  read(text: string): void
  /** The context of a tag that follows everything read so far. `after` is the fixed text after the tag. */
  contextBefore(after: string): CodeContext
  /** The replacement for a "<" of the fixed text that a value could continue as markup. */
  readonly lessThan: string
}

type ScriptState = 'code' | "'" | '"' | '`' | 'regex' | 'line' | 'block'

/** After these words a slash begins a regular expression; after any other word it divides. */
const beforeRegex =
  /(?:^|[^\w$.])(?:return|typeof|case|do|else|in|of|void|delete|instanceof|new|throw|yield|await)$/
const wordEnd = /[\w$)\]'"`]$/

export class ScriptReader implements CodeReader {
  #state: ScriptState = 'code'
  /** How many braces are open in each expression of a template literal that is being read. */
  readonly #templates: number[] = []
  /** The end of the code read so far, without trailing blanks. It determines the meaning of a slash. */
  #code = ''
  /** The last character that was read. */
  #last = ''
  /** Inside the brackets of a regular expression, where a slash does not end it. */
  #inClass = false

  get lessThan(): string {
    return this.#state === 'code' || this.#state === 'line' || this.#state === 'block' ? '< ' : '\\u003c'
  }

  read(text: string): void {
    for (let position = 0; position < text.length; position += 1) {
      const character = text[position]!
      if (this.#state === 'code') position = this.#inCode(text, position)
      else if (this.#state === 'line') {
        if (isLineEnd(character)) this.#state = 'code'
      } else if (this.#state === 'block') {
        if (text.startsWith('*/', position)) {
          this.#state = 'code'
          position += 1
        }
      } else if (character === '\\') position += 1
      else if (this.#state === 'regex') this.#inRegex(character)
      else if (this.#state === '`' && text.startsWith('${', position)) {
        this.#templates.push(0)
        this.#state = 'code'
        this.#code = ''
        position += 1
      } else if (character === this.#state || (this.#state !== '`' && isLineEnd(character))) this.#endOfText()
    }
    this.#last = text.at(-1) ?? this.#last
  }

  contextBefore(after: string): CodeContext {
    if (this.#state !== 'code') {
      this.#last = ''
      return 'script-text'
    }
    const isPart = /[\w$\u0080-\uffff]/
    const inName = isPart.test(this.#last) || isPart.test(after[0] ?? '')
    this.#code = 'x'
    this.#last = 'x'
    return inName ? 'script-name' : 'script'
  }

  #endOfText(): void {
    this.#state = 'code'
    this.#code = ')'
  }

  #inRegex(character: string): void {
    if (character === '[') this.#inClass = true
    else if (character === ']') this.#inClass = false
    else if (isLineEnd(character) || (character === '/' && !this.#inClass)) {
      this.#inClass = false
      this.#endOfText()
    }
  }

  /** Reads one punctuator or character of code. Returns the position of its last character. */
  #inCode(text: string, position: number): number {
    const character = text[position]!
    if (text.startsWith('//', position) || text.startsWith('<!--', position)) {
      this.#state = 'line'
      return position
    }
    if (text.startsWith('/*', position)) {
      this.#state = 'block'
      return position + 1
    }
    if (character === '"' || character === "'" || character === '`') this.#state = character
    else if (character === '/' && (!wordEnd.test(this.#code) || beforeRegex.test(this.#code)))
      this.#state = 'regex'
    else if (character === '{' && this.#templates.length > 0)
      this.#templates[this.#templates.length - 1]! += 1
    else if (character === '}' && this.#templates.length > 0) {
      if (this.#templates.at(-1) === 0) {
        this.#templates.pop()
        this.#state = '`'
        return position
      }
      this.#templates[this.#templates.length - 1]! -= 1
    }
    if (character.trim() !== '') this.#code = (this.#code + character).slice(-maxWord)
    else if (/[\w$]$/.test(this.#code) && !beforeRegex.test(this.#code)) this.#code = 'x'
    return position
  }
}

/** The length of the longest word of `beforeRegex` with the character before it. */
const maxWord = 12
const isLineEnd = (character: string): boolean => /[\n\r\u2028\u2029]/.test(character)

type StyleState = 'code' | "'" | '"' | 'url' | 'comment'

export class StyleReader implements CodeReader {
  #state: StyleState = 'code'
  /** The text that is being read is the address of `url(`. */
  #isAddress = false
  /** The end of the code that was read, without comments. */
  #code = ''

  get lessThan(): string {
    return this.#state === 'code' || this.#state === 'comment' ? '< ' : '\\3c '
  }

  read(text: string): void {
    for (let position = 0; position < text.length; ) position += this.#next(text, position)
  }

  /** Reads what is at a position. Returns the number of characters that were read. */
  #next(text: string, position: number): number {
    const character = text[position]!
    if (this.#state === 'comment') {
      if (!text.startsWith('*/', position)) return 1
      this.#state = 'code'
      return 2
    }
    if (character === '\\') return 2
    const isQuote = character === '"' || character === "'"
    if (this.#state === 'url') {
      if (character === ')') this.#endOfText()
      else if (isQuote && this.#code.endsWith('(')) this.#state = character
      else if (character.trim() !== '') this.#code = 'url(x'
      return 1
    }
    if (this.#state !== 'code') {
      if (character === this.#state || /[\n\r\f]/.test(character)) this.#endOfText()
      return 1
    }
    if (text.startsWith('/*', position)) {
      this.#state = 'comment'
      return 2
    }
    if (isQuote) {
      this.#state = character
      return 1
    }
    this.#code = (this.#code + character).slice(-maxCode)
    this.#isAddress = /(?:url|src)\($/i.test(this.#code)
    if (this.#isAddress) this.#state = 'url'
    return 1
  }

  contextBefore(after: string): CodeContext {
    if (this.#state === 'url') {
      this.#code = 'url(x'
      return 'style-url'
    }
    if (this.#state !== 'code') return this.#isAddress ? 'style-url' : 'style-text'
    const begins = /(?:^|[;{}])\s*$/.test(this.#code)
    const ends = /^[ \t]*(?:$|[\r\n;}]|\{[dc$#])/.test(after)
    this.#code = begins && ends ? ';' : 'x'
    return begins && ends ? 'style-rules' : 'style'
  }

  #endOfText(): void {
    this.#state = 'code'
    this.#isAddress = false
    this.#code = 'x'
  }
}

/** The number of characters of preceding code that are kept. */
const maxCode = 100

/** Types of scripts that browsers run, and of data that scripts read as JSON. Any other script is text for a program of the page. */
const scriptTypes =
  /^(?:|module|importmap|speculationrules|(?:text|application)\/(?:x-)?(?:java|ecma|live|j)script[\d.]*|.*[/+]json)$/i

/** Returns the reader for the content of an element, by its opening tag; undefined if its content is text. */
export function codeOf(element: string, tag: string): CodeReader | undefined {
  const name = element.slice(element.indexOf(':') + 1).toLowerCase()
  if (name === 'style') return new StyleReader()
  if (name !== 'script') return undefined
  const type = /\stype\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]*))/i.exec(tag)
  const scriptType = (type?.[1] ?? type?.[2] ?? type?.[3] ?? '').split(';')[0]!.trim()
  return scriptType.includes('{') || scriptTypes.test(scriptType) ? new ScriptReader() : undefined
}
