/**
 * A chart in its box: title, legend, and what is left for the plot. Sizes and colours are those of Office where the file
 * does not say; the result is a chart to be read, not a copy of another program's pixels.
 */
import type { Chart } from '../../../../../shared/document/chart.ts'
import type { VectorTools } from '../../vector/vector.ts'
import type { Placed, Pt } from '../frame.ts'
import { drawCartesian } from './cartesian.ts'
import { type Area, fill, type Ink, label, labelSize, seriesColour, textWidth } from './ink.ts'
import { drawPie, drawRadar, sliceColour } from './round.ts'

const margin = 6
const titleSize = 14
const keySize = 6

export function drawChart(chart: Chart, width: Pt, height: Pt, tools: VectorTools): Placed[] {
  const ink: Ink = { chart, tools, items: [] }
  if (chart.background !== undefined)
    fill(ink, [['R', 0, 0, width, height]], Number.parseInt(chart.background, 16))
  let area: Area = {
    x: margin,
    y: margin,
    width: Math.max(1, width - 2 * margin),
    height: Math.max(1, height - 2 * margin),
  }
  if (chart.title !== undefined) {
    const lines = chart.title.split('\n').length
    label(ink, chart.title, width / 2, area.y, { size: titleSize, down: 'top' })
    area = shrunk(area, 'top', lines * titleSize * 1.2 + margin)
  }
  if (chart.legend !== undefined) area = drawLegend(ink, area, chart.legend)
  const pie = chart.plots.find(({ kind }) => kind === 'pie' || kind === 'doughnut')
  const radar = chart.plots.find(({ kind }) => kind === 'radar')
  if (pie !== undefined) drawPie(ink, area, pie)
  else if (radar !== undefined) drawRadar(ink, area, radar)
  else drawCartesian(ink, area)
  return ink.items
}

function shrunk(area: Area, side: NonNullable<Chart['legend']>, by: Pt): Area {
  const { x, y, width, height } = area
  const across = Math.max(10, width - by)
  const down = Math.max(10, height - by)
  if (side === 'left') return { x: x + by, y, width: across, height }
  if (side === 'right') return { x, y, width: across, height }
  if (side === 'top') return { x, y: y + by, width, height: down }
  return { x, y, width, height: down }
}

function drawLegend(ink: Ink, area: Area, side: NonNullable<Chart['legend']>): Area {
  const { chart } = ink
  const [first] = chart.plots
  const entries =
    first?.kind === 'pie' || first?.kind === 'doughnut'
      ? (first.series[0]?.values ?? []).map((_, n) => ({
          text: first.series[0]!.categories[n] ?? String(n + 1),
          colour: sliceColour(ink, first.series[0]!, n),
        }))
      : chart.plots
          .flatMap(({ series }) => series)
          .map((series, n) => ({ text: series.name, colour: seriesColour(chart, series, n) }))
  const shown = entries.filter(({ text }) => text !== '')
  if (shown.length === 0) return area
  const pitch = labelSize * 1.5
  const widths = shown.map(({ text }) => keySize + 4 + textWidth(ink, text) + 10)
  const key = (n: number, x: Pt, y: Pt): void => {
    fill(ink, [['R', x, y - keySize / 2, keySize, keySize]], shown[n]!.colour)
    label(ink, shown[n]!.text, x + keySize + 4, y, { across: 'start' })
  }
  if (side === 'left' || side === 'right') {
    const wide = Math.min(area.width / 2, Math.max(...widths))
    const rows = Math.min(shown.length, Math.floor(area.height / pitch))
    const top = area.y + (area.height - rows * pitch) / 2
    const x = side === 'left' ? area.x : area.x + area.width - wide + 6
    for (let n = 0; n < rows; n += 1) key(n, x, top + (n + 0.5) * pitch)
    return shrunk(area, side, wide)
  }
  // Rows as wide as there is room, each centred.
  const rows: number[][] = [[]]
  let used = 0
  for (const [n, wide] of widths.entries()) {
    if (used + wide > area.width && rows.at(-1)!.length > 0) {
      rows.push([])
      used = 0
    }
    rows.at(-1)!.push(n)
    used += wide
  }
  const tall = Math.min(area.height / 2, rows.length * pitch)
  const top = side === 'top' ? area.y : area.y + area.height - tall
  for (const [r, row] of rows.entries()) {
    if ((r + 1) * pitch > tall + 1) break
    let x = area.x + (area.width - row.reduce((sum, n) => sum + widths[n]!, 0) + 10) / 2
    for (const n of row) {
      key(n, x, top + (r + 0.5) * pitch)
      x += widths[n]!
    }
  }
  return shrunk(area, side, tall + margin)
}
