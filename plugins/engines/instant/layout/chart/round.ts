import type { Plot, Series } from '../../../../../shared/document/chart.ts'
import { ellipse } from '../../../../../shared/document/ellipse.ts'
import type { Colour, PathCommand, Pt } from '../frame.ts'
import { labelText } from './cartesian.ts'
import {
  type Area,
  fill,
  type Ink,
  label,
  labelSize,
  lineGrey,
  rule,
  seriesColour,
  stroke,
  turnColour,
} from './ink.ts'
import { formatNumber, scaleOf } from './scale.ts'

/** Charts around a point: pies, doughnuts, radars. */

export const sliceColour = (ink: Ink, series: Series, n: number): Colour => {
  const own = series.pointColors.get(n)
  return own === undefined ? turnColour(ink.chart, n) : Number.parseInt(own, 16)
}

export function drawPie(ink: Ink, area: Area, plot: Plot): void {
  const labelled = plot.series.some(({ labels }) => labels !== undefined)
  const radius = Math.max(5, Math.min(area.width, area.height) / 2 - (labelled ? labelSize * 1.5 : 2))
  const centre = { x: area.x + area.width / 2, y: area.y + area.height / 2 }
  const inner = plot.kind === 'doughnut' ? plot.hole * radius : 0
  const rings = plot.kind === 'doughnut' ? plot.series : plot.series.slice(0, 1)
  const thick = (radius - inner) / Math.max(1, rings.length)
  for (const [r, series] of rings.entries()) {
    const [from, to] = [inner + r * thick, inner + (r + 1) * thick]
    const sum = series.values.reduce<number>((all, value) => all + Math.abs(value ?? 0), 0)
    let start = -Math.PI / 2
    for (const [n, value] of series.values.entries()) {
      const share = Math.abs(value ?? 0) / (sum || 1)
      if (share === 0) continue
      const span = share * 2 * Math.PI
      const slice = sliceOf(centre, from, to, start, span)
      fill(ink, slice, sliceColour(ink, series, n))
      stroke(ink, slice, { colour: 0xffffff, width: 0.75, join: 'round' })
      const text = labelText(series, n, share)
      if (text !== undefined) {
        const middle = start + span / 2
        const away =
          plot.kind === 'doughnut' ? (from + to) / 2 : share > 0.08 ? radius * 0.65 : radius + labelSize
        label(ink, text, centre.x + away * Math.cos(middle), centre.y + away * Math.sin(middle))
      }
      start += span
    }
  }
}

function sliceOf(centre: { x: Pt; y: Pt }, inner: Pt, outer: Pt, start: number, span: number): PathCommand[] {
  const whole = span > 2 * Math.PI - 1e-6
  const edge = ellipse({ centre, rx: outer, ry: outer, turn: 0, start, span })
  const back =
    inner > 0 ? ellipse({ centre, rx: inner, ry: inner, turn: 0, start: start + span, span: -span }) : []
  if (whole) return [...edge, ['Z'], ...back, ...(back.length > 0 ? [['Z'] as const] : [])]
  if (back.length === 0) return [...edge, ['L', centre.x, centre.y], ['Z']]
  const [[, x, y] = ['M', 0, 0] as const] = back as [readonly ['M', Pt, Pt]]
  return [...edge, ['L', x, y], ...back.slice(1), ['Z']]
}

export function drawRadar(ink: Ink, area: Area, plot: Plot): void {
  const [first] = plot.series
  const count = Math.max(0, ...plot.series.map(({ values }) => values.length))
  if (first === undefined || count < 2) return
  const radius = Math.max(5, Math.min(area.width, area.height) / 2 - labelSize * 2)
  const [cx, cy] = [area.x + area.width / 2, area.y + area.height / 2]
  const values = plot.series.flatMap(({ values: own }) => own.flatMap((value) => value ?? []))
  const scale = scaleOf(values, ink.chart.values, radius / 25, true)
  const at = (n: number, share: number): [Pt, Pt] => {
    const angle = (2 * Math.PI * n) / count - Math.PI / 2
    return [cx + radius * share * Math.cos(angle), cy + radius * share * Math.sin(angle)]
  }
  const ring = (share: (n: number) => number): PathCommand[] => [
    ...Array.from({ length: count }, (_, n): PathCommand => [n === 0 ? 'M' : 'L', ...at(n, share(n))]),
    ['Z'],
  ]
  for (const mark of scale.marks) {
    stroke(
      ink,
      ring(() => scale.share(mark)),
      { colour: lineGrey, width: 0.5 },
    )
    if (!ink.chart.values.hidden)
      label(ink, formatNumber(mark, ink.chart.values.format), cx - 3, cy - radius * scale.share(mark), {
        across: 'end',
      })
  }
  for (let n = 0; n < count; n += 1) {
    const [x, y] = at(n, 1)
    rule(ink, cx, cy, x, y)
    const [lx, ly] = at(n, 1 + labelSize / radius)
    const across = Math.abs(lx - cx) < 2 ? 'middle' : lx > cx ? 'start' : 'end'
    label(ink, first.categories[n] ?? String(n + 1), lx, ly, { across })
  }
  for (const [s, series] of plot.series.entries()) {
    const colour = seriesColour(ink.chart, series, s)
    const shape = ring((n) => scale.share(series.values[n] ?? scale.min))
    if (plot.filled) fill(ink, shape, colour, 0.5)
    stroke(ink, shape, { colour, width: 2, join: 'round' })
  }
}
