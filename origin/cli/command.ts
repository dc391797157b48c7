import type { OriginConfig } from '../config.ts'
import type { OriginServices } from '../services.ts'

/**
 * Wrong use of the command line. The message is printed with the command that explains the usage, and the exit
 * code is 2.
 */
export class UsageError extends Error {}

/** A command that renders or converts and needs the services. */
export interface ServiceCommand {
  readonly local?: never
  /** Lines that begin with `platen`, one for each form of the command. */
  readonly usage: string
  /** What the command does. `platen --help` lists its first sentence. */
  readonly summary: string
  /** Additional text for --help of the command. */
  readonly more?: () => string
  /** Returns the exit code. */
  run(services: OriginServices, args: readonly string[]): Promise<number>
}

/** A command that works on the files of a working folder and needs no engines. */
export interface LocalCommand {
  readonly local: true
  /** Lines that begin with `platen`, one for each form of the command. */
  readonly usage: string
  /** What the command does. `platen --help` lists its first sentence. */
  readonly summary: string
  /** Additional text for --help of the command. */
  readonly more?: () => string
  /** Returns the exit code. */
  run(readConfig: (workdir?: string) => OriginConfig, args: readonly string[]): Promise<number>
}

export type Command = ServiceCommand | LocalCommand
