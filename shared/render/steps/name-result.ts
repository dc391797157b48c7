import type { Rendered } from '../request.ts'
import type { PipelineContext, PipelineState } from '../state.ts'

/** Names the document by the template or the request, and collects what the response reports about it. */
export function nameResult({ request }: PipelineContext, state: PipelineState): Rendered {
  const { source, format, merged, warnings, signatures, converters, fonts, pageCount, manifest } = state
  const name = merged?.names['reportName'] ?? request.reportName ?? ''
  return {
    source,
    format,
    name: sanitizeReportName(name, format.extensions[0]),
    names: merged?.names ?? {},
    warnings,
    ...(request.debug && merged !== undefined && { debug: { markers: merged.debug?.markers ?? [] } }),
    ...(signatures.length > 0 && { signatures }),
    ...(converters.length > 0 && { converters }),
    ...(fonts !== undefined && { fonts }),
    ...(pageCount !== undefined && { pageCount }),
    ...(manifest !== undefined && { manifest }),
  }
}

const maxBytes = 200
/** The characters of a name that are normalised; three of them may become one of a byte or more. */
const maxNormalised = 1000

/**
 * Turns a report name into a valid file name without extension: in NFC, trimmed, without characters that control a terminal or
 * the direction of writing, with '_' for characters that file systems refuse, at most 200 bytes of UTF-8, and `fallback` instead
 * of an empty name. The extension of the output is removed, because it is added later.
 */
export function sanitizeReportName(name: string, extension: string, fallback = 'report'): string {
  // biome-ignore lint/plugin: a text of this length is normalised in no time
  const clean = name
    .toWellFormed()
    // A mark that turns the direction of writing would show another extension than the file has.
    .replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '')
    .slice(0, maxNormalised)
    .normalize('NFC')
    .replace(/[/\\:*?"<>|]/g, '_')
    .trim()
  const baseName =
    clean.length > extension.length && clean.toLowerCase().endsWith(`.${extension.toLowerCase()}`)
      ? clean.slice(0, -extension.length - 1)
      : clean
  const shortened = cutUtf8(baseName, maxBytes).trim()
  return shortened === '' || shortened === '.' || shortened === '..' ? fallback : shortened
}

/** Cuts a text to at most `bytes` of UTF-8, between characters. */
function cutUtf8(text: string, bytes: number): string {
  let usedBytes = 0
  let end = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    usedBytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
    if (usedBytes > bytes) break
    end += character.length
  }
  return text.slice(0, end)
}
