/** The environment that programs of this project start with. */
export const serverFlags: readonly string[]
export function environment(): Readonly<Record<string, string>>
/** The command of an npm script, and the arguments that its script is given. */
export function readCommand(
  name: string | undefined,
  given: readonly string[],
): { readonly command: { readonly groups: readonly string[] } | undefined; readonly args: readonly string[] }
