import type { Axis } from '../../../../../shared/document/chart.ts'
import type { PathCommand, Pt } from '../frame.ts'
import {
  type Area,
  type Ink,
  lineGrey,
  mm,
  putText,
  stroke,
  strokeOf,
  styleOf,
  type TextBlock,
  type TextPlace,
  textArea,
  textBlock,
} from './ink.ts'

/** An axis as it stands in the plot. */
export interface Ruler {
  readonly axis: Axis
  /** From left to right, or from the bottom up. */
  readonly level: boolean
  /** Where its line stands: y of a level one, x of an upright one. */
  readonly at: Pt
  /** Where its labels begin when they are not beside it. */
  readonly far: Pt
  /** Its ends along its way. */
  readonly from: Pt
  readonly to: Pt
  /** Labels stand below or to the left (-1), above or to the right (1). */
  readonly side: -1 | 1
  readonly marks: readonly Mark[]
  readonly ticks: readonly Pt[]
  readonly minors: readonly Pt[]
  /** Names may be broken into lines as wide as this. */
  readonly room?: Pt
  /** Outer levels of the categories: names over stretches. */
  readonly levels?: readonly (readonly Stretch[])[]
}
export interface Mark {
  readonly at: Pt
  readonly text: string
}
export interface Stretch {
  readonly from: Pt
  readonly to: Pt
  readonly text: string
}

interface Label {
  readonly block: TextBlock
  readonly x: Pt
  readonly y: Pt
  readonly place: TextPlace
}
export interface SetAxis {
  readonly ruler: Ruler
  readonly labels: readonly Label[]
  readonly separators: readonly PathCommand[]
  /** All of it, labels and ticks. */
  readonly area: Area | undefined
}

const tick = 1.5 * mm
const minorTick = 1 * mm
const away = 1 * mm
const mostLabels = 2000

/** Sets the labels of an axis: broken, turned or thinned until none lies over the next one. */
export function setAxis(ink: Ink, ruler: Ruler): SetAxis {
  const { axis, level, side } = ruler
  if (axis.hidden) return { ruler, labels: [], separators: [], area: undefined }
  const out = axis.ticks === 'out' || axis.ticks === 'cross' ? tick : 0
  const beside = axis.labels === 'beside'
  const start = (beside ? ruler.at : ruler.far) + (level ? -side : side) * (out + away)
  const labels = axis.labels === 'none' ? [] : labelsOf(ink, ruler, start)
  const separators: PathCommand[] = []
  const deep = axis.labels === 'none' ? [] : levelLabels(ink, ruler, labels, start, separators)
  const all = [...labels, ...deep]
  const boxes = all.map(({ block, x, y, place }) => textArea(block, x, y, place))
  const end = ruler.at + (level ? -side : side) * out
  boxes.push(
    level
      ? { x: ruler.from, y: Math.min(ruler.at, end), width: ruler.to - ruler.from, height: out }
      : { x: Math.min(ruler.at, end), y: ruler.to, width: out, height: ruler.from - ruler.to },
  )
  return { ruler, labels: all, separators, area: around(boxes) }
}

export function around(boxes: readonly Area[]): Area {
  const x = boxes.reduce((least, box) => Math.min(least, box.x), Number.POSITIVE_INFINITY)
  const y = boxes.reduce((least, box) => Math.min(least, box.y), Number.POSITIVE_INFINITY)
  const right = boxes.reduce((most, box) => Math.max(most, box.x + box.width), Number.NEGATIVE_INFINITY)
  const bottom = boxes.reduce((most, box) => Math.max(most, box.y + box.height), Number.NEGATIVE_INFINITY)
  return { x, y, width: right - x, height: bottom - y }
}

function labelsOf(ink: Ink, ruler: Ruler, start: Pt): Label[] {
  const { axis, level, room } = ruler
  const style = styleOf(ink, axis.letters)
  const marks = ruler.marks.filter((_, n) => n % (axis.labelEvery ?? 1) === 0).slice(0, mostLabels)
  const turn = normalised(axis.turn ?? 0)
  const whole = marks.map(({ text }) => textBlock(ink, text, style))
  if (turn !== 0 || !level) return thinned(ruler, marks, whole, start, turn)
  let blocks = whole
  if (room !== undefined && whole.some(({ width }) => width > room)) {
    const words = marks.flatMap(({ text }) => text.split(/\s+/))
    const fits = words.every((word) => textBlock(ink, word, style).width <= room)
    if (fits) blocks = marks.map(({ text }) => textBlock(ink, text, style, room))
  }
  const free = axis.turn === undefined && axis.labelEvery === undefined && room !== undefined
  if (free && overlaps(marks, blocks)) return thinned(ruler, marks, whole, start, 45)
  return thinned(ruler, marks, blocks, start, 0)
}

const normalised = (turn: number): number => {
  const angle = ((turn % 360) + 360) % 360
  return Math.abs(angle) < 0.5 || angle > 359.5 ? 0 : angle
}

function overlaps(marks: readonly Mark[], blocks: readonly TextBlock[]): boolean {
  const boxes = marks.map(({ at }, n) => ({
    left: at - blocks[n]!.width / 2,
    right: at + blocks[n]!.width / 2,
    width: blocks[n]!.width,
  }))
  const shown = boxes.filter(({ width }) => width > 0).sort((a, b) => a.left - b.left)
  return shown.some((box, n) => n > 0 && box.left < shown[n - 1]!.right - 0.1)
}

/** Every label, every second, every third, until they stand apart. */
function thinned(
  ruler: Ruler,
  marks: readonly Mark[],
  blocks: readonly TextBlock[],
  start: Pt,
  turn: number,
): Label[] {
  const sin = Math.abs(Math.sin((turn * Math.PI) / 180))
  const cos = Math.abs(Math.cos((turn * Math.PI) / 180))
  const tall = blocks.reduce((most, { height }) => Math.max(most, height), 0)
  const wide = blocks.reduce((most, { width }) => Math.max(most, width), 0)
  const along = ruler.level
    ? turn === 0
      ? undefined
      : Math.min(tall / Math.max(sin, 0.01), wide * cos + tall * sin)
    : tall * cos + wide * sin
  let every = 1
  for (; every < marks.length; every += 1) {
    const kept = marks.filter((_, n) => n % every === 0)
    if (along === undefined) {
      if (
        !overlaps(
          kept,
          blocks.filter((_, n) => n % every === 0),
        )
      )
        break
    } else if (kept.every(({ at }, n) => n === 0 || Math.abs(at - kept[n - 1]!.at) >= along - 0.2)) break
  }
  return marks.flatMap((mark, n) =>
    n % every === 0 && mark.text !== '' ? [labelAt(ruler, blocks[n]!, mark.at, start, turn)] : [],
  )
}

function labelAt({ level, side }: Ruler, block: TextBlock, at: Pt, start: Pt, turn: number): Label {
  if (turn === 0)
    return level
      ? { block, x: at, y: start, place: { down: side < 0 ? 'top' : 'bottom' } }
      : { block, x: start, y: at, place: { across: side < 0 ? 'end' : 'start' } }
  const angle = (turn * Math.PI) / 180
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  const height = Math.abs(block.width * sin) + Math.abs(block.height * cos)
  const width = Math.abs(block.width * cos) + Math.abs(block.height * sin)
  // The end that is nearest to the axis stands at the mark.
  if (level) {
    const upright = Math.abs(cos) < 0.02
    const lean = upright ? 0 : ((sin > 0 === side < 0 ? -1 : 1) * Math.abs(block.width * cos)) / 2
    const down = side < 0 ? height / 2 : -height / 2
    return { block, x: at + lean, y: start + down, place: { turn } }
  }
  return { block, x: start + (side * width) / 2, y: at, place: { turn } }
}

/** Names of outer levels, row below row, with lines between their stretches. */
function levelLabels(
  ink: Ink,
  ruler: Ruler,
  labels: readonly Label[],
  start: Pt,
  separators: PathCommand[],
): Label[] {
  const { levels, level, side, axis } = ruler
  if (levels === undefined) return []
  const style = styleOf(ink, axis.letters)
  const deepest = (all: readonly Label[]): Pt =>
    all.reduce((most, { block }) => Math.max(most, level ? block.height : block.width), 0)
  let depth = deepest(labels) + 0.15 * mm
  const found: Label[] = []
  const outward = (by: Pt): Pt => start + (level ? -side : side) * by
  for (const stretches of levels) {
    const row: Label[] = []
    for (const { from, to, text } of stretches) {
      const room = Math.max(1, Math.abs(to - from))
      const block = textBlock(ink, text, style, level ? room : undefined)
      row.push(labelAt(ruler, block, (from + to) / 2, outward(depth), 0))
    }
    const next = depth + deepest(row) + 0.15 * mm
    for (const edge of new Set(stretches.flatMap(({ from, to }) => [from, to]))) {
      if (level) separators.push(['M', edge, ruler.at], ['L', edge, outward(next)])
      else separators.push(['M', ruler.at, edge], ['L', outward(next), edge])
    }
    found.push(...row)
    depth = next
  }
  return found
}

export function drawAxisLine(ink: Ink, { ruler, separators }: SetAxis): void {
  const { axis, level, at, from, to, side } = ruler
  if (axis.hidden) return
  const how = strokeOf(axis.look, { colour: lineGrey, width: 0.75 })
  if (how !== undefined) {
    const commands: PathCommand[] = level
      ? [
          ['M', from, at],
          ['L', to, at],
        ]
      : [
          ['M', at, from],
          ['L', at, to],
        ]
    const direction = level ? -side : side
    const put = (places: readonly Pt[], kind: Axis['ticks'], length: Pt): void => {
      if (kind === 'none') return
      const outer = kind === 'in' ? 0 : length * direction
      const inner = kind === 'out' ? 0 : -length * direction
      for (const place of places) {
        if (level) commands.push(['M', place, at + inner], ['L', place, at + outer])
        else commands.push(['M', at + inner, place], ['L', at + outer, place])
      }
    }
    put(ruler.minors, axis.minorTicks, minorTick)
    if (separators.length === 0) put(ruler.ticks, axis.ticks, tick)
    stroke(ink, [...commands, ...separators], how)
  }
}

export function drawAxisLabels(ink: Ink, { labels }: SetAxis): void {
  for (const { block, x, y, place } of labels) putText(ink, block, x, y, place)
}
