/** Differences of texts by words, with bounded work. Source: E. W. Myers, An O(ND) Difference Algorithm, 1986. */

import { createPace } from './pace.ts'
import { pushAll } from './push-all.ts'

export interface TextChange {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Differences of lists beyond which everything between their equal ends counts as replaced. Work and memory grow with the square. */
const [maxLineEdits, maxWordEdits] = [600, 300]

/**
 * The changes from one text to another: first by lines, then by words within the lines that changed. `same` and `removed`
 * joined are the first text, `same` and `added` the second. Others run between the lines.
 */
export async function diffText(from: string, to: string): Promise<readonly TextChange[]> {
  const pace = createPace()
  const changes: TextChange[] = []
  const add = (kind: TextChange['kind'], text: string) => {
    const last = changes.at(-1)
    if (text === '') return
    if (last?.kind === kind) changes[changes.length - 1] = { kind, text: last.text + text }
    else changes.push({ kind, text })
  }
  for (const { same, removed, added } of runsOf(linesOf(from), linesOf(to), maxLineEdits)) {
    add('same', same.join(''))
    for (const words of runsOf(wordsOf(removed.join('')), wordsOf(added.join('')), maxWordEdits)) {
      add('same', words.same.join(''))
      add('removed', words.removed.join(''))
      add('added', words.added.join(''))
    }
    await pace.rest()
  }
  return changes
}

const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []
/** Words with the blanks after them, tags, and single other characters. */
const wordsOf = (text: string): readonly string[] =>
  text.match(/\{[^{}\s]{1,500}\}|[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? []

/** Equal items, and the ones after them that were replaced. */
interface Run {
  readonly same: readonly string[]
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

function runsOf(from: readonly string[], to: readonly string[], maxEdits: number): readonly Run[] {
  const shorter = Math.min(from.length, to.length)
  let start = 0
  while (start < shorter && from[start] === to[start]) start++
  let end = 0
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end++
  const [innerFrom, innerTo] = [from.slice(start, from.length - end), to.slice(start, to.length - end)]
  const replaced: Run = { same: [], removed: innerFrom, added: innerTo }
  const inner = editsOf(innerFrom, innerTo, maxEdits) ?? [replaced]
  const run = (same: readonly string[]): Run => ({ same, removed: [], added: [] })
  return [run(from.slice(0, start)), ...inner, run(end === 0 ? [] : from.slice(-end))]
}

/**
 * The shortest list of edits: the furthest points that each number of edits reaches are kept for each diagonal, and walked
 * back from the end. Undefined when more than `maxEdits` are needed.
 */
function editsOf(
  from: readonly string[],
  to: readonly string[],
  maxEdits: number,
): readonly Run[] | undefined {
  const reached: Int32Array[] = []
  let previous = new Int32Array(3)
  for (let edits = 0; edits <= Math.min(maxEdits, from.length + to.length); edits++) {
    // Diagonal k stands at index k + edits + 1; the one of fewer edits at one less.
    const furthest = new Int32Array(2 * edits + 3)
    for (let k = -edits; k <= edits; k += 2) {
      const [left, right] = [previous[k - 1 + edits] ?? 0, previous[k + 1 + edits] ?? 0]
      let x = edits === 0 ? 0 : k === -edits || (k !== edits && left < right) ? right : left + 1
      while (x < from.length && x - k < to.length && from[x] === to[x - k]) x++
      furthest[k + edits + 1] = x
      if (x >= from.length && x - k >= to.length) return walkedBack(from, to, [...reached, furthest])
    }
    reached.push(furthest)
    previous = furthest
  }
  return undefined
}

function walkedBack(
  from: readonly string[],
  to: readonly string[],
  reached: readonly Int32Array[],
): readonly Run[] {
  const runs: Run[] = []
  let [x, y] = [from.length, to.length]
  for (let edits = reached.length - 1; edits > 0; edits--) {
    const before = reached[edits - 1] as Int32Array
    const k = x - y
    const [left, right] = [before[k - 1 + edits] ?? 0, before[k + 1 + edits] ?? 0]
    const isAdded = k === -edits || (k !== edits && left < right)
    const startX = isAdded ? right : left
    const startY = startX - (isAdded ? k + 1 : k - 1)
    const sameFrom = isAdded ? startX : startX + 1
    runs.push({ same: from.slice(sameFrom, x), removed: [], added: [] })
    runs.push({
      same: [],
      removed: isAdded ? [] : from.slice(startX, startX + 1),
      added: isAdded ? to.slice(startY, startY + 1) : [],
    })
    ;[x, y] = [startX, startY]
  }
  runs.push({ same: from.slice(0, x), removed: [], added: [] })
  return grouped(runs.reverse())
}

/** Edits without equal items between them as one: what is removed, then what is added. */
function grouped(runs: readonly Run[]): readonly Run[] {
  const groups: { same: string[]; removed: string[]; added: string[] }[] = [
    { same: [], removed: [], added: [] },
  ]
  for (const { same, removed, added } of runs) {
    const last = groups.at(-1)
    const isClosed = last === undefined || last.removed.length + last.added.length > 0
    if (last !== undefined && (same.length === 0 || !isClosed)) {
      pushAll(last.same, same)
      pushAll(last.removed, removed)
      pushAll(last.added, added)
    } else groups.push({ same: [...same], removed: [...removed], added: [...added] })
  }
  return groups
}
