/** The `platen` command. It runs one command with the services that also answer over HTTP, in one process. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../shared/errors/app-error.ts'
import { type Config, readConfig } from '../config.ts'
import { createServices, readVersion } from '../services.ts'
import { accounts } from './accounts.ts'
import { type Command, type ServiceCommand, UsageError } from './command.ts'
import { convertCommand } from './convert.ts'
import { doctor } from './doctor.ts'
import { generateKeys } from './generate-keys.ts'
import { generateToken } from './generate-token.ts'
import { install } from './install.ts'
import { lintCommand, schemaCommand } from './lint.ts'
import { planCommand } from './plan.ts'
import { renderCommand } from './render.ts'
import { webserver } from './webserver.ts'

const commands: Readonly<Record<string, Command>> = {
  webserver,
  render: renderCommand,
  convert: convertCommand,
  lint: lintCommand,
  schema: schemaCommand,
  plan: planCommand,
  doctor,
  'generate-keys': generateKeys,
  'generate-token': generateToken,
  install,
  accounts,
}

process.exitCode = await main(process.argv.slice(2))

async function main(given: readonly string[]): Promise<number> {
  if (['help', '--help', '-h'].includes(given[0] ?? '')) {
    console.log(help())
    return 0
  }
  if (['version', '--version', '-v'].includes(given[0] ?? '')) {
    console.log(await readVersion())
    return 0
  }
  // Without a command, the web server is started.
  const [name, ...args] = given[0]?.startsWith('-') === false ? given : ['webserver', ...given]
  const command = commands[name ?? '']
  if (command === undefined) {
    console.error(`Unknown command "${name}".\n\n${help()}`)
    return 2
  }
  if (args.includes('--help') || args.includes('-h')) {
    console.log(
      [command.usage, command.says, ...(command.more === undefined ? [] : [command.more()])].join('\n\n'),
    )
    return 0
  }
  try {
    return await (command.local ? command.run(configOf, args) : withServices(command, args))
  } catch (error) {
    console.error(explain(error, command))
    return error instanceof UsageError ? 2 : 1
  }
}

/** Runs a command with stateless services in a temporary data folder. */
async function withServices(command: ServiceCommand, args: readonly string[]): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-'))
  try {
    const services = await createServices({
      ...configOf(),
      dataDir,
      stateless: true,
      authentication: false, // permission to start the process is enough
    })
    try {
      return await command.run(services, args)
    } finally {
      await services.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

function configOf(workdir?: string): Config {
  const given = workdir === undefined ? [] : ['--workdir', workdir]
  return readConfig(given, { SERVICE_LOG_LEVEL: 'silent', ...process.env }).config
}

/** The message of an error for the terminal, with hints and the problems of a template. */
function explain(error: unknown, command: Command): string {
  if (error instanceof UsageError) return `${error.message}\n\n${command.usage}`
  if (!(error instanceof AppError)) return (error as Error).message
  const lines = [error.message, ...(error.hint === undefined ? [] : [`  ${error.hint}`])]
  for (const { message, hint, place } of error.problems) {
    const at = place?.at === undefined ? '' : `, ${place.at}`
    const snippet = place?.snippet === undefined ? '' : `: ${place.snippet}`
    lines.push(`- ${message}${place === undefined ? '' : ` (${place.part}${at}${snippet})`}`)
    if (hint !== undefined) lines.push(`  ${hint}`)
  }
  return lines.join('\n')
}

function help(): string {
  const rows = Object.values(commands).map(({ usage, says }) => `  ${usage}\n      ${says}`)
  return `platen fills templates with JSON and converts documents.\n\n${rows.join('\n')}\n\nWithout a command it serves the same over HTTP, as npm start does.`
}
