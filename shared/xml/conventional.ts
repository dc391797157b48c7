/**
 * Normalizes the XML of other programs for code that compares names. Producers choose their prefixes: Excel writes
 * `<worksheet>`, the Open XML SDK `<x:worksheet>`, both in the same namespace. The result has the conventional prefix
 * for each namespace, declared at the root, double quotes, no comments, no CDATA sections and no character references
 * for ordinary characters, so names and values can be compared as text. The document that it describes is the same.
 * Nearly all parts have this form already and are returned unchanged.
 */
import { entryOf } from '../entry-of.ts'
import {
  compatibilityUri,
  conventionalPrefixes,
  openDocumentUri,
  reservedPrefixes,
  schemaInstanceUri,
} from './namespaces.ts'
import { referencedCharacter } from './references.ts'

/** Text that is not well-formed is returned unchanged, so that the scanner which reads it reports the error. */
export function conventionalXml(text: string): string {
  return isConventional(text) ? text : (new Rewriter(text).rewritten() ?? text)
}

// ------------------------------------------------------------------------------------------------------------ the look

/**
 * Character references that producers write because the character would have another meaning, or be lost, if written
 * directly.
 */
const customaryReference = /&#(?:x0*(?:9|a|d|22|26|27|3c|3e|a0)|0*(?:9|10|13|34|38|39|60|62|160));/iy
/**
 * Spaces around the equals sign of an attribute, or at the end of a tag; `<br />` is common and allowed. One search
 * covers all three: they begin alike, so it takes half the time of separate searches, and a part of a megabyte
 * consists mostly of equals signs and spaces.
 */
const spaced = /\s=\s*["']|=\s+["']|\s>/g

/**
 * Searches for a few rare constructs, instead of scanning the whole part. It may return false for a part in the
 * conventional form (an apostrophe after an equals sign in text): the rewriter then finds nothing to change.
 */
function isConventional(text: string): boolean {
  for (let at = text.indexOf('!'); at >= 0; at = text.indexOf('!', at + 1)) {
    if (text.charCodeAt(at - 1) === 60) return false
  }
  const root = startOfRoot(text)
  for (let at = text.indexOf('&#', root); at >= 0; at = text.indexOf('&#', at + 2)) {
    customaryReference.lastIndex = at
    if (!customaryReference.test(text)) return false
  }
  for (let at = text.indexOf("'", root); at >= 0; at = text.indexOf("'", at + 1)) {
    if (text.charCodeAt(at - 1) === 61) return false
  }
  if (hasSpacedTag(text, root)) return false
  return declaresConventionally(text, root)
}

function hasSpacedTag(text: string, root: number): boolean {
  spaced.lastIndex = root
  while (spaced.test(text)) {
    const last = spaced.lastIndex - 1
    if (text.lastIndexOf('<', last) > text.lastIndexOf('>', last - 1)) return true
    // The rest of this text has already been checked: searching backwards from each match would take quadratic time.
    const next = text.indexOf('<', last)
    if (next < 0) return false
    spaced.lastIndex = next
  }
  return false
}

/**
 * Prefix to the text after the opening quote of a declaration in which the prefix has its conventional meaning. Word
 * declares some twenty namespaces in each part: comparing them in place saves a copy and a hash of each URI.
 */
const conventionalDeclarations = new Map<string, readonly string[]>()
for (const [uri, prefix] of conventionalPrefixes)
  conventionalDeclarations.set(prefix, [...(conventionalDeclarations.get(prefix) ?? []), `${uri}"`])

/** Whether the prefix has its conventional meaning by the URI at this position. */
function declaresAt(text: string, position: number, prefix: string): boolean {
  for (const written of conventionalDeclarations.get(prefix) ?? [])
    if (text.startsWith(written, position)) return true
  return false
}

/** Whether elements of an unknown vocabulary with this prefix could be taken for those of a known one, or of the default namespace. */
const isMistakable = (prefix: string, atRoot: ReadonlySet<string> | undefined): boolean =>
  reservedPrefixes.has(prefix) || (prefix === '' && atRoot?.has('') === true)

/** Every namespace has its conventional prefix, and what elements below the root declare may be declared at the root. */
function declaresConventionally(text: string, root: number): boolean {
  const endOfRoot = text.indexOf('>', root)
  let atRoot: ReadonlySet<string> | undefined
  let needed: ReadonlySet<string> | undefined
  for (let at = text.indexOf('xmlns', root); at >= 0; at = text.indexOf('xmlns', at + 5)) {
    const equals = equalsAfter(text, at)
    const prefix = equals < 0 ? '' : text.slice(at + 6, equals)
    const isConventional = equals >= 0 && declaresAt(text, equals + 2, prefix)
    if (isConventional && at < endOfRoot) continue
    if (at > endOfRoot) atRoot ??= declaredBefore(text, root, endOfRoot)
    if (!isConventional) {
      const uri = equals < 0 ? '' : text.slice(equals + 2, text.indexOf('"', equals + 2))
      if (!conventionalPrefixes.has(uri)) {
        if (isMistakable(prefix, atRoot)) return false
        continue
      }
      // Word 2007 writes ve: and uses it only to list the prefixes that other programs may ignore.
      if (uri !== compatibilityUri || prefix === '' || text.includes(`<${prefix}:`)) return false
    }
    if (atRoot?.has(prefix) === false) {
      needed ??= prefixesAtRoot(text, root)
      if (needed.has(prefix)) return false
    }
  }
  return true
}

/**
 * The position of the equals sign of the declaration that begins with the `xmlns` at this position; -1 if it is not a
 * declaration.
 */
function equalsAfter(text: string, at: number): number {
  let equals = at + 5
  if (text.charCodeAt(equals) === 58) {
    do equals += 1
    while (isPrefixCode(text.charCodeAt(equals)))
  }
  return text.startsWith('="', equals) && text.includes('"', equals + 2) ? equals : -1
}

function declaredBefore(text: string, from: number, end: number): ReadonlySet<string> {
  const prefixes = new Set<string>()
  for (let at = text.indexOf('xmlns', from); at >= 0 && at < end; at = text.indexOf('xmlns', at + 5))
    prefixes.add(text.slice(at + 6, Math.max(at + 6, equalsAfter(text, at))))
  return prefixes
}

/** False for space, `"`, `/`, `:`, `<`, `=`, `>` and after the end of the text. */
const isPrefixCode = (code: number): boolean =>
  code > 34 && code !== 47 && code !== 58 && (code < 60 || code > 62)

/** Prefixes that code relies on anywhere in a part, by the prefix of its root; producers declare them there. */
const declaredAtRoot: Readonly<Record<string, ReadonlySet<string>>> = {
  w: new Set(['w', 'r', 'wp']),
  p: new Set(['p', 'a', 'r']),
  xdr: new Set(['xdr', 'a']),
  c: new Set(['c', 'a', 'r']),
  '': new Set(['', 'r']),
  office: reservedPrefixes,
}

function prefixesAtRoot(text: string, root: number): ReadonlySet<string> {
  const name = /[^\s/>]+/.exec(text.slice(root + 1, root + 100))?.[0] ?? ''
  return entryOf(declaredAtRoot, splitName(name)[0]) ?? new Set()
}

/** The position of the root element's '<', after the XML declaration and any other prologue. */
function startOfRoot(text: string): number {
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const next = text.charCodeAt(at + 1)
    if (next !== 63 && next !== 33) return at
  }
  return text.length
}

// -------------------------------------------------------------------------------------------------------- the rewriter

/** Namespace bindings in force for an element. */
type NamespaceScope = ReadonlyMap<string, string> // prefix -> URI
interface OpenSourceElement {
  readonly source: string // the name in the source
  readonly name: string
  readonly scope: NamespaceScope
  readonly outputDefault: string // the URI that an unprefixed name inside has in the output
  /** Names of the source and of the output that have occurred in this scope. */
  readonly names: Map<string, string>
}
interface SourceAttribute {
  readonly source: string
  readonly value: string // as written, without quotes
}

/** Attributes of mc: that hold lists of prefixes, or of names with prefixes. */
const prefixLists: ReadonlySet<string> = new Set([
  'Ignorable',
  'MustUnderstand',
  'PreserveAttributes',
  'PreserveElements',
  'ProcessContent',
])
/** Attributes of OpenDocument whose value begins with a prefix (ODF 1.3 part 3, 18.3.19 namespacedToken). */
const openTokens: ReadonlySet<string> = new Set([
  'class',
  'condition',
  'control-implementation',
  'event-name',
  'expression',
  'formula',
  'language',
])
/** Sets of settings are named with a prefix (ODF 1.3 part 3, 19.31.2; `ooo:view-settings`). */
const configUri = `${openDocumentUri}config:1.0`
/**
 * Maximum number of bindings copied for elements that declare namespaces. More occur only in an attack on the parser.
 */
const maxCopiedBindings = 5_000_000
const noScope: NamespaceScope = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']])

class Rewriter {
  readonly #text: string
  readonly #out: string[] = []
  readonly #open: OpenSourceElement[] = []
  /** URI -> prefix of the output. */
  readonly #prefixes = new Map<string, string>([['http://www.w3.org/XML/1998/namespace', 'xml']])
  readonly #usedPrefixes = new Set<string>(['xml', 'xmlns'])
  /** Prefixed bindings that the root declares, in order of occurrence. */
  readonly #declared: string[] = []
  /** The root's chunks in `#out`: its beginning, the place of the declarations. */
  #declarationsAt = -1
  #rootUri = ''
  #copied = 0

  constructor(text: string) {
    this.#text = text
  }

  /** undefined for text that is not well-formed. */
  rewritten(): string | undefined {
    const text = this.#text
    let at = 0
    while (at < text.length) {
      const next = text.indexOf('<', at)
      const end = next < 0 ? text.length : next
      if (end > at) this.#out.push(decodeOrdinary(text.slice(at, end)))
      if (next < 0) break
      const after = this.#markup(next)
      if (after < 0) return undefined
      at = after
    }
    if (this.#open.length > 0 || this.#declarationsAt < 0) return undefined
    this.#out[this.#declarationsAt] = this.#declared.join('')
    return this.#out.join('')
  }

  /** The position after the markup that begins at `at`; -1 if it is malformed. */
  #markup(at: number): number {
    const text = this.#text
    const second = text.charCodeAt(at + 1)
    if (second === 33) {
      if (text.startsWith('<!--', at)) return after(text, '-->', at + 4)
      if (!text.startsWith('<![CDATA[', at)) return -1
      const end = after(text, ']]>', at + 9)
      if (end > 0) this.#out.push(escaped(text.slice(at + 9, end - 3)))
      return end
    }
    if (second === 63) {
      const end = after(text, '?>', at + 2)
      if (end > 0) this.#out.push(text.slice(at, end))
      return end
    }
    if (second === 47) {
      const end = after(text, '>', at + 2)
      const open = this.#open.pop()
      if (end < 0 || open === undefined || text.slice(at + 2, end - 1).trimEnd() !== open.source) return -1
      this.#out.push('</', open.name, '>')
      return end
    }
    return this.#startTag(at)
  }

  #startTag(at: number): number {
    const simple = this.#simpleTag(at)
    if (simple > 0) return simple
    const tag = readStartTag(this.#text, at)
    if (tag === undefined) return -1
    const { source, attributes, end, empty } = tag
    const parent = this.#open.at(-1)
    const scope = scopeOf(parent?.scope ?? noScope, attributes)
    if (scope === undefined) return -1
    if (scope !== parent?.scope && (this.#copied += scope.size) > maxCopiedBindings) return -1
    const [prefix, local] = splitName(source)
    const uri = scope.get(prefix) ?? (prefix === '' ? '' : undefined)
    if (uri === undefined) return -1
    if (parent === undefined) this.#registerRoot(uri, scope)
    const outputPrefix = this.#prefixOf(uri, prefix)
    const name = outputPrefix === '' ? local : `${outputPrefix}:${local}`
    const before = parent?.outputDefault ?? ''
    const outputDefault = outputPrefix === '' ? uri : before
    const written = this.#attributes(attributes, scope, uri, local)
    if (written === undefined) return -1
    this.#out.push(`<${name}`)
    if (outputDefault !== before) this.#out.push(` xmlns="${outputDefault}"`)
    if (parent === undefined && !this.#reserveDeclarations()) return -1
    this.#out.push(`${written}${empty ? '/>' : '>'}`)
    if (!empty) {
      const same = parent?.scope === scope && parent.outputDefault === outputDefault
      this.#open.push({ source, name, scope, outputDefault, names: same ? parent.names : new Map() })
    }
    return end
  }

  /** The bindings of the root are registered first: attributes may refer to prefixes that no element has. */
  #registerRoot(uri: string, scope: NamespaceScope): void {
    this.#rootUri = uri
    for (const [alias, bound] of scope) if (alias !== '' || bound === uri) this.#prefixOf(bound, alias)
  }

  /** Leaves space for the namespace declarations, which the root has. False for a second root. */
  #reserveDeclarations(): boolean {
    if (this.#declarationsAt >= 0) return false
    this.#declarationsAt = this.#out.length
    this.#out.push('')
    return true
  }

  /** The attributes of an element as they are written; undefined if one has a prefix without a binding. */
  #attributes(
    attributes: readonly SourceAttribute[],
    scope: NamespaceScope,
    owner: string,
    element: string,
  ): string | undefined {
    let written = ''
    for (const attribute of attributes) {
      if (attribute.source === 'xmlns' || attribute.source.startsWith('xmlns:')) continue
      const text = this.#attribute(attribute, scope, owner, element)
      if (text === undefined) return undefined
      written += text
    }
    return written
  }

  /** Copies a tag of which only the name may change, by far the most common case. Returns 0 for others. */
  #simpleTag(at: number): number {
    const text = this.#text
    const parent = this.#open[this.#open.length - 1]
    if (parent === undefined) return 0
    let nameEnd = at + 1
    for (let code = text.charCodeAt(nameEnd); code > 32 && code !== 62 && code !== 47; )
      code = text.charCodeAt(++nameEnd)
    const end = text.indexOf('>', nameEnd) + 1
    if (end === 0) return 0
    const rest = text.slice(nameEnd, end)
    if (rest !== '>' && rest !== '/>' && (!endsWithValue.test(rest) || needsCare.test(rest))) return 0
    const source = text.slice(at + 1, nameEnd)
    let name = parent.names.get(source)
    if (name === undefined) {
      const [prefix, local] = splitName(source)
      const uri = parent.scope.get(prefix)
      const outputPrefix = uri === undefined ? undefined : this.#prefixes.get(uri)
      if (outputPrefix === undefined || (outputPrefix === '' && uri !== parent.outputDefault)) return 0
      name = outputPrefix === '' ? local : `${outputPrefix}:${local}`
      parent.names.set(source, name)
    }
    this.#out.push('<', name, rest)
    if (text.charCodeAt(end - 2) !== 47) {
      const { scope, outputDefault, names } = parent
      this.#open.push({ source, name, scope, outputDefault, names })
    }
    return end
  }

  #attribute(
    { source, value }: SourceAttribute,
    scope: NamespaceScope,
    owner: string,
    element: string,
  ): string | undefined {
    const [prefix, local] = splitName(source)
    const uri = prefix === '' ? '' : scope.get(prefix)
    if (uri === undefined) return undefined
    const name = prefix === '' ? local : `${this.#attributePrefixOf(uri, prefix)}:${local}`
    const rename = (alias: string) => {
      const bound = scope.get(alias)
      return bound === undefined || bound === '' ? alias : this.#attributePrefixOf(bound, alias)
    }
    let now = value
    if (
      (uri === compatibilityUri && prefixLists.has(local)) ||
      (local === 'Requires' && uri === '' && owner === compatibilityUri && element === 'Choice')
    ) {
      now = value.replace(/[^\s:]+(?=:|\s|$)/g, (word, at: number) =>
        value[at - 1] === ':' ? word : rename(word),
      )
    } else if (
      (uri === schemaInstanceUri && local === 'type') ||
      (uri.startsWith(openDocumentUri) && (openTokens.has(local) || (local === 'name' && uri === configUri)))
    ) {
      now = value.replace(/^[\w.-]+(?=:)/, rename)
    }
    return ` ${name}="${attributeText(now)}"`
  }

  /** The prefix of a namespace in the output. `sourcePrefix` is the one in the source. */
  #prefixOf(uri: string, sourcePrefix: string): string {
    if (uri === '') return ''
    const existing = this.#prefixes.get(uri)
    if (existing !== undefined) return existing
    const conventional = conventionalPrefixes.get(uri)
    if (conventional === '' || (conventional === undefined && sourcePrefix === '' && uri === this.#rootUri)) {
      this.#prefixes.set(uri, '')
      return ''
    }
    const prefix = this.#bind(uri, conventional ?? sourcePrefix)
    this.#prefixes.set(uri, prefix)
    return prefix
  }

  /** Attributes need a prefix even if elements in the same namespace have none. */
  #attributePrefixOf(uri: string, sourcePrefix: string): string {
    const prefix = this.#prefixOf(uri, sourcePrefix)
    if (prefix !== '') return prefix
    const key = `@${uri}`
    const bound = this.#prefixes.get(key) ?? this.#bind(uri, sourcePrefix)
    this.#prefixes.set(key, bound)
    return bound
  }

  #bind(uri: string, preferred: string): string {
    let prefix = preferred
    const isFree = (name: string) =>
      name !== '' &&
      !this.#usedPrefixes.has(name) &&
      (!reservedPrefixes.has(name) || conventionalPrefixes.get(uri) === name)
    for (let number = 1; !isFree(prefix); number += 1) prefix = `ns${number}`
    this.#usedPrefixes.add(prefix)
    this.#declared.push(` xmlns:${prefix}="${uri}"`)
    return prefix
  }
}

/** The scope inside an element; undefined for an invalid declaration. */
function scopeOf(outer: NamespaceScope, attributes: readonly SourceAttribute[]): NamespaceScope | undefined {
  let scope: Map<string, string> | undefined
  for (const { source, value } of attributes) {
    if (source !== 'xmlns' && !source.startsWith('xmlns:')) continue
    scope ??= new Map(outer)
    const prefix = source.slice(6)
    if (prefix !== '' && value === '') return undefined
    scope.set(prefix, decodeOrdinary(value))
  }
  return scope ?? outer
}

/** The end of a tag that is not inside a value. */
const endsWithValue = /(?:[^=]"|="")\s*\/?>$/
/** Matches attributes that may have to be rewritten. */
const needsCare = /['&:<]|\s=|=\s|xmlns|Requires/
const startTagName = /<([^\s/>&"'=<]+)/y
const attributePattern = /\s+([^\s/>&"'=<]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const startTagEnd = /\s*(\/?)>/y

function readStartTag(text: string, at: number) {
  startTagName.lastIndex = at
  const source = startTagName.exec(text)?.[1]
  if (source === undefined) return undefined
  const attributes: SourceAttribute[] = []
  let end = startTagName.lastIndex
  for (;;) {
    attributePattern.lastIndex = end
    const [match, name, double, single] = attributePattern.exec(text) ?? []
    if (match === undefined || name === undefined) break
    attributes.push({ source: name, value: double ?? single ?? '' })
    end += match.length
  }
  startTagEnd.lastIndex = end
  const close = startTagEnd.exec(text)
  if (close === null) return undefined
  return { source, attributes, end: startTagEnd.lastIndex, empty: close[1] === '/' }
}

function splitName(name: string): [prefix: string, local: string] {
  const colon = name.indexOf(':')
  return colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)]
}

function after(text: string, terminator: string, from: number): number {
  const end = text.indexOf(terminator, from)
  return end < 0 ? -1 : end + terminator.length
}

const reference = /&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi

/**
 * Replaces character references by their characters, except for characters that would be parsed as markup or white
 * space.
 */
function decodeOrdinary(text: string): string {
  if (!text.includes('&#')) return text
  return text.replace(reference, (match, hex?: string, decimal?: string) => {
    const character = referencedCharacter(hex, decimal)
    return character === undefined || character <= ' ' || '\u00a0<>&"\''.includes(character)
      ? match
      : character
  })
}

const attributeText = (value: string): string =>
  decodeOrdinary(value).replaceAll('"', '&quot;').replaceAll('>', '&gt;')

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
