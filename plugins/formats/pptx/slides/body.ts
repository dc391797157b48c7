import type { ShapeText } from '../../../../shared/document/drawing.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { bodyOf } from '../../../../shared/office/ooxml/drawing/text-body.ts'
import { integer, isOn, percent } from '../../../../shared/office/ooxml/values.ts'
import { assignAll } from '../../../../shared/push-all.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'

/** The declared attributes of a:bodyPr, and how text is fitted into its shape (ECMA-376-1 21.1.2.1.1). */
export interface BodyProperties {
  readonly attributes?: Readonly<Record<string, string>>
  readonly fit?: 'none' | 'shrinks' | 'grows'
  /** The scale to which text was shrunk when the file was saved; 1 is its full size. */
  readonly scale?: number
  /** Degrees by which the camera of a three-dimensional scene is rolled, anticlockwise (a:rot, 20.1.5.11). */
  readonly roll?: number
}

const fits: Readonly<Record<string, NonNullable<BodyProperties['fit']>>> = {
  'a:noAutofit': 'none',
  'a:normAutofit': 'shrinks',
  'a:spAutoFit': 'grows',
}

/** Reads a:bodyPr at the cursor. */
export function readBodyProperties(cursor: XmlCursor): BodyProperties {
  const attributes = Object.fromEntries(cursor.attributes())
  let fit: BodyProperties['fit']
  let scale: number | undefined
  let roll: number | undefined
  const visit = (name: string): void => {
    fit = entryOf(fits, name) ?? fit
    if (name === 'a:normAutofit') scale = percent(cursor.attribute('fontScale'))
    else if (name === 'a:scene3d' || name === 'a:camera') cursor.each(visit)
    else if (name === 'a:rot') roll = (integer(cursor.attribute('rev')) ?? 0) / 60_000
  }
  cursor.each(visit)
  return {
    attributes,
    ...(fit !== undefined && { fit }),
    ...(scale !== undefined && { scale }),
    ...(roll !== undefined && { roll }),
  }
}

/** Merges the text body properties of the master, the layout and the shape; later ones take precedence. */
export function textBody(levels: readonly BodyProperties[]): Omit<ShapeText, 'blocks'> {
  const attributes = assignAll<Record<string, string>>(
    Object.create(null),
    levels.map((properties) => properties.attributes),
  )
  const fit = levels.findLast((properties) => properties.fit !== undefined)?.fit
  // Only the shape itself can enable shrinking; that of a layout has no effect (observed in LibreOffice).
  const shrinks = levels.at(-1)?.fit === 'shrinks'
  const body = bodyOf((name) => entryOf(attributes, name), fit === 'grows')
  // The text is turned against the camera, which is not drawn otherwise.
  const turn =
    ((body.turn ?? 0) - (levels.findLast((properties) => properties.roll !== undefined)?.roll ?? 0)) % 360
  // Observed in LibreOffice: without wrapping, a shape that grows with its text grows on both sides.
  const centred = isOn(attributes['anchorCtr']) || (fit === 'grows' && !body.wraps)
  return {
    ...body,
    ...(turn !== 0 && { turn }),
    ...(centred && { block: 'center' }),
    sticksOut: true,
    ...(shrinks && { shrinks }),
  }
}
