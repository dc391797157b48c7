/**
 * Look-ups by a key that comes from a file. Every object also answers to words such as 'constructor' and '__proto__', which
 * are not its keys. `test/run/table-lookups.ts` refuses brackets where these functions belong.
 */

/** The value of a key that the table itself has; undefined for any other. */
export function entryOf<T>(table: Readonly<Record<string, T>>, key: string | undefined): T | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined
}

/** Sets the value of a key. With brackets, the key '__proto__' would replace the prototype instead. */
export function setEntry<T>(table: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__')
    Object.defineProperty(table, key, { value, writable: true, enumerable: true, configurable: true })
  else table[key] = value
}
