import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { nearestName } from '../../shared/nearest-name.ts'
import { UsageError } from './command.ts'

/**
 * Parses the flags of a command without positional arguments. Adds --workdir, which all have. Throws
 * UsageError.
 */
export function readFlags<const Flags extends ParseArgsOptionsConfig>(args: readonly string[], flags: Flags) {
  const options = { ...flags, workdir: { type: 'string', short: 'w' } } as const
  return readCommandLine({ args: [...args], options }).values
}

export const converterHelp = 'Engine: L, I, C, O or auto.'
export const optionHelp = 'Option of the output format, such as EncryptFile=true. May be given several times.'

/** The options of a command for `--help`: each with its value, and below it what it does. */
export function optionLines(options: Readonly<Record<string, string>>): string {
  return ['Options:', ...Object.entries(options).map(([option, text]) => `  ${option}\n      ${text}`)].join(
    '\n',
  )
}

/** Calls Node's `parseArgs`. Throws UsageError, which suggests a similar name for an unknown option. */
export function readCommandLine<const Given extends ParseArgsConfig>(
  given: Given,
): ReturnType<typeof parseArgs<Given>> {
  try {
    return parseArgs(given)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const [, unknown] = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? (/'(--?[^']+)'/.exec(message) ?? []) : []
    if (unknown === undefined) throw new UsageError(message)
    const validFlags = Object.keys(given.options ?? {}).map((name) => `--${name}`)
    const similarFlag =
      nearestName(unknown, validFlags) ??
      validFlags.find((flag) => unknown.length > 3 && flag.startsWith(unknown))
    throw new UsageError(
      `Option ${unknown} is not known${similarFlag === undefined ? '' : `; did you mean ${similarFlag}`}.`,
    )
  }
}
