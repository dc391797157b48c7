/** `true`, `1` and a bare `?name` are true; everything else is false (specification 4.1). */
export function queryFlag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)
  return value === '' || value === '1' || value?.toLowerCase() === 'true'
}

/** A boolean as texts and numbers stand for one, in any case: Python writes True. Anything else stays what it is. */
export function looseFlag(value: unknown): unknown {
  const text = typeof value === 'string' ? value.toLowerCase() : value
  if (text === 'true' || text === '1' || text === 1) return true
  return text === 'false' || text === '0' || text === 0 ? false : value
}
