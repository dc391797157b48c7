/** Text that does not run from left to right: turned on its side, or upside down. */

/** One line of it, as poppler gives it in pieces: a width of nothing for what goes up or down, less than that for what stands on its head. */
export interface AsideLine {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly text: string
  readonly kind: 'side' | 'head'
}

/** Adds a piece to the line that it goes on with, or as a line of its own. */
export function addAside(
  lines: AsideLine[],
  piece: Omit<AsideLine, 'kind'> & { readonly size: number },
): void {
  const { x, y, width, height, text, size } = piece
  const kind = width < 0 ? 'head' : 'side'
  const last = lines.at(-1)
  const near = last !== undefined && last.kind === kind && gapOf(last, piece, kind) < size * 3
  const left = x + Math.min(width, 0)
  if (!near) {
    lines.push({ x: left, y, width: Math.abs(width), height, text, kind })
    return
  }
  const x0 = Math.min(last.x, left)
  const y0 = Math.min(last.y, y)
  lines[lines.length - 1] = {
    kind,
    x: x0,
    y: y0,
    width: Math.max(last.x + last.width, x) - x0,
    height: Math.max(last.y + last.height, y + height) - y0,
    text: `${last.text}${text}`,
  }
}

/** How far a piece stands from the end of a line; infinite where it stands in another one. */
function gapOf(
  line: AsideLine,
  piece: Pick<AsideLine, 'x' | 'y' | 'height'>,
  kind: AsideLine['kind'],
): number {
  if (kind === 'head')
    return Math.abs(line.y - piece.y) < 1 ? Math.abs(line.x - piece.x) : Number.POSITIVE_INFINITY
  if (Math.abs(line.x - piece.x) >= 1) return Number.POSITIVE_INFINITY
  return Math.min(Math.abs(line.y - piece.y), Math.abs(line.y + line.height - piece.y))
}
