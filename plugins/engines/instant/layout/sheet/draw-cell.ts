import type { Cell, CellAlignment, CellFont, CellFormat } from '../../../../../shared/document/sheet.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import { type Colour, filledBox, type Item, type Placed, type Pt } from '../frame.ts'
import {
  alignmentOf,
  type CellText,
  filled,
  fittedNumber,
  indentOf,
  paddingOf,
  textOfCell,
  unwrappedLines,
  widthBeside,
} from './cell-text.ts'
import type { SheetContext } from './context.ts'
import type { CutText } from './cut-letters.ts'
import { justifiedLines } from './justify-lines.ts'
import { type FontText, type LineRun, scriptShift, type TextLine } from './text.ts'

/** The format of a cell and its position on the page, in pt. */
export interface CellBox {
  readonly format: CellFormat
  readonly x: Pt
  readonly y: Pt
  readonly width: Pt
  readonly height: Pt
}

/** The width of the empty cells on both sides of a cell. */
export interface SpareWidth {
  readonly left: Pt
  readonly right: Pt
}
export const noSpareWidth: SpareWidth = { left: 0, right: 0 }

/** Laid-out text of a cell and how far it overflows the cell. */
export interface DrawnText {
  readonly items: readonly Placed[]
  readonly left: Pt
  readonly right: Pt
  /** The text is clipped to its cell. */
  readonly clipped: boolean
  /** Text in one line and font at a side of its cell, which is wider than the cell. */
  readonly cut?: CutText
}

/**
 * Draws the text of a cell. `spare` gives the width of the empty cells beside a box, into which text without wrapping may
 * overflow. Workbooks have a million cells, so little is allocated for one line in one font.
 */
export function drawCellText<Box extends CellBox>(
  context: SheetContext,
  cell: Cell,
  box: Box,
  spare: (box: Box) => SpareWidth,
): DrawnText | undefined {
  const { format, width, height } = box
  const { align } = format
  const text = textOfCell(context, cell, format)
  if (text === undefined) return undefined
  if (align.rotation !== 0) return drawRotated(context, box, text.texts)
  const alignment = alignmentOf(text, align)
  const available = width - widthBeside(align)
  const isWrapped =
    (align.wrap || align.across === 'justify' || align.across === 'distributed') && text.number === undefined
  const lines = linesOf(context, text, align, { available, isWrapped })
  let block = 0
  let widest = 0
  for (const { ascent, descent, width: lineWidth } of lines) {
    block += ascent + descent
    widest = Math.max(widest, lineWidth)
  }
  const overflows = !isWrapped && widest > available && text.number === undefined
  const outside = overflows ? spare(box) : noSpareWidth
  let items: Placed[] | undefined
  let y = topOf(align, height, block)
  let left = 0
  let right = 0
  const automatic = automaticOn(format.fill)
  for (const line of lines) {
    const x = startOf(alignment, line.width, width, align)
    const drawn = drawLine(line, box.x + x, box.y + y + line.ascent, automatic)
    if (items === undefined) items = drawn
    else pushAll(items, drawn)
    left = Math.max(left, -x)
    right = Math.max(right, x + line.width - width)
    y += line.ascent + line.descent
  }
  const cutsAcross = left > outside.left || right > outside.right
  const cutsDown = block > height
  const [line] = lines
  const isSimple =
    !isWrapped && lines.length === 1 && alignment !== 'center' && typeof cell.value !== 'object'
  return {
    items: items ?? [],
    left: Math.min(left, outside.left),
    right: Math.min(right, outside.right),
    clipped: cutsAcross || cutsDown,
    ...(cutsAcross &&
      isSimple &&
      line !== undefined && {
        cut: {
          text,
          line,
          start: startOf(alignment, line.width, width, align),
          fromEnd: alignment === 'right',
          available: available + outside.left + outside.right,
          padding: paddingOf(align),
        },
      }),
  }
}

/**
 * The text of a cell that is one run in its cell: most cells of most sheets. `drawCellText` draws the same with more to allocate
 * for each cell, and the rest; undefined where it has to.
 */
export function drawPlainText(context: SheetContext, cell: Cell, box: CellBox): Placed | undefined {
  const { format, width, height } = box
  const { align } = format
  if (align.rotation !== 0 || align.wrap || align.shrink || isSpread(align)) return undefined
  const text = textOfCell(context, cell, format)
  if (text?.texts.length !== 1 || text.printed?.fill !== undefined) return undefined
  const lines = unwrappedLines(context, text)
  const [line] = lines
  const run = line?.runs[0]
  if (line === undefined || run === undefined || lines.length > 1 || line.runs.length > 1) return undefined
  const block = line.ascent + line.descent
  if (line.width > width - widthBeside(align) || block > height || hasRules(run.font)) return undefined
  const x = startOf(alignmentOf(text, align), line.width, width, align)
  if (x < 0 || x + line.width > width) return undefined
  const y = topOf(align, height, block)
  return drawRun(run, box.x + x, box.y + y + line.ascent, automaticOn(format.fill))
}

/** Whether a text is repeated or spread over the width of its cell. */
const isSpread = ({ across }: CellAlignment): boolean =>
  across === 'fill' || across === 'justify' || across === 'distributed'

/** The lines of the text of a cell as they fit its width: numbers and filled formats are fitted, shrunk text is smaller. */
function linesOf(
  context: SheetContext,
  text: CellText,
  align: CellAlignment,
  { available, isWrapped }: { readonly available: Pt; readonly isWrapped: boolean },
): readonly TextLine[] {
  let { texts } = text
  const [first] = texts
  if (first !== undefined && text.number !== undefined && !align.shrink) {
    const fitted = fittedNumber(context, text, available)
    if (fitted !== first.text) texts = [{ text: fitted, font: first.font }]
  } else if (first !== undefined && text.printed?.fill !== undefined) {
    const width = (part: string): Pt => context.text.width(part, first.font)
    texts = [{ text: filled(first.text, text.printed.fill, available, width), font: first.font }]
  }
  if (align.across === 'fill') texts = repeated(context, texts, available)
  if (isWrapped) {
    const lines = context.paperText.lines(texts, Math.max(available, 1))
    const distributes = align.across === 'distributed'
    return distributes || align.across === 'justify'
      ? justifiedLines(lines, available, { distributes })
      : lines
  }
  const lines = texts === text.texts ? unwrappedLines(context, text) : context.text.lines(texts, undefined)
  return align.shrink ? shrunk(context, texts, lines, available) : lines
}

function startOf(
  alignment: 'left' | 'center' | 'right',
  line: Pt,
  width: Pt,
  align: CellFormat['align'],
): Pt {
  const { left, right } = paddingOf(align)
  if (alignment === 'right') return width - right - indentOf(align) - line
  if (alignment === 'center') return left + (width - left - right - line) / 2
  return left + indentOf(align)
}

/**
 * The top of the text. Text that is taller than its cell and not aligned to the top begins above it (observed in
 * LibreOffice).
 */
function topOf(align: CellFormat['align'], height: Pt, block: Pt): Pt {
  const { top, bottom } = paddingOf(align)
  if (align.down === 'center') return top + (height - top - bottom - block) / 2
  if (align.down === 'bottom') return height - bottom - block
  return top
}

/** Repeats text as often as it fits (`horizontal: fill`). */
function repeated(context: SheetContext, texts: readonly FontText[], available: Pt): readonly FontText[] {
  const [first] = texts
  if (first === undefined || texts.length > 1) return texts
  const characterWidth = context.text.width(first.text, first.font)
  const count = characterWidth > 0 ? Math.min(1_000, Math.floor(available / characterWidth)) : 1
  return count > 1 ? [{ ...first, text: first.text.repeat(count) }] : texts
}

/** Reduces the font size of text that is too wide for its cell. */
function shrunk(
  context: SheetContext,
  texts: readonly FontText[],
  lines: readonly TextLine[],
  available: Pt,
): readonly TextLine[] {
  const widest = lines.reduce((max, line) => Math.max(max, line.width), 0)
  if (widest <= available || available <= 0) return lines
  const factor = Math.max(0.1, Math.floor((available / widest) * 100) / 100)
  const smaller = texts.map(({ text, font }) => ({ text, font: { ...font, size: font.size * factor } }))
  return context.text.lines(smaller, undefined)
}

const [black, white] = [0x000000, 0xffffff]
/** The maximum luminance (0 to 255) of a background that counts as dark. Observed in LibreOffice 7.4. */
const maxDark = 62

/** The automatic text colour: white on a dark fill, otherwise black. */
function automaticOn(fill: string | undefined): Colour {
  if (fill === undefined) return black
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map(
    (at) => Number.parseInt(fill.slice(at, at + 2), 16) || 0,
  )
  return (red * 76 + green * 151 + blue * 29) / 256 <= maxDark ? white : black
}

/**
 * Draws the glyphs, underlines and strikes of a line whose baseline begins at (x, baseline). `automatic` is the colour of
 * text that specifies none.
 */
export function drawLine(line: TextLine, x: Pt, baseline: Pt, automatic: Colour = black): Placed[] {
  const [only] = line.runs
  // Most lines have one run without rules: a list of one is a quarter of the size of one that grows.
  if (only !== undefined && line.runs.length === 1 && !hasRules(only.font))
    return [drawRun(only, x, baseline, automatic)]
  const items: Placed[] = []
  for (const each of line.runs) {
    const drawn = drawRun(each, x, baseline, automatic)
    items.push(drawn)
    if (hasRules(each.font)) pushAll(items, drawRules(each, drawn, automatic))
  }
  return items
}

const colourOf = ({ color }: CellFont, automatic: Colour): Colour =>
  color === undefined ? automatic : Number.parseInt(color, 16) || 0

function drawRun({ x: offset, run, font }: LineRun, x: Pt, baseline: Pt, automatic: Colour): Placed {
  const item: Item = { kind: 'glyphs', run, colour: colourOf(font, automatic) }
  return { x: x + offset, y: baseline - scriptShift(font), item }
}

const hasRules = ({ underline, strike }: CellFont): boolean => underline !== undefined || strike === true

/** The underlines and the strike of a run that is drawn at (x, y). */
function drawRules({ run, font }: LineRun, { x, y }: Placed, automatic: Colour): Placed[] {
  const { face } = run
  const thick = Math.max(0.5, face.underlineThickness * font.size)
  const colour = colourOf(font, automatic)
  const items: Placed[] = []
  const rule = (at: Pt): void => void items.push(filledBox(x, at - thick / 2, run.width, thick, colour))
  if (font.underline !== undefined) rule(y + face.underlineOffset * font.size)
  if (font.underline === 'double') rule(y + face.underlineOffset * font.size + 2 * thick)
  if (font.strike === true) rule(y - face.strikeOffset * font.size)
  return items
}

/**
 * The left edge of rotated text in its cell; `right` and `center` are the positions of right-aligned and centred text. Text
 * that reads upward is right-aligned unless its format specifies a side (observed in LibreOffice 7.4).
 */
function rotatedLeft(align: CellFormat['align'], right: Pt, center: Pt): Pt {
  const { across, rotation } = align
  const side = across === 'general' ? (rotation === 90 ? 'right' : 'left') : across
  return side === 'left' ? paddingOf(align).left : side === 'right' ? right : center
}

/** Draws rotated text as a group that is rotated around the middle of its cell, or as letters stacked vertically. */
function drawRotated(
  context: SheetContext,
  { format: { align, fill }, x, y, width, height }: CellBox,
  texts: readonly FontText[],
): DrawnText {
  if (align.rotation === 'stacked') {
    const letters = texts.flatMap(({ text, font }) =>
      [...text].map((letter) => ({ text: `${letter}\n`, font })),
    )
    const lines = context.text.lines(letters, undefined).slice(0, -1)
    const block = lines.reduce((sum, { ascent, descent }) => sum + ascent + descent, 0)
    let top = topOf(align, height, block)
    const items: Placed[] = []
    for (const line of lines) {
      pushAll(items, drawLine(line, x + (width - line.width) / 2, y + top + line.ascent, automaticOn(fill)))
      top += line.ascent + line.descent
    }
    return { items, left: 0, right: 0, clipped: true }
  }
  const isUpright = Math.abs(align.rotation) === 90
  const padding = paddingOf(align)
  const lines = context.paperText.lines(
    texts,
    isUpright && align.wrap ? height - padding.top - padding.bottom : undefined,
  )
  const length = lines.reduce((max, line) => Math.max(max, line.width), 0)
  const block = lines.reduce((sum, { ascent, descent }) => sum + ascent + descent, 0)
  const angle = (align.rotation * Math.PI) / 180
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  const items: Placed[] = []
  let top = -block / 2
  for (const line of lines) {
    pushAll(items, drawLine(line, -length / 2, top + line.ascent, automaticOn(fill)))
    top += line.ascent + line.descent
  }
  const [boxWidth, boxHeight] = [
    length * Math.abs(cosine) + block * Math.abs(sine),
    length * Math.abs(sine) + block * Math.abs(cosine),
  ]
  const left = rotatedLeft(align, width - padding.right - boxWidth, (width - boxWidth) / 2)
  const boxTop = topOf(align, height, boxHeight)
  const group: Placed = {
    x: x + left + boxWidth / 2,
    y: y + boxTop + boxHeight / 2,
    item: {
      kind: 'group',
      clip: false,
      frame: { width: length, height: block, items },
      transform: [cosine, -sine, sine, cosine, 0, 0],
    },
  }
  const reach = Math.max(0, left + boxWidth - width)
  return {
    items: [group],
    left: 0,
    right: isUpright ? 0 : reach,
    clipped: isUpright && (boxWidth > width || boxHeight > height),
  }
}
