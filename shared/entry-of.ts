/** Looks up a key that comes from a file. Every object also has properties such as 'constructor', which are not keys. */
export function entryOf<T>(table: Readonly<Record<string, T>>, key: string | undefined): T | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined
}
