/** The structure tree of a tagged PDF as plain data. ISO 32000-2, 14.7 and 14.8. */

import type { PdfDocument } from '../../../../shared/pdf/model/document.ts'
import type { PdfPage } from '../../../../shared/pdf/model/pages.ts'
import { textOfString } from '../../../../shared/pdf/model/text-string.ts'
import { PdfDict, PdfName, PdfString, type PdfValue } from '../../../../shared/pdf/model/values.ts'

/** A structure element. */
export interface TaggedElement {
  /** Its standard type, such as 'P' or 'H1'. */
  readonly role: string
  readonly children: readonly (TaggedElement | MarkedContent)[]
  /** The text that replaces its content. */
  readonly actualText?: string
  /** The description of a picture. */
  readonly alternative?: string
  /** Values of its attributes by their names: numbers, and names as text. */
  readonly attributes: ReadonlyMap<string, string | number>
}

/** Content of a page, by its marked-content identifier. */
export interface MarkedContent {
  readonly page: number // from 0
  readonly mark: number
}

export const isElement = (child: TaggedElement | MarkedContent): child is TaggedElement => 'role' in child

const maxElements = 200_000
const maxDepth = 100

/**
 * The root of the structure tree; undefined for a file that is not tagged, whose tags are not declared complete
 * (MarkInfo), or whose tree is too large or cyclic.
 */
export function readStructure(document: PdfDocument, pages: readonly PdfPage[]): TaggedElement | undefined {
  const information = document.dictAt(document.catalog, 'MarkInfo')
  const root = document.dictAt(document.catalog, 'StructTreeRoot')
  if (information === undefined || root === undefined) return undefined
  if (document.resolve(information.get('Marked')) !== true) return undefined
  if (document.resolve(information.get('Suspects')) === true) return undefined
  const reader = new StructureReader(document, pages, document.dictAt(root, 'RoleMap'))
  const children = reader.children(root, undefined, 0)
  return reader.isComplete ? { role: 'Document', children, attributes: new Map() } : undefined
}

class StructureReader {
  isComplete = true
  readonly #document: PdfDocument
  readonly #roles: PdfDict | undefined
  readonly #numbers: ReadonlyMap<PdfDict, number>
  readonly #open = new Set<PdfDict>()
  #left = maxElements

  constructor(document: PdfDocument, pages: readonly PdfPage[], roles: PdfDict | undefined) {
    this.#document = document
    this.#roles = roles
    this.#numbers = new Map(pages.map(({ dict }, index) => [dict, index]))
  }

  /** The children of an element. `page`: the page of content that does not specify one. */
  children(holder: PdfDict, page: number | undefined, depth: number): TaggedElement['children'] {
    const value = this.#document.resolve(holder.get('K'))
    const list = Array.isArray(value) ? value : [value]
    return list.flatMap((child) => this.#child(child, page, depth))
  }

  #child(value: PdfValue, page: number | undefined, depth: number): TaggedElement['children'] {
    const child = this.#document.resolve(value)
    if (child === null || !this.isComplete) return []
    if (--this.#left < 0 || depth > maxDepth) {
      this.isComplete = false
      return []
    }
    if (typeof child === 'number') return page === undefined ? [] : [{ page, mark: child }]
    if (!(child instanceof PdfDict)) return []
    const childPage = this.#pageOf(child) ?? page
    const mark = this.#document.resolve(child.get('MCID'))
    if (typeof mark === 'number') return childPage === undefined ? [] : [{ page: childPage, mark }]
    // A dictionary without a type is a reference to an annotation, whose text is in the adjacent content.
    const type = this.#document.resolve(child.get('S'))
    if (!(type instanceof PdfName) || this.#open.has(child)) return []
    this.#open.add(child)
    const children = this.children(child, childPage, depth + 1)
    this.#open.delete(child)
    const actualText = this.#textOf(child, 'ActualText')
    const alternative = this.#textOf(child, 'Alt')
    return [
      {
        role: this.#roleOf(type.text),
        children,
        ...(actualText !== undefined && { actualText }),
        ...(alternative !== undefined && { alternative }),
        attributes: this.#attributesOf(child),
      },
    ]
  }

  #pageOf(child: PdfDict): number | undefined {
    const page = this.#document.resolve(child.get('Pg'))
    return page instanceof PdfDict ? this.#numbers.get(page) : undefined
  }

  #textOf(child: PdfDict, key: string): string | undefined {
    const value = this.#document.resolve(child.get(key))
    return value instanceof PdfString ? textOfString(value) : undefined
  }

  /** The standard type for a type in the role map (14.8.4.2), which is followed for a limited number of steps. */
  #roleOf(type: string): string {
    let role = type
    for (let step = 0; step < 5 && !standard.has(role); step++) {
      const next = this.#document.resolve(this.#roles?.get(role) ?? null)
      if (!(next instanceof PdfName)) break
      role = next.text
    }
    return role
  }

  #attributesOf(child: PdfDict): Map<string, string | number> {
    const attributes = new Map<string, string | number>()
    const value = this.#document.resolve(child.get('A'))
    for (const item of Array.isArray(value) ? value : [value]) {
      const list = this.#document.resolve(item)
      if (!(list instanceof PdfDict)) continue
      for (const name of ['ColSpan', 'RowSpan', 'ListNumbering', 'TextAlign']) {
        const resolved = this.#document.resolve(list.get(name))
        if (typeof resolved === 'number') attributes.set(name, resolved)
        else if (resolved instanceof PdfName) attributes.set(name, resolved.text)
      }
    }
    return attributes
  }
}

/** The standard structure types (14.8.4.3 to 14.8.4.8, and those of PDF 1.7). */
const standard: ReadonlySet<string> = new Set(
  (
    'Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private Aside Title FENote P H H1 H2 H3 H4 H5 ' +
    'H6 L LI Lbl LBody Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP ' +
    'Warichu WT WP Figure Formula Form Sub Em Strong DocumentFragment Artifact'
  ).split(' '),
)
