import { derived } from '../derived.ts'
import { entryOf } from '../entry-of.ts'
import { conventionalXml } from './conventional.ts'
import { endOfPlainDoctype } from './prologue.ts'
import { referencedCharacter } from './references.ts'

/** The namespaces that a reader works with. */
export interface Vocabulary {
  /**
   * Namespace URI to the canonical prefix. Several URIs may share one, such as the strict and transitional
   * namespaces of OOXML.
   */
  readonly prefixes: ReadonlyMap<string, string>
  /** Canonical prefixes whose mc:Choice may be taken (ECMA-376-3 10.2.1). */
  readonly understood: ReadonlySet<string>
}

/** Thrown for text that is not well-formed enough to read; format readers turn it into a typed error. */
export class XmlFault extends Error {}

/**
 * Elements nested deeper are skipped. Readers recurse once per level, so this bounds the stack; real
 * documents stay far below.
 */
const maxDepth = 256
/** Real parts have some dozens of names; those of hostile ones are not all kept. */
const maxCanonicalNames = 500
const openTag = 1
const closeTag = 2
const endOfText = 0

/** Where a start tag is in the text, as the fields of `XmlCursor` say. */
interface StartTag {
  readonly name: string
  readonly tagStart: number
  readonly nameEnd: number
  readonly tagEnd: number
  readonly hasAttributes: boolean
}

/**
 * A pull scanner over one XML text. It builds no tree and copies no text until a value is read. Readers walk
 * the children of an element with `each`; whatever a visitor does not read is skipped. Element and attribute
 * names are canonical: a prefix that the file binds to a known namespace is renamed to the prefix of the
 * `Vocabulary`, so 'ns0:p' reads as 'w:p'. Well-formedness is checked only as far as scanning needs it.
 */
export class XmlCursor {
  /** Canonical name of the current element. */
  name = ''
  /** Whether elements deeper than `maxDepth` were skipped. */
  tooDeep = false
  readonly #text: string
  readonly #vocabulary: Vocabulary
  /** Prefix in the file to canonical prefix, for the prefixes that differ. */
  readonly #renamed = new Map<string, string>()
  /**
   * The canonical names found so far. A large part has few names, and readers compare each of them many times, which is quicker
   * for a string that is not built anew for each element.
   */
  readonly #canonicalNames = new Map<string, string>()
  /** Prefix in the file to namespace URI. */
  readonly #uris = new Map<string, string>()
  /** Index of the next character to scan. */
  #at = 0
  /** Indexes of the current tag: its '<', the end of its name, and the character after its '>'. */
  #tagStart = 0
  #nameEnd = 0
  #tagEnd = 0
  /** The current element has no content, or its content has been passed. */
  #selfClosed = false
  #hasAttributes = false
  /** Number of open elements. */
  #level = 0
  /** `#tagStart` of the element whose attributes are in `#attributes`; -1: none. */
  #attributesOf = -1
  /**
   * Names and undecoded values of the attributes, alternating: the first `#attributesLength` entries. One list serves all
   * elements, since a list for each of them would be most of what a reader allocates.
   */
  readonly #attributes: string[] = []
  #attributesLength = 0

  constructor(text: string, vocabulary: Vocabulary) {
    this.#text = text
    this.#vocabulary = vocabulary
  }

  /** Moves to the root element; false when there is none. */
  root(): boolean {
    return this.#next() === openTag
  }

  /**
   * Visits each child element of the current one; `characters` receives the decoded text between them. The
   * loop ends with the end tag of the current element, or with the text. Then that element is the current one again, so
   * that its attributes can be read before and after. `pass` may read complete children straight from the text, for parts
   * with a million small elements: it gets the position in front of a child and returns the one after those that it has read.
   */
  each(
    visit: (name: string) => void,
    characters?: (text: string) => void,
    pass?: (text: string, at: number) => number,
  ): void {
    if (this.#selfClosed) return
    const element = this.#element()
    const level = this.#level
    for (;;) {
      if (pass !== undefined) this.#at = pass(this.#text, this.#at)
      const from = this.#at
      const kind = this.#next()
      if (characters !== undefined) this.#deliver(from, this.#tagStart, characters)
      if (kind === endOfText) break
      if (kind === closeTag) {
        this.#level--
        if (this.#level < level) break
        continue
      }
      if (this.#level > maxDepth) this.tooDeep = true
      else if (this.name === 'mc:AlternateContent') this.#alternate(visit, characters)
      else visit(this.name)
      this.#skipTo(level)
    }
    this.#return(element)
  }

  /** Value of an attribute of the current element. */
  attribute(name: string): string | undefined {
    this.#readAttributes()
    const list = this.#attributes
    const length = this.#attributesLength
    for (let i = 0; i < length; i += 2) if (list[i] === name) return decode(list[i + 1]!)
    return undefined
  }

  /** All attributes as name, value pairs. */
  attributes(): [string, string][] {
    this.#readAttributes()
    const pairs: [string, string][] = []
    for (let i = 0; i < this.#attributesLength; i += 2) {
      pairs.push([this.#attributes[i]!, decode(this.#attributes[i + 1]!)])
    }
    return pairs
  }

  /**
   * Returns the decoded text content of the current element and moves past it. Text deeper than one level of
   * child elements is not included.
   */
  text(): string {
    if (this.#selfClosed) return ''
    const end = this.#text.indexOf('<', this.#at)
    if (end >= 0 && this.#text.charCodeAt(end + 1) === 47) {
      // Nothing but text, so that the element stays the current one while its end tag is passed.
      const direct = this.#text.slice(this.#at, end)
      const close = this.#text.indexOf('>', end)
      this.#at = close < 0 ? this.#text.length : close + 1
      this.#level--
      this.#selfClosed = true
      return decode(direct)
    }
    let all = ''
    const collect = (chunk: string): void => {
      all += chunk
    }
    this.each(() => this.each(() => {}, collect), collect)
    return all
  }

  /**
   * Returns the markup of the current element without moving. Equal markup means equal content, so it can
   * serve as a cache key.
   */
  markup(): string {
    return this.#text.slice(this.#tagStart, this.#endOfElement())
  }

  /** Moves past the current element, whose markup the caller has from `markup()`. */
  pass(markup: string): void {
    if (this.#selfClosed) return
    this.#at = this.#tagStart + markup.length
    this.#selfClosed = true
    this.#level--
  }

  /** Whether an element that the text writes as `written` is read as `name` here. */
  reads(written: string, name: string): boolean {
    return this.#canonical(written) === name
  }

  get isEmpty(): boolean {
    return this.#selfClosed
  }

  #endOfElement(): number {
    if (this.#selfClosed) return this.#tagEnd
    const raw = this.#text.slice(this.#tagStart + 1, this.#nameEnd)
    const close = `</${raw}`
    const end = this.#text.indexOf(close, this.#at)
    if (end < 0) return this.#text.length
    // The match may be a longer name with the same beginning, or have spaces before its '>'.
    if (this.#text.charCodeAt(end + close.length) !== 62) return this.#walkToEnd()
    // Search in this element only: the next one of the same name may be far after it, and searching the
    // whole rest from every element would take quadratic time.
    const nested = this.#text.slice(this.#at, end).includes(`<${raw}`)
    if (!nested) return end + close.length + 1
    return this.#walkToEnd()
  }

  /** The start tag of the current element. */
  #element(): StartTag {
    return {
      name: this.name,
      tagStart: this.#tagStart,
      nameEnd: this.#nameEnd,
      tagEnd: this.#tagEnd,
      hasAttributes: this.#hasAttributes,
    }
  }

  /** Makes an element the current one again, whose content has been passed. */
  #return(element: StartTag): void {
    this.#selfClosed = true
    this.name = element.name
    this.#tagStart = element.tagStart
    this.#nameEnd = element.nameEnd
    this.#tagEnd = element.tagEnd
    this.#hasAttributes = element.hasAttributes
  }

  /**
   * Finds the end of the current element by scanning tags, for the rare element that contains one of its own
   * name (a tracked change). The state of the cursor is restored.
   */
  #walkToEnd(): number {
    const element = this.#element()
    const [at, level] = [this.#at, this.#level]
    this.#skipTo(level - 1)
    const end = this.#at
    this.#return(element)
    this.#at = at
    this.#level = level
    this.#selfClosed = false
    return end
  }

  /**
   * Visits the first choice of mc:AlternateContent whose required namespaces are all understood, or else its
   * fallback (ECMA-376-3 10.2.1).
   */
  #alternate(visit: (name: string) => void, characters?: (text: string) => void): void {
    let isRead = false
    this.each((name) => {
      if (isRead) return
      if (name === 'mc:Choice') {
        const needs = (this.attribute('Requires') ?? '').split(/\s+/).filter((prefix) => prefix !== '')
        const isDeclared = needs.every((prefix) =>
          this.#vocabulary.understood.has(
            this.#vocabulary.prefixes.get(this.#uris.get(prefix) ?? '') ?? this.#canonical(prefix),
          ),
        )
        if (!isDeclared) return
        isRead = true
        this.each(visit, characters)
      } else if (name === 'mc:Fallback') {
        isRead = true
        this.each(visit, characters)
      }
    })
  }

  /** Moves past end tags until only `level` elements are open. */
  #skipTo(level: number): void {
    while (this.#level > level) {
      const kind = this.#next(true)
      if (kind === endOfText) {
        this.#level = level
        return
      }
      if (kind === closeTag) this.#level--
    }
  }

  /**
   * Passes the decoded text between two positions to `characters`, without comments and processing
   * instructions.
   */
  #deliver(from: number, to: number, characters: (text: string) => void): void {
    if (to <= from) return
    const chunk = this.#text.slice(from, to)
    if (!chunk.includes('<')) {
      characters(decode(chunk))
      return
    }
    // The text between two tags contains comments, processing instructions or CDATA sections.
    for (let at = 0; at < chunk.length; ) {
      const open = chunk.indexOf('<', at)
      const end = open < 0 ? chunk.length : open
      if (end > at) characters(decode(chunk.slice(at, end)))
      if (open < 0) return
      at = afterSpecial(chunk, open, chunk.charCodeAt(open + 1))
      if (chunk.startsWith(sectionStart, open)) characters(chunk.slice(open + sectionStart.length, at - 3))
    }
  }

  /**
   * Moves to the next tag and returns its kind. A start tag opens a level and sets the current element.
   * `skipping` leaves `name` unset, which saves the copy.
   */
  #next(skipping = false): number {
    const text = this.#text
    for (;;) {
      const open = text.indexOf('<', this.#at)
      if (open < 0) {
        this.#at = this.#tagStart = text.length
        return endOfText
      }
      const code = text.charCodeAt(open + 1)
      if (code === 47) {
        const end = text.indexOf('>', open)
        this.#at = end < 0 ? text.length : end + 1
        this.#tagStart = open
        return closeTag
      }
      if (code === 33 || code === 63) {
        this.#at = afterSpecial(text, open, code)
        continue
      }
      this.#openTag(open, skipping)
      return openTag
    }
  }

  /**
   * Scans a start tag up to its '>' and makes it the current element. Character codes: 62 '>', 47 '/', 34
   * '"', 39 ''', 61 '=', 120 'x'.
   */
  #openTag(open: number, skipping: boolean): void {
    const text = this.#text
    let at = open + 1
    let code = text.charCodeAt(at)
    while (code > 32 && code !== 62 && code !== 47) code = text.charCodeAt(++at)
    this.#nameEnd = at
    let declares = false
    let equals = false
    while (code !== 62) {
      if (code === 34 || code === 39) {
        at = text.indexOf(code === 34 ? '"' : "'", at + 1)
        if (at < 0) throw new XmlFault('an attribute is never closed')
      } else if (code === 61) equals = true
      else if (code === 120 && text.startsWith('xmlns', at)) declares = true
      code = text.charCodeAt(++at)
      if (Number.isNaN(code)) throw new XmlFault('a tag is never closed')
    }
    this.#tagStart = open
    this.#tagEnd = at + 1
    this.#at = at + 1
    this.#selfClosed = text.charCodeAt(at - 1) === 47
    this.#hasAttributes = equals
    if (!this.#selfClosed) this.#level++
    this.#attributesOf = -1
    if (declares) this.#declare()
    if (!skipping) this.name = this.#canonical(text.slice(open + 1, this.#nameEnd))
  }

  #canonical(name: string): string {
    if (this.#renamed.size === 0) return name
    let canonical = this.#canonicalNames.get(name)
    if (canonical === undefined) {
      canonical = this.#renamedBy(name)
      if (this.#canonicalNames.size < maxCanonicalNames) this.#canonicalNames.set(name, canonical)
    }
    return canonical
  }

  #renamedBy(name: string): string {
    const colon = name.indexOf(':')
    const prefix = colon < 0 ? '' : name.slice(0, colon)
    const renamed = this.#renamed.get(prefix)
    if (renamed === undefined) return name
    return colon < 0 ? `${renamed}:${name}` : `${renamed}${name.slice(colon)}`
  }

  /**
   * Records the namespace bindings of the current tag. They stay in force for the rest of the text rather
   * than for the element: no known producer binds one prefix to two namespaces.
   */
  #declare(): void {
    this.#readAttributes()
    const list = this.#attributes
    for (let i = 0; i < this.#attributesLength; i += 2) {
      const name = list[i]
      if (name === undefined) break
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
      const prefix = name === 'xmlns' ? '' : name.slice(6)
      const uri = decode(list[i + 1]!)
      this.#uris.set(prefix, uri)
      const conventional = this.#vocabulary.prefixes.get(uri)
      if (conventional !== undefined && conventional !== prefix) this.#renamed.set(prefix, conventional)
      else this.#renamed.delete(prefix)
    }
    this.#canonicalNames.clear()
    this.#attributesOf = -1
  }

  #readAttributes(): void {
    if (this.#attributesOf === this.#tagStart) return
    this.#attributesOf = this.#tagStart
    const text = this.#text
    const list = this.#attributes
    this.#attributesLength = 0
    // Searching for the next '=' from each of many tags without attributes would take quadratic time.
    if (!this.#hasAttributes) return
    let at = this.#nameEnd
    let length = 0
    const end = this.#tagEnd - 1
    while (at < end) {
      if (text.charCodeAt(at) === 32) at++
      const equals = text.indexOf('=', at)
      if (equals < 0 || equals >= end) break
      let quote = equals + 1
      while (quote < end && text.charCodeAt(quote) !== 34 && text.charCodeAt(quote) !== 39) quote++
      const close = text.indexOf(text[quote]!, quote + 1)
      if (close < 0 || close > end) break
      const name = text.slice(at, equals).trim()
      const colon = name.indexOf(':')
      list[length++] = colon > 0 && this.#renamed.size > 0 ? this.#canonical(name) : name
      list[length++] = text.slice(quote + 1, close)
      at = close + 1
    }
    this.#attributesLength = length
  }
}

const sectionStart = '<![CDATA['

/**
 * Returns the index after a comment, CDATA section or processing instruction. Document type declarations with an
 * internal subset are refused, so that entities cannot be defined. `code`: of the character after the '<'.
 */
function afterSpecial(text: string, open: number, code: number): number {
  let close: string
  if (code === 63) close = '?>'
  else if (text.startsWith('<!--', open)) close = '-->'
  else if (text.startsWith(sectionStart, open)) close = ']]>'
  else {
    const end = endOfPlainDoctype(text, open)
    if (end < 0) throw new XmlFault('a document type declaration with definitions is not allowed')
    return end
  }
  const end = text.indexOf(close, open)
  if (end < 0) throw new XmlFault('a comment or section is never closed')
  return end + close.length
}

const reference = /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Resolves character references and the predefined entities, and normalises line ends (XML 1.0, 2.11). An
 * unknown reference is kept as it is written.
 */
function decode(text: string): string {
  if (text.includes('\r')) text = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  if (!text.includes('&')) return text
  return text.replace(reference, (match, hex?: string, decimal?: string, name?: string) =>
    name === undefined ? (referencedCharacter(hex, decimal) ?? '\uFFFD') : (entryOf(entities, name) ?? match),
  )
}

/** Decodes an XML part, UTF-8 or UTF-16 when it starts with a byte order mark. */
export function decodePart(bytes: Uint8Array): string {
  const first = bytes[0]
  const isUtf16 = (first === 0xff && bytes[1] === 0xfe) || (first === 0xfe && bytes[1] === 0xff)
  const label = isUtf16 ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
  return new TextDecoder(label).decode(bytes)
}

/** Decodes an XML part and gives it the form of `conventionalXml`. */
export const xmlText = (bytes: Uint8Array): string =>
  derived(bytes, 'text', [], () => conventionalXml(decodePart(bytes)))
