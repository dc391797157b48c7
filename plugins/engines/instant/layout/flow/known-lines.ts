import type { RunProperties } from '../../../../../shared/document/properties.ts'
import type { ComputedParagraph } from '../../style/computed.ts'
import type { LayoutContext } from '../context.ts'
import type { Pt } from '../frame.ts'
import type { Line } from '../inline/line.ts'
import type { PreparedParagraph } from './types.ts'

interface Known {
  readonly width: Pt
  readonly grid: Pt | undefined
  readonly ground: string | undefined
  readonly lines: readonly Line[]
}

/** Cells repeat words and numbers; what is longer is hardly ever written twice. */
const longest = 40
/** Texts remembered of one style and look. */
const most = 5000

/**
 * By style, look and text. A computed style is one object for equal properties in equal cells and lives as long as its
 * layout; so do the looks of a reader.
 */
const known = new WeakMap<ComputedParagraph, Map<RunProperties, Map<string, Known>>>()

/**
 * The lines of a paragraph, from memory where the same text was set in the same way before: tables repeat themselves.
 * Only a single line of plain text is shared: its pieces were not cut, and nothing in it tells one place from another.
 */
export function withKnownLines(
  context: LayoutContext,
  paragraph: PreparedParagraph,
  width: Pt,
  set: () => readonly Line[],
): readonly Line[] {
  const { style, source, grid, ground } = paragraph
  const [inline, ...more] = source.inlines
  // The structure of a file keeps what belongs to which paragraph by the things that are drawn.
  if (inline?.kind !== 'text' || more.length > 0 || context.ownership !== undefined) return set()
  const { text, run, link } = inline
  if (link !== undefined || text.length > longest || context.labels.paragraphs.has(source)) return set()
  const texts = textsOf(style, run)
  const before = texts.get(text)
  if (before !== undefined && before.width === width && before.grid === grid && before.ground === ground)
    return before.lines
  const lines = set()
  if (lines.length === 1 && (before !== undefined || texts.size < most))
    texts.set(text, { width, grid, ground, lines })
  return lines
}

function textsOf(style: ComputedParagraph, run: RunProperties): Map<string, Known> {
  let looks = known.get(style)
  if (looks === undefined) known.set(style, (looks = new Map()))
  let texts = looks.get(run)
  if (texts === undefined) looks.set(run, (texts = new Map()))
  return texts
}
