import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { nodeCodec } from '../../origin/codec.ts'
import { machineFontsNow } from '../../origin/fonts/index.ts'
import { machineHyphenation } from '../../origin/hyphenation.ts'
import { loadWebpDecoder } from '../../origin/webp.ts'
import {
  confidenceAfter,
  confidenceIn,
  doubtfulBy,
} from '../../plugins/engines/instant/confidence/confidence.ts'
import { createFontBook } from '../../plugins/engines/instant/fonts/font-book.ts'
import { fontRequests } from '../../plugins/engines/instant/fonts-needed.ts'
import { createHyphenationCache } from '../../plugins/engines/instant/hyphenation.ts'
import { needsWebpDecoder } from '../../plugins/engines/instant/images/webp.ts'
import { type PaintedResult, paintDocument } from '../../plugins/engines/instant/pipeline.ts'
import { docxReader } from '../../plugins/formats/docx/reader/open.ts'
import { odtReader } from '../../plugins/formats/odt/reader/open.ts'
import { defaultLimits } from '../../shared/limits.ts'
import type { DocumentReader } from '../../shared/plugin/contract.ts'
import type { Warning } from '../../shared/plugin/values.ts'
import { convertDeck, deckReaders } from './decks.ts'
import { convertWorkbook, workbookReaders } from './sheets.ts'
import { convertWebPage, webFormatOf } from './web-pages.ts'

/** Readers by extension; the same ones the format plugins offer. */
export const readers: Readonly<Record<string, DocumentReader>> = {
  '.docx': docxReader,
  '.docm': docxReader,
  '.dotx': docxReader,
  '.odt': odtReader,
}

export interface Converted extends PaintedResult {
  readonly pdf: Uint8Array
  readonly all: readonly Warning[]
  readonly ms: number
  /** Why `auto` would not try engine I; absent where it would. */
  readonly doubtful?: string
}

/**
 * Converts files the way the engine does, in this process; words are divided by the dictionaries of the office, as by it.
 * `now` gives ms since the epoch: fields that show the time read it, and the deadline counts from it.
 */
export function createConverter(
  dataDir: string,
  now: () => number = Date.now,
): (file: string) => Promise<Converted> {
  const book = createFontBook(machineFontsNow({ dataDir })())
  const files = machineHyphenation(dataDir)
  const hyphenation = createHyphenationCache(
    async (name) => (name.endsWith('.dic') ? files(name) : undefined),
    nodeCodec,
  )
  return async (file) => {
    if (workbookReaders[extname(file).toLowerCase()] !== undefined) return convertWorkbook(file, book, now)
    if (deckReaders[extname(file).toLowerCase()] !== undefined) return convertDeck(file, book, now)
    if (webFormatOf(file) !== undefined) return convertWebPage(file, book, now)
    const bytes = new Uint8Array(readFileSync(file))
    const started = performance.now()
    const read = readers[extname(file).toLowerCase()]!.read(bytes, {
      codec: nodeCodec,
      limits: defaultLimits,
    })
    const hyphenators = await hyphenation.forDocument(read.value)
    const fonts = book.forDocument({ embedded: read.value.fonts ?? [], generic: read.value.genericFonts })
    await fonts.prepare(fontRequests(read.value))
    const decodeWebp = [...read.value.media.values()].some(needsWebpDecoder)
      ? await loadWebpDecoder()
      : undefined
    const result = paintDocument({
      document: read.value,
      fonts,
      ...(hyphenators !== undefined && { hyphenators }),
      ...(decodeWebp !== undefined && { decodeWebp }),
      codec: nodeCodec,
      deadline: now() + 200_000,
      now,
    })
    const doubtful = doubtfulBy(confidenceAfter(confidenceIn(read.value), result.decisions))
    return {
      ...result,
      pdf: result.files[0]!,
      all: [...read.warnings, ...fonts.warnings, ...result.warnings],
      ms: performance.now() - started,
      ...(doubtful !== undefined && { doubtful }),
    }
  }
}
