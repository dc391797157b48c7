/**
 * Draws a chart into its box: titles, legend, and the plot with its axes in the remaining area. Positions and
 * sizes that the file does not specify are those of LibreOffice, so that texts have the same positions: a
 * margin of a fiftieth of the chart, and a distance of three tenths of the font size around titles.
 */
import type { Axis, Chart, ChartTitle, Letters, ManualLayout } from '../../../../../shared/document/chart.ts'
import type { VectorTools } from '../../vector/vector.ts'
import type { Placed, Pt } from '../frame.ts'
import {
  box,
  type ChartArea,
  type ChartCanvas,
  mm,
  putText,
  richBlock,
  styleOf,
  type TextBlock,
} from './canvas.ts'
import { drawCartesian } from './cartesian.ts'
import { drawLegend } from './legend.ts'
import { drawPie, drawRadar } from './polar.ts'

const marginFraction = 0.02

export function drawChart(chart: Chart, width: Pt, height: Pt, tools: VectorTools): Placed[] {
  const canvas: ChartCanvas = { chart, tools, items: [], width, height }
  box(
    canvas,
    { x: 0.4, y: 0.4, width: Math.max(0, width - 0.8), height: Math.max(0, height - 0.8) },
    chart.formatting,
  )
  let area: ChartArea = {
    x: width * marginFraction,
    y: height * marginFraction,
    width: width * (1 - 2 * marginFraction),
    height: height * (1 - 2 * marginFraction),
  }
  if (chart.title !== undefined)
    area = drawTitle(canvas, chart.title, { size: chart.titleSize, bold: true }, area)
  if (chart.subtitle !== undefined)
    area = drawTitle(canvas, chart.subtitle, { size: chart.titleSize * 0.8 }, area)
  if (area.height < 5) return canvas.items
  if (chart.legend !== undefined) area = drawLegend(canvas, chart.legend, area)
  drawPlots(canvas, area)
  return canvas.items
}

function drawPlots(canvas: ChartCanvas, area: ChartArea): void {
  const { chart } = canvas
  const layout = chart.plotLayout
  const declaredArea = layout === undefined ? undefined : manualArea(canvas, layout, area)
  const pie = chart.plots.find(({ kind }) => kind === 'pie' || kind === 'doughnut')
  const radars = chart.plots.filter(({ kind }) => kind === 'radar')
  if (pie !== undefined) {
    drawPie(canvas, declaredArea ?? area, pie, layout?.inner === true)
    return
  }
  if (radars.length > 0) {
    drawRadar(canvas, declaredArea ?? area, radars)
    return
  }
  const titles = axisTitles(canvas)
  const left = declaredArea ?? titles.reduce((remaining, title) => title.reserve(remaining), area)
  const outer = drawCartesian(
    canvas,
    { ...left, width: Math.max(10, left.width), height: Math.max(10, left.height) },
    layout?.inner === true ? declaredArea : undefined,
  )
  for (const title of titles) title.draw(outer)
}

function manualArea(canvas: ChartCanvas, { x, y, width, height }: ManualLayout, area: ChartArea): ChartArea {
  const [px, py] = [x * canvas.width, y * canvas.height]
  return {
    x: px,
    y: py,
    width: Math.min(canvas.width - px, width === undefined ? area.width : width * canvas.width),
    height: Math.min(canvas.height - py, height === undefined ? area.height : height * canvas.height),
  }
}

/** Space above and below the letters of a title. */
const padOf = (canvas: ChartCanvas, title: ChartTitle, fallback: Letters): Pt =>
  styleOf(canvas, title.lines[0]?.[0]?.letters ?? {}, fallback).size * 0.3

function drawTitle(canvas: ChartCanvas, title: ChartTitle, fallback: Letters, area: ChartArea): ChartArea {
  const block = richBlock(canvas, title.lines, fallback, canvas.width * 0.8)
  const pad = padOf(canvas, title, fallback)
  const tall = block.height + 2 * pad
  const gap = canvas.height * marginFraction
  const middle =
    title.layout === undefined
      ? { x: area.x + area.width / 2, y: area.y + gap + tall / 2 }
      : {
          x: title.layout.x * canvas.width + block.width / 2 + pad * 0.6,
          y: title.layout.y * canvas.height + tall / 2,
        }
  framed(canvas, title, block, middle, 0)
  if (title.overlay === true) return area
  const by = tall + gap + 1.35 * mm
  return { ...area, y: area.y + by, height: area.height - by }
}

function framed(
  canvas: ChartCanvas,
  { formatting = {} }: ChartTitle,
  block: TextBlock,
  { x, y }: { x: Pt; y: Pt },
  rotation: number,
): void {
  const isVertical = rotation === 90 || rotation === 270
  const [width, height] = isVertical ? [block.height, block.width] : [block.width, block.height]
  box(
    canvas,
    { x: x - width / 2 - 3, y: y - height / 2 - 2, width: width + 6, height: height + 4 },
    formatting,
  )
  putText(canvas, block, x, y, { rotation })
}

interface AxisTitle {
  reserve(area: ChartArea): ChartArea
  draw(outer: ChartArea): void
}

/** Titles of axes: below and to the left of the plot, those of secondary axes above and to the right. */
function axisTitles(canvas: ChartCanvas): AxisTitle[] {
  const { chart } = canvas
  const horizontal = chart.plots.some(({ horizontal }) => horizontal)
  const [below, left] = horizontal ? [chart.values, chart.categories] : [chart.categories, chart.values]
  const [above, right] = horizontal
    ? [chart.secondValues, chart.secondCategories]
    : [chart.secondCategories, chart.secondValues]
  const titles: AxisTitle[] = []
  const add = (axis: Axis | undefined, side: 'below' | 'left' | 'above' | 'right'): void => {
    if (axis?.title !== undefined) titles.push(axisTitle(canvas, axis.title, side))
  }
  add(below, 'below')
  add(left, 'left')
  add(above, 'above')
  add(right, 'right')
  return titles
}

function axisTitle(
  canvas: ChartCanvas,
  title: ChartTitle,
  side: 'below' | 'left' | 'above' | 'right',
): AxisTitle {
  const isVertical = side === 'left' || side === 'right'
  const fallback: Letters = { size: chartSize(canvas), bold: true }
  const rotation = (((title.rotation ?? (isVertical ? 90 : 0)) % 360) + 360) % 360
  const block = richBlock(
    canvas,
    title.lines,
    fallback,
    (isVertical && rotation !== 0 ? canvas.height : canvas.width) * 0.8,
  )
  const pad = padOf(canvas, title, fallback)
  const angle = (rotation * Math.PI) / 180
  const tall = block.height + 2 * pad
  const [across, down] = [
    Math.abs(block.width * Math.cos(angle)) + Math.abs(tall * Math.sin(angle)),
    Math.abs(block.width * Math.sin(angle)) + Math.abs(tall * Math.cos(angle)),
  ]
  const reserve = (area: ChartArea): ChartArea => {
    if (title.overlay === true) return area
    const by = isVertical ? across + 4.5 * mm : down + 4.2 * mm
    switch (side) {
      case 'left':
        return { ...area, x: area.x + by, width: area.width - by }
      case 'right':
        return { ...area, width: area.width - by }
      case 'above':
        return { ...area, y: area.y + by, height: area.height - by }
      default:
        return { ...area, height: area.height - by }
    }
  }
  const draw = (outer: ChartArea): void => {
    const [gapX, gapY] = [canvas.width * marginFraction, canvas.height * marginFraction]
    const centre = { x: outer.x + outer.width / 2, y: outer.y + outer.height / 2 }
    const centred = {
      left: { x: outer.x - gapX - across / 2, y: centre.y },
      right: { x: outer.x + outer.width + gapX + across / 2, y: centre.y },
      above: { x: centre.x, y: outer.y - gapY - down / 2 },
      below: { x: centre.x, y: outer.y + outer.height + gapY + down / 2 },
    }[side]
    const at =
      title.layout === undefined
        ? {
            x: Math.min(Math.max(centred.x, across / 2), canvas.width - across / 2),
            y: Math.min(Math.max(centred.y, down / 2), canvas.height - down / 2),
          }
        : { x: title.layout.x * canvas.width + across / 2, y: title.layout.y * canvas.height + down / 2 }
    framed(canvas, title, block, at, rotation)
  }
  return { reserve, draw }
}

const chartSize = ({ chart }: ChartCanvas): Pt => chart.letters.size ?? 10
