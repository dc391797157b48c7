import { type Axis, noAxis, type Ticks } from '../../../../../shared/document/chart.ts'
import {
  type ChartSource,
  isSet,
  type Mutable,
  numberOf,
  readLook,
  readTextSet,
  readTitle,
  val,
} from './parts.ts'

/** An axis with its id, which plots refer to, and the id of the axis it crosses. */
export interface ReadAxis {
  readonly kind: 'c:catAx' | 'c:valAx' | 'c:dateAx' | 'c:serAx'
  readonly id: string
  readonly crossed: string
  readonly axis: Axis
}

/** ST_TickMark (21.2.3). */
const ticksOf = (word: string | undefined): Ticks =>
  word === 'in' || word === 'out' || word === 'none' ? word : 'cross'

/** Reads c:catAx, c:valAx or c:dateAx (21.2.2.25, 21.2.2.226, 21.2.2.43). `kind` is the element name. */
export function readAxis(source: ChartSource, kind: ReadAxis['kind']): ReadAxis {
  const { cursor } = source
  let [id, crossed] = ['', '']
  const axis: Mutable<Axis> = { ...noAxis, hidden: false, ticks: 'cross', minorTicks: 'cross' }
  let months: Axis['dates']
  cursor.each((name) => {
    switch (name) {
      case 'c:axId':
        id = val(source) ?? ''
        break
      case 'c:crossAx':
        crossed = val(source) ?? ''
        break
      case 'c:delete':
        axis.hidden = isSet(source)
        break
      case 'c:scaling':
        readScaling(source, axis)
        break
      case 'c:majorGridlines':
      case 'c:minorGridlines': {
        let look = {}
        cursor.each((part) => {
          if (part === 'c:spPr') look = readLook(source)
        })
        axis[name === 'c:majorGridlines' ? 'grid' : 'minorGrid'] = look
        break
      }
      case 'c:title': {
        const title = readTitle(source)
        if (title !== undefined) axis.title = title
        break
      }
      case 'c:numFmt':
        axis.format = cursor.attribute('formatCode')
        if (cursor.attribute('sourceLinked') === '1' && /^general$/i.test(axis.format ?? ''))
          delete axis.format
        break
      case 'c:majorTickMark':
        axis.ticks = ticksOf(val(source))
        break
      case 'c:minorTickMark':
        axis.minorTicks = ticksOf(val(source))
        break
      case 'c:tickLblPos': {
        const place = val(source)
        axis.labels = place === 'low' || place === 'high' || place === 'none' ? place : 'beside'
        break
      }
      case 'c:spPr':
        axis.look = readLook(source)
        break
      case 'c:txPr': {
        const { letters, turn } = readTextSet(source)
        axis.letters = letters
        if (turn !== undefined && turn !== 0) axis.turn = turn
        break
      }
      case 'c:crosses': {
        const place = val(source)
        axis.crosses = place === 'max' ? 'most' : place === 'min' ? 'least' : 'zero'
        break
      }
      case 'c:crossesAt':
        axis.crosses = numberOf(source) ?? 'zero'
        break
      case 'c:crossBetween':
        axis.between = val(source) !== 'midCat'
        break
      case 'c:baseTimeUnit':
        months = val(source) === 'years' ? 'years' : val(source) === 'months' ? 'months' : 'days'
        break
      case 'c:dispUnits':
        source.undrawn.add('the units of its axes')
        break
      default:
        readSteps(source, name, axis)
    }
  })
  if (kind === 'c:dateAx') axis.dates = months ?? 'days'
  return { kind, id, crossed, axis }
}

/** Distances between ticks, grid lines and labels; values that are not positive are ignored. */
function readSteps(source: ChartSource, name: string, axis: Mutable<Axis>): void {
  const value = numberOf(source)
  if (value === undefined || !(value > 0)) return
  if (name === 'c:majorUnit') axis.step = value
  else if (name === 'c:minorUnit') axis.minorStep = value
  else if (name === 'c:tickLblSkip') axis.labelEvery = Math.max(1, Math.round(value))
  else if (name === 'c:tickMarkSkip') axis.tickEvery = Math.max(1, Math.round(value))
}

/** c:scaling (21.2.2.160). */
function readScaling(source: ChartSource, axis: Mutable<Axis>): void {
  source.cursor.each((part) => {
    const value = numberOf(source)
    if (part === 'c:orientation') axis.reversed = val(source) === 'maxMin'
    else if (value === undefined) return
    else if (part === 'c:min') axis.min = value
    else if (part === 'c:max') axis.max = value
    else if (part === 'c:logBase' && value > 1) axis.base = value
  })
}
