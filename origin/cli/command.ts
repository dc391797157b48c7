import type { OriginServices } from '../services.ts'

/** Wrong use of the command line: the message and where to find help, exit code 2. */
export class UsageError extends Error {}

export interface Command {
  readonly usage: string
  readonly says: string
  /** Returns the exit code. */
  run(services: OriginServices, args: readonly string[]): Promise<number>
}
