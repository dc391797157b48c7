/** Installs the versions of the lock file of a folder. Returns whether that worked. */
export function installNpmPackages(folder: string, say: (line: string) => void): Promise<boolean>
/** The bytes of all files below a folder, without following links. */
export function bytesBelow(folder: string): number
export function inStep(folder: string): boolean
