import { type DrawText, drawnLine } from '../../../plugin/text-drawing.ts'
import type { Codec, Warning } from '../../../plugin/values.ts'
import { createCopier } from '../../join/copy.ts'
import type { PdfDocument } from '../../model/document.ts'
import { tooLarge } from '../../model/limits.ts'
import { pageGeometry, readPages } from '../../model/pages.ts'
import { dict, name, PdfDict, PdfRef, PdfStream, type PdfValue } from '../../model/values.ts'
import { openPdf } from '../../read/open.ts'
import type { Watermark } from './options.ts'

/** Lines of a watermark as form XObjects, which any page can show. ISO 32000-2, 8.10. */
export type DrawnLines = ReadonlyMap<string, DrawnLine>

export interface DrawnLine {
  readonly form: PdfRef
  readonly width: number // 1/1000 em
}

/** The font, the colour and the opacity of lines. */
export type LineStyle = Pick<Watermark, 'font' | 'color' | 'opacity'>

export interface DrawContext {
  readonly codec: Codec
  readonly signal: AbortSignal
  readonly drawText: DrawText
  /** The part of PDF/A that the document declares, 0 for none. */
  readonly archive: number
  /** Whether the document declares PDF/A or PDF/UA, so that all of its fonts must be embedded. */
  readonly conforms: boolean
}

/** Page numbers may make every line of a long document different. */
const maxLines = 10_000
/**
 * In points of the drawn page. Glyphs may extend beyond their advance, such as italics and combining marks, and must not be
 * clipped.
 */
const overhang = drawnLine.size

/** sRGB defined by its primaries (IEC 61966-2-1), for PDF/A files whose output intent does not define DeviceRGB. */
export const calibratedRgb: PdfValue = [
  name('CalRGB'),
  dict({
    WhitePoint: [0.9505, 1, 1.089],
    Gamma: [2.2, 2.2, 2.2],
    Matrix: [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505],
  }),
]

/**
 * Has an engine draw lines of text, such as those of a watermark, with embedded fonts, and imports them into the document.
 * Throws 'pdf.promise' if the document must conform and no font has all characters, 'pdf.too-large'.
 */
export async function drawLines(
  document: PdfDocument,
  lines: ReadonlySet<string>,
  style: LineStyle,
  { codec, signal, drawText, archive, conforms }: DrawContext,
): Promise<{ readonly lines: DrawnLines; readonly warnings: readonly Warning[] }> {
  if (lines.size > maxLines) throw tooLarge('different lines of watermarks', maxLines)
  const part = archive === 1 ? 1 : 2
  const request = { ...faceOf(style), lines: [...lines], colour: colourOf(style, archive) }
  const { value, warnings } = await drawText({ ...request, ...(conforms && { archive: part }) }, signal)
  const drawn = openPdf(value, codec, document.limits)
  const copy = createCopier(document, drawn, {
    destinations: new Map(),
    legacyDestinations: new Map(),
    parentKeyOffset: undefined,
    adjustStructure: () => {},
  })
  const pages = readPages(drawn)
  const fonts = copy.value(drawn.resolve(pages[0]?.inherited.get('Resources') ?? null))
  if (fonts instanceof PdfDict && archive > 0 && intentComponents(document) !== 3)
    fonts.set('ColorSpace', dict({ DefaultRGB: calibratedRgb }))
  const resources = document.put(fonts)
  const drawnLines = new Map<string, DrawnLine>()
  for (const [index, page] of pages.entries()) {
    const { width, height } = pageGeometry(drawn, page)
    const form = copy.value(page.dict.get('Contents'))
    copy.settle()
    const stream = document.resolve(form)
    if (!(stream instanceof PdfStream) || !(form instanceof PdfRef)) continue
    stream.dict
      .set('Type', name('XObject'))
      .set('Subtype', name('Form'))
      .set('BBox', [-overhang, -overhang, width + overhang, height + overhang])
      .set('Resources', resources)
    drawnLines.set(request.lines[index] ?? '', { form, width: (width / drawnLine.size) * 1000 })
  }
  return { lines: drawnLines, warnings }
}

/** Part 1 of PDF/A forbids transparency, so the colour is blended with the white of the paper. ISO 19005-1, 6.4. */
function colourOf({ color, opacity }: LineStyle, archive: number): number {
  const solid = archive === 1 ? opacity : 1
  return color
    .map((part) => Math.round((1 - solid + part * solid) * 255))
    .reduce((value, part) => value * 256 + part, 0)
}

const families = { Helvetica: 'Helvetica', Courier: 'Courier New', Times: 'Times New Roman' } as const

function faceOf({ font }: LineStyle) {
  const family = families[font.split('-')[0] as keyof typeof families]
  return { family, bold: font.includes('Bold'), italic: /Oblique|Italic/.test(font) }
}

/**
 * The number of colour components of the output intent, 3 for RGB; undefined if the document has none. ISO 32000-2, 14.11.5;
 * ISO 19005-2, 6.2.4.3.
 */
export function intentComponents(document: PdfDocument): number | undefined {
  const intents = document.resolve(document.catalog.get('OutputIntents'))
  const intent = Array.isArray(intents) ? document.resolve(intents[0] ?? null) : null
  if (!(intent instanceof PdfDict)) return undefined
  const profile = document.resolve(intent.get('DestOutputProfile'))
  const components = profile instanceof PdfStream ? document.resolve(profile.dict.get('N')) : null
  return typeof components === 'number' ? components : undefined
}
