/** A text beside the contents of a page, in the units of the page. */
export interface PlacedText {
  readonly text: string
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

/**
 * Collects shown strings into lines, with a space for each gap. Positions are in the units of the page. Texts that stand beside the
 * contents, such as those of form fields, come where they stand in a line, and the others after all lines.
 */
export class PageText {
  /** The number of characters that may still be added. */
  private left: number
  private readonly lines: string[] = []
  private line = ''
  /** Whether the line is empty or ends in a space. Looking at the line itself would take time that grows with it. */
  private isAtSpace = true
  /** The end of the last string. */
  private end: { readonly x: number; readonly y: number; readonly size: number } | undefined

  private readonly placed: Set<PlacedText>

  constructor(maxCharacters: number, placed: readonly PlacedText[] = []) {
    this.left = maxCharacters
    this.placed = new Set(placed)
  }

  get isFull(): boolean {
    return this.left <= 0
  }

  /** Adds a string. `size` is the font size on the page. An empty text only moves the position. */
  add(text: string, from: { readonly x: number; readonly y: number }, toX: number, size: number): void {
    if (text !== '') {
      const height = Math.max(this.end?.size ?? 0, size, 1)
      if (this.end !== undefined && Math.abs(from.y - this.end.y) > height * lineStep) {
        const above = this.end.y
        this.endLine(height)
        this.putLines(({ left, bottom, top }) => {
          const isBetween = top <= above + height && bottom >= from.y
          return isBetween && Math.abs(left - from.x) <= height * fieldGap
        })
      }
      const [before, near] = [this.end, height * fieldGap]
      if (before === undefined)
        this.putPlaced(from.y, height, ({ right }) => Math.abs(from.x - right) <= near)
      else if (from.x > before.x)
        this.putPlaced(
          from.y,
          height,
          ({ left, right }) => left >= before.x - slack && right <= from.x + slack,
        )
      this.putGap(from.x, height)
    }
    this.put(text)
    this.end = { x: toX, y: from.y, size }
  }

  text(): string {
    this.endLine(this.end?.size ?? 1)
    this.putLines(() => true)
    return this.lines.join('\n')
  }

  /** Adds the texts beside the contents that stand on the line at `y` and where `isHere` says. */
  private putPlaced(y: number, height: number, isHere: (placed: PlacedText) => boolean): void {
    if (this.placed.size === 0) return
    const onLine = [...this.placed].filter(
      (placed) => placed.bottom <= y && y <= placed.top && isHere(placed),
    )
    for (const placed of onLine.sort((a, b) => a.left - b.left)) {
      this.placed.delete(placed)
      this.putGap(placed.left, height)
      this.put(placed.text.replaceAll('\n', ' '))
      this.end = { x: placed.right, y, size: height }
    }
  }

  /** Adds texts beside the contents as lines of their own, from the top downward. */
  private putLines(isHere: (placed: PlacedText) => boolean): void {
    if (this.placed.size === 0) return
    const here = [...this.placed].filter(isHere)
    for (const placed of here.sort((a, b) => b.top - a.top || a.left - b.left)) {
      this.placed.delete(placed)
      this.put(placed.text)
      this.newLine()
    }
  }

  /** Adds a space where the next text does not touch the last one. */
  private putGap(x: number, height: number): void {
    if (this.end !== undefined && Math.abs(x - this.end.x) > height * wordGap) this.put(' ')
  }

  private endLine(height: number): void {
    const { end } = this
    if (end !== undefined)
      this.putPlaced(end.y, height, ({ left }) => Math.abs(left - end.x) <= height * fieldGap)
    this.newLine()
    this.end = undefined
  }

  private put(text: string): void {
    const added = text.slice(0, Math.max(0, this.left))
    if (added === '' || (added === ' ' && this.isAtSpace)) return
    this.line += added
    this.left -= added.length
    this.isAtSpace = /\s$/.test(added.slice(-1))
  }

  private newLine(): void {
    const line = joinVisual(this.line).trim()
    if (line !== '') this.lines.push(line)
    this.line = ''
    this.isAtSpace = true
  }
}

/**
 * In units of the font size: a difference of baselines larger than that of a superscript, a gap that separates words, and the
 * distance from the ends of a line within which a field belongs to it.
 */
const [lineStep, wordGap, fieldGap] = [0.6, 0.2, 3]
/** By how much the box of a field may be larger than the gap in which it stands. */
const slack = 2

const rightToLeft = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc'
const runs = new RegExp(`[${rightToLeft}](?:[${rightToLeft}\\s\\p{M}\\p{P}]*[${rightToLeft}])?`, 'gu')

/** Converts right-to-left runs of a line from visual order, in which files store them, to logical order. */
function joinVisual(line: string): string {
  return line.replace(runs, (run) => [...run].reverse().join(''))
}
