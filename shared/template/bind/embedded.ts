/**
 * Loops around documents inside a document. A tag inside may name an array that only the outer part repeats: the outer
 * part then sees it at the place of the inner document, and the inner one counts it as a loop around itself.
 */

import type { PartPlan, PlanNode } from '../plan/plan.ts'
import type { FormatRules } from '../rules.ts'
import type { PartContext, ValueTag } from './part.ts'
import type { EnclosingLoop } from './paths.ts'

/** What reading found in one part. */
export interface ReadPart {
  readonly context: PartContext
  readonly values: readonly ValueTag[]
  readonly translations: ReadonlyMap<number, string>
  readonly options: Readonly<Record<string, string>>
  readonly tagTexts: readonly string[]
  /** Keys of arrays whose items are read by attribute. */
  readonly objectArrays: ReadonlySet<string>
  /** Piece -> the parts of the packages that belong there. */
  readonly embedded?: ReadonlyMap<number, readonly (readonly ReadPart[])[]>
}

/** A part and the parts inside of it. */
export function everyPart(read: ReadPart): readonly ReadPart[] {
  const inside = [...(read.embedded?.values() ?? [])].flat(2)
  return [read, ...inside.flatMap(everyPart)]
}

export function withEmbedded(read: ReadPart, inner: NonNullable<ReadPart['embedded']>): ReadPart {
  const brought: ValueTag[] = []
  const left = new Map<number, readonly (readonly ReadPart[])[]>()
  for (const [at, packages] of inner) {
    left.set(
      at,
      packages.map((parts) =>
        parts.map((part) => {
          const acting = part.values.filter((tag) => actsAround(tag, part.context.rules))
          const values = part.values.filter((tag) => !acting.includes(tag))
          brought.push(
            ...openTags(values).map((tag): ValueTag => ({ ...tag, at, calls: [], embedded: true })),
          )
          brought.push(...acting.map((tag): ValueTag => ({ ...tag, at, embedded: true })))
          return acting.length === 0 ? part : { ...part, values }
        }),
      ),
    )
  }
  const values = [...read.values, ...brought].sort((a, b) => a.at - b.at)
  return { ...read, values, embedded: left }
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
    const iterated = tag.iterated.filter(({ key }) => !closed.has(key))
    return iterated.length === 0 ? [] : [{ ...tag, iterated }]
  })
}

/** Arrays with a beginning and an end among the tags. */
function closedArrays(tags: readonly ValueTag[]): Set<string> {
  const begun = new Set<string>()
  const closed = new Set<string>()
  for (const { iterated } of tags) {
    for (const { key, next } of iterated) {
      if (!next) begun.add(key)
      else if (begun.has(key)) closed.add(key)
    }
  }
  return closed
}

/** Arrays that are repeated around the part, not in it. */
export function arraysAround(
  outer: readonly EnclosingLoop[] | undefined,
  tags: readonly ValueTag[],
): Set<string> {
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
