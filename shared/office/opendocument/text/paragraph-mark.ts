import type { RunProperties } from '../../../document/properties.ts'
import type { OdfInlineState } from './part-context.ts'

/** What the spans of a paragraph say of its mark, recorded while its inlines are read. */
export interface SpanRecord {
  /** How many spans with a style have begun. */
  count: number
  /** The formatting of the automatic styles around the current position; undefined outside of them. */
  current: RunProperties | undefined
  /** The same for the end of the text so far, where a span without text counts, too. */
  last: RunProperties | undefined
}

export const noSpans = (): SpanRecord => ({ count: 0, current: undefined, last: undefined })

/** Records that a span begins whose run is that of the state. Returns what `current` is again after it. */
export function beginSpan(
  { part, run, spans }: OdfInlineState,
  style: string | undefined,
): SpanRecord['current'] {
  const outer = spans.current
  if (style === undefined) return outer
  spans.count++
  // Only automatic styles count (observed in LibreOffice), whose ids name the part that they are in.
  if (part.styles.id(part.scope, 'text', style) !== `text/${style}`) spans.last = spans.current = run
  return outer
}

/**
 * The formatting of the mark of a paragraph, which its list label takes on. ODF has no such formatting. Measured in
 * LibreOffice: an automatic style around all of the text counts as formatting of the paragraph, and with the switch
 * ApplyParagraphMarkFormatToNumbering the last span at the end of the text, with or without text of its own, is the mark.
 */
export function labelMark({ part, inlines, spans }: OdfInlineState): RunProperties | undefined {
  const { last, count } = spans
  if (part.shared.spansEndParagraphs) return last
  const isWhole =
    count === 1 &&
    inlines.some(({ kind }) => kind !== 'bookmark') &&
    inlines.every(
      (inline) =>
        inline.kind === 'bookmark' ||
        inline.kind === 'note' ||
        (inline.run === last && !('link' in inline && inline.link !== undefined)),
    )
  return isWhole ? last : undefined
}
