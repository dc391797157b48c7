/**
 * A chart in its box: titles, legend, and what is left for the plot with its axes. Where the file leaves places and sizes
 * open they are those of LibreOffice, so that words stand where they stand there: a fiftieth of the chart around, titles
 * three tenths of their letters away from what is beside them.
 */
import type { Axis, Chart, ChartTitle, Letters, Place } from '../../../../../shared/document/chart.ts'
import type { VectorTools } from '../../vector/vector.ts'
import type { Placed, Pt } from '../frame.ts'
import { drawCartesian } from './cartesian.ts'
import { type Area, box, type Ink, mm, putText, richBlock, styleOf, type TextBlock } from './ink.ts'
import { drawLegend } from './legend.ts'
import { drawPie, drawRadar } from './round.ts'

const around = 0.02

export function drawChart(chart: Chart, width: Pt, height: Pt, tools: VectorTools): Placed[] {
  const ink: Ink = { chart, tools, items: [], width, height }
  box(ink, { x: 0.4, y: 0.4, width: Math.max(0, width - 0.8), height: Math.max(0, height - 0.8) }, chart.look)
  let area: Area = {
    x: width * around,
    y: height * around,
    width: width * (1 - 2 * around),
    height: height * (1 - 2 * around),
  }
  if (chart.title !== undefined)
    area = drawTitle(ink, chart.title, { size: chart.titleSize, bold: true }, area)
  if (chart.subtitle !== undefined)
    area = drawTitle(ink, chart.subtitle, { size: chart.titleSize * 0.8 }, area)
  if (area.height < 5) return ink.items
  if (chart.legend !== undefined) area = drawLegend(ink, chart.legend, area)
  drawPlots(ink, area)
  return ink.items
}

function drawPlots(ink: Ink, area: Area): void {
  const { chart } = ink
  const own = chart.plotPlace
  const wanted = own === undefined ? undefined : placed(ink, own, area)
  const pie = chart.plots.find(({ kind }) => kind === 'pie' || kind === 'doughnut')
  const radars = chart.plots.filter(({ kind }) => kind === 'radar')
  if (pie !== undefined) {
    drawPie(ink, wanted ?? area, pie, own?.inner === true)
    return
  }
  if (radars.length > 0) {
    drawRadar(ink, wanted ?? area, radars)
    return
  }
  const titles = axisTitles(ink)
  const left = wanted ?? titles.reduce((room, title) => title.reserve(room), area)
  const outer = drawCartesian(
    ink,
    { ...left, width: Math.max(10, left.width), height: Math.max(10, left.height) },
    own?.inner === true ? wanted : undefined,
  )
  for (const title of titles) title.draw(outer)
}

function placed(ink: Ink, { x, y, width, height }: Place, area: Area): Area {
  const [px, py] = [x * ink.width, y * ink.height]
  return {
    x: px,
    y: py,
    width: Math.min(ink.width - px, width === undefined ? area.width : width * ink.width),
    height: Math.min(ink.height - py, height === undefined ? area.height : height * ink.height),
  }
}

/** Room that letters of a title keep above and below. */
const padOf = (ink: Ink, title: ChartTitle, usual: Letters): Pt =>
  styleOf(ink, title.lines[0]?.[0]?.letters ?? {}, usual).size * 0.3

function drawTitle(ink: Ink, title: ChartTitle, usual: Letters, area: Area): Area {
  const block = richBlock(ink, title.lines, usual, ink.width * 0.8)
  const pad = padOf(ink, title, usual)
  const tall = block.height + 2 * pad
  const gap = ink.height * around
  const middle =
    title.place === undefined
      ? { x: area.x + area.width / 2, y: area.y + gap + tall / 2 }
      : {
          x: title.place.x * ink.width + block.width / 2 + pad * 0.6,
          y: title.place.y * ink.height + tall / 2,
        }
  framed(ink, title, block, middle, 0)
  if (title.overlay === true) return area
  const by = tall + gap + 1.35 * mm
  return { ...area, y: area.y + by, height: area.height - by }
}

function framed(
  ink: Ink,
  { look = {} }: ChartTitle,
  block: TextBlock,
  { x, y }: { x: Pt; y: Pt },
  turn: number,
): void {
  const upright = turn === 90 || turn === 270
  const [width, height] = upright ? [block.height, block.width] : [block.width, block.height]
  box(ink, { x: x - width / 2 - 3, y: y - height / 2 - 2, width: width + 6, height: height + 4 }, look)
  putText(ink, block, x, y, { turn })
}

interface AxisTitle {
  reserve(area: Area): Area
  draw(outer: Area): void
}

/** Titles beside the plot: below and left of it, those of second axes above and right. */
function axisTitles(ink: Ink): AxisTitle[] {
  const { chart } = ink
  const lying = chart.plots.some(({ horizontal }) => horizontal)
  const [below, left] = lying ? [chart.values, chart.categories] : [chart.categories, chart.values]
  const [above, right] = lying
    ? [chart.secondValues, chart.secondCategories]
    : [chart.secondCategories, chart.secondValues]
  const found: AxisTitle[] = []
  const add = (axis: Axis | undefined, side: 'below' | 'left' | 'above' | 'right'): void => {
    if (axis?.title !== undefined) found.push(axisTitle(ink, axis.title, side))
  }
  add(below, 'below')
  add(left, 'left')
  add(above, 'above')
  add(right, 'right')
  return found
}

function axisTitle(ink: Ink, title: ChartTitle, side: 'below' | 'left' | 'above' | 'right'): AxisTitle {
  const upright = side === 'left' || side === 'right'
  const usual: Letters = { size: chartSize(ink), bold: true }
  const turn = (((title.turn ?? (upright ? 90 : 0)) % 360) + 360) % 360
  const block = richBlock(ink, title.lines, usual, (upright && turn !== 0 ? ink.height : ink.width) * 0.8)
  const pad = padOf(ink, title, usual)
  const angle = (turn * Math.PI) / 180
  const tall = block.height + 2 * pad
  const [across, down] = [
    Math.abs(block.width * Math.cos(angle)) + Math.abs(tall * Math.sin(angle)),
    Math.abs(block.width * Math.sin(angle)) + Math.abs(tall * Math.cos(angle)),
  ]
  const reserve = (area: Area): Area => {
    if (title.overlay === true) return area
    const by = upright ? across + 4.5 * mm : down + 4.2 * mm
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
  const draw = (outer: Area): void => {
    const [gapX, gapY] = [ink.width * around, ink.height * around]
    const centre = { x: outer.x + outer.width / 2, y: outer.y + outer.height / 2 }
    const beside = {
      left: { x: outer.x - gapX - across / 2, y: centre.y },
      right: { x: outer.x + outer.width + gapX + across / 2, y: centre.y },
      above: { x: centre.x, y: outer.y - gapY - down / 2 },
      below: { x: centre.x, y: outer.y + outer.height + gapY + down / 2 },
    }[side]
    const at =
      title.place === undefined
        ? {
            x: Math.min(Math.max(beside.x, across / 2), ink.width - across / 2),
            y: Math.min(Math.max(beside.y, down / 2), ink.height - down / 2),
          }
        : { x: title.place.x * ink.width + across / 2, y: title.place.y * ink.height + down / 2 }
    framed(ink, title, block, at, turn)
  }
  return { reserve, draw }
}

const chartSize = ({ chart }: Ink): Pt => chart.letters.size ?? 10
