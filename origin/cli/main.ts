/** `platen render|convert|doctor`: the same services as over HTTP, in one process, for one call. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../shared/errors/app-error.ts'
import { readConfig } from '../config.ts'
import { createServices } from '../services.ts'
import { type Command, UsageError } from './command.ts'
import { convertCommand } from './convert.ts'
import { doctor } from './doctor.ts'
import { renderCommand } from './render.ts'

const commands: Readonly<Record<string, Command>> = {
  render: renderCommand,
  convert: convertCommand,
  doctor,
}

process.exitCode = await main(process.argv.slice(2))

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    console.log(help())
    return name === undefined ? 2 : 0
  }
  const command = commands[name]
  if (command === undefined) {
    console.error(`Unknown command "${name}".\n\n${help()}`)
    return 2
  }
  if (args.includes('--help') || args.includes('-h')) {
    console.log(`${command.usage}\n\n${command.says}`)
    return 0
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-'))
  const { config } = readConfig([], { SERVICE_LOG_LEVEL: 'silent', ...process.env })
  const services = await createServices({ ...config, dataDir, stateless: true })
  try {
    return await command.run(services, args)
  } catch (error) {
    console.error(explain(error, command))
    return error instanceof UsageError ? 2 : 1
  } finally {
    await services.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function explain(error: unknown, command: Command): string {
  if (error instanceof UsageError) return `${error.message}\n\n${command.usage}`
  if (!(error instanceof AppError)) return (error as Error).message
  const lines = [error.message, ...(error.hint === undefined ? [] : [`  ${error.hint}`])]
  for (const { message, hint, place } of error.problems) {
    lines.push(
      `- ${message}${place === undefined ? '' : ` (${place.part}${place.snippet === undefined ? '' : `: ${place.snippet}`})`}`,
    )
    if (hint !== undefined) lines.push(`  ${hint}`)
  }
  return lines.join('\n')
}

function help(): string {
  const rows = Object.values(commands).map(({ usage, says }) => `  ${usage}\n      ${says}`)
  return `platen fills templates with JSON and converts documents.\n\n${rows.join('\n')}\n\nnpm start serves the same over HTTP.`
}
