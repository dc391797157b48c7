import type { Inline, Paragraph } from '../../../../../shared/document/document.ts'
import type { DropCap } from '../../../../../shared/document/properties.ts'
import { glyphBounds } from '../../fonts/sfnt/glyph-bounds.ts'
import { shape } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import type { GlyphRun, Placed, Pt } from '../frame.ts'
import type { Line } from '../inline/line.ts'
import { type Look, lookOf } from '../inline/look.ts'

/** The drop cap of a paragraph, drawn over several of its lines. */
export interface DroppedLetters {
  /** Positioned from the left of the text and the top of the first line. */
  readonly items: readonly Placed[]
  /** Includes the distance to the text. */
  readonly width: Pt
  readonly height: Pt
  /** How many lines the letters span. */
  readonly lines: number
  /** The paragraph without these letters. */
  readonly rest: Paragraph
}

type TextInline = Extract<Inline, { kind: 'text' }>

/**
 * Takes the first letters of a paragraph as its drop cap (ODF 1.3 part 3, 17.9).
 *
 * Observed in LibreOffice: the ink of the letters, not the ascent and descent of the face, fills the height
 * from the top of the first line to the baseline of the last one. The letters of a paragraph of one line keep
 * their size.
 *
 * lines  the paragraph broken into lines with these letters still in it: a paragraph of two lines has a drop
 * cap of two lines at most
 * Returns undefined when the paragraph does not begin with text, or when there is nothing to enlarge.
 */
export function dropLetters(
  context: LayoutContext,
  paragraph: Paragraph,
  { lines: wanted, length, distance, style }: DropCap,
  lines: readonly Line[],
  runs: ReturnType<LayoutContext['styler']['runs']>,
): DroppedLetters | undefined {
  const at = paragraph.inlines.findIndex((inline) => inline.kind !== 'bookmark')
  const first = paragraph.inlines[at]
  const count = Math.min(wanted, lines.length)
  if (first?.kind !== 'text' || count < 1) return undefined
  const text = lettersOf(first, length)
  if (text.trim() === '' || (count === 1 && distance === 0)) return undefined
  const look = lookOf(context, runs.run(style === undefined ? first.run : { ...first.run, style }), 'plain')
  const { ascent, height } = lines[0]!
  const available = ascent + (count - 1) * height
  const trial = shape(text, look.style)
  const [low, high] = count > 1 ? inkOf(look, trial) : [0, available / look.size]
  if (high - low <= 0) return undefined
  const size = Math.round((available / (high - low)) * 20) / 20
  const run = shape(text, { ...look.style, size })
  const rest = first.text.slice(text.length)
  return {
    items: [{ x: 0, y: available + low * size, item: { kind: 'glyphs', run, colour: look.colour } }],
    width: run.width + distance,
    height: count * height,
    lines: count,
    rest: {
      ...paragraph,
      inlines: paragraph.inlines.flatMap((inline, index): readonly Inline[] =>
        index !== at ? [inline] : rest === '' ? [] : [{ ...first, text: rest }],
      ),
    },
  }
}

function lettersOf({ text }: TextInline, length: number | 'word'): string {
  if (length === 'word') return /^\S+/.exec(text)?.[0] ?? ''
  return Array.from(text).slice(0, length).join('')
}

/** The lowest and the highest point of the glyphs as fractions of the em; depths are negative. */
function inkOf({ face }: Look, { glyphs }: GlyphRun): readonly [low: number, high: number] {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const glyph of Array.from(glyphs)) {
    const bounds = glyphBounds(face.file, glyph)
    if (bounds === undefined) continue
    low = Math.min(low, bounds[0] / face.unitsPerEm)
    high = Math.max(high, bounds[1] / face.unitsPerEm)
  }
  return high > low ? [low, high] : [0, face.capHeight]
}
