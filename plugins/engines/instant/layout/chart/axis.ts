import type { Axis } from '../../../../../shared/document/chart.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import type { PathCommand, Pt } from '../frame.ts'
import {
  type ChartArea,
  type ChartCanvas,
  lineGrey,
  mm,
  putText,
  stroke,
  strokeOf,
  styleOf,
  type TextAnchor,
  type TextBlock,
  textArea,
  textBlock,
} from './canvas.ts'

/** An axis, placed in the plot. */
export interface Ruler {
  readonly axis: Axis
  /** True if the axis runs from left to right, false if it runs from the bottom up. */
  readonly horizontal: boolean
  /** Position of its line: the y of a horizontal axis, the x of a vertical one. */
  readonly at: Pt
  /** Position where its labels begin, when they are not beside the axis. */
  readonly labelStart: Pt
  /** Positions of its two ends. */
  readonly from: Pt
  readonly to: Pt
  /** The side of its labels: below or to the left (-1), above or to the right (1). */
  readonly side: -1 | 1
  readonly tickLabels: readonly TickLabel[]
  readonly ticks: readonly Pt[]
  readonly minors: readonly Pt[]
  /** Maximum width of a label, beyond which it is broken into lines. */
  readonly available?: Pt
  /** Outer levels of the categories: names with the category ranges that they cover. */
  readonly levels?: readonly (readonly CategoryRange[])[]
}
export interface TickLabel {
  readonly at: Pt
  readonly text: string
}
export interface CategoryRange {
  readonly from: Pt
  readonly to: Pt
  readonly text: string
}

interface AxisLabel {
  readonly block: TextBlock
  readonly x: Pt
  readonly y: Pt
  readonly anchor: TextAnchor
}
export interface SetAxis {
  readonly ruler: Ruler
  readonly labels: readonly AxisLabel[]
  readonly separators: readonly PathCommand[]
  /** The bounds of the axis with its labels and ticks. */
  readonly area: ChartArea | undefined
}

const tick = 1.5 * mm
const minorTick = 1 * mm
const labelDistance = 1 * mm
const maxLabels = 2000

/** Lays out the labels of an axis: broken, rotated or thinned until no label covers the next one. */
export function setAxis(canvas: ChartCanvas, ruler: Ruler): SetAxis {
  const { axis, horizontal, side } = ruler
  if (axis.hidden) return { ruler, labels: [], separators: [], area: undefined }
  const out = axis.ticks === 'out' || axis.ticks === 'cross' ? tick : 0
  const isBesideAxis = axis.labels === 'beside'
  const start =
    (isBesideAxis ? ruler.at : ruler.labelStart) + (horizontal ? -side : side) * (out + labelDistance)
  const labels = axis.labels === 'none' ? [] : labelsOf(canvas, ruler, start)
  const separators: PathCommand[] = []
  const deep = axis.labels === 'none' ? [] : levelLabels(canvas, ruler, labels, start, separators)
  const all = [...labels, ...deep]
  const boxes = all.map(({ block, x, y, anchor }) => textArea(block, x, y, anchor))
  const end = ruler.at + (horizontal ? -side : side) * out
  boxes.push(
    horizontal
      ? { x: ruler.from, y: Math.min(ruler.at, end), width: ruler.to - ruler.from, height: out }
      : { x: Math.min(ruler.at, end), y: ruler.to, width: out, height: ruler.from - ruler.to },
  )
  return { ruler, labels: all, separators, area: enclosingArea(boxes) }
}

export function enclosingArea(boxes: readonly ChartArea[]): ChartArea {
  const x = boxes.reduce((min, box) => Math.min(min, box.x), Number.POSITIVE_INFINITY)
  const y = boxes.reduce((min, box) => Math.min(min, box.y), Number.POSITIVE_INFINITY)
  const right = boxes.reduce((max, box) => Math.max(max, box.x + box.width), Number.NEGATIVE_INFINITY)
  const bottom = boxes.reduce((max, box) => Math.max(max, box.y + box.height), Number.NEGATIVE_INFINITY)
  return { x, y, width: right - x, height: bottom - y }
}

function labelsOf(canvas: ChartCanvas, ruler: Ruler, start: Pt): AxisLabel[] {
  const { axis, horizontal, available } = ruler
  const style = styleOf(canvas, axis.letters)
  const tickLabels = ruler.tickLabels.filter((_, n) => n % (axis.labelEvery ?? 1) === 0).slice(0, maxLabels)
  const rotation = normalised(axis.rotation ?? 0)
  const unbroken = tickLabels.map(({ text }) => textBlock(canvas, text, style))
  if (rotation !== 0 || !horizontal) return thinned(ruler, tickLabels, unbroken, start, rotation)
  let blocks = unbroken
  if (available !== undefined && unbroken.some(({ width }) => width > available)) {
    const words = tickLabels.flatMap(({ text }) => text.split(/\s+/))
    const fits = words.every((word) => textBlock(canvas, word, style).width <= available)
    if (fits) blocks = tickLabels.map(({ text }) => textBlock(canvas, text, style, available))
  }
  // Labels with further levels below them are never rotated (observed in LibreOffice).
  const free =
    axis.rotation === undefined &&
    axis.labelEvery === undefined &&
    available !== undefined &&
    ruler.levels === undefined
  if (free && overlaps(tickLabels, blocks)) return thinned(ruler, tickLabels, unbroken, start, 45)
  return thinned(ruler, tickLabels, blocks, start, 0)
}

const normalised = (degrees: number): number => {
  const angle = ((degrees % 360) + 360) % 360
  return Math.abs(angle) < 0.5 || angle > 359.5 ? 0 : angle
}

function overlaps(tickLabels: readonly TickLabel[], blocks: readonly TextBlock[]): boolean {
  const boxes = tickLabels.map(({ at }, n) => ({
    left: at - blocks[n]!.width / 2,
    right: at + blocks[n]!.width / 2,
    width: blocks[n]!.width,
  }))
  const nonEmpty = boxes.filter(({ width }) => width > 0).sort((a, b) => a.left - b.left)
  return nonEmpty.some((box, n) => n > 0 && box.left < nonEmpty[n - 1]!.right - 0.1)
}

/** Tries every label, every second, every third, until they do not overlap. */
function thinned(
  ruler: Ruler,
  tickLabels: readonly TickLabel[],
  blocks: readonly TextBlock[],
  start: Pt,
  rotation: number,
): AxisLabel[] {
  const sin = Math.abs(Math.sin((rotation * Math.PI) / 180))
  const cos = Math.abs(Math.cos((rotation * Math.PI) / 180))
  const tall = blocks.reduce((max, { height }) => Math.max(max, height), 0)
  const wide = blocks.reduce((max, { width }) => Math.max(max, width), 0)
  const along = ruler.horizontal
    ? rotation === 0
      ? undefined
      : Math.min(tall / Math.max(sin, 0.01), wide * cos + tall * sin)
    : tall * cos + wide * sin
  let interval = 1
  for (; interval < tickLabels.length; interval += 1) {
    const labels = tickLabels.filter((_, n) => n % interval === 0)
    if (along === undefined) {
      if (
        !overlaps(
          labels,
          blocks.filter((_, n) => n % interval === 0),
        )
      )
        break
    } else if (labels.every(({ at }, n) => n === 0 || Math.abs(at - labels[n - 1]!.at) >= along - 0.2)) break
  }
  return tickLabels.flatMap((tickLabel, n) =>
    n % interval === 0 && tickLabel.text !== ''
      ? [labelAt(ruler, blocks[n]!, tickLabel.at, start, rotation)]
      : [],
  )
}

function labelAt(
  { horizontal, side }: Ruler,
  block: TextBlock,
  at: Pt,
  start: Pt,
  rotation: number,
): AxisLabel {
  if (rotation === 0)
    return horizontal
      ? { block, x: at, y: start, anchor: { down: side < 0 ? 'top' : 'bottom' } }
      : { block, x: start, y: at, anchor: { across: side < 0 ? 'end' : 'start' } }
  const angle = (rotation * Math.PI) / 180
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  const height = Math.abs(block.width * sin) + Math.abs(block.height * cos)
  const width = Math.abs(block.width * cos) + Math.abs(block.height * sin)
  // The end of the label that is nearest to the axis is aligned with the tick.
  if (horizontal) {
    const isVertical = Math.abs(cos) < 0.02
    const lean = isVertical ? 0 : ((sin > 0 === side < 0 ? -1 : 1) * Math.abs(block.width * cos)) / 2
    const down = side < 0 ? height / 2 : -height / 2
    return { block, x: at + lean, y: start + down, anchor: { rotation } }
  }
  return { block, x: start + (side * width) / 2, y: at, anchor: { rotation } }
}

/** Lays out the names of outer levels, row below row, with lines between their category ranges. */
function levelLabels(
  canvas: ChartCanvas,
  ruler: Ruler,
  labels: readonly AxisLabel[],
  start: Pt,
  separators: PathCommand[],
): AxisLabel[] {
  const { levels, horizontal, side } = ruler
  if (levels === undefined) return []
  const maxExtent = (all: readonly AxisLabel[]): Pt =>
    all.reduce((max, { block }) => Math.max(max, horizontal ? block.height : block.width), 0)
  let depth = maxExtent(labels) + 0.15 * mm
  const placed: AxisLabel[] = []
  const outward = (by: Pt): Pt => start + (horizontal ? -side : side) * by
  for (const ranges of levels) {
    const row = levelRow(canvas, ruler, ranges, outward(depth))
    const next = depth + row.reduce((max, { block }) => Math.max(max, block.height), 0) + 0.15 * mm
    for (const edge of new Set(ranges.flatMap(({ from, to }) => [from, to]))) {
      if (horizontal) separators.push(['M', edge, ruler.at], ['L', edge, outward(next)])
      else separators.push(['M', ruler.at, edge], ['L', outward(next), edge])
    }
    pushAll(placed, row)
    depth = next
  }
  return placed
}

/**
 * The names of one level in the middle of their ranges. Where a word is wider than its range, names are not broken, and every second
 * or third one is shown so that none covers the next one (observed in LibreOffice).
 */
function levelRow(
  canvas: ChartCanvas,
  ruler: Ruler,
  ranges: readonly CategoryRange[],
  start: Pt,
): AxisLabel[] {
  const { horizontal, axis } = ruler
  const style = styleOf(canvas, axis.letters)
  const names = ranges.map(({ from, to, text }) => ({
    at: (from + to) / 2,
    text,
    available: Math.max(1, Math.abs(to - from)),
  }))
  const isNarrow = ({ text, available }: (typeof names)[number]): boolean =>
    text.split(/\s+/).some((part) => textBlock(canvas, part, style).width > available)
  if (horizontal && names.some(isNarrow)) {
    const blocks = names.map(({ text }) => textBlock(canvas, text, style))
    return thinned(ruler, names, blocks, start, 0)
  }
  // Beside a vertical axis, they read upward along their ranges.
  return names.map(({ at, text, available }) =>
    labelAt(ruler, textBlock(canvas, text, style, available), at, start, horizontal ? 0 : 90),
  )
}

export function drawAxisLine(canvas: ChartCanvas, { ruler, separators }: SetAxis): void {
  const { axis, horizontal, at, from, to, side } = ruler
  if (axis.hidden) return
  const how = strokeOf(axis.formatting, { colour: lineGrey, width: 0.75 })
  if (how !== undefined) {
    const commands: PathCommand[] = horizontal
      ? [
          ['M', from, at],
          ['L', to, at],
        ]
      : [
          ['M', at, from],
          ['L', at, to],
        ]
    const direction = horizontal ? -side : side
    const addTicks = (positions: readonly Pt[], kind: Axis['ticks'], length: Pt): void => {
      if (kind === 'none') return
      const outer = kind === 'in' ? 0 : length * direction
      const inner = kind === 'out' ? 0 : -length * direction
      for (const position of positions) {
        if (horizontal) commands.push(['M', position, at + inner], ['L', position, at + outer])
        else commands.push(['M', at + inner, position], ['L', at + outer, position])
      }
    }
    addTicks(ruler.minors, axis.minorTicks, minorTick)
    if (separators.length === 0) addTicks(ruler.ticks, axis.ticks, tick)
    stroke(canvas, [...commands, ...separators], how)
  }
}

export function drawAxisLabels(canvas: ChartCanvas, { labels }: SetAxis): void {
  for (const { block, x, y, anchor } of labels) putText(canvas, block, x, y, anchor)
}
