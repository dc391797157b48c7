import type { Chart, Legend, Plot, Series, Trend } from '../../../../../shared/document/chart.ts'
import type { PathCommand, Pt, Stroke } from '../frame.ts'
import {
  type Area,
  box,
  fill,
  fillOf,
  type Ink,
  mm,
  putText,
  rule,
  seriesColour,
  stroke,
  strokeOf,
  styleOf,
  type TextBlock,
  textBlock,
  turnColour,
} from './ink.ts'
import { lineOf, putSymbol } from './marks.ts'

/** What a legend says of one thing drawn. */
interface Entry {
  readonly text: string
  readonly key: (ink: Ink, area: Area) => void
  /** Keys of lines are long. */
  readonly line: boolean
}

/** No legend is read beyond. */
const mostEntries = 500

const named = (series: Series): string => (series.name === '' ? `Series${series.index + 1}` : series.name)
const isLine = ({ kind, filled }: Plot): boolean =>
  kind === 'line' || kind === 'scatter' || kind === 'stock' || (kind === 'radar' && !filled)

function entriesOf({ chart }: Ink): Entry[] {
  const entries: Entry[] = []
  const [first] = chart.plots
  const shows = (number: number): boolean => chart.legend?.without.has(number) !== true
  if ((first?.kind === 'pie' || first?.kind === 'doughnut') && first.varied) {
    const [series] = first.series
    const count = Math.min(mostEntries, Math.max(series?.values.length ?? 0, series?.categories.length ?? 0))
    for (let n = 0; n < count; n += 1) {
      if (!shows(n)) continue
      const text = series!.categories[n] ?? String(n + 1)
      const look = series!.pointLooks.get(n) ?? series!.look
      entries.push({ text, line: false, key: (ink, area) => paintKey(ink, area, look, turnColour(chart, n)) })
    }
    return entries
  }
  let number = 0
  for (const plot of chart.plots) {
    const own: Entry[] = []
    const all = plot.kind === 'stock' ? plot.series.slice(-1) : plot.series
    for (const series of all) {
      if (shows(number)) own.push(entryOf(chart, plot, series))
      number += 1
      for (const trend of series.trends) own.push(trendEntry(series, trend))
    }
    // Stacks and bars that lie read from the top down.
    const stacked = plot.grouping !== 'side'
    const upright =
      chart.legend?.side !== 'top' && chart.legend?.side !== 'bottom' && chart.legend?.place === undefined
    const rises = plot.kind === 'bar' || plot.kind === 'line' || plot.kind === 'area'
    if (upright && rises && (plot.kind === 'bar' ? stacked !== plot.horizontal : stacked)) own.reverse()
    entries.push(...own)
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

function trendEntry(series: Series, trend: Trend): Entry {
  const text = trend.name ?? `${trendNames[trend.kind]} (${named(series)})`
  const how = strokeOf(trend.look, { colour: 0, width: 0.75 })
  return {
    text,
    line: true,
    key: (ink, { x, y, width, height }) => {
      if (how !== undefined) rule(ink, x, y + height / 2, x + width, y + height / 2, how)
    },
  }
}

function entryOf(chart: Chart, plot: Plot, series: Series): Entry {
  const colour = seriesColour(chart, series)
  const text = named(series)
  if (!isLine(plot))
    return {
      text,
      line: false,
      key: (ink, area) => {
        if (plot.kind !== 'bubble') return paintKey(ink, area, series.look, colour)
        const size = Math.min(area.width, area.height)
        const paint = fillOf(series.look, area, colour)
        const middle = { x: area.x + area.width / 2, y: area.y + area.height / 2 }
        putSymbol(ink, 'circle', middle.x, middle.y, size, paint, undefined)
      },
    }
  return {
    text,
    line: series.joined || plot.kind === 'stock',
    key: (ink, { x, y, width, height }) => {
      const how: Stroke | undefined = lineOf(chart, plot, series)
      const middle = y + height / 2
      if (how !== undefined) rule(ink, x, middle, x + width, middle, how)
      if (series.symbol === 'none') return
      const paint = fillOf(series.symbolLook, { x, y, width, height }, colour)
      putSymbol(
        ink,
        series.symbol,
        x + width / 2,
        middle,
        Math.min(series.symbolSize, height),
        paint,
        strokeOf(series.symbolLook, 'none'),
      )
    },
  }
}

function paintKey(ink: Ink, area: Area, look: Series['look'], usual: number): void {
  const commands: PathCommand[] = [['R', area.x, area.y, area.width, area.height]]
  const paint = fillOf(look, area, usual)
  if (paint !== undefined) fill(ink, commands, paint)
  const edge = strokeOf(look, 'none')
  if (edge !== undefined) stroke(ink, commands, edge)
}

interface Grid {
  readonly columns: readonly Pt[]
  readonly rows: readonly Pt[]
  readonly padX: Pt
  readonly padY: Pt
  readonly gapX: Pt
  readonly gapY: Pt
}

/**
 * Draws the legend and gives what it leaves of `area`. Distances as LibreOffice has them: shares of the letters' size, a
 * millimetre at least; entries in rows of equal columns.
 */
export function drawLegend(ink: Ink, legend: Legend, area: Area): Area {
  const entries = entriesOf(ink)
  if (entries.length === 0) return area
  const style = styleOf(ink, legend.letters)
  const size = style.size
  const keyHeight = size * 0.6
  const keyWidth = entries.some(({ line }) => line) ? 8 * mm : keyHeight
  const lead = keyWidth + Math.max(mm, size * 0.22)
  const { place } = legend
  const fixed = place?.width !== undefined && place.height !== undefined
  const rising = legend.side === 'left' || legend.side === 'right' || legend.side === 'corner'
  const room = fixed ? { ...area, width: place.width! * ink.width, height: place.height! * ink.height } : area
  const widest = rising && !fixed ? area.width * 0.3 : room.width - 2 * Math.max(mm, size * 0.33) - lead
  const texts = entries.map(({ text }) => textBlock(ink, text, style, Math.max(size, widest)))
  const tight = legend.side === 'corner' && !fixed
  const grid = fixed
    ? fittingGrid(texts, lead, size, room)
    : plainGrid(texts, lead, size, room, rising, tight)
  if (grid === undefined) return area
  const sum = (sizes: readonly Pt[]): Pt => sizes.reduce((all, one) => all + one, 0)
  const width = fixed
    ? room.width
    : sum(grid.columns) + 2 * grid.padX + grid.gapX * (grid.columns.length - 1) - 0.45 * mm
  const height = fixed ? room.height : sum(grid.rows) + 2 * grid.padY + grid.gapY * (grid.rows.length - 1)
  const at = placeOf(ink, legend, area, width, height)
  box(ink, { ...at, width, height }, legend.look)
  let y = at.y + grid.padY
  for (const [r, tall] of grid.rows.entries()) {
    let x = at.x + grid.padX
    for (const [c, wide] of grid.columns.entries()) {
      const n = r * grid.columns.length + c
      const entry = entries[n]
      if (entry === undefined) break
      entry.key(ink, { x, y: y + (size - keyHeight) / 2, width: keyWidth, height: keyHeight })
      putText(ink, texts[n]!, x + lead, y, { across: 'start', down: 'top', align: 'start' })
      x += wide + grid.gapX
    }
    y += tall + grid.gapY
  }
  if (legend.overlay) return area
  if (!fixed) return leftOf(ink, legend, area, width, height)
  // A legend of its own size leaves as much room as it would have needed beside the plot.
  const usual = plainGrid(texts, lead, size, area, rising, false)
  if (usual === undefined) return area
  return leftOf(
    ink,
    legend,
    area,
    sum(usual.columns) + 2 * usual.padX + usual.gapX * (usual.columns.length - 1),
    sum(usual.rows) + 2 * usual.padY + usual.gapY * (usual.rows.length - 1),
  )
}

function leftOf(ink: Ink, { side }: Legend, area: Area, width: Pt, height: Pt): Area {
  const across = width + ink.width * 0.02
  const down = height + ink.height * 0.02
  if (side === 'left') return { ...area, x: area.x + across, width: area.width - across }
  if (side === 'top') return { ...area, y: area.y + down, height: area.height - down }
  if (side === 'bottom') return { ...area, height: area.height - down }
  return { ...area, width: area.width - across }
}

function placeOf(ink: Ink, { side, place }: Legend, area: Area, width: Pt, height: Pt): { x: Pt; y: Pt } {
  if (place !== undefined) return { x: place.x * ink.width, y: place.y * ink.height }
  // Beside the plot it stands in the middle of the chart, titles or not.
  const middle = { x: area.x + (area.width - width) / 2, y: (ink.height - height) / 2 }
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

const spacing = (size: Pt): Pick<Grid, 'padX' | 'padY' | 'gapX' | 'gapY'> => ({
  padX: Math.max(mm, size * 0.33),
  padY: Math.max(mm, size * 0.2),
  gapX: Math.max(mm, size * 0.66),
  gapY: Math.max(mm, size * 0.2),
})

function plainGrid(
  texts: readonly TextBlock[],
  lead: Pt,
  size: Pt,
  room: Area,
  rising: boolean,
  tight: boolean,
): Grid | undefined {
  const gaps = { ...spacing(size), ...(tight && { gapY: 0.4 * mm }) }
  const count = texts.length
  const widest = lead + texts.reduce((most, { width }) => Math.max(most, width), 0) + gaps.gapX
  const tallest = texts.reduce((most, { height }) => Math.max(most, height), 0) + gaps.gapY
  let columns: number
  if (rising) {
    const most = Math.floor((room.height - 2 * gaps.padY) / tallest)
    if (most < 1) return undefined
    columns = Math.ceil(count / most)
  } else {
    const most = Math.floor((room.width - 2 * gaps.padX) / widest)
    if (most < 1) return undefined
    columns = Math.ceil(count / Math.ceil(count / most))
  }
  return { ...gaps, ...sizesOf(texts, lead, columns) }
}

function sizesOf(texts: readonly TextBlock[], lead: Pt, count: number): Pick<Grid, 'columns' | 'rows'> {
  const columns = new Array<Pt>(Math.min(count, texts.length)).fill(0)
  const rows: Pt[] = []
  for (const [n, { width, height }] of texts.entries()) {
    const [c, r] = [n % columns.length, Math.floor(n / columns.length)]
    columns[c] = Math.max(columns[c]!, lead + width)
    rows[r] = Math.max(rows[r] ?? 0, height)
  }
  return { columns, rows }
}

/** In a box of a size of its own: as many columns as fit, what is left over spread between entries. */
function fittingGrid(texts: readonly TextBlock[], lead: Pt, size: Pt, room: Area): Grid {
  let count = texts.length
  let sizes = sizesOf(texts, lead, count)
  const sum = (all: readonly Pt[]): Pt => all.reduce((total, one) => total + one, 0)
  while (count > 1 && sum(sizes.columns) > room.width) sizes = sizesOf(texts, lead, --count)
  const gaps = spacing(size)
  const spread = (free: Pt, pad: Pt, gap: Pt, of: number): [Pt, Pt] => {
    const usual = 2 * pad + (of - 1) * gap
    if (free < 0) return [pad, gap]
    if (free < usual) return [free / (of + 1), free / (of + 1)]
    const more = (free - usual) / (of + 1)
    return [pad + more, gap + more]
  }
  const [padX, gapX] = spread(room.width - sum(sizes.columns), gaps.padX, gaps.gapX, sizes.columns.length)
  const [padY, gapY] = spread(room.height - sum(sizes.rows), gaps.padY, gaps.gapY, sizes.rows.length)
  return { ...sizes, padX, padY, gapX, gapY }
}
