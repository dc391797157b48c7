import type { Axis, Chart, Plot, Series } from '../../../../shared/document/chart.ts'
import type { Color } from '../../../../shared/document/properties.ts'
import type { XmlCursor } from '../../../../shared/document/xml-cursor.ts'
import { color, integer } from './values.ts'

/** Values of a chart's own table, rows and columns from 0; the first row and column are names. */
type Cells = readonly (readonly (string | number | undefined)[])[]
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
type Look = ReadonlyMap<string, string>

const mostPoints = 20_000
const mostSeries = 200
const mostColumns = 256

/** A chart with the table of values that it carries (ODF 1.3 part 3, 11). The cursor stands on the root of its content. */
export function readChart(cursor: XmlCursor): Chart | undefined {
  const looks = new Map<string, Look>()
  const draft: Draft = { kind: '', look: none, categories: noAxis, values: noAxis, series: [], cells: [] }
  const visit = (name: string): void => {
    if (name === 'style:style') readLook(cursor, looks)
    else if (name === 'chart:chart') readBody(cursor, looks, draft)
    else if (name.startsWith('office:')) cursor.each(visit)
  }
  cursor.each(visit)
  return chartOf(draft)
}

interface DraftSeries {
  readonly kind?: string
  readonly values?: string
  readonly label?: string
  readonly domains: readonly string[]
  readonly look: Look
  readonly points: ReadonlyMap<number, Color>
}
interface Draft {
  kind: string
  look: Look
  title?: string
  legend?: Chart['legend']
  background?: Color
  range?: string // of the categories
  categories: Axis
  values: Axis
  readonly series: DraftSeries[]
  cells: Cells
}

const none: Look = new Map()
const noAxis: Axis = { hidden: false, reversed: false, grid: false }

function readLook(cursor: XmlCursor, looks: Map<string, Look>): void {
  const name = cursor.attribute('style:name')
  const found = new Map<string, string>()
  cursor.each((part) => {
    if (part.endsWith('-properties')) for (const [key, value] of cursor.attributes()) found.set(key, value)
  })
  if (name !== undefined) looks.set(name, found)
}

const sides: Readonly<Record<string, Chart['legend']>> = {
  start: 'left',
  end: 'right',
  top: 'top',
  bottom: 'bottom',
  'top-start': 'left',
  'bottom-start': 'left',
}

function readBody(cursor: XmlCursor, looks: ReadonlyMap<string, Look>, draft: Draft): void {
  const lookHere = (): Look => looks.get(cursor.attribute('chart:style-name') ?? '') ?? none
  draft.kind = kindOf(cursor.attribute('chart:class'))
  const whole = lookHere()
  if (whole.get('draw:fill') === 'solid') {
    const fill = color(whole.get('draw:fill-color'))
    if (fill !== undefined) draft.background = fill
  }
  cursor.each((name) => {
    if (name === 'chart:title') draft.title = words(cursor)
    else if (name === 'chart:legend')
      draft.legend = sides[cursor.attribute('chart:legend-position') ?? ''] ?? 'right'
    else if (name === 'table:table') draft.cells = readCells(cursor)
    else if (name === 'chart:plot-area') {
      draft.look = lookHere()
      cursor.each((part) => {
        if (part === 'chart:axis') readAxis(cursor, lookHere(), draft)
        else if (part === 'chart:series' && draft.series.length < mostSeries)
          draft.series.push(readSeries(cursor, lookHere(), looks))
      })
    }
  })
}

const kindOf = (name: string | undefined): string => name?.replace(/^chart:/, '') ?? ''

function words(cursor: XmlCursor): string {
  const lines: string[] = []
  cursor.each((name) => {
    if (name === 'text:p') lines.push(cursor.text())
  })
  return lines.join('\n').trim()
}

function readAxis(cursor: XmlCursor, look: Look, draft: Draft): void {
  const dimension = cursor.attribute('chart:dimension')
  if ((cursor.attribute('chart:name') ?? '').startsWith('secondary')) return
  const axis: Mutable<Axis> = {
    hidden: look.get('chart:display-label') === 'false',
    reversed: look.get('chart:reverse-direction') === 'true',
    grid: false,
  }
  const bound = (key: string): number | undefined => {
    const value = Number(look.get(key) ?? Number.NaN)
    return Number.isFinite(value) ? value : undefined
  }
  const [min, max, step] = [bound('chart:minimum'), bound('chart:maximum'), bound('chart:interval-major')]
  if (min !== undefined) axis.min = min
  if (max !== undefined) axis.max = max
  if (step !== undefined) axis.step = step
  cursor.each((part) => {
    if (part === 'chart:title') axis.title = words(cursor)
    else if (part === 'chart:grid' && cursor.attribute('chart:class') !== 'minor') axis.grid = true
    else if (part === 'chart:categories') {
      const range = cursor.attribute('table:cell-range-address')
      if (range !== undefined) draft.range = range
    }
  })
  if (dimension === 'x') draft.categories = axis
  else if (dimension === 'y') draft.values = axis
}

function readSeries(cursor: XmlCursor, look: Look, looks: ReadonlyMap<string, Look>): DraftSeries {
  const kind = kindOf(cursor.attribute('chart:class'))
  const values = cursor.attribute('chart:values-cell-range-address')
  const label = cursor.attribute('chart:label-cell-address')
  const domains: string[] = []
  const points = new Map<number, Color>()
  let at = 0
  cursor.each((part) => {
    if (part === 'chart:domain') domains.push(cursor.attribute('table:cell-range-address') ?? '')
    if (part !== 'chart:data-point') return
    const own = looks.get(cursor.attribute('chart:style-name') ?? '')
    const fill = color(own?.get('draw:fill-color'))
    const count = Math.max(1, Math.min(mostPoints, integer(cursor.attribute('chart:repeated')) ?? 1))
    if (fill !== undefined) for (let n = 0; n < Math.min(count, 1000); n += 1) points.set(at + n, fill)
    at += count
  })
  return {
    ...(kind !== '' && { kind }),
    ...(values !== undefined && { values }),
    ...(label !== undefined && { label }),
    domains,
    look,
    points,
  }
}

function readCells(cursor: XmlCursor): Cells {
  const rows: (string | number | undefined)[][] = []
  const visit = (name: string): void => {
    if (name === 'table:table-row') {
      if (rows.length < mostPoints) rows.push(readRow(cursor))
    } else if (name.startsWith('table:table-')) cursor.each(visit)
  }
  cursor.each(visit)
  return rows
}

function readRow(cursor: XmlCursor): (string | number | undefined)[] {
  const row: (string | number | undefined)[] = []
  cursor.each((name) => {
    if (!name.endsWith('table-cell')) return
    const value = Number(cursor.attribute('office:value') ?? Number.NaN)
    const count = Math.max(1, integer(cursor.attribute('table:number-columns-repeated')) ?? 1)
    const text = words(cursor)
    const cell = Number.isFinite(value) ? value : text === '' ? undefined : text
    for (let n = 0; n < count && row.length < mostColumns; n += 1) row.push(cell)
  })
  return row
}

/** 'local-table.$B$2:.$B$5' as values; undefined for ranges of another table. */
function cellsAt(cells: Cells, range: string | undefined): (string | number | undefined)[] | undefined {
  const match = /^'?local-table'?\.\$?([A-Z]{1,2})\$?(\d{1,6})(?::\.?\$?([A-Z]{1,2})\$?(\d{1,6}))?$/.exec(
    range ?? '',
  )
  if (match === null) return undefined
  const [, left = '', top = '', right = left, bottom = top] = match
  const found: (string | number | undefined)[] = []
  const last = Math.min(Number(bottom), cells.length)
  for (let line = Number(top); line <= last; line += 1)
    for (let column = columnOf(left); column <= columnOf(right); column += 1)
      found.push(cells[line - 1]?.[column])
  return found
}

const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
const numberOf = (value: string | number | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined

const plotKinds: Readonly<Record<string, Plot['kind']>> = {
  bar: 'bar',
  line: 'line',
  area: 'area',
  circle: 'pie',
  ring: 'doughnut',
  scatter: 'scatter',
  bubble: 'bubble',
  radar: 'radar',
  'filled-radar': 'radar',
  stock: 'line',
}

function chartOf(draft: Draft): Chart | undefined {
  const { cells, look } = draft
  const isOn = (name: string): boolean => look.get(name) === 'true'
  const column = (at: number): (string | number | undefined)[] => cells.slice(1).map((row) => row[at])
  const names = (cellsAt(cells, draft.range) ?? column(0)).map((value) => String(value ?? ''))
  const plots = new Map<string, Mutable<Plot> & { series: Series[] }>()
  for (const [index, one] of draft.series.entries()) {
    const name = one.kind ?? draft.kind
    const kind = plotKinds[name]
    if (kind === undefined) return undefined
    const values = (cellsAt(cells, one.values) ?? column(index + 1)).map(numberOf)
    const [label] = cellsAt(cells, one.label) ?? [cells[0]?.[index + 1]]
    let plot = plots.get(name)
    if (plot === undefined) {
      const gap = Number(look.get('chart:gap-width') ?? Number.NaN)
      const overlap = Number(look.get('chart:overlap') ?? Number.NaN)
      const stacked = isOn('chart:stacked') || isOn('chart:percentage')
      plot = {
        kind,
        horizontal: isOn('chart:vertical'),
        grouping: isOn('chart:percentage') ? 'share' : stacked ? 'stacked' : 'side',
        gap: Number.isFinite(gap) ? gap / 100 : 1,
        overlap: Number.isFinite(overlap) ? overlap / 100 : stacked ? 1 : 0,
        hole: 0.5,
        lines: kind !== 'scatter' || one.look.get('draw:stroke') !== 'none',
        filled: name === 'filled-radar',
        series: [],
      }
      plots.set(name, plot)
    }
    plot.series.push(seriesOf(one, { kind, name: String(label ?? ''), values, names, cells, look }))
  }
  if (plots.size === 0) return undefined
  const { title, legend, background, categories, values } = draft
  return {
    plots: [...plots.values()],
    categories,
    values,
    palette: libreOffice,
    ...(title !== undefined && title !== '' && { title }),
    ...(legend !== undefined && { legend }),
    ...(background !== undefined && { background }),
  }
}

/** The colours that LibreOffice gives in turn. */
const libreOffice: readonly Color[] = [
  '004586',
  'FF420E',
  'FFD320',
  '579D1C',
  '7E0021',
  '83CAFF',
  '314004',
  'AECF00',
  '4B1F6F',
  'FF950E',
  'C5000B',
  '0084D1',
]

interface SeriesSource {
  readonly kind: Plot['kind']
  readonly name: string
  readonly values: readonly (number | undefined)[]
  readonly names: readonly string[]
  readonly cells: Cells
  readonly look: Look // of the plot
}

function seriesOf(one: DraftSeries, { kind, name, values, names, cells, look }: SeriesSource): Series {
  const line = kind === 'line' || kind === 'scatter' || kind === 'radar'
  const paint = color(one.look.get(line ? 'svg:stroke-color' : 'draw:fill-color'))
  const domains = one.domains.map((range) => cellsAt(cells, range)?.map(numberOf))
  const x = kind === 'bubble' ? domains[1] : domains[0]
  const shown = one.look.get('chart:data-label-number') ?? look.get('chart:data-label-number') ?? 'none'
  const labels = {
    value: shown === 'value' || shown === 'value-and-percentage',
    share: shown.endsWith('percentage'),
    category: one.look.get('chart:data-label-text') === 'true',
  }
  // A bubble's own values are its sizes; the second domain holds x, the first y.
  const sizes = kind === 'bubble' ? values : undefined
  const symbol = one.look.get('chart:symbol-type') ?? look.get('chart:symbol-type') ?? 'none'
  const smooth = look.get('chart:interpolation') ?? 'none'
  return {
    name,
    categories: names,
    values: kind === 'bubble' ? (domains[0] ?? []) : values,
    ...(x !== undefined && { x }),
    ...(sizes !== undefined && { sizes }),
    ...(paint !== undefined && { color: paint }),
    pointColors: one.points,
    smooth: smooth === 'cubic-spline' || smooth === 'b-spline',
    markers: symbol !== 'none',
    ...((labels.value || labels.share || labels.category) && { labels }),
  }
}
