import type { PdfDocument } from './document.ts'
import { numberTreeEntries } from './name-tree.ts'
import { dict, PdfDict, PdfName, PdfString, type PdfValue } from './values.ts'

/** The number of one page that viewers show. ISO 32000-2, 12.4.2. */
export interface PageLabel {
  /** The name of a numbering style, such as `D` or `r`; absent when the label is its prefix alone. */
  readonly style: string | undefined
  readonly prefix: string // the bytes of its PDF string
  readonly number: number // from 1
}

/** Reads the labels of all pages in order; undefined for a document without page labels. */
export function readPageLabels(document: PdfDocument, pageCount: number): readonly PageLabel[] | undefined {
  const root = document.catalog.get('PageLabels')
  if (root === null) return undefined
  const ranges = new Map(
    numberTreeEntries(document, root).map(([first, range]) => [first, document.resolve(range)]),
  )
  const labels: PageLabel[] = []
  let label = decimal(0)
  for (let index = 0; index < pageCount; index++) {
    const range = ranges.get(index)
    label = range instanceof PdfDict ? firstOf(document, range) : { ...label, number: label.number + 1 }
    labels.push(label)
  }
  return labels
}

/** Labels that show the pages of a document as 1, 2, 3. */
export function defaultPageLabels(pageCount: number): readonly PageLabel[] {
  return Array.from({ length: pageCount }, (_, index) => decimal(index + 1))
}

/** Replaces the labels of a document; undefined removes them. Pages that continue the numbering share a range. */
export function writePageLabels(document: PdfDocument, labels: readonly PageLabel[] | undefined): void {
  if (labels === undefined) {
    document.catalog.delete('PageLabels')
    return
  }
  const ranges: PdfValue[] = []
  for (const [index, label] of labels.entries()) {
    const before = labels[index - 1]
    if (before !== undefined && continues(before, label)) continue
    const { style, prefix, number } = label
    const range = dict({ Type: new PdfName('PageLabel') })
    if (style !== undefined) range.set('S', new PdfName(style))
    if (prefix !== '') range.set('P', new PdfString(prefix))
    if (number !== 1) range.set('St', number)
    ranges.push(index, range)
  }
  document.catalog.set('PageLabels', document.put(dict({ Nums: ranges })))
}

function decimal(number: number): PageLabel {
  return { style: 'D', prefix: '', number }
}

function firstOf(document: PdfDocument, range: PdfDict): PageLabel {
  const [style, prefix, start] = ['S', 'P', 'St'].map((key) => document.resolve(range.get(key)))
  return {
    style: style instanceof PdfName ? style.text : undefined,
    prefix: prefix instanceof PdfString ? prefix.raw : '',
    number: typeof start === 'number' && Number.isInteger(start) && start >= 1 ? start : 1,
  }
}

function continues(before: PageLabel, label: PageLabel): boolean {
  return label.style === before.style && label.prefix === before.prefix && label.number === before.number + 1
}
