import type { DrawText } from '../../../plugin/text-drawing.ts'
import type { Warning } from '../../../plugin/values.ts'
import { pushAll } from '../../../push-all.ts'
import type { PdfDocument } from '../../model/document.ts'
import { mediaBox, type PdfPage, type PdfPageGeometry, pageGeometry } from '../../model/pages.ts'
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
    // A background of the page would hide one that is behind it.
    const isBehind = (isSolid && watermark.isOverFields !== true) || watermark.isBehind === true
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
      const operators = areasOf(document, page, mark)
        .map((area) => drawWatermark(mark, lines, area, resources.names(layer)))
        .join('')
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
  if (layers.some(({ isSolid, isBehind }) => isSolid && isBehind)) {
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

/** In points: of larger areas a part of usual size could be cut out without a letter of the watermark. */
const maxArea = 850
const maxAreas = 400

/**
 * The areas of a page in which a watermark stands. One that must be seen and fills the page is repeated on large pages, and
 * in what a crop box hides. Any other stands in the page as it is shown.
 */
function areasOf(document: PdfDocument, page: PdfPage, mark: Watermark): readonly PdfPageGeometry[] {
  const shown = pageGeometry(document, page)
  if (mark.isOverFields !== true || mark.anchor !== 'center' || mark.size !== 'auto') return [shown]
  const [left, bottom, right, top] = mediaBox(document, page)
  for (let side = maxArea / shown.unit; ; side *= 2) {
    const width = shown.width / Math.ceil(shown.width / side)
    const height = shown.height / Math.ceil(shown.height / side)
    const columns = steps(shown.x, width, left, right)
    const rows = steps(shown.y, height, bottom, top)
    if (columns.count * rows.count > maxAreas) {
      // A crop box of a point in a large medium: the shown area alone, and one over the medium.
      if (side > Math.max(shown.width, shown.height))
        return [shown, { ...shown, x: left, y: bottom, width: right - left, height: top - bottom }]
      continue
    }
    return Array.from({ length: columns.count * rows.count }, (_, index) => ({
      ...shown,
      x: columns.start + (index % columns.count) * width,
      y: rows.start + Math.floor(index / columns.count) * height,
      width,
      height,
    }))
  }
}

/** Where equal lengths begin that cover `from` to `to`, one of them at `origin`. */
function steps(origin: number, length: number, from: number, to: number) {
  const first = Math.floor((from - origin) / length + rounding)
  const last = Math.ceil((to - origin) / length - rounding)
  return { start: origin + first * length, count: last - first }
}

/** A difference of this fraction is one of rounding. */
const rounding = 1e-6

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
