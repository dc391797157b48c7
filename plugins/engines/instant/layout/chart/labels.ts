import type { Labels, Plot, Series } from '../../../../../shared/document/chart.ts'
import type { Pt } from '../frame.ts'
import { formatNumber } from './format.ts'
import {
  type Area,
  box,
  fill,
  fillOf,
  type Ink,
  mm,
  putText,
  richBlock,
  seriesColour,
  styleOf,
  type TextBlock,
  textArea,
  textBlock,
  turnColour,
} from './ink.ts'

/** How far labels stand from what they name. */
export const labelGap: Pt = 0.9 * mm

/** The labels of a point, its own or those of its series. */
export function labelsAt(series: Series, n: number): Labels | undefined {
  const own = series.pointLabels.get(n)
  return own === 'none' ? undefined : (own ?? series.labels)
}

/** What stands at a point, undefined for nothing. `share`: of the whole, where that is known. */
export function labelBlock(
  ink: Ink,
  plot: Plot,
  series: Series,
  n: number,
  share?: number,
): TextBlock | undefined {
  const labels = labelsAt(series, n)
  const value = series.values[n]
  if (labels === undefined || value === undefined) return undefined
  if (labels.text !== undefined) return richBlock(ink, labels.text, labels.letters)
  const format = labels.format ?? series.format
  const bubble = plot.kind === 'bubble' ? series.sizes?.[n] : undefined
  const parts = [
    ...(labels.category ? [categoryText(series, n)] : []),
    ...(labels.series ? [series.name] : []),
    ...(labels.value ? [formatNumber(bubble ?? value, format)] : []),
    ...(labels.share && share !== undefined
      ? [
          formatNumber(
            share,
            labels.shareFormat ?? (labels.value ? undefined : percentOf(labels.format)) ?? '0%',
          ),
        ]
      : []),
  ]
  const text = parts.join(labels.separator)
  return text === '' ? undefined : textBlock(ink, text, styleOf(ink, labels.letters), ink.width * 0.3)
}

const percentOf = (format: string | undefined): string | undefined =>
  format?.includes('%') ? format : undefined

const categoryText = (series: Series, n: number): string =>
  series.categories[n] ??
  (series.x === undefined ? String(n + 1) : formatNumber(series.x[n] ?? n + 1, undefined))

/** Puts a label, with its box and key, at a point of itself. */
export function putLabel(
  ink: Ink,
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
  const [px, py] = [x + moved.x * ink.width, y + moved.y * ink.height]
  const area = textArea(block, px, py, { ...at, turn: labels.turn })
  const roomy: Area = { x: area.x - 2, y: area.y - 1, width: area.width + 4, height: area.height + 2 }
  box(ink, roomy, labels.look)
  putText(ink, block, px, py, { ...at, turn: labels.turn })
  if (!labels.key) return
  const size = Math.min(6, block.height * 0.6)
  const key: Area = { x: area.x - size - 2, y: area.y + (area.height - size) / 2, width: size, height: size }
  const look = series.pointLooks.get(n) ?? series.look
  const paint = fillOf(look, key, slice ? turnColour(ink.chart, n) : seriesColour(ink.chart, series))
  if (paint !== undefined) fill(ink, [['R', key.x, key.y, size, size]], paint)
}
