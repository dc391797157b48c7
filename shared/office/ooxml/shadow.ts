import type { DrawingShadow } from '../../document/drawing.ts'
import type { Color } from '../../document/paint.ts'
import { XmlCursor } from '../../xml/cursor.ts'
import { readPaint } from './colors.ts'
import type { Theme } from './theme.ts'
import { emu, integer, isOn } from './values.ts'
import { wordVocabulary } from './vocabulary.ts'

/** The effects of a:effectLst: the outer shadow, and whether there are others, which are not drawn. */
export interface Effects {
  readonly shadow?: DrawingShadow
  readonly more: boolean
}

/**
 * Reads a:effectLst (ECMA-376-1 20.1.8.25). `rotation` is that of the shape in degrees: a shadow rotates
 * with the shape unless `rotWithShape` is off. `placeholderColor` is the colour of the style reference, for `phClr`.
 */
export function readEffectList(
  cursor: XmlCursor,
  theme: Theme,
  rotation: number,
  placeholderColor?: Color,
): Effects {
  let shadow: DrawingShadow | undefined
  let more = false
  cursor.each((name) => {
    if (name === 'a:outerShdw') shadow = readShadow(cursor, theme, rotation, placeholderColor)
    else more = true
  })
  return { ...(shadow !== undefined && { shadow }), more }
}

/**
 * a:outerShdw (20.1.8.45): a distance and a direction clockwise from the positive x axis, in 60,000ths of a
 * degree.
 */
function readShadow(
  cursor: XmlCursor,
  theme: Theme,
  rotation: number,
  placeholderColor?: Color,
): DrawingShadow {
  const distance = emu(cursor.attribute('dist')) ?? 0
  const rotatesWithShape = isOn(cursor.attribute('rotWithShape') ?? '1')
  const direction = (integer(cursor.attribute('dir')) ?? 0) / 60_000 - (rotatesWithShape ? 0 : rotation)
  const blur = Math.max(0, Math.min(100, emu(cursor.attribute('blurRad')) ?? 0))
  const paint = readPaint(cursor, theme, placeholderColor)
  const angle = (direction * Math.PI) / 180
  return {
    x: distance * Math.cos(angle),
    y: distance * Math.sin(angle),
    blur,
    color: paint?.color ?? '000000',
    opacity: paint?.opacity ?? 1,
  }
}

/** Adds the effect styles of the theme part (20.1.4.1.11) to a theme; shapes refer to them by number. */
export function withEffects(theme: Theme, xml: string): Theme {
  const effects: Effects[] = []
  const cursor = new XmlCursor(xml, wordVocabulary)
  if (!cursor.root()) return theme
  const visit = (name: string): void => {
    if (name === 'a:effectStyle') {
      let shapeEffects: Effects = { more: false }
      cursor.each((child) => {
        if (child === 'a:effectLst') shapeEffects = readEffectList(cursor, theme, 0)
      })
      effects.push(shapeEffects)
    } else if (name === 'a:themeElements' || name === 'a:fmtScheme' || name === 'a:effectStyleLst')
      cursor.each(visit)
  }
  cursor.each(visit)
  return { ...theme, effects }
}
