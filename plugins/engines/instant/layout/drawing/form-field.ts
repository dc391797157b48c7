import type { Shape } from '../../../../../shared/document/drawing.ts'
import type { PathStep } from '../../../../../shared/document/ellipse.ts'
import { type FormField, isButton } from '../../../../../shared/document/form-field.ts'
import type { DrawnField, Frame, Path, PathStroke, Placed, Pt } from '../frame.ts'
import { colourOf } from '../inline/text-style.ts'

/** The largest side of a check box or a radio button. */
const maxButton: Pt = 10
/** The size of text in a field whose text has none. */
const fallbackSize: Pt = 8
const line: PathStroke = { colour: 0x808080, width: 0.5 }
const sign: PathStroke = { colour: 0x000000, width: 1.2, cap: 'round', join: 'round' }

interface DrawnShape {
  readonly items: readonly Placed[]
  readonly width: Pt
  readonly height: Pt
}

/**
 * Draws a shape that is a field: as one group that painters of forms make a field of. The label of a button stays text, and
 * the button is drawn before it, in the middle of the height.
 */
export function drawField(shape: Shape, field: FormField, { items, width, height }: DrawnShape): Placed[] {
  const first = shape.text?.blocks[0]
  const style = first?.kind === 'paragraph' ? first.mark : undefined
  const written: Omit<DrawnField, 'field'> = {
    size: style?.size ?? fallbackSize,
    colour: style?.color === undefined ? 0 : colourOf(style.color),
    ...(shape.fill !== undefined && { fill: colourOf(shape.fill) }),
    ...(shape.stroke !== undefined && { stroke: colourOf(shape.stroke.color) }),
  }
  if (!isButton(field)) {
    const drawn: DrawnField = { field, ...written }
    return [
      { x: 0, y: 0, item: { kind: 'group', frame: { width, height, items }, clip: true, field: drawn } },
    ]
  }
  const side = Math.min(maxButton, width, height)
  const [frame, other] = [buttonFrame(field, side, true), buttonFrame(field, side, false)]
  const drawn: DrawnField = { field, ...written, other: field.isChecked === true ? other : frame }
  const shown = field.isChecked === true ? frame : other
  return [
    { x: 0, y: (height - side) / 2, item: { kind: 'group', frame: shown, clip: false, field: drawn } },
    ...items,
  ]
}

/** A check box with its tick, or a radio button with its dot. */
export function buttonFrame({ kind }: Pick<FormField, 'kind'>, side: Pt, isPressed: boolean): Frame {
  const shape = (path: Path): Placed => ({ x: 0, y: 0, item: { kind: 'shape', path } })
  const background = { kind: 'solid', colour: 0xffffff } as const
  const edge = line.width / 2
  const items: Placed[] = []
  if (kind === 'check') {
    items.push(
      shape({
        commands: [['R', edge, edge, side - 2 * edge, side - 2 * edge]],
        fill: background,
        stroke: line,
      }),
    )
    const tick = [
      ['M', side * 0.24, side * 0.52],
      ['L', side * 0.43, side * 0.73],
      ['L', side * 0.78, side * 0.27],
    ] as const
    if (isPressed) items.push(shape({ commands: tick, stroke: sign }))
  } else {
    items.push(shape({ commands: circle(side / 2, side / 2 - edge), fill: background, stroke: line }))
    const dot = { kind: 'solid', colour: sign.colour } as const
    if (isPressed) items.push(shape({ commands: circle(side / 2, side * 0.24), fill: dot }))
  }
  return { width: side, height: side, items }
}

/** The length of the handles of a Bézier curve that is a quarter of a circle of radius 1. */
const handle = 0.5523

function circle(middle: Pt, radius: Pt): readonly PathStep[] {
  const [low, high, bow] = [middle - radius, middle + radius, radius * handle]
  return [
    ['M', high, middle],
    ['C', high, middle + bow, middle + bow, high, middle, high],
    ['C', middle - bow, high, low, middle + bow, low, middle],
    ['C', low, middle - bow, middle - bow, low, middle, low],
    ['C', middle + bow, low, high, middle - bow, high, middle],
    ['Z'],
  ]
}
