import { entryOf } from '../../../../../shared/entry-of.ts'
import type { PathCommand, Pt } from '../frame.ts'
import { details, outlines, polygon, type Share } from './more-presets.ts'
import { restDetails, restOutlines } from './rest-presets.ts'

type Adjust = ReadonlyMap<string, number>
const shareOf =
  (adjust: Adjust): Share =>
  (key, otherwise) =>
    Math.max(0, Math.min(100_000, adjust.get(key) ?? otherwise)) / 100_000

/** Shapes that are their box. */
const boxes = new Set(['rect', 'flowChartProcess', 'flowChartPredefinedProcess', 'flowChartInternalStorage'])

/** Polygons and stars that touch all sides of their box. */
interface Around {
  readonly corners: number
  /** Of stars: how far out the inner corners lie, as a share of the half side. */
  readonly inner?: number
  readonly wide?: number
  readonly tall?: number
  /** The highest corner reaches the top; else the middle stays in the middle. */
  readonly hangs?: boolean
  /** Degrees from the top. */
  readonly turn?: number
}
const around: Readonly<Record<string, Around>> = {
  pentagon: { corners: 5, wide: 1.05146, tall: 1.10557, hangs: true },
  heptagon: { corners: 7, wide: 1.02572, tall: 1.0521, hangs: true },
  decagon: { corners: 10, tall: 1.05146, turn: 18 },
  dodecagon: { corners: 12, wide: 1.03528, tall: 1.03528, turn: 15 },
  star5: { corners: 5, inner: 19_098, wide: 1.05146, tall: 1.10557, hangs: true },
  star6: { corners: 6, inner: 28_868, wide: 1.1547 },
  star7: { corners: 7, inner: 34_601, wide: 1.02572, tall: 1.0521, hangs: true },
  star10: { corners: 10, inner: 42_533, wide: 1.05146 },
}

function roundOf(
  w: Pt,
  h: Pt,
  { corners, inner, wide = 1, tall = 1, hangs = false, turn = 0 }: Around,
  share: Share,
): PathCommand[] {
  const [rx, ry] = [(w / 2) * wide, (h / 2) * tall]
  const reach = inner === undefined ? 1 : Math.min(0.5, share('adj', inner)) * 2
  const count = inner === undefined ? corners : corners * 2
  const points = Array.from({ length: count }, (_, n) => {
    const angle = (n * 2 * Math.PI) / count - Math.PI / 2 + (turn * Math.PI) / 180
    const out = n % 2 === 1 && inner !== undefined ? reach : 1
    return [w / 2 + rx * out * Math.cos(angle), (hangs ? ry : h / 2) + ry * out * Math.sin(angle)]
  })
  return polygon(points.flat())
}

/** Outline of a preset shape in a box (ECMA-376-1 20.1.10.56); undefined for those that are not known. */
export function presetPath(name: string, w: Pt, h: Pt, adjust: Adjust): PathCommand[] | undefined {
  const share = shareOf(adjust)
  const round = entryOf(around, name)
  if (round !== undefined) return roundOf(w, h, round, share)
  const more = entryOf(outlines, name) ?? entryOf(restOutlines, name)
  if (more !== undefined) return more(boxOf(w, h, adjust))
  switch (name) {
    case 'line':
    case 'straightConnector1':
      return [
        ['M', 0, 0],
        ['L', w, h],
      ]
    case 'ellipse':
    case 'flowChartConnector':
      return ellipse(w, h)
    case 'roundRect':
    case 'flowChartAlternateProcess':
      return rounded(w, h, Math.min(w, h) * Math.min(0.5, share('adj', 16_667)))
    case 'triangle':
    case 'flowChartExtract':
      return polygon([share('adj', 50_000) * w, 0, w, h, 0, h])
    case 'rtTriangle':
      return polygon([0, 0, w, h, 0, h])
    case 'diamond':
    case 'flowChartDecision':
      return polygon([w / 2, 0, w, h / 2, w / 2, h, 0, h / 2])
    case 'parallelogram':
    case 'flowChartInputOutput': {
      const x = Math.min(w, Math.min(w, h) * share('adj', 25_000))
      return polygon([x, 0, w, 0, w - x, h, 0, h])
    }
    case 'trapezoid': {
      const x = Math.min(w / 2, Math.min(w, h) * share('adj', 25_000))
      return polygon([x, 0, w - x, 0, w, h, 0, h])
    }
    case 'hexagon': {
      const x = Math.min(w / 2, Math.min(w, h) * share('adj', 25_000))
      return polygon([0, h / 2, x, 0, w - x, 0, w, h / 2, w - x, h, x, h])
    }
    case 'octagon': {
      const x = Math.min(w, h) * share('adj', 29_289)
      return polygon([0, x, x, 0, w - x, 0, w, x, w, h - x, w - x, h, x, h, 0, h - x])
    }
    case 'homePlate': {
      const x = w - Math.min(w, h) * share('adj', 50_000)
      return polygon([0, 0, x, 0, w, h / 2, x, h, 0, h])
    }
    case 'chevron': {
      const x = Math.min(w, h) * share('adj', 50_000)
      return polygon([0, 0, w - x, 0, w, h / 2, w - x, h, 0, h, x, h / 2])
    }
    case 'rightArrow':
    case 'leftArrow':
    case 'upArrow':
    case 'downArrow':
      return arrow(name, w, h, share('adj1', 50_000), share('adj2', 50_000))
    case 'plus': {
      const x = Math.min(w, h) * Math.min(0.5, share('adj', 25_000))
      return polygon([
        x,
        0,
        w - x,
        0,
        w - x,
        x,
        w,
        x,
        w,
        h - x,
        w - x,
        h - x,
        w - x,
        h,
        x,
        h,
        x,
        h - x,
        0,
        h - x,
        0,
        x,
        x,
        x,
      ])
    }
    case 'star4':
      return star(w, h, 4, 0.375)
    default:
      return boxes.has(name) || name.startsWith('actionButton') ? [['R', 0, 0, w, h]] : undefined
  }
}

/** Lines on top of the outline. */
export const presetDetails = (name: string, w: Pt, h: Pt, adjust: Adjust): PathCommand[] =>
  (entryOf(details, name) ?? entryOf(restDetails, name))?.(boxOf(w, h, adjust)) ?? []

const boxOf = (w: Pt, h: Pt, adjust: Adjust) => ({
  w,
  h,
  s: Math.min(w, h),
  share: shareOf(adjust),
  raw: (key: string, otherwise: number) => adjust.get(key) ?? otherwise,
})

/** Share of the radius at which the handles of a quarter circle stand. */
const quarter = 0.5523

function ellipse(w: Pt, h: Pt): PathCommand[] {
  const [rx, ry] = [w / 2, h / 2]
  const [kx, ky] = [rx * quarter, ry * quarter]
  return [
    ['M', rx, 0],
    ['C', rx + kx, 0, w, ry - ky, w, ry],
    ['C', w, ry + ky, rx + kx, h, rx, h],
    ['C', rx - kx, h, 0, ry + ky, 0, ry],
    ['C', 0, ry - ky, rx - kx, 0, rx, 0],
    ['Z'],
  ]
}

function rounded(w: Pt, h: Pt, r: Pt): PathCommand[] {
  const k = r * (1 - quarter)
  return [
    ['M', r, 0],
    ['L', w - r, 0],
    ['C', w - k, 0, w, k, w, r],
    ['L', w, h - r],
    ['C', w, h - k, w - k, h, w - r, h],
    ['L', r, h],
    ['C', k, h, 0, h - k, 0, h - r],
    ['L', 0, r],
    ['C', 0, k, k, 0, r, 0],
    ['Z'],
  ]
}

function arrow(name: string, w: Pt, h: Pt, shaft: number, head: number): PathCommand[] {
  const level = name === 'rightArrow' || name === 'leftArrow'
  const [long, wide] = level ? [w, h] : [h, w]
  const neck = Math.max(0, long - Math.min(long, wide) * head)
  const a = (wide * (1 - shaft)) / 2
  const points = [0, a, neck, a, neck, 0, long, wide / 2, neck, wide, neck, wide - a, 0, wide - a]
  const turned: number[] = []
  for (let i = 0; i < points.length; i += 2) {
    const [along, across] = [points[i]!, points[i + 1]!]
    if (name === 'rightArrow') turned.push(along, across)
    else if (name === 'leftArrow') turned.push(w - along, across)
    else if (name === 'downArrow') turned.push(across, along)
    else turned.push(across, h - along)
  }
  return polygon(turned)
}

function star(w: Pt, h: Pt, spikes: number, inner: number): PathCommand[] {
  const points: number[] = []
  for (let i = 0; i < spikes * 2; i++) {
    const angle = (i * Math.PI) / spikes - Math.PI / 2
    const reach = i % 2 === 0 ? 1 : inner
    points.push(w / 2 + (w / 2) * reach * Math.cos(angle), h / 2 + (h / 2) * reach * Math.sin(angle))
  }
  return polygon(points)
}
