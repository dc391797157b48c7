import type {
  ErrorBars,
  Labels,
  Look,
  MarkSymbol,
  Plot,
  Series,
  Trend,
} from '../../../../../shared/document/chart.ts'
import { entryOf } from '../../../../../shared/entry-of.ts'
import { readCategories, readNumbers } from './data.ts'
import { readLabels } from './labels.ts'
import {
  type ChartSource,
  isSet,
  type Mutable,
  numberOf,
  readLook,
  readTextSet,
  readWords,
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

/**
 * Reads c:ser of any chart type (21.2.2.170 and others). `place` is the index of the series in the whole
 * chart; `labels` are the data labels it starts with.
 */
export function readSeries(
  source: ChartSource,
  plot: Pick<Plot, 'kind'> & { marked: boolean; joined: boolean },
  place: number,
  labels: Labels | undefined,
): Series {
  const { cursor } = source
  const pointLooks = new Map<number, Look>()
  const explosions = new Map<number, number>()
  const trends: Trend[] = []
  const errors: ErrorBars[] = []
  const line =
    plot.kind === 'line' || plot.kind === 'scatter' || plot.kind === 'radar' || plot.kind === 'stock'
  let symbol: Series['symbol'] | undefined
  let smooth: boolean | undefined
  let index = place
  let look: Look = {}
  let symbolLook: Look = {}
  const series: Mutable<Partial<Series>> = {
    name: '',
    categories: [],
    values: [],
    pointLabels: new Map(),
    explosion: 0,
    symbolSize: 5,
  }
  if (labels !== undefined) series.labels = labels
  cursor.each((name) => {
    switch (name) {
      case 'c:idx':
        index = Math.max(0, Math.min(10_000, numberOf(source) ?? place))
        break
      case 'c:tx':
        series.name = readWords(source)
        break
      case 'c:spPr':
        look = readLook(source)
        break
      case 'c:marker':
        cursor.each((part) => {
          if (part === 'c:symbol') symbol = entryOf(symbols, val(source))
          else if (part === 'c:size') series.symbolSize = Math.min(72, Math.max(2, numberOf(source) ?? 5))
          else if (part === 'c:spPr') symbolLook = readLook(source)
        })
        break
      case 'c:smooth':
        smooth = isSet(source)
        break
      case 'c:explosion':
        series.explosion = share(source)
        break
      case 'c:dPt':
        readPoint(source, line, pointLooks, explosions)
        break
      case 'c:dLbls': {
        const { all, points } = readLabels(source, undefined)
        delete series.labels
        if (all !== undefined) series.labels = all
        series.pointLabels = points
        break
      }
      case 'c:trendline':
        if (trends.length < 20) trends.push(readTrend(source))
        break
      case 'c:errBars':
        if (errors.length < 2) errors.push(readErrors(source))
        break
      case 'c:cat':
        Object.assign(series, readCategories(source))
        break
      case 'c:xVal': {
        const { categories } = readCategories(source)
        const numbers = categories.map((text) =>
          text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined,
        )
        // A scatter chart with text as x values uses 1, 2, 3.
        if (numbers.some((number) => number !== undefined)) series.x = numbers
        break
      }
      case 'c:val':
      case 'c:yVal': {
        const { values, format } = readNumbers(source)
        series.values = values
        if (format !== undefined) series.format = format
        break
      }
      case 'c:bubbleSize':
        series.sizes = readNumbers(source).values
        break
      case 'c:pictureOptions':
        source.undrawn.add('the pictures in its columns')
        break
      case 'c:extLst':
        cursor.each(() =>
          cursor.each((part) => {
            if (part.endsWith(':datalabelsRange')) source.undrawn.add('labels from cells')
          }),
        )
        break
    }
  })
  // Line charts without c:marker get an automatic data marker.
  const marked = plot.marked && line && plot.kind !== 'stock'
  const filledMark =
    symbolLook.fill === undefined && look.line !== undefined && look.line !== 'none'
      ? { ...symbolLook, fill: look.line }
      : symbolLook
  return {
    name: '',
    categories: [],
    values: [],
    pointLabels: new Map(),
    explosion: 0,
    symbolSize: 5,
    ...series,
    index,
    look: line ? withoutFill(look) : look,
    pointLooks,
    explosions,
    trends,
    errors: errors.map((bars) => bars),
    // An absent c:smooth means smoothed lines.
    smooth: (plot.kind === 'line' || plot.kind === 'scatter') && smooth !== false,
    joined: line && plot.joined && look.line !== 'none',
    symbol: symbol ?? (marked ? automaticSymbols[place % automaticSymbols.length]! : 'none'),
    symbolLook: filledMark,
  }
}

/** Lines are not filled; c:spPr may still carry a fill. */
const withoutFill = ({ fill: _fill, gradient: _gradient, ...look }: Look): Look => look
/** A percentage as a share, limited to 0 to 4. */
const share = (source: ChartSource): number => Math.min(4, Math.max(0, (numberOf(source) ?? 0) / 100))

/** c:dPt (21.2.2.52): formatting of one point. For line-like charts that of the data marker counts. */
function readPoint(
  source: ChartSource,
  line: boolean,
  looks: Map<number, Look>,
  explosions: Map<number, number>,
): void {
  let index = -1
  source.cursor.each((name) => {
    if (name === 'c:idx') index = numberOf(source) ?? -1
    else if (name === 'c:spPr' && !line) looks.set(index, readLook(source))
    else if (name === 'c:explosion') explosions.set(index, share(source))
    else if (name === 'c:marker' && line)
      source.cursor.each((part) => {
        if (part === 'c:spPr') looks.set(index, readLook(source))
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
function readTrend(source: ChartSource): Trend {
  const { cursor } = source
  const trend: Mutable<Trend> = {
    kind: 'linear',
    order: 2,
    period: 2,
    forward: 0,
    backward: 0,
    equation: true,
    fit: true,
    letters: {},
    look: {},
  }
  const bounded = (min: number, max: number): number => Math.min(max, Math.max(min, numberOf(source) ?? min))
  cursor.each((name) => {
    if (name === 'c:name') trend.name = cursor.text()
    else if (name === 'c:trendlineType') trend.kind = entryOf(trendKinds, val(source)) ?? 'linear'
    else if (name === 'c:order') trend.order = Math.round(bounded(2, 6))
    else if (name === 'c:period') trend.period = Math.round(bounded(2, 255))
    else if (name === 'c:forward') trend.forward = bounded(0, 1e9)
    else if (name === 'c:backward') trend.backward = bounded(0, 1e9)
    else if (name === 'c:intercept') {
      const value = numberOf(source)
      if (value !== undefined) trend.intercept = value
    } else if (name === 'c:dispEq') trend.equation = isSet(source)
    else if (name === 'c:dispRSqr') trend.fit = isSet(source)
    else if (name === 'c:spPr') trend.look = readLook(source)
    else if (name === 'c:trendlineLbl')
      cursor.each((part) => {
        if (part === 'c:numFmt') {
          const format = cursor.attribute('formatCode')
          if (format !== undefined && !/^general$/i.test(format)) trend.format = format
        } else if (part === 'c:txPr') trend.letters = readTextSet(source).letters
      })
  })
  return trend
}

/**
 * Reads c:errBars (21.2.2.55). Lengths from standard deviations (`stdDev`, `stdErr`) are not computed: they
 * are reported and drawn with length 0.
 */
function readErrors(source: ChartSource): ErrorBars {
  const { cursor } = source
  let [axis, type, kind, caps, amount]: ['x' | 'y', string, string, boolean, number] = [
    'y',
    'both',
    'fixedVal',
    true,
    0,
  ]
  let look: Look = {}
  let [more, less]: [readonly (number | undefined)[], readonly (number | undefined)[]] = [[], []]
  cursor.each((name) => {
    if (name === 'c:errDir') axis = val(source) === 'x' ? 'x' : 'y'
    else if (name === 'c:errBarType') type = val(source) ?? 'both'
    else if (name === 'c:errValType') kind = val(source) ?? 'fixedVal'
    else if (name === 'c:noEndCap') caps = !isSet(source)
    else if (name === 'c:val') amount = Math.max(0, numberOf(source) ?? 0)
    else if (name === 'c:plus') more = readNumbers(source).values
    else if (name === 'c:minus') less = readNumbers(source).values
    else if (name === 'c:spPr') look = readLook(source)
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
    look,
    plus: type === 'minus' ? none : length(more),
    minus: type === 'plus' ? none : length(less),
  }
}
