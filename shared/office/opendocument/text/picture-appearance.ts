import type { Sides } from '../../../document/box.ts'
import type { Picture } from '../../../document/drawing.ts'
import type { PictureAdjust } from '../../../document/paint.ts'
import { type AttributeGetter, length, percent } from '../values.ts'
import { type Shared, warn } from './part-context.ts'

type OdfPictureAppearance = Pick<Picture, 'adjust' | 'opacity' | 'cut' | 'flipHorizontal' | 'flipVertical'>

/** Observed in LibreOffice: brightness and contrast of the colour mode 'watermark'. */
const watermark: PictureAdjust = { brightness: 0.5, contrast: -0.7 }

/**
 * Reads the picture properties of a frame's style (ODF 1.3 part 3, 20.108, 20.119, 20.127, 20.182, 20.333).
 * `get` returns attributes of the style.
 */
export function pictureAppearance(shared: Shared, get: AttributeGetter): OdfPictureAppearance {
  const adjust = adjustOf(shared, get)
  const opacity = percent(get('draw:image-opacity'))
  const cut = cutOf(get('fo:clip'))
  const mirror = get('style:mirror') ?? 'none'
  return {
    ...(adjust !== undefined && { adjust }),
    ...(opacity !== undefined && opacity < 1 && { opacity: Math.max(0, opacity) }),
    ...(cut !== undefined && { cut }),
    ...(/horizontal/.test(mirror) && { flipHorizontal: true }),
    ...(/vertical/.test(mirror) && { flipVertical: true }),
  }
}

/**
 * Colour mode, brightness and contrast. Changes of single channels and of gamma are not drawn, and reported.
 */
function adjustOf(shared: Shared, get: AttributeGetter): PictureAdjust | undefined {
  const limited = (name: string): number => Math.max(-1, Math.min(1, percent(get(name)) ?? 0))
  const [brightness, contrast] = [limited('draw:luminance'), limited('draw:contrast')]
  const others = ['draw:red', 'draw:green', 'draw:blue'].some((name) => limited(name) !== 0)
  if (others || ![undefined, '100%', '1'].includes(get('draw:gamma')))
    warn(shared, 'read.picture-effect', 'A picture is drawn without its colour effect.')
  switch (get('draw:color-mode')) {
    case 'greyscale':
      return { kind: 'grey', brightness, contrast }
    case 'mono':
      return { kind: 'two-tone', threshold: 0.5, brightness, contrast }
    case 'watermark':
      return watermark
  }
  if (get('draw:color-inversion') === 'true') return { kind: 'inverted', brightness, contrast }
  return brightness === 0 && contrast === 0 ? undefined : { brightness, contrast }
}

/** Parses 'rect(top, right, bottom, left)': lengths cut off at the natural size of the picture. */
function cutOf(clip: string | undefined): Sides | undefined {
  const match = clip === undefined ? null : /^rect\(([^)]*)\)$/.exec(clip.trim())
  if (match === null) return undefined
  const [top = 0, right = 0, bottom = 0, left = 0] = (match[1] ?? '')
    .split(/[\s,]+/)
    .map((text) => length(text) ?? 0)
  return top || right || bottom || left ? { top, right, bottom, left } : undefined
}
