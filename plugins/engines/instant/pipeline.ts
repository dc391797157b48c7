/**
 * The stages in order: the document model comes in, tables of contents are rebuilt if the caller asks for it
 * (`contents/`), styles are resolved and text is laid out (`layout/`),
 * pages are painted (`paint/`), a PDF or pictures go out. No stage depends on where the document or the fonts
 * came from.
 */
import type { Document } from '../../../shared/document/document.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import type { DecodeWebp } from '../../../shared/plugin/contract.ts'
import type { Codec, Warning } from '../../../shared/plugin/values.ts'
import { refreshContents } from './contents/refresh-contents.ts'
import type { DocumentFonts } from './fonts/font-book.ts'
import type { FontsReport } from './fonts/report.ts'
import type { Hyphenators } from './hyphenation.ts'
import type { ImageRef } from './images/image.ts'
import { readImage } from './images/read-image.ts'
import { auditLayout, auditWarning } from './layout/audit/audit.ts'
import type { LayoutDecisions } from './layout/audit/record.ts'
import type { LayoutBudget } from './layout/context.ts'
import type { Page } from './layout/frame.ts'
import { fieldsInPieces } from './layout/inline/form-control.ts'
import { layoutDocument } from './layout/layout-document.ts'
import { createOwnership } from './layout/ownership.ts'
import { type PaintPages, paintRequested } from './paint/paint-pages.ts'
import type { PdfConformance, PictureCache } from './paint/pdf/paint-pdf.ts'
import { createStructure } from './paint/pdf/structure.ts'
import { buildStructure } from './paint/pdf/structure-tree.ts'
import { readVector } from './vector/read-vector.ts'
import type { VectorPicture, VectorTools } from './vector/vector.ts'

/** Everything that one conversion needs. */
export interface PipelineRequest {
  readonly document: Document
  readonly fonts: DocumentFonts
  readonly hyphenators?: Hyphenators
  readonly codec: Codec
  /** The instant at which the work must be done, in ms since the epoch. */
  readonly deadline: number
  /** The current time in ms since the epoch; also what date fields show. */
  readonly now: () => number
  readonly signal?: AbortSignal
  /** Replaces the limit `maxPages` below. */
  readonly maxPages?: number
  /** The maximum number of steps; absent: the deadline alone ends the work. */
  readonly maxSteps?: number | undefined
  /**
   * A cache of encoded pictures that outlives one document; the caller creates it with `createPictureCache`.
   */
  readonly pictures?: PictureCache
  /** Without it, WebP pictures become boxes with a warning. */
  readonly decodeWebp?: DecodeWebp
  /** Write a tagged PDF. */
  readonly tagged?: boolean
  /** The archive or accessibility standard that the file has to declare. */
  readonly conformance?: PdfConformance
  /** Omit the blank pages that layout inserted so that the next page is on its side of the sheet. */
  readonly skipBlankPages?: boolean
  /** Rebuild tables of contents from the headings. */
  readonly refreshContents?: boolean
  /** The version in the header of the PDF, for example '1.5'. */
  readonly version?: string
  /** Whether fields of forms can be filled; absent: they can. */
  readonly formFields?: boolean
  /** What the pages become; absent: one PDF. */
  readonly paint?: PaintPages
}

export interface PaintedResult {
  /** One PDF, or a picture for each page. */
  readonly files: readonly Uint8Array[]
  readonly pages: { readonly length: number }
  readonly warnings: readonly Warning[]
  readonly fonts: FontsReport
}

/** The same with the pages, where all are laid out before they are painted. */
export interface PipelineResult extends PaintedResult {
  readonly pages: readonly Page[]
}

/** What becomes of a document, with what its layout had to decide. */
export interface DocumentResult extends PipelineResult {
  readonly decisions: LayoutDecisions
}

/**
 * The page limit of one conversion. A thousand pages take seconds; more than this is a mistake or an attack.
 */
const maxPages = 2000

/**
 * Lays a document out and paints it.
 *
 * Throws AppError 'pdf.promise', 'convert.timeout', 'layout.too-many-pages', 'font.none', or the reason of the
 * signal.
 */
export function paintDocument(request: PipelineRequest): DocumentResult {
  const { fonts } = request
  const warnings = new Map<string, Warning>()
  const warn = (warning: Warning): void => {
    warnings.set(`${warning.code} ${warning.message}`, warning)
  }
  const refreshed = request.refreshContents === true ? refreshContents(request.document) : undefined
  const document = refreshed?.value ?? request.document
  for (const warning of refreshed?.warnings ?? []) warn(warning)
  const budget = createBudget(request)
  const ownership = request.tagged === true ? createOwnership() : undefined
  const laid = layoutDocument({
    ...(ownership !== undefined && { ownership }),
    document,
    fonts,
    ...(request.hyphenators !== undefined && { hyphenators: request.hyphenators }),
    image: imagesOf(document.media, warn),
    vector: vectorsOf(document.media, { fonts, check: budget.check }, warn),
    budget,
    now: request.now(),
    warn,
  })
  const { outline, record, styler } = laid
  const pages =
    request.skipBlankPages === true ? laid.pages.filter(({ isBlank }) => isBlank !== true) : laid.pages
  for (const defect of auditLayout({ document, pages, record, styler })) warn(auditWarning(defect))
  const { information } = document
  const printedFields = fieldsInPieces(pages, record.textFields)
  const structure = ownership && createStructure(buildStructure(document, ownership), ownership)
  const files = paintRequested(request, pages, {
    information,
    check: budget.check,
    outline,
    ...(structure !== undefined && { structure }),
    ...(printedFields.size > 0 && { printedFields }),
    language: information.language ?? document.styles.defaults.run.language,
    warn,
  })
  const report = fonts.report()
  warnMissing(report, warn)
  return { files, pages, warnings: [...warnings.values()], fonts: report, decisions: record.decisions }
}

/** How many characters or features one warning lists. */
const maxListed = 5

/**
 * Warns about characters without a glyph. The font report has the complete list, so the warning names only a
 * few.
 */
export function warnMissing({ missing }: FontsReport, warn: (warning: Warning) => void): void {
  if (missing.length === 0) return
  const some = missing.slice(0, maxListed).map(({ character }) => character)
  const more = missing.length > maxListed ? ' and others' : ''
  const message = `Characters that no font has are drawn as boxes: ${some.join(', ')}${more}.`
  warn({ code: 'font.missing-glyphs', message })
}

/**
 * A function that decodes the raster image of a media name, once; undefined, with a warning, when it cannot
 * be read.
 */
export function imagesOf(
  media: ReadonlyMap<string, Uint8Array>,
  warn: (warning: Warning) => void,
): (media: string) => ImageRef | undefined {
  const cached = new Map<string, ImageRef | undefined>()
  return (name) => {
    if (cached.has(name)) return cached.get(name)
    const image = tryImage(media.get(name))
    // The reader has reported a picture that is missing; it has no name.
    if (image === undefined && name !== '') {
      const kind = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? 'unknown'
      warn({ code: 'image.unreadable', message: `A picture of the format ${kind} cannot be drawn.` })
    }
    cached.set(name, image)
    return image
  }
}

/**
 * A function that reads the vector picture of a media name, once. Layout calls it before `image`, since a
 * vector picture needs no pixels.
 */
export function vectorsOf(
  files: ReadonlyMap<string, Uint8Array>,
  tools: VectorTools,
  warn: (warning: Warning) => void,
): (media: string) => VectorPicture | undefined {
  const cached = new Map<string, VectorPicture | undefined>()
  return (media) => {
    if (cached.has(media)) return cached.get(media)
    const bytes = files.get(media)
    const picture = bytes === undefined ? undefined : readVector(bytes, tools)
    if (picture !== undefined && picture.ignored.size > 0) {
      const list = [...picture.ignored].slice(0, maxListed).join(', ')
      warn({ code: 'image.partly-drawn', message: `Parts of a picture are not drawn: ${list}.` })
    }
    cached.set(media, picture)
    return picture
  }
}

/** Decodes an image; undefined when it is damaged or of an unsupported kind. */
function tryImage(bytes: Uint8Array | undefined): ImageRef | undefined {
  if (bytes === undefined) return undefined
  try {
    return readImage(bytes)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/**
 * The clock and the signal are checked once in this many steps. A step takes microseconds, so a deadline is
 * noticed within a millisecond.
 */
const stepsBetweenChecks = 128

/**
 * The limits of one conversion. `check` throws 'convert.timeout' after the deadline or the last of the steps, or the
 * reason of the signal.
 */
export function createBudget({
  deadline,
  now,
  signal,
  maxPages: pages = maxPages,
  maxSteps = Number.POSITIVE_INFINITY,
}: Pick<PipelineRequest, 'deadline' | 'now' | 'signal' | 'maxPages' | 'maxSteps'>): LayoutBudget {
  let steps = 0 // until the last check
  let left = stepsBetweenChecks // until the next
  return {
    pages,
    check(done = 1) {
      left -= done
      if (left > 0) return
      steps += stepsBetweenChecks - left
      left = stepsBetweenChecks
      signal?.throwIfAborted()
      if (steps > maxSteps || now() > deadline)
        throw new AppError('convert.timeout', {
          doing: 'laying out the document',
        })
    },
  }
}
