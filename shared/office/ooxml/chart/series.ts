import type {
  ChartFormat,
  DataLabels,
  ErrorBars,
  MarkSymbol,
  Plot,
  Series,
  SeriesCells,
  SheetArea,
  Trend,
} from '../../../document/chart.ts'
import type { Writable } from '../../../document/writable.ts'
import { entryOf } from '../../../entry-of.ts'
import { areaOf, readCategories, readNumbers } from './data.ts'
import { readLabels } from './labels.ts'
import {
  isSet,
  numberOf,
  type OoxmlChartSource,
  readChartFormat,
  readText,
  readTextSet,
  val,
} from './parts.ts'

/** Data markers of series that specify none, assigned in order as LibreOffice does. */
const automaticSymbols: readonly MarkSymbol[] = [
  'square',
  'diamond',
  'triangle-down',
  'triangle',
  'triangle-right',
  'triangle-left',
  'bowtie',
  'hourglass',
  'circle',
  'star',
  'x',
  'plus',
]
/** ST_MarkerStyle (21.2.3); a picture is drawn as a square. */
const symbols: Readonly<Record<string, Series['symbol']>> = {
  none: 'none',
  circle: 'circle',
  dash: 'dash',
  diamond: 'diamond',
  dot: 'dash',
  picture: 'square',
  plus: 'plus',
  square: 'square',
  star: 'star',
  triangle: 'triangle',
  x: 'x',
}

/** A series while its children are read. */
interface SeriesDraft {
  readonly series: Writable<Partial<Series>>
  /** Whether the series is drawn as a line, so that points are formatted by their data markers. */
  readonly line: boolean
  readonly isBubbles: boolean
  readonly pointFormats: Map<number, ChartFormat>
  readonly explosions: Map<number, number>
  readonly trends: Trend[]
  readonly errors: ErrorBars[]
  index: number
  format: ChartFormat
  symbol?: Series['symbol'] | undefined
  symbolFormat: ChartFormat
  smooth?: boolean
}

const lineKinds: ReadonlySet<Plot['kind']> = new Set(['line', 'scatter', 'radar', 'stock'] as const)
/** Bounds of one series. */
const maxTrends = 20
const maxLabelCells = 20_000
const maxErrorBars = 2

/**
 * Reads c:ser of any chart type (21.2.2.170 and others). `position` is the index of the series in the whole
 * chart; `labels` are the data labels it starts with.
 */
export function readSeries(
  source: OoxmlChartSource,
  plot: Pick<Plot, 'kind'> & { marked: boolean; joined: boolean },
  position: number,
  labels: DataLabels | undefined,
): Series {
  const draft: SeriesDraft = {
    series: labels === undefined ? {} : { labels },
    line: lineKinds.has(plot.kind),
    isBubbles: plot.kind === 'bubble',
    pointFormats: new Map(),
    explosions: new Map(),
    trends: [],
    errors: [],
    index: position,
    format: {},
    symbolFormat: {},
  }
  source.cursor.each((name) => childReaders.get(name)?.(source, draft))
  const { line, format, symbolFormat, symbol, smooth } = draft
  // Line charts without c:marker get an automatic data marker.
  const marked = plot.marked && line && plot.kind !== 'stock'
  const automatic = automaticSymbols[position % automaticSymbols.length] ?? 'square'
  const isMarkerFilled =
    symbolFormat.fill === undefined && format.line !== undefined && format.line !== 'none'
      ? { ...symbolFormat, fill: format.line }
      : symbolFormat
  return {
    name: '',
    categories: [],
    values: [],
    pointLabels: new Map(),
    explosion: 0,
    symbolSize: 5,
    ...draft.series,
    index: draft.index,
    formatting: line ? withoutFill(format) : format,
    pointFormatting: draft.pointFormats,
    explosions: draft.explosions,
    trends: draft.trends,
    errors: draft.errors,
    // An absent c:smooth means smoothed lines.
    smooth: (plot.kind === 'line' || plot.kind === 'scatter') && smooth !== false,
    joined: line && plot.joined && format.line !== 'none',
    symbol: symbol ?? (marked ? automatic : 'none'),
    markerFormatting: isMarkerFilled,
  }
}

type SeriesChildReader = (source: OoxmlChartSource, draft: SeriesDraft) => void

/** Children of c:ser that are read. */
const childReaders: ReadonlyMap<string, SeriesChildReader> = new Map<string, SeriesChildReader>([
  [
    'c:idx',
    (source, draft) => {
      draft.index = Math.max(0, Math.min(10_000, numberOf(source) ?? draft.index))
    },
  ],
  [
    'c:tx',
    (source, { series }) => {
      let formula = ''
      series.name = readText(source, (text) => {
        formula = text
      })
      if (series.name === '') addCells(series, 'name', areaOf(formula))
    },
  ],
  [
    'c:spPr',
    (source, draft) => {
      draft.format = readChartFormat(source)
    },
  ],
  ['c:marker', readMarker],
  [
    'c:smooth',
    (source, draft) => {
      draft.smooth = isSet(source)
    },
  ],
  [
    'c:explosion',
    (source, { series }) => {
      series.explosion = explosionFraction(source)
    },
  ],
  [
    'c:dPt',
    (source, { line, pointFormats, explosions }) => readPoint(source, line, pointFormats, explosions),
  ],
  [
    'c:dLbls',
    (source, { series, isBubbles }) => {
      const { all, points } = readLabels(source, isBubbles)
      delete series.labels
      if (all !== undefined) series.labels = all
      series.pointLabels = points
    },
  ],
  [
    'c:trendline',
    (source, { trends }) => {
      if (trends.length < maxTrends) trends.push(readTrend(source))
    },
  ],
  [
    'c:errBars',
    (source, { errors }) => {
      if (errors.length < maxErrorBars) errors.push(readErrors(source))
    },
  ],
  [
    'c:cat',
    (source, { series }) => {
      const { area, ...categories } = readCategories(source)
      Object.assign(series, categories)
      addCells(series, 'categories', area)
    },
  ],
  ['c:xVal', readXValues],
  ['c:val', readValues],
  ['c:yVal', readValues],
  [
    'c:bubbleSize',
    (source, { series }) => {
      series.sizes = readNumbers(source).values
    },
  ],
  ['c:pictureOptions', ({ undrawn }) => void undrawn.add('the pictures in its columns')],
  ['c:extLst', readExtensions],
])

/** c:marker (21.2.2.106). */
function readMarker(source: OoxmlChartSource, draft: SeriesDraft): void {
  source.cursor.each((child) => {
    if (child === 'c:symbol') draft.symbol = entryOf(symbols, val(source))
    else if (child === 'c:size') draft.series.symbolSize = Math.min(72, Math.max(2, numberOf(source) ?? 5))
    else if (child === 'c:spPr') draft.symbolFormat = readChartFormat(source)
  })
}

/** c:xVal (21.2.2.234). A scatter chart with text as x values uses 1, 2, 3. */
function readXValues(source: OoxmlChartSource, { series }: SeriesDraft): void {
  const { categories, area } = readCategories(source)
  const numbers = categories.map((text) =>
    text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined,
  )
  if (numbers.some((number) => number !== undefined)) series.x = numbers
  addCells(series, 'x', area)
}

/** c:val and c:yVal (21.2.2.224, 21.2.2.237). */
function readValues(source: OoxmlChartSource, { series }: SeriesDraft): void {
  const { values, format, area, formula } = readNumbers(source)
  series.values = values
  const cells = area ?? areaOf(formula)
  if (cells !== undefined) series.valuesAt = cells
  if (format !== undefined) series.format = format
  addCells(series, 'values', area)
}

/** Records cells of the workbook that hold what the chart does not cache. */
function addCells(series: SeriesDraft['series'], name: keyof SeriesCells, area: SheetArea | undefined): void {
  if (area !== undefined) series.cells = { ...series.cells, [name]: area }
}

function readExtensions(source: OoxmlChartSource, { series }: SeriesDraft): void {
  const { cursor, undrawn } = source
  cursor.each(() =>
    cursor.each((child) => {
      if (!child.endsWith(':datalabelsRange')) return
      series.labelCells = readLabelCells(source)
      if (![...(series.pointLabels?.values() ?? [])].some(hasCellField)) undrawn.add('labels from cells')
    }),
  )
}

const hasCellField = (labels: DataLabels | 'none'): boolean =>
  labels !== 'none' && labels.text?.some((line) => line.some(({ field }) => field === 'cell')) === true

/** The stored texts of c15:datalabelsRange by point. */
function readLabelCells({ cursor }: OoxmlChartSource): string[] {
  const texts: string[] = []
  const visit = (name: string): void => {
    if (!name.endsWith(':pt')) {
      cursor.each(visit)
      return
    }
    const at = Number(cursor.attribute('idx'))
    cursor.each(() => {
      if (at >= 0 && at < maxLabelCells) texts[at] = cursor.text()
    })
  }
  cursor.each(visit)
  return Array.from(texts, (text) => text ?? '')
}

/** Lines are not filled; c:spPr may still carry a fill. */
const withoutFill = ({ fill: _fill, gradient: _gradient, ...look }: ChartFormat): ChartFormat => look
/** A percentage as a share, limited to 0 to 4. */
const explosionFraction = (source: OoxmlChartSource): number =>
  Math.min(4, Math.max(0, (numberOf(source) ?? 0) / 100))

/** c:dPt (21.2.2.52): formatting of one point. For line-like charts that of the data marker counts. */
function readPoint(
  source: OoxmlChartSource,
  line: boolean,
  formats: Map<number, ChartFormat>,
  explosions: Map<number, number>,
): void {
  let index = -1
  source.cursor.each((name) => {
    if (name === 'c:idx') index = numberOf(source) ?? -1
    else if (name === 'c:spPr' && !line) formats.set(index, readChartFormat(source))
    else if (name === 'c:explosion') explosions.set(index, explosionFraction(source))
    else if (name === 'c:marker' && line)
      source.cursor.each((child) => {
        if (child === 'c:spPr') formats.set(index, readChartFormat(source))
      })
  })
}

/** ST_TrendlineType (21.2.3); others are linear. */
const trendKinds: Readonly<Record<string, Trend['kind']>> = {
  exp: 'exponential',
  log: 'logarithmic',
  poly: 'polynomial',
  power: 'power',
  movingAvg: 'moving',
}

/** Reads c:trendline (21.2.2.211). */
function readTrend(source: OoxmlChartSource): Trend {
  const { cursor } = source
  const trend: Writable<Trend> = {
    kind: 'linear',
    order: 2,
    period: 2,
    forward: 0,
    backward: 0,
    equation: true,
    fit: true,
    letters: {},
    formatting: {},
  }
  const bounded = (min: number, max: number): number => Math.min(max, Math.max(min, numberOf(source) ?? min))
  cursor.each((name) => {
    switch (name) {
      case 'c:name':
        trend.name = cursor.text()
        break
      case 'c:trendlineType':
        trend.kind = entryOf(trendKinds, val(source)) ?? 'linear'
        break
      case 'c:order':
        trend.order = Math.round(bounded(2, 6))
        break
      case 'c:period':
        trend.period = Math.round(bounded(2, 255))
        break
      case 'c:forward':
        trend.forward = bounded(0, 1e9)
        break
      case 'c:backward':
        trend.backward = bounded(0, 1e9)
        break
      case 'c:intercept':
        trend.intercept = numberOf(source) ?? trend.intercept
        break
      case 'c:dispEq':
        trend.equation = isSet(source)
        break
      case 'c:dispRSqr':
        trend.fit = isSet(source)
        break
      case 'c:spPr':
        trend.formatting = readChartFormat(source)
        break
      case 'c:trendlineLbl':
        readTrendLabel(source, trend)
        break
    }
  })
  return trend
}

/** Reads c:trendlineLbl (21.2.2.212): how the equation is written. */
function readTrendLabel(source: OoxmlChartSource, trend: Writable<Trend>): void {
  const { cursor } = source
  cursor.each((name) => {
    if (name === 'c:txPr') trend.letters = readTextSet(source).letters
    if (name !== 'c:numFmt') return
    const format = cursor.attribute('formatCode')
    if (format !== undefined && !/^general$/i.test(format)) trend.format = format
  })
}

/**
 * Reads c:errBars (21.2.2.55). Lengths from standard deviations (`stdDev`, `stdErr`) are not computed: they
 * are reported and drawn with length 0.
 */
function readErrors(source: OoxmlChartSource): ErrorBars {
  const { cursor } = source
  let [axis, type, kind, caps, amount]: ['x' | 'y', string, string, boolean, number] = [
    'y',
    'both',
    'fixedVal',
    true,
    0,
  ]
  let format: ChartFormat = {}
  let [more, less]: [readonly (number | undefined)[], readonly (number | undefined)[]] = [[], []]
  cursor.each((name) => {
    if (name === 'c:errDir') axis = val(source) === 'x' ? 'x' : 'y'
    else if (name === 'c:errBarType') type = val(source) ?? 'both'
    else if (name === 'c:errValType') kind = val(source) ?? 'fixedVal'
    else if (name === 'c:noEndCap') caps = !isSet(source)
    else if (name === 'c:val') amount = Math.max(0, numberOf(source) ?? 0)
    else if (name === 'c:plus') more = readNumbers(source).values
    else if (name === 'c:minus') less = readNumbers(source).values
    else if (name === 'c:spPr') format = readChartFormat(source)
  })
  if (kind === 'stdDev' || kind === 'stdErr') source.undrawn.add('error bars by deviation')
  const length =
    (list: readonly (number | undefined)[]) =>
    (value: number, n: number): number =>
      kind === 'cust'
        ? (list[n] ?? 0)
        : kind === 'percentage'
          ? (Math.abs(value) * amount) / 100
          : kind === 'fixedVal'
            ? amount
            : 0
  const none = (): number => 0
  return {
    axis,
    caps,
    formatting: format,
    plus: type === 'minus' ? none : length(more),
    minus: type === 'plus' ? none : length(less),
  }
}
