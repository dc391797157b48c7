import { existsSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { basename } from 'node:path'
import { AppError } from '../../shared/errors/app-error.ts'
import { fromBytes } from '../../shared/plugin/byte-source.ts'
import type { OriginServices } from '../services.ts'
import { type ServiceCommand, UsageError } from './command.ts'
import { converterHelp, optionHelp, optionLines, readCommandLine } from './flags.ts'
import { formatOf, printWarnings, readInput, readOptions, writeOutput, writePages } from './io.ts'
import { clearProgress, showProgress } from './progress.ts'

interface FileJob {
  readonly input: string
  readonly output: string
  readonly to: string
}

/** The options of the command that apply to all of its files. */
interface ConversionChoices {
  readonly letter: string | undefined
  readonly hardRefresh: boolean
  readonly options: Record<string, unknown>
}

/**
 * Converts files without merging tags: one to a named file, or several to one format, written beside their
 * sources.
 */
export const convertCommand: ServiceCommand = {
  usage: 'platen convert IN OUT [options]\nplaten convert --to FORMAT IN IN ... [options]',
  summary:
    'Converts files to other formats. The extension of OUT names the format. With --to, each result is written beside its source.',
  more: () =>
    optionLines({
      '--to FORMAT': 'Output format of all files, such as pdf.',
      '--converter LETTER': converterHelp,
      '--option NAME=VALUE': optionHelp,
      '--hard-refresh': 'Updates tables of contents and recalculates formulas.',
    }),
  async run(services, args) {
    const { values, positionals } = parse(args)
    const jobs = plan(values.to, values.to === undefined ? positionals : await expanded(positionals))
    const options = readOptions(values.option, services.registry)
    let failed = 0
    for (const [index, job] of jobs.entries()) {
      progress(index, jobs)
      try {
        await convertFile(services, job, {
          letter: values.converter,
          hardRefresh: values['hard-refresh'],
          options,
        })
      } catch (error) {
        if (jobs.length === 1 || !(error instanceof AppError || error instanceof UsageError)) throw error
        failed++
        clearProgress()
        console.error(`${job.input}: ${error instanceof AppError ? error.explained() : error.message}`)
      }
    }
    progress(jobs.length, jobs)
    return failed === 0 ? 0 : 1
  },
}

async function convertFile(
  services: OriginServices,
  { input, output, to }: FileJob,
  { letter, hardRefresh, options }: ConversionChoices,
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
    ...(hardRefresh && { hardRefresh }),
    deadline: Date.now() + timeout,
    signal: AbortSignal.timeout(timeout),
  })
  printWarnings(converted.warnings)
  if (converted.pages !== undefined) return writePages(output, converted.pages)
  // An output of several files, such as LaTeX with its pictures, is an archive. It gets the extension of its
  // real format.
  const isArchive = converted.format !== target.id
  const path = isArchive ? `${output.replace(/\.[^./\\]+$/, '')}.${converted.format}` : output
  if (isArchive) console.error(`The result has several files. They are in ${path}.`)
  await writeOutput(path, converted.value)
}

/**
 * The conversions that the arguments describe. Throws UsageError, also when two of them would write the same
 * file.
 */
function plan(to: string | undefined, files: readonly string[]): readonly FileJob[] {
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

/**
 * Expands patterns such as '*.docx' that the shell has not expanded, with the matches in the order of names.
 * An argument that is the name of an existing file is not a pattern.
 */
async function expanded(files: readonly string[]): Promise<readonly string[]> {
  const matchedFiles = await Promise.all(
    files.map(async (file) => {
      if (!/[*?[{]/.test(file) || existsSync(file)) return [file]
      const matches = (await Array.fromAsync(glob(file))).sort()
      if (matches.length === 0) throw new UsageError(`No file matches ${file}.`)
      return matches
    }),
  )
  return matchedFiles.flat()
}

/** Shows how many files are done, and the name of the next one. */
function progress(finished: number, jobs: readonly FileJob[]): void {
  const next = jobs[finished]
  showProgress(finished, jobs.length, next === undefined ? '' : basename(next.input))
}

function parse(args: readonly string[]) {
  return readCommandLine({
    args: [...args],
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      converter: { type: 'string' },
      'hard-refresh': { type: 'boolean', default: false },
      option: { type: 'string', multiple: true, default: [] },
    },
  })
}
