/** The two ways in which the tags of a batch's template address its items (specification 4.10). */

/**
 * Whether the first tag on `d` addresses the array, `{d.letters[i].name}` or `{d[i].name}`; otherwise tags address an
 * item, `{d.name}`. A template without such a tag leaves it to the texts of its names.
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
  return [name, `'${name}'`, `"${name}"`].some((written) => first.startsWith(`{d.${written}[`))
}

/** Blanks mean nothing in a path. */
const compact = (text: string): string => text.replace(/\s+/g, '')

/** What `d` was, its array holding the single item. */
export function inArray(item: unknown, array: string | undefined, rest: unknown): unknown {
  return array === undefined ? [item] : { ...(rest as object), [array]: [item] }
}
