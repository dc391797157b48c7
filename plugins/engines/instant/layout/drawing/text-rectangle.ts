import type { Geometry } from '../../../../../shared/document/drawing.ts'
import type { Sides } from '../../../../../shared/document/table.ts'
import type { Pt } from '../frame.ts'

interface Box {
  readonly w: Pt
  readonly h: Pt
  /** The shorter side. */
  readonly s: Pt
  /** An adjustment as a share, between 0 and `most`. */
  share(key: string, usual: number, most?: number): number
}
/** How far the text stands in from each side of the shape. */
type Rule = (box: Box) => readonly [left: Pt, top: Pt, right: Pt, bottom: Pt]

const around = (across: Pt, down: Pt) => [across, down, across, down] as const
/** What a circle leaves beside the largest square in it, as a share of its width. */
const besideSquare = (1 - Math.SQRT1_2) / 2
const quarter: Rule = ({ w, h }) => around(w / 4, h / 4)

/** The text rectangles of the presets (ECMA-376-1 20.1.9.22 and presetShapeDefinitions). What is not named has its box. */
const rules: Readonly<Record<string, Rule>> = {
  ellipse: ({ w, h }) => around(w * besideSquare, h * besideSquare),
  flowChartConnector: ({ w, h }) => around(w * besideSquare, h * besideSquare),
  diamond: quarter,
  flowChartDecision: quarter,
  roundRect: ({ s, share }) => {
    const inside = s * share('adj', 16_667, 0.5) * (1 - Math.SQRT1_2)
    return around(inside, inside)
  },
  octagon: ({ s, share }) => {
    const inside = (s * share('adj', 29_289, 0.5)) / 2
    return around(inside, inside)
  },
  plus: ({ w, h, s, share }) => {
    const arm = s * share('adj', 25_000, 0.5)
    return w > h ? around(0, arm) : around(arm, 0)
  },
  triangle: ({ w, h, share }) => {
    const left = (w * share('adj', 50_000)) / 2
    return [left, h / 2, w / 2 - left, 0]
  },
  rtTriangle: ({ w, h }) => [w / 12, (h * 7) / 12, (w * 5) / 12, h / 12],
  parallelogram: ({ w, h, s, share }) => {
    const slant = Math.min(1, (share('adj', 25_000, 10) * s) / w)
    const part = (1 + 5 * slant) / 12
    return around(w * part, h * part)
  },
  trapezoid: ({ w, h, s, share }) => {
    const slant = Math.min(1, (share('adj', 25_000, 10) * s * 2) / w)
    return [(w * slant) / 3, (h * slant) / 3, (w * slant) / 3, 0]
  },
  flowChartTerminator: ({ w, h }) => around((w * 1018) / 21_600, (h * 3163) / 21_600),
  ribbon: ({ w, h, share }) => {
    const beside = (w * (1 - Math.max(0.25, share('adj2', 50_000, 0.75)))) / 2
    return [beside, h * share('adj1', 16_667, 0.333_33), beside, 0]
  },
  ribbon2: ({ w, h, share }) => {
    const beside = (w * (1 - Math.max(0.25, share('adj2', 50_000, 0.75)))) / 2
    return [beside, 0, beside, h * share('adj1', 16_667, 0.333_33)]
  },
  horizontalScroll: ({ s, share }) => {
    const roll = s * share('adj', 12_500, 0.25)
    return [roll, roll, roll / 2, roll]
  },
  verticalScroll: ({ s, share }) => {
    const roll = s * share('adj', 12_500, 0.25)
    return [roll, roll, roll, roll / 2]
  },
}

/** How far the outline of a shape keeps its text from the sides of its box; undefined where the text has all of it. */
export function textRectangle(geometry: Geometry, w: Pt, h: Pt): Required<Sides> | undefined {
  const rule = geometry.kind === 'preset' ? rules[geometry.name] : undefined
  if (geometry.kind !== 'preset' || rule === undefined || w <= 0 || h <= 0) return undefined
  const share = (key: string, usual: number, most = 1): number =>
    Math.min(most, Math.max(0, (geometry.adjust.get(key) ?? usual) / 100_000))
  const [left, top, right, bottom] = rule({ w, h, s: Math.min(w, h), share })
  return { left, top, right, bottom }
}
