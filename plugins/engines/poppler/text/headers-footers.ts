/** Detects headers and footers: content that most pages repeat at their top or bottom. */
import { maxOf, minOf } from '../../../../shared/extremes.ts'
import { linesOf, type PdfLine, textOfLine } from './lines.ts'
import type { PageText, TextPosition } from './text-positions.ts'

/** Fractions of the page height that are searched for repeated letterheads and page numbers. */
const edge = 0.12
const tolerance = 3
/**
 * Minimum fraction of the pages that have the same line or picture. Left and right pages may have headers of their
 * own.
 */
const minPages = 0.6
const minParityPages = 0.8

/**
 * Removes the text that most pages have at the same position, ignoring numbers, and returns the rest of each page.
 */
export function withoutRunning(pages: readonly PageText[]): readonly PageText[] {
  if (pages.length < 2) return pages
  const seen = new Map<string, PagesOfLine>()
  const keysOf = (page: PageText) =>
    linesOf(page.positions.filter(edgesOf(page))).map((line) => ({
      line,
      key: keyOf(line),
    }))
  const all = pages.map(keysOf)
  for (const [at, page] of all.entries())
    for (const key of new Set(page.map((line) => line.key))) {
      const { left, right } = seen.get(key) ?? { left: 0, right: 0 }
      seen.set(key, at % 2 === 0 ? { left, right: right + 1 } : { left: left + 1, right })
    }
  const pictureKeys = pages.map((page) => new Set(page.pictures.map(pictureKey)))
  return pages.map((page, at) => {
    const running = (all[at] ?? []).filter(
      ({ key, line }) =>
        isRunning(key, seen.get(key), pages.length) ||
        (pages.length === 2 && isNumbered(line, key, all[1 - at] ?? [], at === 0 ? 1 : -1)),
    )
    const repeated = new Set(
      running.flatMap(({ line }) => line.segments.flatMap((segment) => segment.positions)),
    )
    return {
      ...page,
      positions: page.positions.filter((position) => !repeated.has(position)),
      pictures: picturesOf(page, at),
    }
  })

  /** The picture of a letterhead is kept on the first page that has it. */
  function picturesOf({ pictures }: PageText, at: number): PageText['pictures'] {
    return pictures.filter((picture) => {
      const key = pictureKey(picture)
      const same = pictureKeys.map((page) => page.has(key))
      return same.filter(Boolean).length < Math.max(3, pages.length * minPages) || same.indexOf(true) === at
    })
  }
}

/** The number of left and right pages that have a line; the first page is a right one. */
interface PagesOfLine {
  readonly left: number
  readonly right: number
}

function isRunning(key: string, pages: PagesOfLine | undefined, count: number): boolean {
  if (pages === undefined) return false
  const { left, right } = pages
  if (left + right >= Math.max(3, count * minPages)) return true
  // Charts and totals on every other page are not headers of left pages.
  const [times, all] = left === 0 ? [right, Math.ceil(count / 2)] : [left, Math.floor(count / 2)]
  return (left === 0 || right === 0) && times >= Math.max(3, all * minParityPages) && /\p{L}{2}/u.test(key)
}

/** Whether the other one of two pages has the same line with the next or previous number. */
function isNumbered(
  line: PdfLine,
  key: string,
  linesOfOther: readonly { readonly line: PdfLine; readonly key: string }[],
  step: number,
): boolean {
  const numberOf = (pdfLine: PdfLine) => /(?<!\d)\d{1,4}(?!\d)/.exec(textOfLine(pdfLine))?.[0]
  const number = numberOf(line)
  return (
    number !== undefined &&
    linesOfOther.some((other) => other.key === key && numberOf(other.line) === String(Number(number) + step))
  )
}

function pictureKey({ x, y, width, height }: PageText['pictures'][number]): string {
  return [x, y, width, height].map((measure) => Math.round(measure / tolerance)).join(' ')
}

/**
 * Returns a test for text at the top or bottom of a page, or in the first or last line of a page with wide margins.
 */
function edgesOf({ height, positions }: PageText): (position: TextPosition) => boolean {
  const top = minOf(positions.map(({ y }) => y))
  const bottom = maxOf(positions.map((position) => position.y + position.height))
  return (position) => {
    if (!/\p{L}{2}/u.test(position.text))
      return position.y < height * edge || position.y + position.height > height * (1 - edge)
    const [upper, lower] = [position.y, position.y + position.height]
    const line = position.height / 2
    return upper < Math.max(height * edge, top + line) || lower > Math.min(height * (1 - edge), bottom - line)
  }
}

function keyOf(line: PdfLine): string {
  return `${Math.round(line.y / tolerance)} ${textOfLine(line).replace(/\d+/g, '#')}`
}
