import type { Chart, Legend, Plot, Series, Trend } from '../../../../../shared/document/chart.ts'
import { columnName } from '../../../../../shared/office/sheet/reference.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import { word } from '../../compat/word.ts'
import type { PathCommand, PathStroke, Pt } from '../frame.ts'
import {
  box,
  type ChartArea,
  type ChartCanvas,
  fill,
  fillOf,
  mm,
  paletteColour,
  putText,
  rule,
  seriesColour,
  stroke,
  strokeOf,
  styleOf,
  type TextBlock,
  textBlock,
} from './canvas.ts'
import { lineOf, putSymbol } from './data-markers.ts'

/** One entry of the legend. */
interface LegendEntry {
  readonly text: string
  readonly key: (canvas: ChartCanvas, area: ChartArea) => void
  /** Keys of lines are longer. */
  readonly line: boolean
}

/** Maximum number of entries. */
const maxEntries = 500

const named = (series: Series): string => {
  if (series.name !== '') return series.name
  const area = word.unnamedSeriesAreNumbered ? undefined : series.valuesAt
  if (area === undefined) return `Series${series.index + 1}`
  return area.left === area.right ? `Column ${columnName(area.left + 1)}` : `Row ${area.top + 1}`
}
const isLine = ({ kind, filled }: Plot): boolean =>
  kind === 'line' || kind === 'scatter' || kind === 'stock' || (kind === 'radar' && !filled)

function entriesOf({ chart }: ChartCanvas): LegendEntry[] {
  const entries: LegendEntry[] = []
  const [first] = chart.plots
  const isListed = (number: number): boolean => chart.legend?.without.has(number) !== true
  // Slices are listed one by one even where all have the colour of their series (observed in LibreOffice).
  if (first?.kind === 'pie' || first?.kind === 'doughnut') {
    const [series] = first.series
    const count = Math.min(maxEntries, Math.max(series?.values.length ?? 0, series?.categories.length ?? 0))
    for (let n = 0; n < count; n += 1) {
      if (!isListed(n)) continue
      const text = series!.categories[n] ?? String(n + 1)
      const formatting = series!.pointFormatting.get(n) ?? series!.formatting
      const colour = first.varied ? paletteColour(chart, n) : seriesColour(chart, series!)
      entries.push({
        text,
        line: false,
        key: (canvas, area) => paintKey(canvas, area, formatting, colour),
      })
    }
    return entries
  }
  let number = 0
  for (const plot of chart.plots) {
    const plotEntries: LegendEntry[] = []
    const all = plot.kind === 'stock' ? plot.series.slice(-1) : plot.series
    for (const series of all) {
      if (isListed(number)) plotEntries.push(entryOf(chart, plot, series))
      number += 1
      for (const trend of series.trends) plotEntries.push(trendEntry(series, trend))
    }
    // Stacked columns and horizontal bars are listed from the top down.
    const stacked = plot.grouping !== 'side'
    const isVertical =
      chart.legend?.side !== 'top' && chart.legend?.side !== 'bottom' && chart.legend?.layout === undefined
    const rises = plot.kind === 'bar' || plot.kind === 'line' || plot.kind === 'area'
    if (isVertical && rises && (plot.kind === 'bar' ? stacked !== plot.horizontal : stacked))
      plotEntries.reverse()
    pushAll(entries, plotEntries)
  }
  return entries
}

const trendNames = {
  linear: 'Linear',
  exponential: 'Exponential',
  logarithmic: 'Logarithmic',
  polynomial: 'Polynomial',
  power: 'Power',
  moving: 'Moving average',
} as const

function trendEntry(series: Series, trend: Trend): LegendEntry {
  const text = trend.name ?? `${trendNames[trend.kind]} (${named(series)})`
  const how = strokeOf(trend.formatting, { colour: 0, width: 0.75 })
  return {
    text,
    line: true,
    key: (canvas, { x, y, width, height }) => {
      if (how !== undefined) rule(canvas, x, y + height / 2, x + width, y + height / 2, how)
    },
  }
}

function entryOf(chart: Chart, plot: Plot, series: Series): LegendEntry {
  const colour = seriesColour(chart, series)
  const text = named(series)
  if (!isLine(plot))
    return {
      text,
      line: false,
      key: (canvas, area) => {
        if (plot.kind !== 'bubble') return paintKey(canvas, area, series.formatting, colour)
        const size = Math.min(area.width, area.height)
        const paint = fillOf(series.formatting, area, colour)
        const middle = { x: area.x + area.width / 2, y: area.y + area.height / 2 }
        putSymbol(canvas, 'circle', middle.x, middle.y, size, paint, undefined)
      },
    }
  return {
    text,
    line: series.joined || plot.kind === 'stock',
    key: (canvas, { x, y, width, height }) => {
      const how: PathStroke | undefined = lineOf(chart, plot, series)
      const middle = y + height / 2
      if (how !== undefined) rule(canvas, x, middle, x + width, middle, how)
      if (series.symbol === 'none') return
      const paint = fillOf(series.markerFormatting, { x, y, width, height }, colour)
      putSymbol(
        canvas,
        series.symbol,
        x + width / 2,
        middle,
        Math.min(series.symbolSize, height),
        paint,
        strokeOf(series.markerFormatting, 'none'),
      )
    },
  }
}

function paintKey(
  canvas: ChartCanvas,
  area: ChartArea,
  formatting: Series['formatting'],
  fallback: number,
): void {
  const commands: PathCommand[] = [['R', area.x, area.y, area.width, area.height]]
  const paint = fillOf(formatting, area, fallback)
  if (paint !== undefined) fill(canvas, commands, paint)
  const edge = strokeOf(formatting, 'none')
  if (edge !== undefined) stroke(canvas, commands, edge)
}

interface LegendGrid {
  readonly columns: readonly Pt[]
  readonly rows: readonly Pt[]
  readonly padX: Pt
  readonly padY: Pt
  readonly gapX: Pt
  readonly gapY: Pt
}

/**
 * Draws the legend and returns the remaining part of `area`. Distances are those of LibreOffice: fractions of
 * the font size, one millimetre at least; entries are in rows of equal columns.
 */
export function drawLegend(canvas: ChartCanvas, legend: Legend, area: ChartArea): ChartArea {
  const entries = entriesOf(canvas)
  if (entries.length === 0) return area
  const style = styleOf(canvas, legend.letters)
  const size = style.size
  const keyHeight = size * 0.6
  const keyWidth = entries.some(({ line }) => line) ? 8 * mm : keyHeight
  const lead = keyWidth + Math.max(mm, size * 0.22)
  const { layout } = legend
  const fixed = layout?.width !== undefined && layout.height !== undefined
  const rising = legend.side === 'left' || legend.side === 'right' || legend.side === 'corner'
  const available = fixed
    ? { ...area, width: layout.width! * canvas.width, height: layout.height! * canvas.height }
    : area
  const widest = rising && !fixed ? area.width * 0.3 : available.width - 2 * Math.max(mm, size * 0.33) - lead
  const texts = entries.map(({ text }) => textBlock(canvas, text, style, Math.max(size, widest)))
  const tight = legend.side === 'corner' && !fixed
  const grid = fixed
    ? fittingGrid(texts, lead, size, available)
    : uniformGrid(texts, lead, size, available, rising, tight)
  if (grid === undefined) return area
  const sum = (sizes: readonly Pt[]): Pt => sizes.reduce((all, value) => all + value, 0)
  const width = fixed
    ? available.width
    : sum(grid.columns) + 2 * grid.padX + grid.gapX * (grid.columns.length - 1) - 0.45 * mm
  const height = fixed
    ? available.height
    : sum(grid.rows) + 2 * grid.padY + grid.gapY * (grid.rows.length - 1)
  const at = legendPosition(canvas, legend, area, width, height)
  box(canvas, { ...at, width, height }, legend.formatting)
  let y = at.y + grid.padY
  for (const [r, tall] of grid.rows.entries()) {
    let x = at.x + grid.padX
    for (const [c, wide] of grid.columns.entries()) {
      const n = r * grid.columns.length + c
      const entry = entries[n]
      if (entry === undefined) break
      entry.key(canvas, { x, y: y + (size - keyHeight) / 2, width: keyWidth, height: keyHeight })
      putText(canvas, texts[n]!, x + lead, y, { across: 'start', down: 'top', align: 'start' })
      x += wide + grid.gapX
    }
    y += tall + grid.gapY
  }
  if (legend.overlay) return area
  if (!fixed) return areaBesideLegend(canvas, legend, area, width, height)
  // A legend with a specified size reserves the space that it would have needed beside the plot.
  const fallback = uniformGrid(texts, lead, size, area, rising, false)
  if (fallback === undefined) return area
  return areaBesideLegend(
    canvas,
    legend,
    area,
    sum(fallback.columns) + 2 * fallback.padX + fallback.gapX * (fallback.columns.length - 1),
    sum(fallback.rows) + 2 * fallback.padY + fallback.gapY * (fallback.rows.length - 1),
  )
}

function areaBesideLegend(
  canvas: ChartCanvas,
  { side }: Legend,
  area: ChartArea,
  width: Pt,
  height: Pt,
): ChartArea {
  const across = width + canvas.width * 0.02
  const down = height + canvas.height * 0.02
  if (side === 'left') return { ...area, x: area.x + across, width: area.width - across }
  if (side === 'top') return { ...area, y: area.y + down, height: area.height - down }
  if (side === 'bottom') return { ...area, height: area.height - down }
  return { ...area, width: area.width - across }
}

function legendPosition(
  canvas: ChartCanvas,
  { side, layout }: Legend,
  area: ChartArea,
  width: Pt,
  height: Pt,
): { x: Pt; y: Pt } {
  if (layout !== undefined) return { x: layout.x * canvas.width, y: layout.y * canvas.height }
  // A legend beside the plot is centred in the chart, regardless of titles.
  const middle = { x: area.x + (area.width - width) / 2, y: (canvas.height - height) / 2 }
  const below = 1.35 * mm
  switch (side) {
    case 'left':
      return { x: area.x, y: middle.y }
    case 'top':
      return { x: middle.x, y: area.y }
    case 'bottom':
      return { x: middle.x, y: area.y + area.height - height + below }
    case 'corner':
      return { x: area.x + area.width - width + 1.5 * mm, y: -0.35 * mm }
    default:
      return { x: area.x + area.width - width, y: middle.y }
  }
}

const spacing = (size: Pt): Pick<LegendGrid, 'padX' | 'padY' | 'gapX' | 'gapY'> => ({
  padX: Math.max(mm, size * 0.33),
  padY: Math.max(mm, size * 0.2),
  gapX: Math.max(mm, size * 0.66),
  gapY: Math.max(mm, size * 0.2),
})

function uniformGrid(
  texts: readonly TextBlock[],
  lead: Pt,
  size: Pt,
  available: ChartArea,
  rising: boolean,
  tight: boolean,
): LegendGrid | undefined {
  const gaps = { ...spacing(size), ...(tight && { gapY: 0.4 * mm }) }
  const count = texts.length
  const widest = lead + texts.reduce((max, { width }) => Math.max(max, width), 0) + gaps.gapX
  const tallest = texts.reduce((max, { height }) => Math.max(max, height), 0) + gaps.gapY
  let columns: number
  if (rising) {
    const maxRows = Math.floor((available.height - 2 * gaps.padY) / tallest)
    if (maxRows < 1) return undefined
    columns = Math.ceil(count / maxRows)
  } else {
    const maxColumns = Math.floor((available.width - 2 * gaps.padX) / widest)
    if (maxColumns < 1) return undefined
    columns = Math.ceil(count / Math.ceil(count / maxColumns))
  }
  return { ...gaps, ...sizesOf(texts, lead, columns) }
}

function sizesOf(texts: readonly TextBlock[], lead: Pt, count: number): Pick<LegendGrid, 'columns' | 'rows'> {
  const columns = new Array<Pt>(Math.min(count, texts.length)).fill(0)
  const rows: Pt[] = []
  for (const [n, { width, height }] of texts.entries()) {
    const [c, r] = [n % columns.length, Math.floor(n / columns.length)]
    columns[c] = Math.max(columns[c] ?? 0, lead + width)
    rows[r] = Math.max(rows[r] ?? 0, height)
  }
  return { columns, rows }
}

/** Fills a box of specified size with as many columns as fit, and distributes the remaining space among the entries. */
function fittingGrid(texts: readonly TextBlock[], lead: Pt, size: Pt, available: ChartArea): LegendGrid {
  let count = texts.length
  let sizes = sizesOf(texts, lead, count)
  const sum = (all: readonly Pt[]): Pt => all.reduce((total, value) => total + value, 0)
  while (count > 1 && sum(sizes.columns) > available.width) sizes = sizesOf(texts, lead, --count)
  const gaps = spacing(size)
  const spread = (free: Pt, pad: Pt, gap: Pt, of: number): [Pt, Pt] => {
    const fallback = 2 * pad + (of - 1) * gap
    if (free < 0) return [pad, gap]
    if (free < fallback) return [free / (of + 1), free / (of + 1)]
    const more = (free - fallback) / (of + 1)
    return [pad + more, gap + more]
  }
  const [padX, gapX] = spread(
    available.width - sum(sizes.columns),
    gaps.padX,
    gaps.gapX,
    sizes.columns.length,
  )
  const [padY, gapY] = spread(available.height - sum(sizes.rows), gaps.padY, gaps.gapY, sizes.rows.length)
  return { ...sizes, padX, padY, gapX, gapY }
}
