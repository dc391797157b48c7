import type { Border } from '../../../../shared/document/properties.ts'
import { libreOffice } from '../compat/libreoffice.ts'

/**
 * The widths of the lines of a border and of the gaps between them, in points, from the outside to the
 * inside: line, gap, line, gap, line. They follow LibreOffice, except that LibreOffice draws a border of
 * three lines as two; here three lines share the same width.
 */
export function stripsOf({ style, width, gap }: Border): readonly number[] {
  switch (style) {
    case 'none':
      return [0]
    case 'double':
      return [width, width, width]
    case 'triple':
      return [0.6, 0.6, 0.6, 0.6, 0.6].map((fraction) => fraction * width)
    case 'thin-thick':
      return unequal(width, gap)
    case 'thick-thin':
      return [...unequal(width, gap)].reverse()
    case 'inset':
      return gap === undefined ? [width] : [...sunken(width), libreOffice.thinLine]
    case 'outset':
      return gap === undefined ? [width] : [libreOffice.thinLine, ...sunken(width)]
    case 'embossed':
    case 'engraved':
      return [width / 2, 0, width, 0, width / 2]
    default:
      return [width]
  }
}

/** The line and the gap beside the thin line of an inset or outset border. */
function sunken(width: number): readonly number[] {
  const strip = Math.max(0.05, width - libreOffice.sunkenStrip)
  return [strip, strip]
}

/** A thick line outside, a gap and a thin line inside. */
function unequal(width: number, gap: Border['gap']): readonly number[] {
  const thin = libreOffice.thinLine
  if (gap === 'medium') return [width, width / 2, width / 2]
  return gap === 'large' ? [2 * thin, width, thin] : [width, thin, thin]
}

/** The complete width of a border line in points, including the gaps of double lines. */
export const lineWidth = (border: Border): number =>
  stripsOf(border).reduce((total, strip) => total + strip, 0)

/**
 * The width that a border takes from its cell at the left or right, in points. It is the complete width of the lines except for
 * inset and outset borders.
 */
export const sideWidth = (border: Border): number =>
  border.gap !== undefined && (border.style === 'inset' || border.style === 'outset')
    ? libreOffice.sunkenSide(border.width)
    : lineWidth(border)

/**
 * The width that the border of a run occupies on each side, in points. Neighbours with equal borders share one
 * box, and each line of text has a box of its own.
 */
export const borderInset = ({ border }: { readonly border?: Border }): number =>
  libreOffice.runBorderWidth(border, lineWidth)

/** Whether two borders look the same. */
export function sameBorder(a: Border | undefined, b: Border | undefined): boolean {
  if (a === b) return true
  const [first, second] = [a, b].map((border) =>
    [border?.style, border?.width, border?.color, border?.space, border?.gap].join(),
  )
  return first === second
}
