import { AppError } from '../../errors/app-error.ts'
import type { PdfDocument } from './document.ts'
import { tooLarge } from './limits.ts'
import { isName, PdfDict, PdfRef, type PdfValue } from './values.ts'

export interface PdfPage {
  readonly id: number // of its object; 0 for a page that is a direct object of the tree
  readonly dict: PdfDict
  /** MediaBox, CropBox, Rotate and Resources of this page, inherited ones included. */
  readonly inherited: ReadonlyMap<string, PdfValue>
}

const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const

/**
 * Reads the pages in their order. Cycles and objects that are neither page nor tree are skipped.
 * Throws 'pdf.broken' when there is none, 'pdf.too-large'. ISO 32000-2, 7.7.3.
 */
export function readPages(document: PdfDocument): readonly PdfPage[] {
  const pages: PdfPage[] = []
  const seen = new Set<PdfDict>()
  walk(document.catalog.get('Pages'), new Map(), 0)
  if (pages.length === 0) throw new AppError('pdf.broken', { because: 'it has no pages' })
  return pages

  function walk(value: PdfValue, above: ReadonlyMap<string, PdfValue>, level: number): void {
    const { limits } = document
    const node = document.resolve(value)
    if (!(node instanceof PdfDict) || seen.has(node)) return
    seen.add(node)
    if (level > limits.depth) throw tooLarge('levels of its page tree', limits.depth)
    const inherited = new Map(above)
    for (const key of inheritable) {
      const value = node.get(key)
      if (value !== null) inherited.set(key, value)
    }
    const children = document.resolve(node.get('Kids'))
    if (Array.isArray(children) && !isName(document.resolve(node.get('Type')), 'Page')) {
      for (const child of children) walk(child, inherited, level + 1)
      return
    }
    if (isName(document.resolve(node.get('Type')), 'Pages')) return // a tree without leaves
    if (pages.length >= limits.pages) throw tooLarge('pages', limits.pages)
    pages.push({ id: value instanceof PdfRef ? value.id : 0, dict: node, inherited })
  }
}

/** The visible rectangle of a page, in the units and with the origin of the page. */
export interface PdfPageGeometry {
  readonly x: number
  readonly y: number
  readonly width: number // user units, before rotation
  readonly height: number
  readonly rotate: 0 | 90 | 180 | 270 // clockwise, when shown
  readonly unit: number // pt in one user unit
}

const letterPaper: PageBox = [0, 0, 612, 792]
export type PageBox = readonly [left: number, bottom: number, right: number, top: number]

/** The medium of a page. ISO 32000-2, 14.11.2. */
export function mediaBox(document: PdfDocument, page: PdfPage): PageBox {
  return readBox(document, page.inherited.get('MediaBox') ?? null) ?? letterPaper
}

/** The crop box within the media box, as readers show it. ISO 32000-2, 14.11.2. */
export function pageGeometry(document: PdfDocument, page: PdfPage): PdfPageGeometry {
  const media = mediaBox(document, page)
  const crop = readBox(document, page.inherited.get('CropBox') ?? null) ?? media
  const left = Math.max(media[0], crop[0])
  const bottom = Math.max(media[1], crop[1])
  const right = Math.min(media[2], crop[2])
  const top = Math.min(media[3], crop[3])
  const shown = right > left && top > bottom ? ([left, bottom, right, top] as const) : media
  const rotation = document.resolve(page.inherited.get('Rotate') ?? null)
  // Readers ignore any other angle. ISO 32000-2, table 31.
  const isQuarter = typeof rotation === 'number' && rotation % 90 === 0
  const quarter = isQuarter ? (((rotation / 90) % 4) + 4) % 4 : 0
  const unit = document.resolve(page.dict.get('UserUnit'))
  return {
    x: shown[0],
    y: shown[1],
    width: shown[2] - shown[0],
    height: shown[3] - shown[1],
    rotate: (quarter * 90) as PdfPageGeometry['rotate'],
    unit: typeof unit === 'number' && unit > 0 && unit <= 75_000 ? unit : 1,
  }
}

function readBox(document: PdfDocument, value: PdfValue): PageBox | undefined {
  const corners = document.resolve(value)
  if (!Array.isArray(corners) || corners.length < 4) return undefined
  const [a, b, c, d] = corners.map((corner) => document.resolve(corner))
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number') {
    return undefined
  }
  const box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)] as const
  return box[2] > box[0] && box[3] > box[1] ? box : undefined
}
