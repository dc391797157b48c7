import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { UsageError } from './command.ts'

/** The flags of a command without further words; --workdir is common to all. Throws UsageError. */
export function readFlags<const Flags extends ParseArgsOptionsConfig>(args: readonly string[], flags: Flags) {
  try {
    const options = { ...flags, workdir: { type: 'string', short: 'w' } } as const
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
