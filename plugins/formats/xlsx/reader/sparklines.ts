import type {
  Sparkline,
  SparklineColors,
  SparklineEnd,
  SparklineGroup,
} from '../../../../shared/document/sparkline.ts'
import { areaOf as dataOf } from '../../../../shared/office/ooxml/chart/data.ts'
import {
  defaultColors,
  markedPoints,
  maxSparklines,
  type SparklinePoint,
} from '../../../../shared/office/sheet/sparkline.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { type Palette, readColor } from './colors.ts'
import { areaOf } from './page-setup.ts'

const kinds: ReadonlyMap<string | undefined, SparklineGroup['kind']> = new Map([
  ['column', 'column'],
  ['stacked', 'win-loss'],
] as const)

const colorNames: ReadonlyMap<string, keyof SparklineColors> = new Map([
  ['x14:colorSeries', 'series'],
  ['x14:colorNegative', 'negative'],
  ['x14:colorAxis', 'axis'],
  ['x14:colorMarkers', 'markers'],
  ['x14:colorFirst', 'first'],
  ['x14:colorLast', 'last'],
  ['x14:colorHigh', 'high'],
  ['x14:colorLow', 'low'],
] as const)

/** Reads x14:sparklineGroups ([MS-XLSX] 2.4.115), whose groups are added to `groups`. */
export function readSparklines(cursor: XmlCursor, palette: Palette, groups: SparklineGroup[]): void {
  let left = maxSparklines - groups.reduce((sum, { sparklines }) => sum + sparklines.length, 0)
  cursor.each((name) => {
    if (name !== 'x14:sparklineGroup') return
    const group = readGroup(cursor, palette, left)
    left -= group.sparklines.length
    if (group.sparklines.length > 0) groups.push(group)
  })
}

/** CT_SparklineGroup ([MS-XLSX] 2.6.86), with at most `most` sparklines. */
function readGroup(cursor: XmlCursor, palette: Palette, most: number): SparklineGroup {
  const isOn = (name: string): boolean => /^(?:1|true)$/.test(cursor.attribute(name) ?? '')
  const width = Number(cursor.attribute('lineWeight') ?? 0.75)
  const empty = cursor.attribute('displayEmptyCellsAs')
  const attributes = {
    kind: kinds.get(cursor.attribute('type')) ?? 'line',
    lineWidth: width > 0 ? Math.min(1584, width) : 0.75,
    marked: markedPoints((point: SparklinePoint) => isOn(point)),
    hasAxis: isOn('displayXAxis'),
    emptyCells: empty === 'gap' || empty === 'span' ? empty : 'zero',
    includesHidden: isOn('displayHidden'),
    rightToLeft: isOn('rightToLeft'),
    min: endOf(cursor.attribute('minAxisType'), cursor.attribute('manualMin')),
    max: endOf(cursor.attribute('maxAxisType'), cursor.attribute('manualMax')),
  } as const
  const hasDates = isOn('dateAxis')
  const colors = { ...defaultColors }
  const sparklines: Sparkline[] = []
  let dates: SparklineGroup['dates']
  cursor.each((name) => {
    const color = colorNames.get(name)
    if (color !== undefined) colors[color] = readColor(cursor, palette) ?? colors[color]
    else if (name === 'xm:f' && hasDates) dates = dataOf(cursor.text())
    else if (name === 'x14:sparklines')
      cursor.each(() => {
        const sparkline = readSparkline(cursor)
        if (sparkline !== undefined && sparklines.length < most) sparklines.push(sparkline)
      })
  })
  return { ...attributes, colors, sparklines, ...(dates !== undefined && { dates }) }
}

function endOf(type: string | undefined, number: string | undefined): SparklineEnd {
  if (type === 'group') return 'group'
  const value = Number(number)
  return type === 'custom' && number !== undefined && Number.isFinite(value) ? value : 'individual'
}

/** CT_Sparkline ([MS-XLSX] 2.6.85); undefined without values or a cell. */
function readSparkline(cursor: XmlCursor): Sparkline | undefined {
  let data: Sparkline['data'] | undefined
  let cell: ReturnType<typeof areaOf>
  cursor.each((name) => {
    if (name === 'xm:f') data = dataOf(cursor.text())
    else if (name === 'xm:sqref') cell = areaOf(cursor.text())
  })
  return data === undefined || cell === undefined ? undefined : { row: cell.top, column: cell.left, data }
}
