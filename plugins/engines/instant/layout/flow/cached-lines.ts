import type { RunProperties } from '../../../../../shared/document/properties.ts'
import type { ComputedParagraph } from '../../style/computed.ts'
import type { LayoutContext } from '../context.ts'
import type { Pt } from '../frame.ts'
import type { LineBox } from '../inline/types.ts'
import type { PreparedParagraph } from './types.ts'

/** A line that was laid out before and the conditions under which it may be used again. */
interface CachedLines {
  readonly width: Pt
  readonly grid: Pt | undefined
  readonly background: string | undefined
  readonly lines: readonly LineBox[]
}

/**
 * The maximum length of a cached text in characters. Cells repeat short words and numbers; longer texts hardly
 * ever repeat.
 */
const maxTextLength = 40
/** The number of texts cached for one style and run, which bounds the memory of a large table. */
const maxTexts = 5000

/**
 * Cached lines by style, run and text. Equal properties share one computed style, which lives as long as its layout;
 * readers share run properties likewise.
 */
const cache = new WeakMap<ComputedParagraph, Map<RunProperties, Map<string, CachedLines>>>()

/**
 * Returns the lines of a paragraph, from the cache if the same text was laid out in the same way before. Tables repeat short
 * texts often. Only a single line of ordinary text is shared, if no word of it was divided and nothing in it depends on its
 * position.
 */
export function cachedLines(
  context: LayoutContext,
  paragraph: PreparedParagraph,
  width: Pt,
  set: () => readonly LineBox[],
): readonly LineBox[] {
  const { style, source, grid, background } = paragraph
  const [inline, ...more] = source.inlines
  // A tagged PDF finds the paragraph of each drawn item by the identity of the item, so items cannot be
  // shared.
  if (inline?.kind !== 'text' || more.length > 0 || context.ownership !== undefined) return set()
  const { text, run, link } = inline
  if (link !== undefined || text.length > maxTextLength || context.labels.paragraphs.has(source)) return set()
  const texts = textsOf(style, run)
  const before = texts.get(text)
  if (
    before !== undefined &&
    before.width === width &&
    before.grid === grid &&
    before.background === background
  )
    return before.lines
  const lines = set()
  if (lines.length === 1 && (before !== undefined || texts.size < maxTexts))
    texts.set(text, { width, grid, background, lines })
  return lines
}

function textsOf(style: ComputedParagraph, run: RunProperties): Map<string, CachedLines> {
  let byRun = cache.get(style)
  if (byRun === undefined) cache.set(style, (byRun = new Map()))
  let texts = byRun.get(run)
  if (texts === undefined) byRun.set(run, (texts = new Map()))
  return texts
}
