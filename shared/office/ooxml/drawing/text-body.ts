import type { ShapeText } from '../../../document/drawing.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { attributeOf, elementIn } from '../../../xml/elements.ts'
import { emu, integer } from '../values.ts'
import { type DrawingPart, warn } from './part.ts'

/** Defaults of a:bodyPr (21.1.2.1.1), insets in points. */
export const defaultBody: Omit<ShapeText, 'blocks'> = {
  insets: { left: 7.2, top: 3.6, right: 7.2, bottom: 3.6 },
  align: 'top',
  grows: false,
  direction: 'horizontal',
  wraps: true,
}

type Insets = (start: number, above: number, end: number, below: number) => ShapeText['insets']
/** Observed in LibreOffice: the insets of rotated text rotate with it. */
const turnedInsets: Readonly<Record<ShapeText['direction'], Insets>> = {
  horizontal: (left, top, right, bottom) => ({ left, top, right, bottom }),
  down: (top, right, bottom, left) => ({ left, top, right, bottom }),
  up: (top, left, bottom, right) => ({ left, top, right, bottom }),
}

/** Reads wps:bodyPr or a:bodyPr (21.1.2.1.1). */
export function readBody(cursor: XmlCursor): Omit<ShapeText, 'blocks'> {
  let grows = false
  cursor.each((name) => {
    if (name === 'a:spAutoFit') grows = true
  })
  return bodyOf((name) => cursor.attribute(name), grows)
}

/** The properties of a text body from the attributes of a:bodyPr. `grows`: the shape is as tall as its text. */
export function bodyOf(
  attribute: (name: string) => string | undefined,
  grows: boolean,
): Omit<ShapeText, 'blocks'> {
  const inset = (name: string, otherwise: number): number =>
    Math.max(0, Math.min(720, emu(attribute(name)) ?? otherwise))
  const [start, above, end, below] = [
    inset('lIns', 7.2),
    inset('tIns', 3.6),
    inset('rIns', 7.2),
    inset('bIns', 3.6),
  ]
  const anchor = attribute('anchor')
  const vertical = attribute('vert')
  const wraps = attribute('wrap') !== 'none'
  // Observed in LibreOffice: stacked text is rotated like vertical text.
  const direction =
    vertical === 'vert270' ? 'up' : vertical === undefined || vertical === 'horz' ? 'horizontal' : 'down'
  const count = Math.min(16, integer(attribute('numCol')) ?? 1)
  const gap = Math.max(0, Math.min(720, emu(attribute('spcCol')) ?? 0))
  return {
    insets: turnedInsets[direction](start, above, end, below),
    align: anchor === 'ctr' ? 'center' : anchor === 'b' ? 'bottom' : 'top',
    grows,
    direction,
    ...turnOf(attribute('rot')),
    wraps,
    ...(count > 1 && direction === 'horizontal' && { columns: { count, gap, separator: false } }),
  }
}

/** The rotation of text in its shape, from an angle in sixty-thousandths of a degree. */
function turnOf(angle: string | undefined): Pick<ShapeText, 'turn'> {
  const turn = ((integer(angle) ?? 0) / 60_000) % 360
  return turn === 0 ? {} : { turn }
}

/**
 * Warns about unsupported properties of a text box (a:bodyPr, 21.1.2.1.1). The cursor stands on the element.
 */
export function reportTextBody({ cursor, context, partName }: DrawingPart): void {
  const stacked = /wordArtVert|mongolianVert/.test(cursor.attribute('vert') ?? '')
  const warp = elementIn(cursor.markup(), 'a:prstTxWarp')
  const warped = warp !== undefined && attributeOf(warp.attributes, 'prst') !== 'textNoShape'
  if (stacked || warped)
    warn(context, 'read.text-box', 'Stacking and warping of the text in a text box are not drawn.', partName)
}
