/** Installs the versions of the lock file of a folder. Returns whether that worked. */
export function installNpmPackages(folder: string, say: (line: string) => void): Promise<boolean>
export function inStep(folder: string): boolean
