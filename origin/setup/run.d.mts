/** The environment that programs of this project start with. */
export function environment(): Readonly<Record<string, string>>
