/** Bullets that a program drew as shapes, converted to characters. */
import { linesOf } from './lines.ts'
import type { Dot } from './rulings.ts'
import type { PageText, TextPosition } from './text-positions.ts'

/** Fractions of the font size: the distance of a bullet from the text, and its size. */
const gap = { min: 0.15, max: 3.5 }
const relativeSize = { min: 0.12, max: 0.9 }

/**
 * A dot before the first word of a line, at half the height of its letters, with nothing on its other side.
 */
export function withBullets(page: PageText): PageText {
  const { dots = [], positions } = page
  if (dots.length === 0) return page
  const segments = linesOf(positions).flatMap((line) =>
    line.segments.map((segment, at) => ({
      first: segment.positions[0] as TextPosition,
      before: line.segments[at - 1]?.right ?? 0,
    })),
  )
  const bullets = segments.flatMap(({ first, before }) => {
    const candidates = dots.filter((dot) => dot.x > before && leads(dot, first))
    const [only] = candidates
    return only === undefined || candidates.length > 2 ? [] : [bulletOf(only, first)]
  })
  return bullets.length === 0 ? page : { ...page, positions: [...positions, ...bullets] }
}

function leads(
  { x, y, width, height }: Dot,
  { x: start, y: top, height: tall, size }: TextPosition,
): boolean {
  const [distance, middle] = [start - x - width, y + height / 2]
  const large = Math.max(width, height)
  return (
    distance > size * gap.min &&
    distance < size * gap.max &&
    large > size * relativeSize.min &&
    large < size * relativeSize.max &&
    Math.abs(middle - (top + tall / 2)) < tall * 0.3
  )
}

function bulletOf({ x, width }: Dot, { y, height, size }: TextPosition): TextPosition {
  return { x, width, y, height, size, text: '•', inlines: [{ kind: 'text', text: '•', style: {} }] }
}
