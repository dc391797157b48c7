/**
 * Divides a page into regions in reading order: between gutters, from top to bottom and from the first column to the
 * last. A gutter divides a region into the part above it, its two sides, and the part below it, and each of them may
 * be divided again.
 */
import { maxOf, minOf } from '../../../../shared/extremes.ts'
import { type Box, guttersBetween } from './gutters.ts'
import { readsFromRight } from './reading-order.ts'
import { areColumns, type InkBox, type InkRow, inkRows, rowsAcross } from './side-by-side.ts'
import { splitAt } from './split-positions.ts'
import type { TextPosition } from './text-positions.ts'

/** Content that is not text, such as a picture or a table. */
export interface PageBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Region<C extends PageBox = PageBox> {
  readonly positions: readonly TextPosition[]
  readonly contents: readonly C[]
}

/** Lines on a page that no region extends across, in points. */
export interface Barrier {
  readonly y: number
  readonly x: number
  readonly right: number
}

/** Minimum width of a gutter, in font sizes. */
const minGutter = 0.55
const minLines = 3
const maxDepth = 16
const maxCandidates = 16
/** Maximum work on one page, in boxes examined. */
const maxWork = 1_000_000
const maxCoordinate = 1e6
/** Content behind more than this fraction of the words is a background. */
const background = 0.25
const maxSample = 500 // words

interface Page<C extends PageBox> {
  readonly barriers: readonly Box[]
  readonly backgrounds: ReadonlySet<C>
  readonly fromRight: boolean
  work: number
}

export function regionsOf<C extends PageBox>(
  positions: readonly TextPosition[],
  contents: readonly C[] = [],
  barriers: readonly Barrier[] = [],
): readonly Region<C>[] {
  const page: Page<C> = {
    barriers: barriers.map(({ x, y, right }) => ({ x, right, y: y - 0.5, bottom: y + 0.5 })),
    backgrounds: new Set(contents.filter((content) => isBackground(content, positions))),
    fromRight: readsFromRight(positions.map(({ text }) => text).join(' ')),
    work: 0,
  }
  return parted({ positions, contents }, page, 0)
}

function isBackground(content: PageBox, positions: readonly TextPosition[]): boolean {
  const step = Math.ceil(positions.length / maxSample)
  const some = step > 1 ? positions.filter((_, at) => at % step === 0) : positions
  const covered = some.filter((position) => {
    const [x, y] = [position.x + position.width / 2, position.y + position.height / 2]
    return x > content.x && x < content.x + content.width && y > content.y && y < content.y + content.height
  })
  return covered.length > some.length * background
}

function parted<C extends PageBox>(region: Region<C>, page: Page<C>, depth: number): readonly Region<C>[] {
  const gutter = depth < maxDepth ? gutterOf(region, page) : undefined
  if (gutter === undefined) return [region]
  const { above, left, right, below } = splitBy(region, gutter)
  const [first, second] = page.fromRight ? [right, left] : [left, right]
  return [above, first, second, below]
    .filter(({ positions, contents }) => positions.length > 0 || contents.length > 0)
    .flatMap((region) => parted(region, page, depth + 1))
}

/** The gutter that separates columns over the most lines. */
function gutterOf<C extends PageBox>(region: Region<C>, page: Page<C>): Box | undefined {
  const ink = inkOf(region, page)
  if (ink.length < minLines * 2) return undefined
  const size = medianOf(ink.map((box) => box.size))
  page.work += ink.length * 2
  const [left, right] = [minOf(ink.map(({ x }) => x)), maxOf(ink.map((box) => box.right))]
  const barriers = page.barriers.filter((barrier) => barrier.right > left && barrier.x < right)
  const limits = { minWidth: size * minGutter, minHeight: size * minLines, lineHeight: size }
  const strips = guttersBetween([...ink, ...barriers], limits)
  let best: { readonly gutter: Box; readonly score: number } | undefined
  for (const strip of strips.slice(0, maxCandidates)) {
    page.work += ink.length
    if (page.work > maxWork) return undefined
    const candidate = scoreColumns(strip, ink, size)
    if (candidate !== undefined && candidate.score > (best?.score ?? 0)) best = candidate
  }
  return best?.gutter
}

function scoreColumns(
  strip: Box,
  ink: readonly InkBox[],
  size: number,
): { readonly gutter: Box; readonly score: number } | undefined {
  const atHeight = ink.filter((box) => isBetween((box.y + box.bottom) / 2, strip))
  const sides = {
    left: inkRows(atHeight.filter((box) => box.right <= strip.x + 0.01)),
    right: inkRows(atHeight.filter((box) => box.x >= strip.right - 0.01)),
  }
  const gutter = trimmed(withoutTables(strip, sides.left, sides.right), sides.left, sides.right)
  const inside = (rows: readonly InkRow[]) =>
    rows.filter((row) => isBetween((row.y + row.bottom) / 2, gutter))
  const [left, right] = [inside(sides.left), inside(sides.right)]
  if (left.length === 0 || right.length === 0 || !areColumns(left, right, gutter, size)) return undefined
  const cut = endOfSection(left, right, gutter) ?? gutter
  return { gutter: cut, score: (left.length + right.length) * Math.min(gutter.right - gutter.x, size * 2) }
}

const isBetween = (value: number, { y, bottom }: Box): boolean => value > y && value < bottom

/** The gutter up to the first table that spans both columns, or after it when it begins with one. */
function withoutTables(strip: Box, left: readonly InkRow[], right: readonly InkRow[]): Box {
  let { y, bottom } = strip
  for (const range of rowsAcross(left, right)) {
    const isFirst = ![...left, ...right].some((row) => row.y > y && row.bottom < range.y)
    if (!isFirst) {
      bottom = range.y - 0.5
      break
    }
    y = range.bottom + 0.5
  }
  return { ...strip, y, bottom }
}

/** Up to two separate lines above or below both columns belong to neither. */
function trimmed(strip: Box, left: readonly InkRow[], right: readonly InkRow[]): Box {
  let { y, bottom } = strip
  for (const [rows, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const [first, last] = [other[0], other.at(-1)]
    if (first === undefined || last === undefined) continue
    const before = rows.filter((row) => row.bottom < first.y)
    const next = rows[before.length]
    const end = before.at(-1)
    if (
      before.length <= 2 &&
      end !== undefined &&
      next !== undefined &&
      next.y - end.bottom > gapIn(rows) + end.size * 0.3
    )
      y = Math.max(y, (end.bottom + Math.min(next.y, first.y)) / 2)
    const lowest = maxOf(other.slice(-3).map((row) => row.bottom))
    const after = rows.filter((row) => row.y > lowest)
    const above = rows.at(-after.length - 1)
    const start = after[0]
    if (
      after.length <= 2 &&
      start !== undefined &&
      above !== undefined &&
      start.y - above.bottom > start.size * 1.2
    )
      bottom = Math.min(bottom, (start.y + Math.max(above.bottom, lowest)) / 2)
  }
  return { ...strip, y, bottom }
}

/** The typical distance between the boxes of two lines, in points. */
function gapIn(rows: readonly InkRow[]): number {
  return medianOf(rows.slice(1).map((row, at) => Math.max(row.y - (rows[at] as InkRow).bottom, 0)))
}

/**
 * A heading above both columns is often short enough to fit in the first one. Both columns end at the same height
 * before it, and begin at the same height after it. Returns the gutter up to that height.
 */
function endOfSection(left: readonly InkRow[], right: readonly InkRow[], gutter: Box): Box | undefined {
  for (const [first, other] of [
    [left, right],
    [right, left],
  ] as const)
    for (const [at, row] of first.entries()) {
      const [above, below] = [first[at - 1], first[at + 1]]
      if (above === undefined || below === undefined || row.kind === 'content') continue
      const { size } = row
      if (row.y - above.bottom < -0.2 * size || row.size <= above.size * 1.08) continue
      const next = other.findIndex((each) => each.bottom > row.y)
      const [end, start] = [other[next - 1], other[next]]
      if (end === undefined || start === undefined || start.y < row.bottom) continue
      const isLevel =
        Math.abs(start.y - below.y) < below.size * 0.5 && above.bottom - end.bottom > -above.size * 0.3
      if (isLevel && above.bottom - end.bottom < above.size * 2.6)
        return { ...gutter, bottom: (Math.max(above.bottom, end.bottom) + row.y) / 2 }
    }
  return undefined
}

function splitBy<C extends PageBox>(
  { positions, contents }: Region<C>,
  gutter: Box,
): Readonly<Record<'above' | 'left' | 'right' | 'below', Region<C>>> {
  const middle = (gutter.x + gutter.right) / 2
  const split = {
    above: { positions: [] as TextPosition[], contents: [] as C[] },
    left: { positions: [] as TextPosition[], contents: [] as C[] },
    right: { positions: [] as TextPosition[], contents: [] as C[] },
    below: { positions: [] as TextPosition[], contents: [] as C[] },
  }
  const regionAt = (x: number, y: number) => {
    if (y <= gutter.y) return 'above'
    if (y >= gutter.bottom) return 'below'
    return x < middle ? 'left' : 'right'
  }
  for (const position of positions) {
    const y = position.y + position.height / 2
    const parts = isBetween(y, gutter) ? splitAt(position, [middle]) : [position]
    for (const part of parts) split[regionAt(part.x + part.width / 2, y)].positions.push(part)
  }
  for (const content of contents)
    split[regionAt(content.x + content.width / 2, content.y + content.height / 2)].contents.push(content)
  return split
}

function inkOf<C extends PageBox>({ positions, contents }: Region<C>, page: Page<C>): readonly InkBox[] {
  const ink: InkBox[] = []
  for (const { x, y, width, height, size, text, words } of positions) {
    const bottom = y + height
    if (words === undefined)
      ink.push({ x, right: x + width, y, bottom, size, letters: text.length, kind: 'word' })
    else
      for (const word of words)
        ink.push({ ...word, y, bottom, size, letters: word.to - word.from, kind: 'word' })
  }
  for (const content of contents) {
    if (page.backgrounds.has(content)) continue
    const { x, y, width, height } = content
    ink.push({ x, right: x + width, y, bottom: y + height, size: 10, letters: 0, kind: 'content' })
  }
  return ink.filter(
    ({ x, right, y, bottom, size }) =>
      [x, right, y, bottom].every((value) => Math.abs(value) < maxCoordinate) &&
      right > x &&
      bottom > y &&
      size > 0,
  )
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 10
}
