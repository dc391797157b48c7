/** The commands of `platen`, and what is the same for all of them. */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { entryOf } from '../../shared/entry-of.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import { nearestName } from '../../shared/nearest-name.ts'
import { type OriginConfig, readConfig } from '../config.ts'
import { type Command, type ServiceCommand, UsageError } from './command.ts'

/** The commands in the order and under the headings of `platen --help`. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'Make documents': ['render', 'convert'],
  'Check templates': ['lint', 'test', 'diff', 'schema', 'types', 'plan'],
  'Check documents': ['invoice', 'verify'],
  'Run the service': ['webserver', 'doctor', 'install', 'backup', 'restore', 'lifecycle', 'fonts'],
  'Keys, tokens and accounts': ['generate-keys', 'generate-token', 'webhook-secret', 'accounts'],
}

/** Loaded when they are called: the modules of the services take most of the time that a short command runs. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  webserver: async () => (await import('./webserver.ts')).webserver,
  render: async () => (await import('./render.ts')).renderCommand,
  convert: async () => (await import('./convert.ts')).convertCommand,
  lint: async () => (await import('./lint.ts')).lintCommand,
  schema: async () => (await import('./lint.ts')).schemaCommand,
  test: async () => (await import('./test.ts')).testCommand,
  diff: async () => (await import('./diff.ts')).diffCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  types: async () => (await import('./types.ts')).typesCommand,
  invoice: async () => (await import('./invoice.ts')).invoiceCommand,
  plan: async () => (await import('./plan.ts')).planCommand,
  doctor: async () => (await import('./doctor.ts')).doctor,
  'generate-keys': async () => (await import('./generate-keys.ts')).generateKeys,
  'generate-token': async () => (await import('./generate-token.ts')).generateToken,
  'webhook-secret': async () => (await import('./webhook-secret.ts')).webhookSecret,
  install: async () => (await import('./install.ts')).install,
  backup: async () => (await import('./backup.ts')).backupCommand,
  restore: async () => (await import('./backup.ts')).restoreCommand,
  lifecycle: async () => (await import('./lifecycle.ts')).lifecycleCommand,
  fonts: async () => (await import('./fonts.ts')).fontsCommand,
  accounts: async () => (await import('./accounts.ts')).accounts,
}

/**
 * Runs the command that the words after `platen` name, with the services that also answer over HTTP. Prints what it has to say, and
 * returns the status with which the process ends: 0, 1 for a failure, 2 for words that are no command line.
 */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  if (['help', '--help', '-h'].includes(argv[0] ?? '')) {
    console.log(await help())
    return 0
  }
  if (['version', '--version', '-v'].includes(argv[0] ?? '')) {
    const { readVersion } = await import('../services.ts')
    console.log(await readVersion())
    return 0
  }
  // Without a command, the web server is started.
  const [name, ...args] = argv[0]?.startsWith('-') === false ? argv : ['webserver', ...argv]
  const load = entryOf(commands, name)
  const command = await load?.()
  if (command === undefined) {
    const similar = nearestName(name ?? '', Object.keys(commands))
    const hint = similar === undefined ? '' : ` Did you mean "${similar}"?`
    console.error(`Unknown command "${name}".${hint}\nRun \`platen --help\` for a list of all commands.`)
    return 2
  }
  if (args.includes('--help') || args.includes('-h')) {
    const more = command.more === undefined ? [] : [indentedLines(command.more())]
    console.log([folded(command.usage), folded(command.summary), ...more].join('\n\n'))
    return 0
  }
  try {
    return await (command.local ? command.run(configOf, args) : withServices(command, args))
  } catch (error) {
    console.error(explain(error, name ?? ''))
    return error instanceof UsageError ? 2 : 1
  }
}

/** Runs a command with stateless services in a temporary data folder. */
async function withServices(command: ServiceCommand, args: readonly string[]): Promise<number> {
  const { createServices } = await import('../services.ts')
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-'))
  try {
    await keepCache(dataDir)
    const services = await createServices({
      ...configOf(),
      dataDir,
      stateless: true,
      prewarm: false, // the process ends after one command
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

/**
 * The `cache` of a data folder, which holds the index of the fonts of this machine, is kept between commands: to read all
 * fonts takes longer than many a document. Where it cannot be kept, as in an installation of somebody else, each command
 * reads them.
 */
async function keepCache(dataDir: string): Promise<void> {
  const kept = fileURLToPath(new URL('../../.cache/cli', import.meta.url))
  try {
    await mkdir(kept, { recursive: true, mode: 0o700 })
    await symlink(kept, join(dataDir, 'cache'))
  } catch {
    // The service makes the folder itself.
  }
}

function configOf(workdir?: string): OriginConfig {
  const workdirArguments = workdir === undefined ? [] : ['--workdir', workdir]
  return readConfig(workdirArguments, { SERVICE_LOG_LEVEL: 'silent', ...process.env }).config
}

/** The message of an error for the terminal, with hints and the problems of a template. */
function explain(error: unknown, command: string): string {
  if (error instanceof UsageError)
    return `${error.message}\nRun \`platen ${command} --help\` to see how to use this command.`
  if (!(error instanceof AppError)) return (error as Error).message
  const lines = [error.message, ...(error.hint === undefined ? [] : [`  ${error.hint}`])]
  for (const { message, hint, place } of error.problems) {
    const position = place?.at === undefined ? '' : `, ${place.at}`
    const snippet = place?.snippet === undefined ? '' : `: ${place.snippet}`
    lines.push(`- ${message}${place === undefined ? '' : ` (${place.part}${position}${snippet})`}`)
    if (hint !== undefined) lines.push(`  ${hint}`)
  }
  return lines.join('\n')
}

async function help(): Promise<string> {
  const sections = await Promise.all(
    Object.entries(groups).map(async ([heading, names]) => {
      const rows = await Promise.all(
        names.map(async (name) => nameAndPurpose(name, (await entryOf(commands, name)!()).summary)),
      )
      return [heading, ...rows].join('\n')
    }),
  )
  return [
    'platen fills templates with JSON and converts documents.',
    ...sections,
    'platen COMMAND --help explains a command. Without a command, platen serves the HTTP API, like npm start.',
  ].join('\n\n')
}

/** A line of the list of commands: the name, and beside it the first sentence of the summary. */
function nameAndPurpose(name: string, summary: string): string {
  const [purpose = summary] = /^.*?\.(?= |$)/.exec(summary) ?? []
  return folded(purpose, 18).replace(' '.repeat(18), `  ${name.padEnd(16)}`)
}

/** Breaks the lines of a text; the parts of a line keep its indentation. */
function indentedLines(text: string): string {
  return text
    .split('\n')
    .map((line) => folded(line.trimStart(), line.length - line.trimStart().length))
    .join('\n')
}

/**
 * Breaks each line of a text so that it fits a terminal of 100 columns. An option in brackets stays on one line.
 * `indent` is the number of spaces before a line; further lines of a command have four more.
 */
function folded(text: string, indent = 0): string {
  return text
    .split('\n')
    .map((line) => {
      const isCommand = line.trimStart().startsWith('platen ')
      const [first = '', ...words] = line.match(/\[[^\]]*\]\S*|\S+/g) ?? []
      const lines = [' '.repeat(indent) + first]
      for (const word of words) {
        const current = lines.at(-1) ?? ''
        if (current.length + 1 + word.length <= 100) lines[lines.length - 1] = `${current} ${word}`
        else lines.push(' '.repeat(indent + (isCommand ? 4 : 0)) + word)
      }
      return lines.join('\n')
    })
    .join('\n')
}
