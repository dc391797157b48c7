import { AppError } from '../errors/app-error.ts'

/**
 * Checks JSON text that arrives in pieces of any size, and tells where the members of its outermost object, or the
 * elements of its outermost array, begin and end. It accepts what JSON.parse accepts, up to a depth. Nothing is parsed
 * or stored, so that a large body costs a few nanoseconds a byte and no memory, whatever is in it.
 */
export interface JsonScanner {
  /** Throws 'api.json.invalid.at', 'api.json.too-deep', and what the listener throws. */
  push(piece: Uint8Array): void
  /** Throws 'api.json.invalid.at' when the text is not complete. */
  finish(): void
}

/** Told of each member or element, in their order. Places are counted in bytes from the start of the text. */
export interface JsonListener {
  /** `name` is undefined for an element, and for a member whose name is longer than `longestName` bytes. */
  begin?(name: string | undefined, at: number): void
  /** Its JSON, as far as it stands in this piece. Valid until `push` returns. */
  part?(bytes: Uint8Array, isLast: boolean): void
  /** `memory`: an estimate of the bytes that it takes once it is parsed. */
  end?(at: number, memory: number): void
}

/** Objects and lists in each other, the outermost included. */
export const greatestDepth = 1000
/** Bytes of a name, with its escapes. No member with a longer one means anything. */
export const longestName = 1024

/** Bytes on the heap of V8, roughly. */
const memoryOf = { container: 64, text: 32, scalar: 16, name: 16 }

/** What has been read; it says what the next byte may be. */
const state = {
  start: 0,
  mark1: 1, // bytes of a byte order mark
  mark2: 2,
  begin: 3, // behind the mark
  value: 4,
  firstElement: 5, // or the end of the list
  firstName: 6, // or the end of the object
  name: 7,
  colon: 8,
  afterMember: 9,
  afterElement: 10,
  end: 11,
  text: 12, // five more for its escapes
  nameText: 18, // five more for its escapes
  minus: 24,
  zero: 25,
  digits: 26,
  point: 27,
  fraction: 28,
  exponent: 29,
  exponentSign: 30,
  exponentDigits: 31,
  literals: 32, // ten: t tr tru, f fa fal fals, n nu nul
} as const

/** What there is to do besides going on to another state. Values come first. */
const firstAction = 64
const action = {
  object: 64,
  list: 65,
  text: 66,
  scalar: 67,
  name: 68,
  endName: 69,
  close: 70,
  endText: 71,
  endScalar: 72,
  endLiteral: 73,
  invalid: 74,
} as const

const whiteSpace = [32, 10, 13, 9]
const codes = (letters: string): number[] => [...letters].map((letter) => letter.charCodeAt(0))

/** The state that the first byte of a number or a literal leads to, by that byte. */
const firstOfScalar = new Uint8Array(256)

const objectTable = createTable('{', action.object)
const arrayTable = createTable('[', action.list)

/** The next state or the action, by state and byte. */
function createTable(open: string, opening: number): Uint8Array {
  const table = new Uint8Array(firstAction << 8).fill(action.invalid)
  const on = (from: number, bytes: readonly number[], to: number) => {
    for (const byte of bytes) table[(from << 8) | byte] = to
  }
  on(state.start, whiteSpace, state.begin)
  on(state.start, [0xef], state.mark1)
  on(state.mark1, [0xbb], state.mark2)
  on(state.mark2, [0xbf], state.begin)
  for (const from of [state.start, state.begin]) on(from, codes(open), opening)
  for (const from of [
    state.begin,
    state.value,
    state.firstElement,
    state.firstName,
    state.name,
    state.colon,
    state.afterMember,
    state.afterElement,
    state.end,
  ])
    on(from, whiteSpace, from)
  for (const from of [state.value, state.firstElement]) {
    on(from, codes('{'), action.object)
    on(from, codes('['), action.list)
    on(from, codes('"'), action.text)
    on(from, codes('-0123456789tfn'), action.scalar)
  }
  on(state.firstElement, codes(']'), action.close)
  on(state.firstName, codes('}'), action.close)
  for (const from of [state.firstName, state.name]) on(from, codes('"'), action.name)
  on(state.colon, codes(':'), state.value)
  on(state.afterMember, codes(','), state.name)
  on(state.afterMember, codes('}'), action.close)
  on(state.afterElement, codes(','), state.value)
  on(state.afterElement, codes(']'), action.close)
  fillText(on, state.text, action.endText)
  fillText(on, state.nameText, action.endName)
  fillNumbers(on)
  fillLiterals(on)
  return table
}

type Fill = (from: number, bytes: readonly number[], to: number) => void

function fillText(on: Fill, text: number, end: number): void {
  const [escaped, hex] = [text + 1, text + 2]
  on(
    text,
    Array.from({ length: 256 - 32 }, (_, at) => at + 32),
    text,
  )
  on(text, codes('\\'), escaped)
  on(text, codes('"'), end)
  on(escaped, codes('"\\/bfnrt'), text)
  on(escaped, codes('u'), hex)
  for (let digit = 0; digit < 4; digit++)
    on(hex + digit, codes('0123456789abcdefABCDEF'), digit === 3 ? text : hex + digit + 1)
}

function fillNumbers(on: Fill): void {
  const [digits, nonZero] = [codes('0123456789'), codes('123456789')]
  on(state.minus, codes('0'), state.zero)
  on(state.minus, nonZero, state.digits)
  on(state.digits, digits, state.digits)
  for (const from of [state.zero, state.digits]) on(from, codes('.'), state.point)
  for (const from of [state.point, state.fraction]) on(from, digits, state.fraction)
  for (const from of [state.zero, state.digits, state.fraction]) on(from, codes('eE'), state.exponent)
  on(state.exponent, codes('+-'), state.exponentSign)
  for (const from of [state.exponent, state.exponentSign, state.exponentDigits])
    on(from, digits, state.exponentDigits)
  for (const from of [state.zero, state.digits, state.fraction, state.exponentDigits])
    on(from, [...whiteSpace, ...codes(',]}')], action.endScalar)
  firstOfScalar[codes('-')[0]!] = state.minus
  firstOfScalar[codes('0')[0]!] = state.zero
  for (const byte of nonZero) firstOfScalar[byte] = state.digits
}

function fillLiterals(on: Fill): void {
  let from: number = state.literals
  for (const word of ['true', 'false', 'null']) {
    const [first, ...rest] = codes(word)
    firstOfScalar[first!] = from
    for (const [place, byte] of rest.entries()) {
      on(from, [byte], place === rest.length - 1 ? action.endLiteral : from + 1)
      from++
    }
  }
}

/** Creates a scanner of a text whose outermost value must be `outermost`. */
export function createJsonScanner(outermost: 'object' | 'array', listener: JsonListener): JsonScanner {
  return new Scanner(outermost, listener)
}

class Scanner implements JsonScanner {
  readonly #table: Uint8Array
  readonly #listener: JsonListener
  readonly #isObject = new Uint8Array(greatestDepth + 1) // of the containers that are open, by depth
  readonly #name = new Uint8Array(longestName)
  #state: number = state.start
  #depth = 0
  #memory = 0
  #nameBytes = 0
  #before = 0 // bytes of earlier pieces
  #isNamed = false // a name of the outermost object is in hand
  #isItem = false // a member or an element is in hand

  constructor(outermost: 'object' | 'array', listener: JsonListener) {
    this.#table = outermost === 'object' ? objectTable : arrayTable
    this.#listener = listener
  }

  push(piece: Uint8Array): void {
    const table = this.#table
    const isObject = this.#isObject
    const { length } = piece
    let from = 0 // of what is in hand, in this piece
    let now = this.#state
    let index = 0
    while (index < length) {
      const byte = piece[index]!
      const next = table[(now << 8) | byte]!
      index++
      if (next < firstAction) {
        now = next
        if (next === state.text) index = endOfPlainText(piece, index)
        continue
      }
      if (next === action.invalid) throw invalid(`Unexpected character at byte ${this.#before + index - 1}.`)
      if (next === action.name) {
        this.#memory += memoryOf.name
        now = state.nameText
        if (this.#depth === 1) from = this.#beginName(index)
      } else if (next === action.endName) {
        now = state.colon
        if (this.#depth === 1) this.#keepName(piece, from, index - 1)
        this.#isNamed = false
      } else if (next <= action.scalar) {
        if (this.#depth === 1) from = this.#beginItem(index - 1)
        now = this.#beginValue(next, byte)
      } else {
        if (next === action.close) this.#depth--
        else if (next === action.endScalar) index-- // the byte belongs to what follows
        now = isObject[this.#depth] === 1 ? state.afterMember : state.afterElement
        if (this.#depth === 0) now = state.end
        else if (this.#depth === 1) this.#endItem(piece, from, index)
      }
    }
    this.#state = now
    if (this.#isNamed) this.#keepName(piece, from, length)
    else if (this.#isItem) this.#listener.part?.(piece.subarray(from), false)
    this.#before += length
  }

  finish(): void {
    if (this.#state !== state.end) throw invalid(`It ends too early, at byte ${this.#before}.`)
  }

  /** Returns the state behind the first byte of a value. */
  #beginValue(kind: number, byte: number): number {
    if (kind === action.scalar) {
      this.#memory += memoryOf.scalar
      return firstOfScalar[byte]!
    }
    if (kind === action.text) {
      this.#memory += memoryOf.text
      return state.text
    }
    if (this.#depth === greatestDepth) throw new AppError('api.json.too-deep', { limit: greatestDepth })
    this.#memory += memoryOf.container
    this.#depth++
    this.#isObject[this.#depth] = kind === action.object ? 1 : 0
    return kind === action.object ? state.firstName : state.firstElement
  }

  #beginName(index: number): number {
    this.#isNamed = true
    this.#nameBytes = 0
    return index
  }

  #keepName(piece: Uint8Array, from: number, to: number): void {
    const kept = this.#nameBytes
    this.#nameBytes += to - from
    if (this.#nameBytes <= longestName) this.#name.set(piece.subarray(from, to), kept)
  }

  #beginItem(index: number): number {
    const name = this.#isObject[1] === 1 ? nameOf(this.#name, this.#nameBytes) : undefined
    this.#memory = 0
    this.#isItem = true
    this.#listener.begin?.(name, this.#before + index)
    return index
  }

  #endItem(piece: Uint8Array, from: number, to: number): void {
    this.#isItem = false
    this.#listener.part?.(piece.subarray(from, to), true)
    this.#listener.end?.(this.#before + to, this.#memory)
  }
}

function invalid(place: string): AppError {
  return new AppError('api.json.invalid.at', { place })
}

/** Where the letters end that mean nothing but themselves: the bulk of most bodies. */
function endOfPlainText(piece: Uint8Array, from: number): number {
  let index = from
  while (index < piece.length) {
    const byte = piece[index]!
    if (byte === 34 || byte === 92 || byte < 32) break
    index++
  }
  return index
}

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

function nameOf(bytes: Uint8Array, length: number): string | undefined {
  if (length > longestName) return undefined
  // Most names are short and plain, and there may be millions of them.
  let plain = ''
  for (let index = 0; index < length && index < 32; index++) {
    const byte = bytes[index]!
    if (byte > 126 || byte === 92) break
    plain += String.fromCharCode(byte)
  }
  if (plain.length === length) return plain
  const text = decoder.decode(bytes.subarray(0, length))
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
}
