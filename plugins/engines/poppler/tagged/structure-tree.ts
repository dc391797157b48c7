/** The structure tree of a tagged PDF as plain data. ISO 32000-2, 14.7 and 14.8. */

import type { PdfDocument } from '../../../../shared/pdf/model/document.ts'
import type { PdfPage } from '../../../../shared/pdf/model/pages.ts'
import { textOfString } from '../../../../shared/pdf/model/text-string.ts'
import { PdfDict, PdfName, PdfString, type PdfValue } from '../../../../shared/pdf/model/values.ts'

/** A structure element. */
export interface TaggedElement {
  /** Its standard type, such as 'P' or 'H1'. */
  readonly role: string
  readonly kids: readonly (TaggedElement | MarkedContent)[]
  /** What to read in its place. */
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

export const isElement = (kid: TaggedElement | MarkedContent): kid is TaggedElement => 'role' in kid

const maxElements = 200_000
const maxDepth = 100

/**
 * The top of the structure tree; undefined for a file that is not tagged, whose tags are not said to be complete
 * (MarkInfo), or whose tree is too large or without end.
 */
export function readStructure(document: PdfDocument, pages: readonly PdfPage[]): TaggedElement | undefined {
  const information = document.dictAt(document.catalog, 'MarkInfo')
  const root = document.dictAt(document.catalog, 'StructTreeRoot')
  if (information === undefined || root === undefined) return undefined
  if (document.resolve(information.get('Marked')) !== true) return undefined
  if (document.resolve(information.get('Suspects')) === true) return undefined
  const reader = new StructureReader(document, pages, document.dictAt(root, 'RoleMap'))
  const kids = reader.kids(root, undefined, 0)
  return reader.isComplete ? { role: 'Document', kids, attributes: new Map() } : undefined
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

  /** The children of an element. `page`: the page of content that names none. */
  kids(holder: PdfDict, page: number | undefined, depth: number): TaggedElement['kids'] {
    const value = this.#document.resolve(holder.get('K'))
    const list = Array.isArray(value) ? value : [value]
    return list.flatMap((kid) => this.#kid(kid, page, depth))
  }

  #kid(given: PdfValue, page: number | undefined, depth: number): TaggedElement['kids'] {
    const kid = this.#document.resolve(given)
    if (kid === null || !this.isComplete) return []
    if (--this.#left < 0 || depth > maxDepth) {
      this.isComplete = false
      return []
    }
    if (typeof kid === 'number') return page === undefined ? [] : [{ page, mark: kid }]
    if (!(kid instanceof PdfDict)) return []
    const own = this.#pageOf(kid) ?? page
    const mark = this.#document.resolve(kid.get('MCID'))
    if (typeof mark === 'number') return own === undefined ? [] : [{ page: own, mark }]
    // What is left without a type is a reference to an annotation, whose text is in the content beside it.
    const type = this.#document.resolve(kid.get('S'))
    if (!(type instanceof PdfName) || this.#open.has(kid)) return []
    this.#open.add(kid)
    const kids = this.kids(kid, own, depth + 1)
    this.#open.delete(kid)
    const actualText = this.#textOf(kid, 'ActualText')
    const alternative = this.#textOf(kid, 'Alt')
    return [
      {
        role: this.#roleOf(type.text),
        kids,
        ...(actualText !== undefined && { actualText }),
        ...(alternative !== undefined && { alternative }),
        attributes: this.#attributesOf(kid),
      },
    ]
  }

  #pageOf(kid: PdfDict): number | undefined {
    const page = this.#document.resolve(kid.get('Pg'))
    return page instanceof PdfDict ? this.#numbers.get(page) : undefined
  }

  #textOf(kid: PdfDict, key: string): string | undefined {
    const value = this.#document.resolve(kid.get(key))
    return value instanceof PdfString ? textOfString(value) : undefined
  }

  /** The standard type that the role map gives a type (14.8.4.2); a map may lead on a few times. */
  #roleOf(type: string): string {
    let role = type
    for (let step = 0; step < 5 && !standard.has(role); step++) {
      const next = this.#document.resolve(this.#roles?.get(role) ?? null)
      if (!(next instanceof PdfName)) break
      role = next.text
    }
    return role
  }

  #attributesOf(kid: PdfDict): Map<string, string | number> {
    const attributes = new Map<string, string | number>()
    const value = this.#document.resolve(kid.get('A'))
    for (const one of Array.isArray(value) ? value : [value]) {
      const list = this.#document.resolve(one)
      if (!(list instanceof PdfDict)) continue
      for (const name of ['ColSpan', 'RowSpan', 'ListNumbering', 'TextAlign']) {
        const found = this.#document.resolve(list.get(name))
        if (typeof found === 'number') attributes.set(name, found)
        else if (found instanceof PdfName) attributes.set(name, found.text)
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
