/** Headers whose names may come with another prefix than `service-` (specification 4.1). */
const aliased =
  /^(version|webhook-url|webhook-header-.+|template-delete-after|egress-header-authorization|content-disposition)$/

/**
 * Lower-case names to values, repeated ones joined. `<alias>-version` is read as `service-version`, unless that is there
 * too; the rest of the code knows `service-` only.
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

/** Slashes that follow each other count as one, and one at the end as none: some clients build such addresses. */
export function collapsePath(path: string): string {
  const collapsed = path.replace(/\/{2,}/g, '/')
  return collapsed.length > 1 && collapsed.endsWith('/') ? collapsed.slice(0, -1) : collapsed
}

/** The API major a call asks for, and whether that had to be bent (specification 9). */
export function readVersion(
  header: string | undefined,
  fallback: 3 | 4 | 5,
): { readonly major: 3 | 4 | 5; readonly bent: boolean } {
  if (header === undefined || header.trim() === '') return { major: fallback, bent: false }
  const found = /^\s*v?(\d{1,6})(?:\.[\dx.]*)?\s*$/i.exec(header)
  if (found === null) return { major: fallback, bent: true }
  const asked = Number(found[1])
  if (asked === 3 || asked === 4 || asked === 5) return { major: asked, bent: false }
  return { major: asked < 3 ? 3 : 5, bent: true }
}
