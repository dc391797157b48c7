/**
 * The markup of a chart of Office Open XML before and after a render. A chart stores the values that it draws
 * together with the addresses of the workbook that they come from. If the workbook contains the tags, addresses and
 * values are read from the merged workbook. If the chart itself contains them, its points repeat like any text and
 * are numbered afterwards. Source: template language 22.3; ECMA-376-1, clause 21.2.
 */

import { maxOf } from '../../extremes.ts'
import type { Addresses } from '../../template/package.ts'
import type { RenderScope } from '../../template/scope.ts'
import { escapeText, hasTag } from '../../xml/markup.ts'
import {
  childrenOf,
  cloneElement,
  descendants,
  editTree,
  element,
  firstChild,
  readRoot,
  removeChildren,
  replaceChildren,
  textIn,
  writeElement,
  type XmlElement,
  type XmlNode,
} from '../../xml/tree.ts'
import { a1 } from '../sheet/formula.ts'
import { numberOf } from '../sheet/typed.ts'
import type { Book, BookArea, BookCell } from './book.ts'

/** References to cells, each with a cache of their values. */
const references = ['c:strRef', 'c:numRef', 'c:multiLvlStrRef', 'c15:datalabelsRange']
const caches = ['c:strCache', 'c:numCache', 'c:multiLvlStrCache', 'c15:dlblRangeCache']
/** Elements with the numbers that are drawn: heights, positions of points, sizes of bubbles. */
const numericHolders = ['c:val', 'c:xVal', 'c:yVal', 'c:bubbleSize']
/** The value of `c:ptCount` that marks a cache whose points are counted after the render. */
const uncounted = ''

const formulaIn = (reference: XmlElement | undefined): XmlElement | undefined =>
  firstChild(reference, 'c:f') ?? firstChild(reference, 'c15:f')
const cacheIn = (reference: XmlElement): XmlElement | undefined =>
  childrenOf(reference, ...caches).next().value
const addressOf = (reference: XmlElement | undefined): string => textIn(formulaIn(reference)).trim()

/** The reference that a holder of values or of a title has. */
const referenceIn = (holder: XmlElement | undefined): XmlElement | undefined =>
  holder && descendants(holder, ...references).next().value

/** The addresses of cells that are drawn as numbers, so that lone tags in them become numbers. */
export function numberAddresses(chart: string): string[] {
  const addresses = new Set<string>()
  const root = readRoot(chart)
  for (const holder of root === undefined ? [] : descendants(root, ...numericHolders)) {
    const address = addressOf(referenceIn(holder))
    if (address !== '') addresses.add(address)
  }
  return [...addresses]
}

/**
 * The part as the compiler receives it. Caches that will be filled from the workbook lose their points, which contain
 * tags of the workbook; caches with tags of their own are marked for counting.
 */
export function beforeRender(chart: string, addresses: Addresses | undefined): string {
  return editTree(chart, (root) => {
    let changed = false
    for (const reference of descendants(root, ...references)) {
      const cache = cacheIn(reference)
      if (cache === undefined) continue
      if (addresses?.changes(addressOf(reference)) === true) {
        changed = removeChildren(cache, ({ name }) => name === 'c:pt' || name === 'c:lvl') || changed
      } else if (hasTag(writeElement(cache))) {
        for (const count of descendants(reference, 'c:ptCount')) count.attributes.set('val', uncounted)
        changed = true
      }
    }
    return changed
  })
}

/** The merged workbook that a chart draws. */
export interface DrawnBook {
  readonly book: Book
  readonly addresses: Addresses // where areas of its template have moved
  readonly scope: RenderScope // of the workbook's render
}

/** The part as it is stored. `drawn` is undefined if the chart does not draw a merged workbook. */
export function afterRender(chart: string, drawnBook: DrawnBook | undefined): string {
  return editTree(chart, (root) => {
    let changed = drawnBook !== undefined
    for (const reference of descendants(root, ...references)) changed = recount(reference) || changed
    if (drawnBook !== undefined) drawFrom(root, drawnBook)
    for (const holder of descendants(root, ...numericHolders)) changed = makeNumeric(holder) || changed
    return numberSeries(root) || changed
  })
}

// ----------------------------------------------------------------------------------------- points of the chart's own

/** Counts and numbers the points that a render wrote. Returns whether the reference was marked. */
function recount(reference: XmlElement): boolean {
  const cache = cacheIn(reference)
  const total = firstChild(cache, 'c:ptCount')
  if (cache === undefined || total?.attributes.get('val') !== uncounted) return false
  const levels = [...childrenOf(cache, 'c:lvl')]
  const counts = (levels.length === 0 ? [cache] : levels).map((level) =>
    countPoints(level, cache.name === 'c:numCache'),
  )
  const count = maxOf(counts)
  total.attributes.set('val', String(count))
  if (count > 0) lengthen(reference, count)
  return true
}

/** Numbers the points of a level. Points without a value are removed, and their number is not reused. */
function countPoints(level: XmlElement, isNumeric: boolean): number {
  let count = 0
  removeChildren(level, (point) => {
    if (point.name !== 'c:pt') return false
    const value = textIn(firstChild(point, 'c:v'))
    point.attributes.delete('idx')
    point.attributes.set('idx', String(count))
    count += 1
    return value === '' || (isNumeric && numberOf(value) === undefined)
  })
  return count
}

/** Extends the address of a row or column to as many cells as there are points. */
function lengthen(reference: XmlElement, count: number): void {
  const [token, ...others] = a1.parse(addressOf(reference))
  if (typeof token !== 'object' || others.length > 0 || token.range.to === undefined) return
  const { from, to } = token.range
  if (from.row === undefined || from.column === undefined) return
  const range =
    from.column === to.column
      ? { from, to: { ...to, row: from.row + count - 1 } }
      : { from, to: { ...to, column: from.column + count - 1 } }
  setFormula(reference, a1.write(token, range))
}

function setFormula(reference: XmlElement, address: string): void {
  const formula = formulaIn(reference)
  if (formula !== undefined) formula.children = [escapeText(address)]
}

// --------------------------------------------------------------------------------------------- points of a workbook

/** Far more series than a chart can show; Excel draws 255. */
const maxSeries = 1_000

/** Fills all references from the workbook. */
function drawFrom(root: XmlElement, drawnBook: DrawnBook): void {
  const visit = (parent: XmlElement): void => {
    replaceChildren(parent, (child) => {
      if (child.name === 'c:ser') return copies(child, drawnBook)
      if (references.includes(child.name)) refill(child, parent, drawnBook, 0, 'columns')
      else visit(child)
      return undefined
    })
  }
  visit(root)
}

/** Writes a series whose column or row repeats in the workbook once for each copy. */
function copies(series: XmlElement, drawnBook: DrawnBook): XmlElement[] {
  const values = referenceIn(childrenOf(series, 'c:val', 'c:yVal').next().value)
  const title = firstChild(series, 'c:tx')
  const split = splitOf(addressOf(values))
  const areas = [values, referenceIn(title)].flatMap((reference) => {
    const address = addressOf(reference)
    return address === '' || !drawnBook.addresses.changes(address)
      ? []
      : [drawnBook.addresses.follow(address, drawnBook.scope, split)?.length ?? 1]
  })
  if (areas.length === 0) return [series]
  // A removed column removes its series. If there is no title, only the rows may have been removed, so the series
  // stays.
  const min = title === undefined ? 1 : 0
  const count = Math.min(maxSeries, Math.max(min, maxOf(areas)))
  return Array.from({ length: count }, (_, copyIndex) => {
    const copy = cloneElement(series)
    for (const parent of parentsOf(copy))
      for (const reference of childrenOf(parent, ...references))
        refill(reference, parent, drawnBook, copyIndex, split)
    colour(copy, copyIndex)
    return copy
  })
}

/** The elements that contain references, so that each reference is found together with its parent. */
function parentsOf(root: XmlElement): readonly XmlElement[] {
  const parents = new Set<XmlElement>()
  const visit = (parent: XmlElement): void => {
    for (const child of childrenOf(parent)) {
      if (references.includes(child.name)) parents.add(parent)
      visit(child)
    }
  }
  visit(root)
  return [...parents]
}

/**
 * Whether the copies of a series follow each other as columns or as rows: a series whose values are side by side is a
 * row.
 */
function splitOf(address: string): 'columns' | 'rows' {
  const [token] = a1.parse(address)
  if (typeof token !== 'object' || token.range.to === undefined) return 'columns'
  const { from, to } = token.range
  return from.row === to.row && from.column !== to.column ? 'rows' : 'columns'
}

/** Copies get the theme colours after that of the first series, as a chart with as many series would have. */
function colour(series: XmlElement, copyIndex: number): void {
  if (copyIndex === 0) return
  for (const { attributes } of descendants(series, 'a:schemeClr')) {
    const accent = /^accent([1-6])$/.exec(attributes.get('val') ?? '')?.[1]
    if (accent !== undefined) attributes.set('val', `accent${((Number(accent) - 1 + copyIndex) % 6) + 1}`)
  }
}

/** Makes a reference refer to copy number `copyIndex` of its area, and fills its cache from that area. */
function refill(
  reference: XmlElement,
  parent: XmlElement,
  drawnBook: DrawnBook,
  copyIndex: number,
  split: 'columns' | 'rows',
): void {
  const { addresses, scope, book } = drawnBook
  const address = addressOf(reference)
  const areas =
    address === '' || !addresses.changes(address) ? undefined : addresses.follow(address, scope, split)
  if (areas !== undefined) {
    const movedAddress = areas[copyIndex] ?? areas[0]
    const cells = movedAddress === undefined ? [] : book.area(movedAddress)
    if (cells !== undefined) {
      if (movedAddress !== undefined) setFormula(reference, movedAddress)
      const cache = cacheIn(reference)
      if (cache !== undefined) writeCells(cache, cells)
    }
  }
  if (parent.name === 'c:cat') cacheTexts(reference, drawnBook)
}

/** Stores categories that are texts after the render as texts, where the template had numbers or dates. */
function cacheTexts(reference: XmlElement, { book }: DrawnBook): void {
  const cache = firstChild(reference, 'c:numCache')
  if (cache === undefined) return
  const cells = book.area(addressOf(reference))?.flat() ?? []
  if (!cells.some((cell) => cell !== undefined && cell.number === undefined)) return
  reference.name = 'c:strRef'
  cache.name = 'c:strCache'
  removeChildren(cache, (child) => child.name === 'c:formatCode')
  writeCells(cache, [cells])
}

function writeCells(cache: XmlElement, cells: BookArea): void {
  const children = (name: string): XmlNode[] => [...childrenOf(cache, name)]
  const extensions = [...children('c:extLst'), ...children('c15:extLst')]
  const count = (n: number) => element('c:ptCount', { val: String(n) })
  const point = (value: BookCell | undefined, index: number): XmlElement[] =>
    value === undefined || (cache.name === 'c:numCache' && value.number === undefined)
      ? []
      : [element('c:pt', { idx: String(index) }, element('c:v', {}, escapeText(value.text)))]
  if (cache.name !== 'c:multiLvlStrCache') {
    const values = cells.flat()
    cache.children = [
      ...children('c:formatCode'),
      count(values.length),
      ...values.flatMap(point),
      ...extensions,
    ]
    return
  }
  // The innermost level, the last column, comes first. An outer category is named in its first row.
  const width = cells[0]?.length ?? 0
  const levels = Array.from({ length: width }, (_, level) => cells.map((row) => row[width - 1 - level]))
  cache.children = [
    count(cells.length),
    ...levels.map((level) => ({ ...element('c:lvl', {}), children: level.flatMap(point) })),
    ...extensions,
  ]
}

// ------------------------------------------------------------------------------------------------------------ the rest

/** Stores values that are numbers after the render as numbers, because applications draw texts as zero. */
function makeNumeric(holder: XmlElement): boolean {
  const reference = firstChild(holder, 'c:strRef')
  const cache = firstChild(reference, 'c:strCache')
  if (reference === undefined || cache === undefined) return false
  const points = [...descendants(cache, 'c:v')].map((value) => numberOf(textIn(value)))
  if (points.length === 0 || points.includes(undefined)) return false
  reference.name = 'c:numRef'
  cache.name = 'c:numCache'
  return true
}

/** The extension that identifies a series in an editor's history ([MS-ODRAWXML], c16:uniqueId). Copies would share it. */
const identity = '{C3380CC4-5D6E-409C-BE32-E72D297353CC}'

/** Gives each series a unique index and order, if copies share them. */
function numberSeries(root: XmlElement): boolean {
  const allSeries = [...descendants(root, 'c:ser')]
  const indexes = allSeries.map((series) => firstChild(series, 'c:idx')?.attributes.get('val'))
  if (new Set(indexes).size === indexes.length) return false
  allSeries.forEach((series, number) => {
    for (const numbering of childrenOf(series, 'c:idx', 'c:order'))
      numbering.attributes.set('val', String(number))
    dropIdentity(series)
  })
  return true
}

function dropIdentity(parent: XmlElement): void {
  removeChildren(parent, (child) => {
    if (child.name !== 'c:extLst') {
      dropIdentity(child)
      return false
    }
    const changed = removeChildren(
      child,
      (extension) => extension.name === 'c:ext' && extension.attributes.get('uri') === identity,
    )
    return changed && childrenOf(child).next().done === true
  })
}
