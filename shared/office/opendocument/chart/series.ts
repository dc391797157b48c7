import type {
  ChartFormat,
  DataLabels,
  ErrorBars,
  MarkSymbol,
  Plot,
  Series,
  Trend,
} from '../../../document/chart.ts'
import { entryOf } from '../../../entry-of.ts'
import { integer, length } from '../values.ts'
import { type OdtChartSource, styleHere } from './axis.ts'
import { type Cells, cellsAt, maxPoints, numberOf } from './cells.ts'
import { type ChartStyle, chartFormatOf, rotationOf, textFormatOf } from './chart-style.ts'

/**
 * A series as it is in the file. Its cell ranges are resolved once the table, which follows it, has been
 * read.
 */
export interface DraftSeries {
  readonly kind?: string
  readonly values?: string
  readonly label?: string
  readonly second: boolean
  readonly domains: readonly string[]
  readonly style: ChartStyle
  readonly points: ReadonlyMap<number, ChartStyle>
  readonly trends: readonly Trend[]
  readonly errors: readonly ChartStyle[]
}

/** A chart class without its prefix: 'chart:bar' gives 'bar'. */
export const kindOf = (name: string | undefined): string => name?.replace(/^chart:/, '') ?? ''

/** Reads chart:series (ODF 1.3 part 3, 11.11), on which the cursor stands. */
export function readSeries(source: OdtChartSource): DraftSeries {
  const { cursor } = source
  const kind = kindOf(cursor.attribute('chart:class'))
  const values = cursor.attribute('chart:values-cell-range-address')
  const label = cursor.attribute('chart:label-cell-address')
  const second = (cursor.attribute('chart:attached-axis') ?? '').startsWith('secondary')
  const style = styleHere(source)
  const domains: string[] = []
  const points = new Map<number, ChartStyle>()
  const trends: Trend[] = []
  const errors: ChartStyle[] = []
  let at = 0
  cursor.each((child) => {
    if (child === 'chart:domain') domains.push(cursor.attribute('table:cell-range-address') ?? '')
    else if (child === 'chart:regression-curve') {
      if (trends.length < 20) trends.push(readTrend(source))
    } else if (child === 'chart:error-indicator') {
      if (errors.length < 2)
        errors.push(
          new Map([...styleHere(source), ['dimension', cursor.attribute('chart:dimension') ?? 'y']]),
        )
    } else if (child === 'chart:mean-value') source.undrawn.add('its mean values')
    if (child !== 'chart:data-point') return
    const pointStyle = styleHere(source)
    const count = Math.max(1, Math.min(maxPoints, integer(cursor.attribute('chart:repeated')) ?? 1))
    const last = Math.min(at + Math.min(count, 1000), maxPoints)
    if (pointStyle.size > 0) for (let n = at; n < last; n += 1) points.set(n, pointStyle)
    at += count
  })
  return {
    ...(kind !== '' && { kind }),
    ...(values !== undefined && { values }),
    ...(label !== undefined && { label }),
    second,
    domains,
    style,
    points,
    trends,
    errors,
  }
}

/** chart:regression-type to the document model; others are linear. */
const trendKinds: Readonly<Record<string, Trend['kind']>> = {
  exponential: 'exponential',
  logarithmic: 'logarithmic',
  polynomial: 'polynomial',
  power: 'power',
  'moving-average': 'moving',
}

/** chart:regression-curve. */
function readTrend(source: OdtChartSource): Trend {
  const { cursor } = source
  const style = styleHere(source)
  const number = (key: string, fallback: number): number => {
    const value = Number(style.get(key) ?? fallback)
    return Number.isFinite(value) ? Math.min(1e9, Math.max(0, value)) : fallback
  }
  const type = style.get('chart:regression-type')
  const name = style.get('loext:regression-name') ?? style.get('chart:regression-name')
  const intercept =
    style.get('loext:regression-force-intercept') === 'true'
      ? number('loext:regression-intercept-value', 0)
      : undefined
  let [equation, fit, letters] = [false, false, {}]
  cursor.each((child) => {
    if (child !== 'chart:equation') return
    equation = cursor.attribute('chart:display-equation') !== 'false'
    fit = cursor.attribute('chart:display-r-square') === 'true'
    letters = textFormatOf(styleHere(source))
  })
  return {
    kind: entryOf(trendKinds, type) ?? 'linear',
    ...(name !== undefined && name !== '' && { name }),
    order: Math.min(6, Math.max(1, Math.round(number('loext:regression-max-degree', 2)))),
    period: Math.min(255, Math.max(2, Math.round(number('loext:regression-period', 2)))),
    forward: number('loext:regression-extrapolate-forward', 0),
    backward: number('loext:regression-extrapolate-backward', 0),
    ...(intercept !== undefined && { intercept }),
    equation,
    fit,
    letters,
    formatting: chartFormatOf(style),
  }
}

/** The context of a series besides its draft. */
export interface SeriesSource {
  readonly kind: Plot['kind']
  readonly index: number
  readonly name: string
  readonly values: readonly (number | undefined)[]
  readonly names: Pick<Series, 'categories' | 'levels' | 'days' | 'dayFormat'>
  readonly cells: Cells
  readonly plotStyle: ChartStyle // style of the plot area
  readonly formats: ReadonlyMap<string, string>
}

/** chart:symbol-name to data markers, in the order in which LibreOffice assigns automatic ones. */
const symbols: Readonly<Record<string, MarkSymbol>> = {
  square: 'square',
  diamond: 'diamond',
  'arrow-down': 'triangle-down',
  'arrow-up': 'triangle',
  'arrow-right': 'triangle-right',
  'arrow-left': 'triangle-left',
  'bow-tie': 'bowtie',
  hourglass: 'hourglass',
  circle: 'circle',
  star: 'star',
  x: 'x',
  plus: 'plus',
  asterisk: 'star',
  'horizontal-bar': 'dash',
  'vertical-bar': 'bar',
}
const automaticSymbols = Object.values(symbols)

/** Builds a series from its draft and the values of the table. */
export function seriesOf(draftSeries: DraftSeries, from: SeriesSource): Series {
  const { kind, index, name, values, names, cells, plotStyle } = from
  const line = kind === 'line' || kind === 'scatter' || kind === 'radar' || kind === 'stock'
  const propertyOf = (key: string): string | undefined => draftSeries.style.get(key) ?? plotStyle.get(key)
  const domains = draftSeries.domains.map((range) => cellsAt(cells, range)?.map(numberOf))
  const x = kind === 'bubble' ? domains[1] : domains[0]
  const labels = labelsOf(draftSeries.style, plotStyle, from)
  const symbolKind = propertyOf('chart:symbol-type') ?? 'none'
  const symbol =
    symbolKind === 'none'
      ? 'none'
      : symbolKind === 'named-symbol'
        ? (entryOf(symbols, propertyOf('chart:symbol-name')) ?? 'square')
        : automaticSymbols[index % automaticSymbols.length]!
  const smooth = plotStyle.get('chart:interpolation') ?? 'none'
  const paint = chartFormatOf(draftSeries.style)
  const pointFormats = new Map(
    [...draftSeries.points].flatMap(([n, style]): [number, ChartFormat][] =>
      style.has('draw:fill-color') || style.has('draw:fill') ? [[n, chartFormatOf(style)]] : [],
    ),
  )
  const pointLabels = new Map(
    [...draftSeries.points].flatMap(([n, style]): [number, DataLabels | 'none'][] =>
      style.has('chart:data-label-number') || style.has('chart:data-label-text')
        ? [[n, labelsOf(style, plotStyle, from) ?? 'none']]
        : [],
    ),
  )
  const explosions = new Map(
    [...draftSeries.points].flatMap(([n, style]): [number, number][] =>
      style.has('chart:pie-offset') ? [[n, pieOffsetFraction(style)]] : [],
    ),
  )
  return {
    name,
    index,
    ...names,
    // The values of a bubble series are its sizes; the first domain holds y, the second x.
    values: kind === 'bubble' ? (domains[0] ?? []) : values,
    ...(x !== undefined && { x }),
    ...(kind === 'bubble' && { sizes: values }),
    formatting: line ? lineOnly(paint) : paint,
    pointFormatting: line ? new Map() : pointFormats,
    smooth: smooth === 'cubic-spline' || smooth === 'b-spline',
    joined: line && paint.line !== 'none' && plotStyle.get('chart:lines') !== 'false',
    symbol: line ? symbol : 'none',
    symbolSize: Math.min(72, Math.max(2, length(propertyOf('chart:symbol-width')) ?? 7)),
    markerFormatting: {
      ...(paint.fill !== undefined && paint.fill !== 'none'
        ? { fill: paint.fill }
        : paint.line !== undefined && paint.line !== 'none'
          ? { fill: paint.line }
          : {}),
    },
    ...(labels !== undefined && { labels }),
    pointLabels,
    explosion: pieOffsetFraction(draftSeries.style),
    explosions,
    trends: draftSeries.trends,
    errors: draftSeries.errors.flatMap((style) => errorsOf(style, cells) ?? []),
  }
}

/** Lines are not filled. */
const lineOnly = ({ line, lineWidth, dash, opacity }: ChartFormat): ChartFormat => ({
  ...(line !== undefined && { line }),
  ...(lineWidth !== undefined && { lineWidth }),
  ...(dash !== undefined && { dash }),
  ...(opacity !== undefined && { opacity }),
})
/** chart:pie-offset, percent of the radius, as a share. */
const pieOffsetFraction = (style: ChartStyle): number =>
  Math.min(4, Math.max(0, (Number(style.get('chart:pie-offset') ?? 0) || 0) / 100))

/** chart:label-position to the document model. */
const labelPositions: Readonly<Record<string, NonNullable<DataLabels['position']>>> = {
  outside: 'outside',
  inside: 'inside',
  center: 'centre',
  'near-origin': 'base',
  top: 'above',
  bottom: 'below',
  left: 'left',
  right: 'right',
  'avoid-overlap': 'best',
}

/** Data labels of a style, with defaults from the plot; undefined when nothing is shown. */
function labelsOf(
  style: ChartStyle,
  plotStyle: ChartStyle,
  { formats }: SeriesSource,
): DataLabels | undefined {
  const propertyOf = (key: string): string | undefined => style.get(key) ?? plotStyle.get(key)
  const shown = propertyOf('chart:data-label-number') ?? 'none'
  const position = entryOf(labelPositions, propertyOf('chart:label-position'))
  const format = formats.get(style.get('format') ?? '')
  const percentFormat = formats.get(style.get('percent-format') ?? '')
  const labels: DataLabels = {
    value: shown === 'value' || shown === 'value-and-percentage',
    share: shown === 'percentage' || shown === 'value-and-percentage',
    category: propertyOf('chart:data-label-text') === 'true',
    series: propertyOf('loext:data-label-series') === 'true',
    key: propertyOf('chart:data-label-symbol') === 'true',
    separator: propertyOf('separator') ?? ' ',
    letters: textFormatOf(style),
    formatting: {},
    rotation: rotationOf(style) ?? 0,
    ...(position !== undefined && { position }),
    ...(format !== undefined && style.get('chart:link-data-style-to-source') !== 'true' && { format }),
    ...(percentFormat !== undefined && { shareFormat: percentFormat }),
  }
  return labels.value || labels.share || labels.category || labels.series ? labels : undefined
}

/**
 * Reads chart:error-indicator: constant lengths, percentages of the values, or cells. Undefined for
 * other categories.
 */
function errorsOf(style: ChartStyle, cells: Cells): ErrorBars | undefined {
  const kind = style.get('chart:error-category') ?? 'none'
  const number = (key: string): number => Math.abs(Number(style.get(key) ?? 0)) || 0
  const range = (key: string): readonly (number | undefined)[] =>
    cellsAt(cells, style.get(key))?.map(numberOf) ?? []
  const [up, down] = [
    style.get('chart:error-upper-indicator') === 'true',
    style.get('chart:error-lower-indicator') === 'true',
  ]
  const length =
    (constant: string, list: readonly (number | undefined)[]) =>
    (value: number, n: number): number =>
      kind === 'percentage'
        ? (Math.abs(value) * number('chart:error-percentage')) / 100
        : kind === 'constant'
          ? number(constant)
          : (list[n] ?? 0)
  if (kind !== 'percentage' && kind !== 'constant' && kind !== 'cell-range') return undefined
  const none = (): number => 0
  return {
    axis: style.get('dimension') === 'x' ? 'x' : 'y',
    caps: true,
    formatting: chartFormatOf(style),
    plus: up ? length('chart:error-upper-limit', range('chart:error-upper-range')) : none,
    minus: down ? length('chart:error-lower-limit', range('chart:error-lower-range')) : none,
  }
}
