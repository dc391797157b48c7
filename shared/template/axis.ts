/**
 * The positions that the rows of a template, or the cells of a row, get in the output. Before anything is written, the
 * measuring pass records the order in which template lines will be written, one event for each line. Every address of the
 * workbook is then resolved against this record. docs/decisions/template-measuring-pass.md gives the reasons.
 */
import { AppError } from '../errors/app-error.ts'

/** Lines of a template that are always written together: one row, or several rows that the file does not mention. */
export interface AxisLine {
  readonly first: number // 1-based template position
  readonly count: number
  /** The line contains the marker of a loop. It is removed, unless the loop repeats cells within it. */
  readonly marker?: boolean
}

/** Positions of lines, counted from 1. Both ends are included. */
export interface LineRange {
  readonly from: number
  readonly to: number
}

/** The value for "no iteration" in arrays that hold the index of one. */
const noIteration = -1

/**
 * The positions of the rows of one table, or of the cells of one row. `enter`, `leave` and `step` record what the
 * measuring pass does. All other methods query the result and may be called only afterwards.
 */
export class TableAxis {
  readonly #lines: readonly AxisLine[]
  readonly #limit: number
  readonly #what: 'rows' | 'columns'
  /** For each event: the index of the line, the position it was written to, and the iteration it belongs to. */
  readonly #lineOf: number[] = []
  readonly #start: number[] = []
  readonly #iterationOf: number[] = []
  /** For each iteration: the one that encloses it, its loop, and the one before it in the same run of the loop. */
  readonly #parent: number[] = []
  readonly #loopOf: number[] = []
  readonly #previous: number[] = []
  readonly #latest = new Map<number, number>() // loop -> its latest iteration
  /** For each iteration: its first event, and the one after its last; `none` while it lasts. */
  readonly #begin: number[] = []
  readonly #end: number[] = []
  /** For each loop: the template positions of all lines that it has written. */
  readonly #extents = new Map<number, { lowest: number; highest: number }>()
  /** For each line: its events in order. */
  readonly #eventsOf: number[][]
  /** The innermost iteration that has not ended. */
  #current = noIteration
  /** Where the next line is inserted. */
  #position = 1
  /** Segment trees over lines: the first and the last position that each was written to. They are built on first use. */
  #low: Float64Array | undefined
  #high: Float64Array | undefined
  /** Results of `resolve`, because a column of formulas refers to the same areas many times. */
  #cache = new Map<string, LineRange | undefined>()

  /** `lines` in ascending order, without overlaps. */
  constructor(lines: readonly AxisLine[], limit: number, what: 'rows' | 'columns') {
    this.#lines = lines
    this.#limit = limit
    this.#what = what
    this.#eventsOf = lines.map(() => [])
  }

  /** How many lines have been written so far. The number of the next event. */
  get events(): number {
    return this.#lineOf.length
  }
  /** The position after everything written so far. */
  get next(): number {
    return this.#position
  }

  // ------------------------------------------------------------------------------------------------------- recording

  /** Begins an iteration of a loop inside the current iteration. */
  enter(loop: number): void {
    const latest = this.#latest.get(loop)
    this.#previous.push(latest !== undefined && this.#parent[latest] === this.#current ? latest : noIteration)
    this.#latest.set(loop, this.#parent.length)
    this.#parent.push(this.#current)
    this.#loopOf.push(loop)
    this.#begin.push(this.#lineOf.length)
    this.#end.push(noIteration)
    this.#current = this.#parent.length - 1
  }

  /** Ends the current iteration. A call without one does nothing. */
  leave(): void {
    if (this.#current === noIteration) return
    this.#end[this.#current] = this.#lineOf.length
    this.#current = this.#parent[this.#current] ?? 0
  }

  /** Records that a line is written. Throws AppError 'template.sheet.too-large' past the last position. */
  step(lineIndex: number): void {
    const { first, count } = this.#lines[lineIndex]!
    this.#eventsOf[lineIndex]!.push(this.#lineOf.length)
    this.#lineOf.push(lineIndex)
    this.#start.push(this.#position)
    this.#iterationOf.push(this.#current)
    this.#position += count
    if (this.#position - 1 > this.#limit) {
      throw new AppError('template.sheet.too-large', { limit: this.#limit, what: this.#what })
    }
    for (let iteration = this.#current; iteration !== noIteration; iteration = this.#parent[iteration] ?? 0) {
      const loop = this.#loopOf[iteration] ?? 0
      const extent = this.#extents.get(loop)
      if (extent === undefined) this.#extents.set(loop, { lowest: first, highest: first + count - 1 })
      else if (extent.lowest > first) extent.lowest = first
      else if (extent.highest < first + count - 1) extent.highest = first + count - 1
    }
  }

  // ------------------------------------------------------------------------------------------------------ questions

  /** The position of the first line of an event; for an unknown event, the position of the next line. */
  position(event: number): number {
    return this.#start[event] ?? this.#position
  }

  /** The first event of a template position; undefined when it was never written. */
  firstEvent(template: number): number | undefined {
    const lineIndex = this.#lineAt(template)
    return lineIndex === undefined ? undefined : this.#eventsOf[lineIndex]![0]
  }

  /** All events of a template position, in order. */
  eventsOf(template: number): readonly number[] {
    const lineIndex = this.#lineAt(template)
    return lineIndex === undefined ? [] : this.#eventsOf[lineIndex]!
  }

  /**
   * Maps the template positions [from, to] to output positions, as seen from an event. The result covers the copies within
   * the innermost iteration around the event that contains the area, otherwise all copies. Undefined if none of the lines was
   * written.
   */
  resolve(from: number, to: number, event: number | undefined): LineRange | undefined {
    const iteration = event === undefined ? noIteration : this.#home(from, to, event)
    const key = `${iteration}|${from}|${to}`
    if (this.#cache.has(key)) return this.#cache.get(key)
    const resolved =
      iteration === noIteration ? this.#everywhere(from, to) : this.#inside(from, to, iteration)
    if (this.#cache.size > 20_000) this.#cache.clear()
    this.#cache.set(key, resolved)
    return resolved
  }

  /**
   * The output position of one template position, as seen from an event. The reference behaves as in a formula that is
   * filled down: from the second copy of a repeated block on, a line just above the block is a line of the previous copy.
   */
  resolveOne(position: number, event: number | undefined): LineRange | undefined {
    const iteration = event === undefined ? noIteration : (this.#iterationOf[event] ?? noIteration)
    if (iteration !== noIteration && this.#previous[iteration] !== noIteration) {
      const { lowest, highest } = this.#extents.get(this.#loopOf[iteration] ?? 0) ?? { lowest: 0, highest: 0 }
      const height = highest - lowest + 1
      if (position < lowest && position >= lowest - height) {
        const previousCopy = this.#inside(
          position + height,
          position + height,
          this.#previous[iteration] ?? 0,
        )
        if (previousCopy !== undefined) return previousCopy
      }
    }
    return this.resolve(position, position, event)
  }

  /**
   * For a line with the marker of a loop, which is never written: the last line that the loop repeated before it, as seen
   * from an event. Undefined for any other line, and for a loop without items.
   */
  endOfLoop(template: number, event: number | undefined): LineRange | undefined {
    const marker = this.#lineAt(template)
    if (marker === undefined || this.#lines[marker]!.marker !== true) return undefined
    let lineIndex = marker - 1
    while (lineIndex >= 0 && this.#lines[lineIndex]!.marker === true) lineIndex -= 1
    const line = this.#lines[lineIndex]
    if (line === undefined || line.first + line.count - 1 < template - (marker - lineIndex)) return undefined
    const lastPosition = line.first + line.count - 1
    const iteration = event === undefined ? noIteration : this.#around(lastPosition, template, event)
    const resolved =
      iteration === noIteration
        ? this.#everywhere(lastPosition, lastPosition)
        : this.#inside(lastPosition, lastPosition, iteration)
    return resolved && { from: resolved.to, to: resolved.to }
  }

  /** Whether a template position is inside a repeated block. */
  isRepeated(position: number): boolean {
    for (const { lowest, highest } of this.#extents.values())
      if (lowest <= position && position <= highest) return true
    return false
  }

  /** The output positions of the template positions [from, to], as one range for each contiguous run. */
  runs(from: number, to: number): LineRange[] {
    const events: number[] = []
    for (const lineIndex of this.#linesIn(from, to))
      for (const event of this.#eventsOf[lineIndex]!) events.push(event)
    events.sort((a, b) => a - b)
    const spans: { from: number; to: number }[] = []
    for (const event of events) {
      const span = this.#overlap(event, from, to)
      const lastSpan = spans.at(-1)
      if (lastSpan !== undefined && span.from <= lastSpan.to + 1) lastSpan.to = Math.max(lastSpan.to, span.to)
      else spans.push(span)
    }
    const tail = this.#tail(from, to)
    const lastSpan = spans.at(-1)
    if (tail !== undefined) {
      if (lastSpan !== undefined && tail.from <= lastSpan.to + 1) lastSpan.to = tail.to
      else spans.push({ ...tail })
    }
    return spans
  }

  /**
   * One range for each iteration of the innermost loop that contains [from, to], or a single one when no loop does. With
   * `outward`, one for each iteration of the loop that many levels further out, provided that its copies are contiguous.
   */
  copies(from: number, to: number, outward = 0): LineRange[] {
    let innermost = noIteration
    let narrowest = Number.POSITIVE_INFINITY
    const lastPosition = this.#lastWritten(from, to)
    for (const [loop, { lowest, highest }] of this.#extents) {
      if (lowest <= from && lastPosition <= highest && highest - lowest < narrowest) {
        innermost = loop
        narrowest = highest - lowest
      }
    }
    if (innermost === noIteration) {
      const everywhere = this.#everywhere(from, to)
      return everywhere === undefined ? [] : [everywhere]
    }
    const copies: LineRange[] = []
    const copiesByOuter = new Map<number, LineRange[]>() // by the iteration around
    this.#loopOf.forEach((loop, iteration) => {
      if (loop !== innermost) return
      const resolved = this.#inside(from, to, iteration)
      if (resolved === undefined) return
      copies.push(resolved)
      let outerIteration = iteration
      for (let n = 0; n < outward && outerIteration !== noIteration; n += 1)
        outerIteration = this.#parent[outerIteration] ?? 0
      const group = copiesByOuter.get(outerIteration)
      if (group === undefined) copiesByOuter.set(outerIteration, [resolved])
      else group.push(resolved)
    })
    // Only an area that includes the marker after the copies refers to all of them.
    if (outward === 0 || lastPosition === to) return copies
    const joined = [...copiesByOuter.values()].map((group) => ({
      from: group[0]!.from,
      to: group.at(-1)!.to,
      group,
    }))
    const isBalanced = joined.every(({ group }) =>
      group.every((span, n) => n === 0 || span.from === group[n - 1]!.to + 1),
    )
    return isBalanced ? joined.map(({ from: first, to: end }) => ({ from: first, to: end })) : copies
  }

  /** The innermost iteration around `event` whose loop contains all written lines of [from, to]. */
  #home(from: number, to: number, event: number): number {
    return this.#around(from, this.#lastWritten(from, to), event)
  }

  /** The innermost iteration around `event` whose loop contains all of [from, to]. */
  #around(from: number, to: number, event: number): number {
    let iteration = this.#iterationOf[event] ?? noIteration
    while (iteration !== noIteration) {
      const { lowest, highest } = this.#extents.get(this.#loopOf[iteration] ?? 0) ?? {
        lowest: 0,
        highest: -1,
      }
      if (lowest <= from && to <= highest) return iteration
      iteration = this.#parent[iteration] ?? 0
    }
    return noIteration
  }

  /** The end of an area without trailing lines that were never written, such as the markers of loops that end with it. */
  #lastWritten(from: number, to: number): number {
    for (let lineIndex = lineFrom(this.#lines, to); lineIndex >= 0; lineIndex -= 1) {
      const line = this.#lines[lineIndex]
      if (line === undefined || line.first > to) continue
      if (line.first + line.count - 1 < from) break
      if (this.#eventsOf[lineIndex]!.length > 0) return Math.min(to, line.first + line.count - 1)
    }
    return to
  }

  /**
   * The output range of the lines [from, to] within one iteration. Events ascend, so bisection finds its first and last.
   */
  #inside(from: number, to: number, iteration: number): LineRange | undefined {
    const begin = this.#begin[iteration] ?? 0
    const end = this.#end[iteration] === noIteration ? this.#lineOf.length : (this.#end[iteration] ?? 0)
    let low = Number.POSITIVE_INFINITY
    let high = 0
    const take = (event: number) => {
      const span = this.#overlap(event, from, to)
      if (span.from < low) low = span.from
      if (span.to > high) high = span.to
    }
    for (const lineIndex of this.#linesIn(from, to)) {
      const events = this.#eventsOf[lineIndex]!
      const first = lowerBound(events, begin)
      if (first >= events.length || (events[first] ?? 0) >= end) continue
      take(events[first] ?? 0)
      take(events[lowerBound(events, end) - 1] ?? 0)
    }
    return high === 0 ? undefined : { from: low, to: high }
  }

  /**
   * The output range of the lines [from, to] over all iterations. The first and last line may be covered in part; the
   * complete lines between them are looked up in the segment trees.
   */
  #everywhere(from: number, to: number): LineRange | undefined {
    const first = lineFrom(this.#lines, from)
    let last = lineFrom(this.#lines, to)
    if (last >= this.#lines.length || this.#lines[last]!.first > to) last -= 1
    let low = Number.POSITIVE_INFINITY
    let high = 0
    const addLine = (lineIndex: number) => {
      const events = this.#eventsOf[lineIndex]!
      if (events.length === 0) return
      low = Math.min(low, this.#overlap(events[0] ?? 0, from, to).from)
      high = Math.max(high, this.#overlap(events.at(-1)!, from, to).to)
    }
    if (first <= last) addLine(first)
    if (last > first) addLine(last)
    if (last - first > 1) {
      const middle = this.#extremes(first + 1, last - 1)
      low = Math.min(low, middle.low)
      high = Math.max(high, middle.high)
    }
    const tail = this.#tail(from, to)
    if (tail !== undefined) {
      low = Math.min(low, tail.from)
      high = Math.max(high, tail.to)
    }
    return high === 0 ? undefined : { from: low, to: high }
  }

  /** Lines after the last one that the template mentions move with the end of the output. */
  #tail(from: number, to: number): LineRange | undefined {
    const last = this.#lines.at(-1)
    const end = last === undefined ? 1 : last.first + last.count
    if (to < end) return undefined
    const shift = this.#position - end
    const start = Math.max(from, end) + shift
    if (start > this.#limit) return undefined
    return { from: start, to: to >= this.#limit ? this.#limit : Math.min(this.#limit, to + shift) }
  }

  /** The positions that one event gave to the part of its line within [from, to]. */
  #overlap(event: number, from: number, to: number): { from: number; to: number } {
    const { first, count } = this.#lines[this.#lineOf[event] ?? 0]!
    const start = this.#start[event] ?? 0
    return { from: start + Math.max(0, from - first), to: start + Math.min(count - 1, to - first) }
  }

  *#linesIn(from: number, to: number): Iterable<number> {
    for (
      let lineIndex = lineFrom(this.#lines, from);
      lineIndex < this.#lines.length && this.#lines[lineIndex]!.first <= to;
      lineIndex += 1
    )
      yield lineIndex
  }

  /** The index of the line that contains a template position; undefined if there is none. */
  #lineAt(template: number): number | undefined {
    const lineIndex = lineFrom(this.#lines, template)
    return lineIndex < this.#lines.length && this.#lines[lineIndex]!.first <= template ? lineIndex : undefined
  }

  /** The first and last position over the lines [first, last]. */
  #extremes(first: number, last: number): { low: number; high: number } {
    const size = this.#lines.length
    if (this.#low === undefined || this.#high === undefined) {
      this.#low = new Float64Array(size * 2).fill(Number.POSITIVE_INFINITY)
      this.#high = new Float64Array(size * 2)
      this.#eventsOf.forEach((events, lineIndex) => {
        if (events.length === 0) return
        this.#low![size + lineIndex] = this.#start[events[0] ?? 0] ?? 0
        this.#high![size + lineIndex] = (this.#start[events.at(-1)!] ?? 0) + this.#lines[lineIndex]!.count - 1
      })
      for (let node = size - 1; node > 0; node -= 1) {
        this.#low[node] = Math.min(this.#low[node * 2] ?? 0, this.#low[node * 2 + 1] ?? 0)
        this.#high[node] = Math.max(this.#high[node * 2] ?? 0, this.#high[node * 2 + 1] ?? 0)
      }
    }
    let low = Number.POSITIVE_INFINITY
    let high = 0
    for (let left = first + size, right = last + size + 1; left < right; left >>= 1, right >>= 1) {
      if (left & 1) {
        low = Math.min(low, this.#low[left] ?? 0)
        high = Math.max(high, this.#high[left] ?? 0)
        left += 1
      }
      if (right & 1) {
        right -= 1
        low = Math.min(low, this.#low[right] ?? 0)
        high = Math.max(high, this.#high[right] ?? 0)
      }
    }
    return { low, high }
  }
}

/** The index of the first line that ends at or after a template position. */
function lineFrom(lines: readonly AxisLine[], template: number): number {
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >> 1
    const { first, count } = lines[middle]!
    if (first + count - 1 < template) low = middle + 1
    else high = middle
  }
  return low
}

/** The first index whose value is not below `value`. */
function lowerBound(ascending: readonly number[], value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
