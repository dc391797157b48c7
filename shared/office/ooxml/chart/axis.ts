import { type Axis, type ChartFormat, noAxis, type Ticks } from '../../../document/chart.ts'
import type { Writable } from '../../../document/writable.ts'
import {
  isSet,
  numberOf,
  type OoxmlChartSource,
  readChartFormat,
  readTextSet,
  readTitle,
  val,
} from './parts.ts'

/** An axis with its id, which plots refer to, and the id of the axis it crosses. */
export interface OoxmlAxis {
  readonly kind: 'c:catAx' | 'c:valAx' | 'c:dateAx' | 'c:serAx'
  readonly id: string
  readonly crossingAxis: string
  readonly axis: Axis
}

/** ST_TickMark (21.2.3). */
const ticksOf = (word: string | undefined): Ticks =>
  word === 'in' || word === 'out' || word === 'none' ? word : 'cross'

/** The properties of an axis that have been read so far. */
interface AxisDraft {
  id: string
  crossingAxis: string
  readonly axis: Writable<Axis>
  /** The unit of a date axis; absent when the file leaves it to the program. */
  dates?: Axis['dates']
}

/** Reads c:catAx, c:valAx or c:dateAx (21.2.2.25, 21.2.2.226, 21.2.2.43). `kind` is the element name. */
export function readAxis(source: OoxmlChartSource, kind: OoxmlAxis['kind']): OoxmlAxis {
  const axis: Writable<Axis> = { ...noAxis, hidden: false, ticks: 'cross', minorTicks: 'cross' }
  const draft: AxisDraft = { id: '', crossingAxis: '', axis }
  source.cursor.each((name) => {
    const read = childReaders.get(name)
    if (read === undefined) readSteps(source, name, axis)
    else read(source, draft)
  })
  if (kind === 'c:dateAx') axis.dates = draft.dates ?? 'days'
  return { kind, id: draft.id, crossingAxis: draft.crossingAxis, axis }
}

type AxisChildReader = (source: OoxmlChartSource, draft: AxisDraft) => void

/** Children of an axis that are read. Those that hold a distance are left to `readSteps`. */
const childReaders: ReadonlyMap<string, AxisChildReader> = new Map<string, AxisChildReader>([
  [
    'c:axId',
    (source, draft) => {
      draft.id = val(source) ?? ''
    },
  ],
  [
    'c:crossAx',
    (source, draft) => {
      draft.crossingAxis = val(source) ?? ''
    },
  ],
  [
    'c:delete',
    (source, { axis }) => {
      axis.hidden = isSet(source)
    },
  ],
  ['c:scaling', (source, { axis }) => readScaling(source, axis)],
  [
    'c:majorGridlines',
    (source, { axis }) => {
      axis.grid = readGridLines(source)
    },
  ],
  [
    'c:minorGridlines',
    (source, { axis }) => {
      axis.minorGrid = readGridLines(source)
    },
  ],
  [
    'c:title',
    (source, { axis }) => {
      const declared = readTitle(source, 'Axis Title')
      if (declared !== undefined) axis.title = declared.title
    },
  ],
  [
    'c:numFmt',
    ({ cursor }, { axis }) => {
      axis.format = cursor.attribute('formatCode')
      // A general format that is linked to the cells is ignored: the format of the cells applies.
      if (cursor.attribute('sourceLinked') === '1' && /^general$/i.test(axis.format ?? '')) delete axis.format
    },
  ],
  [
    'c:majorTickMark',
    (source, { axis }) => {
      axis.ticks = ticksOf(val(source))
    },
  ],
  [
    'c:minorTickMark',
    (source, { axis }) => {
      axis.minorTicks = ticksOf(val(source))
    },
  ],
  [
    'c:tickLblPos',
    (source, { axis }) => {
      const position = val(source)
      axis.labels = position === 'low' || position === 'high' || position === 'none' ? position : 'beside'
    },
  ],
  [
    'c:spPr',
    (source, { axis }) => {
      axis.formatting = readChartFormat(source)
    },
  ],
  [
    'c:txPr',
    (source, { axis }) => {
      const { letters, rotation } = readTextSet(source)
      axis.letters = letters
      if (rotation !== undefined && rotation !== 0) axis.rotation = rotation
    },
  ],
  [
    'c:crosses',
    (source, { axis }) => {
      const position = val(source)
      axis.crosses = position === 'max' ? 'most' : position === 'min' ? 'least' : 'zero'
    },
  ],
  [
    'c:crossesAt',
    (source, { axis }) => {
      axis.crosses = numberOf(source) ?? 'zero'
    },
  ],
  [
    'c:crossBetween',
    (source, { axis }) => {
      axis.between = val(source) !== 'midCat'
    },
  ],
  [
    'c:baseTimeUnit',
    (source, draft) => {
      const unit = val(source)
      draft.dates = unit === 'years' || unit === 'months' ? unit : 'days'
    },
  ],
  ['c:dispUnits', ({ undrawn }) => void undrawn.add('the units of its axes')],
])

function readGridLines(source: OoxmlChartSource): ChartFormat {
  let format: ChartFormat = {}
  source.cursor.each((child) => {
    if (child === 'c:spPr') format = readChartFormat(source)
  })
  return format
}

/** Distances between ticks, grid lines and labels; values that are not positive are ignored. */
function readSteps(source: OoxmlChartSource, name: string, axis: Writable<Axis>): void {
  const value = numberOf(source)
  if (value === undefined || !(value > 0)) return
  if (name === 'c:majorUnit') axis.step = value
  else if (name === 'c:minorUnit') axis.minorStep = value
  else if (name === 'c:tickLblSkip') axis.labelEvery = Math.max(1, Math.round(value))
  else if (name === 'c:tickMarkSkip') axis.tickEvery = Math.max(1, Math.round(value))
}

/** c:scaling (21.2.2.160). */
function readScaling(source: OoxmlChartSource, axis: Writable<Axis>): void {
  source.cursor.each((child) => {
    const value = numberOf(source)
    if (child === 'c:orientation') axis.reversed = val(source) === 'maxMin'
    else if (value === undefined) return
    else if (child === 'c:min') axis.min = value
    else if (child === 'c:max') axis.max = value
    else if (child === 'c:logBase' && value > 1) axis.base = value
  })
}
