/** The borders of links, which viewers draw over the contents of a page. ISO 32000-2, 12.5.4. */
import { binaryBytes } from '../../bytes.ts'
import type { PdfDocument } from '../model/document.ts'
import { dict, isName, name, type PdfDict, type PdfRef, PdfStream, type PdfValue } from '../model/values.ts'
import { rectOf } from './appearance.ts'
import { isUnseen } from './shown-appearance.ts'

/** Elements of a dash array that are drawn. Viewers accept more, but a pattern has two or four. */
const maxDashes = 8

/** Returns a form XObject, in the coordinates of the page, with the border that a viewer draws for a link; undefined without one. */
export function borderForm(document: PdfDocument, link: PdfDict): PdfRef | undefined {
  const rect = rectOf(document, link)
  const stroke = strokeColor(document, link.get('C'))
  const { width, dashes, isUnderline } = borderStyle(document, link)
  if (rect === undefined || stroke === undefined || width === 0 || isUnseen(document, link)) return undefined
  const [left, bottom, right, top] = rect
  const path = isUnderline
    ? `${numbers(left, bottom)} m ${numbers(right, bottom)} l S`
    : `${numbers(left, bottom, right - left, top - bottom)} re S`
  const operators = `${stroke} ${numbers(width)} w [${numbers(...dashes)}] 0 d ${path}\n`
  const half = width / 2
  const entries = {
    Type: name('XObject'),
    Subtype: name('Form'),
    BBox: [left - half, bottom - half, right + half, top + half],
  }
  return document.put(new PdfStream(dict(entries), binaryBytes(operators)))
}

/** Leaves a link that shows nothing itself. Without /Border a viewer would draw one of one unit. */
export function removeLook(link: PdfDict): void {
  link.delete('AP')
  link.set('Border', [0, 0, 0])
  link.delete('BS')
}

/** The style of /BS, or of the array /Border, which is older. */
function borderStyle(document: PdfDocument, link: PdfDict) {
  const style = document.dictAt(link, 'BS')
  if (style !== undefined) {
    const kind = document.resolve(style.get('S'))
    return {
      width: lengthOf(document.resolve(style.get('W')), 1),
      dashes: isName(kind, 'D') ? dashesOf(document, style.get('D') ?? [3]) : [],
      isUnderline: isName(kind, 'U'),
    }
  }
  const border = document.resolve(link.get('Border'))
  if (!Array.isArray(border)) return { width: 1, dashes: [], isUnderline: false }
  return {
    width: lengthOf(document.resolve(border[2] ?? null), 1),
    dashes: dashesOf(document, border[3] ?? []),
    isUnderline: false,
  }
}

const lengthOf = (value: PdfValue, fallback: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(0, value) : fallback

/** A dash array that can be drawn. One of zeros alone would never end. */
function dashesOf(document: PdfDocument, value: PdfValue): readonly number[] {
  const array = document.resolve(value)
  if (!Array.isArray(array)) return []
  const dashes = array.slice(0, maxDashes).map((dash) => lengthOf(document.resolve(dash), 0))
  return dashes.some((dash) => dash > 0) ? dashes : []
}

/** The operator that sets the colour of /C: black without one, and undefined for the empty array, which means transparent. */
function strokeColor(document: PdfDocument, value: PdfValue): string | undefined {
  const color = document.resolve(value)
  if (!Array.isArray(color)) return '0 G'
  const channels = color.map((channel) => Math.min(1, lengthOf(document.resolve(channel), 0)))
  const operator = { 1: 'G', 3: 'RG', 4: 'K' }[channels.length]
  return operator === undefined ? undefined : `${numbers(...channels)} ${operator}`
}

const numbers = (...values: readonly number[]): string =>
  values.map((value) => String(Math.round(value * 1000) / 1000)).join(' ')
