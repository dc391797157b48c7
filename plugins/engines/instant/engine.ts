import type { Document } from '../../../shared/document/document.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import type { Engine, Host } from '../../../shared/plugin/contract.ts'
import { defaultLimits } from '../../../shared/template/limits.ts'
import { bundledFonts } from './fonts/bundled.ts'
import { createFontBook, type FontBook } from './fonts/font-book.ts'
import type { FontSource } from './fonts/font-source.ts'
import { fontRequests } from './fonts-needed.ts'
import { createHyphenationShelf } from './hyphenation.ts'
import { withForeignPictures } from './images/foreign.ts'
import { beyondLimits } from './limits.ts'
import { readOptions } from './options.ts'
import { createPictureCache } from './paint/pdf/paint-pdf.ts'
import { layoutToPdf } from './pipeline.ts'
import type { Settings } from './settings.ts'

/**
 * Creates the engine. The font book, the hyphenation patterns and the decoded pictures live as long as the
 * engine; everything else is created for each job.
 */
export function createInstantEngine(
  settings: Settings,
  host: Host,
): Engine<Readonly<Record<string, unknown>>> {
  let book: FontBook | undefined
  let pictures = createPictureCache()
  let hyphenation = createHyphenationShelf(host.asset, host.codec)
  let shipped: FontSource | undefined
  const fontBook = (): FontBook => {
    const source =
      host.fonts?.() ??
      (shipped ??= bundledFonts({ fetch: (file) => host.asset(`fonts/${file}`) }, host.codec))
    // The host has replaced its fonts, so the book is built anew.
    if (book?.source !== source) book = createFontBook(source, { faces: settings.fontCacheSize })
    return book
  }
  return {
    async convert(job, signal) {
      const { reader } = host.format(job.from) ?? {}
      if (reader === undefined || job.to !== 'pdf') {
        throw new AppError('convert.pair', { engine: 'The instant engine', from: job.from, to: job.to })
      }
      const bytes = await bytesOf(job.source)
      signal.throwIfAborted()
      const read = reader.read(bytes, { codec: host.codec, limits: defaultLimits })
      const media = await withForeignPictures(read.value.media, host, signal)
      const document: Document = { ...read.value, media }
      const documentFonts = fontBook().forDocument({ embedded: document.fonts ?? [] })
      await documentFonts.prepare(fontRequests(document))
      const hyphenators = await hyphenation.forDocument(document)
      const beyond = (what: string) => new AppError('convert.beyond', { engine: 'The instant engine', what })
      const request = {
        document,
        fonts: documentFonts,
        ...(hyphenators !== undefined && { hyphenators }),
        codec: host.codec,
        deadline: job.deadline,
        now: host.now,
        signal,
        pictures,
        ...readOptions(job.options),
      }
      const { pdf, warnings, fonts } = orDecline(
        () => layoutToPdf(request),
        job.careful === true ? beyond : undefined,
      )
      const reported = [...read.warnings, ...documentFonts.warnings, ...warnings]
      const what = job.careful === true ? beyondLimits(reported) : undefined
      if (what !== undefined) throw beyond(what)
      return { value: fromBytes(pdf), warnings: reported, fonts }
    },
    async stop() {
      book = undefined
      hyphenation = createHyphenationShelf(host.asset, host.codec)
      pictures = createPictureCache()
    },
  }
}

/**
 * Runs the layout. When the engine may decline, a conformance that it cannot meet becomes a decline, so that
 * another engine can try.
 */
function orDecline<T>(make: () => T, beyond: ((what: string) => AppError) | undefined): T {
  try {
    return make()
  } catch (error) {
    if (beyond === undefined || !(error instanceof AppError) || error.code !== 'pdf.promise') throw error
    throw beyond(String(error.details['because']))
  }
}
