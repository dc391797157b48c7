/** The lines that a page draws, such as borders of tables. ISO 32000-2, 8.5 (paths). */

import { binaryText } from '../../../../shared/bytes.ts'
import type { Matrix, Point } from '../../../../shared/document/geometry.ts'
import { maxOf, minOf } from '../../../../shared/extremes.ts'
import type { PdfDocument } from '../../../../shared/pdf/model/document.ts'
import { pdfLimits } from '../../../../shared/pdf/model/limits.ts'
import {
  type PdfPage,
  type PdfPageGeometry,
  pageGeometry,
  readPages,
} from '../../../../shared/pdf/model/pages.ts'
import { isName, PdfDict, PdfStream } from '../../../../shared/pdf/model/values.ts'
import { contentOperators } from '../../../../shared/pdf/read/content-operators.ts'
import { openPdf } from '../../../../shared/pdf/read/open.ts'
import { contentOf, contentsOf } from '../../../../shared/pdf/stage/without-text.ts'
import type { PdfJob } from '../document.ts'
import { identity, numbersIn, numbersOf, times, toDisplayed, transformed } from '../page-matrix.ts'

/** A horizontal or vertical line, in points from the top left corner of the page as it is shown. */
export interface Ruling {
  readonly across: boolean // from left to right
  readonly at: number // the y of a horizontal line, the x of a vertical one
  readonly from: number
  readonly to: number
}

/**
 * A small shape of about equal width and height, in points from the top left corner. Programs draw bullets
 * this way.
 */
export interface Dot {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface PageDrawing {
  readonly rulings: readonly Ruling[]
  readonly dots: readonly Dot[]
}

/** Points: a thinner shape is a line, and a line that deviates more is neither horizontal nor vertical. */
const thickest = 3
const straight = 0.7
const shortest = 4
/** A page with more lines is a drawing. */
const maxRulings = 6_000
const maxOperators = 200_000
const maxPages = 1_000
const maxFormDepth = 6
/**
 * Maximum side of a bullet, in points. A page with more of them than lines of text has outlined letters or a
 * pattern.
 */
const minDot = 1.2
const maxDot = 12
const maxDots = 400
/** A filled area of nearly the complete page is its background. */
const background = 0.85

/** The rulings and dots of each page; none when the file cannot be parsed here. */
export function rulingsOf({ pdf, host }: PdfJob): readonly PageDrawing[] {
  const drawings: PageDrawing[] = []
  try {
    const document = openPdf(pdf, host.codec, pdfLimits)
    for (const [at, page] of readPages(document).entries()) {
      if (at >= maxPages) break
      drawings.push(rulingsOfPage(document, page))
    }
  } catch {
    // Poppler was able to read the file, and text without borders is better than none.
  }
  return drawings
}

function rulingsOfPage(document: PdfDocument, page: PdfPage): PageDrawing {
  const contents = contentsOf(document, page.dict.get('Contents'))
  if (contents === undefined) return { rulings: [], dots: [] }
  const resources = document.resolve(page.inherited.get('Resources') ?? null)
  const reader = new PathReader(document, pageGeometry(document, page))
  reader.read(
    contents.map(binaryText).join('\n'),
    resources instanceof PdfDict ? resources : undefined,
    identity,
    0,
  )
  return {
    rulings: reader.rulings.length > maxRulings ? [] : reader.rulings,
    dots: reader.dots.length > maxDots ? [] : reader.dots,
  }
}

class PathReader {
  readonly rulings: Ruling[] = []
  readonly dots: Dot[] = []
  readonly #document: PdfDocument
  readonly #page: PdfPageGeometry
  #operators = 0
  #stripe:
    | { readonly left: number; readonly right: number; readonly low: number; readonly high: number }
    | undefined

  constructor(document: PdfDocument, page: PdfPageGeometry) {
    this.#document = document
    this.#page = page
  }

  read(content: string, resources: PdfDict | undefined, start: Matrix, depth: number): void {
    let matrix = start
    const saved: Matrix[] = []
    let lines: (readonly [Point, Point])[] = []
    let boxes: (readonly [Point, Point])[] = []
    let points: Point[] = [] // all end points and control points of the path
    let first: Point = [0, 0]
    let current: Point = [0, 0]
    for (const { name, from, to } of contentOperators(content)) {
      if (++this.#operators > maxOperators || this.rulings.length > maxRulings) return
      const numbers = () => numbersIn(content.slice(from, to))
      const line = (to: Point) => {
        lines.push([current, to])
        current = to
        points.push(to)
      }
      const curve = (end: number) => {
        const values = numbers()
        for (let at = 0; at < values.length; at += 2)
          points.push(transformed(values.slice(at, at + 2), matrix))
        current = transformed(values.slice(end), matrix)
      }
      switch (name) {
        case 'q':
          saved.push(matrix)
          break
        case 'Q':
          matrix = saved.pop() ?? matrix
          break
        case 'cm':
          matrix = times(numbers(), matrix)
          break
        case 'm':
          first = current = transformed(numbers(), matrix)
          points.push(current)
          break
        case 'l':
          line(transformed(numbers(), matrix))
          break
        case 'c':
          curve(4)
          break
        case 'v':
        case 'y':
          curve(2)
          break
        case 'h':
          line(first)
          break
        case 're': {
          const [x = 0, y = 0, width = 0, height = 0] = numbers()
          boxes.push([transformed([x, y], matrix), transformed([x + width, y + height], matrix)])
          points.push(transformed([x, y], matrix), transformed([x + width, y + height], matrix))
          break
        }
        case 's':
          line(first)
          this.#stroke(lines, boxes)
          break
        case 'S':
        case 'B':
        case 'B*':
        case 'b':
        case 'b*':
          this.#stroke(lines, boxes)
          break
        case 'f':
        case 'F':
        case 'f*':
          this.#fill(lines, boxes)
          break
        case 'Do':
          this.#form(content.slice(from, to), resources, matrix, depth)
          break
        default:
      }
      if (/^(?:[sSfFnbB]|f\*|B\*|b\*)$/.test(name)) {
        if (name !== 'n') this.#dot(points)
        lines = []
        boxes = []
        points = []
      }
    }
  }

  #stroke(lines: readonly (readonly [Point, Point])[], boxes: readonly (readonly [Point, Point])[]): void {
    for (const [a, b] of lines) this.#add(a, b)
    for (const [a, b] of boxes) this.#edges(a, b)
  }

  #dot(points: readonly Point[]): void {
    if (points.length < 2 || this.dots.length > maxDots) return
    const seen = points.map((point) => toDisplayed(point, this.#page))
    const [xs, ys] = [seen.map(([x]) => x), seen.map(([, y]) => y)]
    const [x, y] = [minOf(xs), minOf(ys)]
    const [width, height] = [maxOf(xs) - x, maxOf(ys) - y]
    const [shorter, longer] = [Math.min(width, height), Math.max(width, height)]
    if (shorter >= minDot && longer <= maxDot && longer < shorter * 1.6)
      this.dots.push({ x, y, width, height })
  }

  /** Some programs draw lines as thin areas, and the edges of a coloured cell serve as its borders. */
  #fill(lines: readonly (readonly [Point, Point])[], boxes: readonly (readonly [Point, Point])[]): void {
    for (const [a, b] of boxes) this.#area(a, b)
    if (lines.length < 3 || lines.length > 5) return
    const xs = lines.flatMap(([a, b]) => [a[0], b[0]])
    const ys = lines.flatMap(([a, b]) => [a[1], b[1]])
    const isBox = lines.every(
      ([a, b]) => Math.abs(a[0] - b[0]) < straight || Math.abs(a[1] - b[1]) < straight,
    )
    if (isBox) this.#area([minOf(xs), minOf(ys)], [maxOf(xs), maxOf(ys)])
  }

  #area(a: Point, b: Point): void {
    const [width, height] = [Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1])]
    const middle: Point = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
    if (height <= thickest || width <= thickest) {
      if (this.#isStripe(a, b)) return
      if (height <= thickest) this.#add([a[0], middle[1]], [b[0], middle[1]])
      else this.#add([middle[0], a[1]], [middle[0], b[1]])
    } else if (width * height < this.#page.width * this.#page.height * background) this.#edges(a, b)
  }

  /**
   * Gradients are drawn as stripes without gaps, so an area that touches the side of the previous one is not
   * a line.
   */
  #isStripe(a: Point, b: Point): boolean {
    const [left, right] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])]
    const [low, high] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])]
    const last = this.#stripe
    this.#stripe = { left, right, low, high }
    if (last === undefined) return false
    // Lines that continue at the end of the previous one are not stripes, which are side by side.
    const [tall, wide] = [high - low > right - left, right - left > high - low]
    const sideways = tall && Math.abs(last.low - low) < straight && Math.abs(last.high - high) < straight
    const isStraight =
      wide && Math.abs(last.left - left) < straight && Math.abs(last.right - right) < straight
    const gap = sideways
      ? Math.max(left - last.right, last.left - right)
      : isStraight
        ? Math.max(low - last.high, last.low - high)
        : thickest
    return gap < straight
  }

  #edges([ax, ay]: Point, [bx, by]: Point): void {
    this.#add([ax, ay], [bx, ay])
    this.#add([ax, by], [bx, by])
    this.#add([ax, ay], [ax, by])
    this.#add([bx, ay], [bx, by])
  }

  #add(a: Point, b: Point): void {
    const [p, q] = [toDisplayed(a, this.#page), toDisplayed(b, this.#page)]
    const [width, height] = [Math.abs(p[0] - q[0]), Math.abs(p[1] - q[1])]
    const across = height < straight
    if ((!across && width >= straight) || Math.max(width, height) < shortest) return
    const along = across ? 0 : 1
    this.rulings.push({
      across,
      at: (p[(1 - along) as 0 | 1] + q[(1 - along) as 0 | 1]) / 2,
      from: Math.min(p[along], q[along]),
      to: Math.max(p[along], q[along]),
    })
  }

  #form(call: string, resources: PdfDict | undefined, matrix: Matrix, depth: number): void {
    const name = /\/([^\s/]+)\s+Do$/.exec(call)?.[1]
    const objects = resources === undefined ? undefined : this.#document.dictAt(resources, 'XObject')
    const form = name === undefined ? null : this.#document.resolve(objects?.get(name) ?? null)
    if (!(form instanceof PdfStream) || depth >= maxFormDepth) return
    if (!isName(this.#document.resolve(form.dict.get('Subtype')), 'Form')) return
    const content = contentOf(this.#document, form)
    if (content === undefined) return
    const formMatrix = numbersOf(this.#document, form.dict.get('Matrix'))
    const inner = this.#document.dictAt(form.dict, 'Resources') ?? resources
    this.read(
      binaryText(content),
      inner,
      formMatrix.length === 6 ? times(formMatrix, matrix) : matrix,
      depth + 1,
    )
  }
}
