import type { Document } from '../../../shared/document/document.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import type { Engine, Host } from '../../../shared/plugin/contract.ts'
import { ignoredWarnings } from '../../../shared/plugin/ignored-options.ts'
import type { Warning } from '../../../shared/plugin/values.ts'
import { drawText } from './draw-text.ts'
import { bundledFonts } from './fonts/bundled.ts'
import { createFontBook, type FontBook } from './fonts/font-book.ts'
import type { FontSource } from './fonts/font-source.ts'
import { fontRequests } from './fonts-needed.ts'
import { createHyphenationCache } from './hyphenation.ts'
import { needsWebpDecoder } from './images/webp.ts'
import { beyondLimits } from './limits.ts'
import { foreignOptions, readOptions } from './options.ts'
import { createPictureCache } from './paint/pdf/paint-pdf.ts'
import { isOfContents } from './paint/pdf/structure-tree.ts'
import { layoutToPdf } from './pipeline.ts'
import type { InstantSettings } from './settings.ts'

/**
 * Creates the engine. The font book, the hyphenation patterns and the decoded pictures live as long as the
 * engine; everything else is created for each job.
 */
export function createInstantEngine(
  settings: InstantSettings,
  host: Host,
): Engine<Readonly<Record<string, unknown>>> {
  let book: FontBook | undefined
  let pictures = createPictureCache()
  let hyphenation = createHyphenationCache(host.asset, host.codec)
  let shipped: FontSource | undefined
  const fontBook = (): FontBook => {
    const source =
      host.fonts?.() ??
      (shipped ??= bundledFonts({ fetch: (file) => host.asset(`fonts/${file}`) }, host.codec))
    // The host has replaced its fonts, so the book is built anew.
    if (book?.source !== source) book = createFontBook(source, { faces: settings.fontCacheSize })
    return book
  }
  const convertOnce: Engine<Readonly<Record<string, unknown>>>['convert'] = async (job, signal) => {
    const { reader } = host.format(job.from) ?? {}
    if (reader === undefined || job.to !== 'pdf') {
      throw new AppError('convert.pair', { engine: 'The instant engine', from: job.from, to: job.to })
    }
    const bytes = await bytesOf(job.source)
    signal.throwIfAborted()
    const read = await reader.read(bytes, { codec: host.codec, limits: defaultLimits })
    const document = read.value
    const hasWebp = [...document.media.values()].some(needsWebpDecoder)
    const decodeWebp = hasWebp ? await host.loadWebpDecoder?.() : undefined
    const documentFonts = fontBook().forDocument({
      embedded: document.fonts ?? [],
      generic: document.genericFonts,
    })
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
      ...(decodeWebp !== undefined && { decodeWebp }),
      ...readOptions(job.options),
    }
    const { pdf, warnings, fonts } = orDecline(
      () => layoutToPdf(request),
      job.strict === true ? beyond : undefined,
    )
    const reported = [
      ...ignoredWarnings({ names: foreignOptions(job.options) }, job.to),
      ...staleContents(document, job.options),
      ...read.warnings,
      ...documentFonts.warnings,
      ...warnings,
    ]
    const what = job.strict === true ? beyondLimits(reported) : undefined
    if (what !== undefined) throw beyond(what)
    return { value: fromBytes(pdf), warnings: reported, fonts }
  }
  return {
    async convert(job, signal) {
      const before = host.fonts?.()
      try {
        return await convertOnce(job, signal)
      } catch (error) {
        // A font file was replaced during the layout: with the fonts as they are now it succeeds.
        const isFont = error instanceof AppError && error.code === 'font.damaged'
        if (!isFont || host.fonts?.() === before) throw error
        return convertOnce(job, signal)
      }
    },
    async drawText(request, signal) {
      signal.throwIfAborted()
      return drawText(request, fontBook().forDocument(), host.codec)
    },
    async stop() {
      book = undefined
      hyphenation = createHyphenationCache(host.asset, host.codec)
      pictures = createPictureCache()
    },
  }
}

/** A warning where the caller asks for new page numbers in a table of contents, which this engine draws as the file has it. */
function staleContents(
  { sections, styles }: Document,
  options: Readonly<Record<string, unknown>>,
): readonly Warning[] {
  if (options['hardRefresh'] !== true) return []
  const hasContents = sections.some(({ blocks }) =>
    blocks.some((block) => block.kind === 'paragraph' && isOfContents({ styles }, block)),
  )
  const message = 'The table of contents is drawn as the document has it; engine L computes it anew.'
  return hasContents ? [{ code: 'layout.contents-kept', message }] : []
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
