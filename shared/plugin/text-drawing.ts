/** Lines of text that post-processing draws on finished pages, such as a watermark. */
export interface TextRequest {
  readonly lines: readonly string[]
  readonly family: string // 'Helvetica'; a family that a host does not have is replaced
  readonly bold: boolean
  readonly italic: boolean
  readonly colour: number // 0xRRGGBB
  /** The part of PDF/A that the fonts must be embedded for. Absent: none. */
  readonly archive?: 1 | 2 | 3
}

/**
 * How a line is drawn: on a page of its own that is as wide as the text, at this size, with the baseline at this height
 * above the lower edge. All in points. Glyphs may reach beyond the page to the left and right.
 */
export const drawnLine = { size: 100, baseline: 50, height: 150 } as const

/** Draws lines as the pages of a PDF with embedded fonts, in their order. */
export type DrawText = (
  request: TextRequest,
  signal: AbortSignal,
) => Promise<import('./values.ts').Outcome<Uint8Array>>
