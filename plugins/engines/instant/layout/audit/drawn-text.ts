import type { Inline } from '../../../../../shared/document/content.ts'
import { isLetter } from '../../../../../shared/document/letters.ts'
import type { Frame, GlyphRun, GroupItem, Item, Matrix, Page, Pt } from '../frame.ts'

export interface TextBounds {
  readonly left: Pt
  readonly top: Pt
  readonly right: Pt
  readonly bottom: Pt
}

/**
 * The runs of glyphs on a page that belong to paragraphs and contain letters, in the order they are painted.
 * The lists are parallel and are reused for the next page, so that auditing thousands of runs allocates no
 * objects.
 */
export interface DrawnRuns {
  count: number
  readonly runs: GlyphRun[]
  readonly inlines: (readonly Inline[])[]
  /**
   * The left, top, right and bottom of each run on the page: from the baseline up to about the height of
   * lower-case letters, the part that must be visible for the run to be read.
   */
  boxes: Float64Array
  /** The number of letters in each run, and how many of them are visible. */
  readonly letters: number[]
  readonly visible: number[]
  /** Whether a run goes up or down the page, after a quarter turn. */
  readonly turned: boolean[]
  /**
   * Whether a run is excluded from the comparison with others: it is drawn at a slant, or the document itself
   * puts it over or under other text.
   */
  readonly excluded: boolean[]
}

export const createRuns = (): DrawnRuns => ({
  count: 0,
  runs: [],
  inlines: [],
  boxes: new Float64Array(1024),
  letters: [],
  visible: [],
  turned: [],
  excluded: [],
})

/** The height of lower-case letters above the baseline as a fraction of the font size. */
const comparedHeight = 0.5

/**
 * Lists the text of a page, replacing the contents of `runs`.
 *
 * overlaid  drawings that the document itself puts over or under its text
 */
export function listText({ frame }: Page, overlaid: ReadonlySet<Item>, runs: DrawnRuns): void {
  runs.count = 0
  const clip = { left: 0, top: 0, right: frame.width, bottom: frame.height }
  walk(frame, { x: 0, y: 0, matrix: undefined, clip, overlaid: undefined }, overlaid, runs)
}

/** The position of a frame on the page and the part of it that is visible. */
interface FrameSpace {
  /** The page coordinates of the top left of the frame. */
  readonly x: Pt
  readonly y: Pt
  /** The rotation and scaling of the frame around its top left. */
  readonly matrix: Matrix | undefined
  readonly clip: TextBounds
  /** The box of the overlaid drawing that the frame belongs to. */
  readonly overlaid: TextBounds | undefined
}

/** `around`: the inlines of the paragraph that the frame is a part of. */
function walk(
  frame: Frame,
  space: FrameSpace,
  overlaid: ReadonlySet<Item>,
  runs: DrawnRuns,
  around?: readonly Inline[],
): void {
  let inlines = around
  for (const { x, y, item } of frame.items) {
    if (item.kind === 'paragraph') ({ inlines } = item)
    else if (item.kind === 'group') {
      if (item.frame.items.length > 0)
        walk(
          item.frame,
          inside(space, x, y, item, overlaid.has(item)),
          overlaid,
          runs,
          item.field === undefined ? undefined : inlines,
        )
    } else if (item.kind === 'glyphs' && inlines !== undefined) {
      const letters = countLetters(item.run.text)
      if (letters === 0) continue
      const index = runs.count++
      runs.runs[index] = item.run
      runs.inlines[index] = inlines
      runs.letters[index] = letters
      measure(runs, index, x, y, space)
      if (overlaid.size > 0 && overlaid.has(item)) runs.excluded[index] = true
    }
  }
}

function inside(space: FrameSpace, x: Pt, y: Pt, item: GroupItem, starts: boolean): FrameSpace {
  const { frame, transform } = item
  let { matrix } = space
  let [left, top] = moved(space, x, y)
  if (transform !== undefined) {
    const [a, b, c, d, e, f] = transform
    ;[left, top] = moved(space, x + e, y + f)
    matrix = matrix === undefined ? [a, b, c, d, 0, 0] : product(matrix, a, b, c, d)
  }
  const outer: FrameSpace = { x: left, y: top, matrix, clip: space.clip, overlaid: undefined }
  const cuts = item.clip && item.clipPath === undefined
  const isOverlaid = starts || space.overlaid !== undefined
  if (!cuts && !isOverlaid) return outer
  const box = boxOf(outer, 0, 0, frame.width, frame.height)
  return {
    ...outer,
    clip: cuts ? common(space.clip, box) : space.clip,
    overlaid: isOverlaid ? box : undefined,
  }
}

/** Records the box of a run, how many of its letters are visible, and whether it is compared with others. */
function measure(list: DrawnRuns, index: number, x: Pt, y: Pt, space: FrameSpace): void {
  const run = list.runs[index]!
  const { matrix, clip, overlaid } = space
  const height = run.size * comparedHeight
  let [left, bottom] = [space.x + x, space.y + y]
  let [top, right] = [bottom - height, left + run.width]
  if (matrix !== undefined) ({ left, top, right, bottom } = boxOf(space, x, y - height, run.width, height))
  if (list.boxes.length < index * 4 + 4) list.boxes = grown(list.boxes)
  const { boxes } = list
  boxes[index * 4] = left
  boxes[index * 4 + 1] = top
  boxes[index * 4 + 2] = right
  boxes[index * 4 + 3] = bottom
  const isHorizontal = matrix === undefined || (matrix[1] === 0 && matrix[2] === 0 && matrix[0] > 0)
  const isTurned = matrix !== undefined && isQuarterTurn(matrix)
  list.turned[index] = isTurned
  const isFullyVisible = right > left && bottom > top && isInside(clip, left, top, right, bottom)
  list.visible[index] = isFullyVisible
    ? (list.letters[index] ?? 0)
    : isTurned
      ? countSeenAlong(run, { left, top, right, bottom }, clip)
      : countSeen(run, { left, top, right, bottom }, isHorizontal, clip)
  list.excluded[index] =
    !(isHorizontal || isTurned) ||
    (overlaid !== undefined && meets(overlaid, { left, top, right, bottom })) ||
    list.visible[index] === 0
}

function grown(boxes: Float64Array): Float64Array {
  const more = new Float64Array(boxes.length * 2)
  more.set(boxes)
  return more
}

/**
 * Counts the letters of a run that are at least partly inside the clip. A run that is cut to less than half its
 * height cannot be read and counts as invisible.
 */
function countSeen(run: GlyphRun, box: TextBounds, level: boolean, clip: TextBounds): number {
  const height = box.bottom - box.top
  const tall = Math.min(box.bottom, clip.bottom) - Math.max(box.top, clip.top)
  if (tall <= 0 || tall < height / 2) return 0
  if (box.right <= clip.left || box.left >= clip.right) return 0
  const { advances, clusters, text } = run
  if (!level || run.width <= 0) return countLetters(text)
  const scale = (box.right - box.left) / run.width
  let letterX = box.left
  let seen = 0
  for (let i = 0; i < advances.length; i++) {
    const end = letterX + (advances[i] ?? 0) * scale
    if (isLetter(text.charCodeAt(clusters[i] ?? 0)) && end > clip.left && letterX < clip.right) seen++
    letterX = end
  }
  // A cluster of several characters has one glyph, so when nothing is cut count the characters instead.
  return box.left >= clip.left && box.right <= clip.right ? countLetters(text) : seen
}

/** Turns of 90 and 270 degrees have a cosine that is 0 but for rounding. */
const isQuarterTurn = ([a, b, c, d]: Matrix): boolean =>
  Math.abs(a) < 1e-6 && Math.abs(d) < 1e-6 && b !== 0 && c !== 0

/** The same for a run that goes up or down the page: its share between the top and the bottom of the clip. */
function countSeenAlong({ text }: GlyphRun, box: TextBounds, clip: TextBounds): number {
  const wide = Math.min(box.right, clip.right) - Math.max(box.left, clip.left)
  if (wide <= 0 || wide < (box.right - box.left) / 2) return 0
  const tall = Math.min(box.bottom, clip.bottom) - Math.max(box.top, clip.top)
  return tall <= 0 ? 0 : Math.ceil(countLetters(text) * Math.min(1, tall / (box.bottom - box.top)))
}

/** Counts what leaves ink, in UTF-16 code units: no white space, no directional marks, no soft hyphens. */
export function countLetters(text: string): number {
  let count = 0
  for (let i = 0; i < text.length; i++) if (isLetter(text.charCodeAt(i))) count++
  return count
}

function moved({ x, y, matrix }: FrameSpace, dx: Pt, dy: Pt): [Pt, Pt] {
  if (matrix === undefined) return [x + dx, y + dy]
  return [x + matrix[0] * dx + matrix[2] * dy, y + matrix[1] * dx + matrix[3] * dy]
}

/** The product of two matrices without translation: a, b, c, d applies first, then `outer`. */
const product = (outer: Matrix, a: number, b: number, c: number, d: number): Matrix => [
  outer[0] * a + outer[2] * b,
  outer[1] * a + outer[3] * b,
  outer[0] * c + outer[2] * d,
  outer[1] * c + outer[3] * d,
  0,
  0,
]

/** The bounding box, on the page, of a box given in the coordinates of the frame. */
function boxOf(space: FrameSpace, left: Pt, top: Pt, width: Pt, height: Pt): TextBounds {
  const [x, y] = moved(space, left, top)
  const { matrix } = space
  if (matrix === undefined) return { left: x, top: y, right: x + width, bottom: y + height }
  const across = [matrix[0] * width, matrix[2] * height]
  const down = [matrix[1] * width, matrix[3] * height]
  const below = (by: readonly number[]): number => by.reduce((sum, value) => sum + Math.min(0, value), 0)
  const above = (by: readonly number[]): number => by.reduce((sum, value) => sum + Math.max(0, value), 0)
  return {
    left: x + below(across),
    top: y + below(down),
    right: x + above(across),
    bottom: y + above(down),
  }
}

const common = (a: TextBounds, b: TextBounds): TextBounds => ({
  left: Math.max(a.left, b.left),
  top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right),
  bottom: Math.min(a.bottom, b.bottom),
})

/** Letters may stick out of the clip by this many points, so that rounding does not count as clipping. */
const tolerance = 0.5

const isInside = (clip: TextBounds, left: Pt, top: Pt, right: Pt, bottom: Pt): boolean =>
  left >= clip.left - tolerance &&
  top >= clip.top - tolerance &&
  right <= clip.right + tolerance &&
  bottom <= clip.bottom + tolerance

const meets = (a: TextBounds, b: TextBounds): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
