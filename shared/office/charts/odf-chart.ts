/**
 * The markup of an OpenDocument chart before and after a render. A chart holds its values in a table of its own. Its
 * cells are marked with their place before the render, so that the addresses of the series can be read off the table
 * that came out. `{bindChart(3) = d.t[i].min}` stands in a cell of text and means the cell with the number 3, since the
 * office program lets only numbers into columns of values. Source: template language 22.3; ODF 1.3 part 3, clauses 11
 * and 9.2.
 */
import { AppError } from '../../errors/app-error.ts'
import { closeOf, isValueTag } from '../../template/media/tokens.ts'
import type { FormatRules } from '../../template/rules.ts'
import type { ElementToken, TagToken, Token } from '../../template/scan/tokens.ts'
import { decodeEntities } from '../../template/scan/xml.ts'
import { escapeAttribute, hasTag, replaceElements, withoutControls } from '../markup.ts'
import { odfRules } from '../odf-rules.ts'
import { parseOpenAddress } from '../sheet/formula.ts'
import { columnName, type Range } from '../sheet/reference.ts'
import { isNothing, numberOf, typedTag } from '../sheet/typed.ts'

const localTable = /<table:table\b[^<>]*>.*?<\/table:table>/s
const binding = /\{\s*bindChart\s*\(\s*([^(){}]*?)\s*\)\s*=\s*([^{}]*)\}/g

// ---------------------------------------------------------------------------------------------------------- before

/** The content as the compiler gets it. Throws AppError 'template.chart.binding'. */
export function beforeOdfRender(content: string, part: string): string {
  return content.replace(localTable, (table) => {
    if (!hasTag(table)) return table
    const bindings = new Map<number, string>()
    const placed = marked(table, (text) => collected(text, bindings, part))
    return bound(placed, bindings, part)
  })
}

/** Rows and cells with their place in the template; cells and rows that stand for several are written out. */
function marked(table: string, text: (content: string) => string): string {
  let row = 0
  return replaceElements(table, 'table:table-row', (attributes, content = '') => {
    row += 1
    let column = 0
    const cells = replaceElements(content, 'table:table-cell', (own, inside) => {
      const count = Math.min(64, Number(/\stable:number-columns-repeated="(\d+)"/.exec(own)?.[1] ?? 1))
      const kept = own.replace(/\stable:number-columns-repeated="\d+"/, '')
      let out = ''
      for (let n = 0; n < count; n += 1) {
        column += 1
        out += `<table:table-cell${kept} c="${column}">${text(inside ?? '')}</table:table-cell>`
      }
      return out
    })
    return `<table:table-row${attributes} r="${row}">${cells}</table:table-row>`
  })
}

/** The text of a cell without the bindings it holds. */
function collected(cell: string, bindings: Map<number, string>, part: string): string {
  if (!hasTag(cell)) return cell
  const plain = cell.replace(/<text:(?:s|tab)\b[^<>]*\/>/g, ' ').replace(/<\/?text:span\b[^<>]*>/g, '')
  if (!plain.includes('bindChart')) return cell
  return plain.replace(/\s*\{\s*bindChart\b[^{}]*\}/g, (whole) => {
    binding.lastIndex = 0
    const [, reference = '', path = ''] = binding.exec(whole) ?? []
    const number = numberOf(decodeEntities(reference))
    const tag = whole.trim().slice(0, 200)
    if (number === undefined || path.trim() === '')
      throw problem(tag, part, 'it reads like {bindChart(3) = d.list[i].value}')
    if (bindings.has(number)) throw problem(tag, part, `the number ${number} is bound twice`)
    bindings.set(number, path.trim())
    return ''
  })
}

/** The cells with the numbers become the tags that were bound to them. */
function bound(table: string, bindings: ReadonlyMap<number, string>, part: string): string {
  if (bindings.size === 0) return table
  const met = new Map<number, number>()
  const out = replaceElements(table, 'table:table-cell', (attributes) => {
    const number = numberOf(/\soffice:value="([^"]*)"/.exec(attributes)?.[1])
    const path = number === undefined ? undefined : bindings.get(number)
    if (number === undefined || path === undefined) return undefined
    met.set(number, (met.get(number) ?? 0) + 1)
    const place = /\sc="\d+"/.exec(attributes)?.[0] ?? ''
    return `<table:table-cell${place} n="1"><text:p>{${path}}</text:p></table:table-cell>`
  })
  for (const number of bindings.keys()) {
    const cells = met.get(number) ?? 0
    if (cells !== 1) {
      const because =
        cells === 0 ? 'no cell of the chart has this number' : 'several cells of the chart have this number'
      throw problem(`{bindChart(${number})}`, part, because)
    }
  }
  return out
}

const problem = (tag: string, part: string, because: string): AppError =>
  new AppError(
    'template.chart.binding',
    { tag, because },
    {
      problems: [
        {
          code: 'template.chart.binding',
          message: `${tag} cannot be bound to a cell of the chart: ${because}.`,
          place: { part, tag },
        },
      ],
    },
  )

// ---------------------------------------------------------------------------------------------------------- tokens

export const odfChartRules: FormatRules = {
  ...odfRules,
  unique: [],
  grid: { row: 'table:table-row', cell: 'table:table-cell', holder: '', column: '' },
  prepare: (_part, tokens) => typedCells(tokens),
}

/** A lone tag in a column of values is a number. */
function typedCells(tokens: readonly Token[]): readonly Token[] {
  const out: Token[] = []
  let headers = 0
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!
    if ('name' in token && token.name === 'table:table-header-rows' && token.kind !== 'void')
      headers += token.kind === 'open' ? 1 : -1
    const tag =
      token.kind === 'open' && token.name === 'table:table-cell'
        ? numberIn(tokens, at, headers > 0)
        : undefined
    if (tag === undefined) {
      out.push(token)
      continue
    }
    const { raw, name, offset } = token as ElementToken
    out.push(
      { kind: 'open', name, raw: untyped(raw), offset },
      { ...tag, output: typedCell, absorbs: 'formatN' },
    )
    const close = closeOf(tokens, at)
    out.push(tokens[close]!)
    at = close
  }
  return out
}

function numberIn(tokens: readonly Token[], at: number, inHeader: boolean): TagToken | undefined {
  const { raw } = tokens[at] as ElementToken
  const plain = /^text:(?:p|span)$/
  const isValue = / n="1"/.test(raw) || (!inHeader && !/ c="1"/.test(raw))
  const tag = typedTag(tokens, at + 1, closeOf(tokens, at), plain, isValue ? /^/ : undefined)
  return tag !== undefined && isValueTag(tag) ? tag : undefined
}

const untyped = (raw: string): string =>
  raw
    .replace(/\s(?:office:(?:value-type|value|string-value)|calcext:value-type|n)="[^"]*"/g, '')
    .replace(/>$/, '')

function typedCell(value: unknown, textOf: (value: unknown) => string): string {
  const number = numberOf(value)
  if (number !== undefined)
    return ` office:value-type="float" office:value="${number}"><text:p>${number}</text:p>`
  const text = textOf(value)
  if (isNothing(value, text)) return ' office:value-type="float" office:value="NaN"><text:p>NaN</text:p>'
  return ` office:value-type="string"><text:p>${escapeAttribute(withoutControls(text))}</text:p>`
}

// ----------------------------------------------------------------------------------------------------------- after

interface Written {
  /** By row of the output: its row in the template, and the column in the template of each of its cells. */
  readonly rows: readonly { readonly row: number; readonly columns: readonly number[] }[]
  readonly name: string
}

/** The content as it is stored: addresses follow the table, series repeat with their columns. */
export function afterOdfRender(content: string): string {
  const table = localTable.exec(content)?.[0] ?? ''
  if (!/<table:table-row\b[^<>]*\sr="/.test(table)) return content
  const written = readTable(table)
  const plain = content.replace(localTable, () => unmarked(table))
  const styles: string[] = []
  const repeated = plain.replace(/<chart:series\b[^<>]*(?:\/>|>.*?<\/chart:series>)/gs, (series) =>
    copies(series, written, plain, styles),
  )
  const followed = repeated.replace(/<chart:(?:categories|plot-area)\b[^<>]*>/g, (element) =>
    followedIn(element, written, undefined),
  )
  return followed.replace('</office:automatic-styles>', `${styles.join('')}</office:automatic-styles>`)
}

function readTable(table: string): Written {
  const rows = [
    ...table.matchAll(/<table:table-row\b[^<>]*?\sr="(\d+)"[^<>]*>(.*?)<\/table:table-row>/gs),
  ].map(([, row, cells = '']) => ({
    row: Number(row),
    columns: [...cells.matchAll(/<table:table-cell\b[^<>]*?\sc="(\d+)"/g)].map(([, column]) =>
      Number(column),
    ),
  }))
  return { rows, name: /\stable:name="([^"]*)"/.exec(table)?.[1] ?? '' }
}

function unmarked(table: string): string {
  const plain = table.replace(/<table:table-(?:row|cell)\b[^<>]*>/g, (tag) =>
    tag.replace(/\s[rcn]="\d+"/g, ''),
  )
  const width = Math.max(
    1,
    ...[...plain.matchAll(/<table:table-row\b[^<>]*>(.*?)<\/table:table-row>/gs)].map(
      ([, row = '']) => row.split('<table:table-cell').length - 1,
    ),
  )
  return plain.replace(
    /<table:table-columns>.*?<\/table:table-columns>/s,
    `<table:table-columns><table:table-column table:number-columns-repeated="${Math.max(1, width - 1)}"/></table:table-columns>`,
  )
}

const addressed =
  /\s(chart:values-cell-range-address|chart:label-cell-address|table:cell-range-address)="([^"]*)"/g

function followedIn(element: string, written: Written, copy: number | undefined): string {
  return element.replace(addressed, (whole, attribute: string, value: string) => {
    const address = parseOpenAddress(decodeEntities(value))
    if (address === undefined || address.sheet !== written.name) return whole
    const now = follow(address.range, written, copy)
    if (now === undefined) return whole
    return ` ${attribute}="${address.prefix}.${now}"`
  })
}

/** `copy`: which copy of a single column; absent: all of them. */
function follow({ from, to = from }: Range, { rows }: Written, copy: number | undefined): string | undefined {
  if (from.row === undefined || from.column === undefined) return undefined
  const first = from.row
  const last = to.row ?? first
  const inside = rows.flatMap(({ row }, at) => (row >= first && row <= last ? [at + 1] : []))
  const rowFrom = inside[0] ?? first
  const rowTo = inside.at(-1) ?? rowFrom
  const columns = columnsOf(rows, inside, from.column, to.column ?? from.column)
  const single = copy === undefined ? undefined : columns[copy]
  const columnFrom = single ?? columns[0] ?? from.column
  const columnTo = single ?? columns.at(-1) ?? columnFrom
  const corner = (column: number, row: number) => `$${columnName(column)}$${row}`
  const start = corner(columnFrom, rowFrom)
  return rowFrom === rowTo && columnFrom === columnTo ? start : `${start}:.${corner(columnTo, rowTo)}`
}

/** Where columns of the template stand, in the widest row of an area. */
function columnsOf(rows: Written['rows'], inside: readonly number[], first: number, last: number): number[] {
  const found = inside.map((at) =>
    rows[at - 1]!.columns.flatMap((column, index) => (column >= first && column <= last ? [index + 1] : [])),
  )
  return found.reduce<number[]>((widest, each) => (each.length > widest.length ? each : widest), [])
}

const palette = [
  '004586',
  'ff420e',
  'ffd320',
  '579d1c',
  '7e0021',
  '83caff',
  '314004',
  'aecf00',
  '4b1f6f',
  'ff950e',
]
const seriesAtMost = 500

function copies(series: string, written: Written, content: string, styles: string[]): string {
  const head = series.slice(0, series.indexOf('>') + 1)
  const label = parseOpenAddress(decodeEntities(/\schart:label-cell-address="([^"]*)"/.exec(head)?.[1] ?? ''))
  const first = written.rows.flatMap(({ row }, at) => (row === label?.range.from.row ? [at + 1] : []))
  const column = label?.range.from.column
  const own = label?.sheet === written.name && column !== undefined && first.length > 0
  const places = own ? columnsOf(written.rows, first, column, column) : undefined
  if (places === undefined || places.length === 1)
    return points(followedIn(series, written, undefined), written)
  return places
    .slice(0, seriesAtMost)
    .map((_, at) => points(coloured(followedIn(series, written, at), at, content, styles), written))
    .join('')
}

/** A copy looks like the first, in another colour. */
function coloured(series: string, at: number, content: string, styles: string[]): string {
  const name = /\schart:style-name="([^"]*)"/.exec(series)?.[1]
  const style =
    at === 0 || name === undefined
      ? undefined
      : new RegExp(
          `<style:style\\b[^<>]*\\sstyle:name="${name.replace(/\W/g, '\\$&')}"[^<>]*>.*?</style:style>`,
          's',
        ).exec(content)?.[0]
  if (style === undefined) return series
  const first =
    /\sdraw:fill-color="#([^"]*)"/.exec(style)?.[1] ?? /\ssvg:stroke-color="#([^"]*)"/.exec(style)?.[1] ?? ''
  const color = palette[(Math.max(0, palette.indexOf(first.toLowerCase())) + at) % palette.length]
  const copy = `${name}_${at + 1}_${styles.length}`
  styles.push(
    style
      .replace(/(\sstyle:name=")[^"]*"/, `$1${copy}"`)
      .replace(/(\s(?:draw:fill-color|svg:stroke-color)=")#[^"]*"/g, `$1#${color}"`),
  )
  return series.replace(/(\schart:style-name=")[^"]*"/, `$1${copy}"`)
}

/** One statement about all points says how many they are. */
function points(series: string, { rows }: Written): string {
  const all = series.split('<chart:data-point').length - 1
  const address = parseOpenAddress(
    decodeEntities(/\schart:values-cell-range-address="([^"]*)"/.exec(series)?.[1] ?? ''),
  )
  if (all !== 1 || address === undefined || rows.length === 0) return series
  const { from, to = from } = address.range
  const count = Math.max(1, (to.row ?? 1) - (from.row ?? 1) + 1)
  return series.replace(/(<chart:data-point\b[^<>]*\schart:repeated=")\d+"/, `$1${count}"`)
}
