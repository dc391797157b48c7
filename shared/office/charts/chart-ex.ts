/**
 * The markup of the newer charts of Office (waterfall, treemap, sunburst, histogram, funnel ...) before and after a
 * render. Their dimensions keep values beside the addresses of the embedded workbook, which has the tags: addresses and
 * values are read from the workbook that a render wrote. Source: [MS-ODRAWXML] 2.24.3 (CT_Data, CT_NumericDimension,
 * CT_StringDimension); template language 22.3.
 */
import type { Addresses } from '../../template/package.ts'
import { decodeEntities } from '../../template/scan/xml.ts'
import { escapeText } from '../markup.ts'
import type { Area } from './book.ts'
import type { DrawnBook } from './chart-part.ts'

/** An empty one ends with itself: looking for its end would take the rest of the part, for each anew. */
const dimensions = /<((?:\w+:)?)(strDim|numDim)\b[^<>]*(?<!\/)>.*?<\/\1\2>/gs
const formula = /<((?:\w+:)?)f\b([^<>]*)>([^<]*)<\/\1f>/
const levels = /<((?:\w+:)?)lvl\b(?:[^<>]*\/>|[^<>]*>.*?<\/\1lvl>)/gs

const formulaOf = (dimension: string): string => decodeEntities(formula.exec(dimension)?.[3] ?? '').trim()

/** The addresses whose cells are numbers. */
export function numberAddressesEx(chart: string): string[] {
  return [...chart.matchAll(dimensions)].flatMap(([dimension, , kind]) => {
    const address = formulaOf(dimension)
    return kind === 'numDim' && address !== '' ? [address] : []
  })
}

/** The part as the compiler gets it: values that will be read anew say nothing. */
export function beforeRenderEx(chart: string, addresses: Addresses | undefined): string {
  return chart.replace(dimensions, (dimension) =>
    addresses?.changes(formulaOf(dimension)) === true
      ? dimension.replace(/<((?:\w+:)?)pt\b(?:[^<>]*\/>|[^<>]*>.*?<\/\1pt>)/gs, '')
      : dimension,
  )
}

/** The part as it is stored. */
export function afterRenderEx(chart: string, drawn: DrawnBook | undefined): string {
  if (drawn === undefined) return chart
  const { addresses, scope, book } = drawn
  return chart.replace(dimensions, (dimension, _prefix: string, kind: string) => {
    const address = formulaOf(dimension)
    if (address === '' || !addresses.changes(address)) return dimension
    const now = addresses.follow(address, scope, 'columns')?.[0]
    const area = now === undefined ? [] : book.area(now)
    if (area === undefined) return dimension
    const moved = dimension.replace(formula, (element, prefix: string, attributes: string) =>
      now === undefined ? element : `<${prefix}f${attributes}>${escapeText(now)}</${prefix}f>`,
    )
    let done = false
    return moved.replace(levels, (level, prefix: string) => {
      if (done) return ''
      done = true
      return leveled(area, kind === 'numDim', prefix, /\sformatCode="[^"]*"/.exec(level)?.[0] ?? '')
    })
  })
}

/** The innermost level, the last column of its area, comes first. A row of numbers is one level. */
function leveled(area: Area, isNumber: boolean, prefix: string, format: string): string {
  const width = isNumber || area.length === 1 ? 1 : (area[0]?.length ?? 1)
  const columns =
    width === 1
      ? [area.flat()]
      : Array.from({ length: width }, (_, at) => area.map((row) => row[width - 1 - at]))
  return columns
    .map((cells) => {
      const points = cells.map((cell, at) =>
        cell === undefined || (isNumber && cell.number === undefined)
          ? ''
          : `<${prefix}pt idx="${at}">${escapeText(cell.text)}</${prefix}pt>`,
      )
      return `<${prefix}lvl ptCount="${cells.length}"${format}>${points.join('')}</${prefix}lvl>`
    })
    .join('')
}
