import { type GlyphRun, type Pt, respaced } from '../frame.ts'
import { isEastAsian } from '../inline/character-kind.ts'
import type { LineRun, TextLine } from './text.ts'

/**
 * The lines of a cell as wide as it is (`justify` and `distributed` of ST_HorizontalAlignment, ECMA-376-1 18.18.40; fo:text-align, ODF 1.3
 * part 3, 20.223). What is left of a line goes evenly to its spaces, and to the gaps beside East Asian characters (observed in
 * LibreOffice). The last line of a paragraph is only `distributed`.
 */
export function justifiedLines(
  lines: readonly TextLine[],
  available: Pt,
  { distributes }: { readonly distributes: boolean },
): readonly TextLine[] {
  return lines.map((line) => (distributes || line.continues === true ? justified(line, available) : line))
}

function justified(line: TextLine, available: Pt): TextLine {
  const free = available - line.width
  const texts = line.runs.map(({ run }) => run.text)
  const end = texts.join('').trimEnd().length
  const gaps: number[][] = []
  let [count, before] = [0, 0]
  for (const [at, { run }] of line.runs.entries()) {
    const [next = ''] = texts[at + 1] ?? ''
    const inRun = gapsOf(run, next, end - before)
    gaps.push(inRun)
    count += inRun.length
    before += run.text.length
  }
  if (free <= 0 || count === 0) return line
  const runs: LineRun[] = []
  let x = 0
  for (const [at, { run, font }] of line.runs.entries()) {
    const wider = widened(run, gaps[at] ?? [], free / count)
    runs.push({ x, run: wider, font })
    x += wider.width
  }
  return { ...line, runs, width: available }
}

/** The glyphs after which a line may grow; `next` is the letter after the run, and `end` where the visible text ends in it. */
function gapsOf({ text, clusters, rtl }: GlyphRun, next: string, end: number): number[] {
  const gaps: number[] = []
  for (let glyph = 0; glyph < clusters.length; glyph++) {
    const at = clusters[glyph] ?? 0
    const isLastOfCluster = clusters[glyph + 1] !== at
    if (!isLastOfCluster || at >= end - (rtl ? 0 : 1)) continue
    const isBesideEastAsian =
      isEastAsian(text, at) || (at + 1 < text.length ? isEastAsian(text, at + 1) : isEastAsian(next, 0))
    if (text[at] === ' ' || isBesideEastAsian) gaps.push(glyph)
  }
  return gaps
}

function widened(run: GlyphRun, gaps: readonly number[], extra: Pt): GlyphRun {
  if (gaps.length === 0) return run
  const advances = Array.from(run.advances)
  for (const glyph of gaps) advances[glyph] = (advances[glyph] ?? 0) + extra
  return respaced(run, advances, run.width + gaps.length * extra)
}
