import { existsSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { basename } from 'node:path'
import { AppError } from '../../shared/errors/app-error.ts'
import { fromBytes } from '../../shared/plugin/byte-source.ts'
import type { OriginServices } from '../services.ts'
import { type ServiceCommand, UsageError } from './command.ts'
import { readCommandLine } from './flags.ts'
import { formatOf, printWarnings, readInput, readOptions, writeOutput, writePages } from './io.ts'

interface Job {
  readonly input: string
  readonly output: string
  readonly to: string
}

/** Converts files without touching tags: one to a named file, or many to one format beside their sources. */
export const convertCommand: ServiceCommand = {
  usage:
    'platen convert IN OUT [--converter L] [--option NAME=VALUE ...]   or   platen convert --to pdf IN IN ... [...]',
  says: 'Converts a file to the type that the extension of OUT names, or many files to one type.',
  async run(services, args) {
    const { values, positionals } = parse(args)
    const jobs = plan(values.to, values.to === undefined ? positionals : await expanded(positionals))
    const options = readOptions(values.option, services.registry)
    let failed = 0
    for (const [index, job] of jobs.entries()) {
      progress(index, jobs)
      try {
        await convertFile(services, job, values.converter, options)
      } catch (error) {
        if (jobs.length === 1 || !(error instanceof AppError || error instanceof UsageError)) throw error
        failed++
        clearProgress()
        console.error(`${job.input}: ${error.message}`)
      }
    }
    progress(jobs.length, jobs)
    return failed === 0 ? 0 : 1
  },
}

async function convertFile(
  services: OriginServices,
  { input, output, to }: Job,
  letter: string | undefined,
  options: Record<string, unknown>,
): Promise<void> {
  const source = fromBytes(await readInput(input))
  const from = await services.registry.sniff(source, { name: input })
  if (from === undefined) throw new AppError('api.template.format')
  const target = services.registry.formatByExtension(to)
  if (target === undefined) throw new AppError('convert.unknown-format', { to })
  const timeout = services.settings.renderTimeoutMs
  const converted = await services.converter.convert({
    source,
    from: from.id,
    to: target.id,
    options,
    ...(letter === 'auto' ? { auto: true } : { letter }),
    deadline: Date.now() + timeout,
    signal: AbortSignal.timeout(timeout),
  })
  printWarnings(converted.warnings)
  if (converted.pages !== undefined) return writePages(output, converted.pages)
  // LaTeX with its pictures, for one, is an archive whatever was asked for: it is named as what it is.
  const archive = converted.format !== target.id
  const path = archive ? `${output.replace(/\.[^./\\]+$/, '')}.${converted.format}` : output
  if (archive) console.error(`${output} is several files: they are in ${path}.`)
  await writeOutput(path, converted.value)
}

function plan(to: string | undefined, files: readonly string[]): readonly Job[] {
  if (to === undefined) {
    const [input, output] = files
    if (input === undefined || output === undefined || files.length > 2)
      throw new UsageError('convert takes IN and OUT, or --to FORMAT and files.')
    return [{ input, output, to: formatOf(output) }]
  }
  if (files.length === 0) throw new UsageError('convert --to takes at least one file.')
  const jobs = files.map((input) => ({ input, output: `${input.replace(/\.[^./\\]+$/, '')}.${to}`, to }))
  const outputs = new Set<string>()
  for (const { input, output } of jobs) {
    if (outputs.has(output)) throw new UsageError(`Two files would become ${output}; ${input} is the second.`)
    outputs.add(output)
  }
  return jobs
}

/** Patterns that no shell has expanded ('*.docx'), in the order of names. A file that is called so is itself. */
async function expanded(files: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    files.map(async (file) => {
      if (!/[*?[{]/.test(file) || existsSync(file)) return [file]
      const matches = (await Array.fromAsync(glob(file))).sort()
      if (matches.length === 0) throw new UsageError(`No file matches ${file}.`)
      return matches
    }),
  )
  return found.flat()
}

/** One line that is written over, and only for a person at a terminal. */
function progress(done: number, jobs: readonly Job[]): void {
  if (jobs.length < 2 || !process.stderr.isTTY) return
  const width = 30
  const filled = Math.round((done / jobs.length) * width)
  const name = jobs[done] === undefined ? '' : basename(jobs[done].input)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`
  process.stderr.write(`\r\x1b[K${bar} ${done}/${jobs.length} ${name}${done === jobs.length ? '\n' : ''}`)
}

/** A message stands on a line of its own. */
function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}

function parse(args: readonly string[]) {
  return readCommandLine({
    args: [...args],
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      converter: { type: 'string' },
      option: { type: 'string', multiple: true, default: [] },
    },
  })
}
