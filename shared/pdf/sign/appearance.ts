/** The appearance of a visible signature: lines of text that fill its box. ISO 32000-2, 12.5.5. */
import { binaryBytes } from '../../bytes.ts'
import { maxOf } from '../../extremes.ts'
import type { DrawText } from '../../plugin/text-drawing.ts'
import { drawnLine } from '../../plugin/text-drawing.ts'
import type { Codec, Warning } from '../../plugin/values.ts'
import type { PdfDocument } from '../model/document.ts'
import { dict, name, PdfDict, type PdfRef, PdfStream, type PdfValue } from '../model/values.ts'
import { drawLines } from '../stage/watermark/drawn-lines.ts'
import { createFontEncoding, verticalMetrics } from '../stage/watermark/standard-font.ts'
import { formatPdfNumber } from '../write/syntax.ts'
import type { VisibleSignature } from './sign-pdf.ts'

export interface AppearanceContext {
  readonly codec: Codec
  readonly signal: AbortSignal
  /** Absent: lines are limited to the characters of a standard font, which is not embedded. */
  readonly drawText?: DrawText | undefined
  /** The part of PDF/A that the document declares, 0 for none. */
  readonly archive: number
  /** Whether the document declares PDF/A or PDF/UA, so that its fonts must be embedded. */
  readonly conforms: boolean
}

const font = 'Helvetica'
const lineSpacing = 1.25 // em
const largestSize = 12 // pt
const black = [0, 0, 0] as const

/** A form with the lines, as large as the box allows. Throws as `drawLines` does. */
export async function drawAppearance(
  document: PdfDocument,
  { width, height, lines }: VisibleSignature,
  context: AppearanceContext,
): Promise<{ readonly form: PdfRef; readonly warnings: readonly Warning[] }> {
  const { drawText } = context
  const encoding = createFontEncoding(font)
  const encoded = lines.map((line) => encoding.encode(line))
  const isDrawn = drawText !== undefined && (context.conforms || encoded.some(({ missing }) => missing > 0))
  const drawn = isDrawn
    ? await drawLines(document, new Set(lines), { font, color: black, opacity: 1 }, { ...context, drawText })
    : undefined
  const shown = lines.map((line, index) => ({
    width: drawn?.lines.get(line)?.width ?? encoded[index]?.width ?? 0,
    form: drawn?.lines.get(line)?.form,
    codes: encoded[index]?.codes ?? '',
  }))
  const widest = Math.max(1, maxOf(shown.map((line) => line.width))) / 1000
  const size = Math.min(largestSize, width / widest, height / (Math.max(1, lines.length) * lineSpacing))
  const top = height - (verticalMetrics(font).ascent / 1000) * size
  const forms = new PdfDict()
  let operators = ''
  for (const [index, { form, codes }] of shown.entries()) {
    const y = formatPdfNumber(round(top - index * lineSpacing * size))
    if (form === undefined) operators += `BT /F ${round(size)} Tf 0 g 0 ${y} Td <${hex(codes)}> Tj ET\n`
    else {
      const scale = formatPdfNumber(round(size / drawnLine.size, 5))
      const baseline = formatPdfNumber(
        round(top - index * lineSpacing * size - (drawnLine.baseline * size) / drawnLine.size),
      )
      forms.set(`L${index}`, form)
      operators += `q ${scale} 0 0 ${scale} 0 ${baseline} cm /L${index} Do Q\n`
    }
  }
  const resources: Record<string, PdfValue> = isDrawn
    ? { XObject: forms }
    : { Font: dict({ F: document.put(encoding.dict()) }) }
  const head = dict({
    Type: name('XObject'),
    Subtype: name('Form'),
    BBox: [0, 0, round(width), round(height)],
    Resources: dict(resources),
  })
  return { form: document.put(new PdfStream(head, binaryBytes(operators))), warnings: drawn?.warnings ?? [] }
}

const round = (value: number, digits = 2): number => Math.round(value * 10 ** digits) / 10 ** digits

const hex = (codes: string): string =>
  Array.from(codes, (character) => character.charCodeAt(0).toString(16).padStart(2, '0')).join('')
