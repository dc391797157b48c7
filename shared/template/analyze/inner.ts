/**
 * Loops around documents inside a document. A tag inside may name an array that only the outer part repeats: the outer
 * part then sees it at the place of the inner document, and the inner one counts it as a loop around itself.
 */
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
  const brought = [...inner].flatMap(([at, packages]) =>
    packages
      .flat()
      .flatMap(({ values }) =>
        openTags(values).map((tag): ValueTag => ({ ...tag, at, calls: [], inner: true })),
      ),
  )
  const values = [...read.values, ...brought].sort((a, b) => a.at - b.at)
  return { ...read, values, inner }
}

/** Tags that begin a loop which does not end in their part, or end one that does not begin there. */
function openTags(tags: readonly ValueTag[]): ValueTag[] {
  const closed = closedArrays(tags)
  return tags.filter(({ marks }) => marks.some(({ key }) => !closed.has(key)))
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
