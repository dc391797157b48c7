import type { Inline, Paragraph } from '../../../../../shared/document/content.ts'
import type { DropCap } from '../../../../../shared/document/properties.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { glyphBounds } from '../../fonts/sfnt/glyph-bounds.ts'
import { shape } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import type { GlyphRun } from '../frame.ts'
import { textStyleOf } from '../inline/text-style.ts'
import type { LineBox, TextStyle } from '../inline/types.ts'
import type { DroppedLetters } from './types.ts'

type TextInline = Extract<Inline, { kind: 'text' }>

/**
 * Takes the first letters of a paragraph as its drop cap (ODF 1.3 part 3, 17.9).
 *
 * The letters fill the height from the top of the first line to the baseline of the last one. Those of a
 * paragraph of one line keep their size.
 *
 * lines  the paragraph broken into lines with these letters still in it: a paragraph of two lines has a drop
 * cap of two lines at most
 * Returns undefined when the paragraph does not begin with text, or when there is nothing to enlarge.
 */
export function dropLetters(
  context: LayoutContext,
  paragraph: Paragraph,
  { lines: maxLines, length, distance, style }: DropCap,
  lines: readonly LineBox[],
  runs: ReturnType<LayoutContext['styler']['runs']>,
): DroppedLetters | undefined {
  const at = paragraph.inlines.findIndex((inline) => inline.kind !== 'bookmark')
  const first = paragraph.inlines[at]
  const count = Math.min(maxLines, lines.length)
  if (first?.kind !== 'text' || count < 1) return undefined
  const text = lettersOf(first, length)
  if (text.trim() === '' || (count === 1 && distance === 0)) return undefined
  const textStyle = textStyleOf(
    context,
    runs.run(style === undefined ? first.run : { ...first.run, style }),
    'plain',
  )
  const { ascent, height } = lines[0]!
  const available = ascent + (count - 1) * height
  const trial = shape(text, textStyle.shaping)
  const [low, high] = count > 1 ? inkOf(textStyle, trial) : [0, available / textStyle.size]
  if (high - low <= 0) return undefined
  const size = Math.round((available / (high - low)) * 20) / 20
  const run = shape(text, { ...textStyle.shaping, size })
  const remainder = first.text.slice(text.length)
  return {
    items: [{ x: 0, y: available + low * size, item: { kind: 'glyphs', run, colour: textStyle.colour } }],
    width: run.width + distance,
    height: count * height,
    lines: count,
    rest: {
      ...paragraph,
      inlines: paragraph.inlines.flatMap((inline, index): readonly Inline[] =>
        index !== at ? [inline] : remainder === '' ? [] : [{ ...first, text: remainder }],
      ),
    },
  }
}

function lettersOf({ text }: TextInline, length: number | 'word'): string {
  if (length === 'word') return /^\S+/.exec(text)?.[0] ?? ''
  return Array.from(text).slice(0, length).join('')
}

/** The lowest and the highest point of the glyphs as fractions of the em; depths are negative. */
function inkOf({ face }: TextStyle, { glyphs }: GlyphRun): readonly [low: number, high: number] {
  if (!libreOffice.inkFillsDropCap) return [-face.descent, face.ascent]
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
