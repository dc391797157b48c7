/** Bullets that a program drew as shapes, as the characters they stand for. */
import { linesOf } from './lines.ts'
import type { Mark, PageMarks } from './marks.ts'
import type { Dot } from './rulings.ts'

/** Shares of the size of the text: how far a bullet stands from it, and how large it is. */
const gap = { least: 0.15, most: 3.5 }
const side = { least: 0.12, most: 0.9 }

/** A dot before the first word of a line, at the middle of its letters, with nothing on its other side. */
export function withBullets(page: PageMarks): PageMarks {
  const { dots = [], marks } = page
  if (dots.length === 0) return page
  const pieces = linesOf(marks).flatMap((line) =>
    line.pieces.map((piece, at) => ({
      first: piece.marks[0] as Mark,
      before: line.pieces[at - 1]?.right ?? 0,
    })),
  )
  const bullets = pieces.flatMap(({ first, before }) => {
    const found = dots.filter((dot) => dot.x > before && leads(dot, first))
    const [only] = found
    return only === undefined || found.length > 2 ? [] : [bulletOf(only, first)]
  })
  return bullets.length === 0 ? page : { ...page, marks: [...marks, ...bullets] }
}

function leads({ x, y, width, height }: Dot, { x: start, y: top, height: tall, size }: Mark): boolean {
  const [apart, middle] = [start - x - width, y + height / 2]
  const large = Math.max(width, height)
  return (
    apart > size * gap.least &&
    apart < size * gap.most &&
    large > size * side.least &&
    large < size * side.most &&
    Math.abs(middle - (top + tall / 2)) < tall * 0.3
  )
}

function bulletOf({ x, width }: Dot, { y, height, size }: Mark): Mark {
  return { x, width, y, height, size, text: '•', inlines: [{ kind: 'text', text: '•', style: {} }] }
}
