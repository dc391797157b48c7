import { AppError } from '../errors/app-error.ts'

/**
 * Validates JSON text that arrives in chunks of any size, and reports where the members of its outermost
 * object, or the elements of its outermost array, begin and end. It accepts the same texts as JSON.parse, up
 * to a maximum depth. It does not parse or store values, so that a large body costs a few nanoseconds per
 * byte and no memory, whatever it contains.
 */
export interface JsonScanner {
  /** Throws 'api.json.invalid.at', 'api.json.too-deep', and what the listener throws. */
  push(chunk: Uint8Array): void
  /** Throws 'api.json.invalid.at' when the text is not complete. */
  finish(): void
}

/** Called for each member or element in order. Offsets are in bytes from the start of the text. */
export interface JsonListener {
  /** `name` is undefined for an element, and for a member whose name is longer than `maxNameLength` bytes. */
  begin?(name: string | undefined, at: number): void
  /** The part of its JSON that the current chunk contains. The array is valid until `push` returns. */
  part?(bytes: Uint8Array, isLast: boolean): void
  /**
   * `memory` estimates the bytes that its containers, names and scalars take once parsed, without the text
   * itself.
   */
  end?(at: number, memory: number): void
}

/** The maximum depth of nested objects and arrays, including the outermost. */
export const maxDepth = 1000
/**
 * The maximum length in bytes of a name that is reported, with its escapes. All names that the API defines
 * are shorter.
 */
export const maxNameLength = 1024

/** The approximate size of values on the heap of V8, in bytes, without their characters. */
const memoryOf = { container: 64, text: 32, scalar: 16, name: 16 }

/**
 * The states of the scanner, which determine which bytes may follow. They are the rows of the transition
 * table, so they must be below `firstAction`.
 */
const state = {
  start: 0,
  mark1: 1, // bytes of a byte order mark
  mark2: 2,
  begin: 3, // after the byte order mark
  value: 4,
  firstElement: 5, // or the end of the array
  firstName: 6, // or the end of the object
  name: 7,
  colon: 8,
  afterMember: 9,
  afterElement: 10,
  end: 11,
  text: 12, // 13 to 17 are its escapes
  nameText: 18, // 19 to 23 are its escapes
  minus: 24,
  zero: 25,
  digits: 26,
  point: 27,
  fraction: 28,
  exponent: 29,
  exponentSign: 30,
  exponentDigits: 31,
  literals: 32, // 32 to 41: t tr tru, f fa fal fals, n nu nul
} as const

/**
 * Entries of the transition table from `firstAction` on are not states but actions, which compute the
 * next state. The actions up to `scalar` begin a value.
 */
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

/** The state after the first byte of a number or literal, by that byte. */
const firstOfScalar = new Uint8Array(256)

const objectTable = createTable('{', action.object)
const arrayTable = createTable('[', action.list)

/**
 * Creates the table of next states and actions. Its index is the state in the upper byte and the input byte
 * in the lower.
 */
function createTable(open: string, opening: number): Uint8Array {
  const table = new Uint8Array(firstAction << 8).fill(action.invalid)
  const transition = (from: number, bytes: readonly number[], to: number) => {
    for (const byte of bytes) table[(from << 8) | byte] = to
  }
  transition(state.start, whiteSpace, state.begin)
  transition(state.start, [0xef], state.mark1)
  transition(state.mark1, [0xbb], state.mark2)
  transition(state.mark2, [0xbf], state.begin)
  for (const from of [state.start, state.begin]) transition(from, codes(open), opening)
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
    transition(from, whiteSpace, from)
  for (const from of [state.value, state.firstElement]) {
    transition(from, codes('{'), action.object)
    transition(from, codes('['), action.list)
    transition(from, codes('"'), action.text)
    transition(from, codes('-0123456789tfn'), action.scalar)
  }
  transition(state.firstElement, codes(']'), action.close)
  transition(state.firstName, codes('}'), action.close)
  for (const from of [state.firstName, state.name]) transition(from, codes('"'), action.name)
  transition(state.colon, codes(':'), state.value)
  transition(state.afterMember, codes(','), state.name)
  transition(state.afterMember, codes('}'), action.close)
  transition(state.afterElement, codes(','), state.value)
  transition(state.afterElement, codes(']'), action.close)
  fillText(transition, state.text, action.endText)
  fillText(transition, state.nameText, action.endName)
  fillNumbers(transition)
  fillLiterals(transition)
  return table
}

type AddTransitions = (from: number, bytes: readonly number[], to: number) => void

function fillText(transition: AddTransitions, text: number, end: number): void {
  const [escaped, hex] = [text + 1, text + 2]
  transition(
    text,
    Array.from({ length: 256 - 32 }, (_, at) => at + 32),
    text,
  )
  transition(text, codes('\\'), escaped)
  transition(text, codes('"'), end)
  transition(escaped, codes('"\\/bfnrt'), text)
  transition(escaped, codes('u'), hex)
  for (let digit = 0; digit < 4; digit++)
    transition(hex + digit, codes('0123456789abcdefABCDEF'), digit === 3 ? text : hex + digit + 1)
}

function fillNumbers(transition: AddTransitions): void {
  const [digits, nonZero] = [codes('0123456789'), codes('123456789')]
  transition(state.minus, codes('0'), state.zero)
  transition(state.minus, nonZero, state.digits)
  transition(state.digits, digits, state.digits)
  for (const from of [state.zero, state.digits]) transition(from, codes('.'), state.point)
  for (const from of [state.point, state.fraction]) transition(from, digits, state.fraction)
  for (const from of [state.zero, state.digits, state.fraction]) transition(from, codes('eE'), state.exponent)
  transition(state.exponent, codes('+-'), state.exponentSign)
  for (const from of [state.exponent, state.exponentSign, state.exponentDigits])
    transition(from, digits, state.exponentDigits)
  for (const from of [state.zero, state.digits, state.fraction, state.exponentDigits])
    transition(from, [...whiteSpace, ...codes(',]}')], action.endScalar)
  firstOfScalar[codes('-')[0] ?? 0] = state.minus
  firstOfScalar[codes('0')[0] ?? 0] = state.zero
  for (const byte of nonZero) firstOfScalar[byte] = state.digits
}

function fillLiterals(transition: AddTransitions): void {
  let from: number = state.literals
  for (const word of ['true', 'false', 'null']) {
    const [first, ...rest] = codes(word)
    firstOfScalar[first!] = from
    for (const [place, byte] of rest.entries()) {
      transition(from, [byte], place === rest.length - 1 ? action.endLiteral : from + 1)
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
  readonly #isObject = new Uint8Array(maxDepth + 1) // of the open containers by depth: 1 for objects
  readonly #name = new Uint8Array(maxNameLength) // the current name of the outermost object, with its escapes
  #state: number = state.start
  #depth = 0 // open containers
  #memory = 0 // estimated for the current member or element
  #nameBytes = 0 // length of the current name, also when it is too long to be kept
  #before = 0 // bytes of earlier chunks
  #from = 0 // start of the current name or item in this chunk
  #isNamed = false // whether a name of the outermost object is being read
  #isItem = false // whether a member or element of the outermost container is being read

  constructor(outermost: 'object' | 'array', listener: JsonListener) {
    this.#table = outermost === 'object' ? objectTable : arrayTable
    this.#listener = listener
  }

  push(chunk: Uint8Array): void {
    const table = this.#table
    const { length } = chunk
    this.#from = 0
    let now = this.#state
    let index = 0
    while (index < length) {
      const byte = chunk[index] ?? 0
      const next = table[(now << 8) | byte] ?? 0
      index++
      if (next < firstAction) {
        now = next
        if (next === state.text) index = endOfUnescapedText(chunk, index)
        continue
      }
      if (next === action.endScalar) index-- // scan the byte again: it follows the number
      now = this.#perform(next, byte, chunk, index)
    }
    this.#state = now
    if (this.#isNamed) this.#keepName(chunk, this.#from, length)
    else if (this.#isItem) this.#listener.part?.(chunk.subarray(this.#from), false)
    this.#before += length
  }

  /** Performs the action that a byte causes; returns the state after it. `end` is the offset at which the scan continues. */
  #perform(kind: number, byte: number, chunk: Uint8Array, end: number): number {
    if (kind === action.invalid) throw invalid(`Unexpected character at byte ${this.#before + end - 1}.`)
    if (kind === action.name) {
      this.#memory += memoryOf.name
      if (this.#depth === 1) this.#beginName(end)
      return state.nameText
    }
    if (kind === action.endName) {
      if (this.#depth === 1) this.#keepName(chunk, this.#from, end - 1)
      this.#isNamed = false
      return state.colon
    }
    if (kind <= action.scalar) {
      if (this.#depth === 1) this.#beginItem(end - 1)
      return this.#beginValue(kind, byte)
    }
    if (kind === action.close) this.#depth--
    return this.#endValue(chunk, end)
  }

  finish(): void {
    if (this.#state !== state.end) throw invalid(`It ends too early, at byte ${this.#before}.`)
  }

  /** Returns the state after the first byte of a value. */
  #beginValue(kind: number, byte: number): number {
    if (kind === action.scalar) {
      this.#memory += memoryOf.scalar
      return firstOfScalar[byte] ?? 0
    }
    if (kind === action.text) {
      this.#memory += memoryOf.text
      return state.text
    }
    if (this.#depth === maxDepth) throw new AppError('api.json.too-deep', { limit: maxDepth })
    this.#memory += memoryOf.container
    this.#depth++
    this.#isObject[this.#depth] = kind === action.object ? 1 : 0
    return kind === action.object ? state.firstName : state.firstElement
  }

  /** Returns the state after a value, which decides what may follow it. */
  #endValue(chunk: Uint8Array, end: number): number {
    if (this.#depth === 0) return state.end
    if (this.#depth === 1) this.#endItem(chunk, this.#from, end)
    return this.#isObject[this.#depth] === 1 ? state.afterMember : state.afterElement
  }

  #beginName(index: number): void {
    this.#isNamed = true
    this.#nameBytes = 0
    this.#from = index
  }

  #keepName(chunk: Uint8Array, from: number, to: number): void {
    const nameBytes = this.#nameBytes
    this.#nameBytes += to - from
    if (this.#nameBytes <= maxNameLength) this.#name.set(chunk.subarray(from, to), nameBytes)
  }

  #beginItem(index: number): void {
    const name = this.#isObject[1] === 1 ? nameOf(this.#name, this.#nameBytes) : undefined
    this.#memory = 0
    this.#isItem = true
    this.#from = index
    this.#listener.begin?.(name, this.#before + index)
  }

  #endItem(chunk: Uint8Array, from: number, to: number): void {
    this.#isItem = false
    this.#listener.part?.(chunk.subarray(from, to), true)
    this.#listener.end?.(this.#before + to, this.#memory)
  }
}

function invalid(location: string): AppError {
  return new AppError('api.json.invalid.at', { place: location })
}

/** Skips the characters of a string that need no transition, which are the bulk of most bodies. */
function endOfUnescapedText(chunk: Uint8Array, from: number): number {
  let index = from
  while (index < chunk.length) {
    const byte = chunk[index] ?? 0
    if (byte === 34 || byte === 92 || byte < 32) break
    index++
  }
  return index
}

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

function nameOf(bytes: Uint8Array, length: number): string | undefined {
  if (length > maxNameLength) return undefined
  // There may be millions of names. Most are short ASCII without escapes, for which a loop beats a decoder.
  let unescaped = ''
  for (let index = 0; index < length && index < 32; index++) {
    const byte = bytes[index] ?? 0
    if (byte > 126 || byte === 92) break
    unescaped += String.fromCharCode(byte)
  }
  if (unescaped.length === length) return unescaped
  const text = decoder.decode(bytes.subarray(0, length))
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
}
