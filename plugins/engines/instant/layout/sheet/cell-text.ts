import type { Cell, CellAlignment, CellFont, CellFormat } from '../../../../../shared/document/sheet.ts'
import { general, scientific } from '../../style/cell-number/decimal.ts'
import type { PrintedValue } from '../../style/cell-number/print.ts'
import type { Pt } from '../frame.ts'
import type { SheetContext } from './context.ts'
import type { FontText } from './text.ts'

/** The text of a cell, before its available width is known. */
export interface CellText {
  readonly texts: readonly FontText[]
  /** The side that text is aligned to when the format does not specify one. */
  readonly defaultAlign: 'left' | 'center' | 'right'
  /** A number, which is never cut: where it does not fit, '###' is shown. */
  readonly number?: number
  readonly printed?: PrintedValue
}

/** The space between the text and the edges of its cell on all sides, pt. Observed in LibreOffice. */
export const cellMargin: Pt = 1

/** The text of a cell; undefined where nothing is shown. */
export function textOfCell(context: SheetContext, cell: Cell, format: CellFormat): CellText | undefined {
  const { value, shown: display } = cell
  const { font } = format
  if (value === undefined) return undefined
  if (typeof value === 'object' && value.kind === 'rich')
    return {
      defaultAlign: 'left',
      texts: value.runs.map((run) => ({ text: run.text, font: run.font ?? font })),
    }
  if (display !== undefined) {
    const defaultAlign = typeof value === 'number' ? 'right' : typeof value === 'string' ? 'left' : 'center'
    return display === ''
      ? undefined
      : {
          defaultAlign,
          texts: [{ text: display, font }],
          ...(typeof value === 'number' && { number: value, printed: { text: display } }),
        }
  }
  if (typeof value === 'boolean')
    return { defaultAlign: 'center', texts: [{ text: value ? 'TRUE' : 'FALSE', font }] }
  if (typeof value === 'object') return { defaultAlign: 'center', texts: [{ text: value.text, font }] }
  const printed = context.numbers.print(value, format.number)
  if (printed.text === '' && printed.fill === undefined) return undefined
  const colored = printed.color === undefined ? font : coloured(font, printed.color)
  if (typeof value === 'string')
    return { defaultAlign: 'left', texts: [{ text: printed.text, font: colored }], printed }
  return { defaultAlign: 'right', texts: [{ text: printed.text, font: colored }], number: value, printed }
}

/** One object for each font in a colour, since the styles of fonts are cached by it. */
const inColours = new WeakMap<CellFont, Map<string, CellFont>>()
function coloured(font: CellFont, color: string): CellFont {
  let byColour = inColours.get(font)
  if (byColour === undefined) inColours.set(font, (byColour = new Map()))
  let cached = byColour.get(color)
  if (cached === undefined) byColour.set(color, (cached = { ...font, color }))
  return cached
}

/** Only text that is aligned to a side by its format is indented. Observed in LibreOffice. */
export const indentOf = ({ across, indent }: CellAlignment): Pt =>
  across === 'general' || across === 'center' || across === 'selection' ? 0 : indent

/** The side of a text in its cell. */
export function alignmentOf(
  { defaultAlign }: CellText,
  { across }: CellAlignment,
): 'left' | 'center' | 'right' {
  switch (across) {
    case 'general':
      return defaultAlign
    case 'center':
    case 'selection':
      return 'center'
    case 'right':
      return 'right'
    default:
      return 'left'
  }
}

/** Text to draw in place of a number that is wider than its cell. */
const overflow = '###'

/**
 * A number as it fits into `available` points: characters of its format are repeated, decimals of `General` are dropped, and
 * what still does not fit becomes '###'.
 */
export function fittedNumber(context: SheetContext, text: CellText, available: Pt): string {
  const { printed, number = 0 } = text
  const [first] = text.texts
  if (first === undefined) return ''
  const { font } = first
  const width = (part: string): Pt => context.text.width(part, font)
  if (printed?.general === true) return fittedGeneral(number, first.text, available, width)
  if (width(first.text) > available + tolerance) return overflow
  return printed?.fill === undefined ? first.text : filled(first.text, printed.fill, available, width)
}
const tolerance = 0.1

/** Repeats the fill character as often as it fits. */
export function filled(
  text: string,
  fill: NonNullable<PrintedValue['fill']>,
  available: Pt,
  width: (text: string) => Pt,
): string {
  const one = width(fill.character)
  const count = one > 0 ? Math.floor((available - width(text)) / one) : 0
  return count <= 0
    ? text
    : text.slice(0, fill.at) + fill.character.repeat(Math.min(count, 1_000)) + text.slice(fill.at)
}

function fittedGeneral(number: number, printed: string, available: Pt, width: (text: string) => Pt): string {
  if (width(printed) <= available + tolerance) return printed
  const point = printed.includes(',') ? ',' : '.'
  const decimals = printed.includes('E') ? 0 : printed.length - printed.indexOf(point) - 1
  if (printed.includes(point) && !printed.includes('E'))
    for (let digits = decimals - 1; digits >= 0; digits--) {
      const text = general(number, digits, point)
      if (width(text) <= available + tolerance) return text
    }
  for (let digits = 10; digits >= 0; digits--) {
    const text = (number < 0 ? '-' : '') + scientific(Math.abs(number), digits, point)
    if (width(text) <= available + tolerance) return text
  }
  return overflow
}
