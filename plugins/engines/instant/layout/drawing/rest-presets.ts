import { ellipse } from '../../../../../shared/document/ellipse.ts'
import type { PathCommand, Pt } from '../frame.ts'
import { type Box, polygon } from './more-presets.ts'

/** Outlines of arrows that turn, callouts, ribbons, scrolls, connectors and what else is rare (ECMA-376-1 20.1.10.56). */

type Outline = (box: Box) => PathCommand[]
type Point = readonly [Pt, Pt]

const share = ({ raw }: Box, key: string, usual: number, least = 0, most = 1): number =>
  Math.min(most, Math.max(least, raw(key, usual) / 100_000))
const path = (...points: readonly Point[]): PathCommand[] =>
  points.map(([x, y], n): PathCommand => [n === 0 ? 'M' : 'L', x, y])
const closed = (...points: readonly Point[]): PathCommand[] => polygon(points.flat())
const swapped = (commands: readonly PathCommand[]): PathCommand[] => moved(commands, ([x, y]) => [y, x])

function moved(commands: readonly PathCommand[], to: (point: Point) => Point): PathCommand[] {
  return commands.map((command): PathCommand => {
    if (command[0] === 'C') {
      const [, a, b, c, d, e, f] = command
      return ['C', ...to([a, b]), ...to([c, d]), ...to([e, f])]
    }
    return command[0] === 'M' || command[0] === 'L' ? [command[0], ...to([command[1], command[2]])] : command
  })
}
/** A shape drawn in a box whose sides are exchanged. */
const across =
  (outline: Outline): Outline =>
  (box) =>
    swapped(outline({ ...box, w: box.h, h: box.w }))
const flipped =
  (outline: Outline, level: boolean): Outline =>
  (box) =>
    moved(outline(box), ([x, y]) => (level ? [box.w - x, y] : [x, box.h - y]))

/** An arc that goes on from where the path is; degrees clockwise from the right. */
function arc(
  cx: Pt,
  cy: Pt,
  rx: Pt,
  ry: Pt,
  from: number,
  sweep: number,
  start: 'M' | 'L' | 'none' = 'none',
): PathCommand[] {
  const radians = Math.PI / 180
  const [[, x, y] = ['M', 0, 0], ...rest] = ellipse({
    centre: { x: cx, y: cy },
    rx,
    ry,
    turn: 0,
    start: from * radians,
    span: sweep * radians,
  }) as [['M', Pt, Pt], ...PathCommand[]]
  return start === 'none' ? rest : [[start, x, y], ...rest]
}

/** Half the thickness of an arrow, half the width of its head, and how long that is. */
const partsOf = (box: Box, usual: number): { shaft: Pt; head: Pt; long: Pt } => ({
  shaft: (box.s * share(box, 'adj1', usual)) / 2,
  head: box.s * share(box, 'adj2', usual),
  long: box.s * share(box, 'adj3', usual),
})

const rightCallout: Outline = (box) => {
  const { w, h } = box
  const { shaft, head, long } = partsOf(box, 25_000)
  const [edge, neck, m] = [w * share(box, 'adj4', 64_977), w - long, h / 2]
  return closed(
    [0, 0],
    [edge, 0],
    [edge, m - shaft],
    [neck, m - shaft],
    [neck, m - head],
    [w, m],
    [neck, m + head],
    [neck, m + shaft],
    [edge, m + shaft],
    [edge, h],
    [0, h],
  )
}
/** All around, from the quarter at the top left. */
function fourfold({ w, h }: Box, quarter: readonly Point[]): PathCommand[] {
  const back = [...quarter].reverse().slice(1)
  return closed(
    ...quarter,
    ...back.map(([x, y]): Point => [w - x, y]),
    ...quarter.slice(1).map(([x, y]): Point => [w - x, h - y]),
    ...back.slice(0, -1).map(([x, y]): Point => [x, h - y]),
  )
}
const bothCallout: Outline = (box) => {
  const { w, h } = box
  const { shaft, head, long } = partsOf(box, 25_000)
  const edge = w / 2 - (w * share(box, 'adj4', 48_123)) / 2
  const m = h / 2
  return fourfold(box, [
    [0, m],
    [long, m - head],
    [long, m - shaft],
    [edge, m - shaft],
    [edge, 0],
  ])
}
const quadCallout: Outline = (box) => {
  const { w, h } = box
  const { shaft, head, long } = partsOf(box, 18_515)
  const size = share(box, 'adj4', 48_123) / 2
  const [x, y, left, top] = [w / 2, h / 2, w / 2 - w * size, h / 2 - h * size]
  const beside: Point[] = [
    [0, y],
    [long, y - head],
    [long, y - shaft],
    [left, y - shaft],
    [left, top],
  ]
  return fourfold(box, [...beside, [x - shaft, top], [x - shaft, long], [x - head, long], [x, 0]])
}

/** A band around the upper left of two ellipses below each other, with a head at its end. */
const curvedRight: Outline = (box) => {
  const { w, h, s } = box
  const thick = s * share(box, 'adj1', 25_000)
  const wide = Math.max(thick, s * share(box, 'adj2', 50_000))
  const long = Math.min(w, s * share(box, 'adj3', 25_000))
  const ry = Math.max(1, h / 2 - (thick + wide) / 4)
  const turn = (Math.acos(Math.max(-1, Math.min(1, -long / Math.max(0.01, w)))) * 180) / Math.PI
  const y = ry + ry * Math.sin((turn * Math.PI) / 180)
  const over = (wide - thick) / 2
  // Where the lower half of one ellipse meets the upper half of the other.
  const meet = (Math.asin(Math.min(1, thick / 2 / ry)) * 180) / Math.PI
  return [
    ['M', w, 0],
    ...arc(w, ry, w, ry, 270, -90),
    ['L', 0, ry + thick],
    ...arc(w, ry + thick, w, ry, 180, turn - 180),
    ['L', w - long, y + thick + over],
    ['L', w, 2 * ry + thick / 2],
    ['L', w - long, y - over],
    ['L', w - long, y],
    ...arc(w, ry, w, ry, turn, 180 - meet - turn),
    ...arc(w, ry + thick, w, ry, 180 + meet, 90 - meet),
    ['Z'],
  ]
}

/** A ring with a head at its end, and one at its start. */
const circular =
  (ends: 'end' | 'both', usual: readonly [number, number, number]): Outline =>
  (box) => {
    const { w, h, s, raw } = box
    const [thick, over] = [s * share(box, 'adj1', 12_500, 0, 0.25), s * share(box, 'adj5', 12_500, 0, 0.25)]
    const degrees = (key: string, n: 0 | 1 | 2): number => raw(key, usual[n]) / 60_000
    const [head, end, start] = [degrees('adj2', 0), degrees('adj3', 1), degrees('adj4', 2)]
    const back = head < 0
    const sweep = back ? -(((start - end) % 360) + 360) % 360 : (((end - start) % 360) + 360) % 360
    const [rx, ry] = [w / 2 - over, h / 2 - over]
    const at = (angle: number, out: Pt): Point => [
      w / 2 + (rx + out) * Math.cos((angle * Math.PI) / 180),
      h / 2 + (ry + out) * Math.sin((angle * Math.PI) / 180),
    ]
    const tip = (angle: number, way: number, from: 1 | -1): PathCommand[] =>
      [at(angle, from * over), at(angle + way, 0), at(angle, -from * over)].map(
        ([x, y]): PathCommand => ['L', x, y],
      )
    return [
      ...arc(w / 2, h / 2, rx + thick / 2, ry + thick / 2, start, sweep, 'M'),
      ...tip(start + sweep, head, 1),
      ...arc(w / 2, h / 2, rx - thick / 2, ry - thick / 2, start + sweep, -sweep, 'L'),
      ...(ends === 'both' ? tip(start, -head, -1) : []),
      ['Z'],
    ]
  }

/** Tails behind a band: they hang from the top, the band below; the other ribbon stands on its head. */
const ribbon: Outline = (box) => {
  const { w, h } = box
  const fold = h * share(box, 'adj1', 16_667, 0, 0.33333)
  const half = (w * share(box, 'adj2', 50_000, 0.25, 0.75)) / 2
  const [a, b] = [w / 2 - half, w / 2 + half]
  const [tail, low] = [w / 8, h - fold]
  return closed(
    [0, 0],
    [a + tail, 0],
    [a + tail, fold],
    [b - tail, fold],
    [b - tail, 0],
    [w, 0],
    [w - tail, low / 2],
    [w, low],
    [b, low],
    [b, h],
    [a, h],
    [a, low],
    [0, low],
    [tail, low / 2],
  )
}
const ribbonLines: Outline = (box) => {
  const { w, h } = box
  const fold = h * share(box, 'adj1', 16_667, 0, 0.33333)
  const half = (w * share(box, 'adj2', 50_000, 0.25, 0.75)) / 2
  const [a, b, tail] = [w / 2 - half, w / 2 + half, w / 8]
  return [
    ...path([a, h - fold], [a, fold], [a + tail, fold]),
    ...path([b, h - fold], [b, fold], [b - tail, fold]),
    ...path([a, fold / 2], [a + tail, fold / 2]),
    ...path([b, fold / 2], [b - tail, fold / 2]),
  ]
}
/** The same, sagging in the middle. */
const bowed =
  (outline: Outline): Outline =>
  (box) => {
    const { w, h, raw } = box
    const sag = h * Math.min(0.5, Math.max(0, raw('adj1', 25_000) / 100_000)) * 0.75
    const flat = outline({
      ...box,
      h: h - sag,
      raw: (key, usual) => (key === 'adj1' ? raw('adj3', 12_500) * 1.4 : raw(key, usual)),
    })
    const drop = (x: Pt): Pt => sag * (1 - ((2 * x) / Math.max(0.01, w) - 1) ** 2)
    return split(flat).map((command) => moved([command], ([x, y]) => [x, y + drop(x)])[0]!)
  }

/** Lines in short pieces, which can be bent. */
function split(commands: readonly PathCommand[]): PathCommand[] {
  const found: PathCommand[] = []
  let [x, y, first]: [Pt, Pt, Point] = [0, 0, [0, 0]]
  const to = (tx: Pt, ty: Pt): void => {
    for (let n = 1; n <= 12; n += 1) found.push(['L', x + ((tx - x) * n) / 12, y + ((ty - y) * n) / 12])
    ;[x, y] = [tx, ty]
  }
  for (const command of commands) {
    if (command[0] === 'M') {
      ;[x, y] = [command[1], command[2]]
      first = [x, y]
      found.push(command)
    } else if (command[0] === 'L') to(command[1], command[2])
    else if (command[0] === 'Z') {
      to(...first)
      found.push(command)
    }
  }
  return found
}

const scroll: Outline = (box) => {
  const { w, h, s } = box
  const r = (s * share(box, 'adj', 12_500, 0, 0.25)) / 2
  const d = 2 * r
  return [
    ['M', d, h - d],
    ['L', d, r],
    ...arc(3 * r, r, r, r, 180, 90),
    ['L', w - r, 0],
    ...arc(w - r, r, r, r, 270, 180),
    ['L', w - d, d],
    ['L', w - d, h - r],
    ...arc(w - 3 * r, h - r, r, r, 0, 90),
    ['L', r, h],
    ...arc(r, h - r, r, r, 90, 180),
    ['Z'],
  ]
}
const scrollLines: Outline = (box) => {
  const { w, h, s } = box
  const r = (s * share(box, 'adj', 12_500, 0, 0.25)) / 2
  return [
    ...arc(3 * r, r, r, r, 270, 180, 'M'),
    ...arc(3 * r, 1.5 * r, r / 2, r / 2, 90, 180),
    ...path([3 * r, 2 * r], [w - r, 2 * r]),
    ...arc(r, h - r, r, r, 270, 90, 'M'),
    ...arc(r, h - 1.5 * r, r / 2, r / 2, 0, 0, 'L'),
    ...path([2 * r, h - 2 * r], [2 * r, h - r]),
  ]
}

const gear =
  (teeth: number, depth: number, wide: number): Outline =>
  ({ w, h }) => {
    const points: Point[] = []
    const inner = 1 - depth
    for (let n = 0; n < teeth; n += 1) {
      const middle = (n / teeth) * 2 * Math.PI - Math.PI / 2
      for (const [turn, reach] of [
        [-wide, inner],
        [-wide * 0.6, 1],
        [wide * 0.6, 1],
        [wide, inner],
      ] as const)
        points.push([
          w / 2 + (w / 2) * reach * Math.cos(middle + turn),
          h / 2 + (h / 2) * reach * Math.sin(middle + turn),
        ])
    }
    return closed(...points)
  }

/** Where the line of a callout goes: pairs of adjustments, y before x. */
const callouts: Readonly<Record<string, readonly number[]>> = {
  1: [18_750, -8333, 112_500, -38_333],
  2: [18_750, -8333, 18_750, -16_667, 112_500, -46_667],
  3: [18_750, -8333, 18_750, -16_667, 100_000, -16_667, 112_963, -8333],
}
const calloutLine =
  (kind: string, accent: boolean): Outline =>
  ({ w, h, raw }) => {
    const usual = callouts[kind]!
    const points: Point[] = []
    for (let n = 0; n < usual.length; n += 2)
      points.push([
        (w * raw(`adj${n + 2}`, usual[n + 1]!)) / 100_000,
        (h * raw(`adj${n + 1}`, usual[n]!)) / 100_000,
      ])
    const bar = points[0]![0]
    return [...(accent ? path([bar, 0], [bar, h]) : []), ...path(...points)]
  }
const whole: Outline = ({ w, h }) => [['R', 0, 0, w, h]]
const calloutNames = ['callout', 'accentCallout', 'borderCallout', 'accentBorderCallout'].flatMap((name) =>
  [1, 2, 3].map((n) => [name, String(n)] as const),
)

const tabs =
  (piece: (x: Pt, y: Pt, size: Pt, right: boolean, bottom: boolean) => PathCommand[]): Outline =>
  ({ w, h }) => {
    const size = Math.hypot(w, h) / 20
    return [
      piece(0, 0, size, false, false),
      piece(w, 0, size, true, false),
      piece(0, h, size, false, true),
      piece(w, h, size, true, true),
    ].flat()
  }

export const restOutlines: Readonly<Record<string, Outline>> = {
  lineInv: ({ w, h }) => path([0, h], [w, 0]),
  bentConnector2: ({ w, h }) => path([0, 0], [w, 0], [w, h]),
  bentConnector3: ({ w, h, raw }) => {
    const x = (w * raw('adj1', 50_000)) / 100_000
    return path([0, 0], [x, 0], [x, h], [w, h])
  },
  bentConnector4: ({ w, h, raw }) => {
    const [x, y] = [(w * raw('adj1', 50_000)) / 100_000, (h * raw('adj2', 50_000)) / 100_000]
    return path([0, 0], [x, 0], [x, y], [w, y], [w, h])
  },
  bentConnector5: ({ w, h, raw }) => {
    const [x, y, z] = [
      (w * raw('adj1', 50_000)) / 100_000,
      (h * raw('adj2', 50_000)) / 100_000,
      (w * raw('adj3', 50_000)) / 100_000,
    ]
    return path([0, 0], [x, 0], [x, y], [z, y], [z, h], [w, h])
  },
  curvedConnector2: ({ w, h }) => [
    ['M', 0, 0],
    ['C', w / 2, 0, w, h / 2, w, h],
  ],
  curvedConnector3: ({ w, h, raw }) => {
    const x = (w * raw('adj1', 50_000)) / 100_000
    return [
      ['M', 0, 0],
      ['C', x / 2, 0, x, h / 4, x, h / 2],
      ['C', x, (h * 3) / 4, (w + x) / 2, h, w, h],
    ]
  },
  curvedConnector4: ({ w, h, raw }) => {
    const [x, y] = [(w * raw('adj1', 50_000)) / 100_000, (h * raw('adj2', 50_000)) / 100_000]
    const z = (w + x) / 2
    return [
      ['M', 0, 0],
      ['C', x / 2, 0, x, y / 4, x, y / 2],
      ['C', x, (y * 3) / 4, (x + z) / 2, y, z, y],
      ['C', (z + w) / 2, y, w, (h + y) / 2, w, h],
    ]
  },
  curvedConnector5: ({ w, h, raw }) => {
    const [x, y, z] = [
      (w * raw('adj1', 50_000)) / 100_000,
      (h * raw('adj2', 50_000)) / 100_000,
      (w * raw('adj3', 50_000)) / 100_000,
    ]
    const [m, low] = [(x + z) / 2, (h + y) / 2]
    return [
      ['M', 0, 0],
      ['C', x / 2, 0, x, y / 4, x, y / 2],
      ['C', x, (y * 3) / 4, (x + m) / 2, y, m, y],
      ['C', (z + m) / 2, y, z, (low + y) / 2, z, low],
      ['C', z, (low + h) / 2, (z + w) / 2, h, w, h],
    ]
  },
  nonIsoscelesTrapezoid: (box) =>
    closed(
      [0, box.h],
      [box.s * share(box, 'adj1', 25_000), 0],
      [box.w - box.s * share(box, 'adj2', 25_000), 0],
      [box.w, box.h],
    ),
  pieWedge: ({ w, h }) => [['M', 0, h], ...arc(w, h, w, h, 180, 90), ['L', w, h], ['Z']],
  bentUpArrow: (box) => {
    const { w, h, s } = box
    const [thick, head, long] = [
      s * share(box, 'adj1', 25_000, 0, 0.5),
      s * share(box, 'adj2', 25_000, 0, 0.5),
      s * share(box, 'adj3', 25_000, 0, 0.5),
    ]
    const [x, y] = [w - head, h - thick]
    return closed(
      [0, y],
      [x - thick / 2, y],
      [x - thick / 2, long],
      [w - 2 * head, long],
      [x, 0],
      [w, long],
      [x + thick / 2, long],
      [x + thick / 2, h],
      [0, h],
    )
  },
  leftUpArrow: (box) => {
    const { w, h, s } = box
    const [half, head, long] = [
      (s * share(box, 'adj1', 25_000)) / 2,
      s * share(box, 'adj2', 25_000, 0, 0.5),
      s * share(box, 'adj3', 25_000),
    ]
    const [x, y] = [w - head, h - head]
    return closed(
      [0, y],
      [long, h - 2 * head],
      [long, y - half],
      [x - half, y - half],
      [x - half, long],
      [w - 2 * head, long],
      [x, 0],
      [w, long],
      [x + half, long],
      [x + half, y + half],
      [long, y + half],
      [long, h],
    )
  },
  leftRightUpArrow: (box) => {
    const { w, h, s } = box
    const [half, head, long] = [
      (s * share(box, 'adj1', 25_000)) / 2,
      s * share(box, 'adj2', 25_000, 0, 0.5),
      s * share(box, 'adj3', 25_000),
    ]
    const [x, y] = [w / 2, h - head]
    return closed(
      [0, y],
      [long, h - 2 * head],
      [long, y - half],
      [x - half, y - half],
      [x - half, long],
      [x - head, long],
      [x, 0],
      [x + head, long],
      [x + half, long],
      [x + half, y - half],
      [w - long, y - half],
      [w - long, h - 2 * head],
      [w, y],
      [w - long, h],
      [w - long, y + half],
      [long, y + half],
      [long, h],
    )
  },
  rightArrowCallout: rightCallout,
  leftArrowCallout: flipped(rightCallout, true),
  downArrowCallout: across(rightCallout),
  upArrowCallout: flipped(across(rightCallout), false),
  leftRightArrowCallout: bothCallout,
  upDownArrowCallout: across(bothCallout),
  quadArrowCallout: quadCallout,
  uturnArrow: (box) => {
    const { w, h, s } = box
    const [thick, head, long] = [
      s * share(box, 'adj1', 25_000),
      s * share(box, 'adj2', 25_000),
      s * share(box, 'adj3', 25_000),
    ]
    const tip = h * share(box, 'adj5', 75_000)
    const [over, neck] = [head - thick / 2, Math.max(0, tip - long)]
    const right = w - over
    const bend = Math.max(0, Math.min(s * share(box, 'adj4', 43_750), right / 2, neck))
    const inner = Math.max(0, bend - thick)
    const shaft = right - thick
    return [
      ['M', 0, h],
      ['L', 0, bend],
      ...arc(bend, bend, bend, bend, 180, 90),
      ['L', right - bend, 0],
      ...arc(right - bend, bend, bend, bend, 270, 90),
      ...path(
        [right, neck],
        [w, neck],
        [w - head, tip],
        [w - 2 * head, neck],
        [shaft, neck],
        [shaft, thick + inner],
      ).map(([, x, y]): PathCommand => ['L', x as Pt, y as Pt]),
      ...arc(shaft - inner, thick + inner, inner, inner, 0, -90),
      ['L', thick + inner, thick],
      ...arc(thick + inner, thick + inner, inner, inner, 270, -90),
      ['L', thick, h],
      ['Z'],
    ]
  },
  circularArrow: circular('end', [1_142_319, 20_457_681, 10_800_000]),
  leftCircularArrow: circular('end', [-1_142_319, 1_142_319, 10_800_000]),
  leftRightCircularArrow: circular('both', [1_142_319, 20_457_681, 11_942_319]),
  curvedRightArrow: curvedRight,
  curvedLeftArrow: flipped(curvedRight, true),
  curvedDownArrow: across(curvedRight),
  curvedUpArrow: flipped(across(curvedRight), false),
  swooshArrow: (box) => {
    const { w, h, s } = box
    const [thick, long] = [h * share(box, 'adj1', 25_000), s * share(box, 'adj2', 16_667)]
    const [x, y] = [w - long, thick]
    return [
      ['M', 0, h],
      ['C', w / 6, h * 0.45, w * 0.45, y * 0.9, x, y * 0.55],
      ['L', x, 0],
      ['L', w, y],
      ['L', x, y * 2],
      ['L', x, y * 1.5],
      ['C', w * 0.5, y * 1.7, w / 5, h * 0.65, 0, h],
      ['Z'],
    ]
  },
  ...Object.fromEntries(calloutNames.map(([name, kind]) => [`${name}${kind}`, whole])),
  ribbon,
  ribbon2: flipped(ribbon, false),
  ellipseRibbon: bowed(ribbon),
  ellipseRibbon2: flipped(bowed(ribbon), false),
  leftRightRibbon: (box) => {
    const { w, h, s } = box
    const [long, fold] = [
      Math.min(w / 2, s * share(box, 'adj2', 50_000)),
      h * share(box, 'adj3', 16_667, 0, 0.33333),
    ]
    const thick = (h - fold) * share(box, 'adj1', 50_000)
    const [low, high] = [(h - fold) / 2, (h + fold) / 2]
    const [x, top] = [w / 2, low - thick / 2]
    return closed(
      [0, low],
      [long, 0],
      [long, top],
      [x, top],
      [x, high - thick / 2],
      [w - long, high - thick / 2],
      [w - long, fold],
      [w, high],
      [w - long, h],
      [w - long, high + thick / 2],
      [x - w / 32, high + thick / 2],
      [x - w / 32, low + thick / 2],
      [long, low + thick / 2],
      [long, h - fold],
    )
  },
  verticalScroll: scroll,
  horizontalScroll: across(scroll),
  flowChartOfflineStorage: ({ w, h }) => closed([0, 0], [w, 0], [w / 2, h]),
  gear6: gear(6, 0.24, 0.3),
  gear9: gear(9, 0.16, 0.2),
  funnel: ({ w, h }) => [
    ...arc(w / 2, h / 4, w / 2, h / 4, 172, 196, 'M'),
    ['L', w * 0.63, h * 0.92],
    ...arc(w / 2, h * 0.92, w * 0.13, h * 0.08, 0, 180),
    ['Z'],
    ...arc(w / 2, h / 4, w * 0.44, h * 0.19, 0, -360, 'M'),
    ['Z'],
  ],
  mathNotEqual: ({ w, h }) => {
    const [left, right, thick, gap] = [w * 0.1325, w * 0.8675, h * 0.2352, (h * 0.1176) / 2]
    const slash = (x: Pt, y: Pt): Point => [w / 2 + x, h / 2 + y]
    const [dx, dy] = [h * 0.36 * Math.cos((70 * Math.PI) / 180), h * 0.42]
    const half = thick / 2
    return [
      ...closed(
        [left, h / 2 - gap - thick],
        [right, h / 2 - gap - thick],
        [right, h / 2 - gap],
        [left, h / 2 - gap],
      ),
      ...closed(
        [left, h / 2 + gap],
        [right, h / 2 + gap],
        [right, h / 2 + gap + thick],
        [left, h / 2 + gap + thick],
      ),
      ...closed(slash(dx - half, -dy), slash(dx + half, -dy), slash(-dx + half, dy), slash(-dx - half, dy)),
    ]
  },
  cornerTabs: tabs((x, y, size, right, bottom) =>
    closed([x, y], [x + (right ? -size : size), y], [x, y + (bottom ? -size : size)]),
  ),
  squareTabs: tabs((x, y, size, right, bottom) => [
    ['R', right ? x - size : x, bottom ? y - size : y, size, size],
  ]),
  plaqueTabs: tabs((x, y, size, right, bottom) => [
    ['M', x, y],
    ...arc(x, y, size, size, right ? (bottom ? 180 : 90) : bottom ? 270 : 0, 90, 'L'),
    ['Z'],
  ]),
  chartX: whole,
  chartStar: whole,
  chartPlus: whole,
}

/** A sign in the middle of a button, in a square from -1 to 1. */
const sign =
  (of: (at: (x: number, y: number) => Point) => PathCommand[]): Outline =>
  ({ w, h, s }) =>
    of((x, y) => [w / 2 + (x * s * 3) / 8, h / 2 + (y * s * 3) / 8])
const ring = (at: (x: number, y: number) => Point, x: number, y: number, size: number): PathCommand[] => {
  const [cx, cy] = at(x, y)
  const radius = at(x + size, y)[0] - cx
  return [...arc(cx, cy, radius, radius, 0, 360, 'M'), ['Z']]
}
const buttons: Readonly<Record<string, Outline>> = {
  actionButtonForwardNext: sign((at) => closed(at(-1, -1), at(1, 0), at(-1, 1))),
  actionButtonBackPrevious: sign((at) => closed(at(1, -1), at(-1, 0), at(1, 1))),
  actionButtonEnd: sign((at) => [
    ...closed(at(-1, -1), at(0.5, 0), at(-1, 1)),
    ...closed(at(0.75, -1), at(1, -1), at(1, 1), at(0.75, 1)),
  ]),
  actionButtonBeginning: sign((at) => [
    ...closed(at(1, -1), at(-0.5, 0), at(1, 1)),
    ...closed(at(-0.75, -1), at(-1, -1), at(-1, 1), at(-0.75, 1)),
  ]),
  actionButtonHome: sign((at) => [
    ...closed(at(0, -1), at(1, 0), at(0.75, 0), at(0.75, 1), at(-0.75, 1), at(-0.75, 0), at(-1, 0)),
    ...closed(at(-0.2, 1), at(-0.2, 0.3), at(0.2, 0.3), at(0.2, 1)),
  ]),
  actionButtonDocument: sign((at) => [
    ...closed(at(-0.75, -1), at(0.25, -1), at(0.75, -0.5), at(0.75, 1), at(-0.75, 1)),
    ...path(at(0.25, -1), at(0.25, -0.5), at(0.75, -0.5)),
  ]),
  actionButtonInformation: sign((at) => [
    ...ring(at, 0, 0, 1),
    ...ring(at, 0, -0.55, 0.15),
    ...closed(
      at(-0.3, -0.25),
      at(0.15, -0.25),
      at(0.15, 0.55),
      at(0.35, 0.55),
      at(0.35, 0.7),
      at(-0.35, 0.7),
      at(-0.35, 0.55),
      at(-0.15, 0.55),
      at(-0.15, -0.1),
      at(-0.3, -0.1),
    ),
  ]),
  actionButtonHelp: sign((at) => {
    const [a, b, c] = [at(-0.5, -0.45), at(-0.5, -1.1), at(0.6, -1.1)]
    const [d, e, f] = [at(0.55, -0.4), at(0.45, -0.05), at(0, -0.05)]
    return [
      ['M', ...a],
      ['C', ...b, ...c, ...d],
      ['C', ...e, ...f, ...at(0, 0.5)],
      ...ring(at, 0, 0.85, 0.13),
    ]
  }),
  actionButtonReturn: sign((at) =>
    closed(
      at(-1, -0.5),
      at(-0.5, -0.5),
      at(-0.5, 0.4),
      at(-0.35, 0.55),
      at(0, 0.55),
      at(0.15, 0.4),
      at(0.15, -0.5),
      at(-0.1, -0.5),
      at(0.45, -1),
      at(1, -0.5),
      at(0.65, -0.5),
      at(0.65, 0.5),
      at(0.15, 1),
      at(-0.5, 1),
      at(-1, 0.5),
    ),
  ),
  actionButtonSound: sign((at) => [
    ...closed(at(-1, -0.35), at(-0.4, -0.35), at(0.25, -1), at(0.25, 1), at(-0.4, 0.35), at(-1, 0.35)),
    ...path(at(0.45, -0.35), at(1, -0.65)),
    ...path(at(0.45, 0), at(1, 0)),
    ...path(at(0.45, 0.35), at(1, 0.65)),
  ]),
  actionButtonMovie: sign((at) =>
    closed(
      at(-1, -0.5),
      at(-0.8, -0.5),
      at(-0.7, -0.4),
      at(0.5, -0.4),
      at(0.5, -0.25),
      at(1, -0.35),
      at(1, 0.45),
      at(0.5, 0.25),
      at(0.5, 0.45),
      at(-0.7, 0.45),
      at(-0.7, 0),
      at(-1, 0),
    ),
  ),
}

export const restDetails: Readonly<Record<string, Outline>> = {
  ...buttons,
  flowChartOfflineStorage: ({ w, h }) => path([w * 0.4, h * 0.8], [w * 0.6, h * 0.8]),
  ...Object.fromEntries(
    calloutNames.map(([name, kind]) => [`${name}${kind}`, calloutLine(kind, name.startsWith('accent'))]),
  ),
  ribbon: ribbonLines,
  ribbon2: flipped(ribbonLines, false),
  ellipseRibbon: bowed(ribbonLines),
  ellipseRibbon2: flipped(bowed(ribbonLines), false),
  verticalScroll: scrollLines,
  horizontalScroll: across(scrollLines),
  chartX: ({ w, h }) => [...path([0, 0], [w, h]), ...path([0, h], [w, 0])],
  chartStar: ({ w, h }) => [
    ...path([0, 0], [w, h]),
    ...path([0, h], [w, 0]),
    ...path([w / 2, 0], [w / 2, h]),
  ],
  chartPlus: ({ w, h }) => [...path([w / 2, 0], [w / 2, h]), ...path([0, h / 2], [w, h / 2])],
}

/** Boxes whose edge is not drawn, only what stands in `restDetails`. */
export const withoutEdge = /^(callout|accentCallout)\d$|^chart(X|Star|Plus)$/
