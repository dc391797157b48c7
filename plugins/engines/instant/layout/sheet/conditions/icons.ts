/** The icons of ST_IconSetType (ECMA-376-1 18.18.42) and of the additional sets of Excel 2010, drawn in a unit square. */

import type { CellIcon } from '../../../../../../shared/document/sheet.ts'
import { entryOf } from '../../../../../../shared/entry-of.ts'
import type { Colour, PathCommand, Placed, Pt } from '../../frame.ts'

const green = 0x3d9b4f
const yellow = 0xf0b429
const red = 0xd64545
const grey = 0x757575
const pale = 0xd0d0d0
const black = 0x333333
const pink = 0xeeb4b4
const blue = 0x3f7fbf
const white = 0xffffff

/** A polygon in fractions of the icon size, or a circle by its centre and radius, with a colour. */
type Part =
  | { readonly points: readonly number[]; readonly colour: Colour }
  | { readonly circle: readonly [x: number, y: number, radius: number]; readonly colour: Colour }

const polygon = (colour: Colour, ...points: number[]): Part => ({ points, colour })
const disc = (colour: Colour, radius = 0.42): Part => ({ circle: [0.5, 0.5, radius], colour })
const box = (colour: Colour, left: number, top: number, right: number, bottom: number): Part =>
  polygon(colour, left, top, right, top, right, bottom, left, bottom)

/** An arrow that points up, rotated clockwise by an angle in degrees. */
function arrow(colour: Colour, degrees: number): readonly Part[] {
  const up = [0.5, 0.08, 0.9, 0.5, 0.64, 0.5, 0.64, 0.92, 0.36, 0.92, 0.36, 0.5, 0.1, 0.5]
  return [{ points: rotated(up, degrees), colour }]
}
function rotated(points: readonly number[], degrees: number): number[] {
  const angle = (degrees * Math.PI) / 180
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  return points.map((value, at) => {
    const isX = at % 2 === 0
    const [x, y] = [(isX ? value : (points[at - 1] ?? 0)) - 0.5, (isX ? (points[at + 1] ?? 0) : value) - 0.5]
    return 0.5 + (isX ? x * cosine - y * sine : x * sine + y * cosine)
  })
}
const arrows = (...list: readonly [Colour, number][]): readonly (readonly Part[])[] =>
  list.map(([colour, degrees]) => arrow(colour, degrees))

const flag = (colour: Colour): readonly Part[] => [
  box(grey, 0.2, 0.08, 0.28, 0.94),
  polygon(colour, 0.28, 0.1, 0.86, 0.32, 0.28, 0.54),
]
const triangle = (colour: Colour): Part => polygon(colour, 0.5, 0.1, 0.94, 0.88, 0.06, 0.88)
const diamond = (colour: Colour): Part => polygon(colour, 0.5, 0.06, 0.94, 0.5, 0.5, 0.94, 0.06, 0.5)
const check = (colour: Colour): Part =>
  polygon(colour, 0.16, 0.52, 0.28, 0.4, 0.43, 0.56, 0.74, 0.2, 0.86, 0.31, 0.43, 0.8)
const cross = (colour: Colour): readonly Part[] => [
  polygon(colour, 0.2, 0.3, 0.3, 0.2, 0.8, 0.7, 0.7, 0.8),
  polygon(colour, 0.7, 0.2, 0.8, 0.3, 0.3, 0.8, 0.2, 0.7),
]
const exclamation = (colour: Colour): readonly Part[] => [
  box(colour, 0.43, 0.16, 0.57, 0.6),
  box(colour, 0.43, 0.68, 0.57, 0.84),
]

/** A sector of a disc, clockwise from the top; `share` is the fraction of the full circle. */
function pie(share: number): readonly Part[] {
  const points = [0.5, 0.5]
  for (let step = 0; step <= 24; step++) {
    const angle = (step / 24) * share * 2 * Math.PI
    points.push(0.5 + 0.42 * Math.sin(angle), 0.5 - 0.42 * Math.cos(angle))
  }
  const sector: Part = { points, colour: grey }
  return share === 0 ? [disc(grey), disc(white, 0.36)] : [disc(grey), disc(white, 0.36), sector]
}

function star(share: number): readonly Part[] {
  const outline = (limit: number): number[] => {
    const points: number[] = []
    for (let step = 0; step < 10; step++) {
      const angle = (step / 10) * 2 * Math.PI
      const radius = step % 2 === 0 ? 0.46 : 0.2
      points.push(Math.min(limit, 0.5 + radius * Math.sin(angle)), 0.52 - radius * Math.cos(angle))
    }
    return points
  }
  const background: Part = { points: outline(1), colour: share === 0 ? pale : share === 1 ? yellow : pale }
  return share > 0 && share < 1 ? [background, { points: outline(0.5), colour: yellow }] : [background]
}
/** Bars of increasing height, the first `count` of them coloured. */
const bars = (count: number): readonly Part[] =>
  [0, 1, 2, 3].map((at) => {
    const left = 0.1 + at * 0.21
    return box(at < count ? blue : pale, left, 0.72 - at * 0.19, left + 0.16, 0.92)
  })
/** Four squares, the first `count` of them coloured. */
const squares = (count: number): readonly Part[] =>
  [0, 1, 2, 3].map((at) => {
    const [left, top] = [0.1 + (at % 2) * 0.42, 0.52 - Math.floor(at / 2) * 0.42]
    return box(at < count ? blue : pale, left, top, left + 0.38, top + 0.38)
  })
const trafficLight = (colour: Colour): readonly Part[] => [
  box(black, 0.06, 0.06, 0.94, 0.94),
  disc(colour, 0.36),
]

const sets: Readonly<Record<string, readonly (readonly Part[])[]>> = {
  '3Arrows': arrows([red, 180], [yellow, 90], [green, 0]),
  '3ArrowsGray': arrows([grey, 180], [grey, 90], [grey, 0]),
  '4Arrows': arrows([red, 180], [yellow, 135], [yellow, 45], [green, 0]),
  '4ArrowsGray': arrows([grey, 180], [grey, 135], [grey, 45], [grey, 0]),
  '5Arrows': arrows([red, 180], [yellow, 135], [yellow, 90], [yellow, 45], [green, 0]),
  '5ArrowsGray': arrows([grey, 180], [grey, 135], [grey, 90], [grey, 45], [grey, 0]),
  '3Flags': [flag(red), flag(yellow), flag(green)],
  '3TrafficLights1': [[disc(red)], [disc(yellow)], [disc(green)]],
  '3TrafficLights2': [trafficLight(red), trafficLight(yellow), trafficLight(green)],
  '4TrafficLights': [[disc(black)], [disc(red)], [disc(yellow)], [disc(green)]],
  '3Signs': [[diamond(red)], [triangle(yellow)], [disc(green)]],
  '3Symbols': [
    [disc(red), ...cross(white)],
    [disc(yellow), ...exclamation(white)],
    [disc(green), check(white)],
  ],
  '3Symbols2': [cross(red), exclamation(yellow), [check(green)]],
  '4RedToBlack': [[disc(black)], [disc(grey)], [disc(pink)], [disc(red)]],
  '4Rating': [bars(1), bars(2), bars(3), bars(4)],
  '5Rating': [bars(0), bars(1), bars(2), bars(3), bars(4)],
  '5Quarters': [pie(1), pie(0.75), pie(0.5), pie(0.25), pie(0)].reverse(),
  '3Stars': [star(0), star(0.5), star(1)],
  '3Triangles': [
    [polygon(red, 0.1, 0.3, 0.9, 0.3, 0.5, 0.75)],
    [box(yellow, 0.1, 0.42, 0.9, 0.58)],
    [polygon(green, 0.5, 0.25, 0.9, 0.7, 0.1, 0.7)],
  ],
  '5Boxes': [squares(0), squares(1), squares(2), squares(3), squares(4)],
}

/** Draws an icon with its top left corner at (x, y). Unknown sets draw nothing. */
export function drawIcon({ set, index }: CellIcon, x: Pt, y: Pt, size: Pt): Placed[] {
  const parts = entryOf(sets, set)?.[index] ?? []
  return parts.map((part) => ({
    x,
    y,
    item: {
      kind: 'shape',
      path: { commands: commandsOf(part, size), fill: { kind: 'solid', colour: part.colour } },
    },
  }))
}

/** The control-point distance that approximates a quarter circle, in radii. */
const quarter = 0.5523

function commandsOf(part: Part, size: Pt): PathCommand[] {
  if ('circle' in part) {
    const [x, y, r] = part.circle.map((value) => value * size) as [Pt, Pt, Pt]
    const k = r * quarter
    return [
      ['M', x + r, y],
      ['C', x + r, y + k, x + k, y + r, x, y + r],
      ['C', x - k, y + r, x - r, y + k, x - r, y],
      ['C', x - r, y - k, x - k, y - r, x, y - r],
      ['C', x + k, y - r, x + r, y - k, x + r, y],
      ['Z'],
    ]
  }
  const commands: PathCommand[] = []
  for (let at = 0; at + 1 < part.points.length; at += 2)
    commands.push([at === 0 ? 'M' : 'L', (part.points[at] ?? 0) * size, (part.points[at + 1] ?? 0) * size])
  return [...commands, ['Z']]
}
