/** The `platen` command, which runs in this process. */
import { runCommandLine } from './run.ts'

process.exitCode = await runCommandLine(process.argv.slice(2))
