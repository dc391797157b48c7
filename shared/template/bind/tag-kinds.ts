/** Classifies tags by their formatters, as far as the passes need it before values are planned. */
import { formatters } from '../formatters/registry.ts'
import type { CallNode } from '../parse/ast.ts'
import type { ValueTag } from './part.ts'

/** Formatters that act on the markup or the data and print nothing. */
const silent = new Set(['drop', 'keep', 'set'])
/** Formatters that pass their value to the render. They do not decide whether the block around them is shown. */
const quiet = new Set(['appendFile', 'attachFile', 'appendTemplate'])

export const isQuiet = (calls: readonly CallNode[]): boolean => calls.some(({ name }) => quiet.has(name))
export const printsNothing = (calls: readonly CallNode[]): boolean =>
  calls.some(({ name }) => silent.has(name))

/** `:set` at the end of a tag stores its value. */
export const isSetTag = (tag: ValueTag): boolean => tag.calls.at(-1)?.name === 'set'

/** The index of the formatter that reduces an array to one value, -1 without one. */
export const reducerAt = (calls: readonly CallNode[]): number =>
  calls.findIndex(({ name }) => name.startsWith('agg') && formatters.get(name)?.kind === 'aggregate')

export const reduces = (tag: ValueTag): boolean => reducerAt(tag.calls) >= 0

/**
 * Whether a tag is the bare marker of an array of objects, `{d.list[i]}`: it only shows where the loop begins, because some
 * other tag of the template reads the items by attribute.
 */
export function isMarkerOnly(tag: ValueTag, objectArrays: ReadonlySet<string>): boolean {
  const last = tag.iterated.at(-1)
  return (
    tag.calls.length === 0 &&
    last !== undefined &&
    tag.flat.segments.at(-1)?.selectors.at(-1) === last.selector &&
    objectArrays.has(last.key)
  )
}
