import type { PathCommand, Pt } from '../frame.ts'
import { details, outlines, polygon, type Share } from './more-presets.ts'

type Adjust = ReadonlyMap<string, number>
const shareOf =
  (adjust: Adjust): Share =>
  (key, otherwise) =>
    Math.max(0, Math.min(100_000, adjust.get(key) ?? otherwise)) / 100_000

/** Shapes that are their box. */
const boxes = new Set(['rect', 'flowChartProcess', 'flowChartPredefinedProcess', 'flowChartInternalStorage'])

/** Outline of a preset shape in a box (ECMA-376-1 20.1.10.56); undefined for those that are not known. */
export function presetPath(name: string, w: Pt, h: Pt, adjust: Adjust): PathCommand[] | undefined {
  const share = shareOf(adjust)
  const more = outlines[name]
  if (more !== undefined) return more(boxOf(w, h, adjust))
  switch (name) {
    case 'line':
    case 'straightConnector1':
    case 'bentConnector2':
    case 'bentConnector3':
    case 'curvedConnector3':
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
    case 'pentagon':
      return regular(w, h, 5)
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
    case 'star5':
      return star(w, h, 5, 0.382)
    case 'star4':
      return star(w, h, 4, 0.375)
    default:
      return boxes.has(name) || name.startsWith('actionButton') ? [['R', 0, 0, w, h]] : undefined
  }
}

/** Lines on top of the outline. */
export const presetDetails = (name: string, w: Pt, h: Pt, adjust: Adjust): PathCommand[] =>
  details[name]?.(boxOf(w, h, adjust)) ?? []

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

function regular(w: Pt, h: Pt, corners: number): PathCommand[] {
  return star(w, h, corners, Math.cos(Math.PI / corners))
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
