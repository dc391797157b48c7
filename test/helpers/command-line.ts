import type { ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError } from '../../origin/cli/command.ts'
import { readCommandLine } from '../../origin/cli/flags.ts'

/**
 * Reads the command line of a script that people start, with Node's `parseArgs`. `--help` prints `usage` and ends the process; what
 * the script does not know ends it with status 2 and a message before the usage.
 */
export function readScriptArguments<const Given extends ParseArgsConfig>(
  usage: string,
  given: Given,
): ReturnType<typeof parseArgs<Given>> {
  const args = given.args ?? process.argv.slice(2)
  if (args.includes('--help')) {
    console.log(usage)
    process.exit(0)
  }
  try {
    return readCommandLine(given)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`${error.message}\n\n${usage}`)
    process.exit(2)
  }
}
