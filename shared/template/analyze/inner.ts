/**
 * Loops around documents inside a document. A tag inside may name an array that only the outer part repeats: the outer
 * part then sees it at the place of the inner document, and the inner one counts it as a loop around itself.
 */

import type { PartPlan, PlanNode } from '../plan.ts'
import type { FormatRules } from '../rules.ts'
import type { PartContext, ValueTag } from './part.ts'
import type { LoopScope } from './paths.ts'

/** What reading found in one part. */
export interface ReadPart {
  readonly context: PartContext
  readonly values: readonly ValueTag[]
  readonly translations: ReadonlyMap<number, string>
  readonly options: Readonly<Record<string, string>>
  readonly markers: readonly string[]
  /** Keys of arrays whose items are read by attribute. */
  readonly objects: ReadonlySet<string>
  /** Piece -> the parts of the packages that belong there. */
  readonly inner?: ReadonlyMap<number, readonly (readonly ReadPart[])[]>
}

/** A part and the parts inside of it. */
export function everyPart(read: ReadPart): readonly ReadPart[] {
  const inside = [...(read.inner?.values() ?? [])].flat(2)
  return [read, ...inside.flatMap(everyPart)]
}

export function withInner(read: ReadPart, inner: NonNullable<ReadPart['inner']>): ReadPart {
  const brought: ValueTag[] = []
  const left = new Map<number, readonly (readonly ReadPart[])[]>()
  for (const [at, packages] of inner) {
    left.set(
      at,
      packages.map((parts) =>
        parts.map((part) => {
          const acting = part.values.filter((tag) => actsAround(tag, part.context.rules))
          const values = part.values.filter((tag) => !acting.includes(tag))
          brought.push(...openTags(values).map((tag): ValueTag => ({ ...tag, at, calls: [], inner: true })))
          brought.push(...acting.map((tag): ValueTag => ({ ...tag, at, inner: true })))
          return acting.length === 0 ? part : { ...part, values }
        }),
      ),
    )
  }
  const values = [...read.values, ...brought].sort((a, b) => a.at - b.at)
  return { ...read, values, inner: left }
}

/** Whether a tag drops or keeps the entry of its part in the list around. */
function actsAround({ calls }: ValueTag, { around }: FormatRules): boolean {
  const last = calls.at(-1)
  if (around === undefined || last === undefined || !/^(?:drop|keep)$/.test(last.name)) return false
  const [kind] = last.args
  return kind?.kind === 'text' && around.includes(kind.text)
}

/** Tags that begin a loop which does not end in their part, or end one that does not begin there, as to these loops. */
function openTags(tags: readonly ValueTag[]): ValueTag[] {
  const closed = closedArrays(tags)
  return tags.flatMap((tag) => {
    const marks = tag.marks.filter(({ key }) => !closed.has(key))
    return marks.length === 0 ? [] : [{ ...tag, marks }]
  })
}

/** Arrays with a beginning and an end among the tags. */
function closedArrays(tags: readonly ValueTag[]): Set<string> {
  const begun = new Set<string>()
  const closed = new Set<string>()
  for (const { marks } of tags) {
    for (const { key, next } of marks) {
      if (!next) begun.add(key)
      else if (begun.has(key)) closed.add(key)
    }
  }
  return closed
}

/** Arrays that are repeated around the part, not in it. */
export function outerArrays(outer: readonly LoopScope[] | undefined, tags: readonly ValueTag[]): Set<string> {
  if (outer === undefined || outer.length === 0) return new Set()
  const closed = closedArrays(tags)
  return new Set(outer.flatMap(({ key }) => (closed.has(key) ? [] : [key])))
}

/** Bytes of the unchanging stretches of a part and of all that is inside of it. */
export function staticBytes({ statics, nodes }: PartPlan): number {
  const inside = (list: readonly PlanNode[]): number =>
    list.reduce((sum, node) => {
      if (node.kind === 'inner')
        return sum + node.packages.flat().reduce((all, part) => all + staticBytes(part), 0)
      return 'body' in node && node.body !== undefined ? sum + inside(node.body) : sum
    }, 0)
  return statics.bytes.length + inside(nodes)
}
