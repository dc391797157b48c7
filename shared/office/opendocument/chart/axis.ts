import { type Axis, type ChartTitle, type ManualLayout, noAxis, type Ticks } from '../../../document/chart.ts'
import type { Writable } from '../../../document/writable.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { length } from '../values.ts'
import { paragraphLines } from './cells.ts'
import {
  type ChartStyle,
  type ChartStyles,
  chartFormatOf,
  noStyle,
  rotationOf,
  textFormatOf,
} from './chart-style.ts'

/** State while a chart is read. */
export interface OdtChartSource {
  readonly cursor: XmlCursor
  readonly styles: ChartStyles
  /** Size of the chart, pt. */
  size: { width: number; height: number }
  /** Unsupported features, as phrases for the warning. */
  readonly undrawn: Set<string>
}

/** The style of the current element. */
export const styleHere = ({ cursor, styles }: OdtChartSource): ChartStyle =>
  styles.styles.get(cursor.attribute('chart:style-name') ?? '') ?? noStyle

/** Whether the position is automatic: the saved one is then only the result of an earlier layout. */
export const isAuto = (style: ChartStyle): boolean => style.get('chart:auto-position') === 'true'

/** Position and size of the current element as shares of the chart; undefined without a position. */
export function layoutHere({ cursor, size }: OdtChartSource): ManualLayout | undefined {
  const [x, y] = [length(cursor.attribute('svg:x')), length(cursor.attribute('svg:y'))]
  if (x === undefined || y === undefined || size.width <= 0 || size.height <= 0) return undefined
  const [width, height] = [length(cursor.attribute('svg:width')), length(cursor.attribute('svg:height'))]
  return {
    x: x / size.width,
    y: y / size.height,
    ...(width !== undefined &&
      height !== undefined && { width: width / size.width, height: height / size.height }),
  }
}

/** Reads chart:title or chart:subtitle; undefined without text. */
export function readTitle(source: OdtChartSource): ChartTitle | undefined {
  const style = styleHere(source)
  const manualLayout = isAuto(style) ? undefined : layoutHere(source)
  const text = paragraphLines(source.cursor)
  if (text === '') return undefined
  const rotation = rotationOf(style)
  const letters = textFormatOf(style)
  return {
    lines: text.split('\n').map((line) => [{ text: line, letters: { bold: false, ...letters } }]),
    ...(manualLayout !== undefined && { layout: { x: manualLayout.x, y: manualLayout.y } }),
    ...(rotation !== undefined && { rotation }),
    formatting: chartFormatOf(style),
  }
}

/** An axis with the information that series need. */
export interface OdtAxis {
  readonly dimension: string
  readonly second: boolean
  readonly axis: Axis
  readonly style: ChartStyle
  readonly categories?: string // cell range of the categories
}

/** Reads chart:axis (ODF 1.3 part 3, 11.9), on which the cursor stands. */
export function readAxis(source: OdtChartSource): OdtAxis {
  const { cursor, styles } = source
  const style = styleHere(source)
  const dimension = cursor.attribute('chart:dimension') ?? ''
  const second = (cursor.attribute('chart:name') ?? '').startsWith('secondary')
  const number = (key: string): number | undefined => {
    const value = Number(style.get(key) ?? Number.NaN)
    return Number.isFinite(value) ? value : undefined
  }
  const step = number('chart:interval-major')
  const parts = number('chart:interval-minor-divisor')
  const rotation = rotationOf(style)
  const format = styles.formats.get(style.get('format') ?? '')
  const axis: Writable<Axis> = {
    ...noAxis,
    hidden: style.get('chart:visible') === 'false' && style.get('chart:display-label') === 'false',
    reversed: style.get('chart:reverse-direction') === 'true',
    ticks: ticksOf(style, 'major', 'out'),
    minorTicks: ticksOf(style, 'minor', 'none'),
    labels: labelsOf(style),
    letters: textFormatOf(style),
    formatting: style.get('chart:visible') === 'false' ? { line: 'none' } : chartFormatOf(style),
    crosses: crossesOf(style.get('chart:axis-position'), second),
  }
  const [min, max] = [number('chart:minimum'), number('chart:maximum')]
  if (min !== undefined) axis.min = min
  if (max !== undefined) axis.max = max
  if (step !== undefined && step > 0) axis.step = step
  if (step !== undefined && step > 0 && parts !== undefined && parts > 0) axis.minorStep = step / parts
  if (style.get('chart:logarithmic') === 'true') axis.base = 10
  if (rotation !== undefined && rotation !== 0) axis.rotation = rotation
  if (format !== undefined && style.get('chart:link-data-style-to-source') !== 'true') axis.format = format
  let categories: string | undefined
  const dated = cursor.attribute('chartooo:axis-type') === 'date'
  if (dated) axis.dates = 'days'
  cursor.each((child) => {
    if (child === 'chart:title') {
      const title = readTitle(source)
      if (title !== undefined) axis.title = title
    } else if (child === 'chart:grid') {
      const lines = chartFormatOf(styleHere(source), { line: 'B3B3B3' })
      if (cursor.attribute('chart:class') === 'minor') axis.minorGrid = lines
      else axis.grid = lines
    } else if (child === 'chartooo:date-scale') {
      const unit = cursor.attribute('chart:base-time-unit')
      if (dated) axis.dates = unit === 'years' || unit === 'months' ? unit : 'days'
    } else if (child === 'chart:categories') categories = cursor.attribute('table:cell-range-address')
  })
  return { dimension, second, axis, style, ...(categories !== undefined && { categories }) }
}

function ticksOf(style: ChartStyle, kind: 'major' | 'minor', fallback: Ticks): Ticks {
  const [inner, outer] = [
    style.get(`chart:tick-marks-${kind}-inner`),
    style.get(`chart:tick-marks-${kind}-outer`),
  ]
  if (inner === undefined && outer === undefined) return fallback
  if (inner === 'true') return outer === 'true' ? 'cross' : 'in'
  return outer === 'false' ? 'none' : 'out'
}

function labelsOf(style: ChartStyle): Axis['labels'] {
  if (style.get('chart:display-label') === 'false') return 'none'
  const labelPosition = style.get('chart:axis-label-position')
  return labelPosition === 'outside-start' ? 'low' : labelPosition === 'outside-end' ? 'high' : 'beside'
}

/** chart:axis-position: secondary axes are at the far end by default. */
function crossesOf(labelPosition: string | undefined, second: boolean): Axis['crosses'] {
  if (labelPosition === 'start') return 'least'
  if (labelPosition === 'end') return 'most'
  const value = Number(labelPosition ?? Number.NaN)
  if (Number.isFinite(value)) return value === 0 ? 'zero' : value
  return second ? 'most' : 'zero'
}
