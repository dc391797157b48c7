/** An interface whose properties may be assigned, for a reader that builds one property by property. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] }
