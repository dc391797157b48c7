import type {
  Sparkline,
  SparklineColors,
  SparklineEnd,
  SparklineGroup,
} from '../../../../shared/document/sparkline.ts'
import { length } from '../../../../shared/office/opendocument/values.ts'
import { parseOpenAddress, sheetArea } from '../../../../shared/office/sheet/formula.ts'
import {
  defaultColors,
  markedPoints,
  maxSparklines,
  type SparklinePoint,
} from '../../../../shared/office/sheet/sparkline.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'

const kinds: ReadonlyMap<string | undefined, SparklineGroup['kind']> = new Map([
  ['column', 'column'],
  ['stacked', 'win-loss'],
] as const)

/** Reads calcext:sparkline-groups, an extension of LibreOffice (observed in LibreOffice 7.4). */
export function readSparklines(cursor: XmlCursor): readonly SparklineGroup[] {
  const groups: SparklineGroup[] = []
  let left = maxSparklines
  cursor.each((name) => {
    if (name !== 'calcext:sparkline-group') return
    const group = readGroup(cursor, left)
    left -= group.sparklines.length
    if (group.sparklines.length > 0) groups.push(group)
  })
  return groups
}

/** Reads calcext:sparkline-group with at most `most` sparklines. */
function readGroup(cursor: XmlCursor, most: number): SparklineGroup {
  const of = (name: string): string | undefined => cursor.attribute(`calcext:${name}`)
  const isOn = (name: string): boolean => of(name) === 'true'
  const empty = of('display-empty-cells-as')
  const width = length(of('line-width')) ?? 0
  const colors = Object.fromEntries(
    Object.entries(defaultColors).map(([name, usual]) => [
      name,
      /^#([0-9a-f]{6})$/i.exec(of(`color-${name}`) ?? '')?.[1]?.toUpperCase() ?? usual,
    ]),
  ) as unknown as SparklineColors // as `defaultColors`
  const attributes = {
    kind: kinds.get(of('type')) ?? 'line',
    lineWidth: width > 0 ? Math.min(1584, width) : 0.75,
    colors,
    marked: markedPoints((point: SparklinePoint) => isOn(point)),
    hasAxis: isOn('display-x-axis'),
    emptyCells: empty === 'gap' || empty === 'span' ? empty : 'zero',
    includesHidden: isOn('display-hidden'),
    rightToLeft: isOn('right-to-left'),
    min: endOf(of('min-axis-type'), of('manual-min')),
    max: endOf(of('max-axis-type'), of('manual-max')),
  } as const
  const sparklines: Sparkline[] = []
  cursor.each((name) => {
    if (name !== 'calcext:sparklines') return
    cursor.each(() => {
      const cell = parseOpenAddress(of('cell-address') ?? '')?.range.from
      const data = sheetArea(parseOpenAddress(of('data-range') ?? ''))
      if (cell?.row === undefined || cell.column === undefined || data === undefined) return
      if (sparklines.length < most) sparklines.push({ row: cell.row - 1, column: cell.column - 1, data })
    })
  })
  return { ...attributes, sparklines }
}

function endOf(type: string | undefined, number: string | undefined): SparklineEnd {
  if (type === 'group') return 'group'
  const value = Number(number)
  return type === 'custom' && number !== undefined && Number.isFinite(value) ? value : 'individual'
}
