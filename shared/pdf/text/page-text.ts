import { joinVisual } from './visual-order.ts'

/** Collects shown strings into lines, with a space for each gap. Positions are in the units of the page. */
export class PageText {
  /** The number of characters that may still be added. */
  private left: number
  private readonly lines: string[] = []
  private line = ''
  /** Whether the line is empty or ends in a space. Looking at the line itself would take time that grows with it. */
  private isAtSpace = true
  /** The end of the last string. */
  private end: { readonly x: number; readonly y: number; readonly size: number } | undefined

  constructor(maxCharacters: number) {
    this.left = maxCharacters
  }

  get isFull(): boolean {
    return this.left <= 0
  }

  /** Adds a string. `size` is the font size on the page. An empty text only moves the position. */
  add(text: string, from: { readonly x: number; readonly y: number }, toX: number, size: number): void {
    const { end } = this
    if (text !== '' && end !== undefined) {
      const height = Math.max(end.size, size, 1)
      const gap = from.x - end.x
      if (Math.abs(from.y - end.y) > height * lineStep) this.newLine()
      else if (Math.abs(gap) > height * wordGap) this.put(' ')
    }
    this.put(text)
    this.end = { x: toX, y: from.y, size }
  }

  text(): string {
    this.newLine()
    return this.lines.join('\n')
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

/** In units of the font size: a difference of baselines larger than that of a superscript, and a gap that separates words. */
const [lineStep, wordGap] = [0.6, 0.2]
