/**
 * The markup of the newer charts of Office (waterfall, treemap, sunburst, histogram, funnel ...) before and after a
 * render. Their dimensions store values together with the addresses of the embedded workbook, which contains the
 * tags: addresses and values are read from the workbook that a render wrote. Source: [MS-ODRAWXML] 2.24.3 (CT_Data,
 * CT_NumericDimension, CT_StringDimension); template language 22.3.
 */
import type { Addresses } from '../../template/package.ts'
import { escapeText } from '../../xml/markup.ts'
import {
  childrenOf,
  descendants,
  editTree,
  element,
  firstChild,
  readRoot,
  removeChildren,
  replaceChildren,
  textIn,
  type XmlElement,
} from '../../xml/tree.ts'
import type { BookArea } from './book.ts'
import type { DrawnBook } from './chart-part.ts'

const dimensions = ['cx:strDim', 'cx:numDim']
const addressOf = (dimension: XmlElement): string => textIn(firstChild(dimension, 'cx:f')).trim()

/** The addresses whose cells are numbers. */
export function numberAddressesEx(chart: string): string[] {
  const root = readRoot(chart)
  const holders = root === undefined ? [] : [...descendants(root, 'cx:numDim')]
  return holders.map(addressOf).filter((address) => address !== '')
}

/** The part as the compiler reads it: without cached values that will be read from the merged workbook. */
export function beforeRenderEx(chart: string, addresses: Addresses | undefined): string {
  return editTree(chart, (root) => {
    let changed = false
    for (const dimension of descendants(root, ...dimensions)) {
      if (addresses?.changes(addressOf(dimension)) !== true) continue
      for (const level of childrenOf(dimension, 'cx:lvl'))
        changed = removeChildren(level, ({ name }) => name === 'cx:pt') || changed
    }
    return changed
  })
}

/** The part as it is stored. */
export function afterRenderEx(chart: string, drawnBook: DrawnBook | undefined): string {
  if (drawnBook === undefined) return chart
  return editTree(chart, (root) => {
    for (const dimension of descendants(root, ...dimensions)) refill(dimension, drawnBook)
    return true
  })
}

function refill(dimension: XmlElement, { addresses, scope, book }: DrawnBook): void {
  const address = addressOf(dimension)
  if (address === '' || !addresses.changes(address)) return
  const movedAddress = addresses.follow(address, scope, 'columns')?.[0]
  const area = movedAddress === undefined ? [] : book.area(movedAddress)
  if (area === undefined) return
  const formula = firstChild(dimension, 'cx:f')
  if (formula !== undefined && movedAddress !== undefined) formula.children = [escapeText(movedAddress)]
  let isReplaced = false
  replaceChildren(dimension, (level) => {
    if (level.name !== 'cx:lvl') return undefined
    if (isReplaced) return []
    isReplaced = true
    const format = level.attributes.get('formatCode')
    return levels(area, dimension.name === 'cx:numDim', format === undefined ? {} : { formatCode: format })
  })
}

/** The innermost level, the last column of its area, comes first. A row of numbers is one level. */
function levels(area: BookArea, isNumber: boolean, format: Readonly<Record<string, string>>): XmlElement[] {
  const width = isNumber || area.length === 1 ? 1 : (area[0]?.length ?? 1)
  const columns =
    width === 1
      ? [area.flat()]
      : Array.from({ length: width }, (_, level) => area.map((row) => row[width - 1 - level]))
  return columns.map((cells) => {
    const points = cells.flatMap((cell, index) =>
      cell === undefined || (isNumber && cell.number === undefined)
        ? []
        : [element('cx:pt', { idx: String(index) }, escapeText(cell.text))],
    )
    return { ...element('cx:lvl', { ptCount: String(cells.length), ...format }), children: points }
  })
}
