import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { setEntry } from '../shared/entry-of.ts'
import { AppError } from '../shared/errors/app-error.ts'
import { nearestName } from '../shared/nearest-name.ts'
import { pushAll } from '../shared/push-all.ts'
import { readSize } from '../shared/setting-rules.ts'
import { translateEnvironment } from './moved-settings.ts'
import { type OriginConfig, type Setting, settingGroups, settings } from './settings.ts'

export type { OriginConfig } from './settings.ts'

/** The table of settings, for lookup by names that need not be in it. */
export const options: Readonly<Record<keyof typeof settings, Setting<unknown>>> = settings

export interface LoadedConfig {
  readonly config: OriginConfig
  /** Messages for the operator about unusable values and unknown names, which were ignored. */
  readonly warnings: readonly string[]
}

/** A command line that cannot be parsed, or that has an unusable value. The message is a complete sentence. */
export class ArgumentError extends Error {}

/**
 * Reads all settings. The command line takes precedence over the environment, that over `config/config.json`,
 * and that over the default. The name of a setting is `--name` on the command line, `SERVICE_NAME` in upper
 * snake case in the environment, and the key in the file. Throws `ArgumentError` for a command line that cannot be
 * parsed or has an unusable value, since somebody has just typed it. Throws also for a configuration file that is not
 * a JSON object, and for an unusable value of a strict option: ignoring those might leave the service unprotected.
 */
export function readConfig(
  args: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): LoadedConfig {
  const warnings: string[] = []
  const environment = translateEnvironment(variables)
  const argumentValues = readArguments(args)
  const workdir = resolve(argumentValues.get('workdir') ?? environment['SERVICE_WORKDIR'] ?? '.')
  const file = readFile(join(workdir, 'config', 'config.json'))
  for (const name of Object.keys(file))
    if (!Object.hasOwn(options, name))
      warnings.push(`config.json: ${name} is not known${nearest(name, Object.keys(options))}.`)
  pushAll(warnings, unknownVariables(environment))
  const values: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(options)) {
    const sources: readonly (readonly [string, unknown])[] = [
      [`--${name}`, argumentValues.get(name)],
      [environmentName(name), environment[environmentName(name)]],
      [`config.json: ${name}`, Object.hasOwn(file, name) ? file[name] : undefined],
    ]
    setEntry(values, name, option.default)
    for (const [from, raw] of sources) {
      if (raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '')) continue
      const value = readValue(option, raw)
      if (value !== undefined && option.rule?.fits(value) !== false) {
        setEntry(values, name, value)
        break
      }
      if (option.strict && option.rule?.error !== undefined) throw new AppError(option.rule.error)
      if (from.startsWith('--'))
        throw new ArgumentError(`${from} is not a usable value: it takes ${wants(option)}.`)
      if (option.strict) throw new Error(`${from} is not a usable value: it takes ${wants(option)}.`)
      warnings.push(`${from} is not a usable value and is ignored: it takes ${wants(option)}.`)
    }
  }
  const factories = values['factories'] === 'auto' ? automaticFactories() : Number(values['factories'])
  const config = values as unknown as OriginConfig
  const isolation = config.isolation || (config.hosted ? 'required' : 'best')
  const dataDir = resolve(workdir, config.dataDir)
  return { config: { ...config, isolation, factories, workdir, dataDir }, warnings }
}

/** Memory that is left to the service itself, and that one office takes with a document of some hundred pages. */
const serviceBytes = 2 ** 30
const officeBytes = 700 * 2 ** 20

/**
 * The number of office processes for `auto`: one for each core, but at least two, so that one slow document does not
 * block all others, and at most eight. Fewer if memory is limited; in a container, its limit applies.
 */
export function automaticFactories(
  cores = availableParallelism(),
  memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
): number {
  const fitting = Math.floor((memoryBytes - serviceBytes) / officeBytes)
  return Math.max(1, Math.min(Math.max(cores, 2), 8, fitting))
}

/** Describes the values that an option accepts, as the end of a sentence. */
function wants({ kind, rule, min = 0, max = Number.MAX_SAFE_INTEGER }: Setting<unknown>): string {
  if (rule !== undefined) return rule.wants
  if (kind === 'integer') return `a whole number from ${min} to ${max}`
  if (kind === 'bytes') return `bytes or a size such as 20MB, from ${min} to ${max} bytes`
  if (kind === 'boolean') return 'true or false'
  return kind === 'object' ? 'an object' : 'a text'
}

/** The text of `--help`. */
export function optionsHelp(): string {
  const groups = Object.entries(settingGroups).map(([title, group]) => `${title}:\n\n${groupHelp(group)}`)
  return `Options, with their defaults. Each can also be set in the environment or in config/config.json (docs/configuration.md).\n\n${groups.join('\n\n')}`
}

function groupHelp(group: Readonly<Record<string, Setting<unknown>>>): string {
  const rows = Object.entries(group).map(
    ([name, { short, description, default: value }]) =>
      `  --${name}${short === undefined ? '' : `, -${short}`}${shownDefault(value)}\n      ${description}`,
  )
  return rows.join('\n')
}

/** The default after the name of an option, such as ` (4000)`; an empty text for options that are empty by default. */
function shownDefault(value: unknown): string {
  return typeof value === 'object' || value === '' ? '' : ` (${String(value)})`
}

/** The environment variable of an option, such as `SERVICE_DATA_DIR` for `dataDir`. */
export function environmentName(option: string): string {
  return `SERVICE_${option.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

/** A suggestion such as `; did you mean --authentication`, or an empty text when no known name is similar. */
function nearest(name: string, candidates: readonly string[]): string {
  const similarName = nearestName(name, candidates)
  return similarName === undefined ? '' : `; did you mean ${similarName}`
}

/** The variables that Kubernetes sets in every container when one of its services is named "service". */
const injected = /^SERVICE_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_(?:TCP|UDP))/

function unknownVariables(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const names = Object.keys(options).map(environmentName)
  return Object.keys(environment)
    .filter((name) => name.startsWith('SERVICE_') && !names.includes(name) && !injected.test(name))
    .map((name) => `${name} is not known${nearest(name, names)}.`)
}

function readArguments(args: readonly string[]): Map<string, string> {
  const values = new Map<string, string>()
  for (let index = 0; index < args.length; index++) {
    const { dashes, key, name, inline } = readArgument(args[index]!)
    const option = name === undefined ? undefined : options[name]
    if (name === undefined || option === undefined) {
      if (dashes === undefined) throw new ArgumentError(`"${args[index]}" does not belong to any option.`)
      const suggestion = dashes === '--' ? nearest(`--${key}`, longNames) : ''
      throw new ArgumentError(`Option ${dashes}${key} is not known${suggestion}. --help lists all of them.`)
    }
    const nextArgument = args[index + 1]
    if (inline !== undefined) values.set(name, inline)
    else if (option.kind === 'boolean' && (nextArgument === undefined || nextArgument.startsWith('-')))
      values.set(name, 'true')
    else if (nextArgument === undefined || readArgument(nextArgument).name !== undefined)
      throw new ArgumentError(`Option ${dashes}${key} needs a value.`)
    else values.set(name, args[++index]!)
  }
  return values
}

const longNames = Object.keys(options).map((name) => `--${name}`)
const shorts = new Map(Object.entries(options).map(([name, { short }]) => [short, name]))

/** Splits an argument. `name` is undefined unless it is the name of an existing option. */
function readArgument(text: string) {
  const [, dashes, key = '', , inline] = /^(--?)([^=]+)(=(.*))?$/s.exec(text) ?? []
  const name =
    dashes === '-' ? shorts.get(key) : key.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())
  const isOption = dashes !== undefined && name !== undefined && Object.hasOwn(options, name)
  return { dashes, key, inline, name: isOption ? (name as keyof OriginConfig) : undefined }
}

function readFile(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {}
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new Error(`${path} is not JSON.`, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${path} is not a JSON object of options.`)
  return value as Record<string, unknown>
}

/**
 * Converts a raw value to the kind of the option. Returns undefined for a value that does not fit.
 * Orchestrators inject values such as `tcp://10.0.0.1:4000` under the name SERVICE_PORT, which is why
 * unusable values are not fatal in general.
 */
function readValue(option: Setting<unknown>, raw: unknown): unknown {
  const text = String(raw).trim()
  switch (option.kind) {
    case 'integer':
      return inRange(option, /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN)
    case 'bytes':
      return inRange(option, readSize(text))
    case 'boolean':
      if (/^(true|1|yes|on)$/i.test(text)) return true
      return /^(false|0|no|off)$/i.test(text) ? false : undefined
    case 'text':
      return typeof raw === 'object' ? undefined : text
    case 'list':
      if (Array.isArray(raw)) return raw.map(String)
      return text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]))
    case 'object':
      return readObject(raw)
    default:
      return option.kind satisfies never
  }
}

function inRange(
  { min = 0, max = Number.MAX_SAFE_INTEGER }: Setting<unknown>,
  value: number,
): number | undefined {
  return value >= min && value <= max ? value : undefined
}

function readObject(raw: unknown): unknown {
  if (typeof raw === 'object' && raw !== null) return raw
  try {
    const value: unknown = JSON.parse(String(raw))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
