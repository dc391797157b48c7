import type { DataLabels, LabelField, Plot, Series } from '../../../../../shared/document/chart.ts'
import type { Pt } from '../frame.ts'
import {
  box,
  type ChartArea,
  type ChartCanvas,
  fill,
  fillOf,
  mm,
  paletteColour,
  putText,
  richBlock,
  seriesColour,
  styleOf,
  type TextBlock,
  textArea,
  textBlock,
} from './canvas.ts'
import { chartNumberText } from './format.ts'

/** Distance between a label and its data point. */
export const labelGap: Pt = 0.9 * mm

/** The labels of a point: its own, otherwise those of its series. */
export function labelsAt(series: Series, n: number): DataLabels | undefined {
  const ofPoint = series.pointLabels.get(n)
  return ofPoint === 'none' ? undefined : (ofPoint ?? series.labels)
}

/**
 * The text of the label of a point; undefined when it has none. `share` is its fraction of the total, when
 * known.
 */
export function labelBlock(
  canvas: ChartCanvas,
  plot: Plot,
  series: Series,
  n: number,
  share?: number,
): TextBlock | undefined {
  const labels = labelsAt(series, n)
  const value = series.values[n]
  if (labels === undefined || value === undefined) return undefined
  if (labels.text !== undefined) {
    const textOf = (field: LabelField): string => fieldText(series, n, field, labels, share)
    const resolved = labels.text.map((line) =>
      line.map((run) => (run.field === undefined ? run : { ...run, text: textOf(run.field) })),
    )
    return richBlock(canvas, resolved, labels.letters)
  }
  const format = labels.format ?? series.format
  const bubble = plot.kind === 'bubble' ? series.sizes?.[n] : undefined
  const parts = [
    ...(labels.category ? [categoryText(series, n)] : []),
    ...(labels.series ? [series.name] : []),
    ...(labels.value ? [chartNumberText(bubble ?? value, format)] : []),
    ...(labels.share && share !== undefined
      ? [
          chartNumberText(
            share,
            labels.shareFormat ?? (labels.value ? undefined : percentOf(labels.format)) ?? '0%',
          ),
        ]
      : []),
  ]
  const text = parts.join(labels.separator ?? (labels.share && !labels.value ? '\n' : '; '))
  return text === ''
    ? undefined
    : textBlock(canvas, text, styleOf(canvas, labels.letters), canvas.width * 0.3)
}

/** The text of a field in a label. */
function fieldText(
  series: Series,
  n: number,
  field: LabelField,
  labels: DataLabels,
  share: number | undefined,
): string {
  switch (field) {
    case 'value':
      return chartNumberText(series.values[n] ?? 0, labels.format ?? series.format)
    case 'category':
      return categoryText(series, n)
    case 'series':
      return series.name
    case 'share':
      return share === undefined ? '' : chartNumberText(share, percentOf(labels.format) ?? '0%')
    default:
      return series.labelCells?.[n] ?? ''
  }
}

const percentOf = (format: string | undefined): string | undefined =>
  format?.includes('%') ? format : undefined

const categoryText = (series: Series, n: number): string =>
  series.categories[n] ??
  (series.x === undefined ? String(n + 1) : chartNumberText(series.x[n] ?? n + 1, undefined))

/** Places a label with its box and key, aligned by a point of its bounds. */
export function putLabel(
  canvas: ChartCanvas,
  series: Series,
  n: number,
  block: TextBlock,
  x: Pt,
  y: Pt,
  at: { across?: 'start' | 'middle' | 'end'; down?: 'top' | 'middle' | 'bottom' },
  slice = false,
): void {
  const labels = labelsAt(series, n)!
  const moved = labels.moved ?? { x: 0, y: 0 }
  const [px, py] = [x + moved.x * canvas.width, y + moved.y * canvas.height]
  const area = textArea(block, px, py, { ...at, rotation: labels.rotation })
  const padded: ChartArea = { x: area.x - 2, y: area.y - 1, width: area.width + 4, height: area.height + 2 }
  box(canvas, padded, labels.formatting)
  putText(canvas, block, px, py, { ...at, rotation: labels.rotation })
  if (!labels.key) return
  const size = Math.min(6, block.height * 0.6)
  const key: ChartArea = {
    x: area.x - size - 2,
    y: area.y + (area.height - size) / 2,
    width: size,
    height: size,
  }
  const formatting = series.pointFormatting.get(n) ?? series.formatting
  const paint = fillOf(
    formatting,
    key,
    slice ? paletteColour(canvas.chart, n) : seriesColour(canvas.chart, series),
  )
  if (paint !== undefined) fill(canvas, [['R', key.x, key.y, size, size]], paint)
}
