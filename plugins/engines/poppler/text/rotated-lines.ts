/** Text that does not run from left to right: rotated by a quarter turn or upside down. */

/**
 * A line of such text, as Poppler returns it in fragments: with a width of zero for vertical text and a negative one
 * for text upside down.
 */
export interface RotatedLine {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly text: string
  readonly kind: 'side' | 'head'
}

/** Adds a fragment to the line that it continues, or as a new line. */
export function addRotatedText(
  lines: RotatedLine[],
  segment: Omit<RotatedLine, 'kind'> & { readonly size: number },
): void {
  const { x, y, width, height, text, size } = segment
  const kind = width < 0 ? 'head' : 'side'
  const last = lines.at(-1)
  const isNear = last !== undefined && last.kind === kind && gapOf(last, segment, kind) < size * 3
  const left = x + Math.min(width, 0)
  if (!isNear) {
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

/** The distance of a fragment from the end of a line; infinite when it is in another line. */
function gapOf(
  line: RotatedLine,
  segment: Pick<RotatedLine, 'x' | 'y' | 'height'>,
  kind: RotatedLine['kind'],
): number {
  if (kind === 'head')
    return Math.abs(line.y - segment.y) < 1 ? Math.abs(line.x - segment.x) : Number.POSITIVE_INFINITY
  if (Math.abs(line.x - segment.x) >= 1) return Number.POSITIVE_INFINITY
  return Math.min(Math.abs(line.y - segment.y), Math.abs(line.y + line.height - segment.y))
}
