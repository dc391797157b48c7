/**
 * `true`, `1` and a parameter without a value (`?name`) are true; everything else is false (specification
 * 4.1).
 */
export function queryFlag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)
  return value === '' || value === '1' || value?.toLowerCase() === 'true'
}

/**
 * Converts the strings and numbers that clients send in place of a boolean, in upper or lower case, since
 * Python writes `True`. Returns all other values unchanged.
 */
export function looseFlag(value: unknown): unknown {
  const text = typeof value === 'string' ? value.toLowerCase() : value
  if (text === 'true' || text === '1' || text === 1) return true
  return text === 'false' || text === '0' || text === 0 ? false : value
}
