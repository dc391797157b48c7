/**
 * Small parts as trees that can be changed and written again: charts, styles, relationships, content types. Large parts
 * (the body of a document, the cells of a sheet) are edited at positions instead. fast-xml-parser parses; it keeps the
 * order of nodes, white space and references, but knows no namespaces, so texts come from `conventionalXml`. An element
 * with nothing in it is written as one empty tag.
 */

import { XMLParser } from 'fast-xml-parser'
import { entryOf } from '../entry-of.ts'
import { pushAll } from '../push-all.ts'
import { XmlFault } from './cursor.ts'
import { prologueOf } from './prologue.ts'
import { decodeEntities } from './scan.ts'

export interface XmlElement {
  name: string
  /** Undecoded values, without quotes. */
  readonly attributes: Map<string, string>
  children: XmlNode[]
}
/** Text is undecoded, with its character references. */
export type XmlNode = XmlElement | string

export interface XmlDocument {
  /** The markup before the root element: the XML declaration. */
  readonly prologue: string
  readonly root: XmlElement
}

const maxDepth = 256

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  attributesGroupName: false,
  trimValues: false,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  maxNestedTags: maxDepth,
})

type ParsedNode = Readonly<Record<string, unknown>>
const attributesKey = ':@'
const textKey = '#text'

/** Throws XmlFault for a text that is not well-formed or nested too deeply. */
export function parseXml(text: string): XmlDocument {
  const start = prologueOf(text)?.end ?? -1
  if (text[start] !== '<') throw new XmlFault('no element')
  let parsed: unknown
  try {
    parsed = parser.parse(text.slice(start))
  } catch (error) {
    throw new XmlFault(error instanceof Error ? error.message : 'it cannot be parsed')
  }
  const root = (parsed as readonly ParsedNode[]).map(nodeOf).find((node) => typeof node !== 'string')
  if (root === undefined) throw new XmlFault('no element')
  return { prologue: text.slice(0, start), root }
}

function nodeOf(parsed: ParsedNode): XmlNode {
  const text = entryOf(parsed, textKey)
  if (text !== undefined) return String(text)
  const name = Object.keys(parsed).find((key) => key !== attributesKey) ?? ''
  const attributes = Object.entries(
    (entryOf(parsed, attributesKey) ?? {}) as Readonly<Record<string, string>>,
  )
  return {
    name,
    attributes: new Map(attributes),
    children: (entryOf(parsed, name) as readonly ParsedNode[]).map(nodeOf),
  }
}

const writeXml = ({ prologue, root }: XmlDocument): string => prologue + writeElement(root)

export function writeElement({ name, attributes, children }: XmlElement): string {
  let out = `<${name}`
  for (const [key, value] of attributes) out += ` ${key}="${value}"`
  if (children.length === 0) return `${out}/>`
  out += '>'
  for (const child of children) out += typeof child === 'string' ? child : writeElement(child)
  return `${out}</${name}>`
}

/** The root element; undefined for a text that cannot be parsed, which the scanner of the part reports. */
export function readRoot(text: string): XmlElement | undefined {
  return parseOrNothing(text)?.root
}

function parseOrNothing(text: string): XmlDocument | undefined {
  try {
    return parseXml(text)
  } catch (error) {
    if (error instanceof XmlFault) return undefined
    throw error
  }
}

/**
 * Returns the text with its tree changed by `edit`. A text that cannot be parsed is returned unchanged, and the
 * scanner of the part reports it. The text is also unchanged if `edit` returns false.
 */
export function editTree(text: string, edit: (root: XmlElement) => boolean): string {
  const document = parseOrNothing(text)
  return document !== undefined && edit(document.root) ? writeXml(document) : text
}

// ------------------------------------------------------------------------------------------------------------- looking

/** `text` nodes are written without escaping, so callers must escape them. */
export const element = (
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  ...children: XmlNode[]
): XmlElement => ({ name, attributes: new Map(Object.entries(attributes)), children })

export function* childrenOf(
  parent: XmlElement | undefined,
  ...names: readonly string[]
): Generator<XmlElement> {
  for (const child of parent?.children ?? [])
    if (typeof child !== 'string' && (names.length === 0 || names.includes(child.name))) yield child
}

/** Follows a path of names, taking the first child of each. */
export function firstChild(
  parent: XmlElement | undefined,
  ...path: readonly string[]
): XmlElement | undefined {
  let at = parent
  for (const name of path) at = at && childrenOf(at, name).next().value
  return at
}

/** All elements with these names in document order, including nested ones. */
export function* descendants(parent: XmlElement, ...names: readonly string[]): Generator<XmlElement> {
  for (const child of childrenOf(parent)) {
    if (names.includes(child.name)) yield child
    yield* descendants(child, ...names)
  }
}

/** The text directly inside an element, decoded. */
export const textIn = (parent: XmlElement | undefined): string =>
  decodeEntities((parent?.children ?? []).filter((child) => typeof child === 'string').join(''))

/** Replaces each child by the result of `change`; undefined keeps it. Returns whether anything changed. */
export function replaceChildren(
  parent: XmlElement,
  change: (child: XmlElement) => readonly XmlNode[] | undefined,
): boolean {
  let changed = false
  const out: XmlNode[] = []
  for (const child of parent.children) {
    const now = typeof child === 'string' ? undefined : change(child)
    if (now === undefined) out.push(child)
    else {
      changed = true
      pushAll(out, now)
    }
  }
  if (changed) parent.children = out
  return changed
}

export const removeChildren = (parent: XmlElement, isRemoved: (child: XmlElement) => boolean): boolean =>
  replaceChildren(parent, (child) => (isRemoved(child) ? [] : undefined))

/** Returns a deep copy. */
export const cloneElement = ({ name, attributes, children }: XmlElement): XmlElement => ({
  name,
  attributes: new Map(attributes),
  children: children.map((child) => (typeof child === 'string' ? child : cloneElement(child))),
})
