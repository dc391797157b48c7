/**
 * Where the rows (or the cells of a row) of a template went. Recorded once per render, before anything is written, as
 * the row of events in which template lines are put out; then asked for every address in the workbook. Decision
 * docs/decisions/template-measuring-pass.md has the reasoning.
 */
import { AppError } from '../../errors/app-error.ts'

/** Lines of a template that always go out together: one row, or a stretch of rows that the file does not mention. */
export interface Line {
  readonly first: number // 1-based template position
  readonly count: number
}

/** Inclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

const none = -1

export class Axis {
  readonly #lines: readonly Line[]
  readonly #limit: number
  readonly #what: 'rows' | 'columns'
  /** By event: the line, where it went, and the iteration it happened in. */
  readonly #lineOf: number[] = []
  readonly #start: number[] = []
  readonly #iterationOf: number[] = []
  /** By iteration. */
  readonly #parent: number[] = []
  readonly #loopOf: number[] = []
  readonly #previous: number[] = []
  readonly #latest = new Map<number, number>() // loop -> its latest iteration
  readonly #begin: number[] = []
  readonly #end: number[] = []
  readonly #extents = new Map<number, { lowest: number; highest: number }>()
  readonly #eventsOf: number[][]
  #current = none
  #position = 1
  #low: Float64Array | undefined // segment trees over lines: first and last position at all
  #high: Float64Array | undefined
  #cache = new Map<string, Span | undefined>()

  /** `lines` in ascending order, without overlaps. */
  constructor(lines: readonly Line[], limit: number, what: 'rows' | 'columns') {
    this.#lines = lines
    this.#limit = limit
    this.#what = what
    this.#eventsOf = lines.map(() => [])
  }

  get events(): number {
    return this.#lineOf.length
  }
  /** The position after everything put out so far. */
  get next(): number {
    return this.#position
  }

  // ------------------------------------------------------------------------------------------------------- recording

  enter(loop: number): void {
    const before = this.#latest.get(loop)
    this.#previous.push(before !== undefined && this.#parent[before] === this.#current ? before : none)
    this.#latest.set(loop, this.#parent.length)
    this.#parent.push(this.#current)
    this.#loopOf.push(loop)
    this.#begin.push(this.#lineOf.length)
    this.#end.push(none)
    this.#current = this.#parent.length - 1
  }

  leave(): void {
    if (this.#current === none) return
    this.#end[this.#current] = this.#lineOf.length
    this.#current = this.#parent[this.#current]!
  }

  /** Puts line `at` out. */
  step(at: number): void {
    const { first, count } = this.#lines[at]!
    this.#eventsOf[at]!.push(this.#lineOf.length)
    this.#lineOf.push(at)
    this.#start.push(this.#position)
    this.#iterationOf.push(this.#current)
    this.#position += count
    if (this.#position - 1 > this.#limit) {
      throw new AppError('template.sheet.too-large', { limit: this.#limit, what: this.#what })
    }
    for (let iteration = this.#current; iteration !== none; iteration = this.#parent[iteration]!) {
      const loop = this.#loopOf[iteration]!
      const known = this.#extents.get(loop)
      if (known === undefined) this.#extents.set(loop, { lowest: first, highest: first + count - 1 })
      else if (known.lowest > first) known.lowest = first
      else if (known.highest < first + count - 1) known.highest = first + count - 1
    }
  }

  // --------------------------------------------------------------------------------------------------------- asking

  /** Where an event's line begins. */
  position(event: number): number {
    return this.#start[event] ?? this.#position
  }

  /** The first event of a template position, undefined when it was never put out. */
  firstEvent(template: number): number | undefined {
    const at = this.#lineAt(template)
    return at === undefined ? undefined : this.#eventsOf[at]![0]
  }

  /** All events of a template position, in order. */
  eventsOf(template: number): readonly number[] {
    const at = this.#lineAt(template)
    return at === undefined ? [] : this.#eventsOf[at]!
  }

  /**
   * All that became of template positions [from, to], seen from an event: the copies of the iteration that holds both,
   * else all copies. Undefined: nothing is left of them.
   */
  resolve(from: number, to: number, event: number | undefined): Span | undefined {
    const iteration = event === undefined ? none : this.#home(from, to, event)
    const key = `${iteration}|${from}|${to}`
    if (this.#cache.has(key)) return this.#cache.get(key)
    const found = iteration === none ? this.#everywhere(from, to) : this.#inside(from, to, iteration)
    if (this.#cache.size > 20_000) this.#cache.clear()
    this.#cache.set(key, found)
    return found
  }

  /**
   * One template position seen from an event, as if the formula were filled down: a line just above a repeated block
   * is, from its second copy on, a line of the copy before.
   */
  resolveOne(at: number, event: number | undefined): Span | undefined {
    const iteration = event === undefined ? none : (this.#iterationOf[event] ?? none)
    if (iteration !== none && this.#previous[iteration] !== none) {
      const { lowest, highest } = this.#extents.get(this.#loopOf[iteration]!) ?? { lowest: 0, highest: 0 }
      const height = highest - lowest + 1
      if (at < lowest && at >= lowest - height) {
        const above = this.#inside(at + height, at + height, this.#previous[iteration]!)
        if (above !== undefined) return above
      }
    }
    return this.resolve(at, at, event)
  }

  /** Whether a template position lies in something that was repeated. */
  isRepeated(at: number): boolean {
    for (const { lowest, highest } of this.#extents.values()) if (lowest <= at && at <= highest) return true
    return false
  }

  /** Template positions [from, to] wherever they went, one span for each unbroken stretch. */
  runs(from: number, to: number): Span[] {
    const events: number[] = []
    for (const at of this.#linesIn(from, to)) for (const event of this.#eventsOf[at]!) events.push(event)
    events.sort((a, b) => a - b)
    const out: { from: number; to: number }[] = []
    for (const event of events) {
      const span = this.#overlap(event, from, to)
      const last = out.at(-1)
      if (last !== undefined && span.from <= last.to + 1) last.to = Math.max(last.to, span.to)
      else out.push(span)
    }
    const tail = this.#tail(from, to)
    const last = out.at(-1)
    if (tail !== undefined) {
      if (last !== undefined && tail.from <= last.to + 1) last.to = tail.to
      else out.push({ ...tail })
    }
    return out
  }

  /**
   * One span for each iteration of the innermost loop around [from, to]; one for all where no loop is around. `outward`:
   * for each iteration of the loop so many loops around that one, where its copies follow each other.
   */
  copies(from: number, to: number, outward = 0): Span[] {
    let inner = none
    let narrowest = Number.POSITIVE_INFINITY
    const last = this.#lastWritten(from, to)
    for (const [loop, { lowest, highest }] of this.#extents) {
      if (lowest <= from && last <= highest && highest - lowest < narrowest) {
        inner = loop
        narrowest = highest - lowest
      }
    }
    if (inner === none) {
      const all = this.#everywhere(from, to)
      return all === undefined ? [] : [all]
    }
    const out: Span[] = []
    const groups = new Map<number, Span[]>() // by the iteration around
    this.#loopOf.forEach((loop, iteration) => {
      if (loop !== inner) return
      const found = this.#inside(from, to, iteration)
      if (found === undefined) return
      out.push(found)
      let around = iteration
      for (let n = 0; n < outward && around !== none; n += 1) around = this.#parent[around]!
      const group = groups.get(around)
      if (group === undefined) groups.set(around, [found])
      else group.push(found)
    })
    // Only an area that reaches over the marker behind the copies means all of them.
    if (outward === 0 || last === to) return out
    const joined = [...groups.values()].map((group) => ({
      from: group[0]!.from,
      to: group.at(-1)!.to,
      group,
    }))
    const isWhole = joined.every(({ group }) =>
      group.every((span, n) => n === 0 || span.from === group[n - 1]!.to + 1),
    )
    return isWhole ? joined.map(({ from: first, to: last }) => ({ from: first, to: last })) : out
  }

  /** The innermost iteration around `event` whose loop holds all of [from, to]. */
  #home(from: number, to: number, event: number): number {
    let iteration = this.#iterationOf[event] ?? none
    if (iteration !== none) to = this.#lastWritten(from, to)
    while (iteration !== none) {
      const { lowest, highest } = this.#extents.get(this.#loopOf[iteration]!) ?? { lowest: 0, highest: -1 }
      if (lowest <= from && to <= highest) return iteration
      iteration = this.#parent[iteration]!
    }
    return none
  }

  /** The end of an area without the lines behind that were never put out: markers of loops that end with it. */
  #lastWritten(from: number, to: number): number {
    for (let at = lineFrom(this.#lines, to); at >= 0; at -= 1) {
      const line = this.#lines[at]
      if (line === undefined || line.first > to) continue
      if (line.first + line.count - 1 < from) break
      if (this.#eventsOf[at]!.length > 0) return Math.min(to, line.first + line.count - 1)
    }
    return to
  }

  #inside(from: number, to: number, iteration: number): Span | undefined {
    const begin = this.#begin[iteration]!
    const end = this.#end[iteration] === none ? this.#lineOf.length : this.#end[iteration]!
    let low = Number.POSITIVE_INFINITY
    let high = 0
    const take = (event: number) => {
      const span = this.#overlap(event, from, to)
      if (span.from < low) low = span.from
      if (span.to > high) high = span.to
    }
    for (const at of this.#linesIn(from, to)) {
      const events = this.#eventsOf[at]!
      const first = lowerBound(events, begin)
      if (first >= events.length || events[first]! >= end) continue
      take(events[first]!)
      take(events[lowerBound(events, end) - 1]!)
    }
    return high === 0 ? undefined : { from: low, to: high }
  }

  #everywhere(from: number, to: number): Span | undefined {
    const first = lineFrom(this.#lines, from)
    let last = lineFrom(this.#lines, to)
    if (last >= this.#lines.length || this.#lines[last]!.first > to) last -= 1
    let low = Number.POSITIVE_INFINITY
    let high = 0
    const edge = (at: number) => {
      const events = this.#eventsOf[at]!
      if (events.length === 0) return
      low = Math.min(low, this.#overlap(events[0]!, from, to).from)
      high = Math.max(high, this.#overlap(events.at(-1)!, from, to).to)
    }
    if (first <= last) edge(first)
    if (last > first) edge(last)
    if (last - first > 1) {
      const inner = this.#extremes(first + 1, last - 1)
      low = Math.min(low, inner.low)
      high = Math.max(high, inner.high)
    }
    const tail = this.#tail(from, to)
    if (tail !== undefined) {
      low = Math.min(low, tail.from)
      high = Math.max(high, tail.to)
    }
    return high === 0 ? undefined : { from: low, to: high }
  }

  /** What lies behind the last line the template mentions moves with the end. */
  #tail(from: number, to: number): Span | undefined {
    const last = this.#lines.at(-1)
    const end = last === undefined ? 1 : last.first + last.count
    if (to < end) return undefined
    const shift = this.#position - end
    const start = Math.max(from, end) + shift
    if (start > this.#limit) return undefined
    return { from: start, to: to >= this.#limit ? this.#limit : Math.min(this.#limit, to + shift) }
  }

  #overlap(event: number, from: number, to: number): { from: number; to: number } {
    const { first, count } = this.#lines[this.#lineOf[event]!]!
    const start = this.#start[event]!
    return { from: start + Math.max(0, from - first), to: start + Math.min(count - 1, to - first) }
  }

  *#linesIn(from: number, to: number): Iterable<number> {
    for (
      let at = lineFrom(this.#lines, from);
      at < this.#lines.length && this.#lines[at]!.first <= to;
      at += 1
    )
      yield at
  }

  #lineAt(template: number): number | undefined {
    const at = lineFrom(this.#lines, template)
    return at < this.#lines.length && this.#lines[at]!.first <= template ? at : undefined
  }

  /** First and last position over whole lines [first, last]. */
  #extremes(first: number, last: number): { low: number; high: number } {
    const size = this.#lines.length
    if (this.#low === undefined || this.#high === undefined) {
      this.#low = new Float64Array(size * 2).fill(Number.POSITIVE_INFINITY)
      this.#high = new Float64Array(size * 2)
      this.#eventsOf.forEach((events, at) => {
        if (events.length === 0) return
        this.#low![size + at] = this.#start[events[0]!]!
        this.#high![size + at] = this.#start[events.at(-1)!]! + this.#lines[at]!.count - 1
      })
      for (let at = size - 1; at > 0; at -= 1) {
        this.#low[at] = Math.min(this.#low[at * 2]!, this.#low[at * 2 + 1]!)
        this.#high[at] = Math.max(this.#high[at * 2]!, this.#high[at * 2 + 1]!)
      }
    }
    let low = Number.POSITIVE_INFINITY
    let high = 0
    for (let left = first + size, right = last + size + 1; left < right; left >>= 1, right >>= 1) {
      if (left & 1) {
        low = Math.min(low, this.#low[left]!)
        high = Math.max(high, this.#high[left]!)
        left += 1
      }
      if (right & 1) {
        right -= 1
        low = Math.min(low, this.#low[right]!)
        high = Math.max(high, this.#high[right]!)
      }
    }
    return { low, high }
  }
}

/** The first line that ends at or behind `template`. */
function lineFrom(lines: readonly Line[], template: number): number {
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

function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
