/**
 * The markup of a chart of Office Open XML before and after a render. A chart keeps the values it draws beside the
 * addresses of the workbook they come from. Where the workbook has the tags, addresses and values are read from the
 * workbook a render wrote; where the chart itself has them, its points repeat like any text and are numbered afterwards.
 * Source: template language 22.3; ECMA-376-1, clause 21.2.
 */

import type { Addresses } from '../../template/package.ts'
import { decodeEntities } from '../../template/scan/xml.ts'
import type { RenderScope } from '../../template/scope.ts'
import { escapeText, hasTag } from '../markup.ts'
import { a1 } from '../sheet/formula.ts'
import { numberOf } from '../sheet/typed.ts'
import type { Area, Book, BookCell } from './book.ts'

/** A reference to cells with the values last seen there. */
const references =
  /<((?:\w+:)?)(strRef|numRef|multiLvlStrRef)>(.*?)<\/\1\2>|<(c15:)(datalabelsRange)>(.*?)<\/c15:datalabelsRange>/gs
const cached = /<((?:\w+:)?)(strCache|numCache|multiLvlStrCache|dlblRangeCache)>.*?<\/\1\2>/s
const formula = /<((?:\w+:)?)f>([^<]*)<\/\1f>/
/** What the number of points says where they are counted after the render. */
const uncounted = 'val=""'
const numeric = /<((?:\w+:)?)(val|xVal|yVal|bubbleSize)>.*?<\/\1\2>/gs

const formulaOf = (reference: string): string => decodeEntities(formula.exec(reference)?.[2] ?? '').trim()

/** The addresses whose cells are numbers. */
export function numberAddresses(chart: string): string[] {
  const found = new Set<string>()
  for (const [values] of chart.matchAll(numeric)) {
    const address = formulaOf(values)
    if (address !== '') found.add(address)
  }
  return [...found]
}

/** The part as the compiler gets it. */
export function beforeRender(chart: string, addresses: Addresses | undefined): string {
  return chart.replace(references, (whole) => {
    const tagged = hasTag(cached.exec(whole)?.[0] ?? '')
    if (addresses?.changes(formulaOf(whole)) === true) return whole.replace(cached, emptied)
    return tagged ? whole.replace(/(ptCount\b[^<>]*?)\sval="[^"]*"/g, `$1 ${uncounted}`) : whole
  })
}

const emptied = (cache: string): string =>
  cache
    .replace(/<((?:\w+:)?)pt\b(?:[^<>]*\/>|[^<>]*>.*?<\/\1pt>)/gs, '')
    .replace(/<((?:\w+:)?)lvl>.*?<\/\1lvl>/gs, '')

export interface DrawnBook {
  readonly book: Book
  readonly addresses: Addresses
  readonly scope: RenderScope // of the workbook's render
}

/** The part as it is stored. */
export function afterRender(chart: string, drawn: DrawnBook | undefined): string {
  const counted = recounted(chart)
  const filled = drawn === undefined ? counted : drawnFrom(counted, drawn)
  return numbered(typed(filled))
}

// ----------------------------------------------------------------------------------------- points of the chart's own

function recounted(chart: string): string {
  return chart.replace(references, (whole) => {
    if (!whole.includes(uncounted)) return whole
    let most = 0
    const now = whole.replace(
      /(<((?:\w+:)?)ptCount\b[^<>]*?\s)val=""([^<>]*>)(.*?)(?=<\/(?:\w+:)?(?:\w+Cache|lvl)>)/gs,
      (_, head: string, _prefix: string, tail: string, points: string) => {
        let count = 0
        const isNumber = whole.includes('numCache>')
        const kept = points.replace(
          /<((?:\w+:)?)pt\b([^<>]*)(?<!\/)>(.*?)<\/\1pt>/gs,
          (point, prefix, attributes: string) => {
            const value = decodeEntities(/<(?:\w+:)?v>([^<]*)</.exec(point)?.[1] ?? '')
            const index = count
            count += 1
            if (value === '' || (isNumber && numberOf(value) === undefined)) return ''
            return `<${prefix}pt${attributes.replace(/\sidx="[^"]*"/, '')} idx="${index}">${point.slice(point.indexOf('>') + 1)}`
          },
        )
        most = Math.max(most, count)
        return `${head}val="${count}"${tail}${kept}`
      },
    )
    return now.replace(formula, (element, prefix: string) => {
      const [token, ...more] = a1.parse(formulaOf(element))
      if (typeof token !== 'object' || more.length > 0 || token.range.to === undefined || most === 0)
        return element
      const { from, to } = token.range
      if (from.row === undefined || from.column === undefined) return element
      const range =
        from.column === to.column
          ? { from, to: { ...to, row: from.row + most - 1 } }
          : { from, to: { ...to, column: from.column + most - 1 } }
      return `<${prefix}f>${escapeText(a1.write(token, range))}</${prefix}f>`
    })
  })
}

// --------------------------------------------------------------------------------------------- points of a workbook

const series = /<((?:\w+:)?)ser>.*?<\/\1ser>/gs
const seriesAtMost = 1_000

function drawnFrom(chart: string, drawn: DrawnBook): string {
  const beside = (markup: string) => refilledAll(markup, drawn, 0, 'columns')
  let out = ''
  let from = 0
  for (const found of chart.matchAll(series)) {
    out += beside(chart.slice(from, found.index)) + copies(found[0], drawn)
    from = found.index + found[0].length
  }
  return out + beside(chart.slice(from))
}

/** A series whose column repeats in the workbook is there once for each of its copies. */
function copies(ser: string, drawn: DrawnBook): string {
  const values = /<((?:\w+:)?)(?:val|yVal)>.*?<\/\1(?:val|yVal)>/s.exec(ser)?.[0] ?? ''
  const title = /<((?:\w+:)?)tx>.*?<\/\1tx>/s.exec(ser)?.[0] ?? ''
  const split = splitOf(formulaOf(values))
  const areas = [values, title].flatMap((holder) => {
    const address = formulaOf(holder)
    return address === '' || !drawn.addresses.changes(address)
      ? []
      : [drawn.addresses.follow(address, drawn.scope, split)?.length ?? 1]
  })
  if (areas.length === 0) return ser
  // A column that is gone takes its series along; without a name it may be the rows that are gone.
  const least = title === '' ? 1 : 0
  const count = Math.min(seriesAtMost, Math.max(least, ...areas))
  return Array.from({ length: count }, (_, at) => coloured(refilledAll(ser, drawn, at, split), at)).join('')
}

/** A series in a row has its values side by side. */
function splitOf(address: string): 'columns' | 'rows' {
  const [token] = a1.parse(address)
  if (typeof token !== 'object' || token.range.to === undefined) return 'columns'
  const { from, to } = token.range
  return from.row === to.row && from.column !== to.column ? 'rows' : 'columns'
}

/** Copies take the colours of the theme that follow on the first one's. */
function coloured(ser: string, at: number): string {
  if (at === 0) return ser
  return ser.replace(/(<a:schemeClr val=")accent([1-6])"/g, (_, head: string, accent: string) => {
    return `${head}accent${((Number(accent) - 1 + at) % 6) + 1}"`
  })
}

function refilledAll(markup: string, drawn: DrawnBook, at: number, split: 'columns' | 'rows'): string {
  return markup.replace(references, (whole: string, ...rest: readonly unknown[]) => {
    const [offset, all] = rest.slice(-2) as [number, string]
    const now = refilled(whole, drawn, at, split)
    return /(?:^|[<:])cat>\s*$/.test(all.slice(0, offset).slice(-20)) ? named(now, drawn) : now
  })
}

/** Categories that turned out to be words are kept as words: a template may have had dates there. */
function named(reference: string, { book }: DrawnBook): string {
  if (!reference.includes('numCache>')) return reference
  const cells = book.area(formulaOf(reference))?.flat() ?? []
  if (!cells.some((cell) => cell !== undefined && cell.number === undefined)) return reference
  const words = reference.replace(/numRef>/g, 'strRef>').replace(/numCache>/g, 'strCache>')
  return words.replace(cached, (cache, prefix: string, kind: string) =>
    written(cache.replace(/<((?:\w+:)?)formatCode>[^<]*<\/\1formatCode>/, ''), prefix, kind, [cells]),
  )
}

function refilled(
  whole: string,
  { addresses, scope, book }: DrawnBook,
  at: number,
  split: 'columns' | 'rows',
): string {
  const address = formulaOf(whole)
  if (address === '' || !addresses.changes(address)) return whole
  const areas = addresses.follow(address, scope, split)
  if (areas === undefined) return whole
  const now = areas[at] ?? areas[0]
  const cells = now === undefined ? [] : book.area(now)
  if (cells === undefined) return whole
  const withAddress =
    now === undefined
      ? whole
      : whole.replace(formula, (_, prefix: string) => `<${prefix}f>${escapeText(now)}</${prefix}f>`)
  return withAddress.replace(cached, (cache, prefix: string, kind: string) =>
    written(cache, prefix, kind, cells),
  )
}

function written(cache: string, prefix: string, kind: string, cells: Area): string {
  const format = new RegExp(`<${prefix}formatCode>[^<]*</${prefix}formatCode>`).exec(cache)?.[0] ?? ''
  const p = prefix === 'c15:' ? 'c:' : prefix
  const count = (n: number) => `<${p}ptCount val="${n}"/>`
  const point = (value: BookCell | undefined, at: number) => {
    if (value === undefined || (kind === 'numCache' && value.number === undefined)) return ''
    return `<${p}pt idx="${at}"><${p}v>${escapeText(value.text)}</${p}v></${p}pt>`
  }
  const extensions = new RegExp(`<${prefix}extLst>.*</${prefix}extLst>`, 's').exec(cache)?.[0] ?? ''
  const wrap = (inside: string) => `<${prefix}${kind}>${inside}${extensions}</${prefix}${kind}>`
  if (kind !== 'multiLvlStrCache') {
    const values = cells.flat()
    return wrap(format + count(values.length) + values.map(point).join(''))
  }
  // The innermost level, the last column, comes first; a group is named at its first row.
  const width = cells[0]?.length ?? 0
  const levels = Array.from({ length: width }, (_, at) => cells.map((row) => row[width - 1 - at]))
  return wrap(
    count(cells.length) + levels.map((level) => `<${p}lvl>${level.map(point).join('')}</${p}lvl>`).join(''),
  )
}

// ------------------------------------------------------------------------------------------------------------ the rest

/** Values that turned out to be numbers are kept as numbers: places of points, sizes, heights. */
function typed(chart: string): string {
  return chart.replace(numeric, (values) => {
    if (!values.includes('strCache>')) return values
    const points = [...values.matchAll(/<(?:\w+:)?v>([^<]*)</g)].map(([, text = '']) =>
      numberOf(decodeEntities(text)),
    )
    if (points.length === 0 || points.includes(undefined)) return values
    return values
      .replace(/strRef>/g, 'numRef>')
      .replace(/(<(?:\w+:)?)strCache>/, '$1numCache>')
      .replace(/strCache>/, 'numCache>')
  })
}

/** What tells series apart in an editor's history ([MS-ODRAWXML], c16:uniqueId): copies would share it. */
const identity = /<((?:\w+:)?)ext\s[^<>]*uri="\{C3380CC4-5D6E-409C-BE32-E72D297353CC\}"[^<>]*>.*?<\/\1ext>/gs

/** Each series has a number of its own. */
function numbered(chart: string): string {
  const own = /(<((?:\w+:)?)(idx|order)\s[^<>]*?val=")(\d+)"/
  const heads = [...chart.matchAll(/<((?:\w+:)?)ser>\s*<\1idx\s[^<>]*val="(\d+)"/g)].map(
    ([, , index]) => index,
  )
  if (new Set(heads).size === heads.length) return chart
  let next = 0
  return chart.replace(series, (ser) => {
    const number = next
    next += 1
    const head = ser.search(/<(?:\w+:)?(?:tx|spPr|marker|val|cat|xVal|yVal)>/)
    const end = head < 0 ? ser.length : head
    let start = ser.slice(0, end)
    for (const name of ['idx', 'order']) {
      start = start.replace(
        new RegExp(own.source.replace('idx|order', name)),
        (_, before: string) => `${before}${number}"`,
      )
    }
    return (start + ser.slice(end)).replace(identity, '').replace(/<((?:\w+:)?)extLst>\s*<\/\1extLst>/g, '')
  })
}
