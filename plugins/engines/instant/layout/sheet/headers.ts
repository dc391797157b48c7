import type {
  HeaderLine,
  HeaderText,
  SheetHeader,
  SheetHeaders,
} from '../../../../../shared/document/sheet.ts'
import { maxOf } from '../../../../../shared/extremes.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import type { Placed, Pt } from '../frame.ts'
import type { SheetContext } from './context.ts'
import { drawLine } from './draw-cell.ts'
import type { TextLine } from './text.ts'

/** The values of the header codes on one page. */
export interface HeaderValues {
  readonly page: number
  readonly pages: number
  readonly sheet: string
}

/**
 * Draws a header or footer of a size; its top is at 0. Each of its regions is centred from top to bottom (observed in
 * LibreOffice).
 */
export function drawHeader(
  context: SheetContext,
  header: SheetHeader,
  { width, height }: { readonly width: Pt; readonly height: Pt },
  values: HeaderValues,
): Placed[] {
  const items: Placed[] = []
  for (const [alignment, lines] of [
    ['left', header.left],
    ['center', header.center],
    ['right', header.right],
  ] as const) {
    const drawn = linesOf(context, lines, values)
    const block = drawn.reduce((sum, { ascent, descent }) => sum + ascent + descent, 0)
    let y = Math.max(0, (height - block) / 2)
    for (const line of drawn) {
      const spare = width - line.width
      const x = alignment === 'left' ? 0 : alignment === 'right' ? spare : spare / 2
      pushAll(items, drawLine(line, x, y + line.ascent))
      y += line.ascent + line.descent
    }
  }
  return items
}

/**
 * The distance from the edge of the paper to the cells, for a header that begins at `start` and a margin of `margin`, and the
 * height of the header in it, in pt. The text is as tall as its faces, and the space below it is what the font sizes leave of
 * the margin (observed in LibreOffice).
 */
export function headerExtent(
  { text, workbook }: SheetContext,
  { all, first, even, spacing }: SheetHeaders,
  start: Pt,
  margin: Pt,
): { readonly margin: Pt; readonly height: Pt } {
  let extent = margin
  let height = spacing === undefined ? 0 : Math.max(0, margin - start - spacing)
  for (const header of [all, first, even])
    for (const lines of [header?.left, header?.center, header?.right]) {
      let [sizes, faces] = [0, 0]
      for (const line of lines ?? []) {
        const fonts = line.length === 0 ? [workbook.defaultFont] : line.map(({ font }) => font)
        sizes += maxOf(fonts.map(({ size }) => size))
        faces += maxOf(
          fonts.map((font) => {
            const { ascent, descent } = text.extent(font)
            return ascent + descent
          }),
        )
      }
      const below = spacing ?? Math.max(0, margin - start - sizes)
      if (faces > 0) extent = Math.max(extent, start + faces + below)
      height = Math.max(height, faces)
    }
  return { margin: extent, height }
}

function linesOf(context: SheetContext, lines: readonly HeaderLine[], values: HeaderValues): TextLine[] {
  return lines.flatMap((line) => {
    const texts = line.map(({ font, text }) => ({ font, text: textOf(context, text, values) }))
    const font = context.workbook.defaultFont
    return context.text.lines(texts.length === 0 ? [{ text: '', font }] : texts, undefined)
  })
}

function textOf({ workbook, now }: SheetContext, text: HeaderText, values: HeaderValues): string {
  switch (text.kind) {
    case 'text':
      return text.text
    case 'page':
      return String(values.page + text.add)
    case 'pages':
      return String(values.pages)
    case 'sheet':
      return values.sheet
    case 'file':
      return workbook.fileName ?? ''
    case 'date': {
      const [year, month, day] = new Date(now).toISOString().slice(0, 10).split('-')
      return `${month}/${day}/${year}`
    }
    case 'time':
      return new Date(now).toISOString().slice(11, 19)
    default:
      return text satisfies never
  }
}
