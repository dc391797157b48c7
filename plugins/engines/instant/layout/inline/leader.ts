import { libreOffice } from '../../compat/libreoffice.ts'
import { measure, shape } from '../../text/shape.ts'
import type { Placed, Pt } from '../frame.ts'
import type { FinishRequest } from './finish.ts'
import { leaderCharacters } from './tabs.ts'
import { snap } from './text-style.ts'
import type { TabPart } from './types.ts'

/**
 * Draws the leader characters that fill the space up to a tab stop. At most 2000, so that a tiny font stays
 * cheap.
 */
export function placeLeader(
  { leader, segment }: NonNullable<TabPart['tab']>,
  { from, start }: { readonly from: Pt; readonly start: Pt },
  request: FinishRequest,
  items: Placed[],
): void {
  const character = leaderCharacters[leader]
  if (character === '') return
  const { textStyle } = segment
  const characterWidth = snap(measure(character, textStyle.shaping))
  const fittingCount =
    characterWidth > 0 ? Math.min(2000, Math.floor((start - from) / characterWidth + 0.001)) : 0
  const count = fittingCount > 0 ? fittingCount + libreOffice.extraLeaders(character) : fittingCount
  if (count <= 0) return
  const natural = measure(character, textStyle.shaping)
  const width = libreOffice.leaderWidth({
    available: start - from,
    count,
    natural,
    size: textStyle.shaping.size,
  })
  const spread = count > 1 ? (width - count * natural) / (count - 1) : 0
  const letterSpacing = (textStyle.shaping.letterSpacing ?? 0) + spread
  const run = shape(character.repeat(count), { ...textStyle.shaping, letterSpacing, ligatures: false })
  const x = request.style.rightToLeft ? request.width - from - run.width : from
  items.push({ x, y: -textStyle.rise, item: { kind: 'glyphs', run, colour: textStyle.colour } })
}
