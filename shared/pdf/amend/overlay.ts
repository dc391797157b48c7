/** Draws text or the page of another PDF behind or over pages. */

import { concatBytes } from '../../bytes.ts'
import { AppError } from '../../errors/app-error.ts'
import type { OverlayPage, PdfOverlay } from '../../plugin/pdf-changes.ts'
import type { SchemaIssue, Warning } from '../../plugin/values.ts'
import { createCopier } from '../join/copy.ts'
import type { PdfDocument } from '../model/document.ts'
import { archivePart, declaresAccessibility, readMetadata } from '../model/metadata.ts'
import { type PdfPage, type PdfPageGeometry, pageGeometry, readPages } from '../model/pages.ts'
import { dict, name, PdfDict, type PdfRef, PdfStream } from '../model/values.ts'
import { openPdf } from '../read/open.ts'
import { type Box, concatenate, createFormDrawer, type Matrix, transformedBox } from '../stage/draw-forms.ts'
import { createContentsWrapper } from '../stage/page-contents.ts'
import type { PdfStageContext } from '../stage/stage.ts'
import { applyWatermarks } from '../stage/watermark/apply.ts'
import { anchors, readWatermarks, type Watermark } from '../stage/watermark/options.ts'
import { placeBlock, shownSize } from '../stage/watermark/place.ts'
import { contentsOf } from '../stage/without-text.ts'
import { zlib } from '../write/zlib.ts'
import { selectedPages } from './selected-pages.ts'

/** Throws 'convert.options', 'pdf.archive', and what reading the other PDF throws. */
export async function applyOverlay(
  document: PdfDocument,
  { layer, pages: range, content }: PdfOverlay,
  context: PdfStageContext,
): Promise<readonly Warning[]> {
  const pages = readPages(document)
  const numbers = selectedPages(range, pages.length)
  const metadata = readMetadata(document)
  const archive = archivePart(metadata)
  const conforms = archive > 0 || declaresAccessibility(metadata)
  if ('watermark' in content) {
    if (archive > 0 && context.drawText === undefined)
      throw new AppError('pdf.archive', { because: 'the fonts of text would not be embedded in it' })
    const watermarks = runsOf(numbers).map(([fromPage, toPage]) => ({
      ...textOf(content.watermark),
      fromPage,
      toPage,
      isBehind: layer === 'behind',
    }))
    return applyWatermarks(document, pages, watermarks, { ...context, archive, conforms })
  }
  // Nothing is known of the fonts, colours and transparency of the other file.
  if (archive > 0) throw new AppError('pdf.archive', { because: 'another PDF cannot be drawn into it' })
  drawPage(document, pages, { numbers, layer, content }, context)
  return []
}

function textOf(properties: Readonly<Record<string, unknown>>): Watermark {
  const issues: SchemaIssue[] = []
  const [watermark] = readWatermarks([properties], undefined, issues)
  const [issue] = issues
  if (issue !== undefined)
    throw new AppError('convert.options', {
      option: issue.path.replace(/^Watermarks\[0\]\.?/, '') || 'text',
      rule: issue.rule,
    })
  if (watermark === undefined)
    throw new AppError('convert.options', { option: 'text', rule: 'must be given' })
  return watermark
}

/** Pages that follow each other as first and last of a run. */
function runsOf(numbers: readonly number[]): readonly (readonly [from: number, to: number])[] {
  const runs: [number, number][] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else runs.push([number, number])
  }
  return runs
}

interface PageJob {
  readonly numbers: readonly number[]
  readonly layer: PdfOverlay['layer']
  readonly content: OverlayPage
}

function drawPage(
  document: PdfDocument,
  pages: readonly PdfPage[],
  { numbers, layer, content }: PageJob,
  { codec }: PdfStageContext,
): void {
  const drawing = importPage(document, content.pdf, codec)
  const { opacity = 1 } = content
  const state =
    opacity < 1 ? document.put(dict({ Type: name('ExtGState'), ca: opacity, CA: opacity })) : undefined
  const wrap = createContentsWrapper(document, codec)
  const show = createFormDrawer(document)
  for (const number of numbers) {
    const page = pages[number - 1]
    if (page === undefined) continue
    const operators = placeOf(content, drawing, pageGeometry(document, page))
    wrap(page.dict, { [layer]: show(page, [{ form: drawing.form, place: operators, state }]) })
  }
}

/** Numbers that a caller may choose freely within what a page can have. */
function placeOf(content: OverlayPage, { width, height }: ImportedPage, page: PdfPageGeometry): string {
  const { anchor = 'center', offsetX = 0, offsetY = 0, rotation = 0, scale } = content
  const validAnchor = anchors.find((candidate) => candidate === anchor)
  if (validAnchor === undefined)
    throw new AppError('convert.options', { option: 'anchor', rule: `must be one of ${anchors.join(', ')}` })
  const turnedBox = transformedBox(turn(rotation), [-width / 2, -height / 2, width / 2, height / 2])
  const shown = shownSize(page)
  const fit = Math.min(
    shown.width / (turnedBox[2] - turnedBox[0]),
    shown.height / (turnedBox[3] - turnedBox[1]),
  )
  const factor = scale === undefined ? Math.min(1, fit) : fit * scale
  const block = { width: width * factor, height: height * factor }
  const placed = placeBlock({ anchor: validAnchor, offsetX, offsetY, rotation }, block, page)
  return `${placed} ${concatenate([factor, 0, 0, factor, (-width / 2) * factor, (-height / 2) * factor])}`
}

function turn(degrees: number): Matrix {
  const radians = (degrees * Math.PI) / 180
  return [Math.cos(radians), Math.sin(radians), -Math.sin(radians), Math.cos(radians), 0, 0]
}

interface ImportedPage {
  /** Draws the page as it is shown with its lower left corner at the origin, in points. */
  readonly form: PdfRef
  readonly width: number // pt
  readonly height: number
}

/** Copies the first page of a file into the document as a form, without links and form fields. */
function importPage(document: PdfDocument, bytes: Uint8Array, codec: PdfStageContext['codec']): ImportedPage {
  const other = openPdf(bytes, codec, document.limits)
  const [page] = readPages(other)
  if (page === undefined) throw new AppError('pdf.broken', { because: 'it has no pages' })
  const parts = contentsOf(other, page.dict.get('Contents'))
  if (parts === undefined)
    throw new AppError('pdf.broken', { because: 'the contents of its first page cannot be read' })
  const copy = createCopier(document, other, {
    destinations: new Map(),
    legacyDestinations: new Map(),
    parentKeyOffset: undefined,
    adjustStructure: () => {},
  })
  const { x, y, width, height, rotate, unit } = pageGeometry(other, page)
  const box: Box = [x, y, x + width, y + height]
  const turned = quarterTurns[rotate]
  const [left, bottom, right, top] = transformedBox(turned, box)
  const lines = parts.flatMap((part) => [part, Uint8Array.of(10)])
  const group = page.dict.get('Group')
  const form = document.put(
    new PdfStream(
      dict({
        Type: name('XObject'),
        Subtype: name('Form'),
        BBox: [...box],
        Matrix: [...turned.slice(0, 4).map((value) => value * unit), -left * unit, -bottom * unit],
        Resources: copy.value(other.resolve(page.inherited.get('Resources') ?? new PdfDict())),
        Group: group === null ? undefined : copy.value(other.resolve(group)),
        Filter: name('FlateDecode'),
      }),
      zlib(
        codec,
        concatBytes(
          lines,
          lines.reduce((sum, line) => sum + line.length, 0),
        ),
      ),
    ),
  )
  return { form, width: (right - left) * unit, height: (top - bottom) * unit }
}

/** /Rotate turns clockwise. ISO 32000-2, 7.7.3.3. */
const quarterTurns: Readonly<Record<PdfPageGeometry['rotate'], Matrix>> = {
  0: [1, 0, 0, 1, 0, 0],
  90: [0, -1, 1, 0, 0, 0],
  180: [-1, 0, 0, -1, 0, 0],
  270: [0, 1, -1, 0, 0, 0],
}
