import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { nodeCodec } from '../../origin/codec.ts'
import { loadWebpDecoder } from '../../origin/webp.ts'
import type { FontBook } from '../../plugins/engines/instant/fonts/font-book.ts'
import { needsWebpDecoder } from '../../plugins/engines/instant/images/webp.ts'
import {
  paintWebPage,
  readWebPage,
  webFontRequests,
  webPageFonts,
} from '../../plugins/engines/instant/web-pipeline.ts'
import web from '../../plugins/engines/web/index.ts'
import { decodeMarkup } from '../../shared/plugin/decode-markup.ts'
import type { Warning } from '../../shared/plugin/values.ts'
import { engineUnder } from '../helpers/engines.ts'
import { testHost } from '../helpers/host.ts'
import type { Converted } from './engine.ts'

/** The formats of web pages by extension. Their reference is the PDF of engine C, of the others that of engine L. */
export const webFormats: Readonly<Record<string, 'html' | 'md'>> = {
  '.html': 'html',
  '.htm': 'html',
  '.md': 'md',
}

export const webFormatOf = (file: string): 'html' | 'md' | undefined =>
  webFormats[extname(file).toLowerCase()]

/**
 * Converts a web page the way the service does: Markdown becomes HTML by the engine for markup first. What `ms` says
 * is the time of engine I alone. `now` gives ms since the epoch.
 */
export async function convertWebPage(file: string, book: FontBook, now: () => number): Promise<Converted> {
  const { html, warnings } = await pageOf(file)
  const started = performance.now()
  const limits = { deadline: now() + 200_000, now }
  const page = readWebPage(html, limits)
  const fonts = book.forDocument(webPageFonts(page, nodeCodec))
  await fonts.prepare(webFontRequests(page, fonts))
  const decodeWebp = [...page.boxes.media.values()].some(needsWebpDecoder)
    ? await loadWebpDecoder()
    : undefined
  const result = paintWebPage({
    page,
    fonts,
    ...(decodeWebp !== undefined && { decodeWebp }),
    codec: nodeCodec,
    ...limits,
  })
  return {
    ...result,
    pdf: result.files[0]!,
    all: [...warnings, ...fonts.warnings, ...result.warnings],
    ms: performance.now() - started,
  }
}

async function pageOf(file: string): Promise<{ html: string; warnings: readonly Warning[] }> {
  const bytes = new Uint8Array(readFileSync(file))
  if (webFormatOf(file) === 'html') return { html: decodeMarkup(bytes), warnings: [] }
  const made = await engineUnder(web, testHost()).convert(bytes, 'md', 'html')
  return { html: decodeMarkup(made.bytes), warnings: made.warnings ?? [] }
}
