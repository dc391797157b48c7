import { ellipse } from '../../../../../shared/document/ellipse.ts'
import { brace } from '../brace.ts'
import type { PathCommand, Pt } from '../frame.ts'

/** Adjustments of a shape as shares: `share('adj1', 50_000)` is 0.5 unless the document says otherwise. */
export type Share = (key: string, otherwise: number) => number
export interface Box {
  readonly w: Pt
  readonly h: Pt
  readonly s: Pt // the shorter side
  readonly share: Share
  /** The adjustment as it stands: negative ones, angles. */
  readonly raw: (key: string, otherwise: number) => number
}
type Outline = (box: Box) => PathCommand[]

export function polygon(points: readonly number[]): PathCommand[] {
  const commands: PathCommand[] = [['M', points[0]!, points[1]!]]
  for (let i = 2; i < points.length; i += 2) commands.push(['L', points[i]!, points[i + 1]!])
  commands.push(['Z'])
  return commands
}

/** An arc of an ellipse around (cx, cy), angles in degrees clockwise from the right; goes on from where the path is. */
function arc(cx: Pt, cy: Pt, rx: Pt, ry: Pt, from: number, sweep: number): PathCommand[] {
  const radians = (angle: number): number => (angle * Math.PI) / 180
  const [start, span] = [radians(from), radians(sweep)]
  return ellipse({ centre: { x: cx, y: cy }, rx, ry, turn: 0, start, span }).slice(1)
}
const around = (degrees: number, cx: Pt, cy: Pt, rx: Pt, ry: Pt): readonly [Pt, Pt] => {
  const angle = (degrees * Math.PI) / 180
  return [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)]
}
const wholeEllipse = (cx: Pt, cy: Pt, rx: Pt, ry: Pt): PathCommand[] => [
  ['M', cx + rx, cy],
  ...arc(cx, cy, rx, ry, 0, 360),
  ['Z'],
]
const degrees = (value: number): number => value / 60_000

function star(w: Pt, h: Pt, spikes: number, inner: number, turn = 0): PathCommand[] {
  const points: number[] = []
  for (let i = 0; i < spikes * 2; i++) {
    const angle = (i * Math.PI) / spikes - Math.PI / 2 + turn
    const reach = i % 2 === 0 ? 1 : inner
    points.push(w / 2 + (w / 2) * reach * Math.cos(angle), h / 2 + (h / 2) * reach * Math.sin(angle))
  }
  return polygon(points)
}
const starOf =
  (spikes: number, usual: number): Outline =>
  ({ w, h, share }) =>
    star(w, h, spikes, share('adj', usual) * 2)

/** A rectangle with corners rounded (positive) or cut (negative), from the top left, clockwise. */
function corners(w: Pt, h: Pt, [a, b, c, d]: readonly [Pt, Pt, Pt, Pt]): PathCommand[] {
  const commands: PathCommand[] = [['M', Math.abs(a), 0]]
  const turn = (size: Pt, cx: Pt, cy: Pt, from: number, x: Pt, y: Pt): void => {
    if (size > 0) commands.push(...arc(cx, cy, size, size, from, 90))
    else commands.push(['L', x, y])
  }
  commands.push(['L', w - Math.abs(b), 0])
  turn(b, w - b, b, 270, w, Math.abs(b))
  commands.push(['L', w, h - Math.abs(c)])
  turn(c, w - c, h - c, 0, w - Math.abs(c), h)
  commands.push(['L', Math.abs(d), h])
  turn(d, d, h - d, 90, 0, h - Math.abs(d))
  commands.push(['L', 0, Math.abs(a)])
  turn(a, a, a, 180, Math.abs(a), 0)
  commands.push(['Z'])
  return commands
}

/** The tip of a callout, from the middle of the shape. */
const tipOf = ({ w, h, raw }: Box, x = -20_833, y = 62_500): readonly [Pt, Pt] => [
  w / 2 + (w * raw('adj1', x)) / 100_000,
  h / 2 + (h * raw('adj2', y)) / 100_000,
]

function boxCallout(box: Box, rounding: Pt): PathCommand[] {
  const { w, h } = box
  const [x, y] = tipOf(box)
  const flat = Math.abs((x - w / 2) / Math.max(1, w)) > Math.abs((y - h / 2) / Math.max(1, h))
  const [left, top] = [x < w / 2, y < h / 2]
  const outline = corners(w, h, [rounding, rounding, rounding, rounding])
  const between = (near: boolean, whole: Pt): readonly [Pt, Pt] =>
    near ? [whole / 6, (whole * 5) / 12] : [(whole * 7) / 12, (whole * 5) / 6]
  // The tip leaves the side it lies behind, nearer to the end it points at.
  const [a, b] = flat ? between(top, h) : between(left, w)
  const side = flat ? (left ? 3 : 1) : top ? 0 : 2
  const points: readonly [Pt, Pt][] =
    side === 0
      ? [
          [a, 0],
          [x, y],
          [b, 0],
        ]
      : side === 1
        ? [
            [w, a],
            [x, y],
            [w, b],
          ]
        : side === 2
          ? [
              [b, h],
              [x, y],
              [a, h],
            ]
          : [
              [0, b],
              [x, y],
              [0, a],
            ]
  // Sides and corners take turns: each side is the line after its corner.
  let seen = -1
  return outline.flatMap((command): PathCommand[] => {
    if (command[0] === 'L' && rounding > 0) seen += 1
    else if (command[0] === 'L' && rounding === 0) seen += 0.5
    const here = rounding > 0 ? seen === side : seen === side - 0.5
    if (command[0] !== 'L' || !here) return [command]
    return [...points.map(([px, py]): PathCommand => ['L', px, py]), command]
  })
}

function ellipseCallout(box: Box): PathCommand[] {
  const { w, h } = box
  const [x, y] = tipOf(box)
  const angle = (Math.atan2((y - h / 2) * w, (x - w / 2) * h) * 180) / Math.PI
  const half = 11
  const [sx, sy] = around(angle + half, w / 2, h / 2, w / 2, h / 2)
  return [['M', x, y], ['L', sx, sy], ...arc(w / 2, h / 2, w / 2, h / 2, angle + half, 360 - 2 * half), ['Z']]
}

/** Bumps around an ellipse. */
function cloud(w: Pt, h: Pt): PathCommand[] {
  const bumps = 11
  const [cx, cy] = [w / 2, h / 2]
  const at = (n: number): readonly [Pt, Pt] => around((n * 360) / bumps - 100, cx, cy, w * 0.4, h * 0.38)
  const commands: PathCommand[] = [['M', ...at(0)]]
  for (let n = 0; n < bumps; n += 1) {
    const [x1, y1] = at(n)
    const [x2, y2] = at(n + 1)
    const out = (share: number): readonly [Pt, Pt] => {
      const [mx, my] = [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share]
      return [mx + (mx - cx) * 0.42, my + (my - cy) * 0.42]
    }
    commands.push(['C', ...out(0.02), ...out(0.98), x2, y2])
  }
  return [...commands, ['Z']]
}

const bracket = (x: (share: number) => Pt, h: Pt, bend: Pt): PathCommand[] => [
  ['M', x(1), 0],
  ['C', x(0.45), 0, x(0), bend * 0.45, x(0), bend],
  ['L', x(0), h - bend],
  ['C', x(0), h - bend * 0.45, x(0.45), h, x(1), h],
]

const document: Outline = ({ w, h }) => [
  ['M', 0, 0],
  ['L', w, 0],
  ['L', w, h * 0.8],
  ['C', w * 0.5, h * 0.8, w * 0.5, h * 1.1, 0, h * 0.93],
  ['Z'],
]
const drum: Outline = ({ w, h, share, s }) => {
  const y = Math.min(h / 2, (s * share('adj', 25_000)) / 2)
  return [
    ['M', 0, y],
    ...arc(w / 2, y, w / 2, y, 180, 180),
    ['L', w, h - y],
    ...arc(w / 2, h - y, w / 2, y, 0, 180),
    ['Z'],
  ]
}
const wave: Outline = ({ w, h, share }) => {
  const y = h * share('adj1', 12_500)
  return [
    ['M', 0, y],
    ['C', w / 3, -y * 2.33, (w * 2) / 3, y * 4.33, w, y],
    ['L', w, h - y],
    ['C', (w * 2) / 3, h + y * 2.33, w / 3, h - y * 4.33, 0, h - y],
    ['Z'],
  ]
}

/** Outlines by the name that DrawingML gives them (20.1.10.56). Arcs that documents adjust keep their meaning. */
export const outlines: Readonly<Record<string, Outline>> = {
  star8: starOf(8, 37_500),
  star12: starOf(12, 37_500),
  star16: starOf(16, 37_500),
  star24: starOf(24, 37_500),
  star32: starOf(32, 37_500),
  irregularSeal1: ({ w, h }) => star(w, h, 11, 0.62),
  irregularSeal2: ({ w, h }) => star(w, h, 13, 0.6, 0.2),
  heart: ({ w, h }) => [
    ['M', w / 2, h / 4],
    ['C', w * 0.71, -h / 3, w * 1.51, h / 4, w / 2, h],
    ['C', -w * 0.51, h / 4, w * 0.29, -h / 3, w / 2, h / 4],
    ['Z'],
  ],
  cloud: ({ w, h }) => cloud(w, h),
  cloudCallout: (box) => {
    const [x, y] = tipOf(box)
    const [mx, my] = [box.w / 2 + (x - box.w / 2) * 0.8, box.h / 2 + (y - box.h / 2) * 0.8]
    return [
      ...cloud(box.w, box.h),
      ...wholeEllipse(mx, my, box.s * 0.06, box.s * 0.06),
      ...wholeEllipse(x, y, box.s * 0.035, box.s * 0.035),
    ]
  },
  wedgeRectCallout: (box) => boxCallout(box, 0),
  wedgeRoundRectCallout: (box) => boxCallout(box, box.s * box.share('adj3', 16_667)),
  wedgeEllipseCallout: ellipseCallout,
  round1Rect: ({ w, h, s, share }) => corners(w, h, [0, s * share('adj', 16_667), 0, 0]),
  round2SameRect: ({ w, h, s, share }) => {
    const [a, b] = [s * share('adj1', 16_667), s * share('adj2', 0)]
    return corners(w, h, [a, a, b, b])
  },
  round2DiagRect: ({ w, h, s, share }) => {
    const [a, b] = [s * share('adj1', 16_667), s * share('adj2', 0)]
    return corners(w, h, [a, b, a, b])
  },
  snip1Rect: ({ w, h, s, share }) => corners(w, h, [0, -s * share('adj', 16_667), 0, 0]),
  snip2SameRect: ({ w, h, s, share }) => {
    const [a, b] = [s * share('adj1', 16_667), s * share('adj2', 0)]
    return corners(w, h, [-a, -a, -b, -b])
  },
  snip2DiagRect: ({ w, h, s, share }) => {
    const [a, b] = [s * share('adj1', 0), s * share('adj2', 16_667)]
    return corners(w, h, [-a, -b, -a, -b])
  },
  snipRoundRect: ({ w, h, s, share }) =>
    corners(w, h, [s * share('adj1', 16_667), -s * share('adj2', 16_667), 0, 0]),
  flowChartTerminator: ({ w, h, s }) => corners(w, h, [s / 2, s / 2, s / 2, s / 2]),
  flowChartPunchedCard: ({ w, h }) => polygon([w / 5, 0, w, 0, w, h, 0, h, 0, h / 5]),
  foldedCorner: ({ w, h, s, share }) => corners(w, h, [0, 0, -s * share('adj', 16_667), 0]),
  plaque: ({ w, h, s, share }) => {
    const r = s * share('adj', 16_667)
    return [
      ['M', 0, r],
      ...arc(0, 0, r, r, 90, -90),
      ['L', w - r, 0],
      ...arc(w, 0, r, r, 180, -90),
      ['L', w, h - r],
      ...arc(w, h, r, r, 270, -90),
      ['L', r, h],
      ...arc(0, h, r, r, 0, -90),
      ['Z'],
    ]
  },
  bevel: ({ w, h }) => corners(w, h, [0, 0, 0, 0]),
  frame: ({ w, h, s, share }) => {
    const x = s * Math.min(0.5, share('adj1', 12_500))
    return [...polygon([0, 0, w, 0, w, h, 0, h]), ...polygon([x, x, x, h - x, w - x, h - x, w - x, x])]
  },
  halfFrame: ({ w, h, s, share }) => {
    const [y, x] = [s * share('adj1', 33_333), s * share('adj2', 33_333)]
    return polygon([0, 0, w, 0, w - (y * w) / Math.max(1, h), y, x, y, x, h - (x * h) / Math.max(1, w), 0, h])
  },
  corner: ({ w, h, s, share }) => {
    const [y, x] = [s * share('adj1', 50_000), s * share('adj2', 50_000)]
    return polygon([0, 0, x, 0, x, h - y, w, h - y, w, h, 0, h])
  },
  diagStripe: ({ w, h, share }) => {
    const a = share('adj', 50_000)
    return polygon([0, h * a, w * a, 0, w, 0, 0, h])
  },
  teardrop: ({ w, h, share }) => {
    const reach = share('adj', 100_000)
    const [x, y] = [w / 2 + (w / 2) * reach, h / 2 - (h / 2) * reach]
    return [
      ['M', w, h / 2],
      ...arc(w / 2, h / 2, w / 2, h / 2, 0, 270),
      ['C', (w / 2 + x) / 2, 0, (w / 2 + x) / 2, 0, x, y],
      ['C', w, (h / 2 + y) / 2, w, (h / 2 + y) / 2, w, h / 2],
      ['Z'],
    ]
  },
  donut: ({ w, h, s, share }) => {
    const x = s * Math.min(0.5, share('adj', 25_000))
    const hole = arc(w / 2, h / 2, w / 2 - x, h / 2 - x, 0, -360)
    return [...wholeEllipse(w / 2, h / 2, w / 2, h / 2), ['M', w - x, h / 2], ...hole, ['Z']]
  },
  noSmoking: ({ w, h, s, share }) => {
    const x = s * Math.min(0.5, share('adj', 18_750))
    const [rx, ry] = [w / 2 - x, h / 2 - x]
    const bar = (from: number): PathCommand[] => {
      const half = 90 - (Math.asin(Math.min(1, x / 2 / Math.max(0.01, Math.min(rx, ry)))) * 180) / Math.PI
      // Against the way of the outline: what it goes around is no part of the shape.
      const [sx, sy] = around(from + half, w / 2, h / 2, rx, ry)
      return [['M', sx, sy], ...arc(w / 2, h / 2, rx, ry, from + half, -2 * half), ['Z']]
    }
    return [...wholeEllipse(w / 2, h / 2, w / 2, h / 2), ...bar(-45), ...bar(135)]
  },
  pie: ({ w, h, raw }) => slice(w, h, degrees(raw('adj1', 0)), degrees(raw('adj2', 16_200_000)), true),
  chord: ({ w, h, raw }) =>
    slice(w, h, degrees(raw('adj1', 2_700_000)), degrees(raw('adj2', 16_200_000)), false),
  arc: ({ w, h, raw }) => {
    const from = degrees(raw('adj1', 16_200_000))
    const sweep = (degrees(raw('adj2', 0)) - from + 360) % 360 || 360
    return [
      ['M', ...around(from, w / 2, h / 2, w / 2, h / 2)],
      ...arc(w / 2, h / 2, w / 2, h / 2, from, sweep),
    ]
  },
  blockArc: ({ w, h, s, raw, share }) => {
    const from = degrees(raw('adj1', 10_800_000))
    const sweep = (degrees(raw('adj2', 0)) - from + 360) % 360 || 360
    const x = s * Math.min(0.5, share('adj3', 25_000))
    const [rx, ry] = [w / 2 - x, h / 2 - x]
    return [
      ['M', ...around(from, w / 2, h / 2, w / 2, h / 2)],
      ...arc(w / 2, h / 2, w / 2, h / 2, from, sweep),
      ['L', ...around(from + sweep, w / 2, h / 2, rx, ry)],
      ...arc(w / 2, h / 2, rx, ry, from + sweep, -sweep),
      ['Z'],
    ]
  },
  moon: ({ w, h, share }) => {
    const x = w * share('adj', 50_000)
    return [['M', w, 0], ...arc(w, h / 2, w, h / 2, 270, -180), ['C', x, h * 0.75, x, h * 0.25, w, 0], ['Z']]
  },
  sun: ({ w, h, share }) => {
    const r = 0.5 - share('adj', 25_000)
    const rays = Array.from({ length: 8 }, (_, n): PathCommand[] => {
      const at = (turn: number, reach: number): readonly [Pt, Pt] =>
        around(n * 45 + turn, w / 2, h / 2, w * reach, h * reach)
      return [['M', ...at(0, 0.5)], ['L', ...at(11, r + 0.1)], ['L', ...at(-11, r + 0.1)], ['Z']]
    })
    return [...rays.flat(), ...wholeEllipse(w / 2, h / 2, w * r, h * r)]
  },
  lightningBolt: ({ w, h }) =>
    polygon(
      [
        8472, 0, 12_860, 6080, 11_050, 6797, 16_577, 12_007, 14_767, 12_877, 21_600, 21_600, 10_012, 14_915,
        12_222, 13_987, 5022, 9705, 7602, 8382, 0, 3890,
      ].map((value, index) => (value / 21_600) * (index % 2 === 0 ? w : h)),
    ),
  smileyFace: ({ w, h }) => wholeEllipse(w / 2, h / 2, w / 2, h / 2),
  can: drum,
  flowChartMagneticDisk: drum,
  cube: ({ w, h, s, share }) => {
    const y = s * share('adj', 25_000)
    return polygon([0, y, y, 0, w, 0, w, h - y, w - y, h, 0, h])
  },
  leftBrace: ({ w, h, s, share }) =>
    brace((x) => x * w, 0, h, h * share('adj2', 50_000), Math.min(h / 4, s * share('adj1', 8333) * 2)),
  rightBrace: ({ w, h, s, share }) =>
    brace((x) => w - x * w, 0, h, h * share('adj2', 50_000), Math.min(h / 4, s * share('adj1', 8333) * 2)),
  bracePair: ({ w, h, s, share }) => {
    const x = s * share('adj', 8333) * 2
    return [...brace((p) => p * x, 0, h, h / 2, x / 2), ...brace((p) => w - p * x, 0, h, h / 2, x / 2)]
  },
  leftBracket: ({ w, h, s, share }) => bracket((x) => x * w, h, Math.min(h / 2, s * share('adj', 8333))),
  rightBracket: ({ w, h, s, share }) => bracket((x) => w - x * w, h, Math.min(h / 2, s * share('adj', 8333))),
  bracketPair: ({ w, h, s, share }) => {
    const x = s * share('adj', 16_667)
    return [...bracket((p) => p * x, h, x), ...bracket((p) => w - p * x, h, x)]
  },
  leftRightArrow: ({ w, h, s, share }) =>
    doubleArrow(w, h, share('adj1', 50_000), s * share('adj2', 50_000), false),
  upDownArrow: ({ w, h, s, share }) =>
    doubleArrow(h, w, share('adj1', 50_000), s * share('adj2', 50_000), true),
  quadArrow: ({ w, h, s, share }) => {
    const [shaft, head, long] = [
      s * share('adj1', 22_500),
      s * share('adj2', 22_500),
      s * share('adj3', 22_500),
    ]
    const [x, y] = [w / 2, h / 2]
    const a = shaft / 2
    return polygon([
      ...[0, y, long, y - head, long, y - a, x - a, y - a, x - a, long, x - head, long],
      ...[x, 0, x + head, long, x + a, long, x + a, y - a, w - long, y - a, w - long, y - head],
      ...[w, y, w - long, y + head, w - long, y + a, x + a, y + a, x + a, h - long, x + head, h - long],
      ...[x, h, x - head, h - long, x - a, h - long, x - a, y + a, long, y + a, long, y + head],
    ])
  },
  notchedRightArrow: ({ w, h, s, share }) => {
    const [a, x] = [(h * (1 - share('adj1', 50_000))) / 2, w - s * share('adj2', 50_000)]
    const notch = ((h / 2 - a) * (w - x)) / Math.max(0.01, h / 2)
    return polygon([0, a, x, a, x, 0, w, h / 2, x, h, x, h - a, 0, h - a, notch, h / 2])
  },
  stripedRightArrow: ({ w, h, s, share }) => {
    const [a, x] = [(h * (1 - share('adj1', 50_000))) / 2, w - s * share('adj2', 50_000)]
    const stripe = (from: number, to: number): PathCommand[] =>
      polygon([s * from, a, s * to, a, s * to, h - a, s * from, h - a])
    const start = s * 0.156
    return [
      ...stripe(0, 0.031),
      ...stripe(0.0625, 0.125),
      ...polygon([start, a, x, a, x, 0, w, h / 2, x, h, x, h - a, start, h - a]),
    ]
  },
  bentArrow: ({ w, h, s, share }) => {
    const [shaft, half, long] = [
      s * share('adj1', 25_000),
      s * share('adj2', 25_000),
      s * share('adj3', 25_000),
    ]
    const bend = Math.min(s * share('adj4', 43_750), w - long)
    const [top, inner] = [half - shaft / 2, Math.max(0, bend - shaft)]
    return [
      ['M', 0, h],
      ['L', 0, top + bend],
      ...arc(bend, top + bend, bend, bend, 180, 90),
      ['L', w - long, top],
      ['L', w - long, 0],
      ['L', w, half],
      ['L', w - long, half * 2],
      ['L', w - long, top + shaft],
      ['L', shaft + inner, top + shaft],
      ...arc(shaft + inner, top + shaft + inner, inner, inner, 270, -90),
      ['L', shaft, h],
      ['Z'],
    ]
  },
  flowChartDocument: document,
  flowChartMultidocument: document,
  flowChartPreparation: ({ w, h }) =>
    polygon([w / 5, 0, w * 0.8, 0, w, h / 2, w * 0.8, h, w / 5, h, 0, h / 2]),
  flowChartManualInput: ({ w, h }) => polygon([0, h / 5, w, 0, w, h, 0, h]),
  flowChartManualOperation: ({ w, h }) => polygon([0, 0, w, 0, w * 0.8, h, w / 5, h]),
  flowChartOffpageConnector: ({ w, h }) => polygon([0, 0, w, 0, w, h * 0.8, w / 2, h, 0, h * 0.8]),
  flowChartMerge: ({ w, h }) => polygon([0, 0, w, 0, w / 2, h]),
  flowChartCollate: ({ w, h }) => polygon([0, 0, w, 0, 0, h, w, h]),
  flowChartSort: ({ w, h }) => polygon([0, h / 2, w / 2, 0, w, h / 2, w / 2, h]),
  flowChartSummingJunction: ({ w, h }) => wholeEllipse(w / 2, h / 2, w / 2, h / 2),
  flowChartOr: ({ w, h }) => wholeEllipse(w / 2, h / 2, w / 2, h / 2),
  flowChartPunchedTape: ({ w, h }) => [
    ['M', 0, h * 0.1],
    ['C', w * 0.25, h * 0.3, w * 0.75, -h * 0.1, w, h * 0.1],
    ['L', w, h * 0.9],
    ['C', w * 0.75, h * 0.7, w * 0.25, h * 1.1, 0, h * 0.9],
    ['Z'],
  ],
  flowChartDelay: ({ w, h }) => [
    ['M', 0, 0],
    ['L', w / 2, 0],
    ...arc(w / 2, h / 2, w / 2, h / 2, 270, 180),
    ['L', 0, h],
    ['Z'],
  ],
  flowChartOnlineStorage: ({ w, h }) => [
    ['M', w / 6, 0],
    ['L', w, 0],
    ...arc(w, h / 2, w / 6, h / 2, 270, -180),
    ['L', w / 6, h],
    ...arc(w / 6, h / 2, w / 6, h / 2, 90, 180),
    ['Z'],
  ],
  flowChartMagneticDrum: ({ w, h }) => [
    ['M', w / 6, 0],
    ['L', (w * 5) / 6, 0],
    ...arc((w * 5) / 6, h / 2, w / 6, h / 2, 270, 180),
    ['L', w / 6, h],
    ...arc(w / 6, h / 2, w / 6, h / 2, 90, 180),
    ['Z'],
  ],
  flowChartMagneticTape: ({ w, h }) => [
    ['M', w / 2, h],
    ...arc(w / 2, h / 2, w / 2, h / 2, 90, 310),
    ['L', w, h * 0.82],
    ['L', w, h],
    ['Z'],
  ],
  flowChartDisplay: ({ w, h }) => [
    ['M', 0, h / 2],
    ['L', w / 6, 0],
    ['L', (w * 5) / 6, 0],
    ...arc((w * 5) / 6, h / 2, w / 6, h / 2, 270, 180),
    ['L', w / 6, h],
    ['Z'],
  ],
  wave,
  doubleWave: wave,
  mathPlus: ({ w, h, s, share }) => {
    const [a, l] = [(s * share('adj1', 23_520)) / 2, 0.1325]
    const [x, y] = [w / 2, h / 2]
    return polygon([
      ...[w * l, y - a, x - a, y - a, x - a, h * l, x + a, h * l, x + a, y - a, w - w * l, y - a],
      ...[w - w * l, y + a, x + a, y + a, x + a, h - h * l, x - a, h - h * l, x - a, y + a, w * l, y + a],
    ])
  },
  mathMinus: ({ w, h, share }) => {
    const a = (h * share('adj1', 23_520)) / 2
    const l = w * 0.1325
    return polygon([l, h / 2 - a, w - l, h / 2 - a, w - l, h / 2 + a, l, h / 2 + a])
  },
  mathEqual: ({ w, h, share }) => {
    const [a, gap, l] = [h * share('adj1', 23_520), (h * share('adj2', 11_760)) / 2, w * 0.1325]
    const bar = (y: Pt): PathCommand[] => polygon([l, y, w - l, y, w - l, y + a, l, y + a])
    return [...bar(h / 2 - gap - a), ...bar(h / 2 + gap)]
  },
  mathMultiply: ({ w, h, s, share }) => {
    const a = (s * share('adj1', 23_520)) / 2 / Math.SQRT2
    const [x, y, r] = [w / 2, h / 2, 0.36 * s]
    return polygon([
      ...[
        x - r - a,
        y - r + a,
        x - r + a,
        y - r - a,
        x,
        y - 2 * a,
        x + r - a,
        y - r - a,
        x + r + a,
        y - r + a,
      ],
      ...[x + 2 * a, y, x + r + a, y + r - a, x + r - a, y + r + a, x, y + 2 * a, x - r + a, y + r + a],
      ...[x - r - a, y + r - a, x - 2 * a, y],
    ])
  },
  mathDivide: ({ w, h }) => {
    const [a, l, r] = [h * 0.1176, w * 0.1325, h * 0.0588 * 1.6]
    return [
      ...polygon([l, h / 2 - a, w - l, h / 2 - a, w - l, h / 2 + a, l, h / 2 + a]),
      ...wholeEllipse(w / 2, h / 2 - a * 2.4, r, r),
      ...wholeEllipse(w / 2, h / 2 + a * 2.4, r, r),
    ]
  },
}

function slice(w: Pt, h: Pt, from: number, to: number, centre: boolean): PathCommand[] {
  const sweep = (to - from + 360) % 360 || 360
  const start: PathCommand = ['M', ...around(from, w / 2, h / 2, w / 2, h / 2)]
  const back: PathCommand[] = centre ? [['L', w / 2, h / 2]] : []
  return [start, ...arc(w / 2, h / 2, w / 2, h / 2, from, sweep), ...back, ['Z']]
}

function doubleArrow(long: Pt, wide: Pt, shaft: number, head: Pt, upright: boolean): PathCommand[] {
  const x = Math.min(long / 2, head)
  const a = (wide * (1 - shaft)) / 2
  const points = [
    ...[0, wide / 2, x, 0, x, a, long - x, a, long - x, 0],
    ...[long, wide / 2, long - x, wide, long - x, wide - a, x, wide - a, x, wide],
  ]
  if (!upright) return polygon(points)
  return polygon(points.map((_, index) => points[index % 2 === 0 ? index + 1 : index - 1]!))
}

const line = (x1: Pt, y1: Pt, x2: Pt, y2: Pt): PathCommand[] => [
  ['M', x1, y1],
  ['L', x2, y2],
]
/** Lines drawn on top of some outlines, never filled. */
export const details: Readonly<Record<string, Outline>> = {
  can: ({ w, h, s, share }) => {
    const y = Math.min(h / 2, (s * share('adj', 25_000)) / 2)
    return [['M', w, y], ...arc(w / 2, y, w / 2, y, 0, 180)]
  },
  flowChartMagneticDisk: ({ w, h, s }) => {
    const y = Math.min(h / 2, s / 8)
    return [['M', w, y], ...arc(w / 2, y, w / 2, y, 0, 180)]
  },
  cube: ({ w, h, s, share }) => {
    const y = s * share('adj', 25_000)
    return [...line(0, y, w - y, y), ...line(w - y, y, w - y, h), ...line(w - y, y, w, 0)]
  },
  bevel: ({ w, h, s, share }) => {
    const x = s * Math.min(0.5, share('adj', 12_500))
    return [
      ...polygon([x, x, w - x, x, w - x, h - x, x, h - x]),
      ...[line(0, 0, x, x), line(w, 0, w - x, x), line(w, h, w - x, h - x), line(0, h, x, h - x)].flat(),
    ]
  },
  foldedCorner: ({ w, h, s, share }) => {
    const x = s * share('adj', 16_667)
    return [...line(w - x, h, w - x * 0.8, h - x * 0.8), ...line(w - x * 0.8, h - x * 0.8, w, h - x)]
  },
  smileyFace: ({ w, h }) => [
    ...wholeEllipse(w * 0.33, h * 0.38, w * 0.05, h * 0.05),
    ...wholeEllipse(w * 0.67, h * 0.38, w * 0.05, h * 0.05),
    ['M', w * 0.23, h * 0.72],
    ['C', w * 0.4, h * 0.86, w * 0.6, h * 0.86, w * 0.77, h * 0.72],
  ],
  flowChartPredefinedProcess: ({ w, h }) => [
    ...line(w / 8, 0, w / 8, h),
    ...line((w * 7) / 8, 0, (w * 7) / 8, h),
  ],
  flowChartInternalStorage: ({ w, h }) => [...line(w / 8, 0, w / 8, h), ...line(0, h / 8, w, h / 8)],
  flowChartSummingJunction: ({ w, h }) => {
    const [x, y] = [w * 0.1464, h * 0.1464]
    return [...line(x, y, w - x, h - y), ...line(w - x, y, x, h - y)]
  },
  flowChartOr: ({ w, h }) => [...line(w / 2, 0, w / 2, h), ...line(0, h / 2, w, h / 2)],
  flowChartSort: ({ w, h }) => line(0, h / 2, w, h / 2),
  flowChartMagneticDrum: ({ w, h }) => [
    ['M', (w * 5) / 6, 0],
    ...arc((w * 5) / 6, h / 2, w / 6, h / 2, 270, -180),
  ],
}
