import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { nodeCodec } from '../../origin/codec.ts'
import { loadWebpDecoder } from '../../origin/webp.ts'
import { deckFontRequests, paintDeck } from '../../plugins/engines/instant/deck-pipeline.ts'
import type { FontBook } from '../../plugins/engines/instant/fonts/font-book.ts'
import { needsWebpDecoder } from '../../plugins/engines/instant/images/webp.ts'
import { readFodp, readOdp } from '../../plugins/formats/odp/slides/open.ts'
import { readPptx } from '../../plugins/formats/pptx/slides/open.ts'
import { defaultLimits } from '../../shared/limits.ts'
import type { DeckReader } from '../../shared/plugin/contract.ts'
import type { Converted } from './engine.ts'

/** Readers of presentations by extension; the same ones the format plugins offer. */
export const deckReaders: Readonly<Record<string, DeckReader['read']>> = {
  '.pptx': readPptx,
  '.ppsx': readPptx,
  '.potx': readPptx,
  '.pptm': readPptx,
  '.odp': readOdp,
  '.otp': readOdp,
  '.fodp': readFodp,
}

/** Converts a presentation the way the engine does, in this process. `now` gives ms since the epoch. */
export async function convertDeck(file: string, book: FontBook, now: () => number): Promise<Converted> {
  const bytes = new Uint8Array(readFileSync(file))
  const started = performance.now()
  const read = deckReaders[extname(file).toLowerCase()]!(bytes, { codec: nodeCodec, limits: defaultLimits })
  const deck = read.value
  const fonts = book.forDocument({ embedded: deck.fonts ?? [] })
  await fonts.prepare(deckFontRequests(deck))
  const decodeWebp = [...deck.media.values()].some(needsWebpDecoder) ? await loadWebpDecoder() : undefined
  const result = paintDeck({
    deck,
    fonts,
    ...(decodeWebp !== undefined && { decodeWebp }),
    codec: nodeCodec,
    deadline: now() + 200_000,
    now,
  })
  return {
    ...result,
    pdf: result.files[0]!,
    all: [...read.warnings, ...fonts.warnings, ...result.warnings],
    ms: performance.now() - started,
  }
}
