/** JSON as somebody types it: its value, or where and why it is none. */
export type JsonText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: JsonError }

export interface JsonError {
  readonly message: string // 'a comma or } is missing'
  readonly offset: number // of the letter that is wrong
  readonly line: number // from 1
  readonly column: number // from 1
}

/** An empty text is no value at all: `undefined`. */
export function readJson(text: string): JsonText {
  if (text.trim() === '') return { ok: true, value: undefined }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false, error: findError(text) }
  }
}

const mostDepth = 2000
const literal = /(?:true|false|null)(?![\w$])/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y
const words = /[\w$.+-]+/y

/** Where a text stops being JSON (RFC 8259). Browsers say that in words of their own, and not all of them say where. */
function findError(text: string): JsonError {
  let at = 0
  let depth = 0
  try {
    value('a value')
    space()
    if (at < text.length) fail('the text goes on behind its end')
  } catch (stop) {
    if (!(stop instanceof Stop)) throw stop
    return placed(text, stop.offset, stop.message)
  }
  return placed(text, 0, 'this is not JSON')

  function value(wanted: string): void {
    space()
    const letter = text[at]
    if (letter === '{') members('}', () => member())
    else if (letter === '[') members(']', () => value('a value or ]'))
    else if (letter === '"') string()
    else if (!taken(literal) && !taken(number)) noValue(wanted)
  }

  function noValue(wanted: string): never {
    const letter = text[at]
    if (letter === undefined) fail(`${wanted} is missing at the end`)
    if (letter === "'") fail('texts stand in double quotes')
    const word = wordAt()
    if (word === undefined || letter === ',') fail(`${wanted} is missing`)
    if (/^[-+.]?\d/.test(word)) fail(`"${word}" is no number of JSON`)
    fail(`"${word}" is not a value: texts stand in double quotes`)
  }

  function members(close: string, one: () => void): void {
    if (++depth > mostDepth) fail('this is nested too deeply')
    at++
    space()
    if (text[at] === close) at++
    else
      while (true) {
        one()
        space()
        if (text[at] === close) {
          at++
          break
        }
        if (text[at] !== ',')
          fail(text[at] === undefined ? `${close} is missing at the end` : `a comma or ${close} is missing`)
        const comma = at++
        space()
        if (text[at] === close) fail(`the comma before ${close} is one too many`, comma)
      }
    depth--
  }

  function member(): void {
    space()
    if (text[at] !== '"')
      fail(text[at] === undefined ? '} is missing at the end' : 'a name in double quotes is missing')
    string()
    space()
    if (text[at] !== ':') fail('a colon is missing')
    at++
    value('a value')
  }

  function string(): void {
    const start = at++
    while (text[at] !== '"') {
      const letter = text[at]
      if (letter === undefined || letter === '\n') fail('a text is not closed', start)
      if (letter < ' ') fail('a control character stands in a text: write it as \\u or \\t')
      if (letter === '\\') {
        if (!/^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(at, at + 6)))
          fail(`"${text.slice(at, at + 2)}" means nothing in a text`)
        at++
      }
      at++
    }
    at++
  }

  function space(): void {
    while (' \t\r\n'.includes(text[at] ?? '?')) at++
  }

  function taken(pattern: RegExp): boolean {
    pattern.lastIndex = at
    if (!pattern.test(text)) return false
    at = pattern.lastIndex
    return true
  }

  function wordAt(): string | undefined {
    words.lastIndex = at
    return words.exec(text)?.[0].slice(0, 30)
  }

  function fail(message: string, offset = at): never {
    throw new Stop(message, offset)
  }
}

class Stop extends Error {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

function placed(text: string, offset: number, message: string): JsonError {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { message, offset, line, column: offset - before.lastIndexOf('\n') }
}

/** As JSON is written to be read; nothing for nothing. */
export function writeJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}
