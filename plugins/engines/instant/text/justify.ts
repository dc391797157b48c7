import { type GlyphRun, type Pt, respaced } from '../layout/frame.ts'

/**
 * Whether a space grows when a line is justified: no-break spaces do, fixed-width ones from U+2000 on do not.
 */
function isStretchable(code: number): boolean {
  return code === 0x20 || code === 0xa0 || code === 0x3000
}

/** The number of spaces that can grow in a text, from `from` up to `to`. */
export function countStretchable(text: string, from = 0, to = text.length): number {
  let count = 0
  for (let at = from; at < to; at++) if (isStretchable(text.charCodeAt(at))) count++
  return count
}

/** The run with `extra` points added to every space that can grow. */
export function expandSpaces(run: GlyphRun, extra: Pt): GlyphRun {
  if (extra === 0) return run
  const advances = Array.from(run.advances)
  let width = run.width
  for (let index = 0; index < advances.length; index++) {
    if (!isStretchable(run.text.charCodeAt(run.clusters[index] ?? 0))) continue
    advances[index] = (advances[index] ?? 0) + extra
    width += extra
  }
  return respaced(run, advances, width)
}

/** The number of clusters: characters with their combining marks. */
export function clustersOf({ clusters }: GlyphRun): number {
  let count = 0
  for (let index = 0; index < clusters.length; index++) if (clusters[index] !== clusters[index + 1]) count++
  return count
}

/** The run with `extra` points added after its last glyph. */
export function widerAtEnd(run: GlyphRun, extra: Pt): GlyphRun {
  const advances = Array.from(run.advances)
  if (advances.length > 0) advances[advances.length - 1] = (advances[advances.length - 1] ?? 0) + extra
  return respaced(run, advances, run.width + extra)
}

/**
 * The run with `extra` points added after every cluster, except the last one of the last run: for lines in
 * scripts without spaces.
 */
export function expandClusters(run: GlyphRun, extra: Pt, isLast = false): GlyphRun {
  if (extra === 0) return run
  const advances = Array.from(run.advances)
  let width = run.width
  const end = isLast ? advances.length - 1 : advances.length
  for (let index = 0; index < end; index++) {
    if (run.clusters[index] === run.clusters[index + 1]) continue
    advances[index] = (advances[index] ?? 0) + extra
    width += extra
  }
  return respaced(run, advances, width)
}
