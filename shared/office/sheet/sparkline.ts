/** What the readers of sparklines have in common. */
import type { SparklineColors, SparklineGroup } from '../../document/sparkline.ts'

/** The maximum number of sparklines of one sheet; further ones are not drawn. */
export const maxSparklines = 20_000

/** The colours of a group that names none, which are those of a new group in Excel. */
export const defaultColors: SparklineColors = {
  series: '376092',
  negative: 'D00000',
  axis: '000000',
  markers: 'D00000',
  first: 'D00000',
  last: 'D00000',
  high: 'D00000',
  low: 'D00000',
}

/** The points of a sparkline that may have a colour of their own, by the names of their attributes in both formats. */
export type SparklinePoint = 'markers' | 'high' | 'low' | 'first' | 'last' | 'negative'
const points: readonly SparklinePoint[] = ['markers', 'high', 'low', 'first', 'last', 'negative']

/** The points whose attribute is on. */
export const markedPoints = (isOn: (point: SparklinePoint) => boolean): SparklineGroup['marked'] =>
  new Set(points.filter(isOn))
