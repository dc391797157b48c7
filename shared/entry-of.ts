/** What a table holds under a key of a file. Every object also answers to 'constructor' and the like, which are no keys. */
export function entryOf<T>(table: Readonly<Record<string, T>>, key: string | undefined): T | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined
}
