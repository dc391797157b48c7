/** What programs of this project start with, whatever started them. */
export function environment(): Readonly<Record<string, string>>
