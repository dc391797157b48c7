import { countStretchable, expandClusters } from '../../text/justify.ts'
import type { GlyphRun, Pt } from '../frame.ts'

interface SpreadText {
  readonly text: string
  run: GlyphRun | undefined
  width: Pt
}

/**
 * Distributes a single word over its line letter by letter. Returns false when a space could grow instead or
 * there is only one letter.
 */
export function spreadLetters(groups: readonly SpreadText[], free: Pt): boolean {
  if (free <= 0 || groups.some(({ text }) => countStretchable(text) > 0)) return false
  const letters = groups.reduce((count, { run }) => count + (run?.glyphs.length ?? 0), 0)
  if (letters < 2) return false
  for (const group of groups) {
    if (group.run === undefined) continue
    group.run = expandClusters(group.run, free / (letters - 1))
    group.width = group.run.width
  }
  return true
}
