import type { Deck } from '../../../shared/document/deck.ts'
import type { Document } from '../../../shared/document/document.ts'
import type { Workbook } from '../../../shared/document/sheet.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import { withRequestedPage } from '../../../shared/flow/page-style.ts'
import { loadJpegCodec } from '../../../shared/images/jpeg-codec.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import { createPartCache } from '../../../shared/office/part-cache.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import type { ConversionResult, ConvertJob, Engine, Host } from '../../../shared/plugin/contract.ts'
import { decodeMarkup } from '../../../shared/plugin/decode-markup.ts'
import { ignoredWarnings } from '../../../shared/plugin/ignored-options.ts'
import type { Outcome, Warning } from '../../../shared/plugin/values.ts'
import { type Confidence, confidenceAfter, confidenceIn, doubtfulBy } from './confidence/confidence.ts'
import { deckFontRequests, paintDeck } from './deck-pipeline.ts'
import { drawText } from './draw-text.ts'
import { bundledFonts } from './fonts/bundled.ts'
import { createFontBook, type FontBook } from './fonts/font-book.ts'
import type { FontSource } from './fonts/font-source.ts'
import type { FontsReport } from './fonts/report.ts'
import { fontRequests } from './fonts-needed.ts'
import { createHyphenationCache } from './hyphenation.ts'
import { readImage } from './images/read-image.ts'
import { needsWebpDecoder } from './images/webp.ts'
import { unsupportedBy } from './limits.ts'
import {
  foreignOptions,
  isPicture,
  readOptions,
  readPageOptions,
  readPictureOptions,
  withoutBlankPages,
} from './options.ts'
import { type PaintPages, paintOnePdf } from './paint/paint-pages.ts'
import { createPictureCache } from './paint/pdf/paint-pdf.ts'
import { picturePainter } from './paint/pictures/paint-pictures.ts'
import { createBudget, paintDocument } from './pipeline.ts'
import type { InstantSettings } from './settings.ts'
import { paintWebPage, readWebPage, webFontRequests, webPageFonts } from './web-pipeline.ts'
import { paintWorkbook, sheetFontRequests } from './workbook-pipeline.ts'

type Options = Readonly<Record<string, unknown>>
type Job = ConvertJob<Options>

/** A job with the stage that paints its pages. */
type DrawJob = Job & { readonly paint: PaintPages }
type Media = ReadonlyMap<string, Uint8Array>

/** The result of laying out a document or a workbook. */
interface Drawn {
  /** One PDF, or a picture for each page. */
  readonly files: readonly Uint8Array[]
  /** All pages, drawn or not. */
  readonly pages: { readonly length: number }
  readonly fonts: FontsReport
  readonly warnings: readonly Warning[]
}

const title = 'The instant engine'
const declined = (what: string): AppError => new AppError('convert.beyond', { engine: title, what })

/** What lives as long as the engine. Everything else is created for each job. */
interface Resources {
  readonly settings: InstantSettings
  readonly host: Host
  readonly fontBook: () => FontBook
  pictures: ReturnType<typeof createPictureCache>
  parts: ReturnType<typeof createPartCache>
  hyphenation: ReturnType<typeof createHyphenationCache>
}

/** Creates the engine. It keeps the font book, the hyphenation patterns and the decoded pictures. */
export function createInstantEngine(settings: InstantSettings, host: Host): Engine<Options> {
  let book: FontBook | undefined
  let shipped: FontSource | undefined
  const resources: Resources = {
    settings,
    host,
    fontBook() {
      const source =
        host.fonts?.() ??
        (shipped ??= bundledFonts({ fetch: (file) => host.asset(`fonts/${file}`) }, host.codec))
      // The host has replaced its fonts, so the book is built again.
      if (book?.source !== source) book = createFontBook(source, { faces: settings.fontCacheSize })
      return book
    },
    pictures: createPictureCache(),
    parts: createPartCache(),
    hyphenation: createHyphenationCache(host.asset, host.codec),
  }
  return {
    async convert(job, signal) {
      const before = host.fonts?.()
      try {
        return await convertOnce(resources, job, signal)
      } catch (error) {
        // A font file was replaced during the layout: with the fonts as they are now it succeeds.
        const isFont = error instanceof AppError && error.code === 'font.damaged'
        if (!isFont || host.fonts?.() === before) throw error
        return convertOnce(resources, job, signal)
      }
    },
    async drawText(request, signal) {
      signal.throwIfAborted()
      return drawText(request, resources.fontBook().forDocument(), host.codec)
    },
    async stop() {
      book = undefined
      resources.hyphenation = createHyphenationCache(host.asset, host.codec)
      resources.pictures = createPictureCache()
      resources.parts = createPartCache()
    },
  }
}

/** Reads the source, lays it out and paints it. Throws AppErrors. */
async function convertOnce(resources: Resources, job: Job, signal: AbortSignal): Promise<ConversionResult> {
  const { reader, workbookReader, deckReader } = resources.host.format(job.from) ?? {}
  const isPage = job.from === 'html'
  const canRead = isPage || (reader ?? workbookReader ?? deckReader) !== undefined
  if (!canRead || (job.to !== 'pdf' && !isPicture(job.to))) {
    throw new AppError('convert.pair', { engine: title, from: job.from, to: job.to })
  }
  const bytes = await bytesOf(job.source)
  signal.throwIfAborted()
  const context = { codec: resources.host.codec, limits: defaultLimits, partCache: resources.parts }
  const document = await reader?.read(bytes, context)
  const workbook = document === undefined ? await workbookReader?.read(bytes, context) : undefined
  const deck = (document ?? workbook) === undefined ? await deckReader?.read(bytes, context) : undefined
  const media = (document ?? workbook ?? deck)?.value.media
  const drawJob: DrawJob = { ...job, paint: await painterOf(resources, job, signal, media) }
  const drawn =
    (isPage ? await drawWebPage(resources, job, signal, bytes) : undefined) ??
    (document && (await drawDocument(resources, drawJob, signal, document))) ??
    (workbook && (await drawWorkbook(resources, drawJob, signal, workbook))) ??
    (deck && (await drawDeck(resources, drawJob, signal, deck)))
  if (drawn === undefined) throw new Error(`The reader of ${job.from} read nothing.`)
  const reported = [
    ...ignoredWarnings({ names: foreignOptions(job.options, job) }, job.to),
    ...drawn.warnings,
  ]
  const what = job.strict === true ? unsupportedBy(reported, resources.fontBook().source) : undefined
  if (what !== undefined) throw declined(what)
  const pages = drawn.files.map(fromBytes)
  const value = pages[0] ?? fromBytes(new Uint8Array())
  const result = { value, warnings: reported, fonts: drawn.fonts }
  return isPicture(job.to) ? { ...result, pages, pageCount: drawn.pages.length } : result
}

/** The part of a request that documents, workbooks and presentations share. */
async function commonRequest(
  resources: Resources,
  job: DrawJob,
  signal: AbortSignal,
  media: Iterable<Uint8Array>,
) {
  const decodeWebp = [...media].some(needsWebpDecoder) ? await resources.host.loadWebpDecoder?.() : undefined
  return {
    codec: resources.host.codec,
    deadline: job.deadline,
    now: resources.host.now,
    signal,
    maxSteps: resources.settings.maxSteps,
    pictures: resources.pictures,
    ...(decodeWebp !== undefined && { decodeWebp }),
    ...readOptions(job.options),
    paint: job.paint,
  }
}

/** Lays a document out and paints it, without the warnings of its options. */
async function drawDocument(
  resources: Resources,
  job: DrawJob,
  signal: AbortSignal,
  read: Outcome<Document>,
): Promise<Drawn> {
  const document = read.value
  const confidence = job.strict === true ? confidenceIn(document) : undefined
  if (confidence !== undefined) declineIfDoubtful(confidence)
  const common = await commonRequest(resources, job, signal, document.media.values())
  const documentFonts = resources.fontBook().forDocument({
    embedded: document.fonts ?? [],
    generic: document.genericFonts,
  })
  await documentFonts.prepare(fontRequests(document))
  const hyphenators = await resources.hyphenation.forDocument(document)
  const request = {
    document,
    fonts: documentFonts,
    ...(hyphenators !== undefined && { hyphenators }),
    ...common,
  }
  const drawn = orDecline(() => paintDocument(request), job)
  if (confidence !== undefined) declineIfDoubtful(confidenceAfter(confidence, drawn.decisions))
  return { ...drawn, warnings: [...read.warnings, ...documentFonts.warnings, ...drawn.warnings] }
}

/** Throws where another engine is more likely to place the words as LibreOffice does. */
function declineIfDoubtful(confidence: Confidence): void {
  const doubtful = doubtfulBy(confidence)
  if (doubtful !== undefined) throw declined(doubtful)
}

async function drawWorkbook(
  resources: Resources,
  job: DrawJob,
  signal: AbortSignal,
  read: Outcome<Workbook>,
): Promise<Drawn> {
  const workbook = read.value
  const common = await commonRequest(resources, job, signal, workbook.media?.values() ?? [])
  const fonts = resources.fontBook().forDocument({})
  await fonts.prepare(sheetFontRequests(workbook))
  const request = {
    workbook,
    fonts,
    ...common,
  }
  const drawn = orDecline(() => paintWorkbook(request), job)
  const ignored = ignoredWarnings({ names: withoutBlankPages(job.options) }, job.from)
  return { ...drawn, warnings: [...ignored, ...read.warnings, ...drawn.warnings] }
}

async function drawDeck(
  resources: Resources,
  job: DrawJob,
  signal: AbortSignal,
  read: Outcome<Deck>,
): Promise<Drawn> {
  const deck = read.value
  const common = await commonRequest(resources, job, signal, deck.media.values())
  const fonts = resources.fontBook().forDocument({ embedded: deck.fonts ?? [] })
  await fonts.prepare(deckFontRequests(deck))
  const request = {
    deck,
    fonts,
    ...common,
  }
  const drawn = orDecline(() => paintDeck(request), job)
  const ignored = ignoredWarnings({ names: withoutBlankPages(job.options) }, job.from)
  return { ...drawn, warnings: [...ignored, ...read.warnings, ...fonts.warnings, ...drawn.warnings] }
}

const boundsOf = ({ host, settings }: Resources, { deadline }: Job, signal: AbortSignal) => ({
  deadline,
  now: host.now,
  signal,
  maxSteps: settings.maxSteps,
})

async function drawWebPage(
  resources: Resources,
  job: Job,
  signal: AbortSignal,
  bytes: Uint8Array,
): Promise<Drawn> {
  const html = withRequestedPage(decodeMarkup(bytes), job.options)
  const print = readPageOptions(job.options)
  const bounds = boundsOf(resources, job, signal)
  const page = orDecline(() => readWebPage(html, bounds, print), job)
  const { media } = page.boxes
  const common = await commonRequest(
    resources,
    { ...job, paint: await painterOf(resources, job, signal, media) },
    signal,
    media.values(),
  )
  const fonts = resources.fontBook().forDocument({
    ...webPageFonts(page, resources.host.codec),
    fallbackDesign: 'sans', // observed in Chromium
  })
  await fonts.prepare(webFontRequests(page, fonts))
  const drawn = orDecline(() => paintWebPage({ page, fonts, print, ...common }), job)
  const ignored = ignoredWarnings({ names: withoutBlankPages(job.options) }, job.from)
  return { ...drawn, warnings: [...ignored, ...fonts.warnings, ...drawn.warnings] }
}

/** The stage that ends the pipeline, with the codecs of pictures that it needs. */
async function painterOf(
  resources: Resources,
  job: Job,
  signal: AbortSignal,
  media: Media | undefined,
): Promise<PaintPages> {
  const { to, from, options } = job
  if (!isPicture(to)) return paintOnePdf
  const hasJpeg = to === 'jpg' || (to !== 'svg' && [...(media?.values() ?? [])].some(hasJpegIn))
  const encodeWebp = to === 'webp' ? await resources.host.loadWebpEncoder?.() : undefined
  const { check } = createBudget(boundsOf(resources, job, signal))
  return picturePainter({
    ...{
      to,
      from,
      title,
      check,
      options: readPictureOptions(options),
      maxPixels: resources.settings.maxPagePixels,
    },
    ...(hasJpeg && { jpeg: await loadJpegCodec() }),
    ...(encodeWebp !== undefined && { encodeWebp }),
  })
}

/** Whether a file is a JPEG, or a vector picture that may contain one. */
function hasJpegIn(bytes: Uint8Array): boolean {
  const format = readImage(bytes)?.format
  return format === 'jpeg' || format === undefined
}

/**
 * Runs the layout. When the engine may decline, a conformance that it cannot meet and a document that it cannot read become
 * a decline, so that another engine can try.
 */
function orDecline<T>(make: () => T, { strict }: Pick<Job, 'strict'>): T {
  try {
    return make()
  } catch (error) {
    const isRefusal =
      error instanceof AppError && (error.code === 'pdf.promise' || error.code === 'convert.document')
    if (strict !== true || !isRefusal) throw error
    throw declined(String(error.details['because']))
  }
}
