/**
 * Loops around embedded objects. A tag in an embedded object may refer to an array that only the enclosing part
 * repeats. The enclosing part then treats the tag as if it were at the position of the object, and the embedded
 * part treats the loop as one around itself.
 */
import { pushAll } from '../../push-all.ts'
import type { FormatRules } from '../rules.ts'
import type { BindContext, ValueTag } from './part.ts'
import type { EnclosingLoop } from './paths.ts'

/** A part with its parsed tags. */
export interface ReadPart {
  readonly context: BindContext
  readonly values: readonly ValueTag[]
  readonly translations: ReadonlyMap<number, string> // token -> key
  /** The options that `{o.name=value}` tags set. */
  readonly options: Readonly<Record<string, string>>
  /** The text of each value tag with its braces, after aliases are substituted. */
  readonly tagTexts: readonly string[]
  /** Keys of arrays whose items are read by attribute. */
  readonly objectArrays: ReadonlySet<string>
  /** Token -> the parts of each package that is embedded there. */
  readonly embedded?: ReadonlyMap<number, readonly (readonly ReadPart[])[]>
}

/** A part and all parts embedded in it. */
export function everyPart(read: ReadPart): readonly ReadPart[] {
  const embeddedParts = [...(read.embedded?.values() ?? [])].flat(2)
  return [read, ...embeddedParts.flatMap(everyPart)]
}

/** Returns the part with its embedded parts, and adds their tags that concern it at the position of the object. */
export function withEmbedded(read: ReadPart, embedded: NonNullable<ReadPart['embedded']>): ReadPart {
  const moved: ValueTag[] = []
  const moveTags = (part: ReadPart, token: number): ReadPart => {
    const acting = part.values.filter((tag) => actsOnEntry(tag, part.context.rules))
    const values = part.values.filter((tag) => !acting.includes(tag))
    pushAll(
      moved,
      openTags(values).map((tag): ValueTag => ({ ...tag, at: token, calls: [], embedded: true })),
    )
    pushAll(
      moved,
      acting.map((tag): ValueTag => ({ ...tag, at: token, embedded: true })),
    )
    return acting.length === 0 ? part : { ...part, values }
  }
  const remaining = [...embedded].map(
    ([token, packages]) =>
      [token, packages.map((parts) => parts.map((part) => moveTags(part, token)))] as const,
  )
  const values = [...read.values, ...moved].sort((a, b) => a.at - b.at)
  return { ...read, values, embedded: new Map(remaining) }
}

/** Whether a tag drops or keeps the entry of its own part in the list around, such as its slide or sheet. */
function actsOnEntry({ calls }: ValueTag, { listedKinds }: FormatRules): boolean {
  const last = calls.at(-1)
  if (listedKinds === undefined || last === undefined || !/^(?:drop|keep)$/.test(last.name)) return false
  const [kind] = last.args
  return kind?.kind === 'text' && listedKinds.includes(kind.text)
}

/** The tags that begin or end a loop which is not complete within these tags, reduced to the arrays of such loops. */
function openTags(tags: readonly ValueTag[]): ValueTag[] {
  const closed = closedArrays(tags)
  return tags.flatMap((tag) => {
    const iterated = tag.iterated.filter(({ key }) => !closed.has(key))
    return iterated.length === 0 ? [] : [{ ...tag, iterated }]
  })
}

/** The arrays whose loop both begins and ends among the tags. */
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

/** Arrays that are repeated around the part and not in it. */
export function enclosingArrays(
  outer: readonly EnclosingLoop[] | undefined,
  tags: readonly ValueTag[],
): Set<string> {
  if (outer === undefined || outer.length === 0) return new Set()
  const closed = closedArrays(tags)
  return new Set(outer.flatMap(({ key }) => (closed.has(key) ? [] : [key])))
}
