/** Positions of the marked content of pages. ISO 32000-2, 14.6 (marked content), 9.4 (text). */

import { binaryText } from '../../../../shared/bytes.ts'
import type { Matrix, Point } from '../../../../shared/document/geometry.ts'
import type { PdfDocument } from '../../../../shared/pdf/model/document.ts'
import { type PdfPage, type PdfPageGeometry, pageGeometry } from '../../../../shared/pdf/model/pages.ts'
import { isName, PdfDict, PdfStream } from '../../../../shared/pdf/model/values.ts'
import { contentOperators } from '../../../../shared/pdf/read/content-operators.ts'
import { contentOf, contentsOf } from '../../../../shared/pdf/stage/without-text.ts'
import { identity, numbersIn, numbersOf, times, toDisplayed, transformed } from '../page-matrix.ts'

/** The mark of content: a marked-content identifier, an artifact, or none. */
export type Mark = number | 'artifact' | undefined

/** The start of a text, or the centre of a picture, in points from the top left corner of the displayed page. */
export interface MarkedPosition {
  readonly x: number
  readonly y: number
  readonly mark: Mark
}

export interface MarkedPage {
  readonly texts: readonly MarkedPosition[]
  readonly pictures: readonly MarkedPosition[]
  /** Number of texts that follow another mark without a position of their own, so that their start is unknown. */
  readonly lost: number
}

const maxOperators = 200_000
const maxFormDepth = 6

export function markedPositions(document: PdfDocument, page: PdfPage): MarkedPage {
  const reader = new MarkReader(document, pageGeometry(document, page))
  const contents = contentsOf(document, page.dict.get('Contents')) ?? []
  const resources = document.resolve(page.inherited.get('Resources') ?? null)
  const pageResources = resources instanceof PdfDict ? resources : undefined
  reader.read(contents.map(binaryText).join('\n'), pageResources, identity, undefined, 0)
  return reader
}

class MarkReader implements MarkedPage {
  readonly texts: MarkedPosition[] = []
  readonly pictures: MarkedPosition[] = []
  lost = 0
  readonly #document: PdfDocument
  readonly #page: PdfPageGeometry
  #operators = 0

  constructor(document: PdfDocument, page: PdfPageGeometry) {
    this.#document = document
    this.#page = page
  }

  /** Reads the content of a page or a form. `around`: the mark at which a form is drawn. */
  read(content: string, resources: PdfDict | undefined, start: Matrix, enclosing: Mark, depth: number): void {
    let matrix = start
    const saved: Matrix[] = []
    let line = identity
    let leading = 0
    /** Whether the position of the next text is known, and the mark of the previous text. */
    let isPositionKnown = true
    let before: Mark
    const marks: Mark[] = [enclosing]
    const move = (x: number, y: number): void => {
      line = times([1, 0, 0, 1, x, y], line)
      isPositionKnown = true
    }
    const show = (): void => {
      const mark = marks.at(-1)
      if (isPositionKnown) this.texts.push(this.#positionOf([0, 0], times(line, matrix), mark))
      else if (mark !== before) this.lost++
      isPositionKnown = false
      before = mark
    }
    for (const { name, from, to } of contentOperators(content)) {
      if (++this.#operators > maxOperators) return
      const operands = () => content.slice(from, to)
      switch (name) {
        case 'q':
          saved.push(matrix)
          break
        case 'Q':
          matrix = saved.pop() ?? matrix
          break
        case 'cm':
          matrix = times(numbersIn(operands()), matrix)
          break
        case 'BT':
          line = identity
          isPositionKnown = true
          break
        case 'Tm':
          line = times(numbersIn(operands()), identity)
          isPositionKnown = true
          break
        case 'Td':
        case 'TD': {
          const [x = 0, y = 0] = numbersIn(operands())
          if (name === 'TD') leading = -y
          move(x, y)
          break
        }
        case 'TL':
          leading = numbersIn(operands())[0] ?? leading
          break
        case 'T*':
          move(0, -leading)
          break
        case "'":
        case '"':
          move(0, -leading)
          show()
          break
        case 'Tj':
        case 'TJ':
          show()
          break
        case 'BMC':
        case 'BDC':
          marks.push(this.#markOf(operands(), resources, marks.at(-1)))
          break
        case 'EMC':
          if (marks.length > 1) marks.pop()
          break
        case 'Do':
          this.#draw(operands(), resources, matrix, marks.at(-1), depth)
          break
        default:
      }
    }
  }

  #positionOf(point: Point, matrix: Matrix, mark: Mark): MarkedPosition {
    const [x, y] = toDisplayed(transformed(point, matrix), this.#page)
    return { x, y, mark }
  }

  /** The mark that BMC or BDC sets; content without a mark of its own belongs to the enclosing mark. */
  #markOf(operands: string, resources: PdfDict | undefined, enclosing: Mark): Mark {
    const [, tag, property] = /^\s*\/([^\s/<[(]+)\s*(?:\/([^\s/<[(]+)\s*)?/.exec(operands) ?? []
    if (tag === 'Artifact') return 'artifact'
    const direct = /\/MCID\s+(\d{1,9})\b/.exec(operands)?.[1]
    if (direct !== undefined) return Number(direct)
    const lists =
      property === undefined || resources === undefined
        ? undefined
        : this.#document.dictAt(resources, 'Properties')
    const list =
      lists === undefined || property === undefined ? undefined : this.#document.dictAt(lists, property)
    const number = list === undefined ? null : this.#document.resolve(list.get('MCID'))
    return typeof number === 'number' ? number : enclosing
  }

  #draw(call: string, resources: PdfDict | undefined, matrix: Matrix, mark: Mark, depth: number): void {
    const name = /\/([^\s/]+)\s+Do$/.exec(call)?.[1]
    const objects = resources === undefined ? undefined : this.#document.dictAt(resources, 'XObject')
    const object = name === undefined ? null : this.#document.resolve(objects?.get(name) ?? null)
    if (!(object instanceof PdfStream) || depth >= maxFormDepth) return
    if (!isName(this.#document.resolve(object.dict.get('Subtype')), 'Form')) {
      this.pictures.push(this.#positionOf([0.5, 0.5], matrix, mark))
      return
    }
    const content = contentOf(this.#document, object)
    if (content === undefined) return
    const formMatrix = numbersOf(this.#document, object.dict.get('Matrix'))
    const inner = this.#document.dictAt(object.dict, 'Resources') ?? resources
    this.read(
      binaryText(content),
      inner,
      formMatrix.length === 6 ? times(formMatrix, matrix) : matrix,
      mark,
      depth + 1,
    )
  }
}
