import {
  type Axis,
  type Chart,
  type ChartFormat,
  type DataLabels,
  type Legend,
  noAxis,
  type Plot,
  type Series,
} from '../../../document/chart.ts'
import type { Writable } from '../../../document/writable.ts'
import { entryOf } from '../../../entry-of.ts'
import { XmlCursor, xmlText } from '../../../xml/cursor.ts'
import { type Theme, themeColor } from '../theme.ts'
import { wordVocabulary } from '../vocabulary.ts'
import { type OoxmlAxis, readAxis } from './axis.ts'
import { readLabels } from './labels.ts'
import {
  type DeclaredTitle,
  isSet,
  maxPoints,
  numberOf,
  type OoxmlChartSource,
  readChartFormat,
  readLayout,
  readTextSet,
  readTitle,
  type TextSet,
  val,
} from './parts.ts'
import { readSeries } from './series.ts'

/** Maximum number of series of one plot. */
const maxSeries = 200

/** A chart and the features that are left out of it, as phrases for a warning. */
export interface ReadChart {
  readonly chart: Chart | undefined // undefined: there is nothing to draw
  readonly undrawn: readonly string[]
}

/**
 * Reads a chart part with the cached values of its workbook. `isOnSlide` says that the chart is on a slide, where one without
 * formatting is transparent. Throws `XmlFault` for a part that is not well-formed. Source: ECMA-376-1, clause 21.2.
 */
export function readChart(bytes: Uint8Array, theme: Theme, { isOnSlide = false } = {}): ReadChart {
  const cursor = new XmlCursor(xmlText(bytes), wordVocabulary)
  if (!cursor.root()) return { chart: undefined, undrawn: [] }
  const source: OoxmlChartSource = { cursor, theme, left: maxPoints, undrawn: new Set() }
  return { chart: readSpace(source, isOnSlide), undrawn: [...source.undrawn] }
}

/** The properties of c:chart that have been read so far. */
interface OoxmlChartDraft {
  /** Each plot with the ids of its axes. */
  readonly plots: { readonly plot: Plot; readonly ids: readonly string[] }[]
  readonly axes: OoxmlAxis[]
  title: DeclaredTitle | undefined
  /** c:autoTitleDeleted: no automatic title. */
  withoutTitle: boolean
  legend?: Legend
  wall: ChartFormat
  plotLayout?: Chart['plotLayout']
  blanks: Chart['blanks']
}

/** c:chartSpace (21.2.2.29). */
function readSpace(source: OoxmlChartSource, isOnSlide: boolean): Chart | undefined {
  const { cursor, theme } = source
  const draft: OoxmlChartDraft = {
    plots: [],
    axes: [],
    title: undefined,
    withoutTitle: false,
    wall: {},
    blanks: 'zero',
  }
  // Office's defaults: white with a light grey outline.
  const defaultFormat: ChartFormat = { fill: 'FFFFFF', line: 'D9D9D9' }
  let format: ChartFormat = isOnSlide ? { fill: 'none', line: 'none' } : defaultFormat
  let set: TextSet = { letters: {} }
  cursor.each((name) => {
    if (name === 'c:spPr') {
      const declared = readChartFormat(source)
      format = {
        ...defaultFormat,
        ...declared,
        ...(declared.gradient !== undefined && { fill: 'none' as const }),
      }
    } else if (name === 'c:txPr') set = readTextSet(source)
    else if (name === 'c:chart') readBody(source, draft)
    else if (name === 'c:userShapes') source.undrawn.add('the shapes over it')
  })
  if (draft.plots.length === 0) return undefined
  const plots = draft.plots.map(({ plot }) => plot)
  const family = theme.fonts.get('minorHAnsi')
  const title = titleOf(draft, plots)
  return {
    ...(title !== undefined && { title }),
    plots,
    ...(draft.legend !== undefined && { legend: draft.legend }),
    ...axesOf(draft),
    palette: [1, 2, 3, 4, 5, 6].flatMap((n) => themeColor(theme, `accent${n}`) ?? []),
    formatting: format,
    wall: draft.wall,
    letters: { ...(family !== undefined && { family }), ...set.letters },
    titleSize: set.letters.size === undefined ? 18 : set.letters.size * 1.2,
    ...(draft.plotLayout !== undefined && { plotLayout: draft.plotLayout }),
    blanks: draft.blanks,
  }
}

/**
 * The title of a chart: its own text, or else the name of its only series, for which c:title is not needed unless
 * c:autoTitleDeleted is set (21.2.2.7).
 */
function titleOf({ title, withoutTitle }: OoxmlChartDraft, plots: readonly Plot[]): Chart['title'] {
  const [first, ...more] = plots.flatMap(({ series }) => series)
  const name = more.length > 0 || first === undefined ? '' : first.name
  if (title === undefined)
    return withoutTitle || name === '' ? undefined : { lines: [[{ text: name, letters: {} }]] }
  if (!title.isAutomatic || name === '') return title.title
  const letters = title.title.lines[0]?.[0]?.letters ?? {}
  return { ...title.title, lines: [[{ text: name, letters }]] }
}

/** c:chart (21.2.2.27). */
function readBody(source: OoxmlChartSource, draft: OoxmlChartDraft): void {
  source.cursor.each((name) => {
    switch (name) {
      case 'c:title':
        draft.title = readTitle(source, 'Chart Title')
        break
      case 'c:autoTitleDeleted':
        draft.withoutTitle = isSet(source)
        break
      case 'c:legend':
        draft.legend = readLegend(source)
        break
      case 'c:plotArea':
        readPlotArea(source, draft)
        break
      case 'c:dispBlanksAs': {
        const blanks = val(source)
        draft.blanks = blanks === 'gap' || blanks === 'span' ? blanks : 'zero'
        break
      }
    }
  })
}

/** ST_LegendPos (21.2.3). */
const sides: Readonly<Record<string, Legend['side']>> = {
  l: 'left',
  r: 'right',
  t: 'top',
  b: 'bottom',
  tr: 'corner',
}

function readLegend(source: OoxmlChartSource): Legend {
  const { cursor } = source
  const without = new Set<number>()
  const legend: Writable<Legend> = { side: 'right', letters: {}, formatting: {}, overlay: false, without }
  cursor.each((name) => {
    if (name === 'c:legendPos') legend.side = entryOf(sides, val(source)) ?? 'right'
    else if (name === 'c:layout') {
      const manualLayout = readLayout(source)
      if (manualLayout !== undefined && !manualLayout.moved) legend.layout = manualLayout
    } else if (name === 'c:overlay') legend.overlay = isSet(source)
    else if (name === 'c:spPr') legend.formatting = readChartFormat(source)
    else if (name === 'c:txPr') legend.letters = readTextSet(source).letters
    else if (name === 'c:legendEntry') {
      let [index, deleted] = [-1, false]
      cursor.each((child) => {
        if (child === 'c:idx') index = numberOf(source) ?? -1
        else if (child === 'c:delete') deleted = isSet(source)
      })
      if (deleted) without.add(index)
    }
  })
  return legend
}

/** Plot elements to plot kinds; depth is ignored with a warning. */
const kinds: Readonly<Record<string, Plot['kind']>> = {
  'c:barChart': 'bar',
  'c:bar3DChart': 'bar',
  'c:lineChart': 'line',
  'c:line3DChart': 'line',
  'c:stockChart': 'stock',
  'c:areaChart': 'area',
  'c:area3DChart': 'area',
  'c:pieChart': 'pie',
  'c:pie3DChart': 'pie',
  'c:ofPieChart': 'pie',
  'c:doughnutChart': 'doughnut',
  'c:scatterChart': 'scatter',
  'c:bubbleChart': 'bubble',
  'c:radarChart': 'radar',
}

/** c:plotArea (21.2.2.145). */
function readPlotArea(source: OoxmlChartSource, draft: OoxmlChartDraft): void {
  let count = 0
  source.cursor.each((name) => {
    const kind = entryOf(kinds, name)
    if (kind !== undefined) {
      if (name.includes('3D')) source.undrawn.add('depth')
      if (name === 'c:ofPieChart') source.undrawn.add('its second pie')
      const read = readPlot(source, kind, count)
      count += read.plot.series.length
      draft.plots.push(read)
    } else if (name === 'c:surfaceChart' || name === 'c:surface3DChart') source.undrawn.add('its surface')
    else if (name === 'c:catAx' || name === 'c:valAx' || name === 'c:dateAx')
      draft.axes.push(readAxis(source, name))
    else if (name === 'c:dTable') source.undrawn.add('its table of data')
    else if (name === 'c:spPr') draft.wall = readChartFormat(source)
    else if (name === 'c:layout') {
      const manualLayout = readLayout(source)
      if (manualLayout !== undefined && !manualLayout.moved) draft.plotLayout = manualLayout
    }
  })
}

/** One plot of the plot area. `count` is the number of series before it. */
function readPlot(
  source: OoxmlChartSource,
  kind: Plot['kind'],
  count: number,
): { plot: Plot; ids: string[] } {
  const { cursor } = source
  const ids: string[] = []
  const series: Series[] = []
  const plot: Writable<Plot> = {
    kind,
    horizontal: false,
    grouping: 'side',
    gap: 1.5,
    overlap: 0,
    filled: false,
    varied: kind === 'pie' || kind === 'doughnut',
    second: false,
    start: 0,
    series,
  }
  let [marked, joined] = [true, true]
  let labels: DataLabels | undefined
  cursor.each((name) => {
    switch (name) {
      case 'c:barDir':
        plot.horizontal = val(source) === 'bar'
        break
      case 'c:grouping':
        plot.grouping =
          entryOf<Plot['grouping']>({ stacked: 'stacked', percentStacked: 'share' }, val(source)) ?? 'side'
        break
      case 'c:gapWidth':
        plot.gap = Math.min(5, Math.max(0, (numberOf(source) ?? 150) / 100))
        break
      case 'c:overlap':
        plot.overlap = Math.min(1, Math.max(-1, (numberOf(source) ?? 0) / 100))
        break
      case 'c:scatterStyle':
        joined = val(source) !== 'marker'
        break
      case 'c:radarStyle':
        plot.filled = val(source) === 'filled'
        marked = val(source) === 'marker'
        break
      case 'c:varyColors':
        plot.varied = isSet(source)
        break
      case 'c:firstSliceAng':
        plot.start = (numberOf(source) ?? 0) % 360
        break
      case 'c:dLbls':
        labels = readLabels(source, kind === 'bubble').all
        break
      case 'c:ser':
        if (series.length < maxSeries)
          series.push(readSeries(source, { kind, marked, joined }, count + series.length, undefined))
        break
      case 'c:hiLowLines':
        plot.spans = readPlotFormat(source)
        break
      case 'c:dropLines':
        plot.drops = readPlotFormat(source)
        break
      case 'c:upDownBars':
        plot.boxes = readBoxes(source)
        break
      case 'c:axId':
        ids.push(val(source) ?? '')
        break
    }
  })
  // c:dLbls of the plot follows its series in the file; it applies to those without labels of their own.
  if (labels !== undefined) {
    const shared = labels
    plot.series = series.map((series) =>
      series.labels === undefined && series.pointLabels.size === 0 ? { ...series, labels: shared } : series,
    )
  }
  // Colours by point apply only to a plot with a single series.
  if (plot.varied && kind !== 'pie' && kind !== 'doughnut' && series.length !== 1) plot.varied = false
  return { plot, ids }
}

/** The c:spPr inside the current element. */
function readPlotFormat(source: OoxmlChartSource): ChartFormat {
  let format: ChartFormat = {}
  source.cursor.each((name) => {
    if (name === 'c:spPr') format = readChartFormat(source)
  })
  return format
}

/** c:upDownBars (21.2.2). */
function readBoxes(source: OoxmlChartSource): NonNullable<Plot['boxes']> {
  let [gap, up, down]: [number, ChartFormat, ChartFormat] = [1.5, {}, {}]
  source.cursor.each((name) => {
    if (name === 'c:gapWidth') gap = Math.min(5, Math.max(0, (numberOf(source) ?? 150) / 100))
    else if (name === 'c:upBars') up = readPlotFormat(source)
    else if (name === 'c:downBars') down = readPlotFormat(source)
  })
  return { gap, up, down }
}

/**
 * Assigns the axes: those of the first plot are the primary pair, and a later plot with other axis ids uses
 * the secondary pair. Marks the plots accordingly.
 */
function axesOf(
  draft: OoxmlChartDraft,
): Pick<Chart, 'categories' | 'values' | 'secondCategories' | 'secondValues'> {
  const byId = new Map(draft.axes.map((axis) => [axis.id, axis]))
  const pair = (ids: readonly string[]): { categories?: Axis; values?: Axis } => {
    const axes = ids.flatMap((id) => byId.get(id) ?? [])
    const values = axes.filter(({ kind }) => kind === 'c:valAx')
    const names = axes.find(({ kind }) => kind !== 'c:valAx')
    // The first of two value axes (scatter charts) is horizontal.
    const [first, second] = names === undefined ? values : [names, values[0]]
    return { ...(first && { categories: first.axis }), ...(second && { values: second.axis }) }
  }
  const [first] = draft.plots
  const main = pair(first?.ids ?? [])
  const key = first?.ids.join()
  const other = draft.plots.find(
    ({ ids, plot }) => ids.length > 0 && ids.join() !== key && plot.kind !== 'pie',
  )
  for (const read of draft.plots)
    if (other !== undefined && read.ids.join() === other.ids.join())
      Object.assign(read.plot, { second: true })
  const second = other === undefined ? {} : pair(other.ids)
  const loose = draft.axes.filter(({ kind }) => kind === 'c:valAx')
  return {
    categories: dated(
      main.categories ?? draft.axes.find(({ kind }) => kind !== 'c:valAx')?.axis ?? noAxis,
      draft,
    ),
    values: main.values ?? loose[0]?.axis ?? noAxis,
    ...(second.categories !== undefined && { secondCategories: dated(second.categories, draft) }),
    ...(second.values !== undefined && { secondValues: second.values }),
  }
}

/** A date axis without any dates becomes a category axis. */
function dated(axis: Axis, { plots }: OoxmlChartDraft): Axis {
  if (axis.dates === undefined) return axis
  const some = plots.some(({ plot }) =>
    plot.series.some(({ days }) => days?.some((day) => day !== undefined)),
  )
  if (some) return axis
  const { dates: _dates, ...plain } = axis
  return plain
}
