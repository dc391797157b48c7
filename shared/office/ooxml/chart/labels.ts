import type { DataLabels } from '../../../document/chart.ts'
import type { Writable } from '../../../document/writable.ts'
import { entryOf } from '../../../entry-of.ts'
import {
  isSet,
  numberOf,
  type OoxmlChartSource,
  readChartFormat,
  readLayout,
  readRich,
  readTextSet,
  val,
} from './parts.ts'

/** ST_DLblPos (21.2.3). */
const positions: Readonly<Record<string, NonNullable<DataLabels['position']>>> = {
  outEnd: 'outside',
  inEnd: 'inside',
  ctr: 'centre',
  inBase: 'base',
  t: 'above',
  b: 'below',
  l: 'left',
  r: 'right',
  bestFit: 'best',
}

/** Data labels of a whole series, and those of single points by index. */
export interface ReadLabels {
  readonly all: DataLabels | undefined
  readonly points: ReadonlyMap<number, DataLabels | 'none'>
}

/** Labels that show nothing. */
const noLabels: DataLabels = {
  value: false,
  share: false,
  category: false,
  series: false,
  key: false,
  letters: {},
  formatting: {},
  rotation: 0,
}
/** Maximum number of labels of single points that are read. */
const maxLabels = 2000

/** Reads c:dLbls (21.2.2.49). Only the labels of `hasBubbles` show sizes, as values (21.2.2.177). */
export function readLabels(source: OoxmlChartSource, hasBubbles: boolean): ReadLabels {
  const { cursor } = source
  const all: Writable<DataLabels> = { ...noLabels }
  const pointLabels: { index: number; labels: Partial<DataLabels> | 'none' }[] = []
  let deleted = false
  cursor.each((name) => {
    if (name === 'c:delete') deleted = isSet(source)
    else if (name === 'c:dLbl') {
      if (pointLabels.length < maxLabels) pointLabels.push(readLabel(source, hasBubbles))
    } else readPart(source, name, all, hasBubbles)
  })
  const shown = (labels: DataLabels): boolean =>
    labels.value || labels.share || labels.category || labels.series || labels.text !== undefined
  const points = new Map<number, DataLabels | 'none'>()
  for (const { index, labels } of pointLabels) {
    const merged: DataLabels | 'none' = labels === 'none' ? 'none' : { ...all, ...labels }
    points.set(index, merged !== 'none' && shown(merged) ? merged : 'none')
  }
  return { all: deleted || !shown(all) ? undefined : all, points }
}

/** c:dLbl (21.2.2.47): the label of one point; it overrides those of the series. */
function readLabel(
  source: OoxmlChartSource,
  hasBubbles: boolean,
): { index: number; labels: Partial<DataLabels> | 'none' } {
  const { cursor } = source
  let index = -1
  let deleted = false
  const labels: Writable<Partial<DataLabels>> = {}
  cursor.each((name) => {
    if (name === 'c:idx') index = numberOf(source) ?? -1
    else if (name === 'c:delete') deleted = isSet(source)
    else if (name === 'c:layout') {
      const manualLayout = readLayout(source)
      if (manualLayout?.moved === true && (manualLayout.x !== 0 || manualLayout.y !== 0))
        labels.moved = { x: manualLayout.x, y: manualLayout.y }
    } else if (name === 'c:tx')
      cursor.each((child) => {
        if (child === 'c:rich') labels.text = readRich(source).lines
      })
    else readPart(source, name, labels, hasBubbles)
  })
  return { index, labels: deleted ? 'none' : labels }
}

/** Reads one property that labels of series and of points share. */
function readPart(
  source: OoxmlChartSource,
  name: string,
  labels: Writable<Partial<DataLabels>>,
  hasBubbles: boolean,
): void {
  const { cursor } = source
  switch (name) {
    case 'c:showVal':
      labels.value = isSet(source)
      break
    case 'c:showPercent':
      labels.share = isSet(source)
      break
    case 'c:showCatName':
      labels.category = isSet(source)
      break
    case 'c:showSerName':
      labels.series = isSet(source)
      break
    case 'c:showBubbleSize':
      if (hasBubbles && isSet(source)) labels.value = true
      break
    case 'c:showLegendKey':
      labels.key = isSet(source)
      break
    case 'c:separator':
      labels.separator = cursor.text()
      break
    case 'c:dLblPos':
      labels.position = entryOf(positions, val(source)) ?? 'best'
      break
    case 'c:numFmt': {
      const format = cursor.attribute('formatCode')
      const linked = cursor.attribute('sourceLinked') === '1'
      if (format !== undefined && !(linked && /^general$/i.test(format))) labels.format = format
      break
    }
    case 'c:spPr':
      labels.formatting = readChartFormat(source)
      break
    case 'c:txPr': {
      const { letters, rotation } = readTextSet(source)
      labels.letters = letters
      if (rotation !== undefined) labels.rotation = rotation
      break
    }
  }
}
