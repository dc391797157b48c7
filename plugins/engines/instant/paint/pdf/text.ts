import type { GlyphRun } from '../../layout/frame.ts'
import type { ContentWriter } from './content-writer.ts'
import type { EmbeddedFont } from './embed-font.ts'
import { canonical, clusterText } from './glyph-usage.ts'
import type { Graphics } from './graphics-state.ts'
import { factor, utf16Hex } from './syntax.ts'

/** tan(12°): how far an imitated italic leans. */
const lean = 0.2126
/** Stroke of an imitated bold, as a share of the size. Observed: LibreOffice widens by about 1/24 of the em. */
const boldStroke = 1 / 24

/**
 * Draws a run with its baseline starting at (x, y), y upward. Advances that differ from the font's own widths become
 * adjustments within one TJ, so that the words stay whole for copying and searching.
 */
export function writeGlyphs(graphics: Graphics, run: GlyphRun, x: number, y: number, outline: boolean): void {
  const { face, size } = run
  if (run.glyphs.length === 0 || !(size > 0)) return
  const font = graphics.resources.font(face.file)
  const scaleX = run.scaleX ?? 1
  const bold = face.synthetic.bold
  if (bold || outline) graphics.lineWidth(bold && !outline ? size * boldStroke : size * 0.02)
  graphics.font(font.resource, size)
  graphics.textScale(scaleX)
  graphics.textMode(outline ? 1 : bold ? 2 : 0)
  const { out } = graphics
  out.ascii(face.synthetic.slant ? `BT 1 0 ${factor(lean)} 1 ` : 'BT 1 0 0 1 ')
  out.num(x)
  out.num(y)
  out.ascii('Tm ')
  showText(out, run, font, 1000 / (size * scaleX))
  out.ascii('ET\n')
}

/** `perPoint`: thousandths of the em in a point along the line. */
function showText(out: ContentWriter, run: GlyphRun, font: EmbeddedFont, perPoint: number): void {
  const { glyphs, advances, offsets, clusters, text } = run
  let target = 0 // where the pen should stand, in thousandths
  let pen = 0 // where it stands
  let marked = -1 // last glyph of the ActualText in force
  let open: 'none' | 'array' | 'string' = 'none'
  const close = () => {
    if (open === 'string') out.ascii(')')
    if (open !== 'none') out.ascii(']TJ ')
    open = 'none'
  }
  for (let index = 0; index < glyphs.length; index++) {
    const glyph = glyphs[index]!
    if (index > marked && !isPlain(font.text[glyph], text, clusters, index)) {
      const actual = actualText(run, font, index)
      if (actual !== undefined) {
        close()
        marked = actual.last
        out.ascii(`/Span<</ActualText<feff${utf16Hex(actual.text)}>>>BDC `)
      }
    }
    const dy = offsets === undefined ? 0 : offsets[2 * index + 1]!
    if (dy !== 0) {
      close()
      out.num(-dy)
      out.ascii('Ts ')
    }
    const back = pen - target - (offsets === undefined ? 0 : offsets[2 * index]! * perPoint)
    if (back >= 0.5 || back <= -0.5) {
      const adjustment = Math.round(back)
      if (open === 'string') out.ascii(')')
      else if (open === 'none') out.ascii('[')
      out.integer(adjustment)
      open = 'array'
      pen -= adjustment
    }
    if (open !== 'string') out.ascii(open === 'none' ? '[(' : '(')
    open = 'string'
    out.code(font.codes[glyph]!)
    pen += font.widths[glyph]!
    target += advances[index]! * perPoint
    if (dy !== 0) {
      close()
      out.ascii('0 Ts ')
    }
    if (index === marked) {
      close()
      out.ascii('EMC ')
    }
  }
  close()
}

/** The common case: one character and one glyph, which ToUnicode says is that character. */
function isPlain(
  said: string | undefined,
  text: string,
  clusters: ArrayLike<number>,
  index: number,
): boolean {
  const at = clusters[index]!
  if (said === undefined || said.length !== 1 || said.charCodeAt(0) !== text.charCodeAt(at)) return false
  const next = clusters[index + 1] ?? text.length
  return next === at + 1 && clusters[index - 1] !== at
}

/**
 * The text of the cluster at `index` where ToUnicode would give another, or would leave glyphs without any: a reader
 * takes the room of those for a space. `last` is the last glyph it covers.
 */
function actualText(
  run: GlyphRun,
  font: EmbeddedFont,
  index: number,
): { text: string; last: number } | undefined {
  const isSaid = (at: number, meant: string): boolean => {
    const said = font.text[run.glyphs[at]!]
    // Marks without text of their own take no room.
    if (meant === '') return run.advances[at] === 0
    return meant === said || canonical(meant) === said
  }
  const first = clusterText(run, index)
  let last = index
  let whole = first
  let isWhole = isSaid(index, first)
  while (run.clusters[last + 1] === run.clusters[index]) {
    const next = clusterText(run, ++last)
    whole = run.rtl ? next + whole : whole + next
    isWhole &&= isSaid(last, next)
  }
  return isWhole || whole === '' ? undefined : { text: whole, last }
}
