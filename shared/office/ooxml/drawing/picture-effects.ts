import type { Picture } from '../../../document/drawing.ts'
import type { Color, PictureAdjust } from '../../../document/paint.ts'
import { paintOf } from '../colors.ts'
import { integer } from '../values.ts'
import { type DrawingPart, warn } from './part.ts'

/** Brightness and contrast that LibreOffice uses for pictures that Word marks as washed out. */
export const washedOut: PictureAdjust = { brightness: 0.5, contrast: -0.7 }

/**
 * Reads the colour changes in a:blip (ECMA-376-1 20.1.8.13). The cursor stands on the element. `svg` is the
 * relationship id of the SVG for which the raster image is the fallback ([MS-ODRAWXML] 2.3.1.2). `placeholderColor` is the
 * colour of the style reference, for `phClr`.
 */
export function readEffects(
  part: DrawingPart,
  placeholderColor?: Color,
): Pick<Picture, 'adjust' | 'opacity'> & { readonly svg?: string } {
  const { cursor, context } = part
  let kind: Pick<PictureAdjust, 'kind' | 'threshold' | 'dark' | 'light'> = {}
  let [brightness, contrast] = [0, 0]
  let opacity: number | undefined
  let svg: string | undefined
  const visit = (name: string): void => {
    if (name.endsWith(':svgBlip')) svg ??= cursor.attribute('r:embed')
    else if (name === 'a:extLst' || name === 'a:ext') cursor.each(visit)
  }
  /** An attribute in thousandths of a percent as a share, limited to -1 to 1. */
  const fractionAt = (name: string): number =>
    Math.max(-1, Math.min(1, (integer(cursor.attribute(name)) ?? 0) / 100_000))
  cursor.each((name) => {
    switch (name) {
      case 'a:grayscl':
        kind = { kind: 'grey' }
        break
      case 'a:biLevel':
        kind = { kind: 'two-tone', threshold: fractionAt('thresh') }
        break
      case 'a:duotone': {
        const colors: string[] = []
        cursor.each((color) => {
          const paint = paintOf(cursor, color, context.theme, placeholderColor)
          if (paint !== undefined) colors.push(paint.color)
        })
        if (colors.length === 2) kind = { kind: 'duotone', dark: colors[0], light: colors[1] }
        break
      }
      case 'a:lum':
        brightness = fractionAt('bright')
        contrast = fractionAt('contrast')
        break
      case 'a:alphaModFix':
        opacity = cursor.attribute('amt') === undefined ? 1 : Math.max(0, fractionAt('amt'))
        break
      case 'a:extLst':
        visit(name)
        break
      case 'a:clrChange':
      case 'a:hsl':
      case 'a:tint':
      case 'a:blur':
      case 'a:fillOverlay':
      case 'a:clrRepl':
      case 'a:alphaInv':
        warn(context, 'read.picture-effect', 'A picture is drawn without its colour effect.', part.partName)
        break
    }
  })
  // Word's "washout" preset is written as brightness 70 % and contrast -70 %.
  const washed = brightness === 0.7 && contrast === -0.7
  const adjust: PictureAdjust = washed ? { ...kind, ...washedOut } : { ...kind, brightness, contrast }
  const isUnchanged = kind.kind === undefined && brightness === 0 && contrast === 0
  return {
    ...(!isUnchanged && { adjust }),
    ...(opacity !== undefined && opacity < 1 && { opacity }),
    ...(svg !== undefined && { svg }),
  }
}
