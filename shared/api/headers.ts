/**
 * The request headers that clients may send with an alias instead of the prefix `service-` (specification
 * 4.1).
 */
const aliased =
  /^(version|webhook-url|webhook-header-.+|template-delete-after|egress-header-authorization|content-disposition)$/

/**
 * Returns the headers by lower-case name, with the values of repeated ones joined by commas.
 * `<alias>-version` is also available as `service-version`, unless the request has both. The rest of the code
 * uses only `service-`.
 */
export function readHeaders(
  entries: Iterable<readonly [string, string]>,
  aliases: readonly string[],
): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  const renamed: [string, string][] = []
  for (const [field, value] of entries) {
    const name = field.toLowerCase()
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
    for (const alias of aliases) {
      if (!name.startsWith(`${alias}-`)) continue
      const rest = name.slice(alias.length + 1)
      if (aliased.test(rest)) renamed.push([`service-${rest}`, value])
    }
  }
  for (const [name, value] of renamed) {
    if (!headers.has(name)) headers.set(name, value)
  }
  return headers
}

/** Replaces repeated slashes by one and removes one at the end, since some clients build such paths. */
export function collapsePath(path: string): string {
  const collapsed = path.replace(/\/{2,}/g, '/')
  return collapsed.length > 1 && collapsed.endsWith('/') ? collapsed.slice(0, -1) : collapsed
}

/**
 * Reads the requested major version of the API (specification 9). `bent` is true when the header is
 * malformed, which selects the default, or names an unsupported version, which selects the nearest one.
 */
export function readVersion(
  header: string | undefined,
  fallback: 3 | 4 | 5,
): { readonly major: 3 | 4 | 5; readonly bent: boolean } {
  if (header === undefined || header.trim() === '') return { major: fallback, bent: false }
  const found = /^\s*v?(\d{1,6})(?:\.[\dx.]*)?\s*$/i.exec(header)
  if (found === null) return { major: fallback, bent: true }
  const requested = Number(found[1])
  if (requested === 3 || requested === 4 || requested === 5) return { major: requested, bent: false }
  return { major: requested < 3 ? 3 : 5, bent: true }
}
