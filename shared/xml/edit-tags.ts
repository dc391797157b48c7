/**
 * A pass over one XML text that reports every start tag by namespace URI, with the positions of its attributes, and
 * collects replacements of their values. No tree is built: a document is read once and, if nothing is replaced, not
 * copied. Names are compared by URI because a prefix can be bound to any namespace, and rebound further down.
 */

import { XmlFault } from './cursor.ts'
import { escapeAttribute } from './markup.ts'
import { endOfDoctype, isDoctype } from './prologue.ts'
import { decodeEntities } from './scan.ts'

export interface Attribute {
  readonly uri: string // '' without a prefix
  readonly name: string // local
  /** The value with references decoded. */
  readonly value: string
  /** Replaces the value. */
  replace(value: string): void
  /** Removes the attribute from its tag. */
  remove(): void
  /** Changes the local name; the prefix stays. */
  rename(name: string): void
}
export interface StartTag {
  readonly uri: string
  readonly name: string // local
  /** URI and local name of the enclosing elements, outermost first. Valid only during the visit. */
  readonly parents: readonly { readonly uri: string; readonly name: string }[]
  attribute(uri: string, name: string): Attribute | undefined
  /** Empties the element. Its children are still visited. */
  dropContent(): void
  /**
   * Calls `receive` at the end of the element, or at the end of the text if it is never closed. Elements inside an
   * element that is received are not received themselves, so that no text is read twice.
   */
  onContent(receive: (content: ElementContent) => void): void
}
/** The content of an element, available once its end was read. */
export interface ElementContent {
  /** Its character data and that of its descendants, with references decoded. */
  readonly value: string
  /** Replaces everything between the tags; has no effect on an empty-element tag. */
  replace(value: string): void
  /** Removes the element with both of its tags. */
  removeElement(): void
  /** Appends markup as the last children, without escaping; has no effect on an empty-element tag. */
  append(markup: string): void
}

// Character codes. They are constants of this file, because imported ones cost a memory access for each character.
const exclamation = 0x21
const slash = 0x2f
const equalsSign = 0x3d
const greaterThan = 0x3e
const question = 0x3f

/** The namespace URI of each prefix; '' is the default namespace. */
type Scope = ReadonlyMap<string, string>

interface OpenTag {
  readonly uri: string
  readonly name: string
  /** Bindings outside of this element, restored after it. */
  readonly outer: Scope
  readonly start: number // of the start tag
  readonly contentStart: number
  readonly isDropped: boolean
  readonly receive: ((content: ElementContent) => void) | undefined
}

const xmlScope: Scope = new Map([
  ['xml', 'http://www.w3.org/XML/1998/namespace'],
  ['', ''],
])

/** Far above what programs write: a document that exceeds them is an attack on the parser. */
const maxDepth = 1_000
const maxAttributes = 2_000
/** Bindings copied for elements that declare namespaces, over a whole text. */
const maxCopiedBindings = 10_000_000

/**
 * Calls `visit` for each start tag, and `onEnd` after the last. Returns the text with the replaced values, and without
 * a document type declaration, whose entities could hide addresses; undefined if nothing changed. Throws XmlFault for
 * a text that is nested too deeply or has too many attributes.
 */
export function editXml(
  text: string,
  visit: (tag: StartTag) => void,
  onEnd?: () => void,
): string | undefined {
  const edits: Edit[] = []
  const parents: OpenTag[] = []
  let scope = xmlScope
  let copiedBindings = 0
  /** Whether an open element is received, so that no other one is. */
  let isReceiving = false

  /** Returns the offset after the tag, or undefined if it is truncated. */
  const open = (start: number): number | undefined => {
    const raw = readTag(text, start)
    if (raw === undefined) return undefined
    const outer = scope
    const inner = bind(outer, raw)
    if (inner !== outer) copiedBindings += inner.size
    if (copiedBindings > maxCopiedBindings) throw new XmlFault('it declares too many namespaces')
    const [uri, name] = resolve(inner, raw.name, true)
    const tag = new Tag(uri, name, parents, raw, inner, edits)
    visit(tag)
    const { isDropped } = tag
    const receive: OpenTag['receive'] = isReceiving ? undefined : tag.receive
    const element: OpenTag = { uri, name, outer, start, contentStart: raw.end, isDropped, receive }
    if (raw.empty) {
      closeEmpty(element, edits)
      return raw.end
    }
    scope = inner
    isReceiving ||= receive !== undefined
    parents.push(element)
    if (parents.length > maxDepth) throw tooDeep()
    return raw.end
  }
  const close = (start: number): void => {
    const element = parents.pop()
    if (element === undefined) return
    closeElement(text, element, start, edits)
    if (element.receive !== undefined) isReceiving = false
    scope = element.outer
  }

  for (let at = text.indexOf('<'); at >= 0; ) {
    const second = text.charCodeAt(at + 1)
    let end: number | undefined
    if (second === exclamation || second === question) {
      end = endOfDeclaration(text, at)
      if (end < 0) break
      if (isDoctype(text, at)) edits.push({ start: at, end, text: '' })
    } else if (second === slash) {
      close(at)
      end = at + 2
    } else {
      end = open(at)
      if (end === undefined) break
    }
    at = text.indexOf('<', end)
  }
  for (const element of parents.reverse()) closeElement(text, element, text.length, edits)
  onEnd?.()
  return edits.length === 0 ? undefined : applied(text, edits)
}

/**
 * Throws XmlFault in the same cases as `editXml`, in a fraction of its time: for texts that are not edited, but
 * parsed later.
 */
export function checkStructure(text: string): void {
  let depth = 0
  // Each position only moves forward, so that the time is linear for every text.
  let [close, secondClose] = [-1, -1]
  const closeFrom = (from: number): number => {
    const end = text.indexOf('>', from)
    return end < 0 ? text.length : end
  }
  for (let at = text.indexOf('<'); at >= 0; ) {
    const second = text.charCodeAt(at + 1)
    if (second === exclamation || second === question) {
      const end = endOfDeclaration(text, at)
      if (end < 0) return
      at = text.indexOf('<', end)
      continue
    }
    const next = text.indexOf('<', at + 1)
    if (second === slash) depth = Math.max(0, depth - 1)
    else {
      const end = next < 0 ? text.length : next // no attribute contains a '<' (XML 1.0, 2.3)
      if (close < at) close = secondClose < at ? closeFrom(at) : secondClose
      if (secondClose <= close) secondClose = closeFrom(close + 1)
      // A tag with a '>' in an attribute, or a tag so long that its attributes must be counted, is read character by
      // character.
      const hasShortAttributes = secondClose > end && end - at < maxAttributes * shortestAttribute
      const isEmpty = hasShortAttributes
        ? text.charCodeAt(close - 1) === slash
        : readTag(text, at)?.empty === true
      if (!isEmpty && ++depth > maxDepth) throw tooDeep()
    }
    at = next
  }
}

/** The length of ' a=""', in characters. */
const shortestAttribute = 5
const tooDeep = (): XmlFault => new XmlFault('its elements are nested too deeply')

/** `at`: the position of its end tag. */
function closeElement(text: string, open: OpenTag, at: number, edits: Edit[]): void {
  const { start, contentStart, isDropped, receive } = open
  if (isDropped) edits.push({ start: contentStart, end: at, text: '' })
  if (receive === undefined) return
  const end = endOf(text, '>', at)
  receive({
    value: characterData(text.slice(contentStart, at)),
    replace: (value) => void edits.push({ start: contentStart, end: at, text: escapeAttribute(value) }),
    removeElement: () => void edits.push({ start, end: end < 0 ? text.length : end, text: '' }),
    append: (markup) => void edits.push({ start: at, end: at, text: markup }),
  })
}

function closeEmpty({ start, contentStart, receive }: OpenTag, edits: Edit[]): void {
  receive?.({
    value: '',
    replace: () => undefined,
    removeElement: () => void edits.push({ start, end: contentStart, text: '' }),
    append: () => undefined,
  })
}

/** Returns the text without comments, processing instructions and tags. */
function characterData(markup: string): string {
  if (!markup.includes('<')) return decodeEntities(markup)
  let value = ''
  for (let at = 0; at < markup.length; ) {
    const open = markup.indexOf('<', at)
    value += decodeEntities(markup.slice(at, open < 0 ? markup.length : open))
    if (open < 0) break
    const isCharacters = markup.startsWith(characterDataStart, open)
    const end = endOfMarkup(markup, open)
    if (end < 0) break
    if (isCharacters) value += markup.slice(open + characterDataStart.length, end - 3)
    at = end
  }
  return value
}

const characterDataStart = '<![CDATA['

function endOfMarkup(text: string, at: number): number {
  const next = text.charCodeAt(at + 1)
  if (next === exclamation || next === question) return endOfDeclaration(text, at)
  return next === slash ? endOf(text, '>', at + 2) : (readTag(text, at)?.end ?? -1)
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

interface RawAttribute {
  readonly name: string // as it is written
  readonly nameStart: number
  readonly start: number // of the value, after the quote
  readonly end: number
}
interface RawTag {
  readonly text: string // of the whole part
  readonly name: string
  readonly attributes: readonly RawAttribute[]
  readonly empty: boolean
  readonly end: number
}

class Tag implements StartTag {
  readonly uri: string
  readonly name: string
  readonly parents: readonly OpenTag[]
  isDropped = false
  receive: ((content: ElementContent) => void) | undefined
  readonly #raw: RawTag
  readonly #scope: Scope
  readonly #edits: Edit[]

  constructor(
    uri: string,
    name: string,
    parents: readonly OpenTag[],
    raw: RawTag,
    scope: Scope,
    edits: Edit[],
  ) {
    this.uri = uri
    this.name = name
    this.parents = parents
    this.#raw = raw
    this.#scope = scope
    this.#edits = edits
  }

  dropContent(): void {
    this.isDropped = true
  }

  onContent(receive: (content: ElementContent) => void): void {
    this.receive = receive
  }

  attribute(uri: string, name: string): Attribute | undefined {
    for (const { name: written, nameStart, start, end } of this.#raw.attributes) {
      if (!written.endsWith(name)) continue
      const [foundUri, localName] = resolve(this.#scope, written, false)
      if (foundUri !== uri || localName !== name) continue
      const edits = this.#edits
      return {
        uri,
        name,
        value: decodeEntities(this.#raw.text.slice(start, end)),
        replace: (value) =>
          void edits.push({ start, end, text: escapeAttribute(value).replaceAll("'", '&apos;') }),
        remove: () => void edits.push({ start: nameStart, end: end + 1, text: '' }),
        rename: (local) => {
          const from = nameStart + written.length - name.length
          edits.push({ start: from, end: from + name.length, text: local })
        },
      }
    }
    return undefined
  }
}

/** Undefined if it is truncated. */
function readTag(text: string, open: number): RawTag | undefined {
  let at = open + 1
  while (isNameCode(text.charCodeAt(at))) at++
  const name = text.slice(open + 1, at)
  const attributes: RawAttribute[] = []
  for (;;) {
    while (isBlank(text.charCodeAt(at))) at++
    const code = text.charCodeAt(at)
    if (code === greaterThan) return { text, name, attributes, empty: false, end: at + 1 }
    if (code === slash) {
      if (text.charCodeAt(at + 1) !== greaterThan) return undefined
      return { text, name, attributes, empty: true, end: at + 2 }
    }
    const from = at
    while (isNameCode(text.charCodeAt(at))) at++
    const to = at
    while (isBlank(text.charCodeAt(at))) at++
    if (to === from || text.charCodeAt(at) !== equalsSign) return undefined
    at++
    while (isBlank(text.charCodeAt(at))) at++
    const quote = text[at]
    if (quote !== '"' && quote !== "'") return undefined
    const end = text.indexOf(quote, at + 1)
    if (end < 0) return undefined
    attributes.push({ name: text.slice(from, to), nameStart: from, start: at + 1, end })
    if (attributes.length > maxAttributes) throw new XmlFault('an element has too many attributes')
    at = end + 1
  }
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
/** Any character that is not a delimiter: the office program validates names, here only their ends are needed. */
const isNameCode = (code: number): boolean =>
  code > 0x20 && code !== greaterThan && code !== slash && code !== equalsSign

function bind(scope: Scope, { text, attributes }: RawTag): Scope {
  let declarations: Map<string, string> | undefined
  for (const { name, start, end } of attributes) {
    if (!name.startsWith('xmlns')) continue
    if (name.length > 5 && name[5] !== ':') continue
    declarations ??= new Map(scope)
    declarations.set(name.slice(6), decodeEntities(text.slice(start, end)))
  }
  return declarations ?? scope
}

/** An attribute without a prefix is in no namespace. */
function resolve(scope: Scope, written: string, isElement: boolean): readonly [uri: string, name: string] {
  const colon = written.indexOf(':')
  if (colon < 0) return [isElement ? (scope.get('') ?? '') : '', written]
  return [scope.get(written.slice(0, colon)) ?? '', written.slice(colon + 1)]
}

function endOfDeclaration(text: string, at: number): number {
  if (text.startsWith('<?', at)) return endOf(text, '?>', at + 2)
  if (text.startsWith('<!--', at)) return endOf(text, '-->', at + 4)
  if (text.startsWith('<![CDATA[', at)) return endOf(text, ']]>', at + 9)
  return isDoctype(text, at) ? endOfDoctype(text, at) : -1
}

function endOf(text: string, close: string, from: number): number {
  const end = text.indexOf(close, from)
  return end < 0 ? -1 : end + close.length
}

function applied(text: string, edits: readonly Edit[]): string {
  let out = ''
  let from = 0
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    if (edit.start < from) continue // inside content that is removed
    out += text.slice(from, edit.start) + edit.text
    from = edit.end
  }
  return out + text.slice(from)
}
