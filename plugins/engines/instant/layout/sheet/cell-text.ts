import type {
  Cell,
  CellAlignment,
  CellFont,
  CellFormat,
  CellPadding,
} from '../../../../../shared/document/sheet.ts'
import { usualPadding } from '../../../../../shared/office/sheet/row-height.ts'
import { word } from '../../compat/word.ts'
import { general, scientific } from '../../style/cell-number/decimal.ts'
import type { PrintedValue } from '../../style/cell-number/print.ts'
import type { Pt } from '../frame.ts'
import type { SheetContext } from './context.ts'
import type { FontText, TextLine } from './text.ts'

/** The text of a cell, before its available width is known. */
export interface CellText {
  readonly texts: readonly FontText[]
  /** The side that text is aligned to when the format does not specify one. */
  readonly defaultAlign: 'left' | 'center' | 'right'
  /** A numeric value, NaN for an error. It is never truncated: if it does not fit, '###' is drawn. */
  readonly number?: number
  readonly printed?: PrintedValue
  /** The text in lines that end at line breaks only, from the first time that they were needed. */
  unwrapped?: readonly TextLine[]
  /** Its width as measured at a scale of the page, from the last time that it was needed. */
  paper?: { readonly factor: number; readonly width: Pt }
}

/**
 * The texts of cells by format and value. Sheets repeat values (countries, units, states, dates, small numbers), and printing
 * and setting them is most of the work of drawing a cell.
 */
export type CellTexts = Map<CellFormat, KeptTexts>
interface KeptTexts {
  readonly byValue: Map<PlainValue, CellText | undefined>
  /** How many values of a column were not found one after the other, by column. */
  readonly misses: Map<number, number>
}
type PlainValue = string | number | boolean

/** The number of values of one format that are kept: what repeats is mostly seen among the first ones. */
const maxKeptValues = 1_000

/**
 * A column whose values were not found this often holds names or numbers that do not repeat. Then only some of its cells are
 * looked up, since looking up a long text takes as long as setting it.
 */
const maxMisses = 64
const cellsBetweenLooks = 16

/** The space between the text of a cell and its edges, in pt. */
export const paddingOf = ({ padding = usualPadding }: CellAlignment): CellPadding => padding

/** The width that the padding and the indent of a cell take from its text, in pt. */
export const widthBeside = (align: CellAlignment): Pt => {
  const { left, right } = paddingOf(align)
  return left + right + indentOf(align)
}

/** The text of a cell; undefined if nothing is drawn. */
export function textOfCell(context: SheetContext, cell: Cell, format: CellFormat): CellText | undefined {
  const { value } = cell
  if (value === undefined) return undefined
  if (typeof value === 'object' || cell.shown !== undefined) return newTextOfCell(context, cell, format)
  let kept = context.texts.get(format)
  if (kept === undefined) context.texts.set(format, (kept = { byValue: new Map(), misses: new Map() }))
  const { byValue, misses } = kept
  const missed = misses.get(cell.column) ?? 0
  if (missed > maxMisses && missed % cellsBetweenLooks !== 0) {
    misses.set(cell.column, missed + 1)
    return newTextOfCell(context, cell, format)
  }
  const cached = byValue.get(value)
  if (cached !== undefined || byValue.has(value)) {
    if (missed > 0) misses.set(cell.column, 0)
    return cached
  }
  misses.set(cell.column, missed + 1)
  const text = newTextOfCell(context, cell, format)
  if (byValue.size < maxKeptValues) byValue.set(value, text)
  return text
}

function newTextOfCell(context: SheetContext, cell: Cell, format: CellFormat): CellText | undefined {
  const { value, shown: display } = cell
  const { font } = format
  if (value === undefined) return undefined
  const besideText = word.truthValuesCentred(context.workbook) ? 'center' : 'right'
  if (typeof value === 'object' && value.kind === 'rich')
    return {
      defaultAlign: 'left',
      texts: value.runs.map((run) => ({ text: run.text, font: run.font ?? font })),
    }
  if (display !== undefined) {
    const defaultAlign = typeof value === 'number' ? 'right' : typeof value === 'string' ? 'left' : besideText
    return display === ''
      ? undefined
      : {
          defaultAlign,
          texts: [{ text: display, font }],
          ...(typeof value === 'number' && { number: value, printed: { text: display } }),
        }
  }
  if (typeof value === 'boolean')
    return { defaultAlign: besideText, texts: [{ text: value ? 'TRUE' : 'FALSE', font }] }
  if (typeof value === 'object')
    return { defaultAlign: besideText, texts: [{ text: value.text, font }], number: Number.NaN }
  const printed = context.numbers.print(value, format.number)
  if (printed.text === '' && printed.fill === undefined) return undefined
  const colored = printed.color === undefined ? font : coloured(font, printed.color)
  if (typeof value === 'string')
    return { defaultAlign: 'left', texts: [{ text: printed.text, font: colored }], printed }
  return { defaultAlign: 'right', texts: [{ text: printed.text, font: colored }], number: value, printed }
}

/**
 * Cell fonts with a colour that a number format specifies. Text styles are cached by the identity of the font, so equal
 * combinations share one object.
 */
const inColours = new WeakMap<CellFont, Map<string, CellFont>>()
function coloured(font: CellFont, color: string): CellFont {
  let byColour = inColours.get(font)
  if (byColour === undefined) inColours.set(font, (byColour = new Map()))
  let cached = byColour.get(color)
  if (cached === undefined) byColour.set(color, (cached = { ...font, color }))
  return cached
}

/** The indent of a cell. It applies only if the format aligns the text to a side (observed in LibreOffice). */
export const indentOf = ({ across, indent }: CellAlignment): Pt =>
  across === 'general' || across === 'center' || across === 'selection' ? 0 : indent

/** The side that the text of a cell is aligned to. */
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

/** The lines of a text that is not wrapped. */
export const unwrappedLines = (context: SheetContext, text: CellText): readonly TextLine[] =>
  (text.unwrapped ??= context.text.lines(text.texts, undefined))

/** Text to draw in place of a number that is wider than its cell. */
const overflow = '###'

/**
 * Fits a number into `available` points: the fill character of its format is repeated and decimals of `General` are dropped.
 * A number that still does not fit becomes '###'.
 */
export function fittedNumber(context: SheetContext, text: CellText, available: Pt): string {
  const { printed, number = 0 } = text
  const [first] = text.texts
  if (first === undefined) return ''
  const lines = unwrappedLines(context, text)
  const isFitting = lines.length === 1 && (lines[0]?.width ?? 0) <= available + tolerance
  if (isFitting && printed?.fill === undefined) return first.text
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
  const characterWidth = width(fill.character)
  const count = characterWidth > 0 ? Math.floor((available - width(text)) / characterWidth) : 0
  return count <= 0
    ? text
    : text.slice(0, fill.at) + fill.character.repeat(Math.min(count, 1_000)) + text.slice(fill.at)
}

function fittedGeneral(number: number, printed: string, available: Pt, width: (text: string) => Pt): string {
  if (width(printed) <= available + tolerance) return printed
  const point = printed.includes(',') ? ',' : '.'
  const decimals = printed.includes('E') ? 0 : printed.length - printed.indexOf(point) - 1
  // Observed in LibreOffice: a small number that does not fit is written with an exponent at once.
  const isSmall = Math.abs(number) < 1e-4
  if (printed.includes(point) && !printed.includes('E') && !isSmall)
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
