import { drawnLine, type TextRequest } from '../../../shared/plugin/text-drawing.ts'
import type { Codec, Outcome } from '../../../shared/plugin/values.ts'
import type { DocumentFonts } from './fonts/font-book.ts'
import type { Page, Placed } from './layout/frame.ts'
import { paintPdf } from './paint/pdf/paint-pdf.ts'
import { visualOrder } from './text/bidi.ts'
import { itemise } from './text/itemise.ts'
import { shape } from './text/shape.ts'

/**
 * Draws each line on a page of its own, as `drawnLine` describes. A line begins in the direction of its first letter.
 * Throws 'pdf.promise' for an archive when no font has all characters; elsewhere boxes are drawn for them, with a warning.
 */
export async function drawText(
  { lines, family, bold, italic, colour, archive }: TextRequest,
  fonts: DocumentFonts,
  codec: Codec,
): Promise<Outcome<Uint8Array>> {
  await fonts.prepare([{ family, bold, italic, text: lines.join('\n') }])
  const face = fonts.face(family, bold, italic)
  const pages = lines.map((line): Page => {
    const items = itemise(line, { face, direction: 'auto' }, fonts.runs)
    const runs = items.map((item) =>
      shape(line.slice(item.start, item.end), {
        face: item.face,
        size: drawnLine.size,
        rtl: item.level % 2 === 1,
        complex: item.complex ? fonts.complex : undefined,
      }),
    )
    const drawn: Placed[] = []
    let x = 0
    for (const index of visualOrder(items.map(({ level }) => level))) {
      const run = runs[index]
      if (run === undefined) continue
      const y = drawnLine.height - drawnLine.baseline
      drawn.push({ x, y, item: { kind: 'glyphs', run, colour } })
      x += run.width
    }
    return { frame: { width: x, height: drawnLine.height, items: drawn } }
  })
  const pdf = paintPdf(pages, { codec, ...(archive !== undefined && { conformance: { archive } }) })
  const { missing } = fonts.report()
  if (missing.length === 0) return { value: pdf, warnings: [] }
  const listed = missing.map(({ character }) => character).join(', ')
  const message = `No font has these characters of the watermark, so boxes are drawn for them: ${listed}.`
  return { value: pdf, warnings: [{ code: 'pdf.watermark-characters', message }] }
}
