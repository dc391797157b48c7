/** JSON that a user types: its value, or its first error. */
export type JsonText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: JsonError }

export interface JsonError {
  readonly message: string // 'a comma or } is missing'
  readonly offset: number // of the character that is wrong
  readonly line: number // from 1
  readonly column: number // from 1
}

/** Reads JSON. The value of an empty text is `undefined`. */
export function readJson(text: string): JsonText {
  if (text.trim() === '') return { ok: true, value: undefined }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false, error: findError(text) }
  }
}

/** Writes JSON with indentation; an empty text for `undefined`. */
export function writeJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}

/**
 * Finds where a text stops being JSON (RFC 8259). The messages of `JSON.parse` differ between browsers, and some lack
 * the position.
 */
function findError(text: string): JsonError {
  try {
    new Checker(text).check()
  } catch (fault) {
    if (!(fault instanceof JsonFault)) throw fault
    return errorAt(text, fault.offset, fault.message)
  }
  return errorAt(text, 0, 'this is not JSON')
}

function errorAt(text: string, offset: number, message: string): JsonError {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { message, offset, line, column: offset - before.lastIndexOf('\n') }
}

/** The first error in a text. */
class JsonFault extends Error {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

const maxDepth = 2000
const literal = /(?:true|false|null)(?![\w$])/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y
const word = /[\w$.+-]+/y
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** A recursive-descent parser that builds no values. Its methods read from `at` on and throw a JsonFault. */
class Checker {
  private readonly text: string
  private at = 0 // offset of the next character
  private depth = 0 // of arrays and objects

  constructor(text: string) {
    this.text = text
  }

  check(): void {
    this.value('a value')
    this.space()
    if (this.at < this.text.length) this.fail('there is text after the end')
  }

  private value(expected: string): void {
    this.space()
    const next = this.text[this.at]
    if (next === '{') this.members('}', () => this.member())
    else if (next === '[') this.members(']', () => this.value('a value or ]'))
    else if (next === '"') this.string()
    else if (!this.accepts(literal) && !this.accepts(number)) this.failWithoutValue(expected)
  }

  private members(close: string, readOne: () => void): void {
    if (++this.depth > maxDepth) this.fail('this is nested too deeply')
    this.at++
    this.space()
    while (this.text[this.at] !== close) {
      readOne()
      this.space()
      const next = this.text[this.at]
      if (next === close) break
      if (next === undefined) this.fail(`${close} is missing at the end`)
      if (next !== ',') this.fail(`a comma or ${close} is missing`)
      const comma = this.at++
      this.space()
      if (this.text[this.at] === close) this.fail(`there is an extra comma before ${close}`, comma)
    }
    this.at++
    this.depth--
  }

  private member(): void {
    this.space()
    const next = this.text[this.at]
    if (next === undefined) this.fail('} is missing at the end')
    if (next !== '"') this.fail('a name in double quotes is missing')
    this.string()
    this.space()
    if (this.text[this.at] !== ':') this.fail('a colon is missing')
    this.at++
    this.value('a value')
  }

  private string(): void {
    const start = this.at++
    while (this.text[this.at] !== '"') {
      const next = this.text[this.at]
      if (next === undefined || next === '\n') this.fail('a string is not closed', start)
      if (next < ' ') this.fail('a string contains a control character: write it as \\u or \\t')
      if (next !== '\\') this.at++
      else if (!this.accepts(escapeSequence))
        this.fail(`"${this.text.slice(this.at, this.at + 2)}" is not a JSON escape sequence`)
    }
    this.at++
  }

  private space(): void {
    while (' \t\r\n'.includes(this.text[this.at] ?? '?')) this.at++
  }

  private accepts(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    if (!pattern.test(this.text)) return false
    this.at = pattern.lastIndex
    return true
  }

  private failWithoutValue(expected: string): never {
    const next = this.text[this.at]
    if (next === undefined) this.fail(`${expected} is missing at the end`)
    if (next === "'") this.fail('strings need double quotes')
    word.lastIndex = this.at
    const literal = word.exec(this.text)?.[0].slice(0, 30)
    if (literal === undefined || next === ',') this.fail(`${expected} is missing`)
    if (/^[-+.]?\d/.test(literal)) this.fail(`"${literal}" is not a JSON number`)
    this.fail(`"${literal}" is not a value: strings need double quotes`)
  }

  private fail(message: string, offset = this.at): never {
    throw new JsonFault(message, offset)
  }
}
