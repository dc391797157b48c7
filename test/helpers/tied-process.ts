import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'

/** The standard output and error of a child are streams when they are pipes, and null otherwise. */
export type TiedProcess = ChildProcess & {
  readonly stdout: Readable | null
  readonly stderr: Readable | null
}

/**
 * Starts a program that ends with the process that started it, also when that is killed and runs no clean-up. The process ID is
 * that of the program, because `setpriv` (util-linux) replaces itself by it. Elsewhere than on Linux the program may be left.
 */
export function spawnTied(program: string, args: readonly string[], options: SpawnOptions): TiedProcess {
  return process.platform === 'linux'
    ? spawn('setpriv', ['--pdeathsig', 'KILL', program, ...args], options)
    : spawn(program, args, options)
}
