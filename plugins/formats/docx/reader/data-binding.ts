/**
 * Values of content controls that are bound to data in the package (w:dataBinding, ECMA-376-1 17.5.2.6).
 * Observed in LibreOffice: plain-text controls show the data even when the saved text differs or is a
 * placeholder. An empty or missing value, and controls of other kinds, keep the saved text.
 */

import { readRelationships, targetOf } from '../../../../shared/office/ooxml/relationships.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import { decodePart, type Vocabulary, XmlCursor, XmlFault, xmlText } from '../../../../shared/xml/cursor.ts'
import { attributesOf } from '../../../../shared/xml/elements.ts'
import { decodeEntities } from '../../../../shared/xml/scan.ts'

/** Location of the value of a control. */
export interface DataBinding {
  /**
   * Id of a custom XML item or of the document properties; absent: the first item in which the path matches.
   */
  readonly store?: string
  readonly path: string
  /** Namespace declarations for the path: xmlns:ns0='uri' ... */
  readonly namespaces: string
}

/** Well-known item ids of the document properties, to the relationship types of their parts. */
const propertyStores: Readonly<Record<string, string>> = {
  '{6C3C8BC8-F283-45AE-878A-BAB7291924A1}': 'core-properties',
  '{6668398D-A668-4E3E-A5EB-62B293D839F1}': 'extended-properties',
}
/** Whether a control shows a property of the document, such as its title. */
export const isDocumentProperty = ({ store, namespaces }: DataBinding): boolean =>
  (store !== undefined && Object.hasOwn(propertyStores, store.toUpperCase())) ||
  /core-properties|extended-properties|coverPageProps/.test(namespaces)

/**
 * Maximum number of characters of XML that are searched for all controls of a document together. Each
 * distinct binding searches its item once.
 */
const maxSearched = 50_000_000
/** Maximum length of a shown value, in characters. */
const maxValue = 20_000

/** The data items of a package. They are located on first use, and each binding is evaluated once. */
export class DataStores {
  readonly #parts: ReadFile
  readonly #main: string
  readonly #values = new Map<string, string | undefined>()
  /** Characters that may still be searched. */
  #left = maxSearched
  #items: { readonly id: string | undefined; readonly xml: string }[] | undefined

  /** `main` is the main document part, whose relationships refer to the items. */
  constructor(parts: ReadFile, main: string) {
    this.#parts = parts
    this.#main = main
  }

  /** Returns the text that a control is bound to; undefined when it is missing or empty. */
  value(binding: DataBinding): string | undefined {
    const key = JSON.stringify(binding)
    if (!this.#values.has(key)) this.#values.set(key, this.#find(binding))
    return this.#values.get(key)
  }

  #find({ store, path, namespaces }: DataBinding): string | undefined {
    this.#items ??= [...this.#custom(), ...this.#properties()]
    const storeId = store?.toUpperCase()
    for (const { id, xml } of this.#items) {
      if (storeId !== undefined && id?.toUpperCase() !== storeId) continue
      this.#left -= xml.length
      if (this.#left < 0) return undefined
      const text = valueAt(xml, path, namespaces)
      if (text !== undefined && text !== '') return text.slice(0, maxValue)
    }
    return undefined
  }

  *#custom(): Generator<{ id: string | undefined; xml: string }> {
    for (const { type, target, external } of readRelationships(this.#parts, this.#main).values()) {
      const bytes = type === 'customXml' && !external ? this.#parts(target) : undefined
      // Data in a vocabulary of its own: only the binding names its elements and declares their prefixes.
      if (bytes !== undefined) yield { id: this.#idOf(target), xml: decodePart(bytes) }
    }
  }

  *#properties(): Generator<{ id: string; xml: string }> {
    const relationships = readRelationships(this.#parts, '')
    for (const [id, type] of Object.entries(propertyStores)) {
      const target = targetOf(relationships, type)
      const bytes = target === undefined ? undefined : this.#parts(target)
      if (bytes !== undefined) yield { id, xml: xmlText(bytes) }
    }
  }

  /** The id of a custom XML item, from its properties part. */
  #idOf(item: string): string | undefined {
    const target = targetOf(readRelationships(this.#parts, item), 'customXmlProps')
    const bytes = target === undefined ? undefined : this.#parts(target)
    if (bytes === undefined) return undefined
    const cursor = new XmlCursor(xmlText(bytes), storeVocabulary)
    return cursor.root() ? cursor.attribute('ds:itemID') : undefined
  }
}

/** The vocabulary of the properties of a custom XML part (22.5.2.1), in either conformance class. */
const storeVocabulary: Vocabulary = {
  prefixes: new Map([
    ['http://schemas.openxmlformats.org/officeDocument/2006/customXml', 'ds'],
    ['http://purl.oclc.org/ooxml/officeDocument/customXml', 'ds'],
  ]),
  understood: new Set(),
}

interface BindingStep {
  readonly name: string
  readonly index: number
}

/**
 * Evaluates an XPath that consists of child steps with optional positions, the last of which may be an
 * attribute. Word writes no others; they give undefined.
 */
function valueAt(xml: string, path: string, namespaces: string): string | undefined {
  const prefixes = new Map<string, string>()
  for (const [name, uri] of attributesOf(namespaces))
    if (name.startsWith('xmlns:')) prefixes.set(decodeEntities(uri), name.slice('xmlns:'.length))
  const steps = stepsOf(path)
  if (steps === undefined) return undefined
  const attribute = steps.at(-1)?.name.startsWith('@') ? steps.pop()!.name.slice(1) : undefined
  try {
    return walk(
      new XmlCursor(xml, { prefixes, understood: new Set() } satisfies Vocabulary),
      steps,
      attribute,
    )
  } catch (fault) {
    if (fault instanceof XmlFault) return undefined
    throw fault
  }
}

/** Parses the path into steps; undefined for anything but child steps. */
function stepsOf(path: string): BindingStep[] | undefined {
  if (!path.startsWith('/')) return undefined
  const steps: BindingStep[] = []
  for (const text of path.slice(1).split('/')) {
    const [, name, index = '1'] = /^(@?[\w.:-]+)(?:\[(\d{1,6})\])?$/.exec(text.trim()) ?? []
    if (name === undefined || steps.length > 64) return undefined
    steps.push({ name, index: Number(index) })
  }
  return steps.length === 0 ? undefined : steps
}

/** Follows the steps with one pass over the text. */
function walk(
  cursor: XmlCursor,
  [root, ...steps]: readonly BindingStep[],
  attribute: string | undefined,
): string | undefined {
  if (!cursor.root() || cursor.name !== root?.name) return undefined
  let value: string | undefined
  const down = (depth: number): void => {
    const step = steps[depth]
    if (step === undefined) {
      value = attribute === undefined ? cursor.text() : cursor.attribute(attribute)
      return
    }
    let seen = 0
    cursor.each((name) => {
      if (name === step.name && ++seen === step.index) down(depth + 1)
    })
  }
  down(0)
  return value
}
