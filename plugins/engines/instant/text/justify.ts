import type { GlyphRun, Pt } from '../layout/frame.ts'

/** Spaces that grow when a line is justified: no-break spaces do, fixed ones of U+2000 and after do not. */
export function isStretchable(code: number): boolean {
  return code === 0x20 || code === 0xa0 || code === 0x3000
}

/** How many spaces of a run can grow, between `from` and `to` of its text. */
export function countStretchable(text: string, from = 0, to = text.length): number {
  let count = 0
  for (let at = from; at < to; at++) if (isStretchable(text.charCodeAt(at))) count++
  return count
}

/** The run with `extra` pt added to every space that can grow. */
export function expandSpaces(run: GlyphRun, extra: Pt): GlyphRun {
  if (extra === 0) return run
  const advances = Array.from(run.advances)
  let width = run.width
  for (let index = 0; index < advances.length; index++) {
    if (!isStretchable(run.text.charCodeAt(run.clusters[index]!))) continue
    advances[index]! += extra
    width += extra
  }
  return { ...run, advances, width }
}

/** The run with `extra` pt after every cluster: letter spacing for distributed lines and for scripts without spaces. */
export function expandClusters(run: GlyphRun, extra: Pt): GlyphRun {
  if (extra === 0) return run
  const advances = Array.from(run.advances)
  let width = run.width
  for (let index = 0; index < advances.length; index++) {
    if (run.clusters[index] === run.clusters[index + 1]) continue
    advances[index]! += extra
    width += extra
  }
  return { ...run, advances, width }
}

/** Index after the last character that is no space: what hangs outside the margin starts there. */
export function trimmedEnd(text: string, start: number, end: number): number {
  let at = end
  while (at > start && isHanging(text.charCodeAt(at - 1))) at--
  return at
}

function isHanging(code: number): boolean {
  return code === 0x20 || code === 0x3000 || (code >= 0x2000 && code <= 0x200b && code !== 0x2007)
}
