/** The XML of an invoice as a tree with the prefixes of the standards and the path of each element. */

import { XMLValidator } from 'fast-xml-parser'
import { entryOf } from '../entry-of.ts'
import { XmlFault } from '../xml/cursor.ts'
import { prologueOf } from '../xml/prologue.ts'
import { parseXml, textIn, type XmlElement } from '../xml/tree.ts'

export interface InvoiceElement {
  /** With the prefix of the table below, such as 'ram:ID'; '?:' represents any other namespace. */
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  /** The text directly inside, without white space around it. */
  readonly text: string
  readonly children: readonly InvoiceElement[]
  /** '/rsm:CrossIndustryInvoice/…/ram:ID[2]'; numbers only where several children have the same name. */
  readonly path: string
}

const prefixes: Readonly<Record<string, string>> = {
  'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100': 'rsm',
  'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100': 'ram',
  'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100': 'udt',
  'urn:un:unece:uncefact:data:standard:QualifiedDataType:100': 'qdt',
  'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2': 'ubl',
  'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2': 'ubl',
  'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2': 'cac',
  'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2': 'cbc',
  'urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2': 'ext',
}

/** An invoice has some kilobytes and its attachments some megabytes; portals refuse larger ones. */
const maxBytes = 20 * 1024 * 1024
const maxElements = 500_000

/** Throws XmlFault with a reason that completes 'It cannot be read: …'. */
export function readInvoiceXml(bytes: Uint8Array): InvoiceElement {
  if (bytes.length > maxBytes) throw new XmlFault(`it has more than ${maxBytes} bytes`)
  const text = decoded(bytes)
  const prologue = prologueOf(text)
  if (prologue === undefined) throw new XmlFault('it has no element')
  if (prologue.doctype !== '') throw new XmlFault('it has a document type declaration')
  countTags(text)
  const { root } = parseXml(text)
  const problem = XMLValidator.validate(text)
  if (problem !== true) throw new XmlFault(`it is not well-formed at line ${problem.err.line}`)
  return elementOf(root, new Map(), '', '')
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new XmlFault('it is not UTF-8')
  }
}

/** Counts tags before a tree is built from the text. */
function countTags(text: string): void {
  let count = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1))
    if (++count > 2 * maxElements) throw new XmlFault(`it has more than ${maxElements} elements`)
}

function elementOf(
  { name, attributes, children }: XmlElement,
  outer: ReadonlyMap<string, string>,
  parentPath: string,
  number: string,
): InvoiceElement {
  let uris = outer
  for (const [key, value] of attributes) {
    if (key !== 'xmlns' && !key.startsWith('xmlns:')) continue
    if (uris === outer) uris = new Map(outer)
    ;(uris as Map<string, string>).set(key === 'xmlns' ? '' : key.slice(6), value)
  }
  const named = canonical(name, uris)
  const path = `${parentPath}/${named}${number}`
  const elements = children.filter((child) => typeof child !== 'string')
  const totals = new Map<string, number>()
  for (const child of elements) totals.set(child.name, (totals.get(child.name) ?? 0) + 1)
  const counts = new Map<string, number>()
  return {
    name: named,
    attributes,
    text: textIn({ name, attributes, children }).trim(),
    path,
    children: elements.map((child) => {
      const count = (counts.get(child.name) ?? 0) + 1
      counts.set(child.name, count)
      return elementOf(child, uris, path, totals.get(child.name) === 1 ? '' : `[${count}]`)
    }),
  }
}

function canonical(name: string, uris: ReadonlyMap<string, string>): string {
  const colon = name.indexOf(':')
  const uri = uris.get(colon < 0 ? '' : name.slice(0, colon)) ?? ''
  return `${entryOf(prefixes, uri) ?? '?'}:${name.slice(colon + 1)}`
}
