/**
 * Counts the numbers of one text of a drawing. A list continues over deeper levels, and ends at any other label of its level.
 * Observed in LibreOffice.
 */
export class ListCounter {
  readonly #levels: ({ readonly scheme: string; readonly start: number; value: number } | undefined)[] = []

  /** The next number of a level, counted from 0; `restart` is the number that the paragraph declares. */
  next(level: number, scheme: string, start: number, restart?: number): number {
    this.#levels.length = Math.min(this.#levels.length, level + 1)
    const counted = this.#levels[level]
    const isContinued = counted?.scheme === scheme && counted.start === start
    const value = restart ?? (isContinued ? counted.value + 1 : start)
    this.#levels[level] = { scheme, start, value }
    return value
  }

  /** Handles a paragraph without a number. */
  interrupt(level: number): void {
    this.#levels.length = Math.min(this.#levels.length, level)
  }
}
