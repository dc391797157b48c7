import type { Inline, Paragraph } from '../../../document/content.ts'
import type { Color } from '../../../document/paint.ts'
import type { Alignment, RunProperties } from '../../../document/properties.ts'
import { entryOf } from '../../../entry-of.ts'
import { readPaint } from '../colors.ts'
import { integer } from '../values.ts'
import type { DrawingPart } from './part.ts'

/** ST_TextAlignType (20.1.10.59). */
const alignments: Readonly<Record<string, Alignment>> = {
  l: 'left',
  ctr: 'center',
  r: 'right',
  just: 'justify',
}

/**
 * Reads a paragraph of DrawingML (21.1.2.2.6) with the basic formatting of its runs. `placeholderColor` is the text colour
 * of the shape's style.
 */
export function readDrawingParagraph(part: DrawingPart, placeholderColor: Color | undefined): Paragraph {
  const { cursor } = part
  const inlines: Inline[] = []
  let align: Alignment = 'left'
  let paragraphMark: RunProperties = {}
  cursor.each((name) => {
    if (name === 'a:pPr') align = entryOf(alignments, cursor.attribute('algn')) ?? 'left'
    else if (name === 'a:endParaRPr') paragraphMark = readRun(part, placeholderColor)
    else if (name === 'a:br') inlines.push({ kind: 'break', at: 'line', run: paragraphMark })
    else if (name === 'a:r' || name === 'a:fld') {
      let run: RunProperties = placeholderColor === undefined ? {} : { color: placeholderColor }
      let text = ''
      cursor.each((child) => {
        if (child === 'a:rPr') run = readRun(part, placeholderColor)
        else if (child === 'a:t') text += cursor.text()
      })
      if (text !== '') inlines.push({ kind: 'text', text, run })
      paragraphMark = run
    }
  })
  const properties = { align, spaceBefore: 0, spaceAfter: 0, line: { rule: 'multiple', value: 1 } } as const
  return { kind: 'paragraph', properties, mark: paragraphMark, inlines }
}

/**
 * a:rPr (21.1.2.3.9): size in hundredths of a point, bold, italic, colour and font. A font name that begins
 * with '+' refers to the theme and is ignored.
 */
function readRun({ cursor, context }: DrawingPart, placeholderColor: Color | undefined): RunProperties {
  const hundredths = integer(cursor.attribute('sz'))
  const isOn = (key: string): boolean => cursor.attribute(key) === '1' || cursor.attribute(key) === 'true'
  const [bold, italic] = [isOn('b'), isOn('i')]
  let color = placeholderColor
  let family: string | undefined
  cursor.each((name) => {
    if (name === 'a:solidFill') color = readPaint(cursor, context.theme, placeholderColor)?.color ?? color
    else if (name === 'a:latin') family = cursor.attribute('typeface')
  })
  const named = family !== undefined && !family.startsWith('+')
  return {
    ...(hundredths !== undefined && { size: Math.max(1, Math.min(1600, hundredths / 100)) }),
    ...(bold && { bold }),
    ...(italic && { italic }),
    ...(color !== undefined && { color }),
    ...(named && { fonts: { ascii: family, other: family, eastAsia: family, complex: family } }),
  }
}
