/**
 * Pictures made of lines and text rather than of pixels: SVG, EMF, WMF and SVM. A reader turns one into placed items in its
 * own units; `fitVector` scales them into the box of the picture.
 */
import type { DocumentFonts } from '../fonts/font-book.ts'
import type { Matrix, Placed, Pt } from '../layout/frame.ts'
import { shape } from '../text/shape.ts'

export interface VectorPicture {
  /** Natural size, pt. */
  readonly width: Pt
  readonly height: Pt
  /** Items in a box of the size `space`, which is scaled to the size of the picture in the document. */
  readonly items: readonly Placed[]
  readonly space: { readonly width: number; readonly height: number }
  /** Kinds of content that were omitted, for a warning. */
  readonly ignored: ReadonlySet<string>
}

export interface VectorTools {
  readonly fonts: DocumentFonts
  /** Throws after the deadline. Called with the steps of work since the previous call, at least once for each item that is drawn. */
  readonly check: (steps?: number) => void
}

/** Maximum number of items of one picture: far more than any chart has, and few enough for an isolate of 128 MB. */
export const maxItems = 60_000
export const maxDepth = 64

/** The picture in a box of the given size. */
export function fitVector({ items, space }: VectorPicture, width: Pt, height: Pt): Placed {
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

/** One line of text whose baseline begins at (0, 0), as one run for each font face it needs. */
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
