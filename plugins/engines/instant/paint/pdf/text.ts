import type { GlyphRun } from '../../layout/frame.ts'
import { canonical, clusterText } from './glyph-usage.ts'
import type { Graphics } from './graphics-state.ts'
import { factor, num, utf16Hex } from './syntax.ts'

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
  const slant = face.synthetic.slant ? factor(lean) : '0'
  graphics.write(`BT 1 0 ${slant} 1 ${num(x)} ${num(y)} Tm `)
  graphics.write(showText(run, font, (1000 / size) * (1 / scaleX)))
  graphics.write('ET\n')
}

interface ShownFont {
  readonly codes: readonly (string | undefined)[]
  readonly widths: Float64Array
  readonly text: readonly (string | undefined)[]
}

/** `perPoint`: thousandths of the em in a point along the line. */
function showText(run: GlyphRun, font: ShownFont, perPoint: number): string {
  const { glyphs, advances, offsets } = run
  let out = '[<'
  let target = 0 // where the pen should stand, in thousandths
  let pen = 0 // where it stands
  let marked = -1 // last glyph of the ActualText in force
  for (let index = 0; index < glyphs.length; index++) {
    const glyph = glyphs[index]!
    if (index > marked) {
      const actual = actualText(run, font, index)
      if (actual !== undefined) {
        marked = actual.last
        out += `>]TJ /Span<</ActualText<feff${utf16Hex(actual.text)}>>>BDC [<`
      }
    }
    const dx = offsets === undefined ? 0 : offsets[2 * index]!
    const dy = offsets === undefined ? 0 : offsets[2 * index + 1]!
    const wanted = target + dx * perPoint
    const back = pen - wanted
    if (back >= 0.5 || back <= -0.5) {
      const adjustment = Math.round(back)
      out += `>${adjustment}<`
      pen -= adjustment
    }
    out += dy === 0 ? font.codes[glyph] : `>]TJ ${num(-dy)} Ts[<${font.codes[glyph]}>]TJ 0 Ts[<`
    pen += font.widths[glyph]!
    target += advances[index]! * perPoint
    if (index === marked) out += '>]TJ EMC [<'
  }
  return `${out}>]TJ `.replaceAll('[<>]TJ ', '').replaceAll('<>', '')
}

/**
 * The text of the cluster at `index` where ToUnicode would give another: one glyph may stand for several characters
 * and a character for several glyphs. `last` is the last glyph it covers.
 */
function actualText(
  run: GlyphRun,
  font: ShownFont,
  index: number,
): { text: string; last: number } | undefined {
  const text = clusterText(run, index)
  const said = font.text[run.glyphs[index]!]
  if (text === said || canonical(text) === said) return undefined
  let last = index
  while (run.clusters[last + 1] === run.clusters[index]) last++
  return { text, last }
}
