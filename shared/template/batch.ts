/** The two ways in which the tags of a batch's template address its items. Source: service specification 4.10. */

/**
 * Whether the tags address the array, as in `{d.letters[i].name}` or `{d[i].name}`, and not a single item, as in `{d.name}`.
 * The first tag on `d` decides. In a template without one, the names of the outputs decide.
 */
export function addressesArray(
  markers: readonly string[],
  names: readonly string[],
  array: string | undefined,
): boolean {
  const first =
    markers.map(compact).find((marker) => /^\{d[.[]/.test(marker)) ??
    names.map((text) => /\{d[.[][^}]*/.exec(compact(text))?.[0]).find((tag) => tag !== undefined)
  if (first === undefined) return false
  if (array === undefined) return first.startsWith('{d[')
  const name = compact(array)
  return [name, `'${name}'`, `"${name}"`].some((spelling) => first.startsWith(`{d.${spelling}[`))
}

/** A path without its blanks, which have no meaning. */
const compact = (text: string): string => text.replace(/\s+/g, '')

/** The data of the whole batch with its array reduced to the single item. */
export function inArray(item: unknown, array: string | undefined, otherData: unknown): unknown {
  return array === undefined ? [item] : { ...(otherData as object), [array]: [item] }
}
