import type { Config } from '../config.ts'
import type { OriginServices } from '../services.ts'

/** Wrong use of the command line: the message and where to find help, exit code 2. */
export class UsageError extends Error {}

/** One that renders or converts. */
export interface ServiceCommand {
  readonly local?: never
  readonly more?: never
  readonly usage: string
  readonly says: string
  /** Returns the exit code. */
  run(services: OriginServices, args: readonly string[]): Promise<number>
}

/** One that works on the files of a working folder and needs no engines. */
export interface LocalCommand {
  readonly local: true
  readonly usage: string
  readonly says: string
  /** What --help says beside that. */
  readonly more?: () => string
  /** Returns the exit code. */
  run(readConfig: (workdir?: string) => Config, args: readonly string[]): Promise<number>
}

export type Command = ServiceCommand | LocalCommand
