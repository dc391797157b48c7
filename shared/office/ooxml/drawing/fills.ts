import type { Background, HatchBackground, PictureBackground } from '../../../document/background.ts'
import type { Color } from '../../../document/paint.ts'
import { entryOf } from '../../../entry-of.ts'
import { readPaint } from '../colors.ts'
import { integer } from '../values.ts'
import { type DrawingPart, mediaOf } from './part.ts'
import { readEffects } from './picture-effects.ts'

/** Angles in degrees counter-clockwise, and the distance between lines in points. */
type Hatching = readonly [angles: readonly number[], distance: number]
const [up, down, level, vertical] = [[45], [135], [0], [90]]
const [crossing, squares, rising, straight] = [
  [45, 135],
  [0, 90],
  [45, 90, 135],
  [0, 45, 90],
]

/** The hatches that LibreOffice draws for the preset patterns (20.1.10.51), as observed. */
const hatchings: Readonly<Record<string, Hatching>> = {
  pct5: [up, 12.5],
  pct10: [up, 10],
  pct20: [up, 7.5],
  pct25: [crossing, 10],
  pct30: [crossing, 8.75],
  pct40: [crossing, 7.5],
  pct50: [crossing, 6.25],
  pct60: [rising, 7.5],
  pct70: [rising, 6.25],
  pct75: [rising, 5],
  pct80: [rising, 3.75],
  pct90: [rising, 2.5],
  horz: [level, 5],
  vert: [vertical, 5],
  ltHorz: [level, 2.5],
  ltVert: [vertical, 2.5],
  dkHorz: [level, 1.25],
  dkVert: [vertical, 1.25],
  narHorz: [level, 2.5],
  narVert: [vertical, 2.5],
  dashHorz: [level, 7.5],
  dashVert: [vertical, 7.5],
  cross: [squares, 5],
  dnDiag: [down, 5],
  upDiag: [up, 5],
  ltDnDiag: [down, 2.5],
  ltUpDiag: [up, 2.5],
  dkDnDiag: [down, 2.5],
  dkUpDiag: [up, 2.5],
  wdDnDiag: [down, 5],
  wdUpDiag: [up, 5],
  dashDnDiag: [down, 7.5],
  dashUpDiag: [up, 7.5],
  diagCross: [crossing, 5],
  smCheck: [crossing, 2.5],
  lgCheck: [crossing, 5],
  smGrid: [squares, 2.5],
  lgGrid: [squares, 5],
  dotGrid: [squares, 20],
  smConfetti: [[60], 10],
  lgConfetti: [[60], 5],
  horzBrick: [squares, 15],
  diagBrick: [crossing, 15],
  solidDmnd: [crossing, 5],
  openDmnd: [crossing, 5],
  dotDmnd: [crossing, 15],
  plaid: [[90, 135, 0], 10],
  sphere: [straight, 5],
  weave: [crossing, 7.5],
  divot: [rising, 20],
  shingle: [down, 10],
  wave: [level, 5],
  trellis: [crossing, 3.75],
  zigZag: [level, 3.75],
}

/**
 * Reads a:pattFill (20.1.8.47) as a fill colour and the hatch drawn over it. Unknown patterns are drawn as
 * pct5.
 */
export function readPatternFill(
  { cursor, context }: DrawingPart,
  placeholderColor?: Color,
): { readonly fill: Color; readonly opacity: number | undefined; readonly background: HatchBackground } {
  const [angles, distance] = entryOf(hatchings, cursor.attribute('prst')) ?? hatchings['pct5']!
  let fore: { color: Color; opacity?: number | undefined } = { color: '000000' }
  let back: typeof fore = { color: 'FFFFFF' }
  cursor.each((child) => {
    if (child === 'a:fgClr') fore = readPaint(cursor, context.theme, placeholderColor) ?? fore
    else if (child === 'a:bgClr') back = readPaint(cursor, context.theme, placeholderColor) ?? back
  })
  const background = { kind: 'hatch', color: fore.color, angles, distance, ...opaque(fore.opacity) } as const
  return { fill: back.color, opacity: back.opacity, background }
}

/** The opacity as a property, omitted when fully opaque. */
const opaque = (opacity: number | undefined) => (opacity === undefined || opacity >= 1 ? {} : { opacity })

/** ST_RectAlignment (20.1.10.53): the point of the box that the first tile is aligned with. */
const corners: Readonly<Record<string, { readonly x: number; readonly y: number }>> = {
  tl: { x: 0, y: 0 },
  t: { x: 0.5, y: 0 },
  tr: { x: 1, y: 0 },
  l: { x: 0, y: 0.5 },
  ctr: { x: 0.5, y: 0.5 },
  r: { x: 1, y: 0.5 },
  bl: { x: 0, y: 1 },
  b: { x: 0.5, y: 1 },
  br: { x: 1, y: 1 },
}

/**
 * Reads a:blipFill (20.1.8.14) of a shape; undefined when there is no picture. Observed in LibreOffice:
 * a:fillRect and mirrored tiles are ignored.
 */
export function readPictureFill(part: DrawingPart, placeholderColor?: Color): Background | undefined {
  const { cursor } = part
  let media = ''
  let effects: Pick<PictureBackground, 'adjust' | 'opacity'> = {}
  let tile: Omit<PictureBackground, 'kind' | 'media' | 'opacity'> | undefined
  const fractionAt = (name: string): number => (integer(cursor.attribute(name)) ?? 100_000) / 100_000
  const points = (name: string): number => (integer(cursor.attribute(name)) ?? 0) / 12_700
  cursor.each((child) => {
    if (child === 'a:blip') {
      media = mediaOf(part, cursor.attribute('r:embed'))
      const { svg: _, ...colors } = readEffects(part, placeholderColor)
      effects = colors
    } else if (child === 'a:tile')
      tile = {
        sizing: 'tile',
        scale: { x: fractionAt('sx'), y: fractionAt('sy') },
        at: entryOf(corners, cursor.attribute('algn') ?? 'tl') ?? { x: 0, y: 0 },
        shift: { x: { pt: points('tx') }, y: { pt: points('ty') } },
      }
  })
  if (media === '') return undefined
  return { kind: 'picture', media, ...(tile ?? { sizing: 'stretch', at: { x: 0, y: 0 } }), ...effects }
}
