import {
  type Axis,
  type Chart,
  type ChartTitle,
  type Legend,
  type ManualLayout,
  noAxis,
  type Plot,
  type Series,
  type SeriesCells,
  type SheetArea,
} from '../../../document/chart.ts'
import type { Color } from '../../../document/paint.ts'
import type { Writable } from '../../../document/writable.ts'
import { entryOf } from '../../../entry-of.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { parseOpenAddress, sheetArea } from '../../sheet/formula.ts'
import { length } from '../values.ts'
import {
  isAuto,
  layoutHere,
  type OdtAxis,
  type OdtChartSource,
  readAxis,
  readTitle,
  styleHere,
} from './axis.ts'
import { type Cells, type ChartCell, cellsAt, numberOf, readCells } from './cells.ts'
import {
  type ChartStyle,
  chartFormatOf,
  noStyle,
  readFormat,
  readStyle,
  textFormatOf,
} from './chart-style.ts'
import { type DraftSeries, kindOf, readSeries, seriesOf } from './series.ts'

/** Maximum number of series of a chart. */
const maxSeries = 200

/**
 * What has been read of chart:chart so far. `plotStyle` is the style of the plot area, `chartStyle` that of the chart;
 * `gain`, `loss` and `range` are those of the markers of stock charts.
 */
interface OdtChartDraft {
  kind: string
  plotStyle: ChartStyle // style of the plot area
  chartStyle: ChartStyle
  title?: ChartTitle
  subtitle?: ChartTitle
  legend?: Legend
  manualLayout?: ManualLayout
  wall: ChartStyle
  readonly axes: OdtAxis[]
  readonly series: DraftSeries[]
  gain: ChartStyle
  loss: ChartStyle
  range: ChartStyle
  cells: Cells
}

/**
 * Reads a chart with the table of values inside it (ODF 1.3 part 3, 11). The cursor stands on the root of its
 * content. `undrawn` receives unsupported features, as phrases for the warning. `isInWorkbook`: a series without values in
 * the chart names the cells that hold them. Undefined when there is nothing to draw.
 */
export function readChart(
  cursor: XmlCursor,
  undrawn: Set<string> = new Set(),
  isInWorkbook = false,
): Chart | undefined {
  const source: OdtChartSource = {
    cursor,
    styles: { styles: new Map(), formats: new Map() },
    size: { width: 0, height: 0 },
    undrawn,
  }
  const draft: OdtChartDraft = {
    kind: '',
    plotStyle: noStyle,
    chartStyle: noStyle,
    wall: noStyle,
    axes: [],
    series: [],
    gain: noStyle,
    loss: noStyle,
    range: noStyle,
    cells: [],
  }
  const visit = (name: string): void => {
    if (name === 'style:style') readStyle(cursor, source.styles)
    else if (name.startsWith('number:')) readFormat(cursor, source.styles)
    else if (name === 'chart:chart') readBody(source, draft)
    else if (name.startsWith('office:')) cursor.each(visit)
  }
  cursor.each(visit)
  for (const style of source.styles.styles.values()) reportPart(style, undrawn)
  return chartOf(draft, source, isInWorkbook)
}

/** Records unsupported properties of a style. Charts contain only styles that are in use. */
function reportPart(style: ChartStyle, undrawn: Set<string>): void {
  const propertyOf = (name: string): string => style.get(name) ?? ''
  if (/^(?:gradient|hatch|bitmap)$/.test(propertyOf('draw:fill'))) undrawn.add('its gradients and patterns')
  const bars =
    propertyOf('chart:error-upper-indicator') === 'true' ||
    propertyOf('chart:error-lower-indicator') === 'true'
  if (bars && /^(?:variance|standard-|error-margin)/.test(propertyOf('chart:error-category')))
    undrawn.add('error bars by deviation')
}

/** chart:legend-position to the document model. */
const sides: Readonly<Record<string, Legend['side']>> = {
  start: 'left',
  end: 'right',
  top: 'top',
  bottom: 'bottom',
  'top-start': 'left',
  'bottom-start': 'left',
}

/** chart:chart. */
function readBody(source: OdtChartSource, draft: OdtChartDraft): void {
  const { cursor } = source
  draft.kind = kindOf(cursor.attribute('chart:class'))
  draft.chartStyle = styleHere(source)
  source.size = {
    width: length(cursor.attribute('svg:width')) ?? 0,
    height: length(cursor.attribute('svg:height')) ?? 0,
  }
  cursor.each((name) => {
    if (name === 'chart:title' || name === 'chart:subtitle') {
      const title = readTitle(source)
      if (title !== undefined) draft[name === 'chart:title' ? 'title' : 'subtitle'] = title
    } else if (name === 'chart:legend') draft.legend = readLegend(source)
    else if (name === 'table:table') draft.cells = readCells(cursor)
    else if (name === 'chart:plot-area') readPlotArea(source, draft)
    else if (name.startsWith('draw:') || name.startsWith('dr3d:')) source.undrawn.add('the shapes over it')
  })
}

function readLegend(source: OdtChartSource): Legend {
  const { cursor } = source
  const style = styleHere(source)
  const layout = layoutHere(source)
  const side = entryOf(sides, cursor.attribute('chart:legend-position'))
  return {
    side: side ?? 'right',
    ...(!isAuto(style) && layout !== undefined && { layout }),
    letters: textFormatOf(style),
    formatting: chartFormatOf(style),
    overlay: cursor.attribute('loext:overlay') === 'true',
    without: new Set(),
  }
}

/** chart:plot-area. */
function readPlotArea(source: OdtChartSource, draft: OdtChartDraft): void {
  const { cursor } = source
  draft.plotStyle = styleHere(source)
  const outer = isAuto(styleHere(source)) ? undefined : layoutHere(source)
  if (outer?.width !== undefined) draft.manualLayout = outer
  if (draft.plotStyle.get('chart:three-dimensional') === 'true') source.undrawn.add('depth')
  cursor.each((child) => {
    if (child === 'chart:axis') draft.axes.push(readAxis(source))
    else if (child === 'chart:wall') draft.wall = styleHere(source)
    else if (child === 'chart:stock-gain-marker') draft.gain = styleHere(source)
    else if (child === 'chart:stock-loss-marker') draft.loss = styleHere(source)
    else if (child === 'chart:stock-range-line') draft.range = styleHere(source)
    else if (child === 'chartooo:coordinate-region') {
      const inner = isAuto(draft.plotStyle) ? undefined : layoutHere(source)
      if (inner?.width !== undefined) draft.manualLayout = { ...inner, inner: true }
    } else if (child === 'chart:series' && draft.series.length < maxSeries)
      draft.series.push(readSeries(source))
  })
}

/** chart:class to plot kinds. */
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
  stock: 'stock',
}

/** Builds the chart: series of one class and axis form a plot. */
function chartOf(draft: OdtChartDraft, source: OdtChartSource, isInWorkbook: boolean): Chart | undefined {
  const { cells } = draft
  const column = (at: number): ChartCell[] => cells.slice(1).map((row) => row[at])
  const names = namesOf(draft, column)
  const plots = new Map<string, Writable<Plot> & { series: Series[] }>()
  for (const [index, seriesDraft] of draft.series.entries()) {
    // The series of ring charts have the class of circle charts.
    const name = draft.kind === 'ring' ? 'ring' : (seriesDraft.kind ?? draft.kind)
    const kind = entryOf(plotKinds, name)
    if (kind === undefined) return undefined
    // The table in a chart of a workbook is a copy of cells of the sheets, which may stand in rows there.
    const sheetCells = isInWorkbook ? sheetCellsOf(seriesDraft, draft) : undefined
    if (seriesDraft.values !== undefined && cells.length === 0 && sheetCells === undefined)
      source.undrawn.add('the values that it reads from a sheet and does not store')
    const values = (cellsAt(cells, seriesDraft.values) ?? column(index + 1)).map(numberOf)
    const [label] = cellsAt(cells, seriesDraft.label) ?? [cells[0]?.[index + 1]]
    const key = `${name} ${seriesDraft.second}`
    const plot = plots.get(key) ?? plotOf(draft, kind, name, seriesDraft.second)
    plots.set(key, plot)
    const { plotStyle } = draft
    const { formats } = source.styles
    const series = seriesOf(seriesDraft, {
      kind,
      index,
      // A name of several levels is read from the outermost to the innermost.
      name: Array.isArray(label) ? label.filter(Boolean).join(' ') : String(label ?? ''),
      values,
      names,
      cells,
      plotStyle,
      formats,
    })
    plot.series.push(sheetCells === undefined ? series : { ...series, cells: sheetCells })
  }
  if (plots.size === 0) return undefined
  const { title, subtitle, legend, manualLayout } = draft
  const blanks = draft.plotStyle.get('chart:treat-empty-cells')
  return {
    ...(title !== undefined && { title }),
    ...(subtitle !== undefined && { subtitle }),
    plots: [...plots.values()],
    ...(legend !== undefined && { legend }),
    ...axesOf(draft),
    palette: libreOffice,
    formatting: chartFormatOf(draft.chartStyle, { fill: 'FFFFFF' }),
    wall: chartFormatOf(draft.wall, { fill: 'none' }),
    letters: { family: 'Liberation Sans', size: 10, ...textFormatOf(draft.chartStyle) },
    titleSize: 13,
    ...(manualLayout !== undefined && { plotLayout: manualLayout }),
    blanks: blanks === 'use-zero' ? 'zero' : blanks === 'ignore' ? 'span' : 'gap',
  }
}

/** The cells of a series; undefined where its values are not an area of a sheet. */
function sheetCellsOf(
  { values, label, domains }: DraftSeries,
  { axes }: OdtChartDraft,
): SeriesCells | undefined {
  const valueArea = sheetAreaOf(values)
  if (valueArea === undefined) return undefined
  const name = sheetAreaOf(label)
  const categories = sheetAreaOf(axes.find((axis) => axis.categories !== undefined)?.categories)
  const x = domains.length === 1 ? sheetAreaOf(domains[0]) : undefined
  return {
    values: valueArea,
    ...(name !== undefined && { name }),
    ...(categories !== undefined && { categories }),
    ...(x !== undefined && { x }),
  }
}

const sheetAreaOf = (address: string | undefined): SheetArea | undefined =>
  sheetArea(address === undefined ? undefined : parseOpenAddress(address))

type CategoryNames = Pick<Series, 'categories' | 'levels' | 'days' | 'dayFormat'>

/** Categories, their outer levels and dates, from the range of the axis or the first column. */
function namesOf({ axes, cells }: OdtChartDraft, column: (at: number) => ChartCell[]): CategoryNames {
  const axis = axes.find(({ categories }) => categories !== undefined)
  const categoryCells = cellsAt(cells, axis?.categories) ?? column(0)
  const categories = categoryCells.map((value) => String((Array.isArray(value) ? value.at(-1) : value) ?? ''))
  const depth = categoryCells.reduce<number>(
    (max, value) => (Array.isArray(value) ? Math.max(max, value.length) : max),
    0,
  )
  const levels = Array.from({ length: Math.max(0, depth - 1) }, (_, level) =>
    categoryCells.map((value) => (Array.isArray(value) ? value[depth - 2 - level] || undefined : undefined)),
  )
  const days = axis?.axis.dates === undefined ? undefined : categoryCells.map(numberOf)
  return {
    categories,
    ...(levels.length > 0 && { levels }),
    ...(days?.some((day) => day !== undefined) && { days, dayFormat: axis?.axis.format ?? 'yyyy-mm-dd' }),
  }
}

/** An empty plot with the settings of the plot area. */
function plotOf(
  draft: OdtChartDraft,
  kind: Plot['kind'],
  name: string,
  second: boolean,
): Writable<Plot> & { series: Series[] } {
  const { plotStyle, axes } = draft
  const isOn = (key: string): boolean => plotStyle.get(key) === 'true'
  const stacked = isOn('chart:stacked') || isOn('chart:percentage')
  // Gap and overlap of columns are properties of the value axis.
  const bars = axes.find((axis) => axis.dimension === 'y' && axis.second === second)?.style
  const number = (key: string): number => Number(bars?.get(key) ?? plotStyle.get(key) ?? Number.NaN)
  const [gap, overlap] = [number('chart:gap-width'), number('chart:overlap')]
  const angle = Number(plotStyle.get('chart:angle-offset') ?? 90)
  return {
    kind,
    horizontal: isOn('chart:vertical'),
    grouping: isOn('chart:percentage') ? 'share' : stacked ? 'stacked' : 'side',
    gap: Number.isFinite(gap) ? Math.min(5, Math.max(0, gap / 100)) : 1,
    overlap: stacked ? 1 : Number.isFinite(overlap) ? Math.min(1, Math.max(-1, overlap / 100)) : 0,
    filled: name === 'filled-radar',
    varied: kind === 'pie' || kind === 'doughnut',
    second,
    start: Number.isFinite(angle) ? 90 - angle : 0,
    ...(kind === 'stock' && { spans: chartFormatOf(draft.range) }),
    ...(kind === 'stock' &&
      isOn('chart:japanese-candle-stick') && {
        boxes: { gap: 1, up: chartFormatOf(draft.gain), down: chartFormatOf(draft.loss) },
      }),
    series: [],
  }
}

function axesOf({
  axes,
  kind,
}: OdtChartDraft): Pick<Chart, 'categories' | 'values' | 'secondCategories' | 'secondValues'> {
  // Observed in LibreOffice: without columns and stocks, the first and the last point are at the ends of the axis.
  const between = kind === 'stock' ? {} : { between: false }
  const find = (dimension: string, second: boolean): Axis | undefined => {
    const declaredAxis = axes.find((axis) => axis.dimension === dimension && axis.second === second)?.axis
    return declaredAxis && { ...declaredAxis, ...(dimension === 'y' && between) }
  }
  const shown: Axis = { ...noAxis, hidden: false, ticks: 'out' }
  const [secondCategories, secondValues] = [find('x', true), find('y', true)]
  return {
    categories: find('x', false) ?? shown,
    values: find('y', false) ?? { ...shown, ...between },
    ...(secondCategories !== undefined && { secondCategories }),
    ...(secondValues !== undefined && { secondValues }),
  }
}

/** The colours that LibreOffice assigns to series, in order. */
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
