import type { DrawText } from '../../../plugin/text-drawing.ts'
import type { Warning } from '../../../plugin/values.ts'
import { pushAll } from '../../../push-all.ts'
import type { PdfDocument } from '../../model/document.ts'
import { type PdfPage, pageGeometry } from '../../model/pages.ts'
import { dict, name, PdfDict, PdfRef, type PdfValue } from '../../model/values.ts'
import { createContentsWrapper } from '../page-contents.ts'
import {
  calibratedRgb,
  type DrawContext,
  type DrawnLines,
  drawLines,
  intentComponents,
} from './drawn-lines.ts'
import type { Watermark } from './options.ts'
import { drawWatermark } from './place.ts'
import { createFontEncoding, type FontEncoding, type StandardFont } from './standard-font.ts'

export interface WatermarkContext extends Omit<DrawContext, 'drawText'> {
  readonly drawText?: DrawText | undefined
}

/**
 * Draws watermarks over the pages, or behind their contents. Fonts and opacities are made once for the file. Lines that the standard fonts cannot show, and all lines of a document that must conform, are drawn by an engine.
 * Warnings: 'pdf.watermark-characters' when the fonts lack some, 'pdf.watermark-behind'. Throws as `drawLines` does.
 */
export async function applyWatermarks(
  document: PdfDocument,
  pages: readonly PdfPage[],
  watermarks: readonly Watermark[],
  context: WatermarkContext,
): Promise<readonly Warning[]> {
  const warnings: Warning[] = []
  const layers: WatermarkLayer[] = []
  for (const watermark of watermarks) {
    const { drawText, archive } = context
    const isSolid = archive === 1 && watermark.opacity < 1
    const isBehind = isSolid || watermark.isBehind === true
    if (drawText === undefined || !(context.conforms || lacksCharacters(watermark)))
      layers.push({ watermark, isBehind, isSolid })
    else {
      const drawn = await drawLines(document, linesOf(watermark, pages.length), watermark, {
        ...context,
        drawText,
      })
      pushAll(warnings, drawn.warnings)
      layers.push({ watermark, isBehind, isSolid, drawn: drawn.lines })
    }
  }
  const resources = createResources(document, pages, layers)
  const wrap = createContentsWrapper(document, context.codec)
  // An archive without output intent names the colours in which pages blend. ISO 19005-2, 6.2.10.
  const needsGroup = context.archive > 1 && intentComponents(document) === undefined
  const group = dict({ S: name('Transparency'), CS: calibratedRgb })
  let missing = 0
  for (const [index, page] of pages.entries()) {
    const number = index + 1
    let [above, below] = ['', '']
    for (const layer of layers) {
      const { watermark: mark, isBehind, drawn } = layer
      if (number < mark.fromPage || number > mark.toPage) continue
      const lines = textLines(mark, number, pages.length).map((line) => {
        if (drawn !== undefined)
          return { width: drawn.get(line)?.width ?? 0, form: resources.form(layer, line) }
        const encoded = resources.encoding(mark.font).encode(line)
        missing += encoded.missing
        return encoded
      })
      const operators = drawWatermark(mark, lines, pageGeometry(document, page), resources.names(layer))
      if (isBehind) below += operators
      else above += operators
    }
    if (above + below === '') continue
    wrap(page.dict, { below: below, above })
    if (needsGroup && page.dict.get('Group') === null) page.dict.set('Group', group)
    page.dict.set('Resources', resources.extend(page.inherited.get('Resources') ?? null))
  }
  resources.finish()
  if (missing > 0) {
    const message = `The fonts of watermarks lack ${missing} characters of the text, so each is drawn as a question mark.`
    warnings.push({ code: 'pdf.watermark-characters', message })
  }
  if (layers.some(({ isSolid }) => isSolid)) {
    const message =
      'PDF/A-1 does not allow transparency, so the watermark is drawn below the text in a lighter colour.'
    warnings.push({ code: 'pdf.watermark-behind', message })
  }
  return warnings
}

interface WatermarkLayer {
  readonly watermark: Watermark
  /** Below the contents of the pages. */
  readonly isBehind: boolean
  /** Its opacity is a lighter colour, because the document must not be transparent. */
  readonly isSolid: boolean
  /** Absent for lines of a standard font. */
  readonly drawn?: DrawnLines
}

const newline = /\r\n?|\n|\u2028/
const placeholders = /\{#PAGE_(?:NUMBER|TOTAL)\}/

function textLines({ text }: Watermark, number: number, total: number): readonly string[] {
  return text
    .replaceAll('{#PAGE_NUMBER}', String(number))
    .replaceAll('{#PAGE_TOTAL}', String(total))
    .split(newline)
}

/** All different lines that a watermark shows on the pages of its range. */
function linesOf(watermark: Watermark, total: number): ReadonlySet<string> {
  const last = Math.min(watermark.toPage, total)
  // Without page numbers, all pages show what the first one does.
  const end = placeholders.test(watermark.text) ? last : Math.min(watermark.fromPage, last)
  const lines = new Set<string>()
  for (let number = watermark.fromPage; number <= end; number++)
    for (const line of textLines(watermark, number, total)) lines.add(line)
  return lines
}

/** Whether the standard font cannot show some of the text. Digits, which replace placeholders, it has. */
function lacksCharacters({ text, font }: Watermark): boolean {
  const encoding = createFontEncoding(font)
  return text.split(newline).some((line) => encoding.encode(line).missing > 0)
}

/** Fonts, opacities and drawn lines under names that no page uses yet. */
function createResources(
  document: PdfDocument,
  pages: readonly PdfPage[],
  layers: readonly WatermarkLayer[],
) {
  const usedNames = new Set<string>()
  for (const resources of new Set(pages.map((page) => page.inherited.get('Resources')))) {
    const resolved = document.resolve(resources ?? null)
    if (!(resolved instanceof PdfDict)) continue
    for (const kind of ['Font', 'ExtGState', 'XObject']) {
      for (const key of document.dictAt(resolved, kind)?.entries.keys() ?? []) usedNames.add(key)
    }
  }
  let next = 0
  const fresh = (): string => {
    while (usedNames.has(`Mark${next}`)) next++
    return `Mark${next++}`
  }
  const fonts = new Map<StandardFont, { name: string; ref: PdfRef; dict: PdfDict; encoding: FontEncoding }>()
  const states = new Map<number, { name: string; ref: PdfRef }>()
  const forms = new Map<PdfRef, { name: string; ref: PdfRef }>()
  for (const { watermark, isSolid, drawn } of layers) {
    const { font, opacity } = watermark
    for (const { form } of drawn?.values() ?? []) forms.set(form, { name: fresh(), ref: form })
    if (drawn === undefined && !fonts.has(font)) {
      const fontDict = new PdfDict()
      fonts.set(font, {
        name: fresh(),
        ref: document.put(fontDict),
        dict: fontDict,
        encoding: createFontEncoding(font),
      })
    }
    if (opacity < 1 && !isSolid && !states.has(opacity)) {
      const state = dict({ Type: name('ExtGState'), ca: opacity, CA: opacity })
      states.set(opacity, { name: fresh(), ref: document.put(state) })
    }
  }
  const extended = new Map<PdfValue | number, PdfRef>()
  return {
    encoding: (font: StandardFont) => fonts.get(font)!.encoding,
    form: ({ drawn }: WatermarkLayer, line: string) => {
      const form = drawn?.get(line)?.form
      return form && forms.get(form)?.name
    },
    names: ({ watermark: { font, opacity }, isSolid }: WatermarkLayer) => ({
      font: fonts.get(font)?.name ?? '',
      state: isSolid ? undefined : states.get(opacity)?.name,
    }),
    /** The resources of a page with those of the watermarks added. Pages that shared their resources still do. */
    extend(resources: PdfValue): PdfRef {
      const key = resources instanceof PdfRef ? resources.id : resources
      const done = extended.get(key)
      if (done !== undefined) return done
      const resolved = document.resolve(resources)
      const copy = resolved instanceof PdfDict ? resolved.copy() : new PdfDict()
      const join = (kind: string, additions: Iterable<{ readonly name: string; readonly ref: PdfRef }>) => {
        const joined = document.dictAt(copy, kind)?.copy() ?? new PdfDict()
        for (const addition of additions) joined.set(addition.name, addition.ref)
        if (joined.entries.size > 0) copy.set(kind, joined)
      }
      join('Font', fonts.values())
      join('ExtGState', states.values())
      join('XObject', forms.values())
      const ref = document.put(copy)
      extended.set(key, ref)
      return ref
    },
    /** Fills in the font dictionaries: their encodings are complete once all lines are encoded. */
    finish(): void {
      for (const { dict: empty, encoding } of fonts.values()) {
        for (const [key, value] of encoding.dict().entries) empty.set(key, value)
      }
    },
  }
}
