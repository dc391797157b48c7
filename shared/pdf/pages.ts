import { AppError } from '../errors/app-error.ts'
import type { PdfDocument } from './document.ts'
import { tooLarge } from './limits.ts'
import { dict, isName, name, PdfDict, PdfRef, type PdfValue } from './values.ts'

export interface PdfPage {
  readonly id: number // 0: the page stands directly in its tree
  readonly dict: PdfDict
  /** MediaBox, CropBox, Rotate and Resources as they hold for this page. */
  readonly inherited: ReadonlyMap<string, PdfValue>
}

const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const

/**
 * The pages in their order. Cycles and what is neither page nor tree are passed over.
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
      const own = node.get(key)
      if (own !== null) inherited.set(key, own)
    }
    const kids = document.resolve(node.get('Kids'))
    if (Array.isArray(kids) && !isName(document.resolve(node.get('Type')), 'Page')) {
      for (const kid of kids) walk(kid, inherited, level + 1)
      return
    }
    if (isName(document.resolve(node.get('Type')), 'Pages')) return // a tree without leaves
    if (pages.length >= limits.pages) throw tooLarge('pages', limits.pages)
    pages.push({ id: value instanceof PdfRef ? value.id : 0, dict: node, inherited })
  }
}

/** What is shown of a page, in its own units and origin. */
export interface PageGeometry {
  readonly x: number
  readonly y: number
  readonly width: number // user units, before rotation
  readonly height: number
  readonly rotate: 0 | 90 | 180 | 270 // clockwise, when shown
  readonly unit: number // pt in one user unit
}

const letterPaper: Box = [0, 0, 612, 792]
type Box = readonly [left: number, bottom: number, right: number, top: number]

/** The crop box within the media box, as readers show it. ISO 32000-2, 14.11.2. */
export function pageGeometry(document: PdfDocument, page: PdfPage): PageGeometry {
  const media = readBox(document, page.inherited.get('MediaBox') ?? null) ?? letterPaper
  const crop = readBox(document, page.inherited.get('CropBox') ?? null) ?? media
  const left = Math.max(media[0], crop[0])
  const bottom = Math.max(media[1], crop[1])
  const right = Math.min(media[2], crop[2])
  const top = Math.min(media[3], crop[3])
  const shown = right > left && top > bottom ? ([left, bottom, right, top] as const) : media
  const turn = document.resolve(page.inherited.get('Rotate') ?? null)
  const quarter = typeof turn === 'number' ? ((Math.round(turn / 90) % 4) + 4) % 4 : 0
  const unit = document.resolve(page.dict.get('UserUnit'))
  return {
    x: shown[0],
    y: shown[1],
    width: shown[2] - shown[0],
    height: shown[3] - shown[1],
    rotate: (quarter * 90) as PageGeometry['rotate'],
    unit: typeof unit === 'number' && unit > 0 && unit <= 75_000 ? unit : 1,
  }
}

function readBox(document: PdfDocument, value: PdfValue): Box | undefined {
  const corners = document.resolve(value)
  if (!Array.isArray(corners) || corners.length < 4) return undefined
  const [a, b, c, d] = corners.map((corner) => document.resolve(corner))
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number') {
    return undefined
  }
  const box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)] as const
  return box[2] > box[0] && box[3] > box[1] ? box : undefined
}

/**
 * Keeps these pages, in this order, in a new and flat tree. What referred to a page left out refers to nothing, and
 * its form fields go with it; page labels would count wrongly and go too. Returns the pages of the new tree.
 */
export function selectPages(
  document: PdfDocument,
  all: readonly PdfPage[],
  numbers: readonly number[], // 1-based
): readonly PdfPage[] {
  const kept = new Set(numbers)
  dropOthers(
    document,
    all.filter((_, index) => !kept.has(index + 1)),
    all.filter((_, index) => kept.has(index + 1)),
  )
  const tree = dict({ Type: name('Pages') })
  const parent = document.put(tree)
  const used = new Set<number>()
  const kids: PdfRef[] = []
  const pages: PdfPage[] = []
  for (const number of numbers) {
    const page = all[number - 1]!
    const again = page.id === 0 || used.has(page.id)
    const leaf = again ? page.dict.copy() : page.dict
    used.add(page.id)
    for (const [key, value] of page.inherited) leaf.set(key, value)
    leaf.set('Parent', parent)
    leaf.delete('B') // article threads run over pages that may be gone
    const ref = again ? document.put(leaf) : new PdfRef(page.id)
    kids.push(ref)
    pages.push({ id: ref.id, dict: leaf, inherited: page.inherited })
  }
  tree.set('Kids', kids).set('Count', kids.length)
  document.catalog.set('Pages', parent)
  document.catalog.delete('PageLabels')
  document.catalog.delete('Threads')
  return pages
}

function dropOthers(document: PdfDocument, left: readonly PdfPage[], kept: readonly PdfPage[]): void {
  const annotations = (page: PdfPage): readonly PdfRef[] => {
    const list = document.resolve(page.dict.get('Annots'))
    return Array.isArray(list) ? list.filter((one) => one instanceof PdfRef) : []
  }
  const stay = new Set(kept.flatMap((page) => annotations(page).map(({ id }) => id)))
  const gone = new Set(left.map(({ id }) => id))
  for (const page of left) for (const { id } of annotations(page)) if (!stay.has(id)) gone.add(id)
  const form = document.dictAt(document.catalog, 'AcroForm')
  if (form !== undefined) pruneFields(document, form, 'Fields', gone)
  for (const id of gone) document.drop(id)
}

/** Takes the widgets of pages left out from the fields they belong to, and fields that have none left. */
function pruneFields(document: PdfDocument, form: PdfDict, key: string, gone: Set<number>): void {
  const seen = new Set<PdfDict>()
  prune(form, key, 0)

  function prune(holder: PdfDict, list: string, level: number): boolean {
    if (seen.has(holder) || level > document.limits.depth) return true
    seen.add(holder)
    const kids = document.resolve(holder.get(list))
    if (!Array.isArray(kids)) return true
    const rest = kids.filter((kid) => {
      if (kid instanceof PdfRef && gone.has(kid.id)) return false
      const field = document.resolve(kid)
      if (!(field instanceof PdfDict) || prune(field, 'Kids', level + 1)) return true
      if (kid instanceof PdfRef) gone.add(kid.id)
      return false
    })
    holder.set(list, rest)
    return rest.length > 0 || kids.length === 0
  }
}
