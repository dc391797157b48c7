/** Content of a form field that stands in a line of text. */
import type { FormField } from '../../../../../shared/document/form-field.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import { shape } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import { buttonFrame } from '../drawing/form-field.ts'
import type { Colour, Frame, Page, Placed, Pt } from '../frame.ts'
import type { ShapingGroup } from './groups.ts'
import type { LineMetrics } from './line-height.ts'

/** A field whose content is being drawn. */
export interface OpenControl {
  readonly control: FormField
  /** Where it begins, and the index of its first item. */
  readonly x: Pt
  readonly from: number
  /** Its first text and the colour of that. */
  readonly group: ShapingGroup
  readonly colour: Colour
}

/**
 * Makes one group of the content of a field, which painters of forms make a field of. Links and bookmarks stay in the line. A
 * check box whose text is not one of its signs stays text.
 */
export function closeControl(
  context: LayoutContext,
  { control, x, from, group, colour }: OpenControl,
  end: Pt,
  { textAscent, textDescent }: LineMetrics,
  items: Placed[],
): void {
  const width = end - x
  const isDrawn = (placed: Placed): boolean => placed.item.kind !== 'link' && placed.item.kind !== 'mark'
  const content = items.slice(from).filter(isDrawn)
  if (!(width > 0) || content.length === 0) return
  const frame: Frame = {
    width,
    height: textAscent + textDescent,
    items: content.map((placed) => ({ ...placed, x: placed.x - x, y: placed.y + textAscent })),
  }
  const other = control.kind === 'check' ? otherState(control, group, frame) : undefined
  if (control.kind === 'check' && other === undefined) return
  context.record.textFields.add(control)
  const field = { field: control, size: group.textStyle.size, colour, ...(other !== undefined && { other }) }
  const rest = items.slice(from).filter((placed) => !isDrawn(placed))
  items.length = from
  items.push({ x, y: -textAscent, item: { kind: 'group', frame, clip: false, field } })
  pushAll(items, rest)
}

/** What a check box looks like in its other state; undefined when its text is not one of its signs. */
function otherState(
  { isChecked = false, signs }: FormField,
  { text, textStyle }: ShapingGroup,
  frame: Frame,
): Frame | undefined {
  if (signs === undefined || text !== (isChecked ? signs.checked : signs.unchecked)) return undefined
  const [shown] = frame.items
  const run = shape(isChecked ? signs.unchecked : signs.checked, textStyle.shaping)
  // The font may lack the sign: it is drawn as other check boxes are.
  if (shown?.item.kind !== 'glyphs' || run.glyphs[0] === 0 || run.glyphs.length === 0) {
    const side = Math.min(frame.width, frame.height)
    return { ...frame, items: buttonFrame({ kind: 'check' }, side, !isChecked).items }
  }
  return { ...frame, items: [{ ...shown, item: { ...shown.item, run } }] }
}

/**
 * The fields whose content stands in several lines, or on several pages as that of a header does. A field of a PDF is one box, so
 * these are drawn. `candidates`: the fields in lines of text.
 */
export function fieldsInPieces(
  pages: readonly Page[],
  candidates: ReadonlySet<FormField>,
): ReadonlySet<FormField> {
  const seen = new Set<FormField>()
  const inPieces = new Set<FormField>()
  if (candidates.size === 0) return inPieces
  const visit = (frame: Frame): void => {
    for (const { item } of frame.items) {
      if (item.kind !== 'group') continue
      const field = item.field?.field
      if (field === undefined || !candidates.has(field)) visit(item.frame)
      else if (seen.has(field)) inPieces.add(field)
      else seen.add(field)
    }
  }
  for (const { frame } of pages) visit(frame)
  return inPieces
}
