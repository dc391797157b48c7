/**
 * Writes the XML parts of a package in other words: the same names by URI, the same values, in the ways that XML
 * leaves to a producer. `canonical` gives what must stay equal.
 */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'

export interface Element {
  readonly uri: string
  readonly prefix: string
  readonly local: string
  readonly scope: ReadonlyMap<string, string>
  readonly attributes: readonly Attribute[]
  readonly children: (Element | string)[]
}
interface Attribute {
  readonly uri: string
  readonly prefix: string
  readonly local: string
  readonly value: string // decoded
  /** How the value names prefixes. */
  readonly names: 'prefixes' | 'qname' | undefined
}

const compatibility = 'http://schemas.openxmlformats.org/markup-compatibility/2006'
const openDocument = 'urn:oasis:names:tc:opendocument:xmlns:'
const xmlUri = 'http://www.w3.org/XML/1998/namespace'
const documentScope: ReadonlyMap<string, string> = new Map([['xml', xmlUri]])

// ------------------------------------------------------------------------------------------------------------- parsing

const lexeme =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)((?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/g

function decoded(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    return { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }[name as string] ?? whole
  })
}

function cut(name: string): [string, string] {
  const colon = name.indexOf(':')
  return colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)]
}

function namesIn(uri: string, local: string, owner: string): Attribute['names'] {
  if (uri === compatibility && /^(?:Ignorable|MustUnderstand|Preserve|ProcessContent)/.test(local))
    return 'prefixes'
  if (local === 'Requires' && owner === compatibility) return 'prefixes'
  if (local === 'type' && uri === 'http://www.w3.org/2001/XMLSchema-instance') return 'qname'
  const tokens = /^(?:class|condition|control-implementation|event-name|expression|formula|language)$/
  const isSettings = uri === `${openDocument}config:1.0` && local === 'name'
  return isSettings || (uri.startsWith(openDocument) && tokens.test(local)) ? 'qname' : undefined
}

/** The tree of each part that was parsed: a part is rewritten in every way, and trees are never changed. */
const trees = new WeakMap<Uint8Array, Element | undefined>()

function parsePart(bytes: Uint8Array): Element | undefined {
  if (!trees.has(bytes)) trees.set(bytes, parse(decode(bytes).replace(/^\ufeff/, '')))
  return trees.get(bytes)
}

/** undefined for what is not well-formed: old drawings of Excel. */
function parse(text: string): Element | undefined {
  const stack: Element[] = []
  let root: Element | undefined
  let at = 0
  for (const found of text.matchAll(lexeme)) {
    if (found.index !== at) return undefined
    at += found[0].length
    const [, cdata, close, open, attributes = '', empty, characters] = found
    const parent = stack.at(-1)
    if (cdata !== undefined) parent?.children.push(cdata)
    else if (characters !== undefined) parent?.children.push(decoded(characters))
    else if (close !== undefined) {
      const last = stack.pop()
      if (last === undefined || [last.prefix, last.local].filter((part) => part !== '').join(':') !== close)
        return undefined
    } else if (open !== undefined) {
      const given = [...attributes.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
        ([, name = '', one, other]) => [name, decoded(one ?? other ?? '')] as const,
      )
      const declared = given.filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'))
      const inherited = parent?.scope ?? documentScope
      const scope =
        declared.length === 0
          ? inherited
          : new Map([...inherited, ...declared.map(([name, value]) => [name.slice(6), value] as const)])
      const [prefix, local] = cut(open)
      const uri = scope.get(prefix) ?? ''
      const element: Element = {
        uri,
        prefix,
        local,
        scope,
        children: [],
        attributes: given.flatMap(([name, value]) => {
          if (name === 'xmlns' || name.startsWith('xmlns:')) return []
          const [own, rest] = cut(name)
          const bound = own === '' ? '' : (scope.get(own) ?? '')
          return [{ uri: bound, prefix: own, local: rest, value, names: namesIn(bound, rest, uri) }]
        }),
      }
      if (parent === undefined) root ??= element
      else parent.children.push(element)
      if (empty === '') stack.push(element)
    }
  }
  return at === text.length && stack.length === 0 ? root : undefined
}

// ------------------------------------------------------------------------------------------------------------- writing

export type Rewriting =
  | 'same' // parsed and written
  | 'prefixes' // every namespace has another prefix, the default one too
  | 'default' // every element is in the default namespace of the place where it stands
  | 'inner' // declarations stand where they are needed, not at the root
  | 'quotes'
  | 'references'
  | 'cdata'
  | 'comments'
  | 'spaces' // inside of tags
  | 'pairs' // a start tag and an end tag where an element is empty
  | 'utf-16'
  | 'order' // of the attributes of an element
  | 'alternate' // each drawing is the choice of an mc:AlternateContent
  | 'alternate-anchors' // so is each anchor of a drawing in a sheet
export const rewritings: readonly Rewriting[] = [
  'prefixes',
  'default',
  'inner',
  'quotes',
  'references',
  'cdata',
  'comments',
  'spaces',
  'pairs',
  'utf-16',
  'order',
  'alternate',
  'alternate-anchors',
]

const ordinary = /[A-Za-z0-9{}[\]().:]/g
const escapedText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function write(root: Element, how: Rewriting): string {
  const uris = new Map<string, string>() // URI -> prefix
  const collect = ({ scope, children }: Element, around?: Element['scope']) => {
    if (scope !== around)
      for (const [prefix, uri] of scope) if (uri !== '' && !uris.has(uri)) uris.set(uri, prefix)
    for (const child of children) if (typeof child !== 'string') collect(child, scope)
  }
  collect(root)
  if (how === 'prefixes' || how === 'default') {
    let number = 0
    for (const uri of uris.keys()) if (uri !== xmlUri) uris.set(uri, `q${number++}`)
  }
  const all = new Map([...uris].filter(([uri, prefix]) => uri !== xmlUri && prefix !== ''))
  const text = (value: string): string => {
    if (how === 'cdata' && value.trim() !== '' && !value.includes(']]>')) return `<![CDATA[${value}]]>`
    if (how === 'comments' && value.length > 1)
      return `${escapedText(value.slice(0, 1))}<!-- one > two -->${escapedText(value.slice(1))}`
    const safe = escapedText(value)
    if (how !== 'references') return safe
    return value.replace(/[\s\S]/gu, (one) =>
      one.match(ordinary) ? `&#x${one.codePointAt(0)!.toString(16)};` : escapedText(one),
    )
  }
  const attribute = (value: string): string => {
    const line = escapedText(value)
      .replaceAll('\n', '&#10;')
      .replaceAll('\r', '&#13;')
      .replaceAll('\t', '&#9;')
    if (how === 'quotes') return `'${line.replaceAll("'", '&apos;')}'`
    if (how === 'references')
      return `"${[...value]
        .map((one) =>
          one.match(ordinary)
            ? `&#${one.codePointAt(0)};`
            : escapedText(one)
                .replaceAll('"', '&quot;')
                .replace(/[\n\r\t]/, (c) => `&#${c.charCodeAt(0)};`),
        )
        .join('')}"`
    return `"${line.replaceAll('"', '&quot;')}"`
  }
  const element = (node: Element, around: ReadonlyMap<string, string>, isRoot: boolean): string => {
    let scope = around
    const declared: string[] = []
    const need = (prefix: string, uri: string) => {
      if (prefix === 'xml' || (scope.get(prefix) ?? '') === uri) return
      scope = new Map(scope).set(prefix, uri)
      declared.push(`xmlns${prefix === '' ? '' : `:${prefix}`}=${attribute(uri)}`)
    }
    if (isRoot && how !== 'inner') for (const [uri, prefix] of all) need(prefix, uri)
    const unprefixed = how === 'default' || node.uri === ''
    const prefix = unprefixed ? '' : (uris.get(node.uri) ?? '')
    need(prefix, node.uri)
    const prefixed = (uri: string): string => {
      let own = uris.get(uri)!
      if (own === '') own = 'attr'
      need(own, uri)
      return own
    }
    const attributes = node.attributes.map(({ uri, local, value, names }) => {
      const rename = (word: string) => (node.scope.has(word) ? prefixed(node.scope.get(word)!) : word)
      const now =
        names === 'prefixes'
          ? value.replace(/([^\s:]+)(:\S+)?/g, (_, word: string, rest = '') => rename(word) + rest)
          : names === 'qname'
            ? value.replace(/^[\w.-]+(?=:)/, rename)
            : value
      return `${uri === '' ? '' : `${uri === xmlUri ? 'xml' : prefixed(uri)}:`}${local}${how === 'spaces' ? ' = ' : '='}${attribute(now)}`
    })
    if (how === 'order') attributes.reverse()
    const name = prefix === '' ? node.local : `${prefix}:${node.local}`
    const gap = how === 'spaces' ? '\n  ' : ' '
    const head = [`<${name}`, ...declared, ...attributes].join(gap)
    const end = how === 'spaces' ? ' ' : ''
    if (node.children.length === 0 && how !== 'comments' && how !== 'pairs') return `${head}${end}/>`
    const inside = node.children.map((child) =>
      typeof child === 'string' ? text(child) : element(child, scope, false),
    )
    return `${head}${end}>${inside.join('')}${how === 'comments' ? '<!-- <w:p> -->' : ''}</${name}${end}>`
  }
  const quote = how === 'quotes' ? "'" : '"'
  const encoding = how === 'utf-16' ? 'UTF-16' : 'UTF-8'
  return `<?xml version=${quote}1.0${quote} encoding=${quote}${encoding}${quote} standalone=${quote}yes${quote}?>\n${element(root, new Map(), true)}`
}

const drawings: ReadonlySet<string> = new Set(['pic', 'sp', 'graphicFrame', 'grpSp', 'cxnSp'])
const anchors: ReadonlySet<string> = new Set(['twoCellAnchor', 'oneCellAnchor', 'absoluteAnchor'])
const choiceUri = 'http://schemas.microsoft.com/office/drawing/2010/main'

/** What an application wraps where it uses a newer feature in it (ECMA-376-3, 10.2). */
function isWrapped({ uri, local }: Element, parent: Element, how: Rewriting): boolean {
  if (how === 'alternate-anchors') return parent.local === 'wsDr' && anchors.has(local)
  if (local === 'drawing') return /wordprocessingml/.test(uri)
  return drawings.has(local) && (parent.local === 'spTree' || anchors.has(parent.local))
}

/** The part with its drawings as choices; those that its producer has wrapped stay as they are. */
function withAlternates(node: Element, how: Rewriting): Element {
  if (node.uri === compatibility && node.local === 'AlternateContent') return node
  const scope = new Map([...node.scope, ['mc', compatibility], ['a14', choiceUri]])
  const wrapped = (local: string, attributes: Attribute[], ...children: Element[]): Element => ({
    uri: compatibility,
    prefix: 'mc',
    local,
    scope,
    attributes,
    children,
  })
  const requires: Attribute = { uri: '', prefix: '', local: 'Requires', value: 'a14', names: 'prefixes' }
  const children = node.children.map((child) => {
    if (typeof child === 'string') return child
    const inside = withAlternates(child, how)
    if (!isWrapped(child, node, how)) return inside
    return wrapped(
      'AlternateContent',
      [],
      wrapped('Choice', [requires], inside),
      wrapped('Fallback', [], inside),
    )
  })
  return { ...node, children }
}

/** The first choice of each mc:AlternateContent in its place. */
const chosen = (node: Element): (Element | string)[] =>
  node.children.flatMap((child) => {
    if (typeof child === 'string' || child.uri !== compatibility || child.local !== 'AlternateContent')
      return [child]
    return child.children.flatMap((choice) =>
      typeof choice !== 'string' && choice.local === 'Choice' ? chosen(choice) : [],
    )
  })

function encoded(text: string, how: Rewriting): Uint8Array {
  if (how !== 'utf-16') return strToU8(text)
  const units = new Uint16Array(text.length + 1)
  units[0] = 0xfeff
  for (let at = 0; at < text.length; at += 1) units[at + 1] = text.charCodeAt(at)
  return new Uint8Array(units.buffer)
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  return new TextDecoder().decode(bytes)
}

const isXml = (name: string) => /\.(?:xml|rels|vml|rdf)$/.test(name)
const isPackage = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b

/** The package with every XML part written in another way; packages inside too. */
export function rewritePackage(bytes: Uint8Array, how: Rewriting): Uint8Array {
  if (!isPackage(bytes)) return rewriteText(bytes, how)
  const out: Parameters<typeof zipSync>[0] = {}
  for (const [name, content] of Object.entries(unzipped(bytes))) {
    const now = isPackage(content)
      ? rewritePackage(content, how)
      : isXml(name)
        ? rewriteText(content, how)
        : content
    out[name] = [now, { mtime: new Date(2020, 1, 1) }]
  }
  return zipSync(out, { level: 0 })
}

const packages = new WeakMap<Uint8Array, Readonly<Record<string, Uint8Array>>>()

function unzipped(bytes: Uint8Array): Readonly<Record<string, Uint8Array>> {
  const entries = packages.get(bytes) ?? unzipSync(bytes)
  packages.set(bytes, entries)
  return entries
}

/** The package with its XML parts after `edit` changed their trees; parts that are not well-formed stay as they are. */
export function editPackage(bytes: Uint8Array, edit: (part: string, root: Element) => void): Uint8Array {
  const out: Parameters<typeof zipSync>[0] = {}
  for (const [name, content] of Object.entries(unzipped(bytes))) {
    const root = isXml(name) ? parse(decode(content).replace(/^\ufeff/, '')) : undefined
    if (root !== undefined) edit(name, root)
    const edited = root === undefined ? content : encoded(write(root, 'same'), 'same')
    out[name] = [edited, { mtime: new Date(2020, 1, 1) }]
  }
  return zipSync(out, { level: 0 })
}

function rewriteText(bytes: Uint8Array, how: Rewriting): Uint8Array {
  const root = parsePart(bytes)
  if (root === undefined) return bytes
  return encoded(write(how.startsWith('alternate') ? withAlternates(root, how) : root, how), how)
}

// ----------------------------------------------------------------------------------------------------------- comparing

/**
 * One line for each start tag, end tag and text; names by URI, attributes sorted. With `isChosen` the first choice of each
 * mc:AlternateContent counts for it, and ids that a render gave, of which its fallback has some, are counted anew.
 */
export function canonical(text: string, isChosen = false): string {
  const root = parse(text.replace(/^\ufeff/, ''))
  if (root === undefined) return text
  const lines: string[] = []
  const given = new Map<string, string>()
  const idNow = (id: string): string => {
    if (!isChosen || !/^(?:_x0000_s)?\d{7,}$/.test(id)) return id
    given.set(id, given.get(id) ?? `id ${given.size}`)
    return given.get(id)!
  }
  const visit = (node: Element) => {
    const resolve = (word: string) => (node.scope.has(word) ? `{${node.scope.get(word)}}` : word)
    const attributes = node.attributes.map(({ uri, local, value, names }) => {
      const now =
        names === 'prefixes'
          ? value.replace(/([^\s:]+)(:\S+)?/g, (_, word: string, rest = '') => resolve(word) + rest)
          : names === 'qname'
            ? value.replace(/^[\w.-]+(?=:)/, resolve)
            : local === 'id'
              ? idNow(value)
              : value
      return `{${uri}}${local}=${JSON.stringify(now)}`
    })
    lines.push(`<{${node.uri}}${node.local} ${attributes.sort().join(' ')}`.trimEnd())
    let run = ''
    const flush = () => {
      if (run !== '') lines.push(JSON.stringify(run))
      run = ''
    }
    for (const child of isChosen ? chosen(node) : node.children) {
      if (typeof child === 'string') run += child
      else {
        flush()
        visit(child)
      }
    }
    flush()
    lines.push('>')
  }
  visit(root)
  return lines.join('\n')
}

/** Entry name -> canonical text, or the bytes of what is no XML, as Latin-1. */
export function canonicalPackage(bytes: Uint8Array, isChosen = false, within = ''): Map<string, string> {
  if (!isPackage(bytes)) return new Map([['', canonical(decode(bytes), isChosen)]])
  const found = new Map<string, string>()
  for (const [name, content] of Object.entries(unzipSync(bytes))) {
    if (isPackage(content)) {
      for (const [inner, text] of canonicalPackage(content, isChosen, `${within}${name}!`))
        found.set(inner, text)
    } else
      found.set(within + name, isXml(name) ? canonical(decode(content), isChosen) : strFromU8(content, true))
  }
  return found
}
