/**
 * Pictures made of lines and text rather than of pixels: SVG, EMF and WMF. A reader turns one into placed items in its
 * own units; whoever places the picture scales them into its box.
 */
import type { DocumentFonts } from '../fonts/font-book.ts'
import type { Matrix, Placed, Pt } from '../layout/frame.ts'
import { shape } from '../text/shape.ts'

export interface VectorPicture {
  /** Natural size, pt. */
  readonly width: Pt
  readonly height: Pt
  /** In a box of `space`, which is scaled to the size wanted. */
  readonly items: readonly Placed[]
  readonly space: { readonly width: number; readonly height: number }
  /** Kinds of things that were left out, for a warning. */
  readonly ignored: ReadonlySet<string>
}

export interface VectorTools {
  readonly fonts: DocumentFonts
  /** Throws when time is up. Called for each thing drawn. */
  readonly check: () => void
}

/** Things one picture may draw: far above any chart, far below what would stop a service. */
export const mostItems = 200_000
export const mostDepth = 64

/** The picture in a box of the given size. */
export function placeVector({ items, space }: VectorPicture, width: Pt, height: Pt): Placed {
  const { width: across, height: down } = space
  const transform: Matrix = [width / across, 0, 0, height / down, 0, 0]
  return {
    x: 0,
    y: 0,
    item: { kind: 'group', frame: { width: across, height: down, items }, clip: true, transform },
  }
}

export interface VectorText {
  readonly text: string
  readonly family: string
  readonly size: number
  readonly bold: boolean
  readonly italic: boolean
  readonly colour: number
  readonly opacity?: number
  readonly letterSpacing?: number
}

/** One line of text from (0, 0) on its baseline, in as many runs as it needs faces. */
export function drawLine(line: VectorText, { fonts }: VectorTools): { items: Placed[]; width: number } {
  const first = fonts.face(line.family, line.bold, line.italic)
  const items: Placed[] = []
  let x = 0
  for (const { start, end, face } of fonts.runs(line.text, first)) {
    const spacing = line.letterSpacing === undefined ? {} : { letterSpacing: line.letterSpacing }
    const run = shape(line.text.slice(start, end), {
      face,
      size: line.size,
      ...spacing,
      complex: fonts.complex,
    })
    const faint = line.opacity === undefined ? {} : { opacity: line.opacity }
    items.push({ x, y: 0, item: { kind: 'glyphs', run, colour: line.colour, ...faint } })
    x += run.width
  }
  return { items, width: x }
}

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** First `inner`, then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer
  const [g, h, i, j, k, l] = inner
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}
