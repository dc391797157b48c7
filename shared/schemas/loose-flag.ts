/**
 * Converts the strings and numbers that clients send in place of a boolean, in upper or lower case, since
 * Python writes `True`. Returns all other values unchanged.
 */
export function looseFlag(value: unknown): unknown {
  const text = typeof value === 'string' ? value.toLowerCase() : value
  if (text === 'true' || text === '1' || text === 1) return true
  return text === 'false' || text === '0' || text === 0 ? false : value
}
